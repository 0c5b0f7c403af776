//! `material` and `regions` of `[body]`: what it is made of, and where it differs.

use super::POSITIVE;
use crate::shot::describe::*;

/// `material`: what a body is made of, in the units of its mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// How stress follows from strain.
    pub law: Law,
    /// Young's modulus: stiffness.
    pub young: f64,
    /// Poisson's ratio: 0 keeps its width when stretched, nearly ½ keeps its volume.
    pub poisson: f64,
    /// Mass per volume.
    pub density: f64,
    /// How thick a cloth or a spring is; without, a thousandth of the body's size.
    pub thickness: Option<f64>,
}

table!(Material {
    law: default,
    young: default,
    poisson: default,
    density: default,
    thickness: optional,
} check Material::check);

impl Default for Material {
    /// Soft rubber.
    fn default() -> Self {
        Self { law: Law::default(), young: 1e6, poisson: 0.45, density: 1000.0, thickness: None }
    }
}

impl Material {
    fn check(&self, section: &Section<'_>) -> Result<(), ShotError> {
        section.demand("thickness", self.thickness.is_none_or(|t| t > 0.0), POSITIVE)?;
        check(section, self.young, self.poisson, self.density)
    }
}

fn check(section: &Section<'_>, young: f64, poisson: f64, density: f64) -> Result<(), ShotError> {
    section.demand("young", young > 0.0, POSITIVE)?;
    section.demand("poisson", -1.0 < poisson && poisson < 0.5, "must be between -1 and 0.5")?;
    section.demand("density", density > 0.0, POSITIVE)
}

/// `law`: how stress follows from strain. At rest all have the same stiffness, so modes do not depend
/// on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Law {
    /// `linear`: small strain; swells under rotation.
    Linear,
    /// `stvk`: St. Venant–Kirchhoff; right under rotation, weak when squashed.
    #[default]
    StVenantKirchhoff,
    /// `neo-hookean`: right under rotation, and recovers from inverted elements.
    NeoHookean,
}

words!(Law { Linear = "linear", StVenantKirchhoff = "stvk", NeoHookean = "neo-hookean" });

/// An entry of `regions`: where the material differs, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// The named group of elements.
    pub group: String,
    /// Young's modulus there.
    pub young: Option<f64>,
    /// Poisson's ratio there.
    pub poisson: Option<f64>,
    /// Mass per volume there.
    pub density: Option<f64>,
}

table!(Region { group: required, young: optional, poisson: optional, density: optional } check Region::check);

impl Region {
    fn check(&self, section: &Section<'_>) -> Result<(), ShotError> {
        if (self.young, self.poisson, self.density) == (None, None, None) {
            return Err(section.bad("changes nothing: set young, poisson or density"));
        }
        let rest = Material::default();
        check(
            section,
            self.young.unwrap_or(rest.young),
            self.poisson.unwrap_or(rest.poisson),
            self.density.unwrap_or(rest.density),
        )
    }
}
