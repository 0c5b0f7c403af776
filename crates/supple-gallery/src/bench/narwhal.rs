//! An animal of 2,906 vertices with a horn and a tail a sixtieth of its length thick, that swims: parts that most
//! resolutions of a body lose.
//!
//! Rings of radius r(s) around a spine, from the tail at s = 0 to the tip of the horn at s = 1; a wave runs along the spine.

use std::f64::consts::{PI, TAU};
use supple_formats::SurfaceFile;
use supple_mesh::Vec3;

const AROUND: u32 = 44;
const RINGS: u32 = 67;
/// Half the thickness of horn and tail, in lengths.
const THIN: f64 = 1.0 / 120.0;

/// The animal at rest.
pub fn surface() -> SurfaceFile {
    let vertex = |k: u32, j: u32| match k {
        0 => 0,
        RINGS => 1 + AROUND * (RINGS - 1),
        k => 1 + AROUND * (k - 1) + j % AROUND,
    };
    let mut triangles = Vec::new();
    for (k, j) in (0..RINGS).flat_map(|k| (0..AROUND).map(move |j| (k, j))) {
        let [a, b, c, d] = [vertex(k, j), vertex(k, j + 1), vertex(k + 1, j + 1), vertex(k + 1, j)];
        triangles.extend([[a, b, c], [a, c, d]].into_iter().filter(|[a, b, c]| a != b && b != c && c != a));
    }
    SurfaceFile { positions: swimming(0.0), triangles, ..SurfaceFile::default() }
}

/// Its points at a time in seconds.
pub fn swimming(seconds: f64) -> Vec<[f64; 3]> {
    let mut points = vec![place(0.0, 0.0, seconds)];
    for k in 1..RINGS {
        let s = f64::from(k) / f64::from(RINGS);
        points.extend((0..AROUND).map(|j| place(s, TAU * f64::from(j) / f64::from(AROUND), seconds)));
    }
    points.push(place(1.0, 0.0, seconds));
    points
}

/// A point of the ring at s, at an angle around the spine.
fn place(s: f64, angle: f64, seconds: f64) -> [f64; 3] {
    let belly = 0.17 * (PI * ((s - 0.15) / 0.6).clamp(0.0, 1.0)).sin().powf(0.7);
    let end = (s.min(1.0 - s) / 0.01).min(1.0).sqrt();
    let radius = belly.max(THIN * end);
    let wave = |s: f64| 0.1 * (1.0 - s).powi(2) * (TAU * (s - seconds)).sin();
    let slope = (wave(s + 1e-4) - wave(s - 1e-4)) / 2e-4;
    let turn = nalgebra::Rotation3::from_axis_angle(&Vec3::y_axis(), -slope.atan());
    let spine = Vec3::new(s + 0.3 * seconds, 0.1 * s * s, wave(s));
    (spine + turn * Vec3::new(0.0, radius * angle.cos(), radius * angle.sin())).into()
}
