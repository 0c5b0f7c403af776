//! The inner loops of products with U: few columns at the speed of memory, many at that of the processor.

use faer::linalg::matmul::matmul;
use faer::{Accum, ColRef, MatMut, MatRef, Par};

/// out = U Z.
pub(super) fn multiply(out: MatMut<'_, f64>, U: MatRef<'_, f64>, Z: MatRef<'_, f64>) {
    matmul(out, Accum::Replace, U, Z, 1.0, Par::Seq);
}

/// out = Uᵀ Y.
pub(super) fn project(out: MatMut<'_, f64>, U: MatRef<'_, f64>, Y: MatRef<'_, f64>) {
    matmul(out, Accum::Replace, U.transpose(), Y, 1.0, Par::Seq);
}

/// out += U z, four columns of U at a time.
pub(super) fn combine(U: MatRef<'_, f64>, z: &[f64], out: &mut [f64]) {
    let mut columns = U.col_iter().zip(z);
    while let Some((u, a)) = columns.next() {
        match (columns.next(), columns.next(), columns.next()) {
            (Some((v, b)), Some((w, c)), Some((x, d))) => {
                let (u, v, w, x) = (slice(u), slice(v), slice(w), slice(x));
                for ((((out, u), v), w), x) in out.iter_mut().zip(u).zip(v).zip(w).zip(x) {
                    *out += (a * u + b * v) + (c * w + d * x);
                }
            }
            rest => {
                for (u, a) in [Some((u, a)), rest.0, rest.1, rest.2].into_iter().flatten() {
                    for (out, u) in out.iter_mut().zip(slice(u)) {
                        *out += a * u;
                    }
                }
            }
        }
    }
}

/// The numbers of a column; those of U lie one after the other.
fn slice<'a>(column: ColRef<'a, f64>) -> &'a [f64] {
    column.try_as_col_major().map_or(&[], |column| column.as_slice())
}
