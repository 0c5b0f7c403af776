//! Filling any surface with tets or voxels.
//!
//! What a surface encloses is decided by its winding number ([`winding`]), so that holes,
//! self-intersections, doubled or turned triangles and non-manifold edges do no harm ([`enclosed`]).
//! Tets come from isosurface stuffing ([`Filling`]): every dihedral angle is above 10°, none is
//! inverted. `cells` is the resolution: how many cells go along the longest side of the surface. A
//! cube inside holds twelve tets, or is one voxel.
//!
//! Every enclosed part that reaches a lattice point is kept, however small; a part, or the neck
//! between two, that is thinner than a cell may be lost, which leaves the mesh in pieces:
//! [`components`](crate::components) counts them, and [`specks`] tells those that are not worth keeping. Parts that merely
//! touch are taken apart.

#[cfg(test)]
mod damage;
mod enclosed;
mod grid;
mod specks;
#[cfg(test)]
mod tests;
mod voxels;
mod winding;

use crate::{FillError, Filling, TetMesh, TriMesh, VoxelMesh};
use enclosed::Enclosed;
pub(crate) use enclosed::distinct;
pub use specks::{tets_without_specks, voxels_without_specks};
use supple_model::Progress;
pub use voxels::VoxelRule;

/// Fills what a surface encloses with tets, `cells` lattice cubes along its longest side; some tenths of a second of work.
///
/// ```
/// use supple_mesh::{Surface, Vec3, fill_tets, shapes::box_mesh};
/// use supple_model::Progress;
/// let body = box_mesh(Vec3::new(2.0, 1.0, 1.0), [2, 1, 1])?;
/// let skin = Surface::of(&body).to_mesh(body.positions())?;
/// let filled = fill_tets(&skin, 12, &Progress::silent())?;
/// assert!(filled.tets().len() > 1000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A surface that encloses nothing, or nothing as thick as a cell; no cells or too many; when the caller cancels.
pub fn fill_tets(surface: &TriMesh, cells: usize, progress: &Progress) -> Result<TetMesh, FillError> {
    let solid = Enclosed::new(surface, progress)?;
    let cell = cell(&solid, cells)?;
    solid.check_closed()?;
    Filling::new(solid.bounds(), cell).tets_of(&solid, progress)
}

/// Fills what a surface encloses with voxels, `cells` along its longest side.
///
/// # Errors
/// As [`fill_tets`], but [`VoxelRule::Covering`] takes open surfaces too.
pub fn fill_voxels(
    surface: &TriMesh,
    cells: usize,
    rule: VoxelRule,
    progress: &Progress,
) -> Result<VoxelMesh, FillError> {
    let solid = Enclosed::new(surface, progress)?;
    voxels::voxels(&solid, cell(&solid, cells)?, rule, progress)
}

fn cell(solid: &Enclosed, cells: usize) -> Result<f64, FillError> {
    let size = solid.bounds().size().max();
    // Also of nothing at all, whose box is inside out.
    if size > 0.0 { Ok(size / cells as f64) } else { Err(FillError::NoSize) }
}
