//! Forces of a reduced body whose energy is a polynomial of fourth degree (Barbič and James 2005): tets and voxels under
//! the St. Venant–Kirchhoff law; under the linear one the degree is two.

use super::KeyBasis;
use crate::ElasticBody;
use supple_model::{Cancelled, Progress, ReducedDynamics};

/// R, K and their derivative as polynomials of z.
#[derive(Clone, Debug)]
pub struct CubicForces {
    coordinates: usize,
    coefficients: Vec<f64>,
}

impl CubicForces {
    /// Whether the forces of a body are such polynomials.
    #[must_use]
    pub fn fits(body: &ElasticBody) -> bool {
        let _ = body;
        todo!()
    }

    /// The polynomials of a body in a basis; `None` when it has none, see [`Self::fits`].
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn new(body: &ElasticBody, basis: &KeyBasis, progress: &Progress) -> Result<Option<Self>, Cancelled> {
        let _ = (body, basis, progress);
        todo!()
    }

    /// All coefficients, to be kept somewhere.
    #[must_use]
    pub fn coefficients(&self) -> &[f64] {
        &self.coefficients
    }

    /// Polynomials kept earlier; `None` when there are not as many finite coefficients as `coordinates` take.
    #[must_use]
    pub fn from_coefficients(coordinates: usize, coefficients: Vec<f64>) -> Option<Self> {
        let _ = (coordinates, coefficients);
        todo!()
    }
}

impl ReducedDynamics for CubicForces {
    fn coordinates(&self) -> usize {
        self.coordinates
    }

    fn force(&self, z: &[f64], force: &mut [f64]) {
        let _ = (z, force);
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
