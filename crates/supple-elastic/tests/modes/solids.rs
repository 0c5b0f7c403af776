//! Modes of solids that are known from symmetry.

use crate::modes::{assert_certified, modes};
use nalgebra::{DMatrix, DVector};
use supple_elastic::{Law, Material, Solid};
use supple_mesh::{Vec3, shapes::box_mesh};

fn solid(size: Vec3, cells: [usize; 3], poisson: f64) -> Solid {
    let material = Material { law: Law::Linear, young: 1e6, poisson, density: 1000.0 };
    Solid::new(box_mesh(size, cells).unwrap(), material, &[]).unwrap()
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
