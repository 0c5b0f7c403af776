//! The inner loops of products with U: one column at the speed of memory, several as products of matrices.

use faer::linalg::matmul::matmul;
use faer::{Accum, ColMut, ColRef, MatMut, MatRef, Par};
use supple_numerics::simd;

/// out = U Z.
pub(super) fn multiply(out: MatMut<'_, f64>, U: MatRef<'_, f64>, Z: MatRef<'_, f64>) {
    if Z.ncols() == 1 {
        let z: Vec<f64> = Z.col(0).iter().copied().collect();
        combine(slice_mut(out.col_mut(0)), U, &z);
    } else {
        matmul(out, Accum::Replace, U, Z, 1.0, Par::Seq);
    }
}

/// out = Uᵀ Y.
pub(super) fn project(out: MatMut<'_, f64>, U: MatRef<'_, f64>, Y: MatRef<'_, f64>) {
    matmul(out, Accum::Replace, U.transpose(), Y, 1.0, Par::Seq);
}

/// out = U z, four columns of U at a time: the time is that of memory.
fn combine(out: &mut [f64], U: MatRef<'_, f64>, z: &[f64]) {
    out.fill(0.0);
    let whole = U.ncols() / 4 * 4;
    simd::widest(
        #[inline(always)]
        || {
            for k in (0..whole).step_by(4) {
                let u = [slice(U.col(k)), slice(U.col(k + 1)), slice(U.col(k + 2)), slice(U.col(k + 3))];
                add(out, u, [z[k], z[k + 1], z[k + 2], z[k + 3]]);
            }
        },
    );
    for k in whole..U.ncols() {
        for (out, u) in out.iter_mut().zip(slice(U.col(k))) {
            *out += z[k] * u;
        }
    }
}

/// out += Σ z_i u_i.
// Inlined, or it is not compiled for the widest instructions.
#[inline(always)]
fn add(out: &mut [f64], [a, b, c, d]: [&[f64]; 4], z: [f64; 4]) {
    let n = out.len();
    let (a, b, c, d) = (&a[..n], &b[..n], &c[..n], &d[..n]);
    for i in 0..n {
        out[i] += (z[0] * a[i] + z[1] * b[i]) + (z[2] * c[i] + z[3] * d[i]);
    }
}

/// The numbers of a column of U or of what is made; they lie one after the other.
fn slice(column: ColRef<'_, f64>) -> &[f64] {
    column.try_as_col_major().map_or(&[], |column| column.as_slice())
}

fn slice_mut(column: ColMut<'_, f64>) -> &mut [f64] {
    column.try_as_col_major_mut().map_or(&mut [], |column| column.as_slice_mut())
}
