//! Convergence: the tail of the bird twisted with more and more modes, against all modes there are.
//!
//! With u_r the edited motion of r modes, u that of all and ū the input, the error is
//! ‖u_r − u‖ / ‖u − ū‖, norms over all vertices and frames.

use crate::gallery::measure::{farthest_of, handle_error, input_frame};
use crate::gallery::page::{Section, short};
use crate::gallery::workshop::{From, HANDLE, INPUT, OUTPUT, Workshop, corners, draw, handle, sheet};
use std::time::Instant;
use supple_mesh::Vec3;
use supple_model::{Progress, VertexId};
use supple_project::DragMethod;
use supple_project::method::Side;
use supple_project::picture::{Drawn, Picture};
use supple_project::shot::{Goal, Site, Turn};
use supple_render::{Image, Look, Plot, Scale, Series};

/// Modes that are tried before all of them.
const FEW: [usize; 6] = [20, 50, 100, 200, 500, 1000];
/// The frame of the edit, counted from 0, and how far the tail is twisted.
const FRAME: usize = 56;
const DEGREES: f64 = 40.0;
const TILE: [u32; 2] = [280, 230];

/// What came of one edit.
struct Outcome {
    frames: Vec<Vec<[f64; 3]>>,
    handle: f64,
    seconds: f64,
    picture: Image,
}

/// Figure 3: the tail twisted at frame 56.
pub fn tail(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let mut shot = workshop.shot("bird")?;
    let all = 3 * supple_project::Body::load(&shot)?.free.vertices().len();
    let mut outcomes = Vec::new();
    let counts: Vec<usize> = FEW.into_iter().filter(|few| *few < all).chain([all]).collect();
    let mut input = Vec::new();
    for (k, modes) in counts.iter().enumerate() {
        shot.edit.modes = *modes;
        let part = |k: usize| k as f64 / counts.len() as f64;
        let progress = progress.part(part(k), part(k + 1));
        let mut editor = workshop.open("bird", &shot, &progress.part(0.0, 0.5))?;
        outcomes.push(twist(&mut editor, &progress.part(0.5, 1.0))?);
        if input.is_empty() {
            input = (0..editor.clock().frames).map(|i| input_frame(&editor, i)).collect();
        }
    }
    let mut section = Section::default();
    section.text(format!(
        "The tail of a flying gull is twisted by {DEGREES}° at frame {FRAME}, by two of its vertices. The \
         more modes the edit uses, the closer it is to the edit with all {all} modes of the cage of voxels."
    ));
    let Some(full) = outcomes.last() else { anyhow::bail!("no edits") };
    let input = input.into_iter().map(|frame| frame.into_iter().map(Into::into).collect::<Vec<[f64; 3]>>());
    let whole = distance(&full.frames, &input.collect::<Vec<_>>());
    let errors: Vec<f64> =
        outcomes.iter().map(|outcome| distance(&outcome.frames, &full.frames) / whole).collect();
    let mut plot = Plot::new("Edits of few modes against the edit of all");
    (plot.x.label, plot.y.label) = ("modes".into(), "relative error over all frames".into());
    (plot.x.scale, plot.y.scale) = (Scale::Log10, Scale::Log10);
    let points = counts.iter().zip(&errors).map(|(r, error)| [*r as f64, *error]);
    plot.series.push(Series { look: Look::Both, ..Series::line("", points.take(counts.len() - 1)) });
    let mut tiles = Vec::new();
    let mut rows = Vec::new();
    for ((r, error), outcome) in counts.iter().zip(&errors).zip(&outcomes) {
        rows.push(vec![
            r.to_string(),
            short(*error),
            short(outcome.handle),
            format!("{:.2} s", outcome.seconds),
        ]);
        section.tabled(format!("error of {r} modes"), *error, "");
        if *r >= 50 {
            tiles.push((
                outcome.picture.clone(),
                if *r == all { format!("all {r} modes") } else { format!("{r} modes") },
            ));
        }
    }
    workshop.show(
        &mut section,
        "convergence",
        &sheet(3, tiles)?,
        "Frame 56; held vertices blue, input yellow",
    )?;
    workshop.plot(&mut section, "convergence-error", &plot, "Relative error against the number of modes")?;
    section.table(&["modes", "relative error", "error of handles / size", "solved in"], rows);
    Ok(section)
}

fn twist(editor: &mut DragMethod, progress: &Progress) -> anyhow::Result<Outcome> {
    let before = input_frame(editor, FRAME);
    let is_tail = |v: &VertexId| editor.rest()[v.index()].x < -0.5;
    let tail = || (0..editor.rest().len()).map(VertexId::new).filter(is_tail);
    let side = |z: f64| farthest_of(tail(), editor, Vec3::new(-1.0, 0.0, z));
    let tip = vec![side(-1.0), side(1.0)];
    let about = tip.iter().map(|v| before[v.index()]).sum::<Vec3>() / tip.len() as f64;
    let turn = Goal::from(Turn { about: about.into(), axis: [1.0, 0.0, 0.0], degrees: DEGREES });
    editor.add(handle(editor, FRAME, Site::Vertices(tip.clone()), turn)?)?;
    let mut frames = Vec::with_capacity(editor.clock().frames);
    let start = Instant::now();
    let report = editor.solve(progress, |frame| {
        frames.push(frame.positions.to_vec());
        Ok(())
    })?;
    let seconds = start.elapsed().as_secs_f64();
    let held: Vec<Vec3> = tip.iter().map(|v| frames[FRAME][v.index()].into()).collect();
    Ok(Outcome {
        handle: handle_error(editor, &report),
        seconds,
        picture: picture(editor, &before, held)?,
        frames,
    })
}

fn picture(editor: &DragMethod, before: &[Vec3], held: Vec<Vec3>) -> anyhow::Result<Image> {
    let mut picture = Picture::of_edit(editor, Side::Output, FRAME, Drawn::Skin);
    picture.colour = OUTPUT;
    let mut input = Picture::of_edit(editor, Side::Input, FRAME, Drawn::Skin);
    input.colour = INPUT;
    picture.add_ghost(input, 0.4);
    picture.mark_in(held, HANDLE);
    let near = before.iter().zip(editor.rest()).filter(|(_, rest)| rest.x < -0.1 && rest.z.abs() < 0.3);
    let near: Vec<Vec3> = near.map(|(p, _)| *p).collect();
    draw(&picture, From(-55.0, 24.0).camera(&corners(&near), TILE), TILE)
}

/// ‖a − b‖ over all vertices and frames.
fn distance(a: &[Vec<[f64; 3]>], b: &[Vec<[f64; 3]>]) -> f64 {
    let pairs = a.iter().flatten().zip(b.iter().flatten());
    let squares = pairs.map(|(a, b)| (Vec3::from(*a) - Vec3::from(*b)).norm_squared());
    squares.sum::<f64>().sqrt()
}
