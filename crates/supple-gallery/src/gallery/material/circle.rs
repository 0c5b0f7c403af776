//! A flower whose disc goes round: near, against an edit that is warped afterwards, and far out, with and without another
//! material.

use super::found::{BOTH, both, forces, missed, numbers};
use crate::gallery::page::{Section, short};
use crate::gallery::sparse::motion::Motion;
use crate::gallery::sparse::row::{ROW, row};
use crate::gallery::workshop::{From, HANDLE, INPUT, OUTPUT, Workshop, sheet};
use supple_mesh::Vec3;
use supple_model::Progress;
use supple_project::Shot;
use supple_project::shot::{Feel, Goal, Handle, Method, When};
use supple_render::{Look, Plot, Series};

const VIEW: From = From(20.0, 24.0);
/// Modes of the edit that is warped afterwards.
const MODES: usize = 200;
/// The last frame of the circle, counted from 0, and frames around it.
const LAST: usize = 124;
const FRAMES: [usize; 7] = [10, 40, 70, 100, LAST, 160, 220];

/// Figure 5.
pub fn compared(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let mut section = Section::default();
    section.text(format!(
        "Handles lead the disc of a flower at rest round, near to where it stands and far out. Barbič, Sin and Grinspun \
         (2012) solve for a linear edit of {MODES} modes and warp it afterwards; 30 shapes that hold on the warped motion meet \
         all handles.",
    ));
    let mut rows = Vec::new();
    for (k, sample) in ["flower-near", "flower-circle"].into_iter().enumerate() {
        let part = |at: f64| (k as f64 + at) / 2.0;
        let shot = workshop.whole_shot(sample)?;
        let late = Motion::solve(workshop, sample, &warped(&shot)?, &progress.part(part(0.0), part(0.5)))?;
        let ours = Motion::solve(workshop, sample, &shot, &progress.part(part(0.5), part(1.0)))?;
        let frames: Vec<usize> =
            handles(&shot).iter().step_by(handles(&shot).len().div_ceil(6)).copied().collect();
        let mut tiles = Vec::new();
        for (motion, name) in [(&late, "linear, then warped"), (&ours, "held on the warped motion")] {
            let shapes: Vec<&Vec<Vec3>> = frames.iter().map(|frame| &motion.frames[*frame]).collect();
            tiles.push((row(motion, &shapes, VIEW, ROW)?, name.to_owned()));
            let off = 100.0 * missed(motion);
            section.tabled(format!("{sample}, {name}: handles are off by"), off, "% of the size");
            rows.push(vec![sample.to_owned(), name.to_owned(), format!("{} %", short(off))]);
        }
        let words = format!("{sample} at frames {frames:?} of handles");
        workshop.show(&mut section, &format!("material-{sample}"), &sheet(1, tiles)?, words)?;
    }
    section.table(&["", "", "the worst handle is off by, of the size"], rows);
    Ok(section)
}

/// The shot as a linear edit that is warped afterwards.
fn warped(shot: &Shot) -> anyhow::Result<Shot> {
    let mut late = shot.clone();
    late.edit.choose(Method::Drag);
    (late.edit.feel, late.edit.exact, late.edit.modes) = (Feel::Lively, false, MODES);
    Ok(late)
}

/// Frames of handles, counted from 0.
fn handles(shot: &Shot) -> Vec<usize> {
    let frame = |handle: &Handle| match handle.when {
        When::Frame(frame) => usize::try_from(frame - 1).ok(),
        _ => None,
    };
    shot.edit.handles.iter().filter_map(frame).collect()
}

/// Figure 7.
pub fn material(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let shot = workshop.whole_shot("flower-circle")?;
    let motions = both(workshop, "flower-circle", progress)?;
    let mut section = Section::default();
    section.text(
        "The same circle with and without another material. The flower as it is must be pushed all the way, and with the last \
         handle its circle becomes a narrow ellipse; the one that was found goes on round without a push, ever closer to rest.",
    );
    let mut tiles = Vec::new();
    for (motion, (_, name)) in motions.iter().zip(BOTH) {
        let shapes: Vec<&Vec<Vec3>> = FRAMES.iter().map(|frame| &motion.frames[*frame]).collect();
        tiles.push((row(motion, &shapes, VIEW, ROW)?, name.to_owned()));
    }
    let words = format!("Frames {FRAMES:?}; the last handle is at frame {LAST}");
    workshop.show(&mut section, "material-circle", &sheet(1, tiles)?, words)?;
    workshop.plot(&mut section, "material-circle-force", &forces(&motions), "What has to push")?;
    workshop.plot(&mut section, "material-circle-path", &paths(&motions, &shot), "The disc from above")?;
    for (motion, (_, name)) in motions.iter().zip(BOTH) {
        section.number(format!("{name}: turns after the last handle"), turns(motion), "");
    }
    numbers(&mut section, &motions);
    Ok(section)
}

/// Where the disc is, beside where it stands at rest: x and z of the mean of what handles hold.
fn disc(motion: &Motion) -> Vec<[f64; 2]> {
    let disc = motion.body.groups.get("disc").unwrap_or_default();
    let mean =
        |places: &[Vec3]| disc.iter().map(|v| places[v.index()]).sum::<Vec3>() / disc.len().max(1) as f64;
    let rest = mean(motion.body.positions());
    let there = |places: &Vec<Vec3>| {
        let by = mean(places) - rest;
        [by.x, by.z]
    };
    motion.frames.iter().map(there).collect()
}

/// Turns after the last handle, while the disc is at least a tenth as far out as the circle.
fn turns(motion: &Motion) -> f64 {
    let path = disc(motion);
    let out = |[x, z]: [f64; 2]| x.hypot(z);
    let radius = path.get(LAST).copied().map_or(0.0, out);
    let after = path.get(LAST..).unwrap_or_default();
    let mut turned = 0.0;
    for pair in after.windows(2).take_while(|pair| out(pair[0]) >= 0.1 * radius) {
        let ([a, b], [c, d]) = (pair[0], pair[1]);
        turned += (a * d - b * c).atan2(a * c + b * d);
    }
    turned.abs() / std::f64::consts::TAU
}

fn paths(motions: &[Motion; 2], shot: &Shot) -> Plot {
    let mut plot = Plot::new("Path of the disc after the last handle, from above");
    (plot.x.label, plot.y.label) = ("x (m)".into(), "z (m)".into());
    for ((motion, (_, name)), colour) in motions.iter().zip(BOTH).zip([INPUT, OUTPUT]) {
        let points = disc(motion).split_off(LAST.min(motion.frames.len()));
        plot.series.push(Series { colour: Some(colour), ..Series::line(name, points) });
    }
    let goal = |handle: &Handle| if let Goal::By([x, _, z]) = handle.goal { Some([x, z]) } else { None };
    let goals: Vec<[f64; 2]> = shot.edit.handles.iter().filter_map(goal).collect();
    plot.series.push(Series { colour: Some(HANDLE), look: Look::Points, ..Series::line("handles", goals) });
    plot
}
