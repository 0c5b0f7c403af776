//! Where the search begins: the dynamic modes of the motion, seen through windows of several frames.
//!
//! A sum of damped oscillations goes from window to window of q frames by a fixed linear map, H₂ = A H₁, whatever their
//! number, where frame by frame alone two modes of like shapes could not be told apart. With H₁ = U Σ Vᵀ cut where noise
//! begins (Gavish and Donoho 2014), the eigenvalues μ of Uᵀ H₂ V Σ⁻¹ are exp(−d/2 ± iω) of the modes (Schmid 2010), λ =
//! |log μ|², and the first frame of its eigenvectors are their shapes, real up to a phase. The strongest become S, made orthonormal
//! so that the strong change least.

use super::data::Data;
use super::dense::{eigen, product, svd};
use super::shapes::polar;
use super::{RecoveryError, RecoverySettings};
use faer::{Mat, c64};
use nalgebra::DMatrix;
use std::f64::consts::TAU;

/// Principal components and modes below this part of the first are round-off.
const ROUND_OFF: f64 = 1e-6;
/// Principal components at most.
const COMPONENTS: usize = 40;
/// Of a frame's windows, at most this part may be modes.
const MODES_PER_WINDOW: f64 = 0.4;
/// δ/√λ from where on nothing swings.
const OVERDAMPED: f64 = 0.7;
/// How often a motion has to swing.
pub(super) const SWINGS: f64 = 2.0;
/// How many frames a swing has to last.
pub(super) const FRAMES_PER_SWING: f64 = 2.5;

/// Where the rounds begin.
#[derive(Clone, Debug)]
pub(super) struct Start {
    pub eigenvalues: Vec<f64>,
    pub damping: Vec<f64>,
    /// S.
    pub shapes: Mat<f64>,
    /// x₀.
    pub rest: Vec<f64>,
}

/// A mode of the motion.
#[derive(Debug)]
struct Found {
    eigenvalue: f64,
    damping: f64,
    shape: Vec<f64>,
    energy: f64,
}

impl Found {
    fn period(&self) -> f64 {
        TAU / self.eigenvalue.sqrt()
    }
}

/// The modes of the motion, the strongest that frames can tell.
pub(super) fn start(data: &Data, settings: &RecoverySettings) -> Result<Start, RecoveryError> {
    let mut found = modes(data, settings)?;
    found.sort_by(|a, b| b.energy.total_cmp(&a.energy));
    let strongest = found.first().ok_or(RecoveryError::NoSwing)?.period();
    let frames = data.longest();
    if strongest < FRAMES_PER_SWING {
        return Err(RecoveryError::Fast { period: strongest, least: FRAMES_PER_SWING });
    }
    let slowest = frames as f64 / SWINGS;
    if strongest > slowest {
        return Err(RecoveryError::Short { period: strongest, frames });
    }
    let least = ROUND_OFF * found[0].energy;
    found.retain(|mode| (FRAMES_PER_SWING..=slowest).contains(&mode.period()) && mode.energy > least);
    found.truncate(settings.shapes.min(data.rows()));
    let weighted = Mat::from_fn(data.rows(), found.len(), |i, k| found[k].shape[i] * found[k].energy.sqrt());
    Ok(Start {
        eigenvalues: found.iter().map(|mode| mode.eigenvalue).collect(),
        damping: found.iter().map(|mode| mode.damping).collect(),
        shapes: polar(weighted.as_ref())?,
        rest: data.mean.clone(),
    })
}

fn modes(data: &Data, settings: &RecoverySettings) -> Result<Vec<Found>, RecoveryError> {
    let principal = svd(data.less(&data.mean).as_ref())?;
    let sizes = &principal.sizes;
    let p = (0..sizes.len().min(COMPONENTS)).take_while(|&k| sizes[k] > ROUND_OFF * sizes[0]).count();
    // The components over time, p × T.
    let c = Mat::from_fn(p, data.frames(), |k, i| principal.V[(i, k)] * sizes[k]);
    let delays = settings.delays.clamp(1, data.longest() / 3);
    let firsts: Vec<usize> =
        data.runs.iter().flat_map(|run| run.start..run.end.saturating_sub(delays).max(run.start)).collect();
    let windows = |shift: usize| {
        Mat::from_fn(p * delays, firsts.len(), |row, j| c[(row % p, firsts[j] + row / p + shift)])
    };
    let (H1, H2) = (windows(0), windows(1));
    let seen = svd(H1.as_ref())?;
    let rank = rank(&seen.sizes, H1.nrows(), H1.ncols());
    let U = seen.U.subcols(0, rank);
    let scaled = Mat::from_fn(H1.ncols(), rank, |j, k| seen.V[(j, k)] / seen.sizes[k]);
    let map = product(U.transpose(), product(H2.as_ref(), scaled.as_ref()).as_ref());
    let (mu, W) = eigen(map.as_ref())?;
    let square = DMatrix::from_fn(rank, rank, |i, k| W[(i, k)]);
    let reduced = product(U.transpose(), H1.as_ref());
    let reduced = DMatrix::from_fn(rank, reduced.ncols(), |i, j| c64::new(reduced[(i, j)], 0.0));
    let amplitudes = square.lu().solve(&reduced).ok_or(RecoveryError::Decomposition)?;
    let first = |i: usize, k: usize| (0..rank).map(|m| W[(m, k)] * U[(i, m)]).sum::<c64>();
    let mut found = Vec::new();
    for k in 0..rank {
        // Of a pair, one; what does not turn is no swing.
        if mu[k].im <= 0.0 && !(mu[k].im == 0.0 && mu[k].re < 0.0) {
            continue;
        }
        let (decay, omega) = (-mu[k].norm().ln(), mu[k].arg());
        let eigenvalue = decay * decay + omega * omega;
        if !eigenvalue.is_finite() || decay.abs() > OVERDAMPED * eigenvalue.sqrt() {
            continue;
        }
        let complex: Vec<c64> = (0..p).map(|i| first(i, k)).collect();
        let strength: f64 = complex.iter().map(c64::norm_sqr).sum();
        let power: f64 = amplitudes.row(k).iter().map(c64::norm_sqr).sum();
        let real = without_phase(&complex);
        let shape = (0..data.rows()).map(|i| (0..p).map(|q| principal.U[(i, q)] * real[q]).sum()).collect();
        found.push(Found { eigenvalue, damping: 2.0 * decay.max(0.0), shape, energy: strength * power });
    }
    Ok(found)
}

/// How many singular values are more than noise.
fn rank(sizes: &[f64], rows: usize, columns: usize) -> usize {
    let beta = rows.min(columns) as f64 / rows.max(columns).max(1) as f64;
    let omega = ((0.56 * beta - 0.95) * beta + 1.82) * beta + 1.43;
    let median = sizes.get(sizes.len() / 2).copied().unwrap_or(0.0);
    let floor = (omega * median).max(ROUND_OFF * sizes.first().copied().unwrap_or(0.0));
    let most = (MODES_PER_WINDOW * columns as f64) as usize;
    sizes.iter().take_while(|size| **size > floor).count().clamp(1, most.max(2)).min(sizes.len())
}

/// The real vector, of length 1, that a complex one is a multiple of, as nearly as there is one.
fn without_phase(complex: &[c64]) -> Vec<f64> {
    // The direction in which |Re (e^{−iφ} v)| is largest: twice its angle is that of Σ v².
    let square: c64 = complex.iter().map(|x| x * x).fold(c64::new(0.0, 0.0), |a, b| a + b);
    let turn = c64::from_polar(1.0, -0.5 * square.arg());
    let real: Vec<f64> = complex.iter().map(|x| (x * turn).re).collect();
    let norm = real.iter().map(|x| x * x).sum::<f64>().sqrt().max(f64::MIN_POSITIVE);
    real.into_iter().map(|x| x / norm).collect()
}
