//! Solids: bodies of volume elements, tets or voxels.
//!
//! E(u) = Σ_e ∫_e Ψ(F) dV, with F = I + ∇u the deformation gradient; see [`Law`] for Ψ.

mod tet;
mod voxel;

use crate::elements::{Batch, Element};
use crate::law::{Lame, Linear, NeoHookean, Response, StVenantKirchhoff};
use crate::material::{element_substances, stiffening};
use crate::{ElasticBody, ElasticError, Law, Material, Region, RestShape};
use supple_mesh::{TetMesh, VoxelMesh};
use supple_model::{ElementId, VertexId};

/// A body of tetrahedra.
pub type Solid = ElasticBody<TetMesh>;

/// A body of voxels: trilinear hexahedra, most often cubes.
pub type Voxels = ElasticBody<VoxelMesh>;

impl Solid {
    /// Makes `mesh` of `material`, and of something else in `regions`. Each corner of a tet bears a
    /// quarter of its mass.
    ///
    /// # Errors
    /// Says which number of which region is not usable: see [`ElasticError`].
    pub fn new(mesh: TetMesh, material: Material, regions: &[Region]) -> Result<Self, ElasticError> {
        build(mesh, material, regions)
    }

    /// For every element the last of these regions that says how stiff it is there, by its place among them; none where no
    /// region does.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn stiffness_regions(&self, regions: &[Region]) -> Result<Vec<Option<usize>>, ElasticError> {
        stiffening(self.mesh().corners_of_cells(), self.masses().len(), regions)
    }
}

impl Voxels {
    /// Makes `mesh` of `material`, and of something else in `regions`. Corner a of a voxel bears
    /// ∫ρ N_a dV: an eighth of the mass of a cube.
    ///
    /// # Errors
    /// Says which number of which region is not usable: see [`ElasticError`].
    pub fn new(mesh: VoxelMesh, material: Material, regions: &[Region]) -> Result<Self, ElasticError> {
        build(mesh, material, regions)
    }

    /// For every element the last of these regions that says how stiff it is there, by its place among them; none where no
    /// region does.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn stiffness_regions(&self, regions: &[Region]) -> Result<Vec<Option<usize>>, ElasticError> {
        stiffening(self.mesh().corners_of_cells(), self.masses().len(), regions)
    }
}

/// A mesh of volume elements.
trait Cells: RestShape + Sized {
    type Corners: AsRef<[VertexId]>;
    type Cell<L: Response>: Element;

    /// The corners of every element.
    fn corners_of_cells(&self) -> &[Self::Corners];

    /// One element.
    fn cell<L: Response>(&self, element: ElementId, lame: Lame) -> Self::Cell<L>;

    /// Hands each corner of an element its share of the volume.
    fn share_volume(&self, element: ElementId, give: impl FnMut(VertexId, f64));
}

fn build<M: Cells>(mesh: M, material: Material, regions: &[Region]) -> Result<ElasticBody<M>, ElasticError> {
    let vertices = mesh.positions().len();
    let materials = element_substances(mesh.corners_of_cells(), vertices, material, regions)?;
    let mut masses = vec![0.0; vertices];
    for (e, material) in materials.iter().enumerate() {
        mesh.share_volume(ElementId::new(e), |v, volume| masses[v.index()] += material.density * volume);
    }
    let batch = match material.law {
        Law::Linear => batch::<M, Linear>(&mesh, &materials),
        Law::StVenantKirchhoff => batch::<M, StVenantKirchhoff>(&mesh, &materials),
        Law::NeoHookean => batch::<M, NeoHookean>(&mesh, &materials),
    };
    Ok(ElasticBody::of(mesh, masses, vec![batch]))
}

/// The elements under one law, so that choosing it costs nothing inside their loops.
fn batch<M: Cells, L: Response>(mesh: &M, materials: &[Material]) -> Box<dyn Batch> {
    let cell = |(e, material): (usize, &Material)| {
        let lame = Lame { mu: material.lame_mu(), lambda: material.lame_lambda() };
        mesh.cell::<L>(ElementId::new(e), lame)
    };
    Box::new(materials.iter().enumerate().map(cell).collect::<Vec<_>>())
}
