//! A box cut into a regular grid of cubes, each cut into six tets.

use crate::{MeshError, TetMesh, Vec3};
use supple_model::VertexId;

/// A box from the origin to `size`, cut into `cells` cubes along x, y and z; vertices are numbered
/// along x first, then y, then z.
///
/// Each cube is cut into the six tets of Kuhn (1960): one per order in which a path along the axes
/// leads from its lowest to its highest corner. All cubes are cut alike, so their faces match.
///
/// # Errors
/// No cells along some axis, or a size that is not positive and finite.
pub fn box_mesh(size: Vec3, cells: [usize; 3]) -> Result<TetMesh, MeshError> {
    // The axes in the order of the path; odd orders have their middle corners swapped to keep the
    // volume positive.
    const PATHS: [([usize; 2], bool); 6] =
        [([0, 1], false), ([1, 2], false), ([2, 0], false), ([0, 2], true), ([1, 0], true), ([2, 1], true)];
    let [nx, ny, nz] = cells;
    let vertex = |[i, j, k]: [usize; 3]| VertexId::new(i + (nx + 1) * (j + (ny + 1) * k));
    let mut positions = Vec::new();
    for [i, j, k] in grid([nx + 1, ny + 1, nz + 1]) {
        let fraction = |index: usize, count: usize| index as f64 / count as f64;
        positions.push(size.component_mul(&Vec3::new(fraction(i, nx), fraction(j, ny), fraction(k, nz))));
    }
    let mut tets = Vec::with_capacity(6 * nx * ny * nz);
    for low in grid(cells) {
        for (path, swap) in PATHS {
            let mut one = low;
            one[path[0]] += 1;
            let mut two = one;
            two[path[1]] += 1;
            let (b, c) = if swap { (two, one) } else { (one, two) };
            tets.push([low, b, c, low.map(|i| i + 1)].map(vertex));
        }
    }
    if tets.is_empty() {
        return Err(MeshError::Empty("tets"));
    }
    TetMesh::new(positions, tets)
}

/// All index triples below `counts`, the first index running fastest.
fn grid([nx, ny, nz]: [usize; 3]) -> impl Iterator<Item = [usize; 3]> {
    (0..nz).flat_map(move |k| (0..ny).flat_map(move |j| (0..nx).map(move |i| [i, j, k])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Surface, face_neighbours};
    use supple_model::ElementId;

    #[test]
    fn the_tets_fill_the_box_and_match_across_faces() {
        let mesh = box_mesh(Vec3::new(4.0, 1.0, 0.5), [5, 3, 2]).unwrap();
        assert_eq!((mesh.positions().len(), mesh.tets().len()), (6 * 4 * 3, 6 * 30));
        for t in 0..mesh.tets().len() {
            assert!((mesh.volume(ElementId::new(t)) - 2.0 / 180.0).abs() < 1e-15);
        }
        assert_eq!(mesh.positions()[71], Vec3::new(4.0, 1.0, 0.5));
        // Conforming: only faces on the six sides of the box have no tet behind them.
        let open = face_neighbours(mesh.tets()).iter().flatten().filter(|n| n.is_none()).count();
        assert_eq!(open, 2 * 2 * (15 + 10 + 6));
        assert_eq!(Surface::of(&mesh).triangles.len(), open);
    }

    #[test]
    fn a_box_without_cells_or_volume_is_refused() {
        assert_eq!(box_mesh(Vec3::repeat(1.0), [2, 0, 2]), Err(MeshError::Empty("tets")));
        assert!(matches!(box_mesh(Vec3::new(1.0, 0.0, 1.0), [1; 3]), Err(MeshError::ZeroVolume { .. })));
        assert!(matches!(box_mesh(Vec3::new(-1.0, 1.0, 1.0), [1; 3]), Err(MeshError::NegativeVolume { .. })));
        assert!(matches!(box_mesh(Vec3::new(f64::NAN, 1.0, 1.0), [1; 3]), Err(MeshError::NonFinite { .. })));
    }
}
