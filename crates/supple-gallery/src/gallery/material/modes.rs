//! How many modes there are to mix: the slow shapes are the same.
//!
//! The paper's Fig. 4 varies the weight of a penalty that keeps shapes at a length. Here they are of length 1, so that there
//! is nothing to weigh; what is left to choose is how many modes they are mixtures of.

use crate::gallery::page::{Section, short};
use crate::gallery::workshop::{Workshop, sheet};
use std::sync::Arc;
use supple_model::Progress;
use supple_project::Body;
use supple_project::method::material::{ChosenMaterial, MaterialPart};
use supple_render::{Image, Plot, Series};

/// R.
const MODES: [usize; 3] = [40, 80, 120];
/// Shapes that are drawn, as in the paper.
const DRAWN: usize = 7;
const SIZE: [u32; 2] = [430, 330];

/// Figure 4.
pub fn figure(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let mut section = Section::default();
    section.text(
        "The circle of the flower with shapes that are mixtures of 40, 80 and 120 modes. Shapes have length 1, so \
         weights cannot be varied as in the paper; the strongest shapes swing alike.",
    );
    let (mut tiles, mut rows) = (Vec::new(), Vec::new());
    for (k, modes) in MODES.into_iter().enumerate() {
        progress.report("choosing materials", k as f64 / MODES.len() as f64)?;
        let mut shot = workshop.whole_shot("flower-circle")?;
        shot.edit.modes = modes;
        let body = Arc::new(Body::load(&shot)?);
        let part = MaterialPart::open(&shot, &body, &workshop.cache("flower-circle"))?;
        let found = part.choose(None, &Progress::silent(), &mut |_| {})?;
        let energy = found.steps.last().map_or(0.0, |step| step.1);
        tiles.push((plot(&found)?, format!("{modes} modes")));
        section.tabled(format!("energy with {modes} modes"), energy, "");
        rows.push(vec![
            modes.to_string(),
            short(energy),
            found.rounds.to_string(),
            found.status.name().to_owned(),
        ]);
    }
    let words = "The seven strongest shapes over time, of 40, 80 and 120 modes";
    workshop.show(&mut section, "material-modes", &sheet(MODES.len(), tiles)?, words)?;
    section.table(&["modes", "energy", "rounds", "status"], rows);
    Ok(section)
}

fn plot(found: &ChosenMaterial) -> anyhow::Result<Image> {
    let size = |shape: &&Vec<f64>| shape.iter().map(|z| z * z).sum::<f64>();
    let mut shapes: Vec<&Vec<f64>> = found.amplitudes.iter().collect();
    shapes.sort_by(|a, b| size(b).total_cmp(&size(a)));
    let mut plot = Plot::new("");
    (plot.x.label, plot.y.label) = ("frame".into(), "amount".into());
    for shape in shapes.into_iter().take(DRAWN) {
        let points = shape.iter().enumerate().map(|(frame, z)| [frame as f64, *z]);
        plot.series.push(Series::line("", points));
    }
    let [width, height] = SIZE;
    Ok(plot.image(width, height)?)
}
