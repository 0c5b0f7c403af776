//! Force against differences of energy, stiffness against differences of force, for every kind of body.

use crate::bodies::samples::{affine, all, irregular_solid, largest, noise, rest, rotation};
use nalgebra::Matrix3;
use supple_elastic::{ElasticBody, FreeVertices, Law};
use supple_mesh::Vec3;

const STEP: f64 = 1e-6;

/// A name and a displacement; edges are about 0.5 long.
fn states(body: &ElasticBody) -> Vec<(&'static str, Vec<f64>)> {
    let turned = affine(body, &(rotation() * 1.2), &Vec3::new(0.3, 0.1, -0.2));
    let both = noise(body, 0.08, 3).iter().zip(&turned).map(|(a, b)| a + b).collect();
    // Projected along no edge: a spring pressed to a point has no derivatives.
    let along = Vec3::new(0.36, 0.48, 0.8);
    let flat = (Matrix3::identity() - along * along.transpose()) * 1.1;
    let inside_out = Matrix3::from_diagonal(&Vec3::new(1.0, 1.1, -0.8));
    vec![
        ("rest", rest(body)),
        ("moderate", noise(body, 0.04, 1)),
        ("strong", both),
        ("tangled", noise(body, 0.8, 2)),
        ("flat", affine(body, &flat, &Vec3::zeros())),
        ("inside out", affine(body, &inside_out, &Vec3::zeros())),
        ("folded", folded(body, 2.9)),
        ("folded the other way", folded(body, -3.1)),
    ]
}

/// Everything beyond x = 0.6 turned by `angle` about the line x = 0.6, z = 0.
fn folded(body: &ElasticBody, angle: f64) -> Vec<f64> {
    let turn = |x: &Vec3| {
        let out = x.x - 0.6;
        let turned =
            Vec3::new(out * angle.cos() - x.z * angle.sin(), 0.0, out * angle.sin() + x.z * angle.cos());
        if out > 0.0 { turned - Vec3::new(out, 0.0, x.z) } else { Vec3::zeros() }
    };
    body.positions().iter().flat_map(|x| turn(x).data.0[0]).collect()
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

fn stiffness(body: &ElasticBody, u: &[f64]) -> faer::Mat<f64> {
    let matrix = body.stiffness(u, &FreeVertices::all(body.positions().len()));
    let mut dense = matrix.to_dense();
    // Diagonal blocks are stored whole, and it is not taken for granted that they are symmetric.
    for v in 0..body.positions().len() {
        let block = matrix.block(v, v).unwrap();
        for (r, c) in (0..3).flat_map(|r| (0..3).map(move |c| (r, c))) {
            dense[(3 * v + r, 3 * v + c)] = block[r][c];
        }
    }
    dense
}

fn largest_entry(matrix: &faer::Mat<f64>) -> f64 {
    (0..matrix.ncols()).map(|j| largest(matrix.col_as_slice(j))).fold(0.0, f64::max)
}

#[test]
fn force_is_the_gradient_of_energy() {
    for (kind, body) in all(2) {
        let rest_stiffness = largest_entry(&stiffness(&body, &rest(&body)));
        for (state, u) in states(&body) {
            let force = body.force(&u);
            // Where forces vanish, what counts is how errors compare with those of a small displacement.
            let scale = largest(&force).max(1e-2 * rest_stiffness);
            for i in 0..u.len() {
                let expected = difference(&u, i, |u| vec![body.energy(u)])[0];
                let error = (force[i] - expected).abs() / scale;
                assert!(error < 1e-6, "{kind}, {state}: force {i} is off by {error}");
            }
        }
    }
}

#[test]
fn stiffness_is_the_derivative_of_force_and_symmetric() {
    for (kind, body) in all(2) {
        let rest_stiffness = largest_entry(&stiffness(&body, &rest(&body)));
        for (state, u) in states(&body) {
            let K = stiffness(&body, &u);
            let scale = largest_entry(&K).max(rest_stiffness);
            for i in 0..u.len() {
                let expected = difference(&u, i, |u| body.force(u));
                for j in 0..u.len() {
                    let error = (K[(j, i)] - expected[j]).abs() / scale;
                    assert!(error < 1e-6, "{kind}, {state}: entry ({j}, {i}) is off by {error}");
                    assert_eq!(K[(i, j)], K[(j, i)], "{kind}, {state}: entries ({i}, {j}) and ({j}, {i})");
                }
            }
        }
    }
}

#[test]
fn every_law_has_the_linear_stiffness_at_rest() {
    let stiffness = |law| {
        let solid = irregular_solid(2, law);
        solid.stiffness(&rest(&solid), &FreeVertices::all(27)).values().to_vec()
    };
    let linear = stiffness(Law::Linear);
    for law in [Law::StVenantKirchhoff, Law::NeoHookean] {
        let difference: Vec<f64> = stiffness(law).iter().zip(&linear).map(|(a, b)| a - b).collect();
        let error = largest(&difference) / largest(&linear);
        assert!(error < 1e-13, "{law:?} is off by {error}");
    }
}

#[test]
fn a_body_collapsed_to_a_point_a_line_or_a_plane_has_finite_numbers() {
    for (kind, body) in all(2) {
        for scale in [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1e-12, 1e-12, 1e-12]] {
            let u = affine(&body, &Matrix3::from_diagonal(&scale.into()), &Vec3::zeros());
            assert!(body.energy(&u).is_finite(), "{kind}, {scale:?}");
            assert!(body.force(&u).iter().all(|r| r.is_finite()), "{kind}, {scale:?}");
            assert!(largest_entry(&stiffness(&body, &u)).is_finite(), "{kind}, {scale:?}");
        }
    }
}

#[test]
fn neo_hookean_pushes_back_when_inside_out() {
    let solid = irregular_solid(2, Law::NeoHookean);
    // On the way from inside out back to rest through flat, the energy falls all the way.
    let energy = |z: f64| {
        solid.energy(&affine(&solid, &Matrix3::from_diagonal(&Vec3::new(1.0, 1.0, z)), &Vec3::zeros()))
    };
    let path: Vec<f64> = (-20..=20).map(|step| energy(f64::from(step) / 20.0)).collect();
    assert!(path.is_sorted_by(|a, b| a > b), "{path:?}");
}
