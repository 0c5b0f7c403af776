//! What a cloth is made of.

use crate::material::check_poisson;
use crate::material::{Overlay, Substance};
use crate::{ElasticError, Extent, Part, Quantity};

/// A thin isotropic sheet, SI units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fabric {
    /// Young's modulus, pascals: the stress per strain of a strip pulled lengthwise.
    pub young: f64,
    /// Poisson's ratio: how much that strip narrows, relative to its stretch.
    pub poisson: f64,
    /// Metres.
    pub thickness: f64,
    /// Kilograms per cubic metre.
    pub density: f64,
    /// How hard it resists changes of shape that keep the area, relative to an isotropic sheet of the same
    /// Young's modulus and Poisson's ratio: 1 for such a sheet, less for a loose weave, which shears easily.
    pub shear: f64,
    /// The bending stiffness D, newton metres, when it is not [`Fabric::plate_stiffness`].
    pub bending: Option<f64>,
}

impl Fabric {
    /// The bending stiffness of a plate of this thickness, E h³ / (12 (1 − ν²)), newton metres. Cloth bends
    /// more easily than that, because its fibres slide.
    #[must_use]
    pub fn plate_stiffness(&self) -> f64 {
        self.young * self.thickness.powi(3) / (12.0 * (1.0 - self.poisson * self.poisson))
    }

    /// D.
    pub(super) fn bending_stiffness(&self) -> f64 {
        self.bending.unwrap_or_else(|| self.plate_stiffness())
    }
}

/// A part of a cloth with its own numbers. What is `None` stays as it is in the body; where regions overlap
/// the later one wins, number by number.
#[derive(Clone, Debug, PartialEq)]
pub struct FabricRegion {
    /// What errors call it.
    pub name: String,
    /// Which triangles it holds.
    pub extent: Extent,
    /// Young's modulus, pascals.
    pub young: Option<f64>,
    /// Poisson's ratio.
    pub poisson: Option<f64>,
    /// Metres.
    pub thickness: Option<f64>,
    /// Kilograms per cubic metre.
    pub density: Option<f64>,
    /// See [`Fabric::shear`].
    pub shear: Option<f64>,
    /// See [`Fabric::bending`].
    pub bending: Option<f64>,
}

impl Substance for Fabric {
    fn check(&self, part: &Part) -> Result<(), ElasticError> {
        Quantity::Young.check(self.young, part)?;
        check_poisson(self.poisson, part)?;
        Quantity::Thickness.check(self.thickness, part)?;
        Quantity::Density.check(self.density, part)?;
        Quantity::Shear.check(self.shear, part)?;
        self.bending.map_or(Ok(()), |bending| Quantity::Bending.check(bending, part))
    }
}

impl Overlay for FabricRegion {
    type Of = Fabric;

    fn name(&self) -> &str {
        &self.name
    }

    fn extent(&self) -> &Extent {
        &self.extent
    }

    fn over(&self, fabric: &Fabric) -> Fabric {
        Fabric {
            young: self.young.unwrap_or(fabric.young),
            poisson: self.poisson.unwrap_or(fabric.poisson),
            thickness: self.thickness.unwrap_or(fabric.thickness),
            density: self.density.unwrap_or(fabric.density),
            shear: self.shear.unwrap_or(fabric.shear),
            bending: self.bending.or(fabric.bending),
        }
    }
}
