//! The least of a smooth function of a few unknowns: Newton's method with a trust region.
//!
//! > minimise ½|η|² + E(w(η)), E quadratic, J = ∂w/∂η,
//! > (I + JᵀE″J + Σ f̂ w″ + μI) s = −(η + Jᵀ∂E/∂w), μ the least that makes the step short enough to be believed.
//!
//! f̂ are the forces as they will be after the step without curvature, not those before it: where something is asked
//! firmly and is still far off, these are as large as the firmness, and what they bend is of no use.
//!
//! Firm keys make a narrow valley that bends; a straight step runs up its side. So a step is led back: with the same J
//! and the same factor, w is read again and what is off is taken back. To read costs little, J and curvature cost much.
//!
//! Gauss and Newton's method is the same without curvature. BFGS learns it, from I + JᵀE″J where it begins.

use super::settings::Solver;
use faer::Mat;
use faer::linalg::solvers::{Llt, Solve};

/// A function around a point, with what its derivatives there are made of.
pub(super) struct Local<R> {
    pub cost: f64,
    pub gradient: Vec<f64>,
    /// The size of the larger of the two parts that cancel in the gradient.
    pub scale: f64,
    pub rows: R,
}

impl<R> Local<R> {
    pub fn stationarity(&self) -> f64 {
        let size = norm(&self.gradient);
        if size == 0.0 { 0.0 } else { size / self.scale.max(f64::MIN_POSITIVE) }
    }
}

/// What is minimised.
pub(super) trait Function {
    /// J.
    type Rows;

    /// The function around a point.
    fn around(&self, eta: &[f64]) -> Local<Self::Rows>;

    /// The function at another point, and the gradient there as if J were still that of `local`.
    fn nearby(&self, local: &Local<Self::Rows>, eta: &[f64]) -> (f64, Vec<f64>);

    /// I + JᵀE″J.
    fn squares(&self, local: &Local<Self::Rows>) -> Mat<f64>;

    /// Adds Σ f̂ w″ under the forces that a step leads to.
    fn add_curvature(&self, local: &Local<Self::Rows>, eta: &[f64], step: &[f64], to: &mut Mat<f64>);
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
pub(super) struct Search<R> {
    pub eta: Vec<f64>,
    pub local: Local<R>,
    pub steps: usize,
    /// μ.
    damping: f64,
    /// Learnt by BFGS.
    learnt: Option<Mat<f64>>,
}

/// The quadratic that a step believes in.
struct Model {
    H: Mat<f64>,
    /// H without curvature; none where it was learnt.
    squares: Option<Mat<f64>>,
}

/// Steps below this part of the cost are noise.
const NOISE: f64 = 1e-14;
/// A step that gains less than this part of what it was expected to is too long: to try another costs little.
const BELIEVED: f64 = 0.5;
/// Past this no step is short enough.
const MOST_DAMPING: f64 = 1e30;
/// How often a step is led back at most,
const CORRECTIONS: usize = 4;
/// unless it gains this part of what it was expected to.
const AS_EXPECTED: f64 = 0.9;

impl<R> Search<R> {
    pub fn new(eta: Vec<f64>, local: Local<R>) -> Self {
        Self { eta, local, steps: 0, damping: 0.0, learnt: None }
    }

    /// Goes on until the gradient is small enough, at most `most` steps.
    pub fn run<E>(
        &mut self,
        function: &impl Function<Rows = R>,
        solver: Solver,
        (tolerance, most): (f64, usize),
        mut is_stopped: impl FnMut(usize) -> Result<bool, E>,
    ) -> Result<Ended, E> {
        let mut escapes = 0;
        for _ in 0..most {
            if is_stopped(self.steps)? {
                return Ok(Ended::Stopped);
            }
            let is_still = self.local.stationarity() <= tolerance;
            if is_still && solver != Solver::Newton {
                return Ok(Ended::Found);
            }
            let model = self.model(function, solver);
            if is_still {
                let is_saddle = factored(&model.H, 0.0).is_none();
                if !is_saddle || escapes >= 3 || !self.escape(function, &model.H) {
                    return Ok(Ended::Found);
                }
                escapes += 1;
                continue;
            }
            if !self.step(function, &model) {
                return Ok(Ended::Stalled);
            }
        }
        Ok(if self.local.stationarity() <= tolerance { Ended::Found } else { Ended::OutOfSteps })
    }

    fn model(&mut self, function: &impl Function<Rows = R>, solver: Solver) -> Model {
        if solver == Solver::Bfgs {
            let learnt = self.learnt.get_or_insert_with(|| function.squares(&self.local));
            return Model { H: learnt.clone(), squares: None };
        }
        let squares = function.squares(&self.local);
        let mut H = squares.clone();
        let bends = solver == Solver::Newton;
        if let Some(factor) = bends.then(|| factored(&squares, self.damping)).flatten() {
            let step = solved(&factor, &self.local.gradient);
            function.add_curvature(&self.local, &self.eta, &step, &mut H);
        }
        Model { H, squares: Some(squares) }
    }

    /// One step that lowers the cost; false if there is none.
    fn step(&mut self, function: &impl Function<Rows = R>, model: &Model) -> bool {
        let (g, before) = (self.local.gradient.clone(), self.local.cost);
        let mut grow = 4.0;
        while self.damping < MOST_DAMPING {
            let Some(factor) = factored(&model.H, self.damping) else {
                self.damping = (grow * self.damping).max(1.0);
                continue;
            };
            let mut s = solved(&factor, &g);
            let expected = -dot(&g, &s) - 0.5 * dot(&product(&model.H, &s), &s);
            let is_noise = expected.abs() <= NOISE * before.abs();
            let wanted = if is_noise { f64::INFINITY } else { before - AS_EXPECTED * expected };
            let after = self.led_back(function, model, &factor, &mut s, wanted);
            let gained = before - after;
            if is_noise || (after.is_finite() && gained > BELIEVED * expected && expected > 0.0) {
                let ratio = if is_noise { 1.0 } else { gained / expected };
                let eta = sum(&self.eta, &s);
                let local = function.around(&eta);
                if is_noise && local.stationarity() >= self.local.stationarity() {
                    return false;
                }
                self.learn(&s, &g, &local.gradient);
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

    /// Leads a step back into the valley, as long as it costs more than is wanted and that helps; the cost at its end.
    fn led_back(
        &self,
        function: &impl Function<Rows = R>,
        model: &Model,
        factor: &Llt<f64>,
        s: &mut Vec<f64>,
        wanted: f64,
    ) -> f64 {
        let (mut cost, mut gradient) = function.nearby(&self.local, &sum(&self.eta, s));
        let Some(squares) = &model.squares else { return cost };
        for _ in 0..CORRECTIONS {
            if cost <= wanted {
                break;
            }
            // What the model has beyond I + JᵀE″J is not in the gradient there.
            let (all, own) = (product(&model.H, s), product(squares, s));
            let off: Vec<f64> =
                (0..s.len()).map(|k| gradient[k] + all[k] - own[k] + self.damping * s[k]).collect();
            let next = sum(s, &solved(factor, &off));
            let (there, slope) = function.nearby(&self.local, &sum(&self.eta, &next));
            if there.is_nan() || (there >= cost && cost.is_finite()) {
                break;
            }
            (*s, cost, gradient) = (next, there, slope);
        }
        cost
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
    fn escape(&mut self, function: &impl Function<Rows = R>, H: &Mat<f64>) -> bool {
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
                if function.nearby(&self.local, &eta).0 < self.local.cost {
                    self.local = function.around(&eta);
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
fn factored(H: &Mat<f64>, damping: f64) -> Option<Llt<f64>> {
    let mut damped = H.clone();
    (0..H.nrows()).for_each(|k| damped[(k, k)] += damping);
    damped.llt(faer::Side::Lower).ok()
}

/// −H⁻¹ g.
fn solved(factor: &Llt<f64>, g: &[f64]) -> Vec<f64> {
    let right = Mat::from_fn(g.len(), 1, |k, _| -g[k]);
    let solved = factor.solve(&right);
    (0..g.len()).map(|k| solved[(k, 0)]).collect()
}

fn sum(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
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
