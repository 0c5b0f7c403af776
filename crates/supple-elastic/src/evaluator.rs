//! Asking a solid again and again.
//!
//! Newton's method and time stepping evaluate force and stiffness hundreds of times on one body with one
//! set of anchors. The evaluator plans the assembly once and keeps every buffer, so that nothing large is
//! allocated per call; the results are those of [`Solid::force`] and [`Solid::stiffness`], bit for bit.

use crate::element::{BLOCKS, Block, ElementForces};
use crate::{FreeVertices, Solid};
use std::sync::Arc;
use supple_numerics::sparse::{Assembly, BlockMatrix};

/// A solid, a set of free vertices and the room to compute in.
#[derive(Debug)]
pub struct Evaluator {
    solid: Arc<Solid>,
    assembly: Assembly,
    element_forces: Vec<ElementForces>,
    element_blocks: Vec<[Block; BLOCKS]>,
}

impl Evaluator {
    /// Room for `solid` with the stiffness over the vertices of `free`.
    ///
    /// # Panics
    /// When `free` is of another body.
    #[must_use]
    pub fn new(solid: Arc<Solid>, free: &FreeVertices) -> Self {
        let assembly = solid.assembly(free);
        let elements = solid.element_count();
        Self {
            solid,
            assembly,
            element_forces: vec![Default::default(); elements],
            element_blocks: vec![Default::default(); elements],
        }
    }

    /// The body that is evaluated.
    #[must_use]
    pub fn solid(&self) -> &Arc<Solid> {
        &self.solid
    }

    /// A matrix for [`Self::stiffness`] to write to.
    #[must_use]
    pub fn zeros(&self) -> BlockMatrix {
        self.assembly.zeros()
    }

    /// Overwrites `force` with R(u) on every vertex, anchored ones included: see [`Solid::force`].
    ///
    /// # Panics
    /// When a slice has not three numbers per vertex.
    pub fn force(&mut self, u: &[f64], force: &mut [f64]) {
        self.solid.force_with(u, &mut self.element_forces, force);
    }

    /// Overwrites `stiffness` with K(u) over the free vertices: see [`Solid::stiffness`].
    ///
    /// # Panics
    /// When `u` has not three numbers per vertex or `stiffness` is not from [`Self::zeros`].
    pub fn stiffness(&mut self, u: &[f64], stiffness: &mut BlockMatrix) {
        self.solid.stiffness_with(u, &self.assembly, &mut self.element_blocks, stiffness);
    }
}
