//! A fish that nothing holds: its way is a script, its tail is keyed, its fins follow.

use super::posed::{Published, alike, numbers, path, shape, wanted};
use crate::gallery::page::Section;
use crate::gallery::sparse::motion::Motion;
use crate::gallery::workshop::{From, OUTPUT, Workshop, sheet};
use supple_mesh::Vec3;
use supple_model::Progress;
use supple_project::Body;
use supple_render::{Colour, Plot, Rule, Series};

const SAMPLE: &str = "fish";
const VIEW: From = From(28.0, 42.0);
const TILE: [u32; 2] = [300, 240];
const KEY: Colour = Colour::rgb(120, 140, 165);

/// Figure 2.
pub fn figure(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let motion = Motion::of(workshop, SAMPLE, progress)?;
    let mut section = Section::default();
    section.text(
        "A fish swims; where it is as a whole was scripted, five poses bend its tail. Shapes of its fins being \
         pulled are in the basis, and the fins move though nobody keyed how.",
    );
    let centred = |places: &[Vec3], colour: Colour, name: String| {
        let center = motion.center(places);
        let places: Vec<Vec3> = places.iter().map(|place| place - center).collect();
        (shape(&motion.body, &places, colour), name)
    };
    let first = wanted(&motion).into_iter().take(4).collect::<Vec<_>>();
    let between = |k: usize| {
        let before = if k == 0 { 0 } else { first[k - 1].0 };
        (before + first[k].0) / 2
    };
    let mut pictures: Vec<_> = first
        .iter()
        .map(|(frame, places)| centred(places, KEY, format!("pose, frame {}", frame + 1)))
        .collect();
    pictures.extend(first.iter().map(|(frame, _)| {
        centred(&motion.frames[*frame], OUTPUT, format!("the motion, frame {}", frame + 1))
    }));
    pictures.extend((0..first.len()).map(|k| {
        let frame = between(k);
        centred(&motion.frames[frame], OUTPUT, format!("on the way, frame {}", frame + 1))
    }));
    workshop.show(
        &mut section,
        "control-fish",
        &sheet(4, alike(pictures, VIEW, TILE)?)?,
        "The first four poses grey, the motion at their frames and half-way to them red",
    )?;
    let mut plot = Plot::new("How far parts are from where the fish as a whole would have them");
    (plot.x.label, plot.y.label) = ("frame".into(), "aside, or up (m)".into());
    let bend = |group: &str, axis: Vec3| -> anyhow::Result<Vec<[f64; 2]>> {
        let way = path(&motion, group)?;
        let own = apart(&motion.body, &motion.frames, &way, group)?;
        Ok(own.iter().enumerate().map(|(k, at)| [k as f64, at.dot(&axis)]).collect())
    };
    plot.series = vec![
        Series::line("tail, aside", bend("tail", Vec3::z())?),
        Series::line("left fin, up", bend("left-fin", Vec3::y())?),
        Series::line("right fin, up", bend("right-fin", Vec3::y())?),
    ];
    plot.verticals = first.iter().map(|(frame, _)| Rule::new(*frame as f64, "")).collect();
    workshop.plot(
        &mut section,
        "control-fish-fins",
        &plot,
        "The tail is keyed, fins are not; lines at poses",
    )?;
    numbers(&mut section, &motion, &Published { tets: "3,477", frames: "210", poses: "5", shapes: "24" });
    Ok(section)
}

/// How far the middle of a group is, frame by frame, from where the rotation and place of the trunk alone would have it.
fn apart(body: &Body, frames: &[Vec<Vec3>], way: &[Vec3], group: &str) -> anyhow::Result<Vec<Vec3>> {
    let trunk = body.groups.get("body")?;
    let members = body.groups.get(group)?;
    let rest = body.positions();
    let pick = |at: &[Vec3]| trunk.iter().map(|v| at[v.index()]).collect::<Vec<Vec3>>();
    let mean = |points: &[Vec3]| points.iter().sum::<Vec3>() / points.len() as f64;
    let own = members.iter().map(|v| rest[v.index()]).sum::<Vec3>() / members.len() as f64;
    let from = pick(rest);
    let one = |(frame, at): (&Vec<Vec3>, &Vec3)| {
        let to = pick(frame);
        let turn = crate::gallery::measure::rotation(&from, &to);
        turn.inverse() * (at - mean(&to)) - (own - mean(&from))
    };
    Ok(frames.iter().zip(way).map(one).collect())
}
