//! How firmly soft handles hold.
//!
//! `hold = h` says that a handle, alone, misses 1/(1 + h) of what it asks, whatever the body. What it reads has the
//! variance S = J K Jᵀ under the kernel, J at the edit of nothing, and a penalty ½ w |e|² leaves of what is asked, R,
//!
//! > e = (I + w S)⁻¹ R, so that w is the root of |e| = |R| / (1 + h): h/S for one coordinate.
//!
//! The weight is one for all coordinates of a point: weights that differ would have a body bend the wrong way to spare
//! what is dear. The wishes of one handle, its points and frames, share the penalty by mass, and by how many of them
//! move as one: h μ_a / Σ_b c_b in place of h, c_b = tr S_mb / √(tr S_mm tr S_bb), m the one in the middle.

use super::solver::Input;
use super::wish::Wish;
use super::{DragMethod, EditError};
use nalgebra::{DMatrix, DVector, Matrix3};
use supple_spacetime::{Hold, Kernel, Order};

/// How many times stiffer than the easiest coordinate one may be.
const STIFFEST: f64 = 1e6;
/// Halvings of the interval that has the weight.
const HALVINGS: usize = 60;

/// What a wish reads of the modes: at each frame the three coordinates.
pub(super) struct Reads(pub Vec<(usize, Order, [Vec<f64>; 3])>);

impl Reads {
    /// J_a K J_bᵀ.
    fn variance(&self, other: &Self, kernel: &Kernel) -> Matrix3<f64> {
        let mut covariance = vec![0.0; kernel.modes()];
        let mut sum = Matrix3::zeros();
        for (frame, order, rows) in &self.0 {
            for (other_frame, other_order, others) in &other.0 {
                kernel.covariance((*frame, *order), (*other_frame, *other_order), &mut covariance);
                for (i, row) in rows.iter().enumerate() {
                    for (j, other) in others.iter().enumerate() {
                        let products = row.iter().zip(other).zip(&covariance);
                        sum[(i, j)] += products.map(|((a, b), k)| a * b * k).sum::<f64>();
                    }
                }
            }
        }
        sum
    }
}

impl DragMethod {
    /// Gives the wishes of a soft handle their weights; hard ones stay as they are.
    pub(super) fn firm(&mut self, wishes: &mut [Wish]) -> Result<(), EditError> {
        let Some(Hold::Soft(firmness)) = wishes.first().map(|wish| wish.hold) else { return Ok(()) };
        let input = Input { positions: &self.figure.positions, motion: &self.motion, dt: self.time.dt };
        let reads: Vec<Reads> =
            wishes.iter().map(|wish| self.solver.reads(wish, &input)).collect::<Result<_, _>>()?;
        let own: Vec<Matrix3<f64>> = reads.iter().map(|reads| reads.variance(reads, &self.kernel)).collect();
        let middle = wishes.len() / 2;
        let along = |(reads_b, own_b): (&Reads, &Matrix3<f64>)| {
            let size = (own[middle].trace() * own_b.trace()).sqrt();
            let both = reads[middle].variance(reads_b, &self.kernel).trace();
            if size > 0.0 { both / size } else { 0.0 }
        };
        let together = reads.iter().zip(&own).map(along).sum::<f64>().max(1.0);
        let weights: Vec<f64> = wishes
            .iter()
            .zip(&own)
            .map(|(wish, variance)| weight(wish, &input, variance, firmness * wish.share / together))
            .collect();
        wishes.iter_mut().zip(weights).for_each(|(wish, weight)| wish.weight = weight);
        Ok(())
    }
}

/// w of a wish.
fn weight(wish: &Wish, input: &Input<'_>, variance: &Matrix3<f64>, firmness: f64) -> f64 {
    let asked: Vec<usize> = (0..3).filter(|axis| wish.target[*axis].is_some()).collect();
    let there = wish.axes * input.of(wish);
    let goal = wish.target_on_body();
    let own = DMatrix::from_fn(asked.len(), asked.len(), |i, j| variance[(asked[i], asked[j])]);
    let eigen = own.symmetric_eigen();
    let residual = DVector::from_fn(asked.len(), |i, _| goal[asked[i]].unwrap_or(0.0) - there[asked[i]]);
    // Along the axes of S; all alike where nothing is asked.
    let mut along = eigen.eigenvectors.tr_mul(&residual);
    if along.norm() <= f64::MIN_POSITIVE {
        along.fill(1.0);
    }
    let easiest = eigen.eigenvalues.max();
    if !(easiest > 0.0 && easiest.is_finite()) {
        return firmness;
    }
    let missed = |w: f64| {
        let parts = along.iter().zip(eigen.eigenvalues.iter());
        parts.map(|(r, s)| (r / (1.0 + w * s.max(0.0))).powi(2)).sum::<f64>().sqrt()
    };
    let goal = along.norm() / (1.0 + firmness);
    // |e| falls as w grows. What does not move at all is worth no more than this.
    let (mut low, mut high) = (firmness / easiest, STIFFEST * firmness / easiest);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if missed(middle) > goal { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}
