//! Orthonormal shapes: the nearest one, and derivatives through it.

use super::Random;
use crate::material::stiefel::{Polar, polar};
use nalgebra::DMatrix;

fn random(rows: usize, columns: usize, random: &mut Random) -> DMatrix<f64> {
    DMatrix::from_fn(rows, columns, |_, _| random.number())
}

fn misfit(S: &DMatrix<f64>) -> f64 {
    (S.tr_mul(S) - DMatrix::identity(S.ncols(), S.ncols())).amax()
}

#[test]
fn the_polar_factor_is_the_nearest_orthonormal_matrix() {
    let mut numbers = Random::new(3);
    let Y = random(9, 4, &mut numbers);
    let S = polar(&Y, &DMatrix::identity(9, 4));
    assert!(misfit(&S) < 1e-14, "{:e}", misfit(&S));
    let distance = (&S - &Y).norm();
    for _ in 0..200 {
        let other = polar(&(&S + random(9, 4, &mut numbers) * 0.1), &S);
        assert!((other - &Y).norm() >= distance);
    }
    assert!((Polar::new(Y).unwrap().S - S).amax() < 1e-12);
}

/// Poses fewer than shapes leave some shapes open: these stay what they were.
#[test]
fn what_a_matrix_leaves_open_is_taken_from_nearby() {
    let mut numbers = Random::new(5);
    let near = polar(&random(8, 3, &mut numbers), &DMatrix::identity(8, 3));
    let x = random(8, 1, &mut numbers);
    // One pose of one shape: that shape turns to it.
    let z = DMatrix::from_column_slice(3, 1, &[2.0, 0.0, 0.0]);
    let S = polar(&(&x * z.transpose()), &near);
    assert!(misfit(&S) < 1e-14);
    assert!((S.column(0).dot(&x.column(0)) - x.norm()).abs() < 1e-7 * x.norm());
    assert!(S.column(1).dot(&near.column(1)) > 0.5);
    assert_eq!(polar(&DMatrix::zeros(8, 3), &near), near);
}

#[test]
fn derivatives_through_the_polar_factor_are_those_of_differences() {
    let mut numbers = Random::new(7);
    let (Y, target) = (random(7, 3, &mut numbers), random(7, 3, &mut numbers));
    // V = Σ S³ T, as bent as any.
    let value = |Y: DMatrix<f64>| {
        let S = Polar::new(Y).unwrap().S;
        S.zip_map(&target, |s, t| s * s * s * t).sum()
    };
    let at = Polar::new(Y.clone()).unwrap();
    let slope = at.pull_back(&at.S.zip_map(&target, |s, t| 3.0 * s * s * t));
    for place in 0..Y.len() {
        let step = |h: f64| {
            let mut Y = Y.clone();
            Y[place] += h;
            value(Y)
        };
        let difference = (step(1e-5) - step(-1e-5)) / 2e-5;
        assert!((difference - slope[place]).abs() < 1e-8, "{difference} {}", slope[place]);
    }
}
