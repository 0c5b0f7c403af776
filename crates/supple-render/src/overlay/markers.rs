//! Discs at points.

use nalgebra::Vector3;

use super::{Hidden, MAX_SIZE, Overlay, Place};
use crate::colour::{Colour, Light};

/// Width of the rim, as a share of the radius.
const RIM: f64 = 0.28;

/// Discs with a rim at points.
#[derive(Clone, Debug)]
pub struct Markers<'a> {
    /// Centres; points that are not finite are left out.
    pub points: &'a [Vector3<f64>],
    /// Fill colour.
    pub colour: Colour,
    /// Colour of the rim.
    pub rim: Colour,
    /// Radius in pixels of a picture 720 pixels high; larger pictures have larger discs.
    pub radius: f64,
    /// What becomes of those whose centre is behind a surface; faint ones have no rim.
    pub hidden: Hidden,
}

impl<'a> Markers<'a> {
    /// Small orange discs with a white rim.
    pub fn new(points: &'a [Vector3<f64>]) -> Self {
        Self {
            points,
            colour: Colour::rgb(226, 110, 42),
            rim: Colour::rgb(255, 255, 255),
            radius: 4.5,
            hidden: Hidden::Faint,
        }
    }
}

struct Disc {
    place: Place,
    radius: f64,
    colour: Light,
    rim: Light,
    hidden: Hidden,
}

/// Draws all markers, far ones first.
pub(super) fn draw(overlay: &mut Overlay<'_>, markers: &[Markers<'_>]) {
    let mut discs: Vec<Disc> = Vec::new();
    for markers in markers {
        let radius = markers.radius.clamp(0.0, MAX_SIZE) * overlay.scale;
        let (colour, rim, hidden) = (markers.colour.light(), markers.rim.light(), markers.hidden);
        let places = markers.points.iter().filter_map(|p| overlay.place(p)).filter(|_| radius > 0.0);
        discs.extend(places.map(|place| Disc { place, radius, colour, rim, hidden }));
    }
    discs.sort_by(|a, b| a.place.depth.total_cmp(&b.place.depth));
    for disc in &discs {
        let [x, y] = disc.place.at.map(|c| c.floor() as i64);
        if overlay.is_hidden(x, y, disc.place.depth) {
            let rim = if disc.hidden == Hidden::Shown { RIM } else { 0.0 };
            paint(overlay, disc, rim, disc.hidden.opacity());
        } else {
            paint(overlay, disc, RIM, 1.0);
        }
    }
}

/// A filled disc with a rim, `rim` of the radius wide; the coverage of a pixel falls from 1 to 0
/// within one pixel of the outline.
fn paint(overlay: &mut Overlay<'_>, disc: &Disc, rim: f64, opacity: f64) {
    let core = if rim > 0.0 { disc.radius * (1.0 - rim) } else { f64::INFINITY };
    let first = |centre: f64| (centre - disc.radius - 1.0).floor().max(0.0) as i64;
    let last = |centre: f64, size: u32| (centre + disc.radius + 1.0).min(f64::from(size)) as i64;
    let ([cx, cy], [width, height]) = (disc.place.at, overlay.size());
    for y in first(cy)..=last(cy, height) {
        for x in first(cx)..=last(cx, width) {
            let distance = (x as f64 + 0.5 - cx).hypot(y as f64 + 0.5 - cy);
            let within = |radius: f64| (radius + 0.5 - distance).clamp(0.0, 1.0);
            let light = disc.rim.lerp(&disc.colour, within(core) as f32);
            overlay.blend(x, y, light, within(disc.radius) * opacity);
        }
    }
}
