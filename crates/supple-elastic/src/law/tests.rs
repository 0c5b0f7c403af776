//! The laws one by one, against finite differences and against each other.

use super::{Lame, Linear, NeoHookean, Response, StVenantKirchhoff};
use nalgebra::Matrix3;
use supple_mesh::Vec3;

const SOFT: Lame = Lame { mu: 0.7, lambda: 1.9 };
/// A Poisson ratio close to −1.
const AUXETIC: Lame = Lame { mu: 0.7, lambda: -0.46 };
const STEP: f64 = 1e-5;
const PAIRS: [(usize, usize); 6] = [(0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2)];

fn gradients() -> [Vec3; 3] {
    [Vec3::new(0.8, -0.1, 0.2), Vec3::new(0.3, 1.1, -0.4), Vec3::new(-0.2, 0.5, 0.9)]
}

/// Rest, slightly, moderately and strongly deformed, flat, collapsed to a point, inverted.
fn displacement_gradients() -> [Matrix3<f64>; 7] {
    let mild = Matrix3::new(0.02, -0.01, 0.03, 0.01, 0.04, -0.02, 0.0, 0.03, -0.01);
    let strong = Matrix3::new(0.9, -0.7, 0.4, 1.2, -0.3, 0.8, -0.5, 0.6, 1.4);
    let flat = Matrix3::from_diagonal(&Vec3::new(0.1, 0.2, -1.0));
    let inverted = Matrix3::from_diagonal(&Vec3::new(0.1, -0.1, -2.3)) + mild;
    [Matrix3::zeros(), mild, mild * 10.0, strong, flat, -Matrix3::identity(), inverted]
}

fn check_derivatives<L: Response>(lame: Lame) {
    for H in displacement_gradients() {
        let response = L::at(&H, lame);
        let stress = response.stress();
        for r in 0..3 {
            for c in 0..3 {
                let energy = |step: f64| {
                    let mut H = H;
                    H[(r, c)] += step;
                    L::at(&H, lame).energy()
                };
                let difference = (energy(STEP) - energy(-STEP)) / (2.0 * STEP);
                let error = (difference - stress[(r, c)]).abs();
                assert!(error < 1e-8 * (1.0 + stress.norm()), "stress ({r}, {c}) is off by {error} at {H}");
            }
        }
        let g = gradients();
        let blocks = response.blocks(&g);
        for (i, j) in PAIRS {
            let block = blocks(i, j);
            for c in 0..3 {
                let traction = |step: f64| {
                    let mut dx = Vec3::zeros();
                    dx[c] = step;
                    L::at(&(H + dx * g[j].transpose()), lame).stress() * g[i]
                };
                let difference = (traction(STEP) - traction(-STEP)) / (2.0 * STEP);
                let error = (difference - block.column(c)).norm();
                assert!(error < 1e-8 * (1.0 + block.norm()), "K_{i}{j} column {c} is off by {error} at {H}");
            }
            assert!(i != j || block == block.transpose(), "K_{i}{j} is not symmetric");
        }
    }
}

#[test]
fn linear_derivatives_match_differences() {
    check_derivatives::<Linear>(SOFT);
    check_derivatives::<Linear>(AUXETIC);
}

#[test]
fn st_venant_kirchhoff_derivatives_match_differences() {
    check_derivatives::<StVenantKirchhoff>(SOFT);
    check_derivatives::<StVenantKirchhoff>(AUXETIC);
}

#[test]
fn neo_hookean_derivatives_match_differences() {
    check_derivatives::<NeoHookean>(SOFT);
    check_derivatives::<NeoHookean>(AUXETIC);
}

#[test]
fn neo_hookean_energy_is_the_published_one_less_its_value_at_rest() {
    for lame in [SOFT, AUXETIC] {
        let (mu, lambda) = (4.0 / 3.0 * lame.mu, lame.lambda + 5.0 / 6.0 * lame.mu);
        let alpha = 1.0 + mu / lambda - mu / (4.0 * lambda);
        let published = |H: &Matrix3<f64>| {
            let F = H + Matrix3::identity();
            let (stretch, volume) = ((F.transpose() * F).trace(), F.determinant());
            0.5 * mu * (stretch - 3.0) + 0.5 * lambda * (volume - alpha).powi(2)
                - 0.5 * mu * (stretch + 1.0).ln()
        };
        for H in displacement_gradients() {
            let expected = published(&H) - published(&Matrix3::zeros());
            let energy = NeoHookean::at(&H, lame).energy();
            assert!((energy - expected).abs() < 1e-13 * (1.0 + expected.abs()), "{energy} is not {expected}");
        }
    }
}

#[test]
fn neo_hookean_keeps_its_digits_near_rest() {
    // To leading order the energy is the linear one; the published form would lose all of it here.
    let H = displacement_gradients()[1] * 1e-7;
    let (energy, linear) = (NeoHookean::at(&H, SOFT).energy(), Linear::at(&H, SOFT).energy());
    assert!((energy / linear - 1.0).abs() < 1e-6, "{energy} against {linear}");
}

#[test]
fn all_laws_agree_at_rest() {
    let rest = Matrix3::zeros();
    let blocks = |law: &dyn Fn(usize, usize) -> Matrix3<f64>| PAIRS.map(|(i, j)| law(i, j));
    let expected = blocks(&Linear::at(&rest, SOFT).blocks(&gradients()));
    for found in [
        blocks(&StVenantKirchhoff::at(&rest, SOFT).blocks(&gradients())),
        blocks(&NeoHookean::at(&rest, SOFT).blocks(&gradients())),
    ] {
        for (block, expected) in found.iter().zip(&expected) {
            assert!((block - expected).norm() < 1e-14 * expected.norm());
        }
    }
}
