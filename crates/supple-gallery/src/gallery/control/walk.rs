//! A young dinosaur that walks: five steps, each with the foot that stands held, two poses each.

use super::posed::{Published, numbers};
use crate::gallery::page::Section;
use crate::gallery::sparse::motion::Motion;
use crate::gallery::sparse::row::rows;
use crate::gallery::workshop::{From, Workshop};
use supple_mesh::Vec3;
use supple_model::Progress;
use supple_project::shot::{Anchor, Length, Shot};
use supple_render::{Plot, Rule, Series};

const SAMPLE: &str = "biped-walk";
const VIEW: From = From(24.0, 8.0);
const ROW: [u32; 2] = [1000, 300];

/// Figure 1.
pub fn figure(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let shot = workshop.whole_shot(SAMPLE)?;
    let motion = Motion::solve(workshop, SAMPLE, &shot, progress)?;
    let mut section = Section::default();
    section.text(
        "Five steps. In each, one foot stands and two poses are keyed: the other foot lifted, and put down. A step \
         begins as the one before ended, velocity included; how body, head, tail and arms swing was not keyed.",
    );
    let last = motion.frames.len() - 1;
    let halves = [motion.spread(0, last / 2, 6), motion.spread(last / 2 + last / 10, last, 5)];
    workshop.show(
        &mut section,
        "control-walk",
        &rows(&motion, &halves, VIEW, ROW)?,
        "Frames of the walk: as it begins, then every pose",
    )?;
    let mut plot = Plot::new("How high feet and snout are");
    (plot.x.label, plot.y.label) = ("frame".into(), "change of height (m)".into());
    let rest = motion.body.positions();
    for group in ["left-foot", "right-foot", "head"] {
        let members = motion.body.groups.get(group)?;
        let middle =
            |at: &[Vec3]| members.iter().map(|v| at[v.index()].y).sum::<f64>() / members.len() as f64;
        let heights = motion.frames.iter().enumerate().map(|(k, at)| [k as f64, middle(at) - middle(rest)]);
        plot.series.push(Series::line(group.replace('-', " "), heights));
    }
    plot.verticals = steps(&shot).iter().skip(1).map(|(from, ..)| Rule::new(*from as f64, "")).collect();
    workshop.plot(
        &mut section,
        "control-walk-heights",
        &plot,
        "Feet are keyed, the head is not; lines between steps",
    )?;
    let published = Published { tets: "5,249", frames: "120 each", poses: "2 each", shapes: "25" };
    numbers(&mut section, &motion, &published);
    section.number(
        "a foot that stands moves by, at most",
        100.0 * slip(&motion, &shot) / motion.height(),
        "% of the height",
    );
    Ok(section)
}

/// The first and last frame of every step, and the group that stands.
fn steps(shot: &Shot) -> Vec<(usize, usize, &str)> {
    let (mut from, mut steps) = (0, Vec::new());
    for segment in &shot.edit.segments {
        let to = if let Length::Frames(frames) = segment.length { from + frames as usize } else { from };
        for anchor in segment.anchors.iter().flatten() {
            if let Anchor::Group(group) = anchor {
                steps.push((from, to, group.as_str()));
            }
        }
        from = to;
    }
    steps
}

/// How far a vertex that stands gets from where it stood as its step began.
fn slip(motion: &Motion, shot: &Shot) -> f64 {
    let mut most = 0.0_f64;
    for (from, to, group) in steps(shot) {
        let Ok(members) = motion.body.groups.get(group) else { continue };
        for frame in &motion.frames[from..=to.min(motion.frames.len() - 1)] {
            for v in members {
                most = most.max((frame[v.index()] - motion.frames[from][v.index()]).norm());
            }
        }
    }
    most
}
