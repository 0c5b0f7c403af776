//! What an edit moves: the vertices of the body, or those of its skin where the input is a motion of the skin.
//!
//! The modes are always those of the body. A skin rides on the body with weights E (each row sums to 1), so
//! that its modes are E U: a surface without a volume of its own, open or not manifold, is edited with the
//! modes of the voxels around it, and warped as the triangles it is.
//!
//! An edit may be confined to a part of the body. Its modes are then those of the part, held where it meets
//! the rest; everything else stays as the input has it.

use super::EditError;
use crate::body::{Body, RestMesh, Skin};
use crate::motion::Moving;
use faer::Mat;
use rayon::prelude::*;
use supple_elastic::{Basis, FreeVertices, Modes, Warp, WarpError, vertex_areas};
use supple_mesh::{Aabb, Vec3};
use supple_model::VertexId;

/// What an edit moves.
#[derive(Debug)]
pub(in crate::method) struct Figure {
    /// Body or skin.
    pub of: Moving,
    /// Where its vertices are at rest.
    pub positions: Vec<Vec3>,
    /// The vertices an edit may move.
    pub free: FreeVertices,
    /// What its vertices weigh: masses of the body, areas of the skin.
    pub weights: Vec<f64>,
    /// The diagonal of the box around it at rest: the unit of errors.
    pub size: f64,
}

/// The vertices of the body that an edit may move: all that are not anchored, or those of a part.
pub(super) fn movable(body: &Body, part: Option<&str>) -> Result<FreeVertices, EditError> {
    let Some(name) = part else { return Ok(body.free.clone()) };
    let members = body.groups.get(name)?;
    let held: Vec<VertexId> = (0..body.positions().len())
        .map(VertexId::new)
        .filter(|v| members.binary_search(v).is_err() || body.free.index(*v).is_none())
        .collect();
    if held.len() == body.positions().len() {
        return Err(EditError::NothingMoves { part: name.into() });
    }
    Ok(FreeVertices::except(body.positions().len(), &held)?)
}

impl Figure {
    /// What moves in a motion of the body or of its skin, `free` the body's vertices that may.
    pub fn new(body: &Body, of: Moving, free: &FreeVertices) -> Result<Self, EditError> {
        let (positions, free, weights) = match (of, &body.skin) {
            (Moving::Skin, Some(skin)) => {
                let weights = vertex_areas(&skin.mesh);
                (skin.mesh.positions().to_vec(), carried(skin, free)?, weights)
            }
            _ => (body.positions().to_vec(), free.clone(), body.elastic.masses().to_vec()),
        };
        let size = Aabb::around(&positions).size().norm();
        Ok(Self { of, positions, free, weights, size })
    }

    /// The warp of its elements.
    pub fn warp(&self, body: &Body) -> Result<Warp, WarpError> {
        if let (Moving::Skin, Some(skin)) = (self.of, &body.skin) {
            return Warp::new(&skin.mesh, &self.weights, &self.free);
        }
        match &body.rest {
            RestMesh::Tets(mesh) => Warp::new(mesh, &self.weights, &self.free),
            RestMesh::Voxels(mesh) => Warp::new(mesh, &self.weights, &self.free),
            RestMesh::Triangles(mesh) => Warp::new(mesh, &self.weights, &self.free),
        }
    }

    /// The modes of the body at its vertices.
    pub fn basis(&self, body: &Body, modes: Modes) -> Basis {
        let (Moving::Skin, Some(skin)) = (self.of, &body.skin) else { return Basis::of(modes) };
        let rows: Vec<_> = skin.embedding.rows().collect();
        let mut shapes = Mat::zeros(3 * self.free.vertices().len(), modes.count());
        shapes.par_col_iter_mut().enumerate().for_each(|(k, mut column)| {
            let shape = modes.shape(k);
            for (place, v) in self.free.vertices().iter().enumerate() {
                let (corners, weights) = rows[v.index()];
                for (corner, weight) in corners.iter().zip(weights) {
                    let Some(at) = modes.free().index(*corner) else { continue };
                    for c in 0..3 {
                        column[3 * place + c] += weight * shape[3 * at + c];
                    }
                }
            }
        });
        Basis::new(shapes, self.free.clone())
    }
}

/// The vertices of a skin that move when those of the body do.
fn carried(skin: &Skin, free: &FreeVertices) -> Result<FreeVertices, EditError> {
    let rows = skin.embedding.rows().enumerate();
    let moves = |(corners, weights): (&[VertexId], &[f64])| {
        corners.iter().zip(weights).any(|(v, weight)| *weight != 0.0 && free.index(*v).is_some())
    };
    let held: Vec<VertexId> = rows.filter(|(_, row)| !moves(*row)).map(|(v, _)| VertexId::new(v)).collect();
    Ok(FreeVertices::except(skin.mesh.positions().len(), &held)?)
}
