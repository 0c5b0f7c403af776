//! What is given, scaled and without the frames that do not count.

use super::RecoveryError;
use faer::{Mat, MatRef};
use std::ops::Range;

/// Frames a stretch must have to count at all.
pub(super) const LEAST: usize = 12;
/// A motion whose coordinates stray by less than this part of themselves stands still.
const STILL: f64 = 1e-10;

/// A motion in modal coordinates.
#[derive(Clone, Debug)]
pub struct GivenMotion<'a> {
    /// x̄: a row per mode of uniform material, none of them rigid, a column per frame.
    pub coordinates: MatRef<'a, f64>,
    /// Stretches of frames in which nothing pushes, in the order of time. Shorter ones than a dozen frames do not count.
    pub runs: Vec<Range<usize>>,
    /// The eigenvalues of uniform material, in any unit, ascending.
    pub eigenvalues: &'a [f64],
}

/// The frames that count.
#[derive(Debug)]
pub(super) struct Data {
    /// x̄ of them one after the other, scaled, R × T.
    pub x: Mat<f64>,
    /// Columns of `x` that follow each other.
    pub runs: Vec<Range<usize>>,
    /// What `x` was divided by.
    pub scale: f64,
    /// The mean of the columns of `x`.
    pub mean: Vec<f64>,
}

impl Data {
    pub fn new(motion: &GivenMotion<'_>) -> Result<Self, RecoveryError> {
        let x = motion.coordinates;
        let mut columns = Vec::new();
        let mut runs = Vec::new();
        let mut longest = 0;
        for run in &motion.runs {
            longest = longest.max(run.len());
            if run.len() >= LEAST {
                runs.push(columns.len()..columns.len() + run.len());
                columns.extend(run.clone());
            }
        }
        if runs.is_empty() {
            return Err(RecoveryError::Loaded { longest, least: LEAST });
        }
        if let Some(&frame) = columns.iter().find(|&&i| !x.col(i).iter().all(|v| v.is_finite())) {
            return Err(RecoveryError::NotFinite { frame });
        }
        let rows = x.nrows();
        let count = columns.len() as f64;
        let mean: Vec<f64> =
            (0..rows).map(|k| columns.iter().map(|&i| x[(k, i)]).sum::<f64>() / count).collect();
        let mut size = 0.0_f64;
        let mut square = 0.0;
        for &i in &columns {
            for k in 0..rows {
                size = size.max(x[(k, i)].abs());
                square += (x[(k, i)] - mean[k]).powi(2);
            }
        }
        let scale = (square / count).sqrt();
        if scale.is_nan() || scale <= STILL * size {
            return Err(RecoveryError::AtRest);
        }
        Ok(Self {
            x: Mat::from_fn(rows, columns.len(), |k, i| x[(k, columns[i])] / scale),
            runs,
            scale,
            mean: mean.iter().map(|m| m / scale).collect(),
        })
    }

    /// R.
    pub fn rows(&self) -> usize {
        self.x.nrows()
    }

    /// How many frames count.
    pub fn frames(&self) -> usize {
        self.x.ncols()
    }

    /// The longest stretch.
    pub fn longest(&self) -> usize {
        self.runs.iter().map(ExactSizeIterator::len).max().unwrap_or(0)
    }

    /// x̄ − x₀.
    pub fn less(&self, rest: &[f64]) -> Mat<f64> {
        Mat::from_fn(self.rows(), self.frames(), |k, i| self.x[(k, i)] - rest[k])
    }
}
