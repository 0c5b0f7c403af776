//! How stiff the parts of a body are, from how it moves.
//!
//! Internal forces are linear in Young's modulus E_g of every region g: whatever the law, R(u) = Σ_g E_g R_g(u), with R_g that of
//! a region of modulus 1. Where nothing pushes but gravity,
//!
//! > M ü + α M u̇ + Σ_g E_g (R_g + β Ṙ_g) = M g,
//!
//! of which u is known frame by frame. Accelerations of frames that are not exact are worth nothing; but multiplied by a test
//! mode v and a smooth bump w(t) that is zero with its slope at both ends, and summed, they become those of the bump
//! (the weak form):
//!
//! > Σ_g E_g ∫(w − β ẇ) vᵀR_g − α ∫ẇ vᵀM u = −∫ẅ vᵀM u + ∫w vᵀM g,
//!
//! a row for each v and each place of the bump, with E_g, α, β ≥ 0 ([`weak`]). Noise that strains elements would stiffen them, since it
//! makes strain on the average: frames are cut to the principal components that stand out of the noise ([`denoise`]). Only
//! E/ρ is told by a motion; ρ is the body's.
//!
//! A region says little of its modulus if it hardly deforms, or no more than noise makes it: `is_determined` is false then.

mod denoise;
mod projected;
#[cfg(test)]
mod tests;
mod weak;

use crate::ElasticBody;
use denoise::denoised;
use projected::Projected;
use std::ops::Range;
use supple_model::{Cancelled, Progress};

/// A region must bear this part of the strain energy.
const LEAST_SHARE: f64 = 0.02;
/// The part of a modulus that it may be uncertain by. What the motion does that no modulus explains is the same error in many
/// rows, so that the true one is a few times as large.
const UNCERTAIN: f64 = 0.05;

/// A motion of a body whose stiffness is not known.
#[derive(Clone, Debug)]
pub struct ModuliProblem<'a> {
    /// The body, its Young's modulus 1 everywhere.
    pub body: &'a ElasticBody,
    /// The region of every element, counted from 0.
    pub regions: &'a [usize],
    /// Displacements, three numbers per vertex, frame by frame.
    pub frames: &'a [Vec<f64>],
    /// Stretches of frames in which nothing pushes but gravity.
    pub runs: &'a [Range<usize>],
    /// Physical time from frame to frame.
    pub seconds_per_frame: f64,
    /// The acceleration of everything; looked for too without.
    pub gravity: Option<[f64; 3]>,
    /// Test modes v: displacements that are zero where the body is held.
    pub tests: &'a [Vec<f64>],
    /// How long the bump is, frames: no longer than what it looks at swings once.
    pub window: usize,
}

/// What a motion says of the stiffness of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Moduli {
    /// Of every region.
    pub regions: Vec<Modulus>,
    /// α, 1/s.
    pub mass_damping: f64,
    /// β, s.
    pub stiffness_damping: f64,
    /// How many principal components stood out of the noise.
    pub components: usize,
    /// |A x − b|/|b| of the rows.
    pub residual: f64,
}

/// Young's modulus of a region.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Modulus {
    /// E, pascals.
    pub young: f64,
    /// The part of it that it is uncertain by, one standard deviation, as far as rows that are not met tell.
    pub uncertainty: f64,
    /// The part of the strain energy the region bears.
    pub share: f64,
    /// Whether the motion says enough of it.
    pub is_determined: bool,
}

/// Finds the moduli of the regions of a body; none for a body of several kinds of elements, or when no stretch of
/// frames is as long as the bump.
///
/// # Errors
/// When the caller cancels.
///
/// # Panics
/// When a slice is of another body.
pub fn find_moduli(problem: &ModuliProblem<'_>, progress: &Progress) -> Result<Option<Moduli>, Cancelled> {
    let is_long = problem.runs.iter().any(|run| run.len() > problem.window);
    let Some(batch) = problem.body.elements().only_batch().filter(|_| is_long) else { return Ok(None) };
    assert_eq!(problem.regions.len(), batch.elements(), "a region for every element");
    let (frames, components) = denoised(problem, &progress.part(0.0, 0.4))?;
    let projected = Projected::new(problem, batch, &frames, &progress.part(0.4, 1.0))?;
    let found = weak::solve(problem, &projected);
    let energy: Vec<f64> =
        found.young.iter().zip(&projected.energies).map(|(young, energy)| young * energy).collect();
    let whole: f64 = energy.iter().sum();
    let modulus = |(g, young): (usize, &f64)| {
        let share = if whole > 0.0 { energy[g] / whole } else { 0.0 };
        let uncertainty = found.uncertainty[g];
        let is_determined = share >= LEAST_SHARE && uncertainty <= UNCERTAIN && *young > 0.0;
        Modulus { young: *young, uncertainty, share, is_determined }
    };
    Ok(Some(Moduli {
        regions: found.young.iter().enumerate().map(modulus).collect(),
        mass_damping: found.mass_damping,
        stiffness_damping: found.stiffness_damping,
        components,
        residual: found.residual,
    }))
}
