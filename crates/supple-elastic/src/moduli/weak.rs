//! The rows of the weak form, and the numbers that meet them best.
//!
//! One bump after the other, a quarter of its length apart: w = cos⁴(πτ/2), τ from −1 to 1. β multiplies every modulus, so all
//! are found in turns: E and α with β as it is, then α and β with E as it is, from β of its own for every region.

use super::ModuliProblem;
use super::projected::Projected;
use faer::Mat;
use nalgebra::DMatrix;
use std::f64::consts::{FRAC_PI_2, PI};
use supple_numerics::nnls::nnls;

/// Bumps that overlap.
const OVERLAP: usize = 4;
/// Turns at most, and the change of β that ends them.
const TURNS: usize = 30;
const SETTLED: f64 = 1e-6;

/// Numbers that meet the rows best.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    pub young: Vec<f64>,
    /// As a part of each.
    pub uncertainty: Vec<f64>,
    pub mass_damping: f64,
    pub stiffness_damping: f64,
    pub residual: f64,
}

/// A row, its terms summed over the bump.
struct Row {
    /// ∫w vᵀR_g.
    stiff: Vec<f64>,
    /// −∫ẇ vᵀR_g.
    damped: Vec<f64>,
    /// −∫ẇ vᵀM u.
    slowed: f64,
    /// ∫w vᵀM e.
    weight: [f64; 3],
    /// −∫ẅ vᵀM u, and ∫w vᵀM g if that is known.
    right: f64,
}

/// w, ẇ and ẅ at τ, by τ.
fn bump(tau: f64) -> [f64; 3] {
    let (sin, cos) = (FRAC_PI_2 * tau).sin_cos();
    let square = cos * cos;
    // w = (3 + 4 cos πτ + cos 2πτ)/8.
    [
        square * square,
        -2.0 * PI * square * cos * sin,
        -0.5 * PI * PI * ((PI * tau).cos() + (2.0 * PI * tau).cos()),
    ]
}

fn rows(problem: &ModuliProblem<'_>, projected: &Projected) -> Vec<Row> {
    let half = 0.5 * problem.window as f64;
    let seconds = half * problem.seconds_per_frame;
    let stride = (problem.window / OVERLAP).max(1);
    let mut rows = Vec::new();
    let mut first = 0;
    for run in problem.runs {
        let last_start = (first + run.len()).saturating_sub(problem.window + 1);
        for start in (first..=last_start).step_by(stride).filter(|_| run.len() > problem.window) {
            for v in 0..projected.weights.len() {
                rows.push(row(problem, projected, v, start, (half, seconds)));
            }
        }
        first += run.len();
    }
    rows
}

fn row(
    problem: &ModuliProblem<'_>,
    projected: &Projected,
    v: usize,
    start: usize,
    (half, seconds): (f64, f64),
) -> Row {
    let count = projected.energies.len();
    let mut row =
        Row { stiff: vec![0.0; count], damped: vec![0.0; count], slowed: 0.0, weight: [0.0; 3], right: 0.0 };
    let mut held = 0.0;
    for k in 0..=problem.window {
        let [w, slope, bend] = bump(k as f64 / half - 1.0);
        let (slope, bend) = (slope / seconds, bend / (seconds * seconds));
        let momentum = projected.momenta[start + k][v];
        for (g, force) in projected.forces[start + k][v].iter().enumerate() {
            row.stiff[g] += w * force;
            row.damped[g] -= slope * force;
        }
        row.slowed -= slope * momentum;
        row.right -= bend * momentum;
        held += w;
    }
    row.weight = projected.weights[v].map(|weight| held * weight);
    if let Some(gravity) = problem.gravity {
        row.right += row.weight.iter().zip(&gravity).map(|(weight, g)| weight * g).sum::<f64>();
    }
    row
}

/// Finds E, α and β.
pub(super) fn solve(problem: &ModuliProblem<'_>, projected: &Projected) -> Found {
    let rows = rows(problem, projected);
    let count = projected.energies.len();
    let right: Vec<f64> = rows.iter().map(|row| row.right).collect();
    // Gravity that is not known is a number of each sign of each axis.
    let unknown: Vec<[f64; 3]> = if problem.gravity.is_some() { Vec::new() } else { weights(&rows) };
    let gravities = if unknown.is_empty() { 0 } else { 6 };
    let gravity =
        |i: usize, at: usize| if at.is_multiple_of(2) { -unknown[i][at / 2] } else { unknown[i][at / 2] };
    let apart = Mat::from_fn(rows.len(), 2 * count + 1 + gravities, |i, j| match j {
        j if j < count => rows[i].stiff[j],
        j if j == count => rows[i].slowed,
        j if j <= 2 * count => rows[i].damped[j - count - 1],
        j => gravity(i, j - 2 * count - 1),
    });
    let first = nnls(apart.as_ref(), &right).x;
    let (mut young, mut alpha) = (first[..count].to_vec(), first[count]);
    let bears = |g: usize| young[g] * projected.energies[g];
    let whole: f64 = (0..count).map(|g| young[g] * bears(g)).sum();
    let mut beta = match whole > 0.0 {
        true => (0..count).map(|g| first[count + 1 + g] * bears(g)).sum::<f64>() / whole,
        false => 0.0,
    };
    let of_young = |beta: f64| {
        Mat::from_fn(rows.len(), count + 1 + gravities, |i, j| match j {
            j if j < count => rows[i].stiff[j] + beta * rows[i].damped[j],
            j if j == count => rows[i].slowed,
            j => gravity(i, j - count - 1),
        })
    };
    let mut residual = 0.0;
    for _ in 0..TURNS {
        let A = of_young(beta);
        let found = nnls(A.as_ref(), &right);
        young.copy_from_slice(&found.x[..count]);
        let left: Vec<f64> =
            (rows.iter().zip(&right)).map(|(row, right)| right - dot(&row.stiff, &young)).collect();
        let A = Mat::from_fn(rows.len(), 2 + gravities, |i, j| match j {
            0 => rows[i].slowed,
            1 => dot(&rows[i].damped, &young),
            j => gravity(i, j - 2),
        });
        let damping = nnls(A.as_ref(), &left);
        let before = beta;
        (alpha, beta) = (damping.x[0], damping.x[1]);
        residual = damping.residual;
        if (beta - before).abs() <= SETTLED * beta.max(before) {
            break;
        }
    }
    let size = right.iter().map(|x| x * x).sum::<f64>().sqrt();
    let A = of_young(beta);
    let x = nnls(A.as_ref(), &right).x;
    let left: Vec<f64> =
        (0..A.nrows()).map(|i| right[i] - (0..A.ncols()).map(|j| A[(i, j)] * x[j]).sum::<f64>()).collect();
    Found {
        uncertainty: uncertainty(&A, &young, &left, projected.weights.len()),
        young,
        mass_damping: alpha,
        stiffness_damping: beta,
        residual: if size > 0.0 { residual / size } else { 0.0 },
    }
}

fn weights(rows: &[Row]) -> Vec<[f64; 3]> {
    rows.iter().map(|row| row.weight).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The standard deviation of each modulus, as a part of it: that of the rows, which overlap, times that of (AᵀA)⁻¹; or, where
/// that is more, the same from what rows of one test mode are off by together (Liang and Zeger 1986). What noise
/// does is the same in no two rows; what no modulus explains is the same in all rows of a mode.
fn uncertainty(A: &Mat<f64>, young: &[f64], left: &[f64], tests: usize) -> Vec<f64> {
    // Gravity of either sign is one number; and none where nothing is known of it.
    let free = young.len() + 1;
    let columns: Vec<usize> = (0..free).chain((free..A.ncols()).step_by(2)).collect();
    let length =
        |j: usize| (0..A.nrows()).map(|i| A[(i, j)] * A[(i, j)]).sum::<f64>().sqrt().max(f64::MIN_POSITIVE);
    let lengths: Vec<f64> = columns.iter().map(|&j| length(j)).collect();
    let gram = DMatrix::from_fn(columns.len(), columns.len(), |k, l| {
        let sum: f64 = (0..A.nrows()).map(|i| A[(i, columns[k])] * A[(i, columns[l])]).sum();
        sum / (lengths[k] * lengths[l]) + if k == l { 1e-13 } else { 0.0 }
    });
    let Some(inverse) = gram.try_inverse() else { return vec![f64::INFINITY; young.len()] };
    let rows = (A.nrows() as f64 / OVERLAP as f64 - columns.len() as f64).max(1.0);
    let square: f64 = left.iter().map(|x| x * x).sum();
    let alone = square / rows;
    // Rows are in the order of bumps, all test modes of one after the other.
    let scores = DMatrix::from_fn(columns.len(), tests, |k, v| {
        let of_mode = (v..A.nrows()).step_by(tests);
        of_mode.map(|i| A[(i, columns[k])] * left[i]).sum::<f64>() / lengths[k]
    });
    let together = &inverse * &scores;
    let spare = tests as f64 / (tests as f64 - 1.0).max(1.0);
    let of = |(g, young): (usize, &f64)| match *young > 0.0 {
        true => {
            let alone = alone * inverse[(g, g)].max(0.0);
            let together = spare * together.row(g).iter().map(|x| x * x).sum::<f64>();
            alone.max(together).sqrt() / (lengths[g] * young)
        }
        false => f64::INFINITY,
    };
    young.iter().enumerate().map(of).collect()
}
