//! Where pictures are taken from: a camera that frames what is drawn, one that is given, or one that walks around.

use super::options::CameraOptions;
use crate::picture::Picture;
use std::f64::consts::TAU;
use supple_mesh::Vec3;
use supple_render::{Camera, Image, RenderError, UpAxis};

/// Angles at which something is looked at that will be walked around, so that it fits from everywhere.
const AROUND: usize = 24;

/// The camera of a number of pictures.
pub struct Cameras {
    first: Camera,
    up: UpAxis,
    /// Radians from one picture to the next.
    step: f64,
    /// How far it goes along with each picture; nowhere where there is none.
    along: Vec<Vec3>,
}

impl Cameras {
    /// The cameras of `count` pictures that show these points.
    pub fn new(options: &CameraOptions, up: UpAxis, points: &[Vec3], aspect: f64, count: usize) -> Self {
        let first = match options.given {
            Some(camera) => given(camera.eye.into(), camera.target.into(), up, camera.degrees),
            None if options.turntable => Camera::framing(&swept(points, up), options.view, up, aspect),
            None => Camera::framing(points, options.view, up, aspect),
        };
        let step = if options.turntable { TAU / count as f64 } else { 0.0 };
        Self { first, up, step, along: Vec::new() }
    }

    /// Goes along with what is drawn, picture by picture.
    pub fn going_along(self, along: Vec<Vec3>) -> Self {
        Self { along, ..self }
    }

    /// That of the k-th picture.
    pub fn at(&self, k: usize) -> Camera {
        let by = self.along.get(k).copied().unwrap_or_default();
        let first = Camera { eye: self.first.eye + by, target: self.first.target + by, ..self.first };
        if self.step == 0.0 { first } else { first.walked_around(self.step * k as f64, self.up) }
    }
}

/// How pictures are looked at.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub cameras: &'a Cameras,
    pub up: UpAxis,
    pub size: [u32; 2],
}

impl View<'_> {
    /// Draws the k-th picture.
    pub fn draw(&self, picture: &Picture, k: usize) -> Result<Image, RenderError> {
        let [width, height] = self.size;
        picture.scene_from(self.cameras.at(k), self.up).render(width, height)
    }
}

fn given(eye: Vec3, target: Vec3, up: UpAxis, degrees: f64) -> Camera {
    let sky = sky(up);
    let level = sky.cross(&(eye - target)).norm() > 1e-6 * (eye - target).norm();
    // Straight down or up, the front is at the bottom of the picture.
    let aside = if up == UpAxis::Y { -Vec3::z() } else { Vec3::y() };
    Camera { eye, target, up: if level { sky } else { aside }, vertical_angle: degrees.to_radians() }
}

fn sky(up: UpAxis) -> Vec3 {
    match up {
        UpAxis::Y => Vec3::y(),
        UpAxis::Z => Vec3::z(),
    }
}

/// The points turned around the upright axis through their middle.
fn swept(points: &[Vec3], up: UpAxis) -> Vec<Vec3> {
    let bounds = supple_mesh::Aabb::around(points);
    let middle = (bounds.min + bounds.max) / 2.0;
    let axis = nalgebra::Unit::new_unchecked(sky(up));
    let turns =
        (0..AROUND).map(|k| nalgebra::Rotation3::from_axis_angle(&axis, TAU * k as f64 / AROUND as f64));
    turns.flat_map(|turn| points.iter().map(move |p| middle + turn * (p - middle))).collect()
}
