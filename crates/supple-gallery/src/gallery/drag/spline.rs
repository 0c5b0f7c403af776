//! Frequencies: the curtain's edit against a spline through every thirtieth frame of it.
//!
//! Nine whole frames of the edited motion are keys of a Catmull-Rom spline; the edit itself was asked for by
//! three vertices. Both are compared by the spectrum of what they add to the way of one vertex.

use super::timestep::{MODES, nearest, pulled};
use crate::gallery::measure::{catmull_rom, watch};
use crate::gallery::page::Section;
use crate::gallery::workshop::Workshop;
use supple_model::Progress;
use supple_project::picture::spectrum;
use supple_project::{Body, prepare_modes};
use supple_render::{Plot, Rule, Scale, Series};

/// Frames between keys.
const KEYS: usize = 30;
/// Where the vertex hangs that is looked at.
const WATCHED: [f64; 2] = [1.35, 0.3];

/// Figure 9.
pub fn curtain(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let mut editor = pulled(workshop, 1.0, true, &progress.part(0.0, 0.7))?;
    let vertex = nearest(&editor, WATCHED[0], WATCHED[1]);
    let watched = watch(&mut editor, &[vertex], &progress.part(0.7, 0.9))?;
    let change: Vec<f64> = watched.output[0].iter().zip(&watched.input[0]).map(|(y, x)| y.z - x.z).collect();
    let keys: Vec<f64> = change.iter().copied().step_by(KEYS).chain(change.last().copied()).collect();
    let spline: Vec<f64> =
        (0..change.len()).map(|i| catmull_rom(&keys, i / KEYS, (i % KEYS) as f64 / KEYS as f64)).collect();

    let mut section = Section::default();
    section.text(format!(
        "The edit of the curtain above, {MODES} modes, three handles, and a Catmull-Rom spline through {} of \
         its frames, {KEYS} frames apart: the change each makes to the path of one vertex.",
        keys.len()
    ));
    let mut plot = Plot::new("Change of the z of a vertex");
    (plot.x.label, plot.y.label) = ("frame".into(), "change against the input (m)".into());
    let points = |values: &[f64]| values.iter().enumerate().map(|(i, y)| [i as f64, *y]).collect::<Vec<_>>();
    plot.series = vec![
        Series::line("edit, three vertices", points(&change)),
        Series {
            dashed: true,
            ..Series::line(format!("spline, {} key frames", keys.len()), points(&spline))
        },
    ];
    plot.verticals = vec![Rule::new(30.0, "handle"), Rule::new(150.0, "handles")];
    workshop.plot(&mut section, "spline-path", &plot, "Between its keys the spline misses the swinging")?;

    let frames = change.len() as f64;
    let (edit, keyed) = (spectrum(&change), spectrum(&spline));
    let dt = editor.seconds_per_frame();
    let hertz = |k: usize| k as f64 / (frames * dt);
    let mut plot = Plot::new("Spectrum of that change");
    (plot.x.label, plot.y.label) = ("frequency (1/s of the body's time)".into(), "power (m²)".into());
    plot.y.scale = Scale::Log10;
    let largest = edit.iter().copied().fold(0.0, f64::max);
    plot.y.range = Some([1e-9 * largest, 3.0 * largest]);
    let shown = edit.len() * 2 / 3;
    let points = |power: &[f64]| (1..shown).map(|k| [hertz(k), power[k]]).collect::<Vec<_>>();
    plot.series = vec![
        Series::line("edit", points(&edit)),
        Series { dashed: true, ..Series::line("spline", points(&keyed)) },
    ];
    let nyquist = 0.5 / (KEYS as f64 * dt);
    plot.verticals.push(Rule::new(nyquist, "half the rate of the keys"));
    workshop.plot(&mut section, "spline-spectrum", &plot, "Present in the edit, missing in the spline")?;

    let body = Body::load(&workshop.shot("curtain")?)?;
    let modes = prepare_modes(&body, MODES, &workshop.cache("curtain"), progress)?.modes;
    let natural: Vec<f64> = (0..modes.count()).map(|k| modes.frequency(k)).filter(|f| *f > nyquist).collect();
    let above = |power: &[f64], limit: f64| -> f64 {
        let all: f64 = power[1..].iter().sum();
        let fast: f64 = (1..power.len()).filter(|k| hertz(*k) > limit).map(|k| power[k]).sum();
        100.0 * fast / all
    };
    section.number("power above half the rate of the keys, edit", above(&edit, nyquist), "%");
    section.number("power above half the rate of the keys, spline", above(&keyed, nyquist), "%");
    section.number("power above twice that, edit", above(&edit, 2.0 * nyquist), "%");
    section.number("power above twice that, spline", above(&keyed, 2.0 * nyquist), "%");
    let rms = change.iter().zip(&spline).map(|(a, b)| (a - b).powi(2)).sum::<f64>() / frames;
    let size = change.iter().map(|a| a * a).sum::<f64>() / frames;
    section.number("the spline misses the edit by", 100.0 * (rms / size).sqrt(), "% (root mean square)");
    section.number("modes of the curtain above half the rate of the keys", natural.len() as f64, "");
    Ok(section)
}
