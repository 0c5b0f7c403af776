//! What a body is made of.
//!
//! An isotropic material is two numbers, Young's modulus and Poisson's ratio; the energies use the Lamé
//! parameters
//!
//! > μ = young / (2 (1 + poisson)), λ = young · poisson / ((1 + poisson)(1 − 2 poisson)).
//!
//! It resists every small deformation exactly when young > 0 and −1 < poisson < 1/2: then μ > 0 and the
//! bulk modulus λ + 2μ/3 > 0.

use crate::{ElasticError, Law, Part};

/// An isotropic elastic material, SI units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// How strain becomes energy.
    pub law: Law,
    /// Young's modulus, pascals: the stress per strain of a bar pulled lengthwise.
    pub young: f64,
    /// Poisson's ratio: how much that bar thins, relative to its stretch.
    pub poisson: f64,
    /// Kilograms per cubic metre.
    pub density: f64,
}

impl Material {
    /// The Lamé parameter μ, the shear modulus, pascals.
    #[must_use]
    pub fn lame_mu(&self) -> f64 {
        self.young / (2.0 * (1.0 + self.poisson))
    }

    /// The Lamé parameter λ, pascals; negative when `poisson` is.
    #[must_use]
    pub fn lame_lambda(&self) -> f64 {
        self.young * self.poisson / ((1.0 + self.poisson) * (1.0 - 2.0 * self.poisson))
    }

    /// Checks the three numbers; `part` is blamed.
    pub(crate) fn check(&self, part: &Part) -> Result<(), ElasticError> {
        let part = || part.clone();
        if !is_positive(self.young) {
            return Err(ElasticError::Young { part: part(), value: self.young });
        }
        if !(self.poisson > -1.0 && self.poisson < 0.5) {
            return Err(ElasticError::Poisson { part: part(), value: self.poisson });
        }
        if !is_positive(self.density) {
            return Err(ElasticError::Density { part: part(), value: self.density });
        }
        Ok(())
    }
}

fn is_positive(x: f64) -> bool {
    x.is_finite() && x > 0.0
}
