//! The coefficients of the polynomials, from one product of matrices.
//!
//! With rows B = [e₀ | a_i | β_ij] the energy is ½ |B (1; z; ½ z⊗z)|², and every coefficient is an entry of G = BᵀB:
//!
//! > R₀ = e₀·a_i,   K₀ = a_i·a_j + e₀·β_ij,   c₁ = a_i·β_jk + a_j·β_ik + a_k·β_ij,
//! > c₂ = ½ (β_ij·β_kl + β_ik·β_jl + β_il·β_jk).

use super::packed::{pair, pairs};
use super::rows::{Room, Rows};
use faer::linalg::matmul::triangular::{BlockStructure, matmul};
use faer::{Accum, Mat, Par};
use rayon::prelude::*;
use supple_model::{Cancelled, Progress};

/// Parts of the elements whose products are made side by side. Fixed, because sums must not depend on threads.
const PIECES: usize = 8;

/// BᵀB, its lower triangle.
pub(super) fn gram(rows: &Rows<'_>, progress: &Progress) -> Result<Mat<f64>, Cancelled> {
    let (bands, width) = (rows.bands(), rows.width());
    let piece = |piece: usize| -> Result<Mat<f64>, Cancelled> {
        let (mut room, mut sum) = (Room::new(), Mat::zeros(width, width));
        for band in bands * piece / PIECES..bands * (piece + 1) / PIECES {
            progress.check()?;
            let B = rows.fill(band, &mut room);
            matmul(
                sum.as_mut(),
                BlockStructure::TriangularLower,
                Accum::Add,
                B.transpose(),
                BlockStructure::Rectangular,
                B,
                BlockStructure::Rectangular,
                1.0,
                Par::Seq,
            );
        }
        Ok(sum)
    };
    let parts = (0..PIECES).into_par_iter().map(piece).collect::<Result<Vec<_>, _>>()?;
    let mut sum = Mat::zeros(width, width);
    for part in &parts {
        sum += part;
    }
    Ok(sum)
}

/// How many coefficients polynomials of r coordinates have: of second degree, and of fourth.
pub(super) fn lengths(r: usize) -> [usize; 2] {
    let second = r + pairs(r);
    [second, second + pairs(r) * (r + pairs(r))]
}

/// R₀; K₀, packed; c₁, a packed matrix for every k; c₂, one for every pair kl.
pub(super) fn of_gram(r: usize, gram: &Mat<f64>) -> Vec<f64> {
    let G = |i: usize, j: usize| if i < j { gram[(j, i)] } else { gram[(i, j)] };
    let a = |i: usize| 1 + i;
    let b = |i: usize, j: usize| 1 + r + pair(i, j);
    let is_quadratic = gram.nrows() == 1 + r;
    let mut out: Vec<f64> = (0..r).map(|i| G(0, a(i))).collect();
    let all: Vec<(usize, usize)> = (0..r).flat_map(|i| (0..=i).map(move |j| (i, j))).collect();
    out.extend(all.iter().map(|&(i, j)| G(a(i), a(j)) + if is_quadratic { 0.0 } else { G(0, b(i, j)) }));
    if is_quadratic {
        return out;
    }
    for k in 0..r {
        out.extend(all.iter().map(|&(i, j)| G(a(i), b(j, k)) + G(a(j), b(i, k)) + G(a(k), b(i, j))));
    }
    for &(k, l) in &all {
        let entry = |&(i, j): &(usize, usize)| {
            0.5 * (G(b(i, j), b(k, l)) + (G(b(i, k), b(j, l)) + G(b(i, l), b(j, k))))
        };
        out.extend(all.iter().map(entry));
    }
    out
}
