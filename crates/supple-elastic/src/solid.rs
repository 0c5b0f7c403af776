//! Solids: bodies of tetrahedra.
//!
//! E(u) = Σ_e V_e Ψ(F_e), summed over the elements; see [`crate::Law`] for Ψ. Elements are evaluated in
//! runs of fixed length into a buffer, then every vertex adds up its own entries in the order of the
//! elements. No two threads write to one place and no sum depends on how many threads there are: the
//! results are the same bits on any number of them.

use crate::element::{BLOCKS, Block, Element, ElementForces, Kernel};
use crate::law::Lame;
use crate::region::element_materials;
use crate::{ElasticError, FreeVertices, Material, Region};
use rayon::prelude::*;
use supple_mesh::TetMesh;
use supple_model::ElementId;
use supple_numerics::sparse::{Assembly, BlockMatrix};

/// Elements evaluated as one task.
const ELEMENTS_PER_TASK: usize = 256;
/// Vertices summed as one task.
const VERTICES_PER_TASK: usize = 512;

/// A tetrahedral body at rest: its mesh, what it is made of, and how it answers to displacements.
///
/// A displacement is a slice of 3n numbers, vertex by vertex, x y z, measured from rest.
#[derive(Debug)]
pub struct Solid {
    mesh: TetMesh,
    kernel: Kernel,
    elements: Vec<Element>,
    incidence: Incidence,
    masses: Vec<f64>,
}

impl Solid {
    /// Makes `mesh` of `material`, and of something else in `regions`.
    ///
    /// # Errors
    /// Says which number of which region is not usable: see [`ElasticError`].
    pub fn new(mesh: TetMesh, material: Material, regions: &[Region]) -> Result<Self, ElasticError> {
        let materials = element_materials(&mesh, material, regions)?;
        let mut masses = vec![0.0; mesh.positions().len()];
        let mut elements = Vec::with_capacity(materials.len());
        for (e, material) in materials.iter().enumerate() {
            let lame = Lame { mu: material.lame_mu(), lambda: material.lame_lambda() };
            let element = Element::new(&mesh, ElementId::new(e), lame);
            for vertex in mesh.tets()[e] {
                masses[vertex.index()] += material.density * element.volume() / 4.0;
            }
            elements.push(element);
        }
        let incidence = Incidence::new(&mesh);
        Ok(Self { mesh, kernel: Kernel::of(material.law), elements, incidence, masses })
    }

    /// The rest shape.
    #[must_use]
    pub fn mesh(&self) -> &TetMesh {
        &self.mesh
    }

    /// The lumped mass of every vertex, kilograms: a quarter of each of its elements' masses.
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
        let runs = self.elements.par_chunks(ELEMENTS_PER_TASK);
        let energies: Vec<f64> = runs.map(|run| (self.kernel.energy)(run, u)).collect();
        energies.iter().sum()
    }

    /// R(u) = ∂E/∂u, newtons, three numbers per vertex: the force that holds the body at `u`. The body
    /// itself pulls back with −R.
    ///
    /// # Panics
    /// When `u` has not three numbers per vertex.
    #[must_use]
    pub fn force(&self, u: &[f64]) -> Vec<f64> {
        let mut element_forces = vec![Default::default(); self.elements.len()];
        let mut force = vec![0.0; u.len()];
        self.force_with(u, &mut element_forces, &mut force);
        force
    }

    /// K(u) = ∂R/∂u over the free vertices, newtons per metre.
    ///
    /// # Panics
    /// When `u` has not three numbers per vertex or `free` is of another body.
    #[must_use]
    pub fn stiffness(&self, u: &[f64], free: &FreeVertices) -> BlockMatrix {
        let assembly = self.assembly(free);
        let mut element_blocks = vec![Default::default(); self.elements.len()];
        let mut stiffness = assembly.zeros();
        self.stiffness_with(u, &assembly, &mut element_blocks, &mut stiffness);
        stiffness
    }

    /// The plan by which element blocks become a matrix over the free vertices.
    pub(crate) fn assembly(&self, free: &FreeVertices) -> Assembly {
        assert_eq!(free.body_vertices(), self.masses.len(), "the free vertices of this body");
        let places: Vec<_> = self.mesh.tets().iter().map(|tet| tet.map(|v| free.index(v))).collect();
        Assembly::new(free.vertices().len(), places.iter())
    }

    pub(crate) fn element_count(&self) -> usize {
        self.elements.len()
    }

    /// [`Self::force`] with the caller's buffers.
    pub(crate) fn force_with(&self, u: &[f64], element_forces: &mut [ElementForces], force: &mut [f64]) {
        self.check_length(u);
        self.check_length(force);
        let runs = self.elements.par_chunks(ELEMENTS_PER_TASK);
        runs.zip(element_forces.par_chunks_mut(ELEMENTS_PER_TASK))
            .for_each(|(run, out)| (self.kernel.forces)(run, u, out));
        self.incidence.sum(element_forces.as_flattened(), force);
    }

    /// [`Self::stiffness`] with the caller's buffers.
    pub(crate) fn stiffness_with(
        &self,
        u: &[f64],
        assembly: &Assembly,
        element_blocks: &mut [[Block; BLOCKS]],
        stiffness: &mut BlockMatrix,
    ) {
        self.check_length(u);
        let runs = self.elements.par_chunks(ELEMENTS_PER_TASK);
        runs.zip(element_blocks.par_chunks_mut(ELEMENTS_PER_TASK))
            .for_each(|(run, out)| (self.kernel.blocks)(run, u, out));
        assembly.sum(element_blocks.as_flattened(), stiffness);
    }

    fn check_length(&self, u: &[f64]) {
        assert_eq!(u.len(), 3 * self.masses.len(), "three numbers per vertex");
    }
}

/// For every vertex, the corners of elements that are this vertex, in the order of the elements.
#[derive(Debug)]
struct Incidence {
    /// The corners of vertex v: `corners[starts[v]..starts[v + 1]]`.
    starts: Vec<usize>,
    /// 4·element + corner.
    corners: Vec<usize>,
}

impl Incidence {
    fn new(mesh: &TetMesh) -> Self {
        let vertices = mesh.tets().as_flattened();
        let mut starts = vec![0; mesh.positions().len() + 1];
        for v in vertices {
            starts[v.index() + 1] += 1;
        }
        for v in 1..starts.len() {
            starts[v] += starts[v - 1];
        }
        let mut next = starts.clone();
        let mut corners = vec![0; vertices.len()];
        for (corner, v) in vertices.iter().enumerate() {
            corners[next[v.index()]] = corner;
            next[v.index()] += 1;
        }
        Self { starts, corners }
    }

    /// Overwrites `out` with the sum over the corners of each vertex.
    fn sum(&self, corner_values: &[[f64; 3]], out: &mut [f64]) {
        out.par_chunks_mut(3 * VERTICES_PER_TASK).enumerate().for_each(|(task, out)| {
            for (k, out) in out.chunks_exact_mut(3).enumerate() {
                let v = task * VERTICES_PER_TASK + k;
                let mut sum = [0.0; 3];
                for &corner in &self.corners[self.starts[v]..self.starts[v + 1]] {
                    for c in 0..3 {
                        sum[c] += corner_values[corner][c];
                    }
                }
                out.copy_from_slice(&sum);
            }
        });
    }
}
