//! What handles read at an edit, and how that changes with it.
//!
//! Rows a read W_a(z), J_a = ∂W_a/∂z. Their representers P J_aᵀ have the Gram matrix S = J P Jᵀ, 1/w of soft rows
//! included. Directions of S that nearly repeat others are left out, in two steps that do not depend on the choice
//! of axes: the rows of each handle are made orthonormal in K (without contacts: what contacts explain must look
//! small), then the spectrum of what results is cut at 10⁻⁶ (Barbič 2012, App. B, cuts that of S). The k directions
//! left are the rows of Q (k×q),
//!
//! > Q S Qᵀ = I, S⁺ = Qᵀ Q,
//!
//! and a residual R counts as Q R, in units of what it costs to mend.

use super::goal::{Covector, Held};
use super::layout::Layout;
use super::reading::{Reading, linearized};
use super::vector::{Vector, add};
use crate::error::SpacetimeError;
use crate::rows::dot;
use faer::Mat;
use nalgebra::{DMatrix, DVector};
use std::ops::Range;
use supple_model::Readout;
use supple_numerics::eigen::symmetric_eigen;

/// Eigenvalues below this part of the largest (at least 1) are left out,
const TRUNCATION: f64 = 1e-6;
/// and below this one where contacts are held: they are factored to 10⁻¹⁰ of their variance, and what they leave of a
/// row is known to some 10⁻⁶ of it only.
const AMONG_CONTACTS: f64 = 1e-4;
/// Directions of one handle that cost more than 1/√ of this times its easiest are left out.
const STIFFEST: f64 = 1e-10;

/// The linearization of all rows.
#[derive(Clone, Debug)]
pub(crate) struct Tangent {
    /// W, row by row.
    pub value: Vec<f64>,
    rows: Vec<Covector>,
    /// The soft entry of each row.
    soft: Vec<Option<usize>>,
    /// P Jᵀ, a vector for each row.
    moved: Vec<Vec<f64>>,
    /// S.
    pub S: DMatrix<f64>,
    /// Q.
    pub Q: DMatrix<f64>,
    /// The share of each handle's rows in directions left out, 0 to 1; the most of any row.
    pub dropped: Vec<f64>,
}

impl Tangent {
    /// At the edit `at`.
    ///
    /// # Errors
    /// When the readout is not finite there.
    pub fn new(layout: &Layout, readout: &dyn Readout, at: &Vector) -> Result<Self, SpacetimeError> {
        Ok(Self::of(layout, linearized(layout, readout, &at.primal, Vec::new())?))
    }

    /// What each handle of `next` reads, where one of `layout`, whose tangent this is, reads the same.
    pub fn readings(&self, layout: &Layout, next: &Layout) -> Vec<Option<Reading>> {
        let of = |held: &Held| {
            let own = layout.held.iter().find(|own| own.reads_as(held))?;
            let moved = |row: &Covector| {
                let parts = row.parts.iter();
                Covector {
                    parts: parts.map(|(place, c)| (next.place_of(layout, *place), c.clone())).collect(),
                }
            };
            let value = self.value[own.rows.clone()].to_vec();
            Some(Reading { value, rows: self.rows[own.rows.clone()].iter().map(moved).collect() })
        };
        next.held.iter().map(of).collect()
    }

    /// Only what is read, for a report.
    pub fn read(layout: &Layout, value: Vec<f64>) -> Self {
        let empty = DMatrix::zeros(0, 0);
        let (rows, moved) = (Vec::new(), Vec::new());
        let dropped = vec![0.0; layout.held.len()];
        Self { value, rows, soft: layout.soft_entries(), moved, S: empty.clone(), Q: empty, dropped }
    }

    /// Of what is read.
    pub fn of(layout: &Layout, reading: Reading) -> Self {
        let Reading { value, rows } = reading;
        let soft = layout.soft_entries();
        let mut moved = layout.pull(&rows);
        for (moved, soft) in moved.iter_mut().zip(&soft) {
            if let Some(soft) = soft {
                let mut unit = vec![0.0; moved.len()];
                unit[*soft] = 1.0;
                layout.soften(&unit, moved);
            }
        }
        let mut tangent = Self {
            value,
            rows,
            soft,
            moved,
            S: DMatrix::zeros(0, 0),
            Q: DMatrix::zeros(0, 0),
            dropped: Vec::new(),
        };
        let T = tangent.whitening(layout);
        layout.condition(&tangent.rows, &mut tangent.moved);
        let q = tangent.rows.len();
        let mut S = DMatrix::from_fn(q, q, |a, b| tangent.apply(a, &tangent.moved[b]));
        S = (&S + S.transpose()) * 0.5;
        let smallest = if layout.has_contacts() { AMONG_CONTACTS } else { TRUNCATION };
        let (Q, dropped) = orthonormal(&T, &S, smallest);
        let worst = |held: &Held| dropped[held.rows.clone()].iter().copied().fold(0.0, f64::max);
        tangent.dropped = layout.held.iter().map(worst).collect();
        (tangent.S, tangent.Q) = (S, Q);
        tangent
    }

    /// What makes the rows of each handle orthonormal in K; q×q, a block per handle.
    fn whitening(&self, layout: &Layout) -> DMatrix<f64> {
        let q = self.rows.len();
        let mut T = DMatrix::zeros(q, q);
        for held in &layout.held {
            let (from, n) = (held.rows.start, held.rows.len());
            let own =
                DMatrix::from_fn(n, n, |a, b| self.apply(from + a.max(b), &self.moved[from + a.min(b)]));
            let eigen = own.symmetric_eigen();
            let largest = eigen.eigenvalues.max();
            for e in 0..n {
                if eigen.eigenvalues[e] > STIFFEST * largest {
                    let factor = 1.0 / eigen.eigenvalues[e].sqrt();
                    for b in 0..n {
                        T[(from + e, from + b)] = factor * eigen.eigenvectors[(b, e)];
                    }
                }
            }
        }
        T
    }

    /// J_a x, soft entry included.
    fn apply(&self, row: usize, primal: &[f64]) -> f64 {
        let mut sum = self.soft[row].map_or(0.0, |soft| primal[soft]);
        for (place, weights) in &self.rows[row].parts {
            sum += dot(weights, &primal[place * weights.len()..][..weights.len()]);
        }
        sum
    }

    /// How much J changed: of any handle, ‖J' − J‖/‖J‖ in the kernel's metric.
    pub fn turn(&self, next: &Self, layout: &Layout) -> f64 {
        let mut most: f64 = 0.0;
        for held in &layout.held {
            let (mut changed, mut size) = (0.0, 0.0);
            for row in held.rows.clone() {
                for ((place, old), (_, new)) in self.rows[row].parts.iter().zip(&next.rows[row].parts) {
                    let at = layout.at(*place);
                    let (from, to) = (&self.moved[row][at.clone()], &next.moved[row][at]);
                    for k in 0..old.len() {
                        changed += (new[k] - old[k]) * (to[k] - from[k]);
                    }
                }
                size += self.S[(row, row)].max(next.S[(row, row)]);
            }
            if changed > 0.0 {
                most = most.max((changed / size).sqrt());
            }
        }
        most
    }

    /// P J_aᵀ at some entries.
    pub fn moved_at(&self, row: usize, at: Range<usize>) -> &[f64] {
        &self.moved[row][at]
    }

    /// J x.
    pub fn reads(&self, primal: &[f64]) -> DVector<f64> {
        DVector::from_fn(self.rows.len(), |row, _| self.apply(row, primal))
    }

    /// x += f Jᵀ η, as loads and as what they move.
    pub fn add_pulls(&self, x: &mut Vector, f: f64, eta: &DVector<f64>) {
        for (row, eta) in eta.iter().enumerate() {
            for (place, weights) in &self.rows[row].parts {
                add(&mut x.dual[place * weights.len()..][..weights.len()], f * eta, weights);
            }
            if let Some(soft) = self.soft[row] {
                x.dual[soft] += f * eta;
            }
            add(&mut x.primal, f * eta, &self.moved[row]);
        }
    }

    /// x += f (J' − J)ᵀ η, with J' other rows on the same places.
    pub fn add_change(&self, others: &[Covector], eta: &DVector<f64>, f: f64, x: &mut [f64]) {
        for ((own, other), eta) in self.rows.iter().zip(others).zip(eta.iter()) {
            for ((place, old), (_, new)) in own.parts.iter().zip(&other.parts) {
                let x = &mut x[place * old.len()..][..old.len()];
                for ((x, old), new) in x.iter_mut().zip(old).zip(new) {
                    *x += f * eta * (new - old);
                }
            }
        }
    }

    /// S⁺.
    pub fn inverse_matrix(&self) -> DMatrix<f64> {
        self.Q.tr_mul(&self.Q)
    }

    /// P Jᵀ S⁺, a vector of `length` entries for each row: what moves that row by one and no other.
    pub fn responses(&self, length: usize) -> Vec<Vector> {
        let inverse = self.inverse_matrix();
        let of = |row: usize| {
            let mut response = Vector::zero(length);
            self.add_pulls(&mut response, 1.0, &inverse.column(row).into_owned());
            response
        };
        (0..self.rows.len()).map(of).collect()
    }

    /// S⁺ x.
    pub fn inverse(&self, x: &DVector<f64>) -> DVector<f64> {
        self.Q.tr_mul(&(&self.Q * x))
    }

    /// The largest S_aa: what the row that moves most easily moves by.
    pub fn easiest(&self) -> f64 {
        self.S.diagonal().iter().copied().fold(0.0, f64::max)
    }

    /// The part of a residual that the edit can change, S S⁺ R.
    pub fn reachable(&self, R: &DVector<f64>) -> DVector<f64> {
        &self.S * self.inverse(R)
    }
}

/// Q of S, and each row's share in what was left out; T makes the rows of handles orthonormal.
fn orthonormal(T: &DMatrix<f64>, S: &DMatrix<f64>, part: f64) -> (DMatrix<f64>, Vec<f64>) {
    let q = S.nrows();
    if q == 0 {
        return (DMatrix::zeros(0, 0), Vec::new());
    }
    let white = T * S * T.transpose();
    let matrix = Mat::from_fn(q, q, |a, b| 0.5 * (white[(a, b)] + white[(b, a)]));
    let Some((values, vectors)) = symmetric_eigen(matrix.as_ref()) else {
        // Only numbers too large to be squared lead here: nothing of them can be used.
        return (DMatrix::zeros(0, q), vec![1.0; q]);
    };
    let smallest = part * values.last().copied().unwrap_or(0.0).max(1.0);
    let kept: Vec<usize> = (0..q).filter(|&e| values[e] >= smallest).collect();
    let mut dropped = vec![0.0; q];
    for e in (0..q).filter(|&e| values[e] < smallest) {
        for (share, v) in dropped.iter_mut().zip(vectors.col(e).iter()) {
            *share += v * v;
        }
    }
    let scaled = DMatrix::from_fn(kept.len(), q, |e, a| vectors[(a, kept[e])] / values[kept[e]].sqrt());
    (scaled * T, dropped)
}
