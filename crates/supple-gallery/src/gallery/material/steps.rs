//! How the energy falls, step by step.

use crate::gallery::page::Section;
use crate::gallery::workshop::Workshop;
use std::sync::Arc;
use supple_model::Progress;
use supple_project::Body;
use supple_project::method::material::MaterialPart;
use supple_render::{Colour, Look, Plot, Scale, Series};

/// What a step changes: its word, how it is drawn, red, green and blue as in the paper.
const STEPS: [(&str, Colour); 3] = [
    ("motion", Colour::rgb(200, 62, 52)),
    ("stiffness", Colour::rgb(80, 150, 70)),
    ("shapes", Colour::rgb(24, 92, 196)),
];

/// Figure 15.
pub fn figure(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let mut section = Section::default();
    section.text(
        "The energy after every step of the circle, which few handles ask for, and of the flap, which poses do. After a step on \
         stiffness and damping, and after one on shapes, the motion is solved for anew; a step that does not lower the energy \
         is not taken.",
    );
    for (k, sample) in ["flower-circle", "bird-flap"].into_iter().enumerate() {
        progress.report(sample, k as f64 / 2.0)?;
        let shot = workshop.whole_shot(sample)?;
        let body = Arc::new(Body::load(&shot)?);
        let part = MaterialPart::open(&shot, &body, &workshop.cache(sample))?;
        let found = part.choose(None, &Progress::silent(), &mut |_| {})?;
        let mut plot = Plot::new(format!("Energy of {sample} by step"));
        (plot.x.label, plot.y.label) = ("step".into(), "energy".into());
        plot.y.scale = Scale::Log10;
        for (name, colour) in STEPS {
            let own = found.steps.iter().enumerate().filter(|(_, (stage, _))| *stage == name);
            let points: Vec<[f64; 2]> = own.map(|(step, (_, energy))| [step as f64, *energy]).collect();
            plot.series.push(Series {
                colour: Some(colour),
                look: Look::Points,
                ..Series::line(name, points)
            });
        }
        let grey = Colour::rgb(150, 150, 150);
        let all = found.steps.iter().enumerate().map(|(step, (_, energy))| [step as f64, *energy]);
        plot.series.insert(0, Series { colour: Some(grey), ..Series::line("", all) });
        workshop.plot(
            &mut section,
            &format!("material-steps-{sample}"),
            &plot,
            format!("Steps of {sample}"),
        )?;
        let energies: Vec<f64> = found.steps.iter().map(|step| step.1).collect();
        if let (Some(first), Some(last)) = (energies.first(), energies.last()) {
            section.number(format!("{sample}: energy, before over after"), first / last, "");
        }
        section.number(format!("{sample}: rounds"), found.rounds as f64, "");
    }
    Ok(section)
}
