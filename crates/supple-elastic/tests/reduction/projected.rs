//! Projected forces of every kind of body.

use crate::reduction::samples::{
    bent, between, check_derivatives, pose, pulled, reduced, square, states, whole,
};
use crate::statics::samples::{all, distance, largest};
use supple_elastic::ProjectedForces;
use supple_mesh::Vec3;
use supple_model::ReducedDynamics;

#[test]
fn forces_and_stiffness_are_those_of_the_whole_body_and_their_derivatives_right() {
    for (name, body) in all() {
        let chain = match name {
            "cloth" => pulled(&body, &[Vec3::zeros(), Vec3::new(0.0, 0.02, 0.0), Vec3::new(0.0, 0.01, 1.0)]),
            "springs" => pulled(&body, &[Vec3::zeros(), Vec3::new(0.0, 2.0, 0.0), Vec3::new(0.2, 0.3, 1.0)]),
            _ => bent(&body),
        };
        let basis = chain.basis();
        let forces = ProjectedForces::new(body.clone(), basis.clone());
        let r = basis.coordinates();
        let z: Vec<f64> = states(&basis, 2).iter().map(|z| 0.3 * z).collect();
        for z in z.chunks_exact(r) {
            let ((R, K), (own_R, own_K)) = (whole(&body, &basis, &pose(&basis, z)), reduced(&forces, z));
            let error = distance(&R, &own_R) / largest(&R);
            assert!(error < 1e-11, "{name}: R is off by {error}");
            let error = between(&K, &own_K) / K.norm_max();
            assert!(error < 1e-11, "{name}: K is off by {error}");
        }
        check_derivatives(&forces, &z[..r], name);
    }
}

#[test]
fn no_direction_has_no_curvature_and_states_do_not_mind_each_other() {
    let (_, body) = all().remove(2);
    let basis = bent(&body).basis();
    let forces = ProjectedForces::new(body, basis.clone());
    let r = basis.coordinates();
    let z = states(&basis, 3);
    let mut H = vec![f64::NAN; 3 * r * r];
    forces.curvature(&z, &vec![0.0; 3 * r], &mut H);
    assert!(H.iter().all(|h| *h == 0.0));
    let (mut R, mut K, mut only_R) = (vec![0.0; 3 * r], vec![0.0; 3 * r * r], vec![0.0; 3 * r]);
    forces.stiffness(&z, &mut R, &mut K);
    forces.force(&z, &mut only_R);
    assert_eq!(R, only_R);
    for k in 0..3 {
        let (own_R, own_K) = reduced(&forces, &z[k * r..(k + 1) * r]);
        assert_eq!(own_R, R[k * r..(k + 1) * r]);
        assert_eq!(own_K, square(&K[k * r * r..(k + 1) * r * r], r));
    }
}
