//! Forces of any reduced body, from those of the whole one.

use super::KeyBasis;
use crate::ElasticBody;
use std::sync::Arc;
use supple_model::ReducedDynamics;

/// R, K and their derivative by projection.
#[derive(Debug)]
pub struct ProjectedForces {
    body: Arc<ElasticBody>,
    basis: KeyBasis,
}

impl ProjectedForces {
    /// The forces of a body in a basis.
    ///
    /// # Panics
    /// When the basis is of another body.
    #[must_use]
    pub fn new(body: Arc<ElasticBody>, basis: KeyBasis) -> Self {
        Self { body, basis }
    }
}

impl ReducedDynamics for ProjectedForces {
    fn coordinates(&self) -> usize {
        self.basis.coordinates()
    }

    fn force(&self, z: &[f64], force: &mut [f64]) {
        let _ = (z, force, &self.body);
        todo!()
    }

    fn stiffness(&self, z: &[f64], force: &mut [f64], stiffness: &mut [f64]) {
        let _ = (z, force, stiffness);
        todo!()
    }

    fn curvature(&self, z: &[f64], lambda: &[f64], curvature: &mut [f64]) {
        let _ = (z, lambda, curvature);
        todo!()
    }
}
