//! What the energy of forces would be with another stiffness and damping along a path that stays as it is.
//!
//! Of one mode with f = z̈ + d ż + λ z − F the force along its path, d = 2δ, another (λ + a, d + b) needs the force
//! f + a z + b ż. So the energy is exactly quadratic in the two (Li 2014, §5.4, without its differences in time),
//!
//! > E = ½∫f² + a∫fz + b∫fż + ½a²∫z² + ab∫zż + ½b²∫ż².
//!
//! ∫zż = ½(z_e² − z_s²) is known at the ends of the path alone; and so is what z̈ has to do with z and ż,
//! ∫z̈ż = ½(ż_e² − ż_s²), ∫z̈z = z_e ż_e − z_s ż_s − ∫ż². The rest is summed at Gauss points of the stretches in which
//! nothing pulls, where the path is known in closed form ([`super::force`]).
//!
//! A start that forces make out of rest long before costs d λ z_s² + d ż_s² beside that: with (λ, d) it changes as
//! the energy of the best way there does. Costs of positions and velocities ([`crate::Reach`]) are those of the path,
//! which stays; they are left out.

use super::Path;
use super::force::Pieces;
use crate::kernel::{Ends, Factored, GAUSS, Oscillator, Start, inverse};
use nalgebra::{RowVector2, Vector2};
use rayon::prelude::*;

/// The most parts of a stretch.
const PARTS: f64 = 400.0;

/// The integrals of one mode's path that its energy is made of, at any stiffness and damping.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Moments {
    /// λ at which f is what it is,
    pub stiffness: f64,
    /// and d = 2δ.
    pub damping: f64,
    /// ∫f².
    pub ff: f64,
    /// ∫f z.
    pub fz: f64,
    /// ∫f ż.
    pub fv: f64,
    /// ∫z².
    pub zz: f64,
    /// ∫z ż.
    pub zv: f64,
    /// ∫ż².
    pub vv: f64,
    /// z_s² and ż_s² of a start that forces made out of rest; zero for others.
    pub arrival: [f64; 2],
}

impl Moments {
    /// Those of nothing, at a stiffness and damping: to be added to.
    pub fn at(mode: Oscillator) -> Self {
        Self { stiffness: mode.eigenvalue, damping: 2.0 * mode.delta, ..Self::default() }
    }

    /// E where stiffness and damping are more by `a` and `b`.
    #[cfg(test)]
    pub fn energy(&self, (a, b): (f64, f64)) -> f64 {
        let linear = a * self.fz + b * self.fv;
        let square = a * a * self.zz + 2.0 * a * b * self.zv + b * b * self.vv;
        let (stiffness, damping) = (self.stiffness + a, self.damping + b);
        0.5 * (self.ff + square) + linear + damping * (stiffness * self.arrival[0] + self.arrival[1])
    }
}

/// The least costly path of one mode over a time in which nothing pulls, at the Gauss points of its parts.
///
/// It is linear in the states at both ends and in one: five numbers.
#[derive(Clone, Debug)]
pub(crate) struct Stretch {
    /// Weight, and the rows of z, ż and f beside the load.
    points: Vec<(f64, [[f64; 5]; 3])>,
}

impl Stretch {
    /// Of a mode under the load F, of which F' and F are given (see `kernel::mean`); (0, 0) if there is none.
    pub fn new(mode: &Factored, (inner, load): (f64, f64), duration: f64) -> Self {
        let oscillator = mode.oscillator;
        let Phi = oscillator.transition(duration);
        let information = inverse(&oscillator.noise(duration));
        let whole = oscillator.response(duration);
        let row = |at_start: RowVector2<f64>, at_end: RowVector2<f64>, constant: f64| {
            [at_start[0], at_start[1], at_end[0], at_end[1], constant]
        };
        let point = |(t, weight): (f64, f64)| {
            let back = oscillator.transition(duration - t).transpose();
            let reached = oscillator.noise(t) * back * information;
            let (started, pushed) = (oscillator.transition(t), oscillator.response(t) * inner);
            let from = started - reached * Phi;
            let constant = pushed - reached * whole * inner;
            let state = |k: usize| row(from.row(k).into_owned(), reached.row(k).into_owned(), constant[k]);
            let (z, v) = (state(0), state(1));
            let pull = back.row(1) * information;
            let mut f = row(-pull * Phi, pull, -(pull * whole)[0] * inner + (inner - load));
            for ((f, z), v) in f.iter_mut().zip(&z).zip(&v) {
                *f -= mode.eigenvalue_gain * z + 2.0 * mode.delta_gain * v;
            }
            (weight, [z, v, f])
        };
        let cuts = cuts(oscillator, duration);
        let points = cuts.windows(2).flat_map(|part| {
            let (at, length) = (part[0], part[1] - part[0]);
            GAUSS.into_iter().flat_map(move |(share, weight)| {
                [share, 1.0 - share].map(|share| (at + share * length, weight * length))
            })
        });
        Self { points: points.map(point).collect() }
    }

    /// Adds what is between two states.
    pub fn add(&self, from: Vector2<f64>, to: Vector2<f64>, moments: &mut Moments) {
        let x = [from[0], from[1], to[0], to[1], 1.0];
        let dot = |row: &[f64; 5]| row.iter().zip(&x).map(|(c, x)| c * x).sum::<f64>();
        for (weight, [z, v, f]) in &self.points {
            let (z, v, f) = (dot(z), dot(v), dot(f));
            moments.ff += weight * f * f;
            moments.fz += weight * f * z;
            moments.fv += weight * f * v;
            moments.zz += weight * z * z;
            moments.vv += weight * v * v;
        }
        moments.zv += 0.5 * (to[0] * to[0] - from[0] * from[0]);
    }
}

/// Where a stretch is parted, so that eight Gauss points are exact to round-off in every part: as fine as the mode swings,
/// and where it does not, finest at the ends, where all that is fast happens.
fn cuts(oscillator: Oscillator, duration: f64) -> Vec<f64> {
    let Oscillator { eigenvalue: lambda, delta } = oscillator;
    let kappa = (delta * delta - lambda).max(0.0).sqrt();
    if kappa == 0.0 {
        let parts = (lambda.sqrt().max(2.0 * delta) * duration).ceil().clamp(1.0, PARTS);
        return (0..=parts as usize).map(|part| duration * part as f64 / parts).collect();
    }
    let fast = delta + kappa;
    let longest = (fast / lambda).max(duration / PARTS);
    let mut cuts = vec![0.0];
    let (mut at, mut length) = (0.0, fast.recip());
    while at + length < 0.5 * duration {
        at += length;
        cuts.push(at);
        length = (2.0 * length).min(longest);
    }
    let mirrored: Vec<f64> = cuts.iter().rev().map(|at| duration - at).collect();
    cuts.push(0.5 * duration);
    cuts.extend(mirrored);
    cuts
}

impl Path {
    /// The integrals of every mode; none under a kernel without forces.
    pub(crate) fn moments(&self) -> Option<Vec<Moments>> {
        if !self.kernel.has_forces() {
            return None;
        }
        let Pieces { spans, states } = self.pieces();
        let settings = *self.kernel.settings();
        let first = self.kernel.range().0;
        let arrives = matches!(settings.ends, Ends::Open { start: Start::Arriving, .. });
        let of = |k: usize| {
            let mode = &self.kernel.factored()[k];
            let load = self.mean.as_ref().map_or((0.0, 0.0), |mean| mean.load(k));
            let state = |column: Option<usize>| {
                let at = |i: usize| Vector2::new(states.position[(k, i)], states.velocity[(k, i)]);
                column.map_or(Vector2::zeros(), at)
            };
            let mut moments = Moments::at(mode.from);
            let mut stretches: Vec<(f64, Stretch)> = Vec::new();
            for span in &spans {
                let known = stretches.iter().position(|(length, _)| *length == span.length);
                let place = known.unwrap_or_else(|| {
                    let stretch = Stretch::new(mode, load, span.length * settings.dt);
                    stretches.push((span.length, stretch));
                    stretches.len() - 1
                });
                stretches[place].1.add(state(span.ends[0]), state(span.ends[1]), &mut moments);
            }
            if arrives {
                let start = state(Some(first));
                moments.arrival = [start[0] * start[0], start[1] * start[1]];
            }
            moments
        };
        Some((0..self.kernel.modes()).into_par_iter().map(of).collect())
    }
}
