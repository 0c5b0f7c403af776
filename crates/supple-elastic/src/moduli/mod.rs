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
//! makes strain on the average: frames are cut to the principal components that stand out of the noise ([`denoise`]), and
//! where there is any, to what a body of these moduli can look like, in turns with the moduli ([`space`]). Only E/ρ is told by
//! a motion; ρ is the body's.
//!
//! A region says little of its modulus if it hardly deforms, or no more than noise makes it: `is_determined` is false then.

mod denoise;
mod projected;
mod space;
#[cfg(test)]
mod tests;
mod weak;

use crate::elements::Batch;
use crate::{ElasticBody, FreeVertices, Warp};
use denoise::Components;
use projected::Projected;
use rayon::prelude::*;
use space::Space;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use supple_model::{Cancelled, Progress};
use supple_numerics::eigen::EigenError;
use weak::Found;

/// A region must bear this part of the strain energy.
const LEAST_SHARE: f64 = 0.02;
/// Frames that are off by less than this part of the motion are taken as they are.
const EXACT: f64 = 1e-4;
/// Turns of moduli and space at most, and the change that ends them.
const TURNS: usize = 16;
const SETTLED: f64 = 5e-3;
/// The change from which on frames are more than warped.
const NEAR: f64 = 0.1;
/// How many times stiffer or softer beside the rest a region becomes in a turn.
const STRIDE: f64 = 2.0;
/// The part of a modulus that it may be uncertain by. What the motion does that no modulus explains is the same error in many
/// rows, so that the true one is a few times as large.
const UNCERTAIN: f64 = 0.05;

/// A motion of a body whose stiffness is not known.
#[derive(Clone, Debug)]
pub struct ModuliProblem<'a> {
    /// The body, its Young's modulus 1 everywhere.
    pub body: &'a ElasticBody,
    /// The body's warp.
    pub warp: &'a Arc<Warp>,
    /// The vertices that nothing holds.
    pub free: &'a FreeVertices,
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
    let motion = Components::of(problem, &progress.part(0.0, 0.1))?;
    let frames = motion.frames();
    let seen = |frames: &[Vec<f64>], tests: &[Vec<f64>], progress: &Progress| {
        let projected = Projected::new(problem, batch, frames, tests, progress)?;
        Ok((weak::solve(problem, &projected), projected))
    };
    let (mut found, mut projected) = seen(&frames, problem.tests, &progress.part(0.1, 0.2))?;
    if motion.noise > EXACT * motion.size() {
        let progress = progress.part(0.2, 1.0);
        if let Some(better) = without_noise(problem, batch, &frames, &seen, &progress)? {
            (found, projected) = better;
        }
    }
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
        components: motion.shapes.len(),
        residual: found.residual,
    }))
}

/// Frames as a body of some moduli can have them, and the moduli of these frames, in turns; none if there are no modes.
fn without_noise(
    problem: &ModuliProblem<'_>,
    batch: &dyn Batch,
    frames: &[Vec<f64>],
    seen: &impl Fn(&[Vec<f64>], &[Vec<f64>], &Progress) -> Result<(Found, Projected), Cancelled>,
    progress: &Progress,
) -> Result<Option<(Found, Projected)>, Cancelled> {
    let regions = problem.regions.iter().map(|g| g + 1).max().unwrap_or(0);
    let mut young = vec![1.0; regions];
    let mut placed: Vec<Vec<f64>> = Vec::new();
    let (mut best, mut fine) = (None, 0);
    for turn in 0..TURNS {
        let at = |step: f64| (turn as f64 + step) / TURNS as f64;
        let space = match Space::new(problem, batch, &young, &progress.part(at(0.0), at(0.1))) {
            Err(EigenError::Cancelled(cancelled)) => return Err(cancelled),
            Err(_) => return Ok(best),
            Ok(space) => space,
        };
        let done = AtomicUsize::new(0);
        let place = |(i, u): (usize, &Vec<f64>)| {
            let part = done.fetch_add(1, Ordering::Relaxed) as f64 / frames.len() as f64;
            progress.report("taking noise out", at(0.1 + 0.6 * part))?;
            match placed.get(i).filter(|_| fine > 1) {
                Some(placed) => Ok(space.relaxed(u, placed)),
                None if fine == 1 => Ok(space.relaxed(u, &space.warped(u))),
                None => Ok(space.warped(u)),
            }
        };
        placed = frames.par_iter().enumerate().map(place).collect::<Result<_, Cancelled>>()?;
        let (mut found, projected) = seen(&placed, &space.tests, &progress.part(at(0.7), at(1.0)))?;
        let next = next_moduli(&young, &found.young, &projected);
        // What still moves is as uncertain as that.
        let moves: Vec<f64> = young.iter().zip(&next).map(|(a, b)| (a - b).abs() / a.max(*b)).collect();
        found.uncertainty.iter_mut().zip(&moves).for_each(|(own, moved)| *own = own.hypot(*moved));
        let moved = moves.into_iter().fold(0.0, f64::max);
        best = Some((found, projected));
        if fine > 1 && moved < SETTLED {
            break;
        }
        fine += usize::from(fine > 0 || moved < NEAR);
        young = next;
    }
    Ok(best)
}

/// The moduli of the next space: those found, but none a few times stiffer or softer than it was beside the rest, for far off
/// the true ones they are not to be relied on. What bears next to nothing stays as it was beside the rest.
fn next_moduli(before: &[f64], found: &[f64], projected: &Projected) -> Vec<f64> {
    let energy = |young: &[f64]| young.iter().zip(&projected.energies).map(|(y, e)| y * e).sum::<f64>();
    let (whole, now) = (energy(before), energy(found));
    let scale = if whole > 0.0 && now > 0.0 { now / whole } else { 1.0 };
    let next = |g: usize| {
        let is_strained = before[g] * projected.energies[g] >= LEAST_SHARE * whole;
        let kept = scale * before[g];
        if is_strained { found[g].clamp(kept / STRIDE, kept * STRIDE) } else { kept }
    };
    (0..found.len()).map(next).collect()
}
