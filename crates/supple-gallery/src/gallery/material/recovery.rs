//! The material of a motion: a beam and a dinosaur of uneven stiffness, told on from half of their motion.

use crate::gallery::page::{Section, short};
use crate::gallery::workshop::{From, HALF, Workshop, draw, sheet};
use anyhow::Context;
use std::ops::RangeInclusive;
use supple_mesh::Vec3;
use supple_model::Progress;
use supple_project::picture::{Drawn, Picture};
use supple_project::recover::{
    Optimise, RecoverAnswer, RecoverOptions, RecoverPart, Recovered, RecoverySettings, recover_shot,
};
use supple_project::shot::Shot;
use supple_project::{Body, Moving};
use supple_render::{Image, Plot, Series};

/// A sample, the frames to learn from, and where it is seen from.
struct Case {
    sample: &'static str,
    frames: RangeInclusive<i32>,
    view: From,
    shapes: usize,
}

const BEAM: Case = Case { sample: "beam-recovery", frames: 31..=150, view: From(28.0, 18.0), shapes: 10 };
const DINOSAUR: Case =
    Case { sample: "dinosaur-recovery", frames: 2..=150, view: From(24.0, 10.0), shapes: 30 };
/// Numbers of shapes that are compared on the beam.
const FEW: [usize; 2] = [2, 10];
/// What is searched for: the motion alone, its stiffness and damping too, the shapes as well.
const STEPS: [(&str, Optimise); 3] =
    [("motion", Optimise::None), ("stiffness", Optimise::Stiffness), ("shapes", Optimise::All)];

/// A case that is read.
struct Opened {
    shot: Shot,
    body: Body,
    part: RecoverPart,
}

fn open(workshop: &Workshop, case: &Case, progress: &Progress) -> anyhow::Result<Opened> {
    let shot = workshop.whole_shot(case.sample)?;
    let body = Body::load(&shot)?;
    let part = RecoverPart::open((&shot, &body), Some(&case.frames), &workshop.cache(case.sample), progress)
        .with_context(|| case.sample.to_owned())?;
    Ok(Opened { shot, body, part })
}

/// Figures 9 and 10.
pub fn extrapolated(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let mut section = Section::default();
    section.text(
        "Colours are Young's modulus: as it was simulated, and as it was recovered from half of the frames. The last frame, \
         told on from there by the modes that were found, beside the true one and that of uniform material which is only \
         scaled to the motion.",
    );
    let mut rows = Vec::new();
    for (k, case) in [BEAM, DINOSAUR].iter().enumerate() {
        let part = |at: f64| (k as f64 + at) / 2.0;
        let opened = open(workshop, case, &progress.part(part(0.0), part(0.5)))?;
        let options = RecoverOptions {
            frames: Some(case.frames.clone()),
            shapes: Some(case.shapes),
            ..RecoverOptions::default()
        };
        let cache = workshop.cache(case.sample);
        let told = progress.part(part(0.5), part(1.0));
        let answer = recover_shot(&opened.shot, &opened.body, &cache, &options, &told)?;
        let picture = moduli(case, &opened, &answer)?;
        let name = case.sample;
        workshop.show(
            &mut section,
            &format!("material-{name}-moduli"),
            &picture,
            format!("{name}: moduli"),
        )?;
        let settings = RecoverySettings { shapes: case.shapes, ..RecoverySettings::default() };
        let found = opened.part.recover(&settings, &told)?;
        let plain = opened.part.unoptimised(&settings)?;
        let last = opened.part.ahead().saturating_sub(1);
        let [truth, ours] = opened.part.told(&found, last);
        let [_, uniform] = opened.part.told(&plain, last);
        let shapes = [("true", truth), ("recovered", ours), ("uniform material", uniform)];
        let picture = beside(&opened.body, case.view, &shapes)?;
        workshop.show(
            &mut section,
            &format!("material-{name}-last"),
            &picture,
            format!("{name}: the last frame"),
        )?;
        rows.extend(numbers(&mut section, name, &answer));
        if name == BEAM.sample {
            let plots = [("recovered", &found), ("unoptimised", &plain)];
            for (of, recovered) in plots {
                let plot = amplitudes(of, recovered);
                let words = format!("{name}: the modes over the frames that are learnt from, {of}");
                workshop.plot(&mut section, &format!("material-{name}-{of}"), &plot, words)?;
            }
        }
    }
    section.table(&["motion", "", "recovered", "true or uniform"], rows);
    Ok(section)
}

fn numbers(section: &mut Section, name: &str, answer: &RecoverAnswer) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    if let Some(held) = answer.held_out {
        section.tabled(format!("{name}: error of frames held out"), 100.0 * held.error, "%");
        section.tabled(format!("{name}: the same of uniform material"), 100.0 * held.unoptimised, "%");
        rows.push(vec![
            name.to_owned(),
            format!("error over {} frames", held.frames),
            format!("{} %", short(100.0 * held.error)),
            format!("{} %", short(100.0 * held.unoptimised)),
        ]);
    }
    for region in &answer.regions {
        let group = region.group.as_deref().unwrap_or("the rest");
        let young = if region.determined { short(region.young) } else { "not determined".into() };
        section.tabled(format!("{name}: Young's modulus of {group}"), region.young, "Pa");
        let share = format!("{group}, {} % of the strain energy", short(100.0 * region.share));
        rows.push(vec![name.to_owned(), share, young, String::new()]);
    }
    rows
}

/// Young's modulus at every vertex: that of the last region that holds it.
fn young(opened: &Opened, of: impl Fn(Option<&str>) -> Option<f64>) -> Vec<f64> {
    let mut values = vec![of(None).unwrap_or(0.0); opened.body.positions().len()];
    for region in &opened.shot.body.regions {
        let Some(young) = of(Some(&region.group)) else { continue };
        for v in opened.body.groups.get(&region.group).unwrap_or_default() {
            values[v.index()] = young;
        }
    }
    values
}

/// The body at rest, coloured by its moduli, given and recovered.
fn moduli(case: &Case, opened: &Opened, answer: &RecoverAnswer) -> anyhow::Result<Image> {
    let given = |group: Option<&str>| match group {
        None => opened.shot.body.material.map(|material| material.young),
        Some(name) => opened.shot.body.regions.iter().rfind(|region| region.group == name)?.young,
    };
    let found = |group: Option<&str>| {
        let region = answer.regions.iter().find(|region| region.group.as_deref() == group)?;
        region.determined.then_some(region.young)
    };
    let [truth, ours] = [young(opened, given), young(opened, found)];
    let most = truth.iter().chain(&ours).copied().fold(0.0, f64::max);
    let rest: Vec<[f64; 3]> = opened.body.positions().iter().map(|x| (*x).into()).collect();
    let mut tiles = Vec::new();
    for (values, name) in [(truth, "simulated"), (ours, "recovered")] {
        let mut picture = Picture::of_frame(&opened.body, Moving::Body, Drawn::Body, &rest);
        picture.colour_by(values, "Young's modulus (Pa)");
        picture.colour_up_to(most);
        let camera = case.view.camera(&picture.framed_points(), HALF);
        tiles.push((draw(&picture, camera, HALF)?, name.to_owned()));
    }
    sheet(2, tiles)
}

/// Shapes beside each other, seen by one camera.
fn beside(body: &Body, view: From, shapes: &[(&str, Vec<[f64; 3]>)]) -> anyhow::Result<Image> {
    let pictures: Vec<Picture> =
        shapes.iter().map(|(_, places)| Picture::of_frame(body, Moving::Body, Drawn::Skin, places)).collect();
    let seen: Vec<Vec3> = pictures.iter().flat_map(Picture::framed_points).collect();
    let camera = view.camera(&seen, HALF);
    let tiles = pictures
        .iter()
        .zip(shapes)
        .map(|(picture, (name, _))| Ok((draw(picture, camera, HALF)?, (*name).to_owned())));
    sheet(if shapes.len().is_multiple_of(3) { 3 } else { 2 }, tiles.collect::<anyhow::Result<Vec<_>>>()?)
}

/// The strongest modes over the frames that are learnt from.
fn amplitudes(name: &str, found: &Recovered) -> Plot {
    let mut plot = Plot::new(format!("Modes over time, {name}"));
    (plot.x.label, plot.y.label) = ("frame that is learnt from".into(), "amount of the mode (√kg m)".into());
    let mut order: Vec<usize> = (0..found.shares.len()).collect();
    order.sort_by(|a, b| found.shares[*b].total_cmp(&found.shares[*a]));
    for k in order.into_iter().take(7) {
        let points = found.paths[k].position.iter().enumerate().map(|(i, z)| [i as f64, *z]);
        plot.series.push(Series::line(format!("mode {}", k + 1), points));
    }
    plot
}

/// Figures 12 and 13.
pub fn compared(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let mut section = Section::default();
    section.text(
        "What of the material is searched for: only the motion, frequencies and damping too, and the shapes as well; with two \
         modes and with ten. E_f is what has to push, E_c how far the frames are missed, both of a motion whose root mean \
         square is one.",
    );
    let opened = open(workshop, &BEAM, &progress.part(0.0, 0.5))?;
    let mut rows = Vec::new();
    for (k, shapes) in FEW.into_iter().enumerate() {
        let last = opened.part.ahead().saturating_sub(1);
        let mut drawn = Vec::new();
        let mut missed = Vec::new();
        for (name, optimise) in STEPS {
            let settings = RecoverySettings { shapes, optimise, ..RecoverySettings::default() };
            let found = opened.part.recover(&settings, &progress.part(0.5 + 0.25 * k as f64, 1.0))?;
            let cost = found.costs.last().copied().unwrap_or(0.0);
            let apart = (cost - found.force) / settings.weight;
            let held = opened.part.held_out(&found).unwrap_or(0.0);
            section.tabled(format!("{shapes} modes, {name}: E_f"), found.force, "");
            section.tabled(format!("{shapes} modes, {name}: E_c"), apart, "");
            section.tabled(format!("{shapes} modes, {name}: error of frames held out"), 100.0 * held, "%");
            rows.push(vec![
                shapes.to_string(),
                name.to_owned(),
                short(found.force),
                short(apart),
                format!("{} %", short(100.0 * held)),
            ]);
            missed.push(apart);
            let [truth, told] = opened.part.told(&found, last);
            if drawn.is_empty() {
                drawn.push(("true", truth));
            }
            drawn.push((name, told));
        }
        if let [_, without, with] = missed[..] {
            let paper = if shapes == 2 { "1000" } else { "–" };
            section.published(format!("{shapes} modes: E_c falls by S, times"), without / with, "", paper);
        }
        let picture = beside(&opened.body, BEAM.view, &drawn)?;
        workshop.show(
            &mut section,
            &format!("material-modes-{shapes}"),
            &picture,
            format!("The last frame with {shapes} modes"),
        )?;
    }
    section.table(&["modes", "searched for", "E_f", "E_c", "frames held out"], rows);
    Ok(section)
}
