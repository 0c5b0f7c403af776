//! Small dense matrices by columns: products with a vector, Cholesky's factor.

use supple_numerics::simd::widest;

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub(super) fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

/// y + s x in the place of y.
pub(super) fn add(y: &mut [f64], s: f64, x: &[f64]) {
    y.iter_mut().zip(x).for_each(|(y, x)| *y += s * x);
}

/// y + s A x in the place of y; A has as many columns as x has numbers.
pub(super) fn add_product(y: &mut [f64], s: f64, A: &[f64], x: &[f64]) {
    widest(|| {
        for (column, x) in A.chunks_exact(y.len()).zip(x) {
            let s = s * x;
            y.iter_mut().zip(column).for_each(|(y, a)| *y += s * a);
        }
    });
}

/// y + s Aᵀ x in the place of y.
pub(super) fn add_transposed(y: &mut [f64], s: f64, A: &[f64], x: &[f64]) {
    widest(|| {
        for (column, y) in A.chunks_exact(x.len()).zip(y) {
            *y += s * column.iter().zip(x).map(|(a, x)| a * x).sum::<f64>();
        }
    });
}

/// L in the place of a symmetric matrix, whose lower triangle counts; false where it is not positive definite.
pub(super) fn factor(A: &mut [f64], size: usize) -> bool {
    widest(|| {
        for k in 0..size {
            let (known, later) = A.split_at_mut((k + 1) * size);
            let own = &mut known[k * size + k..];
            if !(own[0] > 0.0 && own[0].is_finite()) {
                return false;
            }
            let root = own[0].sqrt();
            own[0] = root;
            own[1..].iter_mut().for_each(|l| *l /= root);
            for (j, column) in later.chunks_exact_mut(size).enumerate() {
                let s = own[1 + j];
                column[k + 1 + j..].iter_mut().zip(&own[1 + j..]).for_each(|(a, l)| *a -= s * l);
            }
        }
        true
    })
}

/// L⁻¹ x in the place of x.
pub(super) fn forward(L: &[f64], x: &mut [f64]) {
    let size = x.len();
    for (k, column) in L.chunks_exact(size).enumerate() {
        let (own, later) = x[k..].split_at_mut(1);
        own[0] /= column[k];
        add(later, -own[0], &column[k + 1..]);
    }
}

/// L⁻ᵀ x in the place of x.
pub(super) fn backward(L: &[f64], x: &mut [f64]) {
    let size = x.len();
    for (k, column) in L.chunks_exact(size).enumerate().rev() {
        x[k] = (x[k] - dot(&column[k + 1..], &x[k + 1..])) / column[k];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factor_solves_what_its_matrix_makes() {
        let size = 7;
        let entry = |i: usize, j: usize| ((i * j) as f64).sin() + if i == j { 9.0 } else { 0.0 };
        let A: Vec<f64> = (0..size * size).map(|k| entry(k % size, k / size)).collect();
        let x: Vec<f64> = (0..size).map(|k| (k as f64 + 0.5).cos()).collect();
        let (mut b, mut c) = (vec![0.0; size], vec![1.0; size]);
        add_product(&mut b, 1.0, &A, &x);
        add_transposed(&mut c, 2.0, &A, &x);
        assert!(b.iter().zip(&c).all(|(b, c)| (1.0 + 2.0 * b - c).abs() < 1e-13));
        let mut L = A.clone();
        assert!(factor(&mut L, size));
        forward(&L, &mut b);
        backward(&L, &mut b);
        assert!(x.iter().zip(&b).all(|(x, b)| (x - b).abs() < 1e-14), "{x:?} {b:?}");
        let mut bad = A;
        bad[3 * size + 3] = -1.0;
        assert!(!factor(&mut bad, size));
    }
}
