//! What an elastic solid must do, whatever its mesh.

use crate::bodies::{LAWS, affine, irregular_box, irregular_solid, largest, material, rotation};
use nalgebra::Matrix3;
use supple_elastic::{Law, Solid};
use supple_mesh::{TetMesh, Vec3};

fn volume(mesh: &TetMesh) -> f64 {
    let [low, high] = [0, mesh.positions().len() - 1].map(|v| mesh.positions()[v]);
    (high - low).product()
}

/// Whether a vertex lies inside the box.
fn inside(mesh: &TetMesh) -> Vec<bool> {
    let [low, high] = [0, mesh.positions().len() - 1].map(|v| mesh.positions()[v]);
    mesh.positions().iter().map(|x| (0..3).all(|c| x[c] > low[c] && x[c] < high[c])).collect()
}

#[test]
fn rest_stores_and_exerts_nothing() {
    for law in LAWS {
        let solid = irregular_solid(2, law);
        let u = vec![0.0; 81];
        assert_eq!(solid.energy(&u), 0.0, "{law:?}");
        assert!(solid.force(&u).iter().all(|&r| r == 0.0), "{law:?}");
    }
}

#[test]
fn rigid_motions_cost_nothing() {
    let shift = Vec3::new(5.0, -3.0, 2.0);
    for law in [Law::StVenantKirchhoff, Law::NeoHookean] {
        let solid = irregular_solid(2, law);
        let stretched = affine(solid.mesh(), &(rotation() * 1.1), &shift);
        let rigid = affine(solid.mesh(), &rotation(), &shift);
        assert!(solid.energy(&rigid).abs() < 1e-12 * solid.energy(&stretched), "{law:?}");
        assert!(largest(&solid.force(&rigid)) < 1e-12 * largest(&solid.force(&stretched)), "{law:?}");
    }
}

#[test]
fn small_rigid_motions_cost_nothing_in_the_linear_law() {
    let solid = irregular_solid(2, Law::Linear);
    let spin = Vec3::new(0.2, -0.4, 0.3).cross_matrix();
    let shift = Vec3::new(5.0, -3.0, 2.0);
    let rigid = affine(solid.mesh(), &(Matrix3::identity() + spin), &shift);
    let stretched = affine(solid.mesh(), &(Matrix3::identity() * 1.1), &shift);
    assert!(solid.energy(&rigid) < 1e-12 * solid.energy(&stretched));
    assert!(largest(&solid.force(&rigid)) < 1e-12 * largest(&solid.force(&stretched)));
}

#[test]
fn patch_test_an_affine_map_is_in_equilibrium_inside() {
    for law in LAWS {
        let solid = irregular_solid(3, law);
        let F = Matrix3::new(1.1, 0.3, -0.1, 0.2, 0.8, 0.25, -0.3, 0.1, 1.2);
        let force = solid.force(&affine(solid.mesh(), &F, &Vec3::new(0.1, 0.2, 0.3)));
        let boundary = largest(&force);
        let inside = inside(solid.mesh());
        assert_eq!(inside.iter().filter(|&&i| i).count(), 8);
        for v in (0..inside.len()).filter(|&v| inside[v]) {
            let error = largest(&force[3 * v..3 * v + 3]) / boundary;
            assert!(error < 1e-13, "{law:?}: vertex {v} feels {error}");
        }
        // Internal forces add up to nothing.
        for c in 0..3 {
            let sum: f64 = force.iter().skip(c).step_by(3).sum();
            assert!(sum.abs() < 1e-12 * boundary, "{law:?}: total force {sum}");
        }
    }
}

#[test]
fn stretching_has_the_closed_form_energy() {
    let young = material(Law::Linear).young;
    let poisson = material(Law::Linear).poisson;
    let [linear, green] = [Law::Linear, Law::StVenantKirchhoff].map(|law| irregular_solid(2, law));
    let volume = volume(linear.mesh());
    let close = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-12;

    // A bar pulled lengthwise and free to thin: half of Young's modulus times strain squared.
    let e = 0.03;
    let bar = Vec3::new(1.0 + e, 1.0 - poisson * e, 1.0 - poisson * e);
    let u = affine(linear.mesh(), &Matrix3::from_diagonal(&bar), &Vec3::zeros());
    assert!(close(linear.energy(&u), volume * 0.5 * young * e * e));

    // The same holds for a large stretch, with the Green strain in place of the small one.
    let e = (1.8_f64.powi(2) - 1.0) / 2.0;
    let thin = (1.0 - 2.0 * poisson * e).sqrt();
    let u = affine(green.mesh(), &Matrix3::from_diagonal(&Vec3::new(1.8, thin, thin)), &Vec3::zeros());
    assert!(close(green.energy(&u), volume * 0.5 * young * e * e));
}

#[test]
fn a_pulled_bar_exerts_youngs_modulus_on_its_ends_and_nothing_on_its_sides() {
    let solid = irregular_solid(2, Law::Linear);
    let (young, poisson, strain) = (material(Law::Linear).young, material(Law::Linear).poisson, 0.01);
    let bar = Vec3::new(1.0 + strain, 1.0 - poisson * strain, 1.0 - poisson * strain);
    let force = solid.force(&affine(solid.mesh(), &Matrix3::from_diagonal(&bar), &Vec3::zeros()));
    let pull: f64 = force
        .chunks_exact(3)
        .zip(solid.mesh().positions())
        .filter(|(_, x)| x.x == 2.0)
        .map(|(force, _)| force[0])
        .sum();
    // The end is 1 m × 1 m.
    assert!((pull / (young * strain) - 1.0).abs() < 1e-12, "{pull}");
    let sideways = force.chunks_exact(3).map(|f| f[1].abs().max(f[2].abs())).fold(0.0, f64::max);
    assert!(sideways < 1e-12 * pull, "{sideways}");
}

#[test]
fn mass_is_density_times_volume_and_balances() {
    let solid = Solid::new(irregular_box(3), material(Law::Linear), &[]).unwrap();
    let total: f64 = solid.masses().iter().sum();
    assert!((total / (700.0 * volume(solid.mesh())) - 1.0).abs() < 1e-13, "{total}");
    // A quarter of a tet's mass on each corner leaves its centre of mass where it is.
    let moment: Vec3 = solid.masses().iter().zip(solid.mesh().positions()).map(|(m, x)| x * *m).sum();
    assert!((moment / total - Vec3::new(1.75, 2.75, 3.75)).norm() < 1e-13);
}
