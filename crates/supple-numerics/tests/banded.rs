//! The banded solver against a dense one.

use faer::linalg::solvers::Solve;
use faer::{Mat, Side};
use supple_numerics::banded::{BlockBanded, Border, NotPositive};

/// Numbers between −1 and 1, the same in every run.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// A random matrix with a heavy diagonal, and the same one dense.
fn random(blocks: usize, size: usize, bandwidth: usize) -> (BlockBanded, Mat<f64>) {
    fill(BlockBanded::new(blocks, size, bandwidth))
}

fn fill(mut matrix: BlockBanded) -> (BlockBanded, Mat<f64>) {
    let mut noise = Noise(7);
    let (blocks, size, bandwidth) = (matrix.blocks(), matrix.size(), matrix.bandwidth());
    let mut dense = Mat::zeros(blocks * size, blocks * size);
    for i in 0..blocks {
        for j in i.saturating_sub(matrix.bandwidth())..=i {
            let mut block = matrix.block_mut(i, j);
            for c in 0..size {
                for r in if i == j { c } else { 0 }..size {
                    let heavy = if i == j && r == c { (2 * bandwidth + 1) as f64 * size as f64 } else { 0.0 };
                    block[(r, c)] = noise.next() + heavy;
                    dense[(i * size + r, j * size + c)] = block[(r, c)];
                    dense[(j * size + c, i * size + r)] = block[(r, c)];
                }
            }
        }
    }
    (matrix, dense)
}

#[test]
fn solves_as_a_dense_solver_does() {
    for (blocks, size, bandwidth) in [
        (1, 3, 2),
        (2, 4, 3),
        (9, 5, 2),
        (12, 7, 3),
        (6, 1, 1),
        (5, 4, 0),
        // From both ends.
        (12, 3, 2),
        (31, 5, 2),
        (24, 4, 3),
        (9, 6, 0),
    ] {
        let (mut matrix, dense) = random(blocks, size, bandwidth);
        let b: Vec<f64> = (0..blocks * size).map(|i| (i as f64).sin()).collect();
        let expected = dense.partial_piv_lu().solve(faer::Col::from_fn(b.len(), |i| b[i]));
        matrix.factor().unwrap();
        let mut x = b;
        matrix.solve(&mut x);
        for (a, b) in x.iter().zip(expected.iter()) {
            assert!((a - b).abs() < 1e-13, "{a} {b}");
        }
    }
}

/// A solver that goes on from any block (a feedback policy) reads L itself. It was given that of both ends once, and its
/// searches did not end any more.
#[test]
fn in_order_the_factor_is_that_of_a_dense_matrix() {
    let (blocks, size) = (31, 5);
    let (mut matrix, dense) = fill(BlockBanded::in_order(blocks, size, 2));
    let llt = dense.llt(Side::Lower).unwrap();
    matrix.factor().unwrap();
    for i in 0..blocks {
        for j in i.saturating_sub(2)..=i {
            let block = matrix.values(i, j);
            for (r, c) in (0..size).flat_map(|c| (if i == j { c } else { 0 }..size).map(move |r| (r, c))) {
                let expected = llt.L()[(i * size + r, j * size + c)];
                let found = block[c * size + r];
                assert!((found - expected).abs() < 1e-13, "{i} {j} {r} {c}: {found} {expected}");
            }
        }
    }
}

/// Both ends at once are the same as one after the other.
#[test]
fn one_and_two_threads_give_the_same_bits() {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let (mut matrix, _) = random(40, 6, 2);
            matrix.factor().unwrap();
            let mut x: Vec<f64> = (0..240).map(|i| (i as f64).sin()).collect();
            matrix.solve(&mut x);
            x.iter().map(|x| x.to_bits()).collect::<Vec<_>>()
        })
    };
    assert_eq!(on(1), on(2));
}

/// Places (positive corner) and multipliers (negative corner) together, groups that touch few blocks.
#[test]
fn a_border_solves_as_a_dense_solver_does() {
    let (blocks, size) = (40, 4);
    let (mut matrix, dense) = random(blocks, size, 2);
    let mut noise = Noise(3);
    let mut border = Border::new(size);
    let n = blocks * size;
    let mut whole = Mat::zeros(n + 8, n + 8);
    whole.as_mut().submatrix_mut(0, 0, n, n).copy_from(&dense);
    for (width, first, last, corner) in [(3, 0, 4, 5.0), (3, 17, 20, 5.0), (2, 3, 39, -0.1)] {
        let group = border.add(width);
        let at = border.start(group);
        for block in first..=last {
            let mut values = border.block_mut(group, block);
            for c in 0..width {
                for r in 0..size {
                    values[(r, c)] = noise.next();
                    whole[(block * size + r, n + at + c)] = values[(r, c)];
                    whole[(n + at + c, block * size + r)] = values[(r, c)];
                }
            }
        }
        for c in 0..width {
            border.corner_mut()[(at + c, at + c)] = corner;
            whole[(n + at + c, n + at + c)] = corner;
        }
    }
    let right: Vec<f64> = (0..n + 8).map(|i| (i as f64).cos()).collect();
    let expected = whole.partial_piv_lu().solve(faer::Col::from_fn(n + 8, |i| right[i]));
    matrix.factor().unwrap();
    border.factor(&matrix);
    let (mut x, mut y) = (right[..n].to_vec(), right[n..].to_vec());
    border.solve(&matrix, &mut x, &mut y);
    for (i, (a, b)) in x.iter().chain(&y).zip(expected.iter()).enumerate() {
        assert!((a - b).abs() < 1e-12 * (1.0 + b.abs()), "{i}: {a} {b}");
    }
}

#[test]
fn says_where_a_matrix_is_not_positive() {
    let (mut matrix, _) = random(6, 3, 2);
    matrix.block_mut(4, 4)[(1, 1)] = -100.0;
    assert_eq!(matrix.factor(), Err(NotPositive { block: 4 }));
    for block in [3, 14, 15, 25] {
        let (mut matrix, _) = random(30, 3, 2);
        matrix.block_mut(block, block)[(1, 1)] = -100.0;
        assert_eq!(matrix.factor(), Err(NotPositive { block }));
    }
}
