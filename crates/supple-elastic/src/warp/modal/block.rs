//! Many points through the warp, without a solve: W_p = Σ_q Δ_q β_pq, the sums of all points as products of matrices.
//!
//! It pays while points are few against vertices: a solve has 3r columns as long as the body, a product as many as points.

use super::element::{Element, Slope};
use super::lanes::add_combined;
use super::slopes::RUNS;
use super::{ModalShape, ModalWarp};
use crate::warp::COLUMNS_PER_SOLVE;
use faer::{Accum, Mat, MatRef, Par};
use nalgebra::Matrix3;
use rayon::prelude::*;
use supple_mesh::Vec3;
use supple_model::VertexId;

/// Places whose rows go into one product.
const PLACES_PER_PRODUCT: usize = 64;

/// Some points, each a mean of vertices.
#[derive(Clone, Debug)]
pub struct ModalBlock {
    points: usize,
    /// β: for every place three rows that have a number for each point.
    beta: Vec<f64>,
    /// Σ w over each floating component, point by point.
    shares: Vec<Vec<f64>>,
}

impl ModalBlock {
    pub(super) fn new(of: &ModalWarp, points: &[Vec<(VertexId, f64)>]) -> Self {
        let (warp, n, count) = (&of.warp, of.vertices(), points.len());
        let mut columns = vec![0.0; n * count];
        let mut shares = vec![vec![0.0; of.shifts.len()]; count];
        for ((column, shares), point) in columns.chunks_exact_mut(n).zip(&mut shares).zip(points) {
            for (v, weight) in point.iter().filter(|(v, _)| warp.free[v.index()]) {
                column[v.index()] += weight;
                if let Some(part) = of.shift_of[v.index()] {
                    shares[part] += weight;
                }
            }
        }
        columns.par_chunks_mut(COLUMNS_PER_SOLVE * n).for_each(|columns| {
            warp.poisson.solve(columns, n, &mut Vec::new());
        });
        let mut beta = vec![0.0; 3 * warp.places() * count];
        let mut of_point = vec![Vec3::zeros(); warp.places()];
        for (p, column) in columns.chunks_exact(n).enumerate() {
            warp.cells.spread(column, &mut of_point);
            let numbers = of_point.iter().flat_map(|b| b.data.0[0]);
            beta.chunks_exact_mut(count).zip(numbers).for_each(|(row, b)| row[p] = b);
        }
        Self { points: count, beta, shares }
    }

    /// Where the points are, without u₀.
    #[must_use]
    pub fn values(&self, shape: &ModalShape) -> Vec<Vec3> {
        self.sums(&shape.shifts, &|q| Element::new(&shape.strains[q]).change())
    }

    /// How fast they move while the shape changes.
    #[must_use]
    pub fn velocities(&self, shape: &ModalShape, change: &ModalShape) -> Vec<Vec3> {
        self.sums(&change.shifts, &|q| Element::new(&shape.strains[q]).along(&change.strains[q]))
    }

    fn sums(&self, shifts: &[Vec3], change: &(dyn Fn(usize) -> Matrix3<f64> + Sync)) -> Vec<Vec3> {
        let sums = self.product(3, &|q, out| {
            // Columns of the change are the rows here.
            change(q).iter().zip(out).for_each(|(x, out)| *out = *x);
        });
        let of = |p: usize| {
            let moved: Vec3 = shifts.iter().zip(&self.shares[p]).map(|(shift, share)| shift * *share).sum();
            Vec3::from_fn(|i, _| sums[(p, i)]) + moved
        };
        (0..self.points).map(of).collect()
    }

    /// ∂W/∂z: for every point three rows of r numbers.
    #[must_use]
    pub fn slopes(&self, of: &ModalWarp, shape: &ModalShape) -> Vec<f64> {
        let mut rows = self.rows(of, &|q| Element::new(&shape.strains[q]).slope());
        for (k, row) in rows.chunks_exact_mut(of.modes).enumerate() {
            for (shift, share) in of.shifts.iter().zip(&self.shares[k / 3]) {
                row.iter_mut().zip(&shift[k % 3]).for_each(|(row, shift)| *row += share * shift);
            }
        }
        rows
    }

    /// ∂/∂z of velocities: for every point three rows of r numbers.
    #[must_use]
    pub fn slopes_along(&self, of: &ModalWarp, shape: &ModalShape, change: &ModalShape) -> Vec<f64> {
        self.rows(of, &|q| Element::new(&shape.strains[q]).slope_along(&change.strains[q]))
    }

    fn rows(&self, of: &ModalWarp, slope: &(dyn Fn(usize) -> Slope + Sync)) -> Vec<f64> {
        let (r, stride) = (of.modes, of.stride);
        let sums = self.product(3 * stride, &|q, out| {
            let slope = slope(q);
            out.fill(0.0);
            for (d, out) in out.chunks_exact_mut(3 * stride).enumerate() {
                add_combined(&[slope[d], slope[3 + d], slope[6 + d]], of.rows(q), stride, out);
            }
        });
        let mut rows = Vec::with_capacity(3 * self.points * r);
        for p in 0..self.points {
            for i in 0..3 {
                rows.extend((0..r).map(|k| sums[(p, i * stride + k)]));
            }
        }
        rows
    }

    /// Σ_q β_qᵀ X_q, X three rows of so many numbers at every place.
    fn product(&self, width: usize, rows: &(dyn Fn(usize, &mut [f64]) + Sync)) -> Mat<f64> {
        let places = self.beta.len() / (3 * self.points).max(1);
        let run = places.div_ceil(RUNS).max(1);
        let of_run = |k: usize| {
            let mut sum = Mat::<f64>::zeros(self.points, width);
            let mut X = vec![0.0; 3 * PLACES_PER_PRODUCT * width];
            let (mut from, end) = ((k * run).min(places), ((k + 1) * run).min(places));
            while from < end {
                let count = PLACES_PER_PRODUCT.min(end - from);
                for (q, X) in (from..from + count).zip(X.chunks_exact_mut(3 * width)) {
                    rows(q, X);
                }
                let beta = &self.beta[3 * from * self.points..3 * (from + count) * self.points];
                let beta = MatRef::from_row_major_slice(beta, 3 * count, self.points);
                let X = MatRef::from_row_major_slice(&X[..3 * count * width], 3 * count, width);
                let sum = sum.as_mut();
                faer::linalg::matmul::matmul(sum, Accum::Add, beta.transpose(), X, 1.0, Par::Seq);
                from += count;
            }
            sum
        };
        let runs: Vec<Mat<f64>> = (0..RUNS).into_par_iter().map(of_run).collect();
        Mat::from_fn(self.points, width, |p, k| runs.iter().map(|run| run[(p, k)]).sum())
    }

    /// Adds what forces on the points do at every place, see [`ModalWarp::curvature`].
    ///
    /// # Panics
    /// When there is not a force for each point and a matrix for each place.
    pub fn add_stresses(&self, forces: &[Vec3], stresses: &mut [Matrix3<f64>]) {
        assert_eq!(forces.len(), self.points, "a force for each point");
        assert_eq!(3 * stresses.len() * self.points, self.beta.len(), "a matrix for each place");
        stresses.par_iter_mut().zip(self.beta.par_chunks_exact(3 * self.points)).for_each(|(B, beta)| {
            for (d, beta) in beta.chunks_exact(self.points).enumerate() {
                let force: Vec3 = forces.iter().zip(beta).map(|(f, b)| f * *b).sum();
                B.set_column(d, &(B.column(d) + force));
            }
        });
    }
}
