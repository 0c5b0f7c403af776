//! What moves in an input motion: the body, or its skin.

use crate::body::Body;
use crate::motion::{InputMotion, Moving};
use supple_mesh::{Aabb, Vec3};
use supple_model::VertexId;

/// What moves in an input motion.
pub(super) struct Moved<'a> {
    /// Its vertices at rest.
    pub rest: &'a [Vec3],
    /// Its surface.
    pub triangles: &'a [[VertexId; 3]],
    /// Whether each vertex is anchored: no edit moves it.
    pub held: Vec<bool>,
    /// The diagonal of its box at rest.
    pub size: f64,
    /// Its name.
    pub name: &'static str,
}

impl<'a> Moved<'a> {
    /// What moves in `input`.
    pub fn of(body: &'a Body, input: &InputMotion) -> Self {
        let is_anchored = |v: &VertexId| body.anchors.binary_search(v).is_ok();
        let (rest, triangles, held, name) = match (&body.skin, input.of) {
            (Some(skin), Moving::Skin) => {
                let rides_on_anchors = |(corners, weights): (&[VertexId], &[f64])| {
                    corners.iter().zip(weights).all(|(v, w)| *w == 0.0 || is_anchored(v))
                };
                let held = skin.embedding.rows().map(rides_on_anchors).collect();
                (skin.mesh.positions(), skin.mesh.triangles(), held, "skin")
            }
            _ => {
                let held = (0..body.positions().len()).map(|v| is_anchored(&VertexId::new(v))).collect();
                (body.positions(), &body.surface[..], held, "body")
            }
        };
        Self { rest, triangles, held, size: Aabb::around(rest).size().norm(), name }
    }

    /// The vertices of the surface, ascending.
    pub fn surface_vertices(&self) -> Vec<VertexId> {
        vertices_of(self.triangles)
    }
}

/// The vertices of some triangles, ascending.
pub(crate) fn vertices_of(triangles: &[[VertexId; 3]]) -> Vec<VertexId> {
    let mut vertices: Vec<VertexId> = triangles.iter().flatten().copied().collect();
    vertices.sort_unstable();
    vertices.dedup();
    vertices
}
