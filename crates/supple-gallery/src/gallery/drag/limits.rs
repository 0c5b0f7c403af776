//! Limitations, as the paper tells them: vertices that leave the hand on large edits, elements that grow, and
//! contacts that hold from both sides.

use crate::gallery::measure::{farthest, handle_error, input_frame, output_frame};
use crate::gallery::page::Section;
use crate::gallery::workshop::{From, HALF, HANDLE, INPUT, OUTPUT, Workshop, corners, draw, handle, sheet};
use supple_mesh::Vec3;
use supple_model::{Contact, ContactKind, Frame, Progress, VertexId};
use supple_project::method::Side;
use supple_project::picture::{Drawn, Picture};
use supple_project::shot::{Contacts, Goal, Shot, Site};
use supple_project::{DragMethod, EditReport};
use supple_render::{Colour, Image};

const MODES: usize = 200;
/// Where a vertex is.
const FOUND: Colour = Colour::rgb(0, 158, 115);
const FRAMES: usize = 120;
/// The frame of the pulls, counted from 0.
const FRAME: usize = 60;
/// The bar is two metres long.
const LENGTH: f64 = 2.0;

/// Figure 10.
pub fn all(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let mut section = Section::default();
    folded(workshop, &mut section, &progress.part(0.0, 0.5))?;
    two_sided(workshop, &mut section, &progress.part(0.5, 1.0))?;
    Ok(section)
}

fn bar(workshop: &Workshop) -> anyhow::Result<Shot> {
    let mut shot = workshop.still("bar", FRAMES)?;
    shot.edit.modes = MODES;
    Ok(shot)
}

/// The end of a bar is pulled back over its beginning: warped after the edit, and held on the warped motion.
fn folded(workshop: &Workshop, section: &mut Section, progress: &Progress) -> anyhow::Result<()> {
    section.text(
        "**Large edits.** The end of a bar is pulled back over its start. If the warp is applied after \
         solving, as published, the vertex misses its goal; if the handle is solved on the warped motion, \
         the vertex reaches it.",
    );
    let mut tiles = Vec::new();
    for (exact, name) in [(false, "warped afterwards"), (true, "held on the warped motion")] {
        let mut shot = bar(workshop)?;
        shot.edit.exact = exact;
        let mut editor = workshop.open("bar", &shot, progress)?;
        let tip = farthest(&editor, Vec3::new(1.0, 0.1, 0.1));
        let to = Vec3::new(0.15 * LENGTH, 0.5 * LENGTH, 0.125);
        editor.add(handle(&editor, FRAME, Site::BodyVertex(tip), Goal::To(to.into()))?)?;
        let report = editor.release(progress)?;
        section.number(
            format!("error of the handle, {name}"),
            100.0 * off(&report) / LENGTH,
            "% of the length",
        );
        let growth = growth(&editor);
        section.number(format!("largest growth of an edge of the surface, {name}"), growth, "times");
        section.number(
            format!("elements turned inside out, {name}"),
            report.inverted.unwrap_or_default().count as f64,
            "",
        );
        let marks = [(output_frame(&editor, FRAME)[tip.index()], FOUND), (to, HANDLE)];
        tiles.push((picture(&editor, &marks, None)?, name.to_owned()));
    }
    let words = "Input yellow, output red; the goal of the vertex blue, its position green";
    workshop.show(section, "limits-folded", &sheet(2, tiles)?, words)
}

fn off(report: &EditReport) -> f64 {
    report.handles.iter().map(|handle| handle.error).fold(0.0, f64::max)
}

/// How much longer than in the input an edge of the surface is, at most.
fn growth(editor: &DragMethod) -> f64 {
    let (before, after) = (input_frame(editor, FRAME), output_frame(editor, FRAME));
    let edges = editor.body().surface.iter().flat_map(|[a, b, c]| [[a, b], [b, c], [c, a]]);
    let length = |at: &[Vec3], [a, b]: [&VertexId; 2]| (at[a.index()] - at[b.index()]).norm();
    edges.map(|edge| length(&after, edge) / length(&before, edge)).fold(0.0, f64::max)
}

/// The end of a bar that lies on something is lifted: contacts hold from both sides.
fn two_sided(workshop: &Workshop, section: &mut Section, progress: &Progress) -> anyhow::Result<()> {
    section.text(
        "**Contacts hold from both sides.** A bar touches the ground with its underside from a third to two \
         thirds of its length. Its end is lifted. A real bar would come off the ground; kept contacts slide, \
         but never release.",
    );
    let mut tiles = Vec::new();
    for (kept, name) in [(true, "contacts kept"), (false, "contacts left out")] {
        let mut shot = bar(workshop)?;
        let body = supple_project::Body::load(&shot)?;
        let under = |p: &Vec3| p.y < 1e-9 && p.x > LENGTH / 3.0 && p.x < LENGTH / 1.5;
        let touching: Vec<VertexId> = (0..body.positions().len())
            .map(VertexId::new)
            .filter(|v| under(&body.positions()[v.index()]))
            .collect();
        if kept {
            let file = workshop.file("bar", "contacts.csv");
            let contact = |frame: i32, vertex: VertexId| Contact {
                frame: Frame(frame),
                vertex,
                normal: [0.0, 1.0, 0.0],
                kind: ContactKind::Slide,
            };
            let frames = 2..=FRAMES as i32;
            let all: Vec<Contact> =
                frames.flat_map(|frame| touching.iter().map(move |v| contact(frame, *v))).collect();
            let mut bytes = Vec::new();
            supple_formats::write_contacts(&all, &mut bytes)?;
            std::fs::write(&file, bytes)?;
            shot.contacts = Some(Contacts::of_file(file));
        }
        let mut editor = workshop.open("bar", &shot, progress)?;
        let tip = farthest(&editor, Vec3::new(1.0, 0.1, 0.1));
        let by = Goal::By([0.0, 0.25 * LENGTH, 0.0]);
        editor.add(handle(&editor, FRAME, Site::BodyVertex(tip), by)?)?;
        let report = editor.release(progress)?;
        let at = output_frame(&editor, FRAME);
        let lifted = touching.iter().map(|v| at[v.index()].y).fold(f64::NEG_INFINITY, f64::max);
        section.number(
            format!("the underside comes off the ground by, {name}"),
            100.0 * lifted / LENGTH,
            "% of the length",
        );
        section.number(format!("error of the handle, {name}"), handle_error(&editor, &report), "of the size");
        tiles.push((picture(&editor, &[(at[tip.index()], HANDLE)], Some(0.0))?, name.to_owned()));
    }
    workshop.show(
        section,
        "limits-contacts",
        &sheet(2, tiles)?,
        "Input yellow, output red, the lifted vertex blue",
    )
}

fn picture(editor: &DragMethod, marks: &[(Vec3, Colour)], floor: Option<f64>) -> anyhow::Result<Image> {
    let mut picture = Picture::of_edit(editor, Side::Output, FRAME, Drawn::Skin);
    picture.colour = OUTPUT;
    let mut input = Picture::of_edit(editor, Side::Input, FRAME, Drawn::Skin);
    input.colour = INPUT;
    picture.add_ghost(input, 0.4);
    if let Some(height) = floor {
        picture.stand_on(height);
    }
    for (at, colour) in marks {
        picture.mark_in(vec![*at], *colour);
    }
    let mut around = corners(editor.rest());
    around.push(Vec3::new(0.0, 0.55 * LENGTH, 0.0));
    around.extend(corners(&output_frame(editor, FRAME)));
    draw(&picture, From(20.0, 12.0).camera(&around, HALF), HALF)
}
