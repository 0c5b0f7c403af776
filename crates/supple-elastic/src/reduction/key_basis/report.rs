//! What a basis became.

use std::f64::consts::TAU;

/// Where columns of a basis come from, in the order they are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The keys, from the pose the motion begins in.
    Keys,
    /// Fields kept whole, such as a velocity.
    Kept,
    /// Eq. 6.
    Tangents,
    /// Static poses inside arcs.
    Samples,
    /// Shapes of vibration.
    Modes,
    /// Principal components of a recorded motion.
    Recorded,
}

/// How many columns are of one origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OriginReport {
    /// Which.
    pub origin: Origin,
    /// How many there were.
    pub given: usize,
    /// How many of them are new: the others are combinations of those before.
    pub taken: usize,
}

/// A pose of the motion: first the one it begins in, then the keys.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PoseOfBasis {
    /// z̄ = Uᵀ M (q̄ − q₀).
    pub coordinates: Vec<f64>,
    /// The largest part of q̄ − q₀ on a free vertex that the basis does not have, metres.
    pub residual: f64,
    /// The farthest that the pose has a held vertex from where q₀ has it, metres: it stays there all the same.
    pub held_offset: f64,
    /// Negative eigenvalues of its stiffness: more than none and the pose is buckled, or held by its load alone.
    pub negative_eigenvalues: usize,
    /// Whether its stiffness is singular, so that it has no tangents.
    pub singular: bool,
}

/// The arc between two poses that follow each other: static poses under loads in between.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ArcReport {
    /// The frequency ω in which the body vibrates along the tangent at each end, radians per second (Eq. 10): none where
    /// the tangent is zero, is unknown or leads downhill.
    pub frequencies: [Option<f64>; 2],
    /// How many of its samples no equilibrium was found for.
    pub missing_samples: usize,
}

impl ArcReport {
    /// Eq. 10: the seconds of a quarter of the vibration along the first tangent, or of the last where there is no first
    /// one.
    #[must_use]
    pub fn quarter_period(&self) -> Option<f64> {
        self.frequencies[0].or(self.frequencies[1]).map(|omega| TAU / omega / 4.0)
    }
}

/// How a basis came about.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KeyBasisReport {
    /// Every origin that has columns, in the order they were taken.
    pub origins: Vec<OriginReport>,
    /// How many columns were cut to keep the size.
    pub cut: usize,
    /// Singular values of what was cut to the size, the cut ones included, descending; empty when nothing was.
    pub singular_values: Vec<f64>,
    /// The frequencies of the components at rest, hertz, ascending; 0 for one that is not stable there.
    pub frequencies: Vec<f64>,
    /// The largest entry of |UᵀMU − I|.
    pub orthonormality: f64,
    /// The pose the motion begins in, then the keys.
    pub poses: Vec<PoseOfBasis>,
    /// One less than poses.
    pub arcs: Vec<ArcReport>,
}

impl KeyBasisReport {
    /// How many columns of this origin are in the basis, before any are cut.
    #[must_use]
    pub fn taken(&self, origin: Origin) -> usize {
        self.origins.iter().filter(|report| report.origin == origin).map(|report| report.taken).sum()
    }
}
