//! Poses under loads and pins, and a body fitted to its deformed skin: how key frames are made in Barbič, da Silva
//! and Popović, Deformable Object Animation Using Reduced Optimal Control (2009), Section 4.
//!
//! A pose is the equilibrium R(u) = f. That it is one is told apart from the solver by what anchors and pins exert:
//! on a body at rest they and the loads sum to nothing.

use crate::gallery::page::{Section, short};
use crate::gallery::workshop::{From, INPUT, OUTPUT, Workshop, corners, draw, sheet};
use anyhow::Context;
use std::time::Instant;
use supple_mesh::Vec3;
use supple_model::{FrameSource, Progress};
use supple_project::picture::{Drawn, Picture};
use supple_project::shot::{Input, Load, Pin, Push, Shot, Site};
use supple_project::{Body, FitOptions, Moving, PoseOutcome, Skins, fit, pose};
use supple_render::{Colour, Image};

/// Arrows of forces.
const FORCE: Colour = Colour::rgb(24, 92, 196);
/// What a force is drawn as long as, at most, as a part of the longest side.
const ARROW: f64 = 0.3;
/// The frame of the gull's flight its cage is fitted to, counted from 0.
const FITTED: usize = 60;

/// A pose to be found.
struct Wanted {
    name: &'static str,
    sample: &'static str,
    weight: bool,
    /// Group, newtons, stage; those of the shot where there are none.
    loads: &'static [(&'static str, [f64; 3], usize)],
    /// Group, and the stage from which it is held.
    pins: &'static [(&'static str, usize)],
    view: From,
}

const WANTED: &[Wanted] = &[
    Wanted {
        name: "block, pulled sideways",
        sample: "block",
        weight: false,
        loads: &[("top", [3000.0, 0.0, 0.0], 1)],
        pins: &[],
        view: From(25.0, 14.0),
    },
    Wanted {
        name: "the same, then stretched",
        sample: "block",
        weight: false,
        loads: &[("top", [3000.0, 0.0, 0.0], 1), ("top", [0.0, 30_000.0, 0.0], 2)],
        pins: &[],
        view: From(25.0, 14.0),
    },
    Wanted {
        name: "dinosaur, bent by two forces",
        sample: "dinosaur",
        weight: false,
        loads: &[],
        pins: &[],
        view: From(35.0, 24.0),
    },
    Wanted {
        name: "flower: weight, wind, then pinned, leaves lifted",
        sample: "flower",
        weight: true,
        loads: &[("petals", [250.0, 0.0, 0.0], 1), ("leaves", [0.0, 400.0, 0.0], 2)],
        pins: &[("disc", 2)],
        view: From(15.0, 10.0),
    },
];

/// Section 4.1 and 4.2 of the paper.
pub fn all(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let mut section = Section::default();
    section.text(
        "**Poses.** Bodies in equilibrium under loads that are stacked and pins that are added at the \
         current pose. The forces of anchors and pins must balance the loads; the remaining difference is \
         the balance.",
    );
    let (mut tiles, mut rows) = (Vec::new(), Vec::new());
    for (k, wanted) in WANTED.iter().enumerate() {
        let part = |k: usize| 0.8 * k as f64 / WANTED.len() as f64;
        let (image, row) = posed(workshop, wanted, &mut section, &progress.part(part(k), part(k + 1)))?;
        tiles.push((image, wanted.name.to_owned()));
        rows.push(row);
    }
    workshop.show(&mut section, "poses", &sheet(2, tiles)?, "At rest yellow, the pose red, forces blue")?;
    section.table(&["pose", "stages", "iterations", "time", "strain energy", "balance / load"], rows);
    fitted(workshop, &mut section, &progress.part(0.8, 1.0))?;
    Ok(section)
}

fn shot_of(workshop: &Workshop, wanted: &Wanted) -> anyhow::Result<Shot> {
    let mut shot = workshop.shot(wanted.sample)?;
    let site = |group: &str| Site::Group(group.into());
    if !wanted.loads.is_empty() {
        let load = |(group, force, stage): &(&str, [f64; 3], usize)| Load {
            site: site(group),
            push: Push::Force(*force),
            frames: None,
            stage: Some(*stage),
        };
        shot.loads = wanted.loads.iter().map(load).collect();
    }
    let pin = |(group, stage): &(&str, usize)| Pin { site: site(group), stage: Some(*stage) };
    shot.pins = wanted.pins.iter().map(pin).collect();
    Ok(shot)
}

fn posed(
    workshop: &Workshop,
    wanted: &Wanted,
    section: &mut Section,
    progress: &Progress,
) -> anyhow::Result<(Image, Vec<String>)> {
    let shot = shot_of(workshop, wanted)?;
    let body = Body::load(&shot)?;
    let start = Instant::now();
    let outcome = pose(&shot, &body, wanted.weight, progress)?;
    let seconds = start.elapsed().as_secs_f64();
    let last = outcome.stages.last().context("a pose without stages")?;
    anyhow::ensure!(last.status.is_solved() && outcome.stages.len() == outcome.asked, "{}", wanted.name);
    let weight = if wanted.weight {
        Vec3::from(shot.simulate.gravity) * body.elastic.masses().iter().sum::<f64>()
    } else {
        Vec3::zeros()
    };
    let load = shot.loads.iter().map(force).sum::<Vec3>() + weight;
    let exerted: Vec3 = last.reactions.iter().map(|(_, reaction)| *reaction).sum();
    // Loads on what is pinned are borne there at once.
    let balance = (exerted + load).norm() / load.norm();
    section.number(format!("balance of {}", wanted.name), balance, "of the load");
    let row = vec![
        wanted.name.to_owned(),
        outcome.stages.len().to_string(),
        outcome.stages.iter().map(|stage| stage.iterations).sum::<usize>().to_string(),
        format!("{seconds:.2} s"),
        format!("{} J", short(last.strain_energy)),
        short(balance),
    ];
    Ok((picture(&shot, &body, wanted, &outcome)?, row))
}

fn force(load: &Load) -> Vec3 {
    match load.push {
        Push::Force(force) => force.into(),
        Push::Track(_) => Vec3::zeros(),
    }
}

fn picture(shot: &Shot, body: &Body, wanted: &Wanted, outcome: &PoseOutcome) -> anyhow::Result<Image> {
    let at = |v: usize| Vec3::from(outcome.positions[v]);
    let mut picture = Picture::of_frame(body, Moving::Body, Drawn::Skin, &outcome.positions);
    picture.colour = OUTPUT;
    let mut rest = Picture::of_body(body, Drawn::Skin);
    rest.colour = INPUT;
    picture.add_ghost(rest, 0.4);
    let around = corners(body.positions());
    let size = (around[7] - around[0]).amax();
    let strongest = shot.loads.iter().map(|load| force(load).norm()).fold(0.0, f64::max);
    let mut arrows = Vec::new();
    for load in &shot.loads {
        let Site::Group(group) = &load.site else { continue };
        let members = body.groups.get(group)?;
        let middle = members.iter().map(|v| at(v.index())).sum::<Vec3>() / members.len().max(1) as f64;
        arrows.push([middle, middle + force(load) * (ARROW * size / strongest)]);
    }
    let mut seen = around;
    seen.extend(arrows.iter().flatten());
    seen.extend(corners(&outcome.positions.iter().map(|p| Vec3::from(*p)).collect::<Vec<_>>()));
    picture.add_arrows(arrows, FORCE);
    picture.stand_on(0.0);
    draw(&picture, wanted.view.camera(&seen, TILE), TILE)
}

/// The cage of voxels of a gull, fitted to a key frame of its surface.
fn fitted(workshop: &Workshop, section: &mut Section, progress: &Progress) -> anyhow::Result<()> {
    let shot = workshop.shot("bird")?;
    let body = Body::load(&shot)?;
    let Input::File(flight) = &shot.motion.input else { anyhow::bail!("the gull does not fly") };
    let mut skins = Skins::open(&body, &shot.resolve(flight))?;
    let mut key = vec![[0.0; 3]; skins.frames.vertices()];
    skins.frames.read(FITTED, &mut key)?;
    let mut one: Box<dyn FrameSource> = Box::new(vec![key.clone()]);
    let mut found = None;
    let start = Instant::now();
    let options = FitOptions::default();
    fit(
        &body,
        one.as_mut(),
        options,
        |cage, report| {
            found = Some((cage.to_vec(), report.clone()));
            Ok(())
        },
        progress,
    )?;
    let seconds = start.elapsed().as_secs_f64();
    let (cage, report) = found.context("nothing was fitted")?;
    section.text(
        "**A pose from a surface.** The cage of voxels around a gull is fitted to one key frame of its \
         surface, balancing strain against distance.",
    );
    let mut input = Picture::of_frame(&body, Moving::Skin, Drawn::Skin, &key);
    input.colour = INPUT;
    let mut bent = Picture::of_frame(&body, Moving::Body, Drawn::Body, &cage);
    bent.colour = OUTPUT;
    bent.wireframe = true;
    let mut skin = Picture::of_frame(&body, Moving::Body, Drawn::Skin, &cage);
    skin.colour = OUTPUT;
    let view = From(60.0, 24.0);
    let places: Vec<Vec3> = key.iter().chain(&cage).map(|p| Vec3::from(*p)).collect();
    let mut tiles = Vec::new();
    for (picture, name) in
        [(input, "the key frame"), (bent, "the cage, fitted"), (skin, "the gull it carries")]
    {
        tiles.push((draw(&picture, view.camera(&corners(&places), SMALL), SMALL)?, name.to_owned()));
    }
    workshop.show(
        section,
        "poses-fitted",
        &sheet(3, tiles)?,
        "A key frame, the cage fitted to it, and the gull that follows the cage",
    )?;
    let size = body.skin.as_ref().map_or(1.0, |skin| {
        let around = corners(skin.mesh.positions());
        (around[7] - around[0]).norm()
    });
    section.number(
        "the fitted surface is off by (root mean square)",
        100.0 * report.skin_rms / size,
        "% of the size",
    );
    section.number("the fitted surface is off by at most", 100.0 * report.skin_max / size, "% of the size");
    section.number("time of the fit", seconds, "s");
    Ok(())
}

/// Two and three beside each other.
const TILE: [u32; 2] = [430, 270];
const SMALL: [u32; 2] = [280, 240];
