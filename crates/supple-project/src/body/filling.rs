//! What fills a surface: tets inside of it or voxels around it, without specks.

use super::RestMesh;
use crate::shot::{Fill, FillMethod};
use supple_mesh::{
    FillError, TriMesh, VoxelRule, components, fill_tets, fill_voxels, tets_without_specks,
    voxels_without_specks,
};
use supple_model::Progress;

/// A filling. It takes seconds to make, so whoever has one hands it on.
#[derive(Clone, Debug)]
pub(crate) struct Filling {
    /// How it was made.
    pub fill: Fill,
    /// The body.
    pub mesh: RestMesh,
    /// The tiny loose pieces that were left out.
    pub specks: usize,
}

impl Filling {
    /// Fills a surface.
    pub(crate) fn new(surface: &TriMesh, fill: Fill, progress: &Progress) -> Result<Self, FillError> {
        #[cfg(test)]
        MADE.with_borrow_mut(|made| made.push(fill));
        let (mesh, specks) = match fill.method {
            FillMethod::Tets => {
                let mesh = fill_tets(surface, fill.cells, progress)?;
                progress.check()?;
                let (mesh, specks) = tets_without_specks(mesh, surface)?;
                (RestMesh::Tets(mesh), specks)
            }
            FillMethod::Voxels => {
                let mesh = fill_voxels(surface, fill.cells, VoxelRule::Covering, progress)?;
                progress.check()?;
                let (mesh, specks) = voxels_without_specks(mesh, surface)?;
                (RestMesh::Voxels(mesh), specks)
            }
        };
        Ok(Self { fill, mesh, specks })
    }

    /// The pieces that hang together.
    pub(crate) fn pieces(&self) -> usize {
        let vertices = self.mesh.positions().len();
        match &self.mesh {
            RestMesh::Tets(mesh) => components(vertices, mesh.tets()).count,
            RestMesh::Voxels(mesh) => components(vertices, mesh.voxels()).count,
            RestMesh::Triangles(mesh) => components(vertices, mesh.triangles()).count,
        }
    }
}

#[cfg(test)]
thread_local! {
    /// The fillings this thread made.
    pub(crate) static MADE: std::cell::RefCell<Vec<Fill>> = const { std::cell::RefCell::new(Vec::new()) };
}
