//! fᵀ ∂²W/∂z², forces f on the vertices.
//!
//! With B_q = V (A f)ᵀg, what the forces do at a place, Σ f·W = Σ_q B_q : Δ_q + const. Of its second derivative by s
//! the block of two strains is zero, so it is Σ_q X_qᵀ N_π + N_πᵀ X_q with X = ½ S_ππ N_π + S_πε N_ε: three rows a place.

use super::element::{Element, Strain};
use super::lanes::add_combined;
use super::{ModalShape, ModalWarp};
use faer::{Mat, MatRef};
use nalgebra::Matrix3;
use rayon::prelude::*;
use supple_mesh::Vec3;

/// Places whose rows go into one product.
const PLACES_PER_PRODUCT: usize = 128;
/// The step, as a part of the change, over which the second derivative is differentiated once more.
const STEP: f64 = 1e-4;

/// The second derivative at a place: by two turns, and by a turn and a strain.
type Bend = (Matrix3<f64>, nalgebra::SMatrix<f64, 3, 6>);

impl ModalWarp {
    /// B of all places under forces on vertices.
    ///
    /// # Panics
    /// When there is not a force for each vertex.
    #[must_use]
    pub fn stresses(&self, forces: &[Vec3]) -> Vec<Matrix3<f64>> {
        let (warp, n) = (&self.warp, self.vertices());
        assert_eq!(forces.len(), n, "a force for each vertex");
        let mut columns: Vec<f64> =
            (0..3 * n).map(|k| if warp.free[k % n] { forces[k % n][k / n] } else { 0.0 }).collect();
        warp.poisson.solve(&mut columns, n, &mut Vec::new());
        let mut stresses = vec![Matrix3::zeros(); warp.places()];
        let mut row = vec![Vec3::zeros(); warp.places()];
        for (axis, column) in columns.chunks_exact(n).enumerate() {
            warp.cells.spread(column, &mut row);
            stresses.iter_mut().zip(&row).for_each(|(B, row)| B.set_row(axis, &row.transpose()));
        }
        stresses
    }

    /// fᵀ ∂²W/∂z² for forces that do B at every place.
    #[must_use]
    pub fn curvature(&self, shape: &ModalShape, stresses: &[Matrix3<f64>]) -> Mat<f64> {
        self.bent(|q| Element::new(&shape.strains[q]).bend(&stresses[q]))
    }

    /// The second derivatives of f·W + g·(∂W/∂z ż), ż told by how the shape changes: by z twice, and by z and ż. Forces f
    /// on displacements and g on velocities do `stresses` at every place. What g does to z is a difference of the second
    /// derivative.
    #[must_use]
    pub fn curvatures(
        &self,
        shape: &ModalShape,
        change: &ModalShape,
        stresses: [&[Matrix3<f64>]; 2],
    ) -> [Mat<f64>; 2] {
        let largest = change.strains.iter().flatten().fold(0.0_f64, |most, x| most.max(x.abs()));
        let step = if largest > 0.0 { STEP / largest } else { 0.0 };
        let [of_places, of_speeds] = stresses;
        let by_places = self.bent(|q| {
            let still = || Element::new(&shape.strains[q]).bend(&of_places[q]);
            if step == 0.0 {
                return still();
            }
            let at = |by: f64| {
                let s: Strain = std::array::from_fn(|k| shape.strains[q][k] + by * change.strains[q][k]);
                Element::new(&s).bend(&of_speeds[q])
            };
            let (own, after, before, scale) = (still(), at(step), at(-step), 0.5 / step);
            (own.0 + (after.0 - before.0) * scale, own.1 + (after.1 - before.1) * scale)
        });
        [by_places, self.curvature(shape, of_speeds)]
    }

    fn bent(&self, bend: impl Fn(usize) -> Bend + Sync) -> Mat<f64> {
        let (r, stride, places) = (self.modes, self.stride, self.volumes.len());
        let run = places.div_ceil(super::slopes::RUNS).max(1);
        let of_run = |k: usize| {
            let mut sum = Mat::<f64>::zeros(stride, stride);
            let mut X = vec![0.0; 3 * PLACES_PER_PRODUCT * stride];
            let mut T = vec![0.0; 3 * PLACES_PER_PRODUCT * stride];
            let (mut from, end) = ((k * run).min(places), ((k + 1) * run).min(places));
            while from < end {
                let count = PLACES_PER_PRODUCT.min(end - from);
                for place in 0..count {
                    let bend = bend(from + place);
                    let N = self.rows(from + place);
                    let at = 3 * place * stride;
                    T[at..at + 3 * stride].copy_from_slice(&N[..3 * stride]);
                    bend_rows(&bend, N, stride, &mut X[at..at + 3 * stride]);
                }
                let rows = 3 * count;
                let X = MatRef::from_row_major_slice(&X[..rows * stride], rows, stride);
                let T = MatRef::from_row_major_slice(&T[..rows * stride], rows, stride);
                faer::linalg::matmul::matmul(
                    sum.as_mut(),
                    faer::Accum::Add,
                    X.transpose(),
                    T,
                    1.0,
                    faer::Par::Seq,
                );
                from += count;
            }
            sum
        };
        let runs: Vec<Mat<f64>> = (0..super::slopes::RUNS).into_par_iter().map(of_run).collect();
        Mat::from_fn(r, r, |k, l| runs.iter().map(|run| run[(k, l)] + run[(l, k)]).sum())
    }
}

/// ½ S_ππ N_π + S_πε N_ε.
fn bend_rows((turns, mixed): &Bend, N: &[f64], stride: usize, out: &mut [f64]) {
    out.fill(0.0);
    let by = |a: usize, b: usize| if b < 3 { 0.5 * turns[(a, b)] } else { mixed[(a, b - 3)] };
    let maps: [[f64; 9]; 3] = std::array::from_fn(|a| std::array::from_fn(|b| by(a, b)));
    add_combined(&maps, N, stride, out);
}
