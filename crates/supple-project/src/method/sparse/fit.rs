//! Modal coordinates of a field that is given vertex by vertex, through the warp.

use super::goal::combined;
use super::ground::{Ground, center_of_mass};
use crate::body::Body;
use faer::linalg::solvers::Solve;
use faer::{Accum, Mat, Par};
use supple_elastic::{ModalShape, ModalSlopes};
use supple_mesh::Vec3;

/// What of a field modes can hold.
pub(super) struct Fitted {
    /// A number for each mode.
    pub modal: Vec<f64>,
    /// What is left, three numbers per vertex.
    pub left: Vec<f64>,
}

/// ż for which J ż comes nearest to a field of velocities, by mass. In flight both are about the centre of mass.
pub(super) fn velocity(ground: &Ground, body: &Body, shape: &ModalShape, field: &[f64]) -> Fitted {
    nearest(ground, body, &ground.warp.slopes(shape), field)
}

/// min Σ m |J x − field|². In flight both are about the centre of mass.
pub(super) fn nearest(ground: &Ground, body: &Body, slopes: &ModalSlopes, field: &[f64]) -> Fitted {
    let (n, r) = (ground.warp.vertices(), ground.warp.modes());
    let masses = body.elastic.masses();
    let total: f64 = masses.iter().sum();
    // Square roots of masses make it a plain problem.
    let mut J = Mat::<f64>::zeros(3 * n, r);
    for mode in 0..r {
        for axis in 0..3 {
            let column = slopes.column(axis, mode);
            let mean = if ground.flies {
                column.iter().zip(masses).map(|(j, m)| j * m).sum::<f64>() / total
            } else {
                0.0
            };
            for (v, (j, mass)) in column.iter().zip(masses).enumerate() {
                J[(3 * v + axis, mode)] = (j - mean) * mass.sqrt();
            }
        }
    }
    let right = Mat::from_fn(3 * n, 1, |k, _| field[k] * masses[k / 3].sqrt());
    let mut normal = Mat::zeros(r, r);
    let mut g = Mat::zeros(r, 1);
    faer::linalg::matmul::matmul(normal.as_mut(), Accum::Replace, J.transpose(), &J, 1.0, Par::Seq);
    faer::linalg::matmul::matmul(g.as_mut(), Accum::Replace, J.transpose(), &right, 1.0, Par::Seq);
    let most = (0..r).map(|k| normal[(k, k)]).fold(f64::MIN_POSITIVE, f64::max);
    (0..r).for_each(|k| normal[(k, k)] += 1e-14 * most);
    let modal: Vec<f64> = match normal.llt(faer::Side::Lower) {
        Ok(factor) => {
            let x = factor.solve(&g);
            (0..r).map(|k| x[(k, 0)]).collect()
        }
        Err(_) => vec![0.0; r],
    };
    let mut left = field.to_vec();
    for (mode, x) in modal.iter().enumerate() {
        for (k, left) in left.iter_mut().enumerate() {
            *left -= x * J[(k, mode)] / masses[k / 3].sqrt();
        }
    }
    Fitted { modal, left }
}

/// M times a field of three numbers per vertex, as one column.
pub(super) fn mass_weighted(body: &Body, field: &[f64]) -> Mat<f64> {
    let masses = body.elastic.masses();
    Mat::from_fn(field.len(), 1, |k, _| masses[k / 3] * field[k])
}

/// Takes the motion of the centre of mass out of a field of three numbers per vertex.
pub(super) fn about_center(body: &Body, field: &mut [f64]) {
    let mean = combined(&center_of_mass(body), field);
    field
        .chunks_exact_mut(3)
        .for_each(|v| (Vec3::from_column_slice(v) - mean).iter().zip(v).for_each(|(m, v)| *v = *m));
}

/// ½ Σ m |v|².
pub(super) fn kinetic(body: &Body, field: &[f64]) -> f64 {
    let masses = body.elastic.masses();
    0.5 * field
        .chunks_exact(3)
        .zip(masses)
        .map(|(v, m)| m * v.iter().map(|v| v * v).sum::<f64>())
        .sum::<f64>()
}
