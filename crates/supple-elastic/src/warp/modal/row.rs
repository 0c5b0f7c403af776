//! The mean of some vertices through the warp, without a solve: W = Σ_q Δ_q β_q, β the mean's row of A Gᵀ V.

use super::element::{Element, Slope};
use super::lanes::add_combined;
use super::{ModalShape, ModalWarp};
use nalgebra::Matrix3;
use supple_mesh::Vec3;
use supple_model::VertexId;

/// The mean of some vertices.
#[derive(Clone, Debug)]
pub struct ModalRow {
    beta: Vec<Vec3>,
    /// Σ w over each floating component.
    shares: Vec<f64>,
}

impl ModalRow {
    pub(super) fn new(of: &ModalWarp, vertices: &[(VertexId, f64)]) -> Self {
        let warp = &of.warp;
        let mut row = vec![0.0; warp.vertices()];
        let mut shares = vec![0.0; of.shifts.len()];
        for (v, weight) in vertices.iter().filter(|(v, _)| warp.free[v.index()]) {
            row[v.index()] += weight;
            if let Some(part) = of.shift_of[v.index()] {
                shares[part] += weight;
            }
        }
        warp.poisson.solve(&mut row, warp.vertices(), &mut Vec::new());
        let mut beta = vec![Vec3::zeros(); warp.places()];
        warp.cells.spread(&row, &mut beta);
        Self { beta, shares }
    }

    /// Where the mean is, without u₀.
    #[must_use]
    pub fn value(&self, of: &ModalWarp, shape: &ModalShape) -> Vec3 {
        let moved: Vec3 = shape.shifts.iter().zip(&self.shares).map(|(shift, share)| shift * *share).sum();
        self.sum(of, |q| Element::new(&shape.strains[q]).change()) + moved
    }

    /// How fast it moves while the shape changes.
    #[must_use]
    pub fn velocity(&self, of: &ModalWarp, shape: &ModalShape, change: &ModalShape) -> Vec3 {
        let moved: Vec3 = change.shifts.iter().zip(&self.shares).map(|(shift, share)| shift * *share).sum();
        self.sum(of, |q| Element::new(&shape.strains[q]).along(&change.strains[q])) + moved
    }

    fn sum(&self, of: &ModalWarp, change: impl Fn(usize) -> Matrix3<f64> + Sync) -> Vec3 {
        of.runs(|q, sum: &mut Vec3| *sum += change(q) * self.beta[q]).iter().sum()
    }

    /// Adds `weight` times ∂W/∂z to three rows of r numbers.
    ///
    /// # Panics
    /// When `rows` has not 3r numbers.
    pub fn add_slopes(&self, of: &ModalWarp, shape: &ModalShape, weight: f64, rows: &mut [f64]) {
        self.add(of, |q| Element::new(&shape.strains[q]).slope(), weight, rows);
        for (axis, row) in rows.chunks_exact_mut(of.modes).enumerate() {
            for (shift, share) in of.shifts.iter().zip(&self.shares) {
                row.iter_mut().zip(&shift[axis]).for_each(|(row, shift)| *row += weight * share * shift);
            }
        }
    }

    /// Adds `weight` times ∂/∂z of its velocity to three rows of r numbers.
    ///
    /// # Panics
    /// When `rows` has not 3r numbers.
    pub fn add_slopes_along(
        &self,
        of: &ModalWarp,
        (shape, change): (&ModalShape, &ModalShape),
        weight: f64,
        rows: &mut [f64],
    ) {
        self.add(of, |q| Element::new(&shape.strains[q]).slope_along(&change.strains[q]), weight, rows);
    }

    fn add(&self, of: &ModalWarp, slope: impl Fn(usize) -> Slope + Sync, weight: f64, rows: &mut [f64]) {
        let (r, stride) = (of.modes, of.stride);
        assert_eq!(rows.len(), 3 * r, "three rows");
        let sums = of.runs(|q, sum: &mut Vec<f64>| {
            sum.resize(3 * stride, 0.0);
            let (slope, beta) = (slope(q), &self.beta[q]);
            let by = |i: usize, b: usize| (0..3).map(|d| slope[3 * i + d][b] * beta[d]).sum::<f64>();
            let maps: [[f64; 9]; 3] = std::array::from_fn(|i| std::array::from_fn(|b| by(i, b)));
            add_combined(&maps, of.rows(q), stride, sum);
        });
        for sum in sums.iter().filter(|sum| !sum.is_empty()) {
            for (row, sum) in rows.chunks_exact_mut(r).zip(sum.chunks_exact(stride)) {
                row.iter_mut().zip(sum).for_each(|(row, sum)| *row += weight * sum);
            }
        }
    }

    /// Adds what a force on the mean does at every place, see [`ModalWarp::curvature`].
    ///
    /// # Panics
    /// When there is not a matrix for each place.
    pub fn add_stresses(&self, force: &Vec3, stresses: &mut [Matrix3<f64>]) {
        assert_eq!(stresses.len(), self.beta.len(), "a matrix for each place");
        for (B, beta) in stresses.iter_mut().zip(&self.beta) {
            *B += force * beta.transpose();
        }
    }
}
