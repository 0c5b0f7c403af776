//! A curtain that hangs in folds from rings.
//!
//! With s ∈ [0, 1] across and t ∈ [0, 1] down, a point is (x, y, z) = (W s + lean, H (1 − t) − sag, A cos φ):
//! folds of phase φ that swing and deepen on their way down, and a top edge that sags between the
//! rings, one for every fold.

use super::{BodyMesh, Shape, where_at};
use crate::{FillError, TriMesh, Vec3, VertexGroups};
use std::f64::consts::TAU;
use supple_model::VertexId;

/// Quads across and down.
const ACROSS: usize = 60;
const DOWN: usize = 20;
/// Width and height as it hangs, metres.
const WIDTH: f64 = 1.8;
const HEIGHT: f64 = 2.0;
const FOLDS: usize = 5;
/// How far the top edge sags between two rings, metres.
const SAG: f64 = 0.05;

/// A curtain with groups "top", its upper edge, "rings", the points of it that hang from rings, and
/// "hem", its lower edge.
///
/// # Errors
/// None in practice; the signature is that of filling in general.
pub fn curtain() -> Result<Shape, FillError> {
    let vertex = |i: usize, j: usize| VertexId::new(i + (ACROSS + 1) * j);
    let mut positions = Vec::new();
    for j in 0..=DOWN {
        positions.extend((0..=ACROSS).map(|i| point(i as f64 / ACROSS as f64, j as f64 / DOWN as f64)));
    }
    let mut triangles = Vec::new();
    for j in 0..DOWN {
        for i in 0..ACROSS {
            let [a, b, c, d] = [vertex(i, j + 1), vertex(i + 1, j + 1), vertex(i + 1, j), vertex(i, j)];
            // Diagonals in turn, so that no direction of the cloth is stiffer than its mirror image.
            let halves =
                if (i + j).is_multiple_of(2) { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] };
            triangles.extend(halves);
        }
    }
    let mesh = TriMesh::new(positions, triangles)?;
    let mut groups = VertexGroups::new();
    groups.add("top", (0..=ACROSS).map(|i| vertex(i, 0)));
    groups.add("rings", (0..=ACROSS).step_by(ACROSS / FOLDS).map(|i| vertex(i, 0)));
    groups.add("hem", where_at(mesh.positions(), |p| p.y < HEIGHT / DOWN as f64 / 2.0));
    Ok(Shape { body: BodyMesh::Cloth(mesh), skin: None, groups })
}

fn point(s: f64, t: f64) -> Vec3 {
    let turns = FOLDS as f64 * s;
    // A slow swing, so that no two folds fall alike.
    let phase = TAU * turns + 0.5 * t * (TAU * 1.3 * s + 0.6).sin();
    let depth = 0.04 + (0.065 + 0.02 * (TAU * 0.8 * s).sin()) * (1.0 - (1.0 - t).powi(2));
    let sag = SAG * (1.0 - t).powi(3) * (0.5 - 0.5 * (TAU * turns).cos());
    // Round folds: x runs ahead at crests and troughs and falls back between them.
    let x = WIDTH * s + 0.03 * (0.3 + 0.7 * t) * (2.0 * phase).sin();
    Vec3::new(x, HEIGHT * (1.0 - t) - sag, depth * phase.cos())
}
