//! Block Lanczos with full reorthogonalisation around one shift (Grimes, Lewis, Simon 1994).
//!
//! For C = (A − σI)⁻¹ an orthonormal basis V of the block Krylov space of C is grown by blocks Q:
//!
//! ```text
//! C V = V H + Q R Eᵀ          H = VᵀCV symmetric, E picks the last block
//! H s = θ s                   λ = σ + 1/θ,  y = V s
//! y' = C y / θ = y + Q R Eᵀs / θ            one step of inverse iteration, free of charge
//! A y' − λ y' = −Q R Eᵀs / θ²               its residual, known before y' is formed
//! ```
//!
//! Eigenvalues nearest to σ come first. When the basis is full it is replaced by its best Ritz vectors
//! and grows on from the same block Q (thick restart).

use super::dense::symmetric_eigen;
use super::operator::ShiftInvert;
use super::tall::{Threads, add_times, transpose_times};
use crate::random::Random;
use faer::{Accum, Mat, MatRef};
use std::ops::Range;
use supple_model::Cancelled;

/// When the shift is this much nearer to one eigenvalue than to another, round-off of the nearer one
/// drowns the other's fine digits.
const CROWDED: f64 = 200.0;

/// Memory for one basis, beyond which it is restarted rather than grown.
const BASIS_BYTES: usize = 1 << 30;

/// Restarts before giving up.
const RESTARTS: usize = 12;

/// What is wanted around a shift.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    /// Columns solved for and orthogonalised together: the largest multiplicity that is sure to be
    /// found. Wider blocks make better use of memory, narrower ones of the Krylov space.
    pub width: usize,
    /// How many eigenvalues below the shift, nearest first.
    pub below: usize,
    /// How many above.
    pub above: usize,
    /// The residual ‖Ay − λy‖ / max(|λ|, floor) at which an eigenpair counts.
    pub tolerance: f64,
    /// What stands for λ in that quotient where λ is (nearly) zero.
    pub floor: f64,
}

/// Eigenpairs around one shift, ascending.
#[derive(Debug)]
pub(super) struct Found {
    pub values: Vec<f64>,
    pub vectors: Mat<f64>,
    /// How many of them lie below the shift.
    pub below: usize,
}

/// A Ritz pair: column of S, θ, λ = σ + 1/θ and the residual of y'.
struct Ritz {
    column: usize,
    theta: f64,
    value: f64,
    residual: f64,
}

struct Basis {
    width: usize,
    /// Columns `..size` are V, the next `width` are Q.
    v: Mat<f64>,
    /// VᵀCV in its leading `size`×`size` part.
    h: Mat<f64>,
    size: usize,
    /// Leading columns of V that a restart kept; the blocks after them come from the recurrence.
    kept: usize,
    /// Couples the last block of V to Q.
    r: Mat<f64>,
    threads: Threads,
    random: Random,
}

/// Finds the eigenvalues wanted around the shift of `operator`.
pub(super) fn around(
    operator: &ShiftInvert,
    dim: usize,
    wanted: &Wanted,
    threads: Threads,
    progress: &dyn Fn(f64) -> Result<(), Cancelled>,
) -> Result<Found, Cancelled> {
    let goal = wanted.below + wanted.above;
    let width = wanted.width;
    let capacity = capacity(goal, width, dim);
    let mut basis = Basis::new(dim, capacity, width, threads);
    let mut check_at = 2 * goal;
    let mut before = (0, goal);
    let mut restarts = 0;
    loop {
        progress(basis.size as f64 / (2.5 * goal as f64 + width as f64))?;
        basis.grow(operator);
        let full = basis.size + width > capacity;
        if basis.size < check_at && !full {
            continue;
        }
        let (ritz, s) = basis.ritz(operator.shift());
        let chosen = choose(&ritz, wanted);
        let is_open = |r: &&Ritz| r.residual > wanted.tolerance * r.value.abs().max(wanted.floor);
        let open = chosen.iter().copied().filter(is_open).count() + goal - chosen.len();
        if open == 0 || (full && restarts == RESTARTS) {
            let mut found = basis.collect(&chosen, s.as_ref());
            let size = |pick: fn(f64, f64) -> f64| chosen.iter().map(|r| r.theta.abs()).reduce(pick);
            if size(f64::max) > size(f64::min).map(|least| CROWDED * least) {
                operator.iterate(found.vectors.as_mut(), threads);
            }
            return Ok(found);
        }
        // Pairs settle at a steady rate, so the last two looks tell when the next one is worth while.
        let rate = (before.1 - open.min(before.1)) as f64 / (basis.size - before.0) as f64;
        let missing = open as f64 / rate.max(0.1);
        check_at = basis.size + (missing as usize).clamp(width, 6 * width);
        before = (basis.size, open);
        if full {
            restarts += 1;
            let kept = best(&ritz, &chosen, goal + (capacity - goal) / 3);
            basis.restart(&kept, s.as_ref());
            check_at = (basis.size + capacity) / 2;
            before = (basis.size, open);
        }
    }
}

/// Columns the basis may have: as many as it ever needs while that is not too much memory.
fn capacity(goal: usize, width: usize, dim: usize) -> usize {
    let plenty = 4 * goal + 16 * width;
    let affordable = (BASIS_BYTES / 8 / dim).max(2 * goal + 4 * width);
    plenty.min(affordable).min(dim - width) / width * width
}

/// The chosen pairs, and of the others those nearest to the shift, `count` in all.
fn best<'a>(ritz: &'a [Ritz], chosen: &[&'a Ritz], count: usize) -> Vec<&'a Ritz> {
    let mut kept = chosen.to_vec();
    let is_other = |r: &&Ritz| chosen.iter().all(|c| c.column != r.column);
    let mut others: Vec<&Ritz> = ritz.iter().filter(is_other).collect();
    others.sort_by(|a, b| b.theta.abs().total_cmp(&a.theta.abs()));
    kept.extend(others);
    kept.truncate(count);
    kept
}

/// The wanted Ritz values nearest to the shift on each side, ascending; θ > 0 lies above it.
fn choose<'a>(ritz: &'a [Ritz], wanted: &Wanted) -> Vec<&'a Ritz> {
    let (mut above, mut below): (Vec<&Ritz>, Vec<&Ritz>) = ritz.iter().partition(|r| r.theta > 0.0);
    above.sort_by(|a, b| a.value.total_cmp(&b.value));
    below.sort_by(|a, b| b.value.total_cmp(&a.value));
    above.truncate(wanted.above);
    below.truncate(wanted.below);
    below.reverse();
    below.extend(above);
    below
}

impl Basis {
    fn new(dim: usize, capacity: usize, width: usize, threads: Threads) -> Self {
        let mut basis = Self {
            width,
            v: Mat::zeros(dim, capacity + width),
            h: Mat::zeros(capacity, capacity),
            size: 0,
            kept: 0,
            r: Mat::zeros(width, width),
            threads,
            random: Random::new(1),
        };
        let mut start = Mat::zeros(dim, width);
        basis.random.fill(start.as_mut());
        basis.append(start);
        basis
    }

    /// One block step: V ← [V Q], W = C Q, W ← W − V VᵀW twice, keeping VᵀW in H; then Q R = W.
    fn grow(&mut self, operator: &ShiftInvert) {
        let (old, new) = (self.size, self.size + self.width);
        let mut w = self.v.subcols(old, self.width).to_owned();
        operator.apply(w.as_mut(), self.threads);
        self.size = new;
        // In exact arithmetic W overlaps only the last two blocks and what a restart kept: those first,
        // then everything, for what round-off left.
        let mut coefficients = Mat::zeros(new, self.width);
        for part in [0..self.kept, self.kept.max(old.saturating_sub(self.width))..new, 0..new] {
            let along = self.project_out(&mut w, part.clone());
            let mut target = coefficients.as_mut().subrows_mut(part.start, part.len());
            target += along;
        }
        for j in 0..self.width {
            for i in 0..new {
                let value = if i < old {
                    coefficients[(i, j)]
                } else {
                    0.5 * (coefficients[(i, j)] + coefficients[(old + j, i - old)])
                };
                self.h[(i, old + j)] = value;
                self.h[(old + j, i)] = value;
            }
        }
        self.append(w);
    }

    /// W ← W − V VᵀW for some columns of V; returns VᵀW.
    fn project_out(&self, w: &mut Mat<f64>, columns: Range<usize>) -> Mat<f64> {
        let v = self.v.subcols(columns.start, columns.len());
        let coefficients = transpose_times(v, w.as_ref(), self.threads);
        add_times(w.as_mut(), Accum::Add, -1.0, v, coefficients.as_ref(), self.threads);
        coefficients
    }

    /// Sets Q and R to an orthonormal factorization Q R = W of a block that is orthogonal to V.
    fn append(&mut self, mut w: Mat<f64>) {
        let (mut r, dependent) = self.orthonormalise(&mut w);
        if dependent.is_some() {
            for &j in dependent.iter().flatten() {
                self.random.fill(w.as_mut().subcols_mut(j, 1));
            }
            self.project_out(&mut w, 0..self.size);
            self.project_out(&mut w, 0..self.size);
        }
        let (again, _) = self.orthonormalise(&mut w);
        r = again * r;
        self.v.as_mut().subcols_mut(self.size, self.width).copy_from(&w);
        self.r = r;
    }

    /// W ← W D⁻¹ P S^−½ with WᵀW = D P S Pᵀ D, which is orthonormal; returns R = S^½ Pᵀ D
    /// (SVQB, Stathopoulos and Wu 2002). Columns without a direction of their own get a zero row in R
    /// and are listed; `Some` also when a column is so weak that V must be projected out again.
    fn orthonormalise(&self, w: &mut Mat<f64>) -> (Mat<f64>, Option<Vec<usize>>) {
        let mut gram = transpose_times(w.as_ref(), w.as_ref(), self.threads);
        let d: Vec<f64> = (0..self.width).map(|j| gram[(j, j)].sqrt().max(f64::MIN_POSITIVE)).collect();
        for j in 0..self.width {
            for i in 0..self.width {
                gram[(i, j)] /= d[i] * d[j];
            }
        }
        let Some((s, p)) = symmetric_eigen(gram.as_ref()) else {
            return (Mat::zeros(self.width, self.width), Some((0..self.width).collect()));
        };
        let dependent: Vec<usize> = (0..self.width).filter(|&k| s[k] <= 1e-11).collect();
        let weak = s[0] <= 1e-5;
        let root = |k: usize| if dependent.contains(&k) { f64::INFINITY } else { s[k].sqrt() };
        let turn = Mat::from_fn(self.width, self.width, |i, k| p[(i, k)] / (d[i] * root(k)));
        let r = Mat::from_fn(self.width, self.width, |k, j| {
            if root(k).is_finite() { root(k) * p[(j, k)] * d[j] } else { 0.0 }
        });
        let old = w.clone();
        add_times(w.as_mut(), Accum::Replace, 1.0, old.as_ref(), turn.as_ref(), self.threads);
        (r, weak.then_some(dependent))
    }

    /// The Ritz pairs, and S whose columns hold them.
    fn ritz(&self, shift: f64) -> (Vec<Ritz>, Mat<f64>) {
        let m = self.size;
        let h = self.h.as_ref().submatrix(0, 0, m, m);
        let Some((theta, s)) = symmetric_eigen(h) else {
            return (Vec::new(), Mat::zeros(m, m));
        };
        let coupling = self.r.as_ref() * s.as_ref().subrows(m - self.width, self.width);
        let ritz = (0..m)
            .filter(|&column| theta[column] != 0.0)
            .map(|column| {
                let theta = theta[column];
                let residual = coupling.col(column).norm_l2() / (theta * theta);
                Ritz { column, theta, value: shift + 1.0 / theta, residual }
            })
            .collect();
        (ritz, s)
    }

    /// y' = V s + Q R Eᵀs / θ for the chosen pairs, to unit length.
    fn collect(&self, chosen: &[&Ritz], s: MatRef<'_, f64>) -> Found {
        let m = self.size;
        let mut weights = Mat::zeros(m + self.width, chosen.len());
        for (k, ritz) in chosen.iter().enumerate() {
            let s = s.col(ritz.column);
            weights.as_mut().col_mut(k).subrows_mut(0, m).copy_from(s);
            let tail = self.r.as_ref() * s.subrows(m - self.width, self.width);
            for i in 0..self.width {
                weights[(m + i, k)] = tail[i] / ritz.theta;
            }
            let length = weights.col(k).norm_l2();
            weights.as_mut().col_mut(k).iter_mut().for_each(|x| *x /= length);
        }
        let mut vectors = Mat::zeros(self.v.nrows(), chosen.len());
        let basis = self.v.subcols(0, m + self.width);
        add_times(vectors.as_mut(), Accum::Replace, 1.0, basis, weights.as_ref(), self.threads);
        Found {
            values: chosen.iter().map(|r| r.value).collect(),
            vectors,
            below: chosen.iter().filter(|r| r.theta < 0.0).count(),
        }
    }

    /// Replaces V by some of its Ritz vectors; Q stays.
    fn restart(&mut self, ritz: &[&Ritz], s: MatRef<'_, f64>) {
        let keep = ritz.len();
        let weights = Mat::from_fn(self.size, keep, |i, k| s[(i, ritz[k].column)]);
        let mut v = Mat::zeros(self.v.nrows(), keep);
        let old = self.v.subcols(0, self.size);
        add_times(v.as_mut(), Accum::Replace, 1.0, old, weights.as_ref(), self.threads);
        let q = self.v.subcols(self.size, self.width).to_owned();
        self.v.as_mut().subcols_mut(0, keep).copy_from(&v);
        self.v.as_mut().subcols_mut(keep, self.width).copy_from(&q);
        self.h.fill(0.0);
        for (k, ritz) in ritz.iter().enumerate() {
            self.h[(k, k)] = ritz.theta;
        }
        self.size = keep;
        self.kept = keep;
    }
}
