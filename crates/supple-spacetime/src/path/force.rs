//! The force that drives a path, and when it is largest.
//!
//! Between two frames nothing pulls, so the path from state s_i to s_{i+1} in time h is the least costly one, whose
//! force is known: with y = Q(h)⁻¹ (s_{i+1} − Φ(h) s_i), at time τ after frame i
//!
//! > f'(τ) = Bᵀ Φ(h−τ)ᵀ y, s(τ) = Φ(τ) s_i + Q(τ) Φ(h−τ)ᵀ y.
//!
//! Φ and Q are those of the oscillator (λ', δ') of the energy (see `kernel::reach`); the force of the equations of
//! motion, or z̈ in the energy without oscillations, is f = f' − 2(δ' − δ) ż − (λ' − λ) z.

use super::{Path, States};
use crate::kernel::{End, Ends, Factored, Start, inverse};
use nalgebra::{Matrix2, Vector2};
use rayon::prelude::*;

/// Moments looked at in every frame, at both of its ends among them.
const SAMPLES: usize = 9;

/// The largest force on a mode, looked for at frames and eighths of frames.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Peak {
    /// The force, with its sign.
    pub force: f64,
    /// When, in frames.
    pub frame: f64,
}

impl Path {
    /// The largest force on every mode over time.
    #[must_use]
    pub fn peak_forces(&self) -> Vec<Peak> {
        let settings = self.kernel.settings();
        let States { position, velocity } = self.states(0..settings.frames);
        let (first, last) = self.kernel.range();
        let factored = self.kernel.factored();
        let search = |(k, mode): (usize, &Factored)| {
            let state = |frame: usize| Vector2::new(position[(k, frame)], velocity[(k, frame)]);
            let mut peak = Peak::default();
            let whole = Interval::new(mode, settings.dt);
            let mut look = |interval: &Interval, at: f64, from: Vector2<f64>, to: Vector2<f64>| {
                for (share, force) in interval.forces(mode, from, to) {
                    if force.abs() > peak.force.abs() {
                        peak = Peak { force, frame: at + share * interval.duration / settings.dt };
                    }
                }
            };
            let half = Interval::new(mode, 0.5 * settings.dt);
            match settings.ends {
                Ends::Loop { period } => {
                    for i in 0..period {
                        look(&whole, i as f64, state(i), state((i + 1) % period));
                    }
                }
                Ends::Open { start, end } => {
                    for i in first..last {
                        if i == first && start == Start::RestAtHalf {
                            look(&half, i as f64 + 0.5, Vector2::zeros(), state(i + 1));
                        } else if i + 1 == last && end == End::RestAtHalf {
                            look(&half, i as f64, state(i), Vector2::zeros());
                        } else {
                            look(&whole, i as f64, state(i), state(i + 1));
                        }
                    }
                }
            }
            peak
        };
        factored.par_iter().enumerate().map(search).collect()
    }
}

/// Transitions and noise over parts of one time step of a mode.
struct Interval {
    duration: f64,
    transition: Matrix2<f64>,
    information: Matrix2<f64>,
    /// Φ(τ), Q(τ)Φ(h−τ)ᵀ and BᵀΦ(h−τ)ᵀ at each sample.
    samples: [(Matrix2<f64>, Matrix2<f64>, Vector2<f64>); SAMPLES],
}

impl Interval {
    fn new(mode: &Factored, duration: f64) -> Self {
        let oscillator = mode.oscillator;
        let samples = std::array::from_fn(|sample| {
            let t = duration * sample as f64 / (SAMPLES - 1) as f64;
            let left = oscillator.transition(duration - t).transpose();
            (oscillator.transition(t), oscillator.noise(t) * left, Vector2::new(left[(1, 0)], left[(1, 1)]))
        });
        Self {
            duration,
            transition: oscillator.transition(duration),
            information: inverse(&oscillator.noise(duration)),
            samples,
        }
    }

    /// When, as a share of the interval, and f.
    fn forces(
        &self,
        mode: &Factored,
        from: Vector2<f64>,
        to: Vector2<f64>,
    ) -> impl Iterator<Item = (f64, f64)> {
        let y = self.information * (to - self.transition * from);
        self.samples.iter().enumerate().map(move |(sample, (Phi, reached, pull))| {
            let s = Phi * from + reached * y;
            let force = pull.dot(&y) - 2.0 * mode.delta_gain * s[1] - mode.eigenvalue_gain * s[0];
            (sample as f64 / (SAMPLES - 1) as f64, force)
        })
    }
}
