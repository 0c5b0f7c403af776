//! The surface benches work on.

use nalgebra::Vector3;
use std::f64::consts::TAU;

/// A torus about the y axis, radii 1 and 0.4 metres, outwards.
pub fn torus(around: u32, across: u32) -> (Vec<Vector3<f64>>, Vec<[u32; 3]>) {
    let point = |i: u32, j: u32| {
        let (a, b) = (TAU * f64::from(i) / f64::from(around), TAU * f64::from(j) / f64::from(across));
        let radius = 1.0 + 0.4 * b.cos();
        Vector3::new(radius * a.cos(), 0.4 * b.sin(), radius * a.sin())
    };
    let positions = (0..around).flat_map(|i| (0..across).map(move |j| point(i, j))).collect();
    let index = |i: u32, j: u32| (i % around) * across + j % across;
    let quad = |i, j| {
        let [a, b, c, d] = [index(i, j), index(i, j + 1), index(i + 1, j + 1), index(i + 1, j)];
        [[a, b, c], [a, c, d]]
    };
    let triangles = (0..around).flat_map(|i| (0..across).flat_map(move |j| quad(i, j))).collect();
    (positions, triangles)
}
