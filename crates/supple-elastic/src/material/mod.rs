//! What a body is made of.
//!
//! An isotropic material is two numbers, Young's modulus and Poisson's ratio; the energies use the Lamé
//! parameters
//!
//! > μ = young / (2 (1 + poisson)), λ = young · poisson / ((1 + poisson)(1 − 2 poisson)).
//!
//! It resists every small deformation exactly when young > 0 and −1 < poisson < 1/2: then μ > 0 and the
//! bulk modulus λ + 2μ/3 > 0.

mod region;

pub use region::{Extent, Region};
pub(crate) use region::{Overlay, Substance, element_substances, membership, stiffening};

use crate::{ElasticError, Law, Part, Quantity};

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
}

impl Substance for Material {
    fn check(&self, part: &Part) -> Result<(), ElasticError> {
        Quantity::Young.check(self.young, part)?;
        check_poisson(self.poisson, part)?;
        Quantity::Density.check(self.density, part)
    }
}

/// Checks Poisson's ratio; `part` is blamed.
pub(crate) fn check_poisson(value: f64, part: &Part) -> Result<(), ElasticError> {
    if value > -1.0 && value < 0.5 {
        Ok(())
    } else {
        Err(ElasticError::Poisson { part: part.clone(), value })
    }
}
