//! Frames of a motion as the paper shows them: beside each other in one scene, in the order of time, each moved aside
//! just as far as it takes not to hide the one before; and its keys, as `supple render --keys` draws them.

use super::motion::Motion;
use crate::gallery::workshop::{From, draw, sheet};
use anyhow::Context;
use supple_mesh::Vec3;
use supple_project::Moving;
use supple_project::picture::{Drawn, Picture, along, around, key_pictures};
use supple_render::{Camera, Image, UpAxis};

/// Room between two frames, as a part of the height of the body.
const GAP: f64 = 0.07;
/// How many times as far away as usual rows are seen from.
const AFAR: f64 = 8.0;
/// One row across the page, in pixels.
pub const ROW: [u32; 2] = [1000, 270];
/// A key on a sheet.
const TILE: [u32; 2] = [245, 245];

/// Shapes of a body in one row, from left to right, each as large as the others and seen from the same side.
pub fn row(motion: &Motion, shapes: &[&Vec<Vec3>], view: From, size: [u32; 2]) -> anyhow::Result<Image> {
    let aside = view.aside();
    let away = aside.cross(&Vec3::y());
    let mut picture: Option<Picture> = None;
    let (mut seen, mut free) = (Vec::new(), 0.0);
    for places in shapes {
        let reach = |least: f64, way: fn(f64, f64) -> f64| {
            places.iter().map(|place| place.dot(&aside)).fold(least, way)
        };
        let (first, last) = (reach(f64::INFINITY, f64::min), reach(f64::NEG_INFINITY, f64::max));
        let by = aside * (free - first) - away * motion.center(places).dot(&away);
        free += last - first + GAP * motion.height();
        let moved: Vec<[f64; 3]> = places.iter().map(|place| (place + by).into()).collect();
        let shape = Picture::of_frame(&*motion.body, Moving::Body, Drawn::Skin, &moved);
        seen.extend(shape.framed_points());
        match &mut picture {
            Some(picture) => picture.add_ghost(shape, 1.0),
            None => picture = Some(shape),
        }
    }
    let mut picture = picture.context("there are no frames to draw")?;
    picture.stand_on(0.0);
    draw(&picture, from_afar(view.camera(&seen, size)), size)
}

/// The same view through a longer lens: what is at the ends of a row is not seen from another side.
fn from_afar(camera: Camera) -> Camera {
    let eye = camera.target + (camera.eye - camera.target) * AFAR;
    Camera { eye, vertical_angle: 2.0 * ((0.5 * camera.vertical_angle).tan() / AFAR).atan(), ..camera }
}

/// Frames, counted from 0, in several rows, one below the other, with their numbers as the scene counts them.
pub fn rows(motion: &Motion, rows: &[Vec<usize>], view: From, size: [u32; 2]) -> anyhow::Result<Image> {
    let mut tiles = Vec::new();
    for frames in rows {
        let number = |index: &usize| motion.method.about().clock.number(*index).to_string();
        let numbers: Vec<String> = frames.iter().map(number).collect();
        let shapes: Vec<&Vec<Vec3>> = frames.iter().map(|index| &motion.frames[*index]).collect();
        tiles.push((row(motion, &shapes, view, size)?, format!("frames {}", numbers.join(", "))));
    }
    sheet(1, tiles)
}

/// The keys a motion is made of, so many in a row.
pub fn keys(motion: &Motion, view: From, columns: usize) -> anyhow::Result<Image> {
    let keys = key_pictures(&*motion.method, Drawn::Skin);
    let ways = along(&keys, UpAxis::Y);
    let camera = view.camera(&around(&keys, &ways), TILE);
    let mut tiles = Vec::new();
    for (mut key, by) in keys.into_iter().zip(ways) {
        key.stand_on(0.0);
        let camera = Camera { eye: camera.eye + by, target: camera.target + by, ..camera };
        tiles.push((draw(&key.picture, camera, TILE)?, key.name));
    }
    sheet(columns, tiles)
}
