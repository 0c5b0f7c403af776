//! Mass-orthonormal columns, one after the other.
//!
//! A column loses what it has of those before, twice (once leaves rounding of the size of what was lost), and is kept
//! unless too little is left. The first few may be fields that all others have to do without: the rigid motions of a body
//! that floats.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, Par};
use supple_numerics::eigen::symmetric_eigen;

/// Columns with QᵀMQ = I.
#[derive(Debug)]
pub(crate) struct Orthonormal<'a> {
    /// M over free coordinates.
    masses: &'a [f64],
    columns: Vec<Vec<f64>>,
    /// How many leading columns are left out in the end.
    without: usize,
}

impl<'a> Orthonormal<'a> {
    /// No columns but those that all others have to do without.
    pub fn without(masses: &'a [f64], fields: Vec<Vec<f64>>) -> Self {
        let mut columns = Self { masses, columns: Vec::new(), without: 0 };
        for field in fields {
            columns.push(field, 1e-9, 0.0);
        }
        columns.without = columns.columns.len();
        columns
    }

    /// How many columns there are.
    pub fn count(&self) -> usize {
        self.columns.len() - self.without
    }

    /// |x| in the mass of the body.
    pub fn norm(&self, x: &[f64]) -> f64 {
        dot(self.masses, x, x).sqrt()
    }

    /// x ← x − Q QᵀM x.
    pub fn remove(&self, x: &mut [f64]) {
        for q in &self.columns {
            let along = dot(self.masses, q, x);
            for (x, q) in x.iter_mut().zip(q) {
                *x -= along * q;
            }
        }
    }

    /// Takes a column, unless what is new in it is no more than this part of it, or of `scale`.
    pub fn push(&mut self, mut x: Vec<f64>, part: f64, scale: f64) -> bool {
        let whole = self.norm(&x);
        let least = part * whole.max(scale);
        let mut left = whole;
        for _ in 0..MOST_PASSES {
            let before = left;
            self.remove(&mut x);
            left = self.norm(&x);
            // Written so that what is no number is refused.
            if left.partial_cmp(&least) != Some(std::cmp::Ordering::Greater) {
                return false;
            }
            if left > 0.5 * before {
                break;
            }
        }
        x.iter_mut().for_each(|x| *x /= left);
        self.columns.push(x);
        true
    }

    /// The principal components of some columns, without what is here already, at most `count` and those that are more
    /// than `part` of the first; the singular values of all of them, descending.
    pub fn principal(&self, given: &[Vec<f64>], count: usize, part: f64) -> (Vec<Vec<f64>>, Vec<f64>) {
        let rest = given.iter().map(|x| {
            let mut x = x.clone();
            self.remove(&mut x);
            self.remove(&mut x);
            x
        });
        let rest: Vec<Vec<f64>> = rest.collect();
        let scaled = Mat::from_fn(self.masses.len(), rest.len(), |i, j| rest[j][i] * self.masses[i].sqrt());
        let mut gram = Mat::zeros(rest.len(), rest.len());
        matmul(gram.as_mut(), Accum::Replace, scaled.transpose(), scaled.as_ref(), 1.0, Par::Seq);
        let Some((values, vectors)) = symmetric_eigen(gram.as_ref()) else {
            return (Vec::new(), Vec::new());
        };
        let singular: Vec<f64> = values.iter().rev().map(|value| value.max(0.0).sqrt()).collect();
        let least = part * singular.first().copied().unwrap_or(0.0);
        let kept = singular.iter().take(count).take_while(|s| **s > least).count();
        let component = |k: usize| {
            let weights = vectors.col_as_slice(values.len() - 1 - k);
            let mut out = vec![0.0; self.masses.len()];
            for (x, weight) in rest.iter().zip(weights) {
                for (out, x) in out.iter_mut().zip(x) {
                    *out += weight * x;
                }
            }
            out
        };
        ((0..kept).map(component).collect(), singular)
    }

    /// The columns as a matrix.
    pub fn matrix(&self) -> Mat<f64> {
        let own = &self.columns[self.without..];
        Mat::from_fn(self.masses.len(), own.len(), |i, j| own[j][i])
    }
}

/// A column is clean when a pass leaves more than half of it; each takes off more than ten digits.
const MOST_PASSES: usize = 4;

/// xᵀ M y, in a fixed order.
pub(crate) fn dot(masses: &[f64], x: &[f64], y: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let whole = x.len() / 8 * 8;
    let blocks = masses.chunks_exact(8).zip(x.chunks_exact(8)).zip(y.chunks_exact(8));
    for ((m, x), y) in blocks {
        for lane in 0..8 {
            sums[lane] += m[lane] * x[lane] * y[lane];
        }
    }
    let rest: f64 = (whole..x.len()).map(|i| masses[i] * x[i] * y[i]).sum();
    sums.iter().sum::<f64>() + rest
}
