//! How poses leave a key under the load of the next one: Eq. 6.
//!
//! K(q̄) is factored once per pose, both arcs are its right-hand sides. It may have any signs, since buckled poses are
//! poses too, and LDLᵀ without pivoting is checked by its residual, which also sharpens the solution.

use super::problem::Problem;
use crate::newton::{Gauge, Indefinite, norm};
use supple_model::{Cancelled, Progress};
use supple_numerics::sparse::{BlockMatrix, FactorError};

/// Residuals below this part of the load are those of a solution.
const SOLVED: f64 = 1e-8;
/// Corrections by the residual at most.
const CORRECTIONS: usize = 4;

/// What is known of a pose.
#[derive(Debug)]
pub(super) struct Pose {
    /// T of every right-hand side, over free coordinates; none when the stiffness is singular.
    pub tangents: Option<Vec<Vec<f64>>>,
    pub negative_eigenvalues: usize,
}

/// K(q̄) T = f of some loads f over free coordinates, each without what only moves the body.
pub(super) fn at(
    problem: &Problem<'_>,
    pose: &[f64],
    loads: &[Vec<f64>],
    progress: &Progress,
) -> Result<Pose, Cancelled> {
    progress.check()?;
    let matrix = problem.body.stiffness(pose, problem.free);
    let gauge = problem.gauge(pose);
    Ok(solve(problem, &matrix, gauge.as_ref(), loads)
        .unwrap_or(Pose { tangents: None, negative_eigenvalues: 0 }))
}

fn solve(
    problem: &Problem<'_>,
    matrix: &BlockMatrix,
    gauge: Option<&Gauge>,
    loads: &[Vec<f64>],
) -> Result<Pose, FactorError> {
    let mut grounded = BlockMatrix::zeros(matrix.pattern().clone());
    grounded.copy_from(matrix);
    let factor = Indefinite::new(problem.symbolic.clone(), &mut grounded, gauge)?;
    let tangents = loads.iter().map(|load| tangent(matrix, &factor, gauge, load)).collect();
    Ok(Pose { tangents, negative_eigenvalues: factor.negative_eigenvalues() })
}

/// One tangent; `None` when the residual does not vanish.
fn tangent(
    matrix: &BlockMatrix,
    factor: &Indefinite,
    gauge: Option<&Gauge>,
    load: &[f64],
) -> Option<Vec<f64>> {
    let mut left = load.to_vec();
    if let Some(gauge) = gauge {
        gauge.project(&mut left);
    }
    let whole = norm(&left);
    let (mut tangent, mut product) = (vec![0.0; load.len()], vec![0.0; load.len()]);
    let load = left.clone();
    let mut best = f64::INFINITY;
    for _ in 0..=CORRECTIONS {
        let mut step = left.clone();
        if !factor.solve(gauge, &mut step) {
            return None;
        }
        let next: Vec<f64> = tangent.iter().zip(&step).map(|(t, s)| t + s).collect();
        matrix.mul(&next, &mut product);
        left = load.iter().zip(&product).map(|(f, Kt)| f - Kt).collect();
        if let Some(gauge) = gauge {
            gauge.project(&mut left);
        }
        let residual = norm(&left);
        if residual.partial_cmp(&best) != Some(std::cmp::Ordering::Less) {
            break;
        }
        (best, tangent) = (residual, next);
        if residual <= 1e-2 * SOLVED * f64::EPSILON.sqrt() * whole {
            break;
        }
    }
    (best <= SOLVED * whole).then_some(tangent)
}
