//! Surfaces to fill, and ways to damage them.

use crate::{TriMesh, Vec3};
use proptest::prelude::*;
use std::f64::consts::PI;
use supple_model::VertexId;

/// A closed ball of rings of triangles, `rings` from pole to pole and twice as many around, the
/// triangles counter-clockwise seen from outside.
pub(super) fn ball(center: Vec3, radius: f64, rings: usize) -> TriMesh {
    let around = 2 * rings;
    let vertex = |ring: usize, step: usize| match ring {
        0 => VertexId(0),
        r if r == rings => VertexId(1),
        r => VertexId::new(2 + (r - 1) * around + step % around),
    };
    let mut positions = vec![center + Vec3::z() * radius, center - Vec3::z() * radius];
    for ring in 1..rings {
        for step in 0..around {
            let (polar, turn) = (PI * ring as f64 / rings as f64, PI * step as f64 / rings as f64);
            let at = Vec3::new(polar.sin() * turn.cos(), polar.sin() * turn.sin(), polar.cos());
            positions.push(center + at * radius);
        }
    }
    let mut triangles = Vec::new();
    for (ring, step) in (0..rings).flat_map(|r| (0..around).map(move |s| (r, s))) {
        let [a, b, c, d] =
            [vertex(ring, step), vertex(ring + 1, step), vertex(ring + 1, step + 1), vertex(ring, step + 1)];
        if b != c {
            triangles.push([a, b, c]);
        }
        if a != d {
            triangles.push([a, c, d]);
        }
    }
    TriMesh::new(positions, triangles).unwrap()
}

/// The corners of all triangles.
pub(super) fn soup(mesh: &TriMesh) -> Vec<[Vec3; 3]> {
    mesh.triangles().iter().map(|t| t.map(|v| mesh.positions()[v.index()])).collect()
}

/// A mesh of triangles that share nothing, not even vertices.
pub(super) fn from_soup(soup: &[[Vec3; 3]]) -> TriMesh {
    let triangles = (0..soup.len()).map(|t| [0, 1, 2].map(|k| VertexId::new(3 * t + k))).collect();
    TriMesh::skin(soup.as_flattened().to_vec(), triangles).unwrap()
}

/// What may happen to a triangle.
#[derive(Clone, Copy, Debug)]
pub(super) enum Harm {
    Lost,
    Turned,
    Doubled,
    DoubledAndTurned,
    /// Each corner moved by this.
    Torn(Vec3),
}

/// Harm to one triangle, chosen by a number below 1, and how far corners are torn at most.
pub(super) fn harm() -> impl Strategy<Value = (f64, Harm)> {
    let tear = prop::array::uniform3(-0.03..0.03).prop_map(|d| Harm::Torn(Vec3::from(d)));
    let kinds = prop_oneof![
        Just(Harm::Lost),
        Just(Harm::Turned),
        Just(Harm::Doubled),
        Just(Harm::DoubledAndTurned),
        tear
    ];
    (0.0..1.0, kinds)
}

/// The triangles after the harm is done.
pub(super) fn damaged(mut soup: Vec<[Vec3; 3]>, harms: &[(f64, Harm)]) -> TriMesh {
    for (which, harm) in harms {
        let t = (which * soup.len() as f64) as usize;
        let [a, b, c] = soup[t];
        match harm {
            Harm::Lost => drop(soup.swap_remove(t)),
            Harm::Turned => soup[t] = [a, c, b],
            Harm::Doubled => soup.push([b, c, a]),
            Harm::DoubledAndTurned => soup.push([b, a, c]),
            Harm::Torn(by) => soup[t] = [a + by, b - by, c + by],
        }
    }
    from_soup(&soup)
}
