//! The least of a smooth function of a few unknowns: Newton's method with a trust region.
//!
//! > (H + μI) s = −g, μ the least that makes the step short enough to be believed.
//!
//! The unknowns are in the metric of the force, so that I is what the force itself costs. H may be the Hessian, that of
//! Gauss and Newton, or learnt: damped BFGS from the first one.

use super::settings::Solver;
use faer::Mat;
use faer::linalg::solvers::Solve;

/// A function around a point.
pub(super) struct Local {
    pub cost: f64,
    pub gradient: Vec<f64>,
    /// The size of the larger of the two parts that cancel in the gradient.
    pub scale: f64,
    /// The lower triangle; none where it was not asked for.
    pub hessian: Option<Mat<f64>>,
}

impl Local {
    pub fn stationarity(&self) -> f64 {
        let size = norm(&self.gradient);
        if size == 0.0 { 0.0 } else { size / self.scale.max(f64::MIN_POSITIVE) }
    }
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// In a minimum.
    Found,
    /// Out of steps.
    OutOfSteps,
    /// No step helps.
    Stalled,
    /// The owner stopped it.
    Stopped,
}

/// Where a search stands.
pub(super) struct Search {
    pub eta: Vec<f64>,
    pub local: Local,
    pub steps: usize,
    /// μ.
    damping: f64,
    /// Learnt by BFGS.
    learnt: Option<Mat<f64>>,
}

/// Steps below this part of the cost are noise.
const NOISE: f64 = 1e-14;
/// Past this no step is short enough.
const MOST_DAMPING: f64 = 1e30;

impl Search {
    pub fn new(eta: Vec<f64>, local: Local) -> Self {
        Self { eta, local, steps: 0, damping: 0.0, learnt: None }
    }

    /// Goes on until the gradient is small enough, at most `most` steps. `cost` is the function alone.
    pub fn run<E>(
        &mut self,
        solver: Solver,
        (tolerance, most): (f64, usize),
        cost: impl Fn(&[f64]) -> f64,
        expand: impl Fn(&[f64], bool) -> Local,
        mut is_stopped: impl FnMut(usize) -> Result<bool, E>,
    ) -> Result<Ended, E> {
        let mut escapes = 0;
        for _ in 0..most {
            if is_stopped(self.steps)? {
                return Ok(Ended::Stopped);
            }
            let H = self.model(solver);
            if self.local.stationarity() <= tolerance {
                let is_saddle = solver == Solver::Newton && factored(&H, 0.0).is_none();
                if !is_saddle || escapes >= 3 {
                    return Ok(Ended::Found);
                }
                escapes += 1;
                if !self.escape(&H, &cost, &expand) {
                    return Ok(Ended::Found);
                }
                continue;
            }
            if !self.step(solver, &H, &cost, &expand) {
                return Ok(Ended::Stalled);
            }
        }
        Ok(if self.local.stationarity() <= tolerance { Ended::Found } else { Ended::OutOfSteps })
    }

    /// H, filled to a full symmetric matrix.
    fn model(&mut self, solver: Solver) -> Mat<f64> {
        let own = || self.local.hessian.as_ref().map(full);
        match solver {
            Solver::Bfgs => match &self.learnt {
                Some(learnt) => learnt.clone(),
                None => {
                    let first = own().unwrap_or_else(|| Mat::identity(self.eta.len(), self.eta.len()));
                    self.learnt = Some(first.clone());
                    first
                }
            },
            _ => own().unwrap_or_else(|| Mat::identity(self.eta.len(), self.eta.len())),
        }
    }

    /// One step that lowers the cost; false if there is none.
    fn step(
        &mut self,
        solver: Solver,
        H: &Mat<f64>,
        cost: &impl Fn(&[f64]) -> f64,
        expand: &impl Fn(&[f64], bool) -> Local,
    ) -> bool {
        let (g, before) = (self.local.gradient.clone(), self.local.cost);
        let mut grow = 4.0;
        while self.damping < MOST_DAMPING {
            let Some(factor) = factored(H, self.damping) else {
                self.damping = (grow * self.damping).max(1.0);
                continue;
            };
            let right = Mat::from_fn(g.len(), 1, |k, _| -g[k]);
            let solved = factor.solve(&right);
            let s: Vec<f64> = (0..g.len()).map(|k| solved[(k, 0)]).collect();
            let bent: f64 = product(H, &s).iter().zip(&s).map(|(a, b)| a * b).sum();
            let expected = -dot(&g, &s) - 0.5 * bent;
            let eta: Vec<f64> = self.eta.iter().zip(&s).map(|(a, b)| a + b).collect();
            let after = cost(&eta);
            let gained = before - after;
            let is_noise = expected.abs() <= NOISE * before.abs();
            if is_noise || (after.is_finite() && gained > 1e-4 * expected && expected > 0.0) {
                let ratio = if is_noise { 1.0 } else { gained / expected };
                let local = expand(&eta, solver != Solver::Bfgs);
                if is_noise && local.stationarity() >= self.local.stationarity() {
                    return false;
                }
                if solver == Solver::Bfgs {
                    self.learn(&s, &g, &local.gradient);
                }
                self.damping *= (1.0 / 3.0_f64).max(1.0 - (2.0 * ratio - 1.0).powi(3)).min(2.0);
                if self.damping < 1e-3 {
                    self.damping = 0.0;
                }
                (self.eta, self.local) = (eta, local);
                self.steps += 1;
                return true;
            }
            self.damping = (grow * self.damping).max(1.0);
            grow *= 2.0;
        }
        false
    }

    /// Damped BFGS (Powell 1978).
    fn learn(&mut self, s: &[f64], before: &[f64], after: &[f64]) {
        let Some(B) = &mut self.learnt else { return };
        let mut y: Vec<f64> = after.iter().zip(before).map(|(a, b)| a - b).collect();
        let Bs = product(B, s);
        let (sBs, sy) = (dot(s, &Bs), dot(s, &y));
        if sBs <= 0.0 {
            return;
        }
        if sy < 0.2 * sBs {
            let share = 0.8 * sBs / (sBs - sy);
            y.iter_mut().zip(&Bs).for_each(|(y, b)| *y = share * *y + (1.0 - share) * b);
        }
        let sy = dot(s, &y);
        for l in 0..s.len() {
            for k in 0..s.len() {
                B[(k, l)] += y[k] * y[l] / sy - Bs[k] * Bs[l] / sBs;
            }
        }
    }

    /// Leaves a saddle along the direction that bends down most; false if that is noise.
    fn escape(
        &mut self,
        H: &Mat<f64>,
        cost: &impl Fn(&[f64]) -> f64,
        expand: &impl Fn(&[f64], bool) -> Local,
    ) -> bool {
        let Ok(eigen) = H.self_adjoint_eigen(faer::Side::Lower) else { return false };
        let (values, vectors) = (eigen.S(), eigen.U());
        let lowest = values.column_vector()[0];
        if lowest >= -1e-8 {
            return false;
        }
        let down: Vec<f64> = (0..self.eta.len()).map(|k| vectors[(k, 0)]).collect();
        let sign = if dot(&down, &self.local.gradient) > 0.0 { -1.0 } else { 1.0 };
        let mut length = norm(&self.eta).max(1e-6);
        while length > 1e-9 * norm(&self.eta) {
            for sign in [sign, -sign] {
                let eta: Vec<f64> =
                    self.eta.iter().zip(&down).map(|(eta, d)| eta + sign * length * d).collect();
                if cost(&eta) < self.local.cost {
                    self.local = expand(&eta, true);
                    self.eta = eta;
                    self.steps += 1;
                    return true;
                }
            }
            length *= 0.25;
        }
        false
    }
}

/// The Cholesky factor of H + μI; none if that bends down somewhere.
fn factored(H: &Mat<f64>, damping: f64) -> Option<faer::linalg::solvers::Llt<f64>> {
    let mut damped = H.clone();
    (0..H.nrows()).for_each(|k| damped[(k, k)] += damping);
    damped.llt(faer::Side::Lower).ok()
}

fn full(lower: &Mat<f64>) -> Mat<f64> {
    Mat::from_fn(lower.nrows(), lower.ncols(), |k, l| lower[(k.max(l), k.min(l))])
}

fn product(H: &Mat<f64>, s: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; s.len()];
    for (column, s) in H.col_iter().zip(s) {
        out.iter_mut().zip(column.iter()).for_each(|(out, h)| *out += h * s);
    }
    out
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub(super) fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}
