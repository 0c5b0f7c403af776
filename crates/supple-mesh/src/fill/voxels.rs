//! Voxels around a surface: those its triangles pass through and those inside.

use super::enclosed::Enclosed;
use super::grid::{Block, inside};
use crate::stuffing::Grid;
use crate::surface::VOXEL_FACES;
use crate::{Aabb, FillError, Filling, Vec3, VoxelMesh, hinges};
use rayon::prelude::*;
use supple_model::{Progress, VertexId};

/// Which voxels are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VoxelRule {
    /// Those whose centre is inside and those the surface passes through. The surface lies within
    /// the voxels, so that as a skin it never extrapolates, and thin parts stay whole; the volume is
    /// too large by about half a voxel all around. An open surface becomes a sheet of voxels.
    Covering,
    /// Those whose centre is inside. The volume is right on average; parts thinner than a voxel go,
    /// and the surface sticks out by up to half a voxel.
    Centres,
}

/// A voxel whose inside, shrunk by this part, a triangle misses is not touched: a triangle between
/// two voxels belongs to neither.
const SHRINK: f64 = 1e-9;

/// The voxels of one `cell` size that the rule keeps; those that share no face are taken apart.
pub(super) fn voxels(
    solid: &Enclosed,
    cell: f64,
    rule: VoxelRule,
    progress: &Progress,
) -> Result<VoxelMesh, FillError> {
    let centres = centres(solid, cell)?;
    progress.check()?;
    let mut kept = match (solid.check_closed(), rule) {
        (Ok(()), _) => inside(solid, &centres),
        (Err(open), VoxelRule::Centres) => return Err(open),
        (Err(_), VoxelRule::Covering) => vec![false; centres.counts.iter().product()],
    };
    progress.check()?;
    if rule == VoxelRule::Covering {
        for voxel in touched(solid, &centres) {
            kept[voxel] = true;
        }
    }
    progress.check()?;
    let all = Block { low: [0; 3], high: centres.counts };
    let cells: Vec<[usize; 3]> =
        all.points().zip(kept).filter_map(|(cell, kept)| kept.then_some(cell)).collect();
    if cells.is_empty() {
        return Err(FillError::Nothing { cell });
    }
    let low = centres.origin.add_scalar(-cell / 2.0);
    let mesh = VoxelMesh::of_cells(low, Vec3::repeat(cell), &cells)?;
    let mut nodes: Vec<VertexId> = (0..mesh.positions().len()).map(VertexId::new).collect();
    let mut voxels = mesh.voxels().to_vec();
    hinges::split(&mut nodes, &mut voxels, &VOXEL_FACES);
    Ok(VoxelMesh::new(nodes.iter().map(|n| mesh.positions()[n.index()]).collect(), voxels)?)
}

/// The centres of the fewest cubes that hold the surface.
fn centres(solid: &Enclosed, cell: f64) -> Result<Grid, FillError> {
    let size = solid.bounds().size();
    if !(cell > 0.0 && cell.is_finite() && size.iter().all(|s| s.is_finite())) {
        return Err(FillError::Settings { size, cell });
    }
    let counts = size.map(|s| (s / cell - SHRINK).ceil().max(1.0));
    let (cells, limit) = (counts.product(), Filling::MAX_CELLS);
    if cells > limit as f64 {
        return Err(FillError::TooManyCells { cells, limit, cell });
    }
    let origin = solid.bounds().center() - counts.add_scalar(-1.0) * (cell / 2.0);
    Ok(Grid { origin, step: cell, counts: [counts.x as usize, counts.y as usize, counts.z as usize] })
}

/// The numbers of the voxels that triangles pass through, some of them several times.
fn touched(solid: &Enclosed, centres: &Grid) -> Vec<usize> {
    let half = centres.step / 2.0 * (1.0 - SHRINK);
    let [nx, ny, _] = centres.counts;
    let nearest = |point: &Vec3| {
        let steps = (point - centres.origin) / centres.step;
        [0, 1, 2].map(|i| (steps[i].round().max(0.0) as usize).min(centres.counts[i] - 1))
    };
    let touches = |triangle: &[Vec3; 3]| {
        let bounds = Aabb::around(triangle);
        let near = Block { low: nearest(&bounds.min), high: nearest(&bounds.max).map(|last| last + 1) };
        let mut found = near.points().collect::<Vec<_>>();
        found.retain(|voxel| meets_box(triangle, &centres.position(*voxel), half));
        found.into_iter().map(|[i, j, k]| i + nx * (j + ny * k))
    };
    solid.triangles().corners().par_iter().flat_map_iter(touches).collect()
}

/// Whether a triangle has a point within a cube: what is left of it after cutting along the six
/// faces (Sutherland and Hodgman 1974).
fn meets_box(triangle: &[Vec3; 3], center: &Vec3, half: f64) -> bool {
    let mut polygon: Vec<Vec3> = triangle.iter().map(|p| p - center).collect();
    let mut rest = Vec::with_capacity(9);
    for side in 0..6 {
        let (axis, sign) = (side / 2, if side % 2 == 0 { 1.0 } else { -1.0 });
        let room = |p: &Vec3| half - sign * p[axis];
        rest.clear();
        for (k, p) in polygon.iter().enumerate() {
            let q = &polygon[(k + 1) % polygon.len()];
            let (here, there) = (room(p), room(q));
            if here >= 0.0 {
                rest.push(*p);
            }
            if (here >= 0.0) != (there >= 0.0) {
                rest.push(p.lerp(q, here / (here - there)));
            }
        }
        std::mem::swap(&mut polygon, &mut rest);
        if polygon.is_empty() {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn point() -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-2.0..2.0).prop_map(Vec3::from)
    }

    proptest! {
        /// The separating axes of two convex bodies (Akenine-Möller 2001) as an independent test.
        #[test]
        fn a_triangle_meets_a_box_unless_an_axis_separates_them(
            corners in prop::array::uniform3(point()), half in 0.1..1.0
        ) {
            let edges = [corners[1] - corners[0], corners[2] - corners[1], corners[0] - corners[2]];
            let mut axes = vec![Vec3::x(), Vec3::y(), Vec3::z(), edges[0].cross(&edges[1])];
            axes.extend((0..3).flat_map(|i| edges.map(|e| Vec3::ith(i, 1.0).cross(&e))));
            let separates = |axis: &Vec3| {
                let reach = half * axis.abs().sum();
                let along = corners.map(|c| c.dot(axis));
                along.iter().all(|x| *x > reach) || along.iter().all(|x| *x < -reach)
            };
            prop_assert_eq!(meets_box(&corners, &Vec3::zeros(), half), !axes.iter().any(separates));
        }
    }
}
