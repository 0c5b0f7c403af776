//! Which vertices springs run between.

use crate::RestShape;
use supple_mesh::{MeshError, Vec3};
use supple_model::{ElementId, VertexId};

/// Points in space and the springs between them, no two alike.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    positions: Vec<Vec3>,
    springs: Vec<[VertexId; 2]>,
}

impl Network {
    /// Checks and takes a network: every spring joins two vertices, every vertex has a spring, no spring
    /// repeats another.
    ///
    /// # Errors
    /// Names the first vertex or spring that is not usable: see [`MeshError`].
    pub fn new(positions: Vec<Vec3>, springs: Vec<[VertexId; 2]>) -> Result<Self, MeshError> {
        if positions.is_empty() {
            return Err(MeshError::Empty("vertices"));
        }
        if springs.is_empty() {
            return Err(MeshError::Empty("springs"));
        }
        if let Some(v) = positions.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
            return Err(MeshError::NonFinite { vertex: VertexId::new(v) });
        }
        let mut used = vec![false; positions.len()];
        for (e, &[a, b]) in springs.iter().enumerate() {
            let element = ElementId::new(e);
            for v in [a, b] {
                let Some(flag) = used.get_mut(v.index()) else {
                    return Err(MeshError::BadIndex { element, index: v.0, vertices: positions.len() });
                };
                *flag = true;
            }
            if a == b {
                return Err(MeshError::RepeatedVertex { element, vertex: a });
            }
        }
        if let Some(v) = used.iter().position(|used| !used) {
            return Err(MeshError::IsolatedVertex { vertex: VertexId::new(v) });
        }
        check_duplicates(&springs)?;
        Ok(Self { positions, springs })
    }

    /// Where the vertices are at rest.
    #[must_use]
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// The two ends of every spring.
    #[must_use]
    pub fn springs(&self) -> &[[VertexId; 2]] {
        &self.springs
    }

    /// A spring between any two corners of an element, in the order of the vertices: along the edges of
    /// triangles and tets; along the edges and diagonals of voxels, without which they would shear freely.
    ///
    /// # Errors
    /// Names the first vertex or spring that is not usable: see [`MeshError`].
    pub fn between_corners<const N: usize>(
        positions: Vec<Vec3>,
        elements: &[[VertexId; N]],
    ) -> Result<Self, MeshError> {
        let pairs = |corners: &[VertexId; N]| {
            let corners = *corners;
            (0..N).flat_map(move |a| (0..a).map(move |b| (corners[a], corners[b])))
        };
        let mut springs: Vec<_> =
            elements.iter().flat_map(pairs).map(|(a, b)| [a.min(b), a.max(b)]).collect();
        springs.sort_unstable();
        springs.dedup();
        Self::new(positions, springs)
    }
}

impl RestShape for Network {
    fn positions(&self) -> &[Vec3] {
        &self.positions
    }
}

fn check_duplicates(springs: &[[VertexId; 2]]) -> Result<(), MeshError> {
    let mut sorted: Vec<_> =
        springs.iter().enumerate().map(|(e, &[a, b])| ([a.min(b), a.max(b)], ElementId::new(e))).collect();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        Some(pair) => Err(MeshError::DuplicateElement { first: pair[0].1, second: pair[1].1 }),
        None => Ok(()),
    }
}
