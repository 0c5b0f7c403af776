//! How a material is recovered.

use crate::material::settings::Optimise;

/// γ of the published method.
pub(super) const PUBLISHED_WEIGHT: f64 = 1.0;

/// How a material is recovered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecoverySettings {
    /// How many shapes swing, at most; a motion may have fewer.
    pub shapes: usize,
    /// Frames that are looked at together to find the modes of the start.
    pub delays: usize,
    /// γ: how firmly the motion is held to its frames. A small one trusts the modes more than the frames, and noise less.
    pub weight: f64,
    /// Where the search begins.
    pub start: RecoveryStart,
    /// What is searched.
    pub optimise: Optimise,
    /// Rounds at most.
    pub rounds: usize,
    /// A round that gains less than this part of the sum is the last.
    pub tolerance: f64,
}

impl Default for RecoverySettings {
    fn default() -> Self {
        Self {
            shapes: 10,
            delays: 24,
            weight: 1e-2,
            start: RecoveryStart::default(),
            optimise: Optimise::default(),
            rounds: 200,
            tolerance: 1e-4,
        }
    }
}

/// Where the search for a material begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RecoveryStart {
    /// With the dynamic modes of the motion.
    #[default]
    Delays,
    /// With uniform material of the frequency at which the most significant mode swings, as published.
    Spectrum,
}
