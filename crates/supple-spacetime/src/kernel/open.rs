//! The kernel of an edit with two ends.
//!
//! Local frames i = 0..e of the window, P₀ the covariance of the first state, Q_m and Φᵐ noise and transition
//! over m frames:
//!
//! > P_i = Φⁱ P₀ Φⁱᵀ + Q_i, P(i,j) = Φ^{i−j} P_j for i ≥ j
//!
//! is the covariance given the start. The end enters as information on the last state: J = ∞ if it is at rest,
//! J = −G if it is free and the energy is that of [`super::reach`], J = 0 otherwise. Carried back to frame i it
//! is B_i = (Φ^{e−i})ᵀ (J⁻¹ + Q_{e−i})⁻¹ Φ^{e−i}, and conditioning on it gives
//!
//! > P(i,j) = L_i Φ^{i−j} P_j for i ≥ j, L_i = (I + P_i B_i)⁻¹.
//!
//! The textbook form P(i,j) − P(i,e)P(e,e)⁻¹P(e,j) is a difference of numbers that grow like T³ for modes
//! without stiffness; L_i has no such difference in it.
//!
//! All of this holds at any time i, not only at frames. Stored are, for frames, Φᵐ, P_i (times the mode's factor of reach in space) and L_i, so memory is that of 12 T numbers per
//! mode, not of T². Q_m is put together from halves, so that round-off grows with log T instead of T.

use super::modes::Modes;
use super::moment::{At, Moment, lag};
use super::oscillator::{inverse, spread};
use super::reach::Factored;
use super::settings::{End, Start};
use super::table::Table;
use crate::error::SpacetimeError;
use nalgebra::Matrix2;

/// The tables of an edit with two ends.
#[derive(Clone, Debug)]
pub(crate) struct Open {
    /// Φᵐ, m = 0..e.
    pub transition: Table,
    /// P_i, scaled.
    pub prior: Table,
    /// L_i; none if it is the identity throughout.
    pub gain: Option<Table>,
    ends: (Start, End),
    /// e.
    last: usize,
    /// P₀.
    begun: Vec<Matrix2<f64>>,
}

/// Q_m for m = 0..frames−1 from Φᵐ.
pub(super) fn noise_table(modes: &Modes, transition: &Table, frames: usize) -> Table {
    let one: Vec<Matrix2<f64>> = modes.factored.iter().map(|m| m.oscillator.noise(modes.dt)).collect();
    Table::in_turn(frames, modes.count(), |table, m, k| match m {
        0 => Matrix2::zeros(),
        1 => one[k],
        _ => spread(&transition.get(m / 2, k), &table.get(m - m / 2, k)) + table.get(m / 2, k),
    })
}

/// Φᵐ for m = 0..frames−1.
pub(super) fn transition_table(modes: &Modes, frames: usize) -> Table {
    Table::new(frames, modes.count(), |m, k| modes.factored[k].oscillator.transition(m as f64 * modes.dt))
}

impl Open {
    /// The tables for `frames` local frames.
    pub fn new(modes: &Modes, frames: usize, (start, end): (Start, End)) -> Result<Self, SpacetimeError> {
        let transition = transition_table(modes, frames);
        let noise = noise_table(modes, &transition, frames);
        let half: Vec<Half> = modes.factored.iter().map(|m| Half::new(m, modes.dt)).collect();
        let begun = begun(modes, start)?;
        let mut prior = prior_table(&transition, &noise, &half, &begun, frames, start);
        let corrected = end != End::Free || modes.factored.iter().any(|m| m.end != Matrix2::zeros());
        let gain = corrected.then(|| {
            Table::new(frames, modes.count(), |i, k| {
                let back = frames - 1 - i;
                let information = match end {
                    End::Free => {
                        free_end(&modes.factored[k].end, &transition.get(back, k), &noise.get(back, k))
                    }
                    _ if back == 0 => return Matrix2::zeros(),
                    End::Rest => at_rest(&transition.get(back, k), &noise.get(back, k)),
                    End::RestAtHalf => {
                        let (Phi, Q) = half[k].before(&transition.get(back - 1, k), &noise.get(back - 1, k));
                        at_rest(&Phi, &Q)
                    }
                };
                gain_of(&prior.get(i, k), &information)
            })
        });
        prior.scale(&modes.factors);
        Ok(Self { transition, prior, gain, ends: (start, end), last: frames - 1, begun })
    }

    /// P_t and L_t at a local time between frames.
    pub(super) fn at(&self, modes: &Modes, t: f64) -> At {
        let count = modes.count();
        let mut prior = Table::new(1, count, |_, k| self.prior_of(modes, k, t));
        let gain = self.gain.is_some().then(|| {
            Table::new(1, count, |_, k| {
                let information = self.information_of(modes, k, t);
                information.map_or(Matrix2::zeros(), |B| gain_of(&prior.get(0, k), &B))
            })
        });
        prior.scale(&modes.factors);
        At { prior, gain }
    }

    /// What holds where it begins.
    pub fn start(&self) -> Start {
        self.ends.0
    }

    /// What holds where it ends.
    pub fn end(&self) -> End {
        self.ends.1
    }

    /// Frames since it began.
    pub fn since(&self, t: f64) -> f64 {
        let half = if self.ends.0 == Start::RestAtHalf { 0.5 } else { 0.0 };
        (t - half).max(0.0)
    }

    /// The local time at which it ends.
    pub fn last_time(&self) -> f64 {
        let half = if self.ends.1 == End::RestAtHalf { 0.5 } else { 0.0 };
        self.last as f64 - half
    }

    /// Frames until it ends.
    pub fn left(&self, t: f64) -> f64 {
        self.last_time() - t
    }

    /// P_t of one mode at a local time, not scaled.
    pub fn prior_of(&self, modes: &Modes, k: usize, t: f64) -> Matrix2<f64> {
        let oscillator = modes.factored[k].oscillator;
        let t = self.since(t) * modes.dt;
        match self.ends.0 {
            Start::Rest | Start::RestAtHalf => oscillator.noise(t),
            Start::Free | Start::Arriving => {
                spread(&oscillator.transition(t), &self.begun[k]) + oscillator.noise(t)
            }
        }
    }

    /// B_t of one mode at a local time; none where the end holds it at rest.
    fn information_of(&self, modes: &Modes, k: usize, t: f64) -> Option<Matrix2<f64>> {
        let Factored { oscillator, end: G, .. } = modes.factored[k];
        let left = self.left(t) * modes.dt;
        if self.end() == End::Free {
            return Some(free_end(&G, &oscillator.transition(left), &oscillator.noise(left)));
        }
        (left > 0.0).then(|| at_rest(&oscillator.transition(left), &oscillator.noise(left)))
    }

    /// P(i,j)\[a,b\] of every mode, i ≥ j.
    pub fn covariance(
        &self,
        modes: &Modes,
        (later, a): (&Moment, usize),
        (earlier, b): (&Moment, usize),
        out: &mut [f64],
    ) {
        let n = out.len();
        let between: Table;
        let (transition, lag) = match lag(later, earlier) {
            (_, Some(lag)) => (&self.transition, lag),
            (lag, None) => {
                between = modes.transition(lag);
                (&between, 0)
            }
        };
        let (prior, j) = earlier.prior(self);
        let (p0, p1) = (&prior.entry(j, 0, b)[..n], &prior.entry(j, 1, b)[..n]);
        let Some((gain, i)) = later.gain(self) else {
            let (f0, f1) = (&transition.entry(lag, a, 0)[..n], &transition.entry(lag, a, 1)[..n]);
            for k in 0..n {
                out[k] = f0[k] * p0[k] + f1[k] * p1[k];
            }
            return;
        };
        let (l0, l1) = (&gain.entry(i, a, 0)[..n], &gain.entry(i, a, 1)[..n]);
        let f = |row, column| &transition.entry(lag, row, column)[..n];
        let (f00, f01, f10, f11) = (f(0, 0), f(0, 1), f(1, 0), f(1, 1));
        for k in 0..n {
            let x0 = f00[k] * p0[k] + f01[k] * p1[k];
            let x1 = f10[k] * p0[k] + f11[k] * p1[k];
            out[k] = l0[k] * x0 + l1[k] * x1;
        }
    }
}

/// P₀ of every mode.
fn begun(modes: &Modes, start: Start) -> Result<Vec<Matrix2<f64>>, SpacetimeError> {
    let begin = |factored: &Factored| match start {
        Start::Free => factored.free_start(),
        Start::Arriving => factored.arriving(),
        Start::Rest | Start::RestAtHalf => Some(Matrix2::zeros()),
    };
    let begin = |(mode, factored)| begin(factored).ok_or(SpacetimeError::FreeStart { mode });
    modes.factored.iter().enumerate().map(begin).collect()
}

fn prior_table(
    transition: &Table,
    noise: &Table,
    half: &[Half],
    begun: &[Matrix2<f64>],
    frames: usize,
    start: Start,
) -> Table {
    Table::new(frames, begun.len(), |i, k| match start {
        Start::Rest => noise.get(i, k),
        Start::RestAtHalf if i == 0 => Matrix2::zeros(),
        Start::RestAtHalf => spread(&transition.get(i - 1, k), &half[k].noise) + noise.get(i - 1, k),
        Start::Free | Start::Arriving => spread(&transition.get(i, k), &begun[k]) + noise.get(i, k),
    })
}

/// Half a frame of one mode.
struct Half {
    transition: Matrix2<f64>,
    noise: Matrix2<f64>,
}

impl Half {
    fn new(mode: &Factored, dt: f64) -> Self {
        Self { transition: mode.oscillator.transition(0.5 * dt), noise: mode.oscillator.noise(0.5 * dt) }
    }

    /// Transition and noise over m frames and a half.
    fn before(&self, Phi: &Matrix2<f64>, Q: &Matrix2<f64>) -> (Matrix2<f64>, Matrix2<f64>) {
        (Phi * self.transition, spread(Phi, &self.noise) + Q)
    }
}

/// B for an end at rest: Φᵀ Q⁻¹ Φ.
fn at_rest(Phi: &Matrix2<f64>, Q: &Matrix2<f64>) -> Matrix2<f64> {
    spread(&Phi.transpose(), &inverse(Q))
}

/// B for a free end with G left over: −Φᵀ (I − GQ)⁻¹ G Φ.
fn free_end(G: &Matrix2<f64>, Phi: &Matrix2<f64>, Q: &Matrix2<f64>) -> Matrix2<f64> {
    -spread(&Phi.transpose(), &(inverse(&(Matrix2::identity() - G * Q)) * G))
}

/// (I + PB)⁻¹. The determinant is 1 + tr PB + det P det B, which has no difference of large numbers in it.
fn gain_of(P: &Matrix2<f64>, B: &Matrix2<f64>) -> Matrix2<f64> {
    let M = P * B;
    let det = 1.0 + M.trace() + P.determinant() * B.determinant();
    Matrix2::new((1.0 + M[(1, 1)]) / det, -M[(0, 1)] / det, -M[(1, 0)] / det, (1.0 + M[(0, 0)]) / det)
}
