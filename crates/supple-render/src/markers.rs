//! Discs at points, drawn over the finished surfaces.

use nalgebra::Vector3;

use crate::camera::Projection;
use crate::colour::{Colour, Light};
use crate::image::Image;
use crate::scene::Markers;

/// A point this much farther away than the surface in front of it still counts as lying on it.
const DEPTH_TOLERANCE: f64 = 0.01;
/// Opacity of a disc that a surface hides.
const HIDDEN_OPACITY: f64 = 0.3;
/// Width of the light rim, as a share of the radius.
const RIM: f64 = 0.28;
const RIM_COLOUR: Colour = Colour::rgb(255, 255, 255);
/// No disc is larger, in pixels of a picture 720 pixels high.
const MAX_RADIUS: f64 = 360.0;

struct Disc {
    x: f64,
    y: f64,
    /// `near / w`, as in the depth buffer.
    depth: f64,
    radius: f64,
    colour: Light,
}

/// Draws all markers, far ones first; `depth` is `near / w` of what each pixel shows.
pub(crate) fn draw(image: &mut Image, depth: &[f32], markers: &[Markers<'_>], projection: &Projection) {
    let scale = (f64::from(image.height) / 720.0).max(1.0);
    let mut discs: Vec<Disc> = markers
        .iter()
        .flat_map(|markers| {
            let radius = markers.radius.clamp(0.0, MAX_RADIUS) * scale;
            let colour = markers.colour.light();
            markers.points.iter().filter_map(move |p| disc(p, radius, colour, projection))
        })
        .collect();
    discs.sort_by(|a, b| a.depth.total_cmp(&b.depth));
    for disc in &discs {
        if is_hidden(disc, image, depth) {
            paint(image, disc, 0.0, HIDDEN_OPACITY);
        } else {
            paint(image, disc, RIM, 1.0);
        }
    }
}

fn disc(p: &Vector3<f64>, radius: f64, colour: Light, projection: &Projection) -> Option<Disc> {
    let h = projection.project(p);
    let (x, y) = (h.x / h.z, h.y / h.z);
    let drawable = h.z >= projection.near && x.is_finite() && y.is_finite() && radius > 0.0;
    drawable.then(|| Disc { x, y, depth: projection.near / h.z, radius, colour })
}

fn is_hidden(disc: &Disc, image: &Image, depth: &[f32]) -> bool {
    let (column, row) = (disc.x.floor(), disc.y.floor());
    let inside =
        (0.0..f64::from(image.width)).contains(&column) && (0.0..f64::from(image.height)).contains(&row);
    inside && {
        let in_front = f64::from(depth[row as usize * image.width as usize + column as usize]);
        disc.depth * (1.0 + DEPTH_TOLERANCE) < in_front
    }
}

/// A filled disc with a light rim, `rim` of the radius wide; the coverage of a pixel falls from 1 to 0 within one pixel of
/// the outline.
fn paint(image: &mut Image, disc: &Disc, rim: f64, opacity: f64) {
    let core = if rim > 0.0 { disc.radius * (1.0 - rim) } else { f64::INFINITY };
    let first = |centre: f64| (centre - disc.radius - 1.0).floor().max(0.0) as i64;
    let last = |centre: f64, size: u32| (centre + disc.radius + 1.0).min(f64::from(size)) as i64;
    for y in first(disc.y)..=last(disc.y, image.height) {
        for x in first(disc.x)..=last(disc.x, image.width) {
            let distance = (x as f64 + 0.5 - disc.x).hypot(y as f64 + 0.5 - disc.y);
            let within = |radius: f64| (radius + 0.5 - distance).clamp(0.0, 1.0);
            let light = RIM_COLOUR.light().lerp(&disc.colour, within(core) as f32);
            image.blend(x, y, light, within(disc.radius) * opacity);
        }
    }
}
