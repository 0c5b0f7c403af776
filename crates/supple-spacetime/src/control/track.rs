//! Holding a motion against pushes: a time-varying linear regulator.
//!
//! What is eliminated from the last frame backwards is a policy around the motion ([`super::policy`]); as a force it is
//!
//! > w = w_e + G δ + G₋ δ₋,  G = J_{e,e+1} + J_{e,e+2} P,  G₋ = J_{e,e} + J_{e,e+2} P₋,
//! > P = −L_ff⁻ᵀ L_{f−1,f}ᵀ, P₋ = −L_ff⁻ᵀ L_{f−2,f}ᵀ, f = e + 2,
//!
//! δ how far the body is off the motion. Hard keys are held softly here: forces that meet them whatever happens would be
//! without bounds. Between keys the motion itself is held, too.

use super::model::{Balance, Model};
use super::normal::{Normal, Shape};
use super::report::{ControlPath, ControlSolution};
use super::settings::TrackSettings;
use super::small::{add_product, backward};
use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use supple_model::{Cancelled, Progress};

/// Everything is held by this at least: where nothing holds a coordinate there is no policy.
const LEAST: f64 = 1e-9;

/// The forces that hold a motion.
#[derive(Clone, Debug)]
pub struct Tracker {
    path: ControlPath,
    forces: Vec<f64>,
    /// G and G₋ of every row, by columns.
    gains: Vec<f64>,
}

impl Tracker {
    pub(super) fn new(
        model: &Model,
        solution: &ControlSolution,
        settings: &TrackSettings,
        progress: &Progress,
    ) -> Result<Self, Cancelled> {
        let r = model.size();
        // The first frames may be off, too.
        let free = Model { start: None, ..model.clone() };
        let point = free.point(solution.path.all().to_vec(), progress)?;
        let effort = settings.effort.unwrap_or_else(|| model.auto_effort());
        let balance = Balance { effort, hard: model.soft_hard(effort) };
        let mut every = settings.firmness.max(LEAST) / model.tau;
        let normal = loop {
            let shape = Shape { balance, curvature: None, holds: false, damping: 0.0, every };
            match Normal::new(&free, &point, &shape) {
                Some(normal) => break normal,
                None => every *= 10.0,
            }
        };
        let mut gains = vec![0.0; 2 * r * r * model.rows.equations.len()];
        let mut policy = vec![0.0; r * r];
        for (e, gains) in gains.chunks_exact_mut(2 * r * r).enumerate() {
            let f = e + 2;
            let equation = &model.rows.equations[e];
            let J = |j: usize| -> Vec<f64> {
                let K = &point.K[(e + j) * r * r..][..r * r];
                let mut J: Vec<f64> = K.iter().map(|k| equation.q[j] * k).collect();
                (0..r).for_each(|k| J[k * (r + 1)] += equation.p[j]);
                J
            };
            let after = J(2);
            for (gain, j) in gains.chunks_exact_mut(r * r).zip([1, 0]) {
                let L = normal.factor(e + j, f);
                for (k, column) in policy.chunks_exact_mut(r).enumerate() {
                    column.iter_mut().enumerate().for_each(|(l, entry)| *entry = -L[l * r + k]);
                    backward(normal.factor(f, f), column);
                }
                gain.copy_from_slice(&J(j));
                let of = |values| MatRef::from_column_major_slice(values, r, r);
                let out = MatMut::from_column_major_slice_mut(gain, r, r);
                matmul(out, Accum::Add, of(&after), of(&policy), 1.0, Par::Seq);
            }
        }
        Ok(Self { path: solution.path.clone(), forces: solution.forces.clone(), gains })
    }

    /// Adds −(G + G₋) of a frame, by columns: how much stiffer the body is for being held.
    ///
    /// # Panics
    /// When the frame is the last one or a later one, or the slice has not r² numbers.
    pub fn add_hold(&self, frame: usize, stiffness: &mut [f64]) {
        let r = self.path.coordinates();
        for gain in self.gains[frame * 2 * r * r..].chunks_exact(r * r).take(2) {
            stiffness.iter_mut().zip(gain).for_each(|(k, gain)| *k -= gain);
        }
    }

    /// Overwrites `force` with w + G δ + G₋ δ₋ for the way from `frame` to the next: `before` and `now` are where the body
    /// is in the frame before and in this one.
    ///
    /// # Panics
    /// When the frame is the last one or a later one, or a slice has not r numbers.
    pub fn force(&self, frame: usize, before: &[f64], now: &[f64], force: &mut [f64]) {
        let r = self.path.coordinates();
        force.copy_from_slice(&self.forces[frame * r..][..r]);
        let gains = self.gains[frame * 2 * r * r..].chunks_exact(r * r);
        for ((gain, f), z) in gains.zip([frame + 1, frame]).zip([now, before]) {
            let known = &self.path.all()[f * r..][..r];
            let delta: Vec<f64> = z.iter().zip(known).map(|(z, known)| z - known).collect();
            add_product(force, 1.0, gain, &delta);
        }
    }
}
