//! Non-negative least squares against all sets of columns there are, and what makes a minimum.

#![expect(non_snake_case, reason = "matrices keep their capital letters")]

use faer::Mat;
use faer::linalg::solvers::SolveLstsq;
use supple_model::Status;
use supple_numerics::nnls::{Nonnegative, nnls, nnls_from};

/// Random numbers in [−1, 1), the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 * f64::powi(2.0, -52) - 1.0
    }

    fn problem(&mut self, rows: usize, columns: usize) -> (Mat<f64>, Vec<f64>) {
        // Columns of any length.
        let lengths: Vec<f64> = (0..columns).map(|_| 10_f64.powf(3.0 * self.next())).collect();
        let A = Mat::from_fn(rows, columns, |_, j| lengths[j] * (self.next() + 0.4));
        let b = (0..rows).map(|_| self.next() + 0.5).collect();
        (A, b)
    }
}

fn residual(A: &Mat<f64>, b: &[f64], x: &[f64]) -> Vec<f64> {
    let row = |i: usize| b[i] - x.iter().enumerate().map(|(j, x)| A[(i, j)] * x).sum::<f64>();
    (0..b.len()).map(row).collect()
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// x ≥ 0, w ≤ 0, and w = 0 where x > 0.
fn check(A: &Mat<f64>, b: &[f64], found: &Nonnegative) {
    assert_eq!(found.status, Status::Settled);
    let left = residual(A, b, &found.x);
    assert!((norm(&left) - found.residual).abs() < 1e-12 * norm(b));
    for (j, x) in found.x.iter().enumerate() {
        let column: Vec<f64> = (0..b.len()).map(|i| A[(i, j)]).collect();
        let w: f64 = column.iter().zip(&left).map(|(a, r)| a * r).sum();
        let rounding = 1e-11 * norm(&column) * norm(b);
        assert!(*x >= 0.0 && w <= rounding, "{j}: {x} {w}");
        assert!(*x == 0.0 || w.abs() <= rounding, "{j}: {x} {w}");
    }
}

#[test]
fn it_is_the_best_of_all_sets_of_columns() {
    let mut random = Random(7);
    let mut bounded = 0;
    for case in 0..120 {
        let (rows, columns) = (1 + case % 9, 1 + case % 6);
        let (A, b) = random.problem(rows, columns);
        let found = nnls(A.as_ref(), &b);
        check(&A, &b, &found);
        let mut best = norm(&b);
        for set in 1..1_usize << columns {
            let chosen: Vec<usize> = (0..columns).filter(|j| set >> j & 1 == 1).collect();
            if chosen.len() > rows {
                continue;
            }
            let part = Mat::from_fn(rows, chosen.len(), |i, k| A[(i, chosen[k])]);
            let rhs = Mat::from_fn(rows, 1, |i, _| b[i]);
            let y = part.qr().solve_lstsq(&rhs);
            if (0..chosen.len()).all(|k| y[(k, 0)] >= 0.0) {
                let mut x = vec![0.0; columns];
                chosen.iter().enumerate().for_each(|(k, j)| x[*j] = y[(k, 0)]);
                best = best.min(norm(&residual(&A, &b, &x)));
            }
        }
        assert!((found.residual - best).abs() < 1e-12 * norm(&b), "{case}: {} {best}", found.residual);
        bounded += found.x.iter().filter(|x| **x == 0.0).count();
    }
    assert!(bounded > 50, "bounds that hold back: {bounded}");
}

#[test]
fn large_problems_end_where_nothing_leads_down() {
    let mut random = Random(11);
    for (rows, columns) in [(200, 40), (60, 60), (30, 80)] {
        let (A, b) = random.problem(rows, columns);
        let found = nnls(A.as_ref(), &b);
        check(&A, &b, &found);
        // From an answer it stays there, and from anywhere else it comes back.
        let again = nnls_from(A.as_ref(), &b, &found.x);
        check(&A, &b, &again);
        let elsewhere: Vec<f64> = (0..columns).map(|_| random.next()).collect();
        let other = nnls_from(A.as_ref(), &b, &elsewhere);
        check(&A, &b, &other);
        for answer in [again, other] {
            assert!((answer.residual - found.residual).abs() < 1e-12 * norm(&b));
        }
    }
}

#[test]
fn what_was_made_of_weights_gives_them_back() {
    let mut random = Random(13);
    let (A, _) = random.problem(40, 12);
    let x: Vec<f64> = (0..12).map(|j| if j % 3 == 0 { 0.0 } else { 1.0 + j as f64 }).collect();
    let b = residual(&A, &vec![0.0; 40], &x).iter().map(|b| -b).collect::<Vec<f64>>();
    let found = nnls(A.as_ref(), &b);
    assert!(found.residual < 1e-11 * norm(&b));
    found.x.iter().zip(&x).for_each(|(found, x)| assert!((found - x).abs() < 1e-8, "{found} {x}"));
}

#[test]
fn columns_that_repeat_others_or_are_nothing_do_no_harm() {
    let A = faer::mat![[1.0, 2.0, 0.0, -1.0], [1.0, 2.0, 0.0, -1.0], [0.0, 0.0, 0.0, 0.0]];
    let b = [3.0, 1.0, 1.0];
    let found = nnls(A.as_ref(), &b);
    check(&A, &b, &found);
    assert!((found.residual - 3.0_f64.sqrt()).abs() < 1e-15);
    check(&A, &b, &nnls_from(A.as_ref(), &b, &[1.0, 1.0, 1.0, 1.0]));
    let none = nnls(Mat::zeros(3, 0).as_ref(), &b);
    assert!(none.x.is_empty() && (none.residual - norm(&b)).abs() < 1e-15);
}

#[test]
fn numbers_that_are_none_are_said() {
    let A = faer::mat![[1.0, f64::NAN], [0.0, 1.0]];
    let found = nnls(A.as_ref(), &[1.0, 1.0]);
    assert_eq!((found.status, found.x), (Status::Stalled, vec![0.0, 0.0]));
    assert_eq!(nnls(faer::mat![[1.0]].as_ref(), &[f64::INFINITY]).status, Status::Stalled);
}
