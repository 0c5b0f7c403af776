//! Modes of solids against beam theory, exact symmetries and rigid motions.

#![expect(clippy::unwrap_used, reason = "a step that fails is a test that fails")]

use nalgebra::{DMatrix, DVector};
use std::f64::consts::PI;
use supple_elastic::{FreeVertices, Law, Material, Modes, Solid};
use supple_mesh::{Vec3, shapes::box_mesh};
use supple_model::{Progress, VertexId};

fn solid(size: Vec3, cells: [usize; 3], poisson: f64) -> Solid {
    let material = Material { law: Law::Linear, young: 1e6, poisson, density: 1000.0 };
    Solid::new(box_mesh(size, cells).unwrap(), material, &[]).unwrap()
}

fn modes(solid: &Solid, anchored: impl Fn(&Vec3) -> bool, count: usize) -> Modes {
    let positions = solid.mesh().positions();
    let anchors: Vec<VertexId> =
        (0..positions.len()).filter(|&v| anchored(&positions[v])).map(VertexId::new).collect();
    let free = FreeVertices::except(positions.len(), &anchors).unwrap();
    solid.modes(&free, count, &Progress::silent()).unwrap()
}

fn assert_certified(modes: &Modes) {
    let certificate = modes.certificate();
    assert!(certificate.residuals.iter().all(|r| *r <= 1e-8), "{:?}", certificate.residuals);
    assert!(certificate.orthonormality <= 1e-8);
    assert_eq!(certificate.found, certificate.counted);
}

/// The share of a mode's motion (mass-weighted) along one axis.
fn share_along(modes: &Modes, k: usize, axis: usize) -> f64 {
    let shape = modes.shapes().col(k);
    let along: f64 = (axis..shape.nrows()).step_by(3).map(|i| shape[i] * shape[i]).sum();
    along / (0..shape.nrows()).map(|i| shape[i] * shape[i]).sum::<f64>()
}

#[test]
fn a_cantilever_vibrates_as_euler_and_bernoulli_say() {
    // ω_k = (β_k L)² √(E I / (ρ A L⁴)), cos(βL) cosh(βL) = −1. Poisson's ratio 0 takes the plate
    // effects out of the comparison; the beam is flat, so bending along y is the softest. Linear tets
    // are a little stiff in bending, shear makes the third mode a little soft.
    let (length, height, depth) = (1.0, 1.0 / 15.0, 0.08);
    let solid = solid(Vec3::new(length, height, depth), [100, 10, 10], 0.0);
    let modes = modes(&solid, |p| p.x == 0.0, 8);
    assert_certified(&modes);
    let root = (1e6 * height * height / 12.0 / (1000.0 * length.powi(4))).sqrt();
    let bending: Vec<f64> =
        (0..8).filter(|&k| share_along(&modes, k, 1) > 0.9).map(|k| modes.frequency(k)).take(3).collect();
    for (frequency, beta) in bending.iter().zip([1.875_104_068_7, 4.694_091_133, 7.854_757_438_2]) {
        let expected = beta * beta * root / (2.0 * PI);
        assert!((frequency / expected - 1.0).abs() < 0.03, "{frequency} Hz, theory {expected} Hz");
    }
    assert_eq!(bending.len(), 3);
}

#[test]
fn a_floating_body_has_six_rigid_modes_and_they_are_flagged() {
    let solid = solid(Vec3::new(1.0, 0.7, 0.4), [8, 6, 4], 0.3);
    let modes = modes(&solid, |_| false, 20);
    assert_certified(&modes);
    assert_eq!(modes.rigid(), 6);
    assert!(modes.frequency(6) > 1.0);
    for k in 0..6 {
        assert!(deformation(&solid, &modes.displacement(k)) < 1e-9, "mode {k}");
    }
    assert!(deformation(&solid, &modes.displacement(6)) > 0.5);
}

/// What is left of a displacement, of its length, after the best translation and small rotation
/// u = t + w × x is taken away.
fn deformation(solid: &Solid, u: &[f64]) -> f64 {
    let n = u.len();
    let motions = DMatrix::from_fn(n, 6, |i, k| {
        let (p, axis) = (solid.mesh().positions()[i / 3], i % 3);
        let mut direction = Vec3::zeros();
        direction[k % 3] = 1.0;
        if k < 3 { direction[axis] } else { direction.cross(&p)[axis] }
    });
    let u = DVector::from_row_slice(u);
    let q = motions.qr().q();
    (&u - &q * (q.transpose() * &u)).norm() / u.norm()
}

#[test]
fn a_cube_has_its_double_modes_twice() {
    // The lattice of tets turns into itself under every exchange of axes, a group with a
    // two-dimensional representation: some modes come in exact pairs, and both must be there.
    let solid = solid(Vec3::repeat(1.0), [7, 7, 7], 0.3);
    let modes = modes(&solid, |_| false, 40);
    assert_certified(&modes);
    let pairs = modes.eigenvalues()[6..].windows(2).filter(|w| w[1] - w[0] < 1e-9 * w[1]).count();
    assert!(pairs >= 8, "{pairs} pairs");
    assert!((modes.eigenvalues()[7] / modes.eigenvalues()[6] - 1.0).abs() < 1e-9);
}

#[test]
fn fewer_modes_are_the_first_of_more() {
    let solid = solid(Vec3::new(1.0, 0.2, 0.3), [10, 2, 3], 0.3);
    let many = modes(&solid, |p| p.x == 0.0, 30);
    let few = many.clone().truncated(10);
    assert_eq!(few.count(), 10);
    assert_eq!(few.eigenvalues(), &many.eigenvalues()[..10]);
    assert!(few.shapes() == many.shapes().subcols(0, 10));
    assert_eq!(few.certificate().residuals.len(), 10);
}
