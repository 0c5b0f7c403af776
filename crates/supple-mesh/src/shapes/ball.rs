//! A ball of nearly equal triangles: an icosahedron whose faces are cut up and blown up.
//!
//! Every edge of the icosahedron is cut into n pieces, its faces into n² triangles each, and all
//! vertices are moved out to the sphere: 20 n² triangles, 10 n² + 2 vertices.

use crate::{MeshError, TriMesh, Vec3};
use std::collections::HashMap;
use supple_model::VertexId;

/// The closed surface of a ball with `cells` pieces to each edge of the icosahedron it comes from; its
/// triangles look outward and its vertices lie on the sphere.
///
/// # Errors
/// No cells, or a radius or center that is not finite and positive.
pub fn ball(center: Vec3, radius: f64, cells: usize) -> Result<TriMesh, MeshError> {
    let corners = icosahedron();
    let mut number = HashMap::new();
    let mut positions = Vec::new();
    // A vertex is known by the corners it lies between and its steps from each: edges are shared.
    let mut vertex = |parts: [(usize, usize); 3]| {
        let mut key: Vec<(usize, usize)> = parts.into_iter().filter(|(steps, _)| *steps > 0).collect();
        key.sort_unstable_by_key(|(_, corner)| *corner);
        let direction: Vec3 = key.iter().map(|(steps, corner)| corners[*corner] * *steps as f64).sum();
        *number.entry(key).or_insert_with(|| {
            positions.push(center + direction.normalize() * radius);
            VertexId::new(positions.len() - 1)
        })
    };
    let mut triangles = Vec::with_capacity(20 * cells * cells);
    for [a, b, c] in faces(&corners) {
        let mut at = |i: usize, j: usize| vertex([(cells - i - j, a), (i, b), (j, c)]);
        for (i, j) in (0..cells).flat_map(|i| (0..cells - i).map(move |j| (i, j))) {
            triangles.push([at(i, j), at(i + 1, j), at(i, j + 1)]);
            if i + j + 2 <= cells {
                triangles.push([at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
            }
        }
    }
    TriMesh::new(positions, triangles)
}

/// The twelve corners (0, ±1, ±φ) and their rotations, φ the golden ratio.
fn icosahedron() -> Vec<Vec3> {
    let golden = (1.0 + 5.0_f64.sqrt()) / 2.0;
    let signs = [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)];
    let turned = |turn: usize, (s, t): (f64, f64)| {
        let mut corner = Vec3::zeros();
        corner[(turn + 1) % 3] = s;
        corner[(turn + 2) % 3] = t * golden;
        corner
    };
    (0..3).flat_map(|turn| signs.map(|sign| turned(turn, sign))).collect()
}

/// Three corners are a face when all are neighbours, two apart; counter-clockwise seen from outside.
fn faces(corners: &[Vec3]) -> Vec<[usize; 3]> {
    let meet = |i: usize, j: usize| (corners[i] - corners[j]).norm() < 2.1;
    let mut found = Vec::with_capacity(20);
    for i in 0..12 {
        for j in (i + 1)..12 {
            for k in (j + 1)..12 {
                if meet(i, j) && meet(j, k) && meet(k, i) {
                    let outward = corners[i].dot(&corners[j].cross(&corners[k])) > 0.0;
                    found.push(if outward { [i, j, k] } else { [i, k, j] });
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn a_ball_is_round_closed_and_looks_outward() {
        let center = Vec3::new(1.0, -2.0, 3.0);
        let mesh = ball(center, 0.5, 10).unwrap();
        assert_eq!((mesh.positions().len(), mesh.triangles().len()), (1_002, 2_000));
        assert!(mesh.positions().iter().all(|p| ((p - center).norm() - 0.5).abs() < 1e-14));
        let corners = || mesh.triangles().iter().map(|t| t.map(|v| mesh.positions()[v.index()] - center));
        let volume: f64 = corners().map(|[a, b, c]| a.dot(&b.cross(&c)) / 6.0).sum();
        assert!((volume / (4.0 / 3.0 * PI * 0.125) - 1.0).abs() < 0.01, "{volume}");
        let areas: Vec<f64> = corners().map(|[a, b, c]| (b - a).cross(&(c - a)).norm()).collect();
        let (least, most) = areas.iter().fold((f64::MAX, 0.0_f64), |(l, m), a| (l.min(*a), m.max(*a)));
        assert!(most < 2.5 * least, "{least} {most}");
        // Closed: every edge once in each direction.
        let edges = || mesh.triangles().iter().flat_map(|[a, b, c]| [(*a, *b), (*b, *c), (*c, *a)]);
        let both: std::collections::HashSet<_> = edges().collect();
        assert!(both.len() == 6_000 && edges().all(|(a, b)| both.contains(&(b, a))));
        assert_eq!(ball(center, 0.5, 1).unwrap().triangles().len(), 20);
    }

    #[test]
    fn a_ball_without_cells_or_size_is_refused() {
        assert_eq!(ball(Vec3::zeros(), 1.0, 0), Err(MeshError::Empty("vertices")));
        assert!(matches!(ball(Vec3::zeros(), 0.0, 2), Err(MeshError::ZeroArea { .. })));
        assert!(matches!(ball(Vec3::zeros(), f64::NAN, 2), Err(MeshError::NonFinite { .. })));
    }
}
