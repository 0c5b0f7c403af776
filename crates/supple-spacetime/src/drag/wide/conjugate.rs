//! Conjugate gradients on S, of which only products are known.

use crate::sqp::largest;
use nalgebra::DVector;
use supple_model::{Cancelled, Progress};

/// Iterations without a better residual after which there is nothing to gain.
const PATIENCE: usize = 12;
/// By which part a residual must be better to count.
const BETTER: f64 = 0.9;

/// An approximation of a matrix's inverse.
pub(super) trait Inverse {
    /// The product with it.
    fn solve(&self, x: &DVector<f64>) -> DVector<f64>;

    /// The entries of rows that are not left out.
    fn kept(&self, x: &DVector<f64>) -> DVector<f64>;
}

/// A solution, as far as it was found.
pub(super) struct Solved {
    pub eta: DVector<f64>,
    /// What is left of the right-hand side.
    pub left: DVector<f64>,
}

/// Solves A η = b from a start until no row that can be moved is farther off than `enough`, in at most so many
/// `iterations`. What is found best on the way is kept, so a system without a solution does no harm.
///
/// # Errors
/// When the caller cancels.
pub(super) fn solve(
    A: &dyn Fn(&DVector<f64>) -> DVector<f64>,
    preconditioner: &dyn Inverse,
    b: &DVector<f64>,
    start: DVector<f64>,
    (enough, iterations): (f64, usize),
    progress: &Progress,
) -> Result<Solved, Cancelled> {
    let mut left = if start.iter().all(|x| *x == 0.0) { b.clone() } else { b - A(&start) };
    let mut eta = start;
    let mut best = (largest(&preconditioner.kept(&left)), eta.clone(), left.clone(), 0);
    let mut z = preconditioner.solve(&left);
    let (mut p, mut rho) = (z.clone(), left.dot(&z));
    let mut count = 0;
    while count < iterations && best.0 > enough && count < best.3 + PATIENCE {
        progress.check()?;
        let moved = A(&p);
        let curvature = p.dot(&moved);
        if !(curvature > 0.0 && rho > 0.0 && (rho / curvature).is_finite()) {
            break;
        }
        eta.axpy(rho / curvature, &p, 1.0);
        left.axpy(-rho / curvature, &moved, 1.0);
        count += 1;
        let size = largest(&preconditioner.kept(&left));
        if size < BETTER * best.0 || size <= enough {
            best = (size, eta.clone(), left.clone(), count);
        }
        z = preconditioner.solve(&left);
        let next = left.dot(&z);
        p = &z + p * (next / rho);
        rho = next;
    }
    Ok(Solved { eta: best.1, left: best.2 })
}
