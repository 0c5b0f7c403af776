//! What every elastic body offers, whatever it is made of.

use crate::elements::{Batch, Block, Elements};
use crate::{EigenError, FreeVertices, Modes};
use std::fmt::Debug;
use supple_mesh::{TetMesh, TriMesh, Vec3, VoxelMesh};
use supple_model::Progress;
use supple_numerics::sparse::{Assembly, BlockMatrix};

/// How much an edit's turning costs beside its stretching, see [`ElasticBody::editing_stiffness`]: an edit bends at
/// most about 1/TENSION times as easily as it stretches.
pub const TENSION: f64 = 0.2;

/// The shape a body has when nothing acts on it.
pub trait RestShape: Debug + Send + Sync {
    /// Where the vertices are at rest, metres.
    fn positions(&self) -> &[Vec3];
}

impl RestShape for TetMesh {
    fn positions(&self) -> &[Vec3] {
        self.positions()
    }
}

impl RestShape for VoxelMesh {
    fn positions(&self) -> &[Vec3] {
        self.positions()
    }
}

impl RestShape for TriMesh {
    fn positions(&self) -> &[Vec3] {
        self.positions()
    }
}

/// A body at rest: its shape, its mass, and how it answers to displacements.
///
/// A displacement is a slice of 3n numbers, vertex by vertex, x y z, measured from rest.
///
/// `M` is the mesh: a [`Solid`](crate::Solid) is an `ElasticBody<TetMesh>`, a [`Cloth`](crate::Cloth) an
/// `ElasticBody<TriMesh>`. Code for which the kind does not matter takes a plain `&ElasticBody`; a
/// reference or `Arc` to any kind of body turns into one to that by itself:
///
/// ```
/// use supple_elastic::{ElasticBody, Law, Material, Solid};
/// use supple_mesh::{Vec3, shapes::box_mesh};
///
/// fn weight(body: &ElasticBody) -> f64 {
///     9.81 * body.masses().iter().sum::<f64>()
/// }
///
/// let material = Material { law: Law::Linear, young: 1e6, poisson: 0.3, density: 1000.0 };
/// let solid = Solid::new(box_mesh(Vec3::new(1.0, 0.1, 0.1), [10, 1, 1])?, material, &[])?;
/// assert!((weight(&solid) - 98.1).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ElasticBody<M: ?Sized = dyn RestShape> {
    masses: Vec<f64>,
    elements: Elements,
    mesh: M,
}

impl<M: RestShape> ElasticBody<M> {
    /// A body of these elements; `masses` has one entry per vertex of `mesh`.
    pub(crate) fn of(mesh: M, masses: Vec<f64>, batches: Vec<Box<dyn Batch>>) -> Self {
        let elements = Elements::new(masses.len(), batches);
        Self { masses, elements, mesh }
    }
}

impl<M: RestShape + ?Sized> ElasticBody<M> {
    /// The rest shape.
    #[must_use]
    pub fn mesh(&self) -> &M {
        &self.mesh
    }

    /// Where the vertices are at rest, metres.
    #[must_use]
    pub fn positions(&self) -> &[Vec3] {
        self.mesh.positions()
    }

    /// The lumped mass of every vertex, kilograms.
    #[must_use]
    pub fn masses(&self) -> &[f64] {
        &self.masses
    }

    /// E(u), joules; zero at rest.
    ///
    /// # Panics
    /// When `u` has not three numbers per vertex.
    #[must_use]
    pub fn energy(&self, u: &[f64]) -> f64 {
        self.check_length(u);
        self.elements.energy(u)
    }

    /// How many elements are turned inside out at `u`: tets and voxels can be, triangles and springs not.
    ///
    /// # Panics
    /// When `u` has not three numbers per vertex.
    #[must_use]
    pub fn inverted(&self, u: &[f64]) -> usize {
        self.check_length(u);
        self.elements.inverted(u)
    }

    /// R(u) = ∂E/∂u, newtons, three numbers per vertex: the force that holds the body at `u`. The body
    /// itself pulls back with −R.
    ///
    /// # Panics
    /// When `u` has not three numbers per vertex.
    #[must_use]
    pub fn force(&self, u: &[f64]) -> Vec<f64> {
        let mut force = vec![0.0; u.len()];
        self.force_with(u, &mut self.elements.corner_room(), &mut force);
        force
    }

    /// K(u) = ∂R/∂u over the free vertices, newtons per metre.
    ///
    /// # Panics
    /// When `u` has not three numbers per vertex or `free` is of another body.
    #[must_use]
    pub fn stiffness(&self, u: &[f64], free: &FreeVertices) -> BlockMatrix {
        let assembly = self.assembly(free);
        let mut stiffness = assembly.zeros();
        self.stiffness_with(u, &assembly, &mut self.elements.block_room(), &mut stiffness);
        stiffness
    }

    /// The stiffness that smooth edits are made with, over the free vertices:
    ///
    /// > K_e = K + [`TENSION`] Σ_e E_e L_e ⊗ I
    ///
    /// with E_e Young's modulus of an element and L_e its Laplacian, ∫∇N_a·∇N_b (springs: their own stiffness,
    /// crosswise too). K does not resist turning, and a thin body bends 10³ to 10⁶ times as easily as it stretches:
    /// an edit would grant a small pull by a huge bend. K_e charges turning as an even tension would. K is taken at
    /// rest and without what resists the bending of cloth, so that its thickness does not matter.
    ///
    /// # Panics
    /// When `free` is of another body.
    #[must_use]
    pub fn editing_stiffness(&self, free: &FreeVertices) -> BlockMatrix {
        let assembly = self.assembly(free);
        let mut stiffness = assembly.zeros();
        let mut blocks = self.elements.block_room();
        self.elements.editing_blocks(&vec![0.0; 3 * self.masses.len()], TENSION, &mut blocks);
        assembly.sum(&blocks, &mut stiffness);
        stiffness
    }

    /// The lowest `count` modes around the rest shape, with the vertices of `free` free to move.
    ///
    /// # Errors
    /// More modes than degrees of freedom, cancellation, and failures of the eigensolver: see
    /// [`EigenError`].
    ///
    /// # Panics
    /// When `free` is of another body.
    pub fn modes(&self, free: &FreeVertices, count: usize, progress: &Progress) -> Result<Modes, EigenError> {
        let stiffness = self.stiffness(&vec![0.0; 3 * self.masses.len()], free);
        self.modes_of(&stiffness, free, count, progress)
    }

    /// The lowest `count` solutions of K u = λ M u for a stiffness over the vertices of `free`, such as
    /// [`Self::editing_stiffness`].
    ///
    /// # Errors
    /// As [`Self::modes`].
    ///
    /// # Panics
    /// When `free` or the stiffness is of another body.
    pub fn modes_of(
        &self,
        stiffness: &BlockMatrix,
        free: &FreeVertices,
        count: usize,
        progress: &Progress,
    ) -> Result<Modes, EigenError> {
        assert_eq!(stiffness.dim(), 3 * free.vertices().len(), "a stiffness over these vertices");
        let masses: Vec<f64> = free.vertices().iter().map(|v| self.masses[v.index()]).collect();
        let positions: Vec<[f64; 3]> =
            free.vertices().iter().map(|v| self.positions()[v.index()].into()).collect();
        Modes::compute(stiffness, &masses, &positions, free, count, progress)
    }

    pub(crate) fn elements(&self) -> &Elements {
        &self.elements
    }

    /// The plan by which element blocks become a matrix over the free vertices.
    pub(crate) fn assembly(&self, free: &FreeVertices) -> Assembly {
        assert_eq!(free.body_vertices(), self.masses.len(), "the free vertices of this body");
        self.elements.assembly(free)
    }

    /// [`Self::force`] with the caller's buffers.
    pub(crate) fn force_with(&self, u: &[f64], corner_forces: &mut [[f64; 3]], force: &mut [f64]) {
        self.check_length(u);
        self.check_length(force);
        self.elements.force(u, corner_forces, force);
    }

    /// [`Self::stiffness`] with the caller's buffers.
    pub(crate) fn stiffness_with(
        &self,
        u: &[f64],
        assembly: &Assembly,
        element_blocks: &mut [Block],
        stiffness: &mut BlockMatrix,
    ) {
        self.check_length(u);
        self.elements.blocks(u, element_blocks);
        assembly.sum(element_blocks, stiffness);
    }

    fn check_length(&self, u: &[f64]) {
        assert_eq!(u.len(), 3 * self.masses.len(), "three numbers per vertex");
    }
}
