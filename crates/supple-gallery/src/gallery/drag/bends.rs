//! Large bends: parts of bodies turned by a few of their vertices, the angle they reach, and what it does to
//! the elements.
//!
//! A few vertices at the end of a part are turned rigidly about an axis at its root. The angle that is reached is
//! that of all vertices of the end, from the input to the output, by the rotation that fits them best.

use crate::gallery::measure::{angle_about, handle_error, input_frame, output_frame, rotation};
use crate::gallery::page::{Section, short};
use crate::gallery::workshop::{From, HANDLE, INPUT, OUTPUT, Workshop, draw, handle, sheet};
use supple_mesh::Vec3;
use supple_model::{Progress, VertexId};
use supple_project::method::Side;
use supple_project::picture::{Drawn, Picture};
use supple_project::shot::{Contacts, Expert, Goal, SecondsPerFrame, Site, Turn};
use supple_project::{DragMethod, EditReport, Moving};
use supple_render::Image;

/// A bend to be made.
struct Bend {
    name: &'static str,
    sample: &'static str,
    modes: usize,
    /// Physical seconds per frame, if not those of the shot.
    time: Option<f64>,
    /// Frames over which the edit dies away. The rigid motions of a free body vary so much more than its bending
    /// that handles on its shape would be left out as if they repeated each other; this keeps them in bounds.
    reach: Option<f64>,
    /// The frame, counted from 0.
    frame: usize,
    degrees: f64,
    /// Whether a vertex at rest belongs to the end that turns, and whether to the root it turns about.
    end: fn(&Vec3) -> bool,
    root: fn(&Vec3) -> bool,
    /// How far in front of the root the axis is, metres: a fold needs room.
    lift: f64,
    /// Vertices at rest of which some are kept where the input has them.
    still: fn(&Vec3) -> bool,
    /// The axis at rest.
    axis: Vec3,
    /// Vertices at rest that the picture shows.
    seen: fn(&Vec3) -> bool,
    /// How many vertices of the end are held.
    held: usize,
    view: From,
}

/// Two beside each other.
const TILE: [u32; 2] = [430, 280];
/// Vertices that are kept still.
const STILL: usize = 3;

const BENDS: &[Bend] = &[
    Bend { degrees: 45.0, ..WING },
    Bend { degrees: 60.0, ..WING },
    Bend {
        name: "bird's tail",
        degrees: 60.0,
        end: |p| p.x < -0.63,
        held: 7,
        root: |p| p.x < -0.42 && p.x > -0.52 && p.z.abs() < 0.1,
        axis: Vec3::new(0.0, 0.0, -1.0),
        seen: |p| p.x < 0.2 && p.z.abs() < 0.5,
        view: From(-50.0, 16.0),
        ..WING
    },
    Bend {
        name: "curtain's corner",
        sample: "curtain",
        modes: 200,
        time: Some(1.0 / 24.0),
        frame: 150,
        degrees: 180.0,
        end: |p| p.x > 1.68 && p.y < 0.45,
        root: |p| (p.x - 1.45).abs() < 0.03 && p.y < 0.45,
        lift: 0.1,
        axis: Vec3::new(0.0, -1.0, 0.0),
        view: From(18.0, 6.0),
        ..WING
    },
    Bend {
        name: "bridge's mast",
        sample: "bridge",
        modes: 200,
        time: Some(0.004),
        frame: 95,
        end: |p| p.x > 0.9 && p.x < 1.3 && p.y > 1.22,
        root: |p| p.x > 0.9 && p.x < 1.3 && (p.y - 0.75).abs() < 0.06,
        axis: Vec3::new(0.0, 0.0, 1.0),
        held: 9,
        view: From(28.0, 14.0),
        ..WING
    },
    Bend {
        name: "dragon's neck",
        sample: "dragon",
        modes: 200,
        reach: Some(4.0),
        frame: 300,
        end: |p| p.x > 1.5 && p.y > 1.3,
        root: |p| p.x > 1.1 && p.x < 1.45 && p.y > 0.85 && p.y < 1.1,
        still: |p| p.x > 0.3 && p.x < 0.9 && p.y > 0.5,
        axis: Vec3::new(0.0, -1.0, 0.0),
        seen: |p| p.x > -0.4,
        held: 4,
        view: From(30.0, 30.0),
        ..WING
    },
];

/// The outer half of a wing, upwards.
const WING: Bend = Bend {
    name: "bird's wing",
    sample: "bird",
    modes: 500,
    time: None,
    reach: None,
    frame: 60,
    degrees: 45.0,
    end: |p| p.z > 1.05,
    root: |p| (p.z - 0.5).abs() < 0.06,
    lift: 0.0,
    still: |_| false,
    seen: |_| true,
    axis: Vec3::new(-1.0, 0.0, 0.0),
    held: 5,
    view: From(70.0, 20.0),
};

/// What came of a bend.
struct Bent {
    angle: f64,
    error: f64,
    /// The smallest area of a triangle of the surface, as a part of what it was in the input.
    thinnest: f64,
    report: EditReport,
    picture: Image,
}

/// Section 8: wing, tail, corner, mast and neck.
pub fn all(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let mut section = Section::default();
    section.text(
        "Parts of bodies are bent in the middle of their motions: a few vertices at the end of a part (blue) \
         are rotated about an axis at its root. The angle is measured over all vertices of the end. Three \
         vertices of the dragon's body are held in place, and its contacts are switched off.",
    );
    let (mut tiles, mut rows) = (Vec::new(), Vec::new());
    let (mut off, mut inside_out): (f64, usize) = (0.0, 0);
    for (k, bend) in BENDS.iter().enumerate() {
        let part = |k: usize| k as f64 / BENDS.len() as f64;
        let bent = make(workshop, bend, &progress.part(part(k), part(k + 1)))?;
        let name = format!("{}, {}°", bend.name, bend.degrees);
        tiles.push((bent.picture, name.clone()));
        let inverted =
            bent.report.inverted.map_or_else(|| "a surface has none".to_owned(), |n| n.count.to_string());
        off = off.max((bent.angle / bend.degrees - 1.0).abs());
        inside_out += bent.report.inverted.unwrap_or_default().count;
        rows.push(vec![
            name.clone(),
            format!("{:.2}°", bent.angle),
            format!("{:.2} %", 100.0 * (bent.angle / bend.degrees - 1.0)),
            inverted,
            format!("{:.0} %", 100.0 * bent.thinnest),
            short(bent.error),
            format!("{} steps", bent.report.iterations),
        ]);
        section.tabled(format!("angle of the {name}"), bent.angle, "°");
        if let Some(inverted) = bent.report.inverted {
            section.tabled(format!("elements turned inside out, {name}"), inverted.count as f64, "");
        }
    }
    let rest = tiles.split_off(4);
    let words = "Input yellow, output red, held vertices blue";
    workshop.show(&mut section, "bends", &sheet(2, tiles)?, words)?;
    workshop.show(&mut section, "bends-more", &sheet(2, rest)?, words)?;
    section.table(
        &[
            "bend",
            "reached",
            "off by",
            "elements inside out",
            "least area of a triangle / input",
            "error of handles / size",
            "solved in",
        ],
        rows,
    );
    let within = if off < 0.01 { "All angles are" } else { "Not all angles are" };
    section.text(format!(
        "{within} reached within 1 % (the worst is off by {:.2} %); {}.",
        100.0 * off,
        match inside_out {
            0 => "no element is inside out in any frame".to_owned(),
            _ => format!("{inside_out} elements are inside out in the worst frames of these bends"),
        }
    ));
    section.tabled("worst angle is off by", 100.0 * off, "%");
    section.tabled("elements turned inside out in all", inside_out as f64, "");
    Ok(section)
}

fn make(workshop: &Workshop, bend: &Bend, progress: &Progress) -> anyhow::Result<Bent> {
    let mut shot = workshop.shot(bend.sample)?;
    shot.edit.modes = bend.modes;
    if let Some(seconds) = bend.time {
        shot.motion.seconds_per_frame = SecondsPerFrame::Seconds(seconds);
    }
    if bend.reach.is_some() {
        shot.edit.expert = Some(Expert { fade: bend.reach, ..Expert::default() });
    }
    shot.contacts = Some(Contacts { off: true, ..Contacts::recorded() });
    let mut editor = workshop.open(bend.sample, &shot, &progress.part(0.0, 0.7))?;
    let chosen = |inside: fn(&Vec3) -> bool| -> Vec<VertexId> {
        let vertices = editor.rest().iter().enumerate().filter(|(_, p)| inside(p));
        vertices.map(|(v, _)| VertexId::new(v)).collect()
    };
    let (end, root) = (chosen(bend.end), chosen(bend.root));
    anyhow::ensure!(end.len() > 2 && !root.is_empty(), "{}: nothing to bend", bend.name);
    let before = input_frame(&editor, bend.frame);
    let pick = |all: &[Vec3], of: &[VertexId]| of.iter().map(|v| all[v.index()]).collect::<Vec<Vec3>>();
    // The axis turns with the end as the input has it.
    let carried = rotation(&pick(editor.rest(), &end), &pick(&before, &end));
    let axis = carried * bend.axis.normalize();
    let roots = pick(&before, &root);
    let about = roots.iter().sum::<Vec3>() / roots.len() as f64 + carried * Vec3::z() * bend.lift;
    let held = spread(&editor, &end, bend.held);
    let still = spread(&editor, &chosen(bend.still), STILL);
    let turn = Goal::from(Turn { about: about.into(), axis: axis.into(), degrees: bend.degrees });
    for v in &held {
        editor.add(handle(&editor, bend.frame, site(&editor, *v), turn.clone())?)?;
    }
    for v in &still {
        editor.add(handle(&editor, bend.frame, site(&editor, *v), Goal::By([0.0; 3]))?)?;
    }
    let report = editor.release(&progress.part(0.7, 1.0))?;
    let after = output_frame(&editor, bend.frame);
    let angle = angle_about(&rotation(&pick(&before, &end), &pick(&after, &end)), axis);
    let error = handle_error(&editor, &report);
    let picture = picture(&editor, bend, &[&before, &after], &[held, still].concat())?;
    let thinnest = thinnest(&editor, &before, &after);
    Ok(Bent {
        angle: if bend.degrees > 150.0 { angle.abs() } else { angle },
        error,
        thinnest,
        report,
        picture,
    })
}

/// A vertex of what moves.
fn site(editor: &DragMethod, vertex: VertexId) -> Site {
    match editor.moving() {
        Moving::Body => Site::BodyVertex(vertex),
        Moving::Skin => Site::Vertex(vertex),
    }
}

/// Vertices far from each other: each next one is the farthest from those there are.
fn spread(editor: &DragMethod, among: &[VertexId], count: usize) -> Vec<VertexId> {
    let at = |v: &VertexId| editor.rest()[v.index()];
    let middle = among.iter().map(at).sum::<Vec3>() / among.len().max(1) as f64;
    let mut chosen: Vec<VertexId> = Vec::new();
    while chosen.len() < count.min(among.len()) {
        let free = |v: &VertexId| {
            let apart = chosen.iter().map(|c| (at(c) - at(v)).norm());
            apart.fold(if chosen.is_empty() { (at(v) - middle).norm() } else { f64::INFINITY }, f64::min)
        };
        let next = among.iter().copied().max_by(|a, b| free(a).total_cmp(&free(b)));
        chosen.extend(next);
    }
    chosen
}

fn thinnest(editor: &DragMethod, before: &[Vec3], after: &[Vec3]) -> f64 {
    let triangles: &[[VertexId; 3]] = match (editor.moving(), &editor.body().skin) {
        (Moving::Skin, Some(skin)) => skin.mesh.triangles(),
        _ => &editor.body().surface,
    };
    let area = |at: &[Vec3], t: &[VertexId; 3]| {
        let [a, b, c] = t.map(|v| at[v.index()]);
        (b - a).cross(&(c - a)).norm()
    };
    triangles.iter().map(|t| area(after, t) / area(before, t)).fold(f64::INFINITY, f64::min)
}

fn picture(
    editor: &DragMethod,
    bend: &Bend,
    [before, after]: &[&Vec<Vec3>; 2],
    held: &[VertexId],
) -> anyhow::Result<Image> {
    let mut picture = Picture::of_edit(editor, Side::Output, bend.frame, Drawn::Skin);
    picture.colour = OUTPUT;
    let mut input = Picture::of_edit(editor, Side::Input, bend.frame, Drawn::Skin);
    input.colour = INPUT;
    picture.add_ghost(input, 0.4);
    picture.mark_in(held.iter().map(|v| after[v.index()]).collect(), HANDLE);
    let seen = |at: &[Vec3]| -> Vec<Vec3> {
        at.iter().zip(editor.rest()).filter(|(_, rest)| (bend.seen)(rest)).map(|(p, _)| *p).collect()
    };
    let around: Vec<Vec3> = [before, after].into_iter().flat_map(|at| seen(at)).collect();
    draw(&picture, bend.view.camera(&around, TILE), TILE)
}
