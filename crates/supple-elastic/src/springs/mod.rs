//! Springs: bodies of straight springs between vertices.
//!
//! > E(u) = ½ Σ k (l − L)², l = |x_i − x_j|, L the length at rest.
//!
//! A spring resists stretching and pressing only. At its rest length it does not resist being turned: a
//! straight chain at rest has no stiffness crosswise, and a net of squares shears freely. Springs between
//! all corners of tets or voxels hold the shape of a solid.

mod network;
mod spring;

pub use network::Network;

use crate::material::{Overlay, Substance, element_substances};
use crate::{ElasticBody, ElasticError, Extent, Part, Quantity};
use spring::Spring;
use supple_model::ElementId;

/// A body of springs.
pub type Springs = ElasticBody<Network>;

/// What a body of springs is made of, SI units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringMaterial {
    /// How hard springs pull.
    pub stiffness: SpringStiffness,
    /// What they weigh.
    pub mass: SpringMass,
}

/// How hard springs pull.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SpringStiffness {
    /// Every spring has this k, newtons per metre.
    PerSpring(f64),
    /// Long springs are softer, k = value / L, newtons: the force at twice the rest length, or Young's
    /// modulus times the cross-section. Cutting a spring into shorter ones then changes nothing.
    ByLength(f64),
}

/// What springs weigh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SpringMass {
    /// Every vertex has this mass, kilograms.
    PerVertex(f64),
    /// Every metre of spring at rest has this mass, kilograms; each end bears half.
    PerLength(f64),
}

/// A part of a body of springs with its own stiffness. Where regions overlap the later one wins.
#[derive(Clone, Debug, PartialEq)]
pub struct SpringRegion {
    /// What errors call it.
    pub name: String,
    /// Which springs it holds.
    pub extent: Extent,
    /// How hard they pull.
    pub stiffness: SpringStiffness,
}

impl Substance for SpringMaterial {
    fn check(&self, part: &Part) -> Result<(), ElasticError> {
        match self.stiffness {
            SpringStiffness::PerSpring(k) => Quantity::SpringStiffness.check(k, part)?,
            SpringStiffness::ByLength(modulus) => Quantity::SpringModulus.check(modulus, part)?,
        }
        match self.mass {
            SpringMass::PerVertex(mass) => Quantity::VertexMass.check(mass, part),
            SpringMass::PerLength(density) => Quantity::LinearDensity.check(density, part),
        }
    }
}

impl Overlay for SpringRegion {
    type Of = SpringMaterial;

    fn name(&self) -> &str {
        &self.name
    }

    fn extent(&self) -> &Extent {
        &self.extent
    }

    fn over(&self, material: &SpringMaterial) -> SpringMaterial {
        SpringMaterial { stiffness: self.stiffness, ..*material }
    }
}

impl Springs {
    /// Makes the springs of `network` of `material`, with another stiffness in `regions`.
    ///
    /// # Errors
    /// Says which number of which region is not usable, or which spring has no length: see
    /// [`ElasticError`].
    pub fn new(
        network: Network,
        material: SpringMaterial,
        regions: &[SpringRegion],
    ) -> Result<Self, ElasticError> {
        let vertices = network.positions().len();
        let materials = element_substances(network.springs(), vertices, material, regions)?;
        let mut masses =
            vec![if let SpringMass::PerVertex(mass) = material.mass { mass } else { 0.0 }; vertices];
        let mut springs = Vec::with_capacity(materials.len());
        for (e, (&ends, material)) in network.springs().iter().zip(&materials).enumerate() {
            let [from, to] = ends.map(|v| network.positions()[v.index()]);
            let along = to - from;
            let length = along.norm();
            if length == 0.0 {
                return Err(ElasticError::NoLength { element: ElementId::new(e) });
            }
            let stiffness = match material.stiffness {
                SpringStiffness::PerSpring(k) => k,
                SpringStiffness::ByLength(modulus) => modulus / length,
            };
            if let SpringMass::PerLength(density) = material.mass {
                for v in ends {
                    masses[v.index()] += density * length / 2.0;
                }
            }
            springs.push(Spring::new(ends, along, stiffness));
        }
        Ok(Self::of(network, masses, vec![Box::new(springs)]))
    }
}
