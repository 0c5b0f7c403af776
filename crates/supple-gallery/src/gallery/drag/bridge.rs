//! The bridge: what one pulled vertex does to a body at rest, and a simulated motion that is readjusted.

use crate::gallery::measure::{farthest_of, handle_error, input_at, watch};
use crate::gallery::page::Section;
use crate::gallery::workshop::{From, HANDLE, INPUT, LONG, OUTPUT, Workshop, corners, draw, handle, sheet};
use supple_mesh::Vec3;
use supple_model::{Progress, VertexId};
use supple_project::DragMethod;
use supple_project::method::Side;
use supple_project::picture::{Drawn, Picture};
use supple_project::shot::{Goal, Site};
use supple_render::{Image, Plot, Rule, Series};

/// Modes, and the frame of the pull, counted from 0.
pub const MODES: usize = 200;
const PULLED: usize = 60;
/// How far the mast is pulled along the deck, metres.
const PULL: f64 = 0.25;
const VIEW: From = From(28.0, 14.0);

/// The top of a mast.
pub fn mast_top(editor: &DragMethod, mast: &str) -> anyhow::Result<VertexId> {
    let vertices = editor.body().groups.get(mast)?;
    Ok(farthest_of(vertices.iter().copied(), editor, Vec3::y()))
}

/// Figure 2: a bridge at rest, one vertex of a mast pulled at one frame, the end free.
pub fn green(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let mut shot = workshop.still("bridge", 240)?;
    shot.edit.modes = MODES;
    let mut editor = workshop.open("bridge", &shot, &progress.part(0.0, 0.5))?;
    let (pulled, other) = (mast_top(&editor, "mast-left")?, mast_top(&editor, "mast-right")?);
    let by = Goal::By([PULL, 0.0, 0.0]);
    editor.add(handle(&editor, PULLED, Site::BodyVertex(pulled), by)?)?;
    let watched = watch(&mut editor, &[pulled, other], &progress.part(0.5, 0.9))?;
    let along = |k: usize| {
        watched.output[k].iter().zip(&watched.input[k]).map(|(y, x)| y.x - x.x).collect::<Vec<_>>()
    };
    let (mast, far) = (along(0), along(1));

    let mut section = Section::default();
    section.text(format!(
        "A bridge at rest, {MODES} modes, 240 frames, its end free. The only handle moves the top of the \
         left mast {PULL} m along the deck at frame {PULLED}. The mast swings back and forth before it \
         reaches its goal, the deck bends, and the other mast swings too."
    ));
    let mut tiles = Vec::new();
    for index in [PULLED - 24, PULLED - 12, PULLED, PULLED + 12] {
        tiles.push((before_after(&editor, index, &[pulled])?, format!("frame {index}")));
    }
    workshop.show(
        &mut section,
        "green",
        &sheet(2, tiles)?,
        "Input yellow, output red, the pulled vertex blue",
    )?;
    let mut plot = Plot::new("Tops of the masts along the deck");
    (plot.x.label, plot.y.label) = ("frame".into(), "displacement (m)".into());
    let points = |values: &[f64]| values.iter().enumerate().map(|(i, y)| [i as f64, *y]).collect::<Vec<_>>();
    plot.series = vec![Series::line("pulled mast", points(&mast)), Series::line("other mast", points(&far))];
    plot.verticals.push(Rule::new(PULLED as f64, "handle"));
    workshop.plot(&mut section, "green-masts", &plot, "The mast swings before the frame of its handle")?;
    let percent = |value: f64| 100.0 * value / PULL;
    let before = &mast[..PULLED - 6];
    let least = before.iter().copied().fold(0.0, f64::min);
    let most = before.iter().copied().fold(0.0, f64::max);
    let swing = far.iter().map(|x| x.abs()).fold(0.0, f64::max);
    section.number("swing against the pull before its frame", percent(-least), "% of the pull");
    section.number("swing along the pull, more than 6 frames before", percent(most), "% of the pull");
    section.number("the other mast swings by", percent(swing), "% of the pull");
    section.number("error of the handle", handle_error(&editor, &watched.report), "of the size");
    section.number(
        "elements turned inside out",
        watched.report.inverted.unwrap_or_default().count as f64,
        "",
    );
    Ok(section)
}

/// Input and output of a frame in one picture, with handles as points.
fn before_after(editor: &DragMethod, index: usize, handles: &[VertexId]) -> anyhow::Result<Image> {
    let mut picture = Picture::of_edit(editor, Side::Output, index, Drawn::Skin);
    picture.colour = OUTPUT;
    let mut input = Picture::of_edit(editor, Side::Input, index, Drawn::Skin);
    input.colour = INPUT;
    picture.add_ghost(input, 0.45);
    picture.stand_on(0.0);
    let mut positions = vec![[0.0; 3]; editor.rest().len()];
    editor.frame(index, &mut positions);
    picture.mark_in(handles.iter().map(|v| Vec3::from(positions[v.index()])).collect(), HANDLE);
    let camera = VIEW.camera(&corners(editor.rest()), LONG);
    draw(&picture, camera, LONG)
}

/// Figure 1: a simulated motion, readjusted at a few vertices and frames.
pub fn readjusted(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let mut shot = workshop.shot("bridge")?;
    shot.edit.modes = MODES;
    let mut editor = workshop.open("bridge", &shot, &progress.part(0.0, 0.7))?;
    let deck = |editor: &DragMethod, x: f64| -> anyhow::Result<VertexId> {
        let members = editor.body().groups.get("deck")?;
        let off = |v: &VertexId| (editor.rest()[v.index()] - Vec3::new(x, 0.41, 0.0)).norm();
        Ok(members.iter().copied().min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or(VertexId(0)))
    };
    let (middle, quarter) = (deck(&editor, 0.0)?, deck(&editor, -0.6)?);
    let (left, right) = (mast_top(&editor, "mast-left")?, mast_top(&editor, "mast-right")?);
    let pulls = [
        (20, middle, [0.0, 0.22, 0.0]),
        (95, right, [0.12, 0.0, 0.3]),
        (95, quarter, [0.0, -0.12, 0.0]),
        (150, left, [-0.2, 0.0, -0.2]),
    ];
    for (index, v, by) in pulls {
        editor.add(handle(&editor, index, Site::BodyVertex(v), Goal::By(by))?)?;
    }
    let watched = watch(&mut editor, &[right], &progress.part(0.7, 0.9))?;
    let mut section = Section::default();
    section.text(format!(
        "The ground shakes the bridge for five seconds ({} frames simulated, {} vertices, {} elements). Four vertices \
         are readjusted: the deck is lifted at frame 20, a mast is pulled aside and the deck down at frame 95, the \
         other mast is pulled at frame 150. The rest of the motion keeps its shaking.",
        editor.clock().frames,
        editor.rest().len(),
        editor.body().matter.elements()
    ));
    let mut tiles = Vec::new();
    for index in [20, 95] {
        let held: Vec<VertexId> = pulls.iter().filter(|pull| pull.0 == index).map(|pull| pull.1).collect();
        tiles.push((before_after(&editor, index, &held)?, format!("frame {index}")));
    }
    workshop.show(&mut section, "bridge", &sheet(2, tiles)?, "Input yellow, output red, handles blue")?;
    let mut plot = Plot::new("Top of the right mast, across the deck");
    (plot.x.label, plot.y.label) = ("frame".into(), "z (m)".into());
    let across = |path: &[Vec3]| path.iter().enumerate().map(|(i, p)| [i as f64, p.z]).collect::<Vec<_>>();
    plot.series = vec![
        Series { colour: Some(OUTPUT), ..Series::line("output", across(&watched.output[0])) },
        Series { colour: Some(INPUT), ..Series::line("input", across(&watched.input[0])) },
    ];
    plot.verticals.push(Rule::new(95.0, "its handle"));
    workshop.plot(&mut section, "bridge-path", &plot, "The edit adds swinging to that of the input")?;
    let report = &watched.report;
    section.number("largest error of the four handles", handle_error(&editor, report), "of the size");
    section.number("elements turned inside out", report.inverted.unwrap_or_default().count as f64, "");
    let volume = report.volume.map_or(0.0, |volume| volume.largest);
    section.number("largest change of volume", 100.0 * volume, "%");
    section.number("steps to the released edit", report.iterations as f64, "");
    let shaken =
        (0..editor.clock().frames).map(|i| (input_at(&editor, i, right) - watched.input[0][0]).norm());
    section.number("the input moves that mast's top by up to", shaken.fold(0.0, f64::max), "m");
    Ok(section)
}
