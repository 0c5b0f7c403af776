//! What is drawn of a pose that is being made: pins, loads as arrows, and the spring between a point and the mouse.

use crate::camera::Vec3;
use crate::scene::Stroke;
use crate::{Studio, colours};
use eframe::egui::Visuals;
use supple_project::method::Points;
use supple_project::shot::{Push, Site};
use supple_session::{Picture, Places};

/// The longest arrow of a load, as a part of the size of the body.
const LONGEST: f64 = 0.25;
/// How long the head of an arrow is, as a part of it, and as a part of the size of the body.
const HEAD: [f64; 2] = [0.3, 0.03];

/// The strokes of the pose that is being made on a picture of it.
pub fn of(strokes: &mut Vec<Stroke>, studio: &Studio, picture: &Picture, visuals: &Visuals) {
    let Some(posing) = &studio.posing else { return };
    let ask = posing.draft.ask();
    let place = |site: &Site| picture.points.place(site, &picture.stage).map(Vec3::from);
    let pinned = colours::rgba(colours::line(colours::BLUE, visuals), 1.0);
    for pin in &ask.pins {
        let part = picture.points.part(&pin.site, &picture.stage);
        let single = place(&pin.site).filter(|_| part.is_empty()).map(|at| single(&at));
        for at in part.into_iter().chain(single) {
            strokes.push(Stroke { from: at, to: at, colour: [10, 10, 10, 255], width: 8.5 });
            strokes.push(Stroke { from: at, to: at, colour: pinned, width: 6.0 });
        }
    }
    let forces: Vec<(Vec3, Vec3)> = (ask.loads.iter())
        .filter_map(|load| match load.push {
            Push::Force(force) => Some((place(&load.site)?, Vec3::from(force))),
            Push::Track(_) => None,
        })
        .collect();
    let most = forces.iter().map(|(_, force)| force.norm()).fold(f64::MIN_POSITIVE, f64::max);
    let (forward, size) = (studio.eye(0).axes().2, picture.stage.size);
    let loaded = colours::rgba(colours::line(colours::PURPLE, visuals), 1.0);
    for (at, force) in forces {
        arrow(strokes, [at, at + force * (LONGEST * size / most)], (forward, size), loaded);
    }
    if let Some(hand) = &ask.hand {
        let rest = Points { drawn: picture.stage.rest.clone(), body: None };
        let goal = rest.place(&hand.site, &picture.stage).map(|rest| Vec3::from(rest) + Vec3::from(hand.by));
        if let (Some(at), Some(goal)) = (place(&hand.site), goal) {
            let colour = colours::rgba(colours::line(colours::ORANGE, visuals), 1.0);
            arrow(strokes, [at, goal], (forward, size), colour);
        }
    }
}

/// The push on the body that plays.
pub fn push(strokes: &mut Vec<Stroke>, studio: &Studio, picture: &Picture, visuals: &Visuals) {
    let Some(shove) = studio.view.shove else { return };
    let Some(at) = picture.points.drawn.get(shove.vertex as usize) else { return };
    let at = Vec3::from(at.map(f64::from));
    let colour = colours::rgba(colours::line(colours::ORANGE, visuals), 1.0);
    arrow(strokes, [at, at + Vec3::from(shove.by)], (studio.eye(1).axes().2, picture.stage.size), colour);
}

/// An arrow from a point, with a head that is seen from where the eye looks.
fn arrow(strokes: &mut Vec<Stroke>, [from, to]: [Vec3; 2], (forward, size): (Vec3, f64), colour: [u8; 4]) {
    let mut line = |a: Vec3, b: Vec3, width| {
        strokes.push(Stroke { from: single(&a), to: single(&b), colour, width });
    };
    line(from, from, 9.0);
    line(from, to, 3.0);
    let way = to - from;
    let length = (HEAD[0] * way.norm()).min(HEAD[1] * size);
    let Some(along) = way.try_normalize(1e-12) else { return };
    let Some(aside) = along.cross(&forward).try_normalize(1e-6) else { return };
    for side in [1.0, -1.0] {
        line(to, to - (along - aside * (0.5 * side)) * length, 3.0);
    }
}

fn single(p: &Vec3) -> [f32; 3] {
    [p.x as f32, p.y as f32, p.z as f32]
}
