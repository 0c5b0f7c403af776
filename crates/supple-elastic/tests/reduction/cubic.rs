//! Polynomials against the projected forces of the whole body.

use crate::reduction::samples::{
    beam, bent, between, check_derivatives, curvature, pose, reduced, square, states, voxel_beam, whole,
};
use crate::statics::samples::{distance, largest, noise};
use std::sync::Arc;
use supple_elastic::{CubicForces, ElasticBody, Law, reduced_forces};
use supple_model::{Cancelled, Progress, ReducedDynamics};

fn bodies() -> Vec<(String, Arc<ElasticBody>)> {
    let laws = [Law::StVenantKirchhoff, Law::Linear];
    let of =
        |law: Law| [(format!("tets, {law:?}"), beam(law)), (format!("voxels, {law:?}"), voxel_beam(law))];
    laws.into_iter().flat_map(of).collect()
}

#[test]
fn forces_stiffness_and_curvature_are_those_of_the_whole_body() {
    for (name, body) in bodies() {
        let basis = bent(&body).basis();
        let forces = CubicForces::new(&body, &basis, &Progress::silent()).unwrap().unwrap();
        let r = basis.coordinates();
        for z in states(&basis, 3).chunks_exact(r).chain([&vec![0.0; r][..]]) {
            let ((R, K), (own_R, own_K)) = (whole(&body, &basis, &pose(&basis, z)), reduced(&forces, z));
            let error = distance(&R, &own_R) / largest(&R);
            assert!(error < 1e-10, "{name}: R is off by {error}");
            let error = between(&K, &own_K) / K.norm_max();
            assert!(error < 1e-10, "{name}: K is off by {error}");
            // K is of second degree, so that its difference along λ is exact at any distance.
            let lambda: Vec<f64> = noise(r, 3).iter().zip(z).map(|(l, z)| 0.1 * l + z).collect();
            let moved = |sign: f64| {
                let z: Vec<f64> = z.iter().zip(&lambda).map(|(z, l)| z + sign * l).collect();
                whole(&body, &basis, &pose(&basis, &z)).1
            };
            let H = (moved(1.0) - moved(-1.0)) * 0.5;
            let error = between(&H, &curvature(&forces, z, &lambda)) / K.norm_max();
            assert!(error < 1e-10, "{name}: the curvature is off by {error}");
        }
    }
}

#[test]
fn derivatives_are_those_of_differences() {
    for (name, body) in bodies() {
        let basis = bent(&body).basis();
        let forces = CubicForces::new(&body, &basis, &Progress::silent()).unwrap().unwrap();
        check_derivatives(&forces, &states(&basis, 1), &name);
    }
}

#[test]
fn a_state_has_the_same_bits_in_any_company() {
    let body = beam(Law::StVenantKirchhoff);
    let basis = bent(&body).basis();
    let forces = CubicForces::new(&body, &basis, &Progress::silent()).unwrap().unwrap();
    let r = basis.coordinates();
    let count = 23;
    let (z, lambda) = (states(&basis, count), noise(r * count, 9));
    let (mut R, mut only_R) = (vec![0.0; r * count], vec![0.0; r * count]);
    let (mut K, mut H) = (vec![0.0; r * r * count], vec![0.0; r * r * count]);
    forces.stiffness(&z, &mut R, &mut K);
    forces.force(&z, &mut only_R);
    forces.curvature(&z, &lambda, &mut H);
    assert_eq!(R, only_R);
    for k in 0..count {
        let (z, lambda) = (&z[k * r..(k + 1) * r], &lambda[k * r..(k + 1) * r]);
        let (own_R, own_K) = reduced(&forces, z);
        assert_eq!(own_R, R[k * r..(k + 1) * r]);
        let of = |all: &[f64]| square(&all[k * r * r..(k + 1) * r * r], r);
        assert_eq!(own_K, of(&K));
        assert_eq!(curvature(&forces, z, lambda), of(&H));
    }
}

#[test]
fn coefficients_can_be_kept() {
    for (name, body) in bodies() {
        let basis = bent(&body).basis();
        let forces = CubicForces::new(&body, &basis, &Progress::silent()).unwrap().unwrap();
        let (r, kept) = (basis.coordinates(), forces.coefficients().to_vec());
        let again = CubicForces::from_coefficients(r, kept.clone()).unwrap();
        let z = states(&basis, 1);
        assert_eq!(reduced(&forces, &z), reduced(&again, &z), "{name}");
        assert!(CubicForces::from_coefficients(r, kept[1..].to_vec()).is_none());
        assert!(CubicForces::from_coefficients(r + 1, kept.clone()).is_none());
        assert!(CubicForces::from_coefficients(0, Vec::new()).is_none());
        let mut broken = kept;
        broken[3] = f64::NAN;
        assert!(CubicForces::from_coefficients(r, broken).is_none());
    }
}

#[test]
fn other_bodies_have_no_polynomials_and_are_projected() {
    let body = beam(Law::NeoHookean);
    let basis = bent(&body).basis();
    assert!(!CubicForces::fits(&body) && CubicForces::fits(&voxel_beam(Law::Linear)));
    assert!(CubicForces::new(&body, &basis, &Progress::silent()).unwrap().is_none());
    let forces = reduced_forces(&body, &basis, &Progress::silent()).unwrap();
    assert_eq!(forces.coordinates(), basis.coordinates());
}

#[test]
fn making_them_can_be_cancelled() {
    let body = beam(Law::StVenantKirchhoff);
    let basis = bent(&body).basis();
    let progress = Progress::silent();
    progress.cancel();
    assert_eq!(CubicForces::new(&body, &basis, &progress).err(), Some(Cancelled));
    assert_eq!(reduced_forces(&body, &basis, &progress).err(), Some(Cancelled));
}
