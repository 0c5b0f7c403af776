//! Triangle meshes, and the checks every kind of mesh shares.

use crate::{MeshError, Vec3};
use std::collections::HashMap;
use supple_model::{ElementId, VertexId};

/// A triangle mesh. It need be neither closed nor manifold.
#[derive(Clone, Debug, PartialEq)]
pub struct TriMesh {
    positions: Vec<Vec3>,
    triangles: Vec<[VertexId; 3]>,
}

impl TriMesh {
    /// Checks and takes a mesh that is to be a body: every triangle has area, every vertex belongs
    /// to one, none repeats another.
    ///
    /// # Errors
    /// Names the first vertex or triangle that is not usable: see [`MeshError`].
    pub fn new(positions: Vec<Vec3>, triangles: Vec<[VertexId; 3]>) -> Result<Self, MeshError> {
        let mesh = Self::skin(positions, triangles)?;
        check_repeats(&mesh.triangles)?;
        for (t, triangle) in mesh.triangles.iter().enumerate() {
            let [a, b, c] = triangle.map(|v| mesh.positions[v.index()]);
            let edge = [b - a, c - a, c - b].iter().map(Vec3::norm).fold(0.0, f64::max);
            if (b - a).cross(&(c - a)).norm() <= 1e-14 * edge * edge {
                return Err(MeshError::ZeroArea { element: ElementId::new(t) });
            }
        }
        check_isolated(mesh.positions.len(), &mesh.triangles)?;
        check_duplicates(&mesh.triangles)?;
        Ok(mesh)
    }

    /// Checks and takes a mesh that only rides on a body: render meshes from outside hold slivers,
    /// collapsed or repeated triangles and unused vertices, which do no harm there and whose
    /// numbering must stay.
    ///
    /// # Errors
    /// A coordinate that is not finite, an index out of range, a mesh without triangles.
    pub fn skin(positions: Vec<Vec3>, triangles: Vec<[VertexId; 3]>) -> Result<Self, MeshError> {
        check_positions(&positions)?;
        check_elements(&positions, &triangles, "triangles")?;
        Ok(Self { positions, triangles })
    }

    /// Where the vertices are at rest.
    #[must_use]
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// The corners of every triangle, counter-clockwise seen from outside.
    #[must_use]
    pub fn triangles(&self) -> &[[VertexId; 3]] {
        &self.triangles
    }
}

pub(crate) fn check_positions(positions: &[Vec3]) -> Result<(), MeshError> {
    if positions.is_empty() {
        return Err(MeshError::Empty("vertices"));
    }
    match positions.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
        Some(v) => Err(MeshError::NonFinite { vertex: VertexId::new(v) }),
        None => Ok(()),
    }
}

pub(crate) fn check_elements<const N: usize>(
    positions: &[Vec3],
    elements: &[[VertexId; N]],
    what: &'static str,
) -> Result<(), MeshError> {
    if elements.is_empty() {
        return Err(MeshError::Empty(what));
    }
    for (e, corners) in elements.iter().enumerate() {
        let element = ElementId::new(e);
        if let Some(vertex) = corners.iter().find(|v| v.index() >= positions.len()) {
            return Err(MeshError::BadIndex { element, index: vertex.0, vertices: positions.len() });
        }
    }
    Ok(())
}

pub(crate) fn check_repeats<const N: usize>(elements: &[[VertexId; N]]) -> Result<(), MeshError> {
    for (e, corners) in elements.iter().enumerate() {
        if let Some(k) = (1..N).find(|&k| corners[..k].contains(&corners[k])) {
            return Err(MeshError::RepeatedVertex { element: ElementId::new(e), vertex: corners[k] });
        }
    }
    Ok(())
}

pub(crate) fn check_isolated<const N: usize>(
    vertices: usize,
    elements: &[[VertexId; N]],
) -> Result<(), MeshError> {
    let mut used = vec![false; vertices];
    for vertex in elements.iter().flatten() {
        used[vertex.index()] = true;
    }
    match used.iter().position(|u| !u) {
        Some(v) => Err(MeshError::IsolatedVertex { vertex: VertexId::new(v) }),
        None => Ok(()),
    }
}

pub(crate) fn check_duplicates<const N: usize>(elements: &[[VertexId; N]]) -> Result<(), MeshError> {
    let mut seen = HashMap::with_capacity(elements.len());
    for (e, corners) in elements.iter().enumerate() {
        let mut key = *corners;
        key.sort_unstable();
        let second = ElementId::new(e);
        if let Some(first) = seen.insert(key, second) {
            return Err(MeshError::DuplicateElement { first, second });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square() -> Vec<Vec3> {
        [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [2.0, 2.0]].map(|[x, y]| Vec3::new(x, y, 0.0)).into()
    }

    fn ids(triangles: &[[u32; 3]]) -> Vec<[VertexId; 3]> {
        triangles.iter().map(|t| t.map(VertexId)).collect()
    }

    fn error(triangles: &[[u32; 3]]) -> MeshError {
        TriMesh::new(square(), ids(triangles)).unwrap_err()
    }

    #[test]
    fn a_sound_mesh_is_taken_as_it_is() {
        let triangles = ids(&[[0, 1, 2], [0, 2, 3]]);
        let mesh = TriMesh::new(square()[..4].to_vec(), triangles.clone()).unwrap();
        assert_eq!((mesh.positions(), mesh.triangles()), (&square()[..4], &triangles[..]));
    }

    #[test]
    fn every_flaw_of_a_body_names_its_culprit() {
        let element = ElementId(1);
        assert_eq!(TriMesh::new(vec![], vec![]), Err(MeshError::Empty("vertices")));
        assert_eq!(error(&[]), MeshError::Empty("triangles"));
        assert_eq!(error(&[[0, 1, 2], [0, 5, 1]]), MeshError::BadIndex { element, index: 5, vertices: 5 });
        assert_eq!(
            error(&[[0, 1, 2], [0, 3, 3]]),
            MeshError::RepeatedVertex { element, vertex: VertexId(3) }
        );
        assert_eq!(error(&[[0, 1, 2], [0, 2, 4]]), MeshError::ZeroArea { element });
        assert_eq!(error(&[[0, 1, 2], [0, 2, 3]]), MeshError::IsolatedVertex { vertex: VertexId(4) });
        assert_eq!(
            error(&[[0, 1, 2], [1, 3, 4], [2, 0, 1]]),
            MeshError::DuplicateElement { first: ElementId(0), second: ElementId(2) }
        );
        let mut positions = square();
        positions[3].y = f64::NAN;
        assert_eq!(
            TriMesh::new(positions, ids(&[[0, 1, 2]])),
            Err(MeshError::NonFinite { vertex: VertexId(3) })
        );
    }

    #[test]
    fn a_skin_may_hold_what_a_body_may_not() {
        let flaws = ids(&[[0, 1, 2], [0, 2, 4], [0, 3, 3], [2, 0, 1]]);
        assert_eq!(TriMesh::skin(square(), flaws.clone()).unwrap().triangles(), flaws);
        assert!(matches!(TriMesh::skin(square(), ids(&[[0, 1, 7]])), Err(MeshError::BadIndex { .. })));
        assert_eq!(TriMesh::skin(square(), vec![]), Err(MeshError::Empty("triangles")));
    }
}
