//! The curtain: the time step as a control, and the warp on and off.
//!
//! How far an edit spreads at a frame is told by the share of the vertices that take part in it,
//! (Σ d)² / (n Σ d²) with d the distances they are moved: 1 if all move alike, 1/n if one moves alone.

use crate::gallery::measure::{handle_error, input_frame, output_frame};
use crate::gallery::page::{Section, short};
use crate::gallery::workshop::{From, HALF, HANDLE, INPUT, OUTPUT, Workshop, corners, draw, handle, sheet};
use supple_mesh::Vec3;
use supple_model::{Progress, VertexId};
use supple_project::DragMethod;
use supple_project::method::Side;
use supple_project::picture::{Drawn, Picture};
use supple_project::shot::{Goal, SecondsPerFrame, Shot, Site};
use supple_render::Image;

pub const MODES: usize = 200;
/// Physical seconds per frame, as the curtain was simulated.
const OWN: f64 = 1.0 / 24.0;
/// When and where the curtain is pulled, and by how much: one vertex early, two corners later.
const PULLS: [(usize, [f64; 2], [f64; 3]); 3] = [
    (30, [0.9, 0.0], [0.0, 0.05, 0.5]),
    (150, [0.0, 0.0], [-0.1, 0.2, 0.6]),
    (150, [1.8, 0.0], [0.1, 0.2, 0.6]),
];
const LATER: usize = 150;

/// The curtain of the paper's editing session, at a multiple of its own time step.
pub fn pulled(
    workshop: &Workshop,
    factor: f64,
    warp: bool,
    progress: &Progress,
) -> anyhow::Result<DragMethod> {
    let mut shot: Shot = workshop.shot("curtain")?;
    shot.edit.modes = MODES;
    shot.edit.warp = warp;
    shot.motion.seconds_per_frame = SecondsPerFrame::Seconds(OWN * factor);
    let mut editor = workshop.open("curtain", &shot, progress)?;
    for (index, [x, y], by) in PULLS {
        let v = nearest(&editor, x, y);
        editor.add(handle(&editor, index, Site::Vertex(v), Goal::By(by))?)?;
    }
    Ok(editor)
}

/// The vertex that hangs there.
pub fn nearest(editor: &DragMethod, x: f64, y: f64) -> VertexId {
    let off = |p: &Vec3| (p.x - x).powi(2) + (p.y - y).powi(2);
    let all = editor.rest().iter().enumerate();
    VertexId::new(all.min_by(|a, b| off(a.1).total_cmp(&off(b.1))).map_or(0, |(v, _)| v))
}

/// Figure 8.
pub fn curtain(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let mut section = Section::default();
    section.text(
        "Three vertices of a swinging curtain are moved, one at frame 30 and both lower corners at frame \
         150. The longer the physical time per frame, the more of the curtain follows; with the warp off, it \
         grows where it should rotate.",
    );
    let cases = [
        ("time step of the simulation", 1.0, true),
        ("4 × that time step", 4.0, true),
        ("no warp", 1.0, false),
    ];
    let (mut tiles, mut rows) = (Vec::new(), Vec::new());
    for (k, (name, factor, warp)) in cases.into_iter().enumerate() {
        let part = |k: usize| k as f64 / cases.len() as f64;
        let progress = progress.part(part(k), part(k + 1));
        let mut editor = pulled(workshop, factor, warp, &progress.part(0.0, 0.7))?;
        let report = editor.release(&progress.part(0.7, 1.0))?;
        let (before, after) = (input_frame(&editor, LATER), output_frame(&editor, LATER));
        let spread = taking_part(&before, &after);
        let area = area(&editor, &after) / area(&editor, &before) - 1.0;
        section.tabled(
            format!("share of the vertices that take part at frame 150, {name}"),
            100.0 * spread,
            "%",
        );
        section.tabled(format!("change of area at frame 150, {name}"), 100.0 * area, "%");
        rows.push(vec![
            name.to_owned(),
            format!("{} s", short(editor.seconds_per_frame())),
            format!("{:.1} %", 100.0 * spread),
            format!("{:+.1} %", 100.0 * area),
            short(handle_error(&editor, &report)),
        ]);
        tiles.push((picture(&editor, LATER)?, format!("{name}, frame 150")));
        if k == 0 {
            tiles.push((picture(&editor, 210)?, "time step of the simulation, frame 210".to_owned()));
        }
    }
    tiles.swap(1, 3);
    tiles.swap(1, 2);
    workshop.show(&mut section, "curtain", &sheet(2, tiles)?, "Input yellow, output red, handles blue")?;
    let head =
        ["edit", "time of a frame", "vertices that take part", "change of area", "error of handles / size"];
    section.table(&head, rows);
    Ok(section)
}

fn taking_part(before: &[Vec3], after: &[Vec3]) -> f64 {
    let moved: Vec<f64> = before.iter().zip(after).map(|(x, y)| (y - x).norm()).collect();
    let (sum, squares) = (moved.iter().sum::<f64>(), moved.iter().map(|d| d * d).sum::<f64>());
    sum * sum / (moved.len() as f64 * squares)
}

fn area(editor: &DragMethod, at: &[Vec3]) -> f64 {
    let triangle = |t: &[VertexId; 3]| {
        let [a, b, c] = t.map(|v| at[v.index()]);
        0.5 * (b - a).cross(&(c - a)).norm()
    };
    editor.body().surface.iter().map(triangle).sum()
}

fn picture(editor: &DragMethod, index: usize) -> anyhow::Result<Image> {
    let mut picture = Picture::of_edit(editor, Side::Output, index, Drawn::Skin);
    picture.colour = OUTPUT;
    let mut input = Picture::of_edit(editor, Side::Input, index, Drawn::Skin);
    input.colour = INPUT;
    picture.add_ghost(input, 0.5);
    let at = output_frame(editor, index);
    let held = PULLS.iter().filter(|pull| pull.0 == index);
    picture.mark_in(held.map(|(_, [x, y], _)| at[nearest(editor, *x, *y).index()]).collect(), HANDLE);
    let mut around = corners(editor.rest());
    around.extend([Vec3::new(-0.2, 0.0, -0.4), Vec3::new(2.0, 2.0, 0.7)]);
    around.extend(corners(&at));
    draw(&picture, From(24.0, 8.0).camera(&around, HALF), HALF)
}
