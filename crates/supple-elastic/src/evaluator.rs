//! Asking a body again and again.
//!
//! Newton's method and time stepping evaluate force and stiffness hundreds of times on one body with one
//! set of anchors. The evaluator plans the assembly once and keeps every buffer, so that nothing large is
//! allocated per call; the results are those of [`ElasticBody::force`] and [`ElasticBody::stiffness`], bit
//! for bit.

use crate::elements::Block;
use crate::{ElasticBody, FreeVertices};
use std::sync::Arc;
use supple_numerics::sparse::{Assembly, BlockMatrix};

/// A body of any kind, a set of free vertices and the room to compute in.
#[derive(Debug)]
pub struct Evaluator {
    body: Arc<ElasticBody>,
    assembly: Assembly,
    corner_forces: Vec<[f64; 3]>,
    element_blocks: Vec<Block>,
}

impl Evaluator {
    /// Room for `body` with the stiffness over the vertices of `free`.
    ///
    /// # Panics
    /// When `free` is of another body.
    #[must_use]
    pub fn new(body: Arc<ElasticBody>, free: &FreeVertices) -> Self {
        let assembly = body.assembly(free);
        let corner_forces = body.elements().corner_room();
        let element_blocks = body.elements().block_room();
        Self { body, assembly, corner_forces, element_blocks }
    }

    /// The body that is evaluated.
    #[must_use]
    pub fn body(&self) -> &Arc<ElasticBody> {
        &self.body
    }

    /// A matrix for [`Self::stiffness`] to write to.
    #[must_use]
    pub fn zeros(&self) -> BlockMatrix {
        self.assembly.zeros()
    }

    /// Overwrites `force` with R(u) on every vertex, anchored ones included: see [`ElasticBody::force`].
    ///
    /// # Panics
    /// When a slice has not three numbers per vertex.
    pub fn force(&mut self, u: &[f64], force: &mut [f64]) {
        self.body.force_with(u, &mut self.corner_forces, force);
    }

    /// Overwrites `stiffness` with K(u) over the free vertices: see [`ElasticBody::stiffness`].
    ///
    /// # Panics
    /// When `u` has not three numbers per vertex or `stiffness` is not from [`Self::zeros`].
    pub fn stiffness(&mut self, u: &[f64], stiffness: &mut BlockMatrix) {
        self.body.stiffness_with(u, &self.assembly, &mut self.element_blocks, stiffness);
    }
}
