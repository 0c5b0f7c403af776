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
//! All of it holds at any time. Kept are κ for every whole lag and w for every frame: memory is that of the frames plus
//! that of the modes.

mod profile;
pub(crate) mod stages;

use super::moment::{Moment, lag};
use super::settings::{End, Ends, Settings, Start};
use crate::error::{Quantity, SpacetimeError};
use nalgebra::DMatrix;
use profile::Jet;

/// The least that may be left of a clamped value once those before it are known, as a part of its variance.
const LEAST: f64 = 1e-10;
/// Values held at most: position and velocity at two ends.
pub(crate) const HELD: usize = 4;

/// w of position and velocity at one time.
pub(crate) type Known = [[f64; HELD]; 2];

/// What is held at rest.
#[derive(Clone, Debug)]
struct Held {
    /// Local frames at rest, in order.
    frames: Vec<usize>,
    /// L, of positions first and then of velocities by x, so that all are of one size.
    L: DMatrix<f64>,
}

impl Held {
    /// c: frames and orders.
    fn values(&self) -> impl Iterator<Item = (usize, usize)> {
        values(&self.frames)
    }
}

/// The tables of the smooth kernel.
#[derive(Clone, Debug)]
pub(crate) struct Smooth {
    /// g.
    pub variances: Vec<f64>,
    /// x of one frame.
    pub step: f64,
    /// v, x per second.
    pub rate: f64,
    /// κ, κ', κ'' for every whole lag.
    lags: Vec<Jet>,
    /// The length of the loop by x; none with two ends.
    round: Option<f64>,
    held: Option<Held>,
    /// w for every local frame; empty if nothing is held.
    known: Vec<Known>,
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
        let (round, held) = match settings.ends {
            Ends::Loop { .. } => (Some(step * frames as f64), Vec::new()),
            Ends::Open { start, end } => (None, held((start, end), frames)?),
        };
        let variances = variances.to_vec();
        let mut smooth =
            Self { variances, step, rate, lags: Vec::new(), round, held: None, known: Vec::new() };
        smooth.lags = (0..frames).map(|lag| smooth.jet(lag as f64)).collect();
        if !held.is_empty() {
            let held = smooth.condition(held).ok_or(SpacetimeError::ReachTooLong { reach, frames })?;
            smooth.known = (0..frames).map(|frame| smooth.explained(&held, frame as f64)).collect();
            smooth.held = Some(held);
        }
        Ok(smooth)
    }

    /// κ, κ', κ'' after so many frames.
    fn jet(&self, lag: f64) -> Jet {
        let x = self.step * lag;
        self.round.map_or_else(|| profile::jet(x), |round| profile::jet_in_loop(x, round))
    }

    /// κ of two times, the later one first, position or velocity each.
    pub fn profile(&self, (later, a): (&Moment, usize), (earlier, b): (&Moment, usize)) -> f64 {
        let jet = match lag(later, earlier) {
            (_, Some(lag)) => self.lags[lag],
            (lag, None) => self.jet(lag),
        };
        let free = self.stationary(jet, a, b);
        let (Some(w), Some(v)) = (self.known(later), self.known(earlier)) else { return free };
        if self.is_held(later) || self.is_held(earlier) {
            return 0.0;
        }
        let (w, v) = (&w[a], &v[b]);
        free - (w[0] * v[0] + w[1] * v[1] + w[2] * v[2] + w[3] * v[3])
    }

    /// w at a time that a moment is made for.
    pub fn known_at(&self, time: f64) -> Option<Known> {
        self.held.as_ref().map(|held| self.explained(held, time))
    }

    /// L⁻¹ c, `value(frame, order)` what c is at a local frame that is held: w(t) times it is the mean at t.
    pub fn whitened(&self, value: impl Fn(usize, usize) -> f64) -> [f64; HELD] {
        let mut x = [0.0; HELD];
        if let Some(held) = &self.held {
            for (p, (frame, order)) in held.values().enumerate() {
                let explained: f64 = (0..p).map(|q| held.L[(p, q)] * x[q]).sum();
                x[p] = (self.unit(order) * value(frame, order) - explained) / held.L[(p, p)];
            }
        }
        x
    }

    /// w at a moment; none if no end is held.
    pub fn known<'a>(&'a self, moment: &'a Moment) -> Option<&'a Known> {
        moment.known.as_deref().or_else(|| self.known_of(moment.frame))
    }

    /// w of a local frame; none if no end is held.
    pub fn known_of(&self, frame: usize) -> Option<&Known> {
        self.known.get(frame)
    }

    /// Whether an end holds a local frame at rest.
    pub fn holds(&self, frame: usize) -> bool {
        self.held.as_ref().is_some_and(|held| held.frames.contains(&frame))
    }

    fn is_held(&self, moment: &Moment) -> bool {
        !moment.is_between() && self.holds(moment.frame)
    }

    /// κ without ends, from its jet at the lag.
    fn stationary(&self, [value, slope, bend]: Jet, a: usize, b: usize) -> f64 {
        match (a, b) {
            (0, 0) => value,
            (1, 0) => self.rate * slope,
            (0, _) => -self.rate * slope,
            _ => -self.rate * self.rate * bend,
        }
    }

    /// κ without ends between any two times.
    fn between(&self, (t, a): (f64, usize), (s, b): (f64, usize)) -> f64 {
        let lag = t - s;
        if lag < 0.0 || (lag == 0.0 && a < b) {
            self.stationary(self.jet(-lag), b, a)
        } else {
            self.stationary(self.jet(lag), a, b)
        }
    }

    /// Velocities by x instead of seconds.
    fn unit(&self, order: usize) -> f64 {
        if order == 0 { 1.0 } else { 1.0 / self.rate }
    }

    /// L of what is held; none where the ends are so close that one says what the other is.
    fn condition(&self, frames: Vec<usize>) -> Option<Held> {
        let clamped: Vec<(usize, usize)> = values(&frames).collect();
        let n = clamped.len();
        let at = |(frame, order): (usize, usize)| (frame as f64, order);
        let C = DMatrix::from_fn(n, n, |p, q| {
            let between = self.between(at(clamped[p]), at(clamped[q]));
            self.unit(clamped[p].1) * self.unit(clamped[q].1) * between
        });
        let L = C.clone().cholesky()?.unpack();
        if (0..n).any(|p| L[(p, p)] * L[(p, p)] < LEAST * C[(p, p)]) {
            return None;
        }
        Some(Held { frames, L })
    }

    /// w at a time.
    fn explained(&self, held: &Held, time: f64) -> Known {
        [0, 1].map(|order| {
            let mut w = [0.0; HELD];
            for (p, (frame, held_order)) in held.values().enumerate() {
                let between = self.between((frame as f64, held_order), (time, order));
                let seen = self.unit(held_order) * between;
                let explained: f64 = (0..p).map(|q| held.L[(p, q)] * w[q]).sum();
                w[p] = (seen - explained) / held.L[(p, p)];
            }
            w
        })
    }
}

/// Positions and then velocities at some frames.
fn values(frames: &[usize]) -> impl Iterator<Item = (usize, usize)> {
    [0, 1].into_iter().flat_map(|order| frames.iter().map(move |frame| (*frame, order)))
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
