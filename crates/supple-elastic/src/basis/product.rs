//! The inner loops of products with U: few columns at the speed of memory, many at that of the processor.

use faer::linalg::matmul::matmul;
use faer::{Accum, ColMut, ColRef, MatMut, MatRef, Par};

/// Numbers that fit in the first cache.
const CACHED: usize = 3072;
/// Columns up to which [`combine`] is quicker than a product of matrices.
const FEW: usize = 6;

/// out = U Z.
pub(super) fn multiply(out: MatMut<'_, f64>, U: MatRef<'_, f64>, Z: MatRef<'_, f64>) {
    if Z.ncols() <= FEW {
        combine(out, U, Z);
    } else {
        matmul(out, Accum::Replace, U, Z, 1.0, Par::Seq);
    }
}

/// out = Uᵀ Y.
pub(super) fn project(out: MatMut<'_, f64>, U: MatRef<'_, f64>, Y: MatRef<'_, f64>) {
    matmul(out, Accum::Replace, U.transpose(), Y, 1.0, Par::Seq);
}

/// out = U Z for few columns of Z. Four columns of U at a time stay in the cache while all columns of `out` take them,
/// so that U is read once and the time is that of memory.
fn combine(mut out: MatMut<'_, f64>, U: MatRef<'_, f64>, Z: MatRef<'_, f64>) {
    let tile = (CACHED / (4 + Z.ncols())).max(64);
    out.fill(0.0);
    for first in (0..U.nrows()).step_by(tile) {
        let rows = tile.min(U.nrows() - first);
        let U = U.subrows(first, rows);
        let mut out = out.as_mut().subrows_mut(first, rows);
        let whole = U.ncols() / 4 * 4;
        for k in (0..whole).step_by(4) {
            let u = [0, 1, 2, 3].map(|i| slice(U.col(k + i)));
            for (z, out) in Z.col_iter().zip(out.as_mut().col_iter_mut()) {
                add(slice_mut(out), u, [z[k], z[k + 1], z[k + 2], z[k + 3]]);
            }
        }
        for k in whole..U.ncols() {
            for (z, out) in Z.col_iter().zip(out.as_mut().col_iter_mut()) {
                for (out, u) in slice_mut(out).iter_mut().zip(slice(U.col(k))) {
                    *out += z[k] * u;
                }
            }
        }
    }
}

/// out += Σ z_i u_i.
#[inline]
fn add(out: &mut [f64], [a, b, c, d]: [&[f64]; 4], z: [f64; 4]) {
    let n = out.len();
    let (a, b, c, d) = (&a[..n], &b[..n], &c[..n], &d[..n]);
    for i in 0..n {
        out[i] += (z[0] * a[i] + z[1] * b[i]) + (z[2] * c[i] + z[3] * d[i]);
    }
}

/// The numbers of a column; they lie one after the other.
fn slice(column: ColRef<'_, f64>) -> &[f64] {
    column.try_as_col_major().map_or(&[], |column| column.as_slice())
}

fn slice_mut(column: ColMut<'_, f64>) -> &mut [f64] {
    column.try_as_col_major_mut().map_or(&mut [], |column| column.as_slice_mut())
}
