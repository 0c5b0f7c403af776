//! Factorizations against products with the matrix, and counts against closed-form spectra.

use faer::Mat;
use std::f64::consts::PI;
use std::sync::Arc;
use supple_numerics::sparse::{Assembly, BlockMatrix, Cholesky, FactorError, Ldlt, Symbolic};

/// A grid of n×n vertices, each tied to its neighbours and with `ground` to the ground.
fn grid(n: usize, ground: f64) -> (BlockMatrix, Vec<[f64; 3]>) {
    let mut springs = Vec::new();
    let mut positions = Vec::new();
    for y in 0..n {
        for x in 0..n {
            positions.push([x as f64, y as f64, 0.0]);
            if x + 1 < n {
                springs.push([Some(x + n * y), Some(x + 1 + n * y)]);
            }
            if y + 1 < n {
                springs.push([Some(x + n * y), Some(x + n * (y + 1))]);
            }
        }
    }
    let diagonal = |v: f64| std::array::from_fn(|r| std::array::from_fn(|c| if r == c { v } else { 0.0 }));
    // Every vertex is grounded once, through the spring it comes first in; the last through none.
    let mut grounded = vec![false; n * n];
    let mut blocks: Vec<[[f64; 3]; 3]> = Vec::new();
    for [a, b] in springs.iter().map(|s| s.map(Option::unwrap)) {
        let mut extra = |v: usize| if std::mem::replace(&mut grounded[v], true) { 0.0 } else { ground };
        let (at_a, at_b) = (extra(a), extra(b));
        blocks.extend([diagonal(1.0 + at_a), diagonal(-1.0), diagonal(1.0 + at_b)]);
    }
    let assembly = Assembly::new(n * n, springs.iter());
    let mut matrix = assembly.zeros();
    assembly.sum(&blocks, &mut matrix);
    (matrix, positions)
}

fn residual(matrix: &BlockMatrix, x: &[f64], b: &[f64]) -> f64 {
    let mut ax = vec![0.0; b.len()];
    matrix.mul(x, &mut ax);
    ax.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn both_factorizations_invert_the_matrix_under_either_ordering() {
    let (matrix, positions) = grid(20, 0.1);
    for positions in [None, Some(positions.as_slice())] {
        let symbolic = Arc::new(Symbolic::new(matrix.pattern(), positions).unwrap());
        let b = Mat::from_fn(matrix.dim(), 5, |i, j| ((7 * i + 3 * j) % 11) as f64 - 5.0);
        let (mut x, mut y) = (b.clone(), b.clone());
        Cholesky::new(symbolic.clone(), &matrix).unwrap().solve(x.as_mut());
        Ldlt::new(symbolic, &matrix).unwrap().solve(y.as_mut());
        for j in 0..5 {
            assert!(residual(&matrix, x.col_as_slice(j), b.col_as_slice(j)) < 1e-11);
            assert!(residual(&matrix, y.col_as_slice(j), b.col_as_slice(j)) < 1e-11);
        }
    }
}

#[test]
fn a_factor_takes_another_matrix_also_after_one_it_refused() {
    let (matrix, _) = grid(8, 0.1);
    let (indefinite, _) = grid(8, -0.1);
    let symbolic = Arc::new(Symbolic::new(matrix.pattern(), None).unwrap());
    let mut factor = Cholesky::new(symbolic, &matrix).unwrap();
    let mut same_pattern = matrix.clone();
    same_pattern.add_diagonal(&vec![-0.2; matrix.dim()]);
    assert!(factor.refactor(&same_pattern).is_err());
    assert!(factor.refactor(&indefinite).is_err());
    same_pattern.add_diagonal(&vec![1.2; matrix.dim()]);
    factor.refactor(&same_pattern).unwrap();
    let b: Vec<f64> = (0..matrix.dim()).map(|i| (i % 7) as f64).collect();
    let mut x = b.clone();
    factor.solve_one(&mut x);
    assert!(residual(&same_pattern, &x, &b) < 1e-12);
}

#[test]
fn dissection_beats_minimum_degree_on_a_bulky_grid_or_is_not_used() {
    let (matrix, positions) = grid(60, 0.1);
    let without = Symbolic::new(matrix.pattern(), None).unwrap().factor_len();
    let with = Symbolic::new(matrix.pattern(), Some(&positions)).unwrap().factor_len();
    assert!(with <= without);
    assert!(without < 9 * 3600 * 60 / 2, "far below the band of the natural order: {without}");
}

#[test]
fn inertia_counts_negative_eigenvalues() {
    // Grounding shifts the spectrum 4 sin² + 4 sin² of the free grid, each eigenvalue threefold.
    let n = 12;
    let line = || (0..n).map(|m| 4.0 * (PI * m as f64 / (2 * n) as f64).sin().powi(2));
    for shift in [0.05, 0.5, 1.7, 4.1, 8.5] {
        let (matrix, _) = grid(n, -shift);
        let expected = 3 * line().flat_map(|a| line().map(move |b| a + b)).filter(|v| *v < shift).count();
        let symbolic = Arc::new(Symbolic::new(matrix.pattern(), None).unwrap());
        let factor = Ldlt::new(symbolic.clone(), &matrix).unwrap();
        assert_eq!(factor.negative_eigenvalues(), expected, "below {shift}");
        let error = Cholesky::new(symbolic, &matrix).unwrap_err();
        assert!(matches!(error, FactorError::NotPositiveDefinite { row } if row < matrix.dim()));
    }
}
