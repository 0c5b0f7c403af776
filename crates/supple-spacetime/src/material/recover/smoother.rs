//! The least costly path of one mode through its frames, its first state free.
//!
//! > min ½ Σ (s_{i+1} − Φ s_i)ᵀ Q⁻¹ (s_{i+1} − Φ s_i) + ½γ Σ (z_i − y_i)²
//!
//! The first sum is what the force costs between frames, see [`Oscillator`]. Forward, the information N and n of all frames
//! so far about the state, ½ sᵀN s − nᵀs, none at first:
//!
//! > N += γ e₀e₀ᵀ, n += γ y e₀; N ← (I + Ñ Q)⁻¹ Ñ, n ← (I + Ñ Q)⁻¹ Φ⁻ᵀ n, Ñ = Φ⁻ᵀ N Φ⁻¹.
//!
//! Back, s_i is where (N_i + ΦᵀQ⁻¹Φ) s_i = n_i + ΦᵀQ⁻¹ s_{i+1}. Differences of large matrices do not occur.

use crate::kernel::{Oscillator, inverse};
use nalgebra::{Matrix2, Vector2};
use std::ops::Range;

/// Gauss–Legendre points and weights on [0, 1], four of eight; the others mirror them.
const GAUSS: [(f64, f64); 4] = [
    (0.019_855_071_751_231_884, 0.050_614_268_145_188_13),
    (0.101_666_761_293_186_63, 0.111_190_517_226_687_24),
    (0.237_233_795_041_835_5, 0.156_853_322_938_943_64),
    (0.408_282_678_752_175_1, 0.181_341_891_689_181),
];

/// A mode over one frame.
#[derive(Debug)]
pub(super) struct Smoother {
    /// Φ.
    pub transition: Matrix2<f64>,
    /// Φ⁻¹.
    back: Matrix2<f64>,
    /// Q.
    noise: Matrix2<f64>,
    /// Q⁻¹.
    information: Matrix2<f64>,
    weight: f64,
    /// At Gauss points τ within the frame: the weight, Φ(τ) and Q(τ)Φ(1−τ)ᵀ.
    points: Vec<(f64, Matrix2<f64>, Matrix2<f64>)>,
}

/// What the path of a mode adds up to, see [`super::step`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums {
    /// The time it takes.
    pub time: f64,
    /// ∫z², ∫ż², ∫z.
    pub zz: f64,
    pub vv: f64,
    pub z: f64,
    /// ½[z²], ½[ż²], [zż], [z], [ż] over the ends of all stretches.
    pub zv: f64,
    pub va: f64,
    pub ends: f64,
    pub shift: f64,
    pub kick: f64,
    /// ½∫f².
    pub energy: f64,
}

impl Smoother {
    pub fn new(oscillator: Oscillator, weight: f64) -> Self {
        let (transition, noise) = (oscillator.transition(1.0), oscillator.noise(1.0));
        let points = GAUSS.iter().flat_map(|&(point, weight)| {
            [point, 1.0 - point].map(|tau| {
                let left = oscillator.transition(1.0 - tau).transpose();
                (weight, oscillator.transition(tau), oscillator.noise(tau) * left)
            })
        });
        Self {
            points: points.collect(),
            back: inverse(&transition),
            information: inverse(&noise),
            transition,
            noise,
            weight,
        }
    }

    /// The states at the frames of a stretch, in which the mode is seen at `seen`.
    fn run(&self, seen: &[f64]) -> Vec<Vector2<f64>> {
        let (Phi, W) = (&self.transition, &self.information);
        let (mut N, mut n) = (Matrix2::zeros(), Vector2::zeros());
        let mut known = Vec::with_capacity(seen.len());
        for (i, y) in seen.iter().enumerate() {
            if i > 0 {
                let moved: Matrix2<f64> = self.back.transpose() * N * self.back;
                let gain = inverse(&(Matrix2::identity() + moved * self.noise));
                N = gain * moved;
                N = (N + N.transpose()) * 0.5;
                n = gain * self.back.tr_mul(&n);
            }
            N[(0, 0)] += self.weight;
            n[0] += self.weight * y;
            known.push((N, n));
        }
        let Some((N, n)) = known.pop() else { return Vec::new() };
        let mut states = vec![inverse(&N) * n];
        let mut next = states[0];
        let along = Phi.transpose() * W;
        while let Some((N, n)) = known.pop() {
            next = inverse(&(N + along * Phi)) * (n + along * next);
            states.push(next);
        }
        states.reverse();
        states
    }

    /// The states at all frames, stretch by stretch.
    pub fn states(&self, seen: &[f64], runs: &[Range<usize>]) -> Vec<Vector2<f64>> {
        runs.iter().flat_map(|run| self.run(&seen[run.clone()])).collect()
    }

    /// What the path through these states adds up to.
    pub fn sums(&self, states: &[Vector2<f64>], runs: &[Range<usize>]) -> Sums {
        let mut sums = Sums::default();
        for run in runs {
            let states = &states[run.clone()];
            for pair in states.windows(2) {
                let y = self.information * (pair[1] - self.transition * pair[0]);
                sums.energy += 0.5 * y.dot(&(self.noise * y));
                for (weight, from, reached) in &self.points {
                    let s = from * pair[0] + reached * y;
                    sums.zz += weight * s[0] * s[0];
                    sums.vv += weight * s[1] * s[1];
                    sums.z += weight * s[0];
                }
                sums.time += 1.0;
            }
            if let (Some(a), Some(b)) = (states.first(), states.last()) {
                sums.zv += 0.5 * (b[0] * b[0] - a[0] * a[0]);
                sums.va += 0.5 * (b[1] * b[1] - a[1] * a[1]);
                sums.ends += b[0] * b[1] - a[0] * a[1];
                sums.shift += b[0] - a[0];
                sums.kick += b[1] - a[1];
            }
        }
        sums
    }
}
