//! The smooth kernel: one time profile for all modes.
//!
//! > P_k(i,j) = g_k κ(i − j)
//!
//! At its frame an edit is the static deformation that the variances g_k say; in time it comes and goes as one bump
//! ([`profile`]), the rigid modes too, so that nothing coasts away. Velocities are derivatives of κ: with x the time in
//! which κ is written and v = x per second,
//!
//! > cov(ż(i), z(j)) = g v κ'(x), cov(z(i), ż(j)) = −g v κ'(x), cov(ż(i), ż(j)) = −g v² κ''(x), x ≥ 0 from j to i.
//!
//! It is stationary: free ends need nothing. Ends at rest are conditioned on. With c the (z, z') of the ends held and
//! C = cov(c, c) = L Lᵀ,
//!
//! > κ_c((i,a), (j,b)) = κ((i,a), (j,b)) − w(i,a) · w(j,b), w(i,a) = L⁻¹ cov(c, (i,a)).
//!
//! Kept are κ for every lag and w for every frame: memory is that of the frames plus that of the modes.

mod profile;
pub(crate) mod stages;

use super::settings::{End, Ends, Settings, Start};
use crate::error::{Quantity, SpacetimeError};
use nalgebra::DMatrix;
use profile::Jet;

/// The least that may be left of a clamped value once those before it are known, as a part of its variance.
const LEAST: f64 = 1e-10;
/// Values held at most: position and velocity at two ends.
const HELD: usize = 4;

/// The tables of the smooth kernel.
#[derive(Clone, Debug)]
pub(crate) struct Smooth {
    /// g.
    pub variances: Vec<f64>,
    /// x of one frame.
    pub step: f64,
    /// v, x per second.
    pub rate: f64,
    /// κ, κ', κ'' for every lag.
    lags: Vec<Jet>,
    /// Local frames at rest, in order.
    held: Vec<usize>,
    /// w of position and velocity for every local frame; empty if nothing is held.
    known: Vec<[[f64; HELD]; 2]>,
}

impl Smooth {
    /// For the window's `frames`, or those of a loop.
    pub fn new(
        variances: &[f64],
        settings: &Settings,
        reach: f64,
        frames: usize,
    ) -> Result<Self, SpacetimeError> {
        check(variances)?;
        let step = profile::frame_length(reach);
        let rate = step / settings.dt;
        if !((rate * rate).is_finite() && rate > 0.0) {
            return Err(SpacetimeError::BadNumber { quantity: Quantity::Reach, value: reach });
        }
        let at = |lag: usize| step * lag as f64;
        let (lags, held) = match settings.ends {
            Ends::Loop { .. } => {
                let round = at(frames);
                ((0..frames).map(|lag| profile::jet_in_loop(at(lag), round)).collect(), Vec::new())
            }
            Ends::Open { start, end } => {
                ((0..frames).map(|lag| profile::jet(at(lag))).collect(), held((start, end), frames)?)
            }
        };
        let mut smooth = Self { variances: variances.to_vec(), step, rate, lags, held, known: Vec::new() };
        if !smooth.held.is_empty() {
            let too_long = SpacetimeError::ReachTooLong { reach, frames };
            smooth.known = smooth.condition(frames).ok_or(too_long)?;
        }
        Ok(smooth)
    }

    /// κ of local frames i ≥ j, position or velocity each.
    pub fn profile(&self, (i, a): (usize, usize), (j, b): (usize, usize)) -> f64 {
        let free = self.stationary((i, a), (j, b));
        if self.known.is_empty() {
            return free;
        }
        if self.is_held(i) || self.is_held(j) {
            return 0.0;
        }
        let (w, v) = (&self.known[i][a], &self.known[j][b]);
        free - (w[0] * v[0] + w[1] * v[1] + w[2] * v[2] + w[3] * v[3])
    }

    /// w of a local frame's position and velocity; none if no end is held.
    pub fn known(&self, frame: usize) -> Option<&[[f64; HELD]; 2]> {
        self.known.get(frame)
    }

    pub fn is_held(&self, frame: usize) -> bool {
        self.held.contains(&frame)
    }

    /// κ without ends, i ≥ j.
    fn stationary(&self, (i, a): (usize, usize), (j, b): (usize, usize)) -> f64 {
        let [value, slope, bend] = self.lags[i - j];
        match (a, b) {
            (0, 0) => value,
            (1, 0) => self.rate * slope,
            (0, _) => -self.rate * slope,
            _ => -self.rate * self.rate * bend,
        }
    }

    /// The same for any two, the later one first.
    fn between(&self, one: (usize, usize), other: (usize, usize)) -> f64 {
        if one < other { self.stationary(other, one) } else { self.stationary(one, other) }
    }

    /// w of every frame; none where the ends are so close that one says what the other is.
    fn condition(&self, frames: usize) -> Option<Vec<[[f64; HELD]; 2]>> {
        // Positions first; velocities by x, so that all are of one size.
        let clamped: Vec<(usize, usize)> =
            [0, 1].into_iter().flat_map(|order| self.held.iter().map(move |frame| (*frame, order))).collect();
        let unit = |order: usize| if order == 0 { 1.0 } else { 1.0 / self.rate };
        let n = clamped.len();
        let C = DMatrix::from_fn(n, n, |p, q| {
            unit(clamped[p].1) * unit(clamped[q].1) * self.between(clamped[p], clamped[q])
        });
        let L = C.clone().cholesky()?.unpack();
        if (0..n).any(|p| L[(p, p)] * L[(p, p)] < LEAST * C[(p, p)]) {
            return None;
        }
        let of = |frame: usize, order: usize| {
            let mut w = [0.0; HELD];
            for p in 0..n {
                let seen = unit(clamped[p].1) * self.between(clamped[p], (frame, order));
                let explained: f64 = (0..p).map(|q| L[(p, q)] * w[q]).sum();
                w[p] = (seen - explained) / L[(p, p)];
            }
            w
        };
        Some((0..frames).map(|frame| [of(frame, 0), of(frame, 1)]).collect())
    }
}

/// The local frames at rest.
fn held((start, end): (Start, End), frames: usize) -> Result<Vec<usize>, SpacetimeError> {
    let mut held = Vec::new();
    match start {
        Start::Free | Start::Arriving => {}
        Start::Rest => held.push(0),
        Start::RestAtHalf => return Err(SpacetimeError::HalfFrame),
    }
    match end {
        End::Free => {}
        End::Rest => held.push(frames - 1),
        End::RestAtHalf => return Err(SpacetimeError::HalfFrame),
    }
    Ok(held)
}

fn check(variances: &[f64]) -> Result<(), SpacetimeError> {
    if variances.is_empty() {
        return Err(SpacetimeError::NoModes);
    }
    for (mode, &value) in variances.iter().enumerate() {
        if !(value.is_finite() && value >= 0.0) {
            return Err(SpacetimeError::BadMode { mode, quantity: Quantity::Variance, value });
        }
    }
    if variances.iter().all(|value| *value == 0.0) {
        return Err(SpacetimeError::NoVariance);
    }
    Ok(())
}
