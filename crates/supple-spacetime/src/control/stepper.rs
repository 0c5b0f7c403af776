//! One time step: the next frame from two and a force.
//!
//! > p₊ z₊ + q₊ R(z₊) = f + w − p₀ z − p₋ z₋ − q₀ R − q₋ R₋
//!
//! by Newton's method, its steps halved while the residual grows.

use super::rows::Equation;
use super::small::{add, add_product, backward, factor, forward, norm};
use supple_model::ReducedDynamics;

/// A Newton step below this part of the motion is the last one: what it leaves is its square, 1e-14.
pub(super) const EXACT: f64 = 1e-7;
/// The same where forces are told by the motion afterwards, not the motion by forces.
pub(super) const ROUGH: f64 = 1e-4;
/// Steps at most.
const STEPS: usize = 30;
/// Halvings of one.
const HALVINGS: usize = 12;

/// Memory for time steps.
#[derive(Clone, Debug)]
pub(super) struct Stepper {
    right: Vec<f64>,
    residual: Vec<f64>,
    change: Vec<f64>,
    trial: Vec<f64>,
    stiffness: Vec<f64>,
    factor: Vec<f64>,
    small: f64,
}

impl Stepper {
    /// Of so many coordinates; [`EXACT`] or [`ROUGH`].
    pub fn new(size: usize, small: f64) -> Self {
        let vector = || vec![0.0; size];
        let matrix = || vec![0.0; size * size];
        Self {
            right: vector(),
            residual: vector(),
            change: vector(),
            trial: vector(),
            stiffness: matrix(),
            factor: matrix(),
            small,
        }
    }

    /// The frame after two, from a guess in its place; `z` and `R` are the frames e, e + 1 and e + 2 one after the other,
    /// the last of which is found. False if none is: z is where the search ended then.
    pub fn step(
        &mut self,
        dynamics: &dyn ReducedDynamics,
        equation: &Equation,
        force: &[f64],
        z: &mut [f64],
        R: &mut [f64],
    ) -> bool {
        let r = force.len();
        let ((known, x), (elastic, own)) = (z.split_at_mut(2 * r), R.split_at_mut(2 * r));
        let (p, q) = (equation.p, equation.q);
        self.right.copy_from_slice(force);
        for j in 0..2 {
            add(&mut self.right, -p[j], &known[j * r..][..r]);
            add(&mut self.right, -q[j], &elastic[j * r..][..r]);
        }
        let scale = norm(&self.right) / p[2];
        dynamics.stiffness(x, own, &mut self.stiffness);
        let mut size = self.off(p[2], q[2], x, own);
        for _ in 0..STEPS {
            if !size.is_finite() {
                return false;
            }
            self.solve(p[2], q[2]);
            let length = norm(&self.change);
            if length <= self.small * scale || size == 0.0 {
                add(x, 1.0, &self.change);
                add_product(own, 1.0, &self.stiffness, &self.change);
                return true;
            }
            let mut s = 1.0;
            for halving in 0.. {
                self.trial.copy_from_slice(x);
                add(&mut self.trial, s, &self.change);
                dynamics.stiffness(&self.trial, own, &mut self.stiffness);
                let (p, q, trial) = (p[2], q[2], std::mem::take(&mut self.trial));
                let there = self.off(p, q, &trial, own);
                self.trial = trial;
                if there <= (1.0 - 0.1 * s) * size || s * length <= self.small * scale {
                    size = there;
                    break;
                }
                if halving == HALVINGS {
                    return false;
                }
                s *= 0.5;
            }
            x.copy_from_slice(&self.trial);
        }
        false
    }

    /// The residual at x, and its size.
    fn off(&mut self, p: f64, q: f64, x: &[f64], R: &[f64]) -> f64 {
        for (k, residual) in self.residual.iter_mut().enumerate() {
            *residual = p * x[k] + q * R[k] - self.right[k];
        }
        norm(&self.residual)
    }

    /// The Newton step; where the stiffness is not positive, of a stiffness that is.
    fn solve(&mut self, p: f64, q: f64) {
        let r = self.residual.len();
        let mut more = 0.0;
        loop {
            for (own, k) in self.factor.iter_mut().zip(&self.stiffness) {
                *own = q * k;
            }
            (0..r).for_each(|k| self.factor[k * (r + 1)] += p + more);
            if factor(&mut self.factor, r) {
                break;
            }
            more = if more == 0.0 { p } else { 4.0 * more };
            if !more.is_finite() {
                break;
            }
        }
        self.change.iter_mut().zip(&self.residual).for_each(|(change, residual)| *change = -residual);
        forward(&self.factor, &mut self.change);
        backward(&self.factor, &mut self.change);
    }
}
