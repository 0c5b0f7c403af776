//! What an elastic body must do, whatever its mesh.

use crate::bodies::samples::{
    LAWS, affine, all, irregular_solid, irregular_solids, largest, material, rest, rotation, turnable,
};
use nalgebra::Matrix3;
use supple_elastic::{ElasticBody, Law, Material, Solid};
use supple_mesh::Vec3;

fn volume(solid: &ElasticBody) -> f64 {
    let [low, high] = [0, solid.positions().len() - 1].map(|v| solid.positions()[v]);
    (high - low).product()
}

/// Whether a vertex lies inside the box.
fn inside(solid: &ElasticBody) -> Vec<bool> {
    let [low, high] = [0, solid.positions().len() - 1].map(|v| solid.positions()[v]);
    solid.positions().iter().map(|x| (0..3).all(|c| x[c] > low[c] && x[c] < high[c])).collect()
}

#[test]
fn rest_stores_and_exerts_nothing() {
    for (kind, body) in all(2) {
        assert_eq!(body.energy(&rest(&body)), 0.0, "{kind}");
        assert!(body.force(&rest(&body)).iter().all(|&r| r == 0.0), "{kind}");
    }
}

#[test]
fn rigid_motions_cost_nothing() {
    let shift = Vec3::new(5.0, -3.0, 2.0);
    for (kind, body) in turnable(2) {
        let stretched = affine(&body, &(rotation() * 1.1), &shift);
        let rigid = affine(&body, &rotation(), &shift);
        assert!(body.energy(&rigid).abs() < 1e-12 * body.energy(&stretched), "{kind}");
        assert!(largest(&body.force(&rigid)) < 1e-12 * largest(&body.force(&stretched)), "{kind}");
    }
}

#[test]
fn internal_forces_neither_push_nor_turn_the_body() {
    for (kind, body) in turnable(2) {
        let u = crate::bodies::samples::noise(&body, 0.1, 8);
        let force = body.force(&u);
        let now = body.positions().iter().zip(u.chunks_exact(3)).map(|(x, u)| x + Vec3::from_column_slice(u));
        let forces = force.chunks_exact(3).map(Vec3::from_column_slice);
        let (push, turn) = now
            .zip(forces)
            .fold((Vec3::zeros(), Vec3::zeros()), |(push, turn), (x, f)| (push + f, turn + x.cross(&f)));
        assert!(push.norm() + turn.norm() < 1e-11 * largest(&force), "{kind}: {push}, {turn}");
    }
}

#[test]
fn small_rigid_motions_cost_nothing_in_the_linear_law() {
    for solid in irregular_solids(2, Law::Linear) {
        let spin = Vec3::new(0.2, -0.4, 0.3).cross_matrix();
        let shift = Vec3::new(5.0, -3.0, 2.0);
        let rigid = affine(&solid, &(Matrix3::identity() + spin), &shift);
        let stretched = affine(&solid, &(Matrix3::identity() * 1.1), &shift);
        assert!(solid.energy(&rigid) < 1e-12 * solid.energy(&stretched));
        assert!(largest(&solid.force(&rigid)) < 1e-12 * largest(&solid.force(&stretched)));
    }
}

#[test]
fn patch_test_an_affine_map_is_in_equilibrium_inside() {
    for (law, solid) in LAWS.into_iter().flat_map(|law| irregular_solids(3, law).map(|s| (law, s))) {
        let F = Matrix3::new(1.1, 0.3, -0.1, 0.2, 0.8, 0.25, -0.3, 0.1, 1.2);
        let force = solid.force(&affine(&solid, &F, &Vec3::new(0.1, 0.2, 0.3)));
        let boundary = largest(&force);
        let inside = inside(&solid);
        assert_eq!(inside.iter().filter(|&&i| i).count(), 8);
        for v in (0..inside.len()).filter(|&v| inside[v]) {
            let error = largest(&force[3 * v..3 * v + 3]) / boundary;
            assert!(error < 1e-13, "{law:?}: vertex {v} feels {error}");
        }
    }
}

#[test]
fn stretching_has_the_closed_form_energy() {
    let young = material(Law::Linear).young;
    let poisson = material(Law::Linear).poisson;
    let close = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-12;
    let linear_and_green =
        irregular_solids(2, Law::Linear).into_iter().zip(irregular_solids(2, Law::StVenantKirchhoff));
    for (linear, green) in linear_and_green {
        let volume = volume(&linear);
        // A bar pulled lengthwise and free to thin: half of Young's modulus times strain squared.
        let e = 0.03;
        let bar = Vec3::new(1.0 + e, 1.0 - poisson * e, 1.0 - poisson * e);
        let u = affine(&linear, &Matrix3::from_diagonal(&bar), &Vec3::zeros());
        assert!(close(linear.energy(&u), volume * 0.5 * young * e * e));

        // The same holds for a large stretch, with the Green strain in place of the small one.
        let e = (1.8_f64.powi(2) - 1.0) / 2.0;
        let thin = (1.0 - 2.0 * poisson * e).sqrt();
        let u = affine(&green, &Matrix3::from_diagonal(&Vec3::new(1.8, thin, thin)), &Vec3::zeros());
        assert!(close(green.energy(&u), volume * 0.5 * young * e * e));
    }
}

#[test]
fn a_pulled_bar_exerts_youngs_modulus_on_its_ends_and_nothing_on_its_sides() {
    let solid = irregular_solid(2, Law::Linear);
    let (young, poisson, strain) = (material(Law::Linear).young, material(Law::Linear).poisson, 0.01);
    let bar = Vec3::new(1.0 + strain, 1.0 - poisson * strain, 1.0 - poisson * strain);
    let force = solid.force(&affine(&solid, &Matrix3::from_diagonal(&bar), &Vec3::zeros()));
    let pull: f64 = force
        .chunks_exact(3)
        .zip(solid.positions())
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
    for solid in irregular_solids(3, Law::Linear) {
        let total: f64 = solid.masses().iter().sum();
        assert!((total / (700.0 * volume(&solid)) - 1.0).abs() < 1e-13, "{total}");
        // Handing out each element's mass to its corners leaves its centre of mass where it is.
        let moment: Vec3 = solid.masses().iter().zip(solid.positions()).map(|(m, x)| x * *m).sum();
        assert!((moment / total - Vec3::new(1.75, 2.75, 3.75)).norm() < 1e-13);
    }
}

#[test]
fn elements_turned_inside_out_are_counted() {
    let material = Material { law: Law::NeoHookean, young: 1e5, poisson: 0.3, density: 1000.0 };
    let mesh = supple_mesh::shapes::box_mesh(Vec3::new(1.0, 1.0, 1.0), [2, 2, 2]).unwrap();
    let cells: Vec<[usize; 3]> = (0..8).map(|k| [k & 1, k >> 1 & 1, k >> 2]).collect();
    let voxels = supple_mesh::VoxelMesh::of_cells(Vec3::zeros(), Vec3::repeat(0.5), &cells).unwrap();
    let (tets, count) = (Solid::new(mesh.clone(), material, &[]).unwrap(), mesh.tets().len());
    let voxels = supple_elastic::Voxels::new(voxels, material, &[]).unwrap();
    for (body, count) in [(&tets as &ElasticBody, count), (&voxels, 8)] {
        let scaled = |s: f64| -> Vec<f64> {
            body.positions().iter().flat_map(|p| [(s - 1.0) * p.x, 0.3 * p.z, 0.0]).collect()
        };
        assert_eq!((body.inverted(&scaled(1.0)), body.inverted(&scaled(0.01))), (0, 0));
        assert_eq!((body.inverted(&scaled(0.0)), body.inverted(&scaled(-1.0))), (count, count));
    }
}
