//! The edit that comes nearest to a change of shape, told by the places of the cubature alone (Li et al. 2014, Eq. 23).
//!
//! With y_e the turn and strain that a place is asked for beside those it has, nine numbers, and N_e what the modes make of
//! them there,
//!
//! > x̄ = argmin Σ_e ω_e V_e |N_e x − y_e|² = (√(ωV) N)⁺ √(ωV) y,
//!
//! the shortest where several are as near. ω_e V_e is how much of the body a place stands for: with all places it is the fit
//! of the whole body, [`ModalWarp::fitted`](super::super::ModalWarp::fitted).

use super::super::ModalShape;
use super::ReducedWarp;
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, Par};
use supple_numerics::eigen::symmetric_eigen;

/// Squares of directions that the places see less of than this part of the most are as good as unseen.
const UNSEEN: f64 = 1e-12;

impl ReducedWarp {
    /// z of the edit that leads nearest from one shape of the body to another.
    ///
    /// # Panics
    /// When the shapes are of another body.
    #[must_use]
    pub fn fitted(&self, from: &ModalShape, to: &ModalShape) -> Vec<f64> {
        let (modes, stride, places) = (self.modes(), self.stations.stride(), &self.cubature.places);
        let volumes = self.warp.cells.volumes();
        let weights = |e: usize, b: usize| {
            let twice = if (3..6).contains(&b) { 1.0 } else { 2.0 };
            (twice * self.cubature.weights[e] * volumes[places[e]]).sqrt()
        };
        let rows = Mat::from_fn(9 * places.len(), modes, |row, k| {
            let (e, b) = (row / 9, row % 9);
            weights(e, b) * self.stations.rows(e)[b * stride + k]
        });
        let asked = Mat::from_fn(9 * places.len(), 1, |row, _| {
            let (e, b) = (row / 9, row % 9);
            weights(e, b) * (to.strains[places[e]][b] - from.strains[places[e]][b])
        });
        let (mut H, mut g) = (Mat::zeros(modes, modes), Mat::zeros(modes, 1));
        matmul(H.as_mut(), Accum::Replace, rows.transpose(), rows.as_ref(), 1.0, Par::Seq);
        matmul(g.as_mut(), Accum::Replace, rows.transpose(), asked.as_ref(), 1.0, Par::Seq);
        let mut x = vec![0.0; modes];
        let Some((values, vectors)) = symmetric_eigen(H.as_ref()) else { return x };
        let least = UNSEEN * values.last().copied().unwrap_or(0.0);
        for (value, v) in values.iter().zip(vectors.col_iter()).filter(|(value, _)| **value > least) {
            let along = v.iter().zip(g.col(0).iter()).map(|(v, g)| v * g).sum::<f64>() / value;
            x.iter_mut().zip(v.iter()).for_each(|(x, v)| *x += along * v);
        }
        x
    }
}
