//! The lowest eigenpairs of K x = λ M x, with proof that none is missing.
//!
//! K is symmetric positive semidefinite (a stiffness), M a lumped mass. With A = M^−½ K M^−½ and
//! y = M^½ x the problem is A y = λ y. Small problems are solved densely. Otherwise:
//!
//! ```text
//! around a shift σ just below 0: block Lanczos on (A − σI)⁻¹      → the first 160      krylov
//! guess shifts further up, factor A − σI = LDLᵀ, count D < 0      → N(σ), exact        plan
//! around every shift, in parallel, the same Lanczos               → 160 each           slices
//! sew the slices together by their counts, comparing overlaps     → none missing       slices
//! residuals, orthonormality, one more count above the last mode   → the certificate    here
//! ```
//!
//! References: Grimes, Lewis, Simon 1994 (shifted block Lanczos), Parlett 1980 (spectrum slicing).

mod dense;
mod krylov;
mod operator;
mod plan;
mod slices;
mod tall;

pub use dense::symmetric_eigen;

use crate::sparse::{BlockMatrix, FactorError};
use faer::{Accum, ColMut, Mat};
use operator::Scaled;
use rayon::prelude::*;
use supple_model::{Cancelled, Progress};
use tall::{Threads, add_times, transpose_times};

/// Problems up to this size are solved densely.
const DENSE: usize = 1000;

/// The width of the Krylov spaces' blocks. Eigenvalues of higher multiplicity (many equal loose pieces)
/// are noticed by counting; then blocks four times as wide are tried, up to the widest.
const WIDTH: usize = 12;
const WIDEST: usize = 192;

/// ‖Ay − λy‖ / λ asked of every eigenpair; what it is in the end is in the certificate.
const TOLERANCE: f64 = 1e-10;

/// |XᵀMX − I| beyond which a direction was found twice, and so another one not at all.
const TWICE: f64 = 1e-3;

/// Eigenvalues below this part of the largest are zero to round-off.
const ZERO: f64 = 1e-12;

/// Why eigenpairs could not be computed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EigenError {
    /// More modes than unknowns.
    #[error("{asked} modes requested, but the body has only {available} degrees of freedom")]
    TooMany {
        /// How many were asked for.
        asked: usize,
        /// How many there are.
        available: usize,
    },
    /// No modes at all were asked for.
    #[error("the number of modes must be at least 1")]
    None,
    /// A mass is not positive, or a stiffness or mass is not finite.
    #[error("block row {row}: mass and stiffness must be positive and finite")]
    BadMatrix {
        /// The block row (vertex) to blame.
        row: usize,
    },
    /// The factorization failed.
    #[error(transparent)]
    Factor(#[from] FactorError),
    /// Counting says there are eigenvalues that iterating did not find.
    #[error("{counted} eigenvalues are below {below:e}, but not all of them were found")]
    Missed {
        /// Where it was counted.
        below: f64,
        /// How many there are.
        counted: usize,
    },
    /// Stopped by the caller.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// The lowest eigenpairs and the evidence for them.
#[derive(Clone, Debug)]
pub struct EigenPairs {
    /// λ, ascending, 1/s². Zero where it is zero to round-off.
    pub values: Vec<f64>,
    /// One column per eigenpair, mass-orthonormal: xᵢᵀM xⱼ = δᵢⱼ. The largest entry of each is
    /// positive.
    pub vectors: Mat<f64>,
    /// What was verified.
    pub certificate: Certificate,
}

/// What was verified of eigenpairs after they were computed.
#[derive(Clone, Debug, PartialEq)]
pub struct Certificate {
    /// ‖Kx − λMx‖ / ‖Kx‖ for every pair; for zero eigenvalues, whose ‖Kx‖ is zero, a bound on the
    /// largest eigenvalue times ‖Mx‖ stands below the line. Storing x in double precision alone costs
    /// some 1e-17 times the largest eigenvalue over λ, which very fine and slender bodies notice.
    pub residuals: Vec<f64>,
    /// The largest entry of |XᵀMX − I|.
    pub orthonormality: f64,
    /// A number just above the last eigenvalue, or above one of the next few.
    pub count_shift: f64,
    /// How many eigenvalues were found below it.
    pub found: usize,
    /// How many there are below it, by the inertia of K − σM. Always equal to `found`.
    pub counted: usize,
}

/// Eigenvalues of A, ascending, and orthonormal eigenvectors.
struct Spectrum {
    values: Vec<f64>,
    vectors: Mat<f64>,
}

/// The lowest `count` eigenpairs of `stiffness` x = λ diag(`mass`) x, `mass` having one entry per block
/// row. `positions`, one per block row, help to order the elimination of bulky bodies.
///
/// The result has the same bits on any number of threads.
///
/// # Errors
/// See [`EigenError`].
pub fn lowest(
    stiffness: &BlockMatrix,
    mass: &[f64],
    positions: Option<&[[f64; 3]]>,
    count: usize,
    progress: &Progress,
) -> Result<EigenPairs, EigenError> {
    let dim = stiffness.dim();
    if count == 0 {
        return Err(EigenError::None);
    }
    if count > dim {
        return Err(EigenError::TooMany { asked: count, available: dim });
    }
    check(stiffness, mass)?;
    let problem = Scaled::new(stiffness, mass, positions)?;
    let mut width = WIDTH;
    loop {
        let spectrum = if dim <= DENSE {
            progress.report("computing modes", 0.0)?;
            densely(&problem)
        } else {
            slices::lowest(&problem, count, TOLERANCE, width, &progress.part(0.0, 0.9))
        };
        progress.report("checking modes", 0.9)?;
        match spectrum.and_then(|spectrum| certify(&problem, spectrum, count)) {
            Err(EigenError::Missed { .. }) if dim > DENSE && width < WIDEST => width *= 4,
            result => return result,
        }
    }
}

fn check(stiffness: &BlockMatrix, mass: &[f64]) -> Result<(), EigenError> {
    let sums = stiffness.absolute_row_sums();
    let good = |row: usize| {
        mass[row] > 0.0 && mass[row].is_finite() && sums[3 * row..3 * row + 3].iter().all(|s| s.is_finite())
    };
    match (0..mass.len()).find(|&row| !good(row)) {
        Some(row) => Err(EigenError::BadMatrix { row }),
        None => Ok(()),
    }
}

/// The whole spectrum. A dense solver's error is a fixed part of the *largest* eigenvalue, too much for
/// the lowest ones; their space is projected once more onto C = (A − σI)⁻¹, in which they are large.
fn densely(problem: &Scaled) -> Result<Spectrum, EigenError> {
    let failed = EigenError::BadMatrix { row: 0 };
    let (mut values, mut vectors) =
        symmetric_eigen(problem.matrix().to_dense().as_ref()).ok_or(failed.clone())?;
    let bound = problem.largest_bound();
    let low = values.partition_point(|&v| v < 1e-3 * bound);
    if low > 0 {
        let operator = problem.shifted(problem.lowest_shift())?;
        let mut image = vectors.subcols(0, low).to_owned();
        operator.apply(image.as_mut(), Threads::All);
        let projected = transpose_times(vectors.subcols(0, low), image.as_ref(), Threads::All);
        // θ ascends, so λ = σ + 1/θ descends.
        let (theta, s) = symmetric_eigen(projected.as_ref()).ok_or(failed)?;
        let turn = Mat::from_fn(low, low, |i, k| s[(i, low - 1 - k)] / theta[low - 1 - k]);
        let target = vectors.as_mut().subcols_mut(0, low);
        add_times(target, Accum::Replace, 1.0, image.as_ref(), turn.as_ref(), Threads::All);
        for k in 0..low {
            values[k] = operator.shift() + 1.0 / theta[low - 1 - k];
        }
    }
    Ok(Spectrum { values, vectors })
}

/// Checks the pairs and turns them back into those of K and M.
fn certify(problem: &Scaled, spectrum: Spectrum, count: usize) -> Result<EigenPairs, EigenError> {
    let Spectrum { mut values, mut vectors } = spectrum;
    let bound = problem.largest_bound();
    for value in values.iter_mut().filter(|v| v.abs() <= ZERO * bound) {
        *value = 0.0;
    }
    let (count_shift, found, counted) = count_above(problem, &values, count, bound)?;
    if found != counted {
        return Err(EigenError::Missed { below: count_shift, counted });
    }
    values.truncate(count);
    vectors.resize_with(problem.dim(), count, |_, _| 0.0);
    let orthonormality = tall::distance_from_orthonormal(vectors.as_ref());
    if orthonormality > TWICE {
        return Err(EigenError::Missed { below: count_shift, counted });
    }
    let residuals = vectors
        .as_mut()
        .par_col_chunks_mut(1)
        .zip(&values)
        .map(|(mut column, &value)| finish(problem, column.as_mut().col_mut(0), value, bound))
        .collect();
    let certificate = Certificate { residuals, orthonormality, count_shift, found, counted };
    Ok(EigenPairs { values, vectors, certificate })
}

/// Counts the eigenvalues below the widest gap behind eigenvalue `count`: (σ, found, counted).
fn count_above(
    problem: &Scaled,
    values: &[f64],
    count: usize,
    bound: f64,
) -> Result<(f64, usize, usize), EigenError> {
    let floor = ZERO * bound;
    let next = |k: usize| if k < values.len() { values[k] } else { 1.01 * values[k - 1].max(floor) };
    let gap = |k: usize| (next(k) - values[k - 1]) / next(k).max(floor);
    // Past the last value found nothing is known of a gap, unless the spectrum ends there.
    let last = if values.len() == problem.dim() { values.len() } else { values.len() - 1 };
    let found = (count..=last.max(count)).max_by(|&a, &b| gap(a).total_cmp(&gap(b))).unwrap_or(count);
    let operator = problem.shifted(f64::midpoint(values[found - 1], next(found)))?;
    Ok((operator.shift(), found, operator.count_below()))
}

/// Turns y into x = M^−½ y with its largest entry positive; returns its residual.
fn finish(problem: &Scaled, column: ColMut<'_, f64>, value: f64, bound: f64) -> f64 {
    let y = column.try_as_col_major_mut().expect("columns of a `Mat` are contiguous").as_slice_mut();
    let mut ay = vec![0.0; y.len()];
    problem.matrix().mul(y, &mut ay);
    let (mut error, mut size, mut mass) = (0.0, 0.0, 0.0);
    for ((a, y), d) in ay.iter().zip(&*y).zip(&problem.inverse_root_mass) {
        error += ((a - value * y) / d).powi(2);
        size += (a / d).powi(2);
        mass += (y / d).powi(2);
    }
    for (y, d) in y.iter_mut().zip(&problem.inverse_root_mass) {
        *y *= d;
    }
    // Of entries equal but for round-off the first decides.
    let largest = y.iter().fold(0.0, |m: f64, y| m.max(y.abs()));
    if y.iter().find(|y| y.abs() >= (1.0 - 1e-6) * largest).is_some_and(|y| *y < 0.0) {
        y.iter_mut().for_each(|y| *y = -*y);
    }
    let size = if value == 0.0 { bound * mass.sqrt() } else { size.sqrt() };
    error.sqrt() / size
}
