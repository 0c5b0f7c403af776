//! The volume of a body, to see whether a motion keeps it.

use crate::body::{Body, RestMesh};
use supple_mesh::{Vec3, signed_volume};
use supple_model::VertexId;

/// The tets of a body, or those its voxels are cut into.
pub(super) struct Volume {
    tets: Vec<[VertexId; 4]>,
    positions: Vec<Vec3>,
    at_rest: f64,
}

/// The corners of a cube, cut into six tets along its diagonal.
const OF_CUBE: [[usize; 4]; 6] =
    [[0, 1, 2, 6], [0, 2, 3, 6], [0, 3, 7, 6], [0, 7, 4, 6], [0, 4, 5, 6], [0, 5, 1, 6]];

impl Volume {
    /// Of a body that has a volume.
    pub fn of(body: &Body) -> Option<Self> {
        let tets: Vec<[VertexId; 4]> = match &body.rest {
            RestMesh::Tets(mesh) => mesh.tets().to_vec(),
            RestMesh::Voxels(mesh) => {
                let cut = |cube: &[VertexId; 8]| OF_CUBE.map(|tet| tet.map(|corner| cube[corner]));
                mesh.voxels().iter().flat_map(cut).collect()
            }
            RestMesh::Triangles(_) => return None,
        };
        let positions = body.positions().to_vec();
        let at_rest = sum(&tets, &positions);
        (at_rest > 0.0).then_some(Self { tets, positions, at_rest })
    }

    /// How much more there is of it than at rest, as a part of that.
    pub fn change(&self, displacement: &[f64]) -> f64 {
        let moved = self.positions.iter().zip(displacement.chunks_exact(3));
        let places: Vec<Vec3> = moved.map(|(x, u)| x + Vec3::from_column_slice(u)).collect();
        sum(&self.tets, &places) / self.at_rest - 1.0
    }
}

fn sum(tets: &[[VertexId; 4]], places: &[Vec3]) -> f64 {
    tets.iter()
        .map(|tet| {
            let [a, b, c, d] = tet.map(|v| places[v.index()]);
            signed_volume(a, b, c, d)
        })
        .sum()
}
