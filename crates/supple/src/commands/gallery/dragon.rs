//! The dragon on the stairs: its head pulled with its contacts kept, and with them left out.

use super::measure::{handle_error, input_frame, output_frame};
use super::page::Section;
use super::workshop::{From, HANDLE, OUTPUT, WIDE, Workshop, corners, draw, handle, sheet};
use anyhow::Context;
use rayon::prelude::*;
use supple_mesh::{Aabb, Obstacle, ObstacleMesh, ObstacleShape, TriMesh, Vec3};
use supple_model::{Progress, VertexId};
use supple_project::picture::{Drawn, Picture};
use supple_project::shot::{ContactSource, Contacts, Goal, Recorder, Site};
use supple_project::{ContactOutcome, Editor, Shot, scenery};
use supple_render::{Colour, Image};

pub const MODES: usize = 200;
/// Frames around that of the handle at which penetration is measured, and every how many of them.
const AROUND: usize = 60;
const STEP: usize = 4;
/// How far the head is pulled, as a part of the size.
const PULL: f64 = 0.22;
const TOUCH: Colour = Colour::rgb(214, 40, 40);

/// What came of one edit.
struct Outcome {
    worst: f64,
    handle: f64,
    contacts: ContactOutcome,
    picture: Image,
}

/// Figure 6: contacts on, contacts off.
pub fn stairs(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let mut shot = workshop.shot("dragon")?;
    shot.edit.modes = MODES;
    let mut editor = workshop.open("dragon", &shot, &progress.part(0.0, 0.6))?;
    let frame = busiest(&editor);
    let obstacle = stairs_of(&shot)?;
    let input = worst(&obstacle, &editor, frame, input_frame);
    let kept = pulled(&mut editor, &shot, frame, &obstacle, &progress.part(0.6, 0.75))?;
    drop(editor);
    let source = ContactSource::From(Recorder::Simulation);
    shot.contacts = Some(Contacts { off: true, ..Contacts::new(source) });
    let mut editor = workshop.open("dragon", &shot, &progress.part(0.75, 0.85))?;
    let loose = pulled(&mut editor, &shot, frame, &obstacle, &progress.part(0.85, 1.0))?;

    let size = editor.size();
    let mut section = Section::default();
    section.text(format!(
        "A dragon tumbles down the stairs: {} contacts, of which {} clusters are held. At frame {frame} its head is \
         pulled by {PULL} of its size. With its contacts kept it stays on the steps; without, it is pushed into them. \
         Penetration is that of any vertex of its surface within {AROUND} frames of the pull.",
        kept.contacts.all, kept.contacts.clusters
    ));
    let tiles =
        vec![(kept.picture, "contacts kept".to_owned()), (loose.picture, "contacts left out".to_owned())];
    let words = "Output red, the stairs seen through, contacts of the frame with their normals; the pulled vertex blue";
    workshop.show(&mut section, "dragon", &sheet(1, tiles)?, words)?;
    let percent = |depth: f64| 100.0 * depth / size;
    section.number("deepest penetration of the input", percent(input), "% of the size");
    section.number("deepest penetration, contacts kept", percent(kept.worst), "% of the size");
    section.number("deepest penetration, contacts left out", percent(loose.worst), "% of the size");
    section.published("contacts of the input", kept.contacts.all as f64, "", "92,742");
    section.published("clusters", kept.contacts.clusters as f64, "", "410");
    section.number(
        "a cluster's contact leaves its plane in the linear edit by",
        kept.contacts.linear_drift,
        "of the size",
    );
    section.number("any contact leaves its plane as shown by", kept.contacts.drift, "of the size");
    section.number("error of the handle, contacts kept", kept.handle, "of the size");
    section.number("error of the handle, contacts left out", loose.handle, "of the size");
    Ok(section)
}

/// A frame in the middle of the motion at which most vertices touch.
pub fn busiest(editor: &Editor) -> usize {
    let last = editor.frames().saturating_sub(editor.frames() / 4);
    let touching = |frame: &usize| editor.contacts().at(*frame).len();
    (editor.frames() / 4..last).max_by_key(touching).unwrap_or(editor.frames() / 2)
}

fn stairs_of(shot: &Shot) -> anyhow::Result<Obstacle> {
    let around = Aabb { min: Vec3::zeros(), max: Vec3::zeros() };
    let mesh: TriMesh = scenery(shot, &around)?.into_iter().next().context("the stairs are missing")?;
    let shape = ObstacleShape::Mesh(ObstacleMesh::new(&mesh)?);
    Ok(Obstacle::new(shape, 0.0)?)
}

/// How deep any vertex of the surface is inside, at frames around one.
fn worst(
    obstacle: &Obstacle,
    editor: &Editor,
    frame: usize,
    positions: fn(&Editor, usize) -> Vec<Vec3>,
) -> f64 {
    let mut surface: Vec<VertexId> = editor.body().surface.iter().flatten().copied().collect();
    surface.sort_unstable();
    surface.dedup();
    let frames = (frame - AROUND..=frame + AROUND).step_by(STEP);
    let depth = |index: usize| {
        let at = positions(editor, index);
        let depths = surface.par_iter().map(|v| -obstacle.distance(&at[v.index()]));
        depths.reduce(|| 0.0, f64::max)
    };
    frames.map(depth).fold(0.0, f64::max)
}

fn pulled(
    editor: &mut Editor,
    shot: &Shot,
    frame: usize,
    obstacle: &Obstacle,
    progress: &Progress,
) -> anyhow::Result<Outcome> {
    let touched: Vec<(Vec3, Vec3)> = editor
        .contacts()
        .at(frame)
        .iter()
        .map(|contact| (super::measure::input_at(editor, frame, contact.vertex()), contact.normal))
        .collect();
    let head = editor.body().groups.get("head")?.to_vec();
    let nose = super::measure::farthest_of(head, editor, Vec3::x());
    let by = Vec3::new(0.3, 0.2, 1.0).normalize() * (PULL * editor.size());
    editor.add(handle(editor, frame, Site::BodyVertex(nose), Goal::By(by.into()))?)?;
    let report = editor.release(progress)?;
    let at = output_frame(editor, frame);
    let mut picture = Picture::of_edit(editor, frame, Drawn::Skin);
    picture.colour = OUTPUT;
    let before = corners(&input_frame(editor, frame));
    let camera = From(62.0, -4.0).camera(&before, WIDE);
    let stairs = supple_project::shot::ObstacleShape::clone;
    for obstacle in shot.simulate.obstacles.iter().map(|obstacle| stairs(&obstacle.shape)) {
        if let supple_project::shot::ObstacleShape::Mesh(file) = obstacle {
            let mut steps = Picture::of_file(&shot.resolve(&file))?;
            steps.colour = Colour::rgb(178, 178, 172);
            picture.add_ghost(steps, 0.45);
        }
    }
    let length = 0.05 * editor.size();
    picture.mark_in(vec![at[nose.index()]], HANDLE);
    picture.add_arrows(touched.iter().map(|(p, n)| [*p, p + n * length]).collect(), TOUCH);
    Ok(Outcome {
        worst: worst(obstacle, editor, frame, output_frame),
        handle: handle_error(editor, &report),
        contacts: report.contacts,
        picture: draw(&picture, camera, WIDE)?,
    })
}
