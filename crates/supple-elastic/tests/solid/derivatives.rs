//! Force against differences of energy, stiffness against differences of force.

use crate::bodies::{LAWS, affine, irregular_solid, largest, noise, rotation};
use nalgebra::Matrix3;
use supple_elastic::{FreeVertices, Law, Solid};
use supple_mesh::{TetMesh, Vec3};
use supple_numerics::sparse::BlockMatrix;

const STEP: f64 = 1e-6;

/// A name and a displacement; edges are about 0.5 long.
fn states(mesh: &TetMesh) -> Vec<(&'static str, Vec<f64>)> {
    let turned = affine(mesh, &(rotation() * 1.2), &Vec3::new(0.3, 0.1, -0.2));
    let both = noise(mesh, 0.08, 3).iter().zip(&turned).map(|(a, b)| a + b).collect();
    vec![
        ("rest", vec![0.0; 3 * mesh.positions().len()]),
        ("moderate", noise(mesh, 0.04, 1)),
        ("strong", both),
        ("tangled", noise(mesh, 0.8, 2)),
        ("flat", affine(mesh, &Matrix3::from_diagonal(&Vec3::new(1.0, 1.1, 0.0)), &Vec3::zeros())),
        ("a point", affine(mesh, &Matrix3::zeros(), &Vec3::zeros())),
        ("inside out", affine(mesh, &Matrix3::from_diagonal(&Vec3::new(1.0, 1.1, -0.8)), &Vec3::zeros())),
    ]
}

/// (f(u + h e_i) − f(u − h e_i)) / 2h, entry by entry.
fn difference(u: &[f64], i: usize, f: impl Fn(&[f64]) -> Vec<f64>) -> Vec<f64> {
    let at = |step: f64| {
        let mut u = u.to_vec();
        u[i] += step;
        f(&u)
    };
    at(STEP).iter().zip(&at(-STEP)).map(|(a, b)| (a - b) / (2.0 * STEP)).collect()
}

fn dense(matrix: &BlockMatrix) -> Vec<Vec<f64>> {
    let unit = |i: usize| (0..matrix.dim()).map(|k| f64::from(u8::from(k == i))).collect::<Vec<_>>();
    let column = |i| {
        let mut y = vec![0.0; matrix.dim()];
        matrix.mul(&unit(i), &mut y);
        y
    };
    (0..matrix.dim()).map(column).collect()
}

fn all_free(solid: &Solid) -> FreeVertices {
    FreeVertices::all(solid.mesh().positions().len())
}

fn rest_stiffness(solid: &Solid) -> f64 {
    let rest = vec![0.0; 3 * solid.mesh().positions().len()];
    largest(solid.stiffness(&rest, &all_free(solid)).values())
}

#[test]
fn force_is_the_gradient_of_energy() {
    for law in LAWS {
        let solid = irregular_solid(2, law);
        for (name, u) in states(solid.mesh()) {
            let force = solid.force(&u);
            // Where forces vanish, what counts is how errors compare with those of a small displacement.
            let scale = largest(&force).max(1e-2 * rest_stiffness(&solid));
            for i in 0..u.len() {
                let expected = difference(&u, i, |u| vec![solid.energy(u)])[0];
                let error = (force[i] - expected).abs() / scale;
                assert!(error < 1e-6, "{law:?}, {name}: force {i} is off by {error}");
            }
        }
    }
}

#[test]
fn stiffness_is_the_derivative_of_force_and_symmetric() {
    for law in LAWS {
        let solid = irregular_solid(2, law);
        for (name, u) in states(solid.mesh()) {
            let K = dense(&solid.stiffness(&u, &all_free(&solid)));
            // A solid collapsed to a point has no stiffness at all.
            let scale = K.iter().map(|column| largest(column)).fold(rest_stiffness(&solid), f64::max);
            for i in 0..u.len() {
                let expected = difference(&u, i, |u| solid.force(u));
                for j in 0..u.len() {
                    let error = (K[i][j] - expected[j]).abs() / scale;
                    assert!(error < 1e-6, "{law:?}, {name}: entry ({j}, {i}) is off by {error}");
                    assert_eq!(K[i][j], K[j][i], "{law:?}, {name}: entries ({i}, {j}) and ({j}, {i})");
                }
            }
        }
    }
}

#[test]
fn every_law_has_the_linear_stiffness_at_rest() {
    let stiffness = |law| {
        let solid = irregular_solid(2, law);
        solid.stiffness(&vec![0.0; 81], &all_free(&solid)).values().to_vec()
    };
    let linear = stiffness(Law::Linear);
    for law in [Law::StVenantKirchhoff, Law::NeoHookean] {
        let difference: Vec<f64> = stiffness(law).iter().zip(&linear).map(|(a, b)| a - b).collect();
        let error = largest(&difference) / largest(&linear);
        assert!(error < 1e-13, "{law:?} is off by {error}");
    }
}

#[test]
fn neo_hookean_stays_finite_and_pushes_back_when_inside_out() {
    let solid = irregular_solid(2, Law::NeoHookean);
    for (name, u) in states(solid.mesh()) {
        assert!(solid.energy(&u).is_finite(), "{name}");
        assert!(solid.force(&u).iter().all(|r| r.is_finite()), "{name}");
        let stiffness = solid.stiffness(&u, &all_free(&solid));
        assert!(stiffness.values().iter().all(|k| k.is_finite()), "{name}");
    }
    // On the way from inside out back to rest through flat, the energy falls all the way.
    let energy = |z: f64| {
        solid.energy(&affine(solid.mesh(), &Matrix3::from_diagonal(&Vec3::new(1.0, 1.0, z)), &Vec3::zeros()))
    };
    let path: Vec<f64> = (-20..=20).map(|step| energy(f64::from(step) / 20.0)).collect();
    assert!(path.is_sorted_by(|a, b| a > b), "{path:?}");
}
