//! The axis handle: three arrows, three squares between them, a disc for the plane of the screen, and an arrow across
//! the surface. Drawn over the picture, always of the same size on the screen.

use crate::camera::{Camera, Vec3};
use crate::colours;
use eframe::egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Shape, Stroke, vec2};

/// Points an arrow is long.
const LONG: f64 = 78.0;
/// Where the squares begin and end, as parts of that.
const SQUARE: [f64; 2] = [0.28, 0.5];
const DISC: f32 = 9.0;
/// The mouse may be this far beside an arrow, in points.
const BESIDE: f32 = 7.0;

/// A part of the axis handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Along x, y or z.
    Axis(usize),
    /// Across x, y or z.
    Plane(usize),
    /// In the plane of the screen.
    Screen,
    /// Across the surface.
    Normal,
}

/// Where the parts are on the screen.
struct Places {
    middle: Pos2,
    tips: [Option<Pos2>; 3],
    normal: Option<Pos2>,
    squares: [Option<[Pos2; 4]>; 3],
}

fn places(camera: &Camera, rect: Rect, at: &Vec3, normal: Option<Vec3>) -> Option<Places> {
    let middle = camera.project(at, rect)?;
    let length = camera.length_per_point(at, rect) * LONG;
    let point = |p: Vec3| camera.project(&(at + p * length), rect);
    let axis = |k: usize| Vec3::ith(k, 1.0);
    let forward = camera.axes().2;
    let tip = |k: usize| point(axis(k)).filter(|tip| (*tip - middle).length() > 10.0);
    let square = |k: usize| {
        let (a, b) = (axis((k + 1) % 3), axis((k + 2) % 3));
        let corner = |s: usize, t: usize| point(a * SQUARE[s] + b * SQUARE[t]);
        // One that is seen from its edge cannot be taken.
        let is_seen = forward[k].abs() > 0.15;
        let corners = [corner(0, 0)?, corner(1, 0)?, corner(1, 1)?, corner(0, 1)?];
        is_seen.then_some(corners)
    };
    Some(Places {
        middle,
        tips: [0, 1, 2].map(tip),
        normal: normal.and_then(|n| point(n * 0.8)).filter(|tip| (*tip - middle).length() > 10.0),
        squares: [0, 1, 2].map(square),
    })
}

/// The part under the mouse.
pub fn hit(camera: &Camera, rect: Rect, at: &Vec3, normal: Option<Vec3>, mouse: Pos2) -> Option<Part> {
    let places = places(camera, rect, at, normal)?;
    if (mouse - places.middle).length() <= DISC + 1.0 {
        return Some(Part::Screen);
    }
    let near = |tip: &Option<Pos2>| tip.map(|tip| beside(mouse, places.middle, tip)).filter(|d| *d < BESIDE);
    let arrows = places.tips.iter().map(near).enumerate().map(|(k, d)| (Part::Axis(k), d));
    let arrows = arrows.chain([(Part::Normal, near(&places.normal))]);
    let nearest = arrows.filter_map(|(part, d)| d.map(|d| (part, d))).min_by(|a, b| a.1.total_cmp(&b.1));
    if let Some((part, _)) = nearest {
        return Some(part);
    }
    let inside = |corners: &[Pos2; 4]| {
        let turns = [0, 1, 2, 3].map(|k| {
            let (a, b) = (corners[k], corners[(k + 1) % 4]);
            (b - a).x * (mouse - a).y - (b - a).y * (mouse - a).x > 0.0
        });
        turns.iter().all(|turn| *turn) || turns.iter().all(|turn| !turn)
    };
    let square = places.squares.iter().position(|corners| corners.as_ref().is_some_and(inside));
    square.map(Part::Plane)
}

/// How far a place is from a line between two others.
fn beside(at: Pos2, from: Pos2, to: Pos2) -> f32 {
    let (line, away) = (to - from, at - from);
    let part = (away.dot(line) / line.length_sq().max(1e-6)).clamp(0.0, 1.08);
    (away - line * part).length()
}

/// Draws it; `hot` is under the mouse or in the hand.
pub fn paint(
    painter: &Painter,
    camera: &Camera,
    rect: Rect,
    at: &Vec3,
    normal: Option<Vec3>,
    hot: Option<Part>,
) {
    let Some(places) = places(camera, rect, at, normal) else { return };
    let visuals = &painter.ctx().global_style().visuals;
    let lit = |part: Part, colour: Color32| match hot == Some(part) {
        true => visuals.strong_text_color(),
        false => colours::line(colour, visuals),
    };
    for k in 0..3 {
        if let Some(corners) = places.squares[k] {
            let colour = lit(Part::Plane(k), colours::AXES[k]);
            let fill = colour.gamma_multiply(0.35);
            painter.add(Shape::convex_polygon(corners.to_vec(), fill, Stroke::new(1.0, colour)));
        }
    }
    let arrow = |tip: Pos2, colour: Color32, name: &str| {
        let line = tip - places.middle;
        let (along, across) = (line.normalized(), line.normalized().rot90());
        let from = places.middle + along * DISC;
        painter.line_segment([from, tip], Stroke::new(5.0, Color32::from_black_alpha(110)));
        painter.line_segment([from, tip], Stroke::new(2.5, colour));
        let head = [tip + along * 10.0, tip + across * 5.0, tip - across * 5.0];
        painter.add(Shape::convex_polygon(
            head.to_vec(),
            colour,
            Stroke::new(1.0, Color32::from_black_alpha(110)),
        ));
        let place = tip + along * 19.0;
        painter.text(
            place + vec2(1.0, 1.0),
            Align2::CENTER_CENTER,
            name,
            FontId::proportional(13.0),
            visuals.extreme_bg_color,
        );
        let words = colours::text(colour, visuals);
        painter.text(place, Align2::CENTER_CENTER, name, FontId::proportional(13.0), words);
    };
    for (k, name) in ["X", "Y", "Z"].into_iter().enumerate() {
        if let Some(tip) = places.tips[k] {
            arrow(tip, lit(Part::Axis(k), colours::AXES[k]), name);
        }
    }
    if let Some(tip) = places.normal {
        arrow(tip, lit(Part::Normal, colours::PURPLE), "N");
    }
    let disc = lit(Part::Screen, colours::ORANGE);
    painter.circle(places.middle, DISC, disc.gamma_multiply(0.35), Stroke::new(2.0, disc));
    painter.circle_filled(places.middle, 3.0, disc);
}

#[cfg(test)]
mod tests {
    use super::*;
    use eframe::egui::pos2;

    #[test]
    fn every_part_is_found_where_it_is_drawn() {
        let rect = Rect { min: pos2(0.0, 0.0), max: pos2(800.0, 600.0) };
        let (camera, at) = (Camera::default(), Vec3::new(0.1, 0.2, 0.3));
        let normal = Some(Vec3::new(-1.0, -1.0, 0.3).normalize());
        let places = places(&camera, rect, &at, normal).unwrap();
        let hit = |mouse| hit(&camera, rect, &at, normal, mouse);
        assert_eq!(hit(places.middle), Some(Part::Screen));
        for k in 0..3 {
            assert_eq!(hit(places.tips[k].unwrap()), Some(Part::Axis(k)));
            let [a, _, c, _] = places.squares[k].unwrap();
            assert_eq!(hit(a + (c - a) * 0.6), Some(Part::Plane(k)));
        }
        assert_eq!(hit(places.normal.unwrap()), Some(Part::Normal));
        assert_eq!(hit(places.middle + vec2(200.0, 120.0)), None);
    }
}
