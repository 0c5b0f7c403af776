//! Lines and dots of the scene: grid, anchors, contacts, ways of points, arrows, what handles are off by.

use crate::camera::{Camera, Vec3};
use crate::numbers::snap_step;
use crate::scene::Stroke;
use crate::{Studio, colours, pose_strokes};
use eframe::egui::{Color32, Visuals};
use supple_project::method::Stage;
use supple_project::shot::{Goal, Handle, Move};
use supple_session::{Picture, Places};

/// The most dots of one kind; more of them are no easier to see.
const MOST_DOTS: usize = 4000;

/// All strokes of a viewport that shows a picture.
pub fn of(studio: &Studio, picture: &Picture, edits: bool, visuals: &Visuals) -> Vec<Stroke> {
    let mut strokes = Vec::new();
    let look = &studio.look;
    if let Some(low) = ground(studio, &picture.stage).filter(|_| look.grid) {
        grid(&mut strokes, &studio.eye(usize::from(!edits)), low, visuals);
    }
    if look.wire {
        wire(&mut strokes, picture, look.body);
    }
    if look.anchors {
        anchors(&mut strokes, picture, visuals);
    }
    if look.contacts {
        contacts(&mut strokes, picture, visuals);
    }
    streamers(&mut strokes, studio, picture, visuals);
    if !edits {
        pose_strokes::push(&mut strokes, studio, picture, visuals);
    }
    if edits {
        selection(&mut strokes, studio, picture);
        if let Some(at) = studio.hovered.and_then(|vertex| picture.points.drawn.get(vertex as usize)) {
            // What a press would take is lit before it is taken.
            strokes.push(dot(*at, [10, 10, 10, 200], 9.0));
            strokes.push(dot(*at, [255, 255, 255, 255], 6.5));
        }
        if studio.posing.is_some() {
            pose_strokes::of(&mut strokes, studio, picture, visuals);
        } else if look.handles {
            part(&mut strokes, studio, picture, visuals);
            near(&mut strokes, studio, picture, visuals);
            handles(&mut strokes, studio, visuals);
        }
    }
    strokes
}

fn dot(at: [f32; 3], colour: [u8; 4], width: f32) -> Stroke {
    Stroke { from: at, to: at, colour, width }
}

fn single(p: &Vec3) -> [f32; 3] {
    [p.x as f32, p.y as f32, p.z as f32]
}

/// The height of the ground: the floor, or else the lowest the motion comes to.
pub fn ground(studio: &Studio, stage: &Stage) -> Option<f32> {
    let floor = studio.session.document.shot().simulate.floor.as_ref().map(|floor| floor.height as f32);
    let rest = || stage.rest.iter().map(|p| p[1]).reduce(f32::min);
    floor.or_else(|| stage.way.low()).or_else(rest)
}

/// A grid on the ground below what is looked at, with the axes x and z; its squares are a round length.
fn grid(strokes: &mut Vec<Stroke>, eye: &Camera, low: f32, visuals: &Visuals) {
    const AROUND: i32 = 24;
    let step = snap_step(3.0 * eye.distance) as f32;
    let round = |x: f64| (x as f32 / step).round().clamp(-1e6, 1e6) as i32;
    let (x, z) = (round(eye.target.x), round(eye.target.z));
    let at = |i: i32, j: i32| [i as f32 * step, low, j as f32 * step];
    let faint = colours::grid(visuals);
    for k in -AROUND..=AROUND {
        // It thins out to its border instead of ending there.
        let part = 1.0 - (k.unsigned_abs() as f32 / AROUND as f32).powi(2);
        let colour = |is_axis: bool, axis: usize| match is_axis {
            true => colours::rgba(colours::line(colours::AXES[axis], visuals), 0.7 * part),
            false => [faint[0], faint[1], faint[2], (f32::from(faint[3]) * part) as u8],
        };
        let width = |is_axis: bool| if is_axis { 1.5 } else { 1.0 };
        let (x_axis, z_axis) = (z + k == 0, x + k == 0);
        let mut line = |from, to, colour, width| strokes.push(Stroke { from, to, colour, width });
        let reach = AROUND;
        line(at(x - reach, z + k), at(x + reach, z + k), colour(x_axis, 0), width(x_axis));
        line(at(x + k, z - reach), at(x + k, z + reach), colour(z_axis, 2), width(z_axis));
    }
}

/// The edges of the triangles, each drawn once where two of them share it.
fn wire(strokes: &mut Vec<Stroke>, picture: &Picture, as_body: bool) {
    let body = picture.points.body.as_ref().filter(|_| as_body).zip(picture.stage.body.as_ref());
    let points = body.map_or(&picture.points.drawn, |(points, _)| points);
    let mut edge = |a: u32, b: u32| {
        // Seen from both sides an edge goes both ways; at a border it may be left out, where the outline shows it.
        if let (true, Some(from), Some(to)) = (a < b, points.get(a as usize), points.get(b as usize)) {
            strokes.push(Stroke { from: *from, to: *to, colour: [20, 24, 32, 110], width: 1.0 });
        }
    };
    let mut add = |[a, b, c]: [u32; 3]| {
        edge(a, b);
        edge(b, c);
        edge(c, a);
    };
    match body {
        Some((_, body)) => body.surface.iter().for_each(|t| add(t.map(|v| v.0))),
        None => picture.stage.triangles.iter().for_each(|t| add(*t)),
    }
}

fn anchors(strokes: &mut Vec<Stroke>, picture: &Picture, visuals: &Visuals) {
    let anchors = picture.points.anchors(&picture.stage);
    let skip = anchors.len().div_ceil(MOST_DOTS).max(1);
    for at in anchors.iter().step_by(skip) {
        strokes.push(dot(*at, colours::rgba(colours::line(colours::BLUE, visuals), 0.95), 3.5));
    }
}

/// What touches in this frame, with normals a twentieth of the size long.
fn contacts(strokes: &mut Vec<Stroke>, picture: &Picture, visuals: &Visuals) {
    let Some(points) = picture.points.of_body(&picture.stage) else { return };
    let length = 0.05 * picture.stage.size;
    for contact in picture.stage.contacts.at(picture.frame).iter().take(MOST_DOTS) {
        let Some(at) = points.get(contact.vertex().index()) else { continue };
        let tip = Vec3::from(at.map(f64::from)) + contact.normal * length;
        let colour = colours::rgba(colours::line(colours::GREEN, visuals), 0.95);
        strokes.push(dot(*at, colour, 5.0));
        strokes.push(Stroke { from: *at, to: single(&tip), colour, width: 1.5 });
    }
}

/// The ways of points, before and after, brighter near the frame that is shown.
fn streamers(strokes: &mut Vec<Stroke>, studio: &Studio, picture: &Picture, visuals: &Visuals) {
    let Some(seen) = studio.snapshot.seen.as_ref().filter(|_| studio.look.streamers) else { return };
    let mut way = |points: &[[f32; 3]], colour, width| {
        for (frame, pair) in points.windows(2).enumerate() {
            let away = frame.abs_diff(picture.frame) as f32 / points.len().max(1) as f32;
            let colour = colours::rgba(colour, (1.0 - 7.0 * away).clamp(0.12, 1.0));
            strokes.push(Stroke { from: pair[0], to: pair[1], colour, width });
        }
    };
    for points in &seen.input_traces {
        way(points, colours::line(colours::ORANGE, visuals), 1.2);
    }
    for points in &seen.traces {
        way(points, colours::line(colours::SKY, visuals), 2.0);
    }
}

/// Vertices that were picked by a box.
fn selection(strokes: &mut Vec<Stroke>, studio: &Studio, picture: &Picture) {
    let skip = studio.picked.len().div_ceil(MOST_DOTS).max(1);
    for vertex in studio.picked.iter().step_by(skip) {
        if let Some(at) = picture.points.drawn.get(*vertex as usize) {
            strokes.push(dot(*at, [10, 10, 10, 255], 6.5));
            strokes.push(dot(*at, colours::rgba(colours::ORANGE, 1.0), 4.5));
        }
    }
}

/// The vertices that the selected handle holds.
fn part(strokes: &mut Vec<Stroke>, studio: &Studio, picture: &Picture, visuals: &Visuals) {
    let Some(index) = studio.selected.filter(|index| studio.handle_place(*index).is_some()) else { return };
    let Some(handle) = studio.session.document.shot().edit.handle(index) else { return };
    let points = picture.points.part(&handle.site, &picture.stage);
    let skip = points.len().div_ceil(MOST_DOTS).max(1);
    for at in points.iter().step_by(skip) {
        strokes.push(dot(*at, [10, 10, 10, 255], 5.5));
        strokes.push(dot(*at, colours::rgba(colours::line(colours::PURPLE, visuals), 1.0), 4.0));
    }
}

/// The colour of a handle.
fn colour_of(handle: &Handle) -> Color32 {
    match handle.goal {
        _ if handle.muted == Some(true) => Color32::GRAY,
        Goal::Stay { .. } => colours::GREEN,
        _ => colours::PURPLE,
    }
}

/// Where handles act in frames before and after this one: the farther away, the smaller and fainter.
fn near(strokes: &mut Vec<Stroke>, studio: &Studio, picture: &Picture, visuals: &Visuals) {
    let reach = picture.near.iter().map(|mark| mark.away).max().unwrap_or(1).max(8) as f32;
    for mark in &picture.near {
        let part = 1.0 - mark.away as f32 / (reach + 1.0);
        let is_selected = studio.selected == Some(mark.handle);
        let kind = if mark.stays { colours::GREEN } else { colours::PURPLE };
        let colour = colours::rgba(colours::line(kind, visuals), 0.25 + 0.6 * part);
        let width = 3.0 + 4.0 * part + if is_selected { 2.0 } else { 0.0 };
        strokes.push(dot(mark.at, [10, 10, 10, (140.0 * part) as u8 + 40], width + 2.0));
        strokes.push(dot(mark.at, colour, width));
    }
}

/// Marks of the handles of this frame: dots, arrows of velocities, lines to where they should be or are seen from.
fn handles(strokes: &mut Vec<Stroke>, studio: &Studio, visuals: &Visuals) {
    for (index, (_, handle)) in studio.session.document.shot().edit.all_handles().enumerate() {
        let Some(place) = studio.handle_place(index) else { continue };
        let (at, colour) = (single(&place), colours::rgba(colours::line(colour_of(handle), visuals), 1.0));
        strokes.push(dot(at, [10, 10, 10, 255], 12.0));
        strokes.push(dot(at, colour, 9.0));
        match &handle.goal {
            Goal::Velocity(_) => {
                if let Some(tip) = studio.grip(index) {
                    // A dot at the tip, where it can be taken.
                    strokes.push(dot(single(&tip), [10, 10, 10, 255], 9.0));
                    strokes.push(dot(single(&tip), colour, 6.5));
                    strokes.push(Stroke { from: at, to: single(&tip), colour, width: 2.5 });
                }
            }
            Goal::To(to) | Goal::Stay { at: Some(Move::To(to)) } => {
                if let Some(origin) = studio.origin_of(handle.relative_to.as_ref()) {
                    strokes.push(Stroke {
                        from: at,
                        to: single(&(origin + Vec3::from(*to))),
                        colour,
                        width: 1.5,
                    });
                }
            }
            _ => {}
        }
        let other = handle.relative_to.as_ref().and_then(|site| studio.place_of(site));
        if let Some(other) = other {
            let other = single(&other);
            strokes.push(Stroke { from: at, to: other, colour, width: 2.0 });
            strokes.push(dot(other, colour, 6.0));
        }
    }
}
