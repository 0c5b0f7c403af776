//! Bases from key poses: what they hold, and what is wrong with what they are made of.

use crate::reduction::samples::{Chain, beam, bent, between, missing, pose, pulled, voxel_beam, whole};
use crate::statics::samples::{distance, largest, noise, springs};
use faer::Mat;
use supple_elastic::{
    Basis, FreeVertices, KeyBasis, KeyBasisError, KeyBasisReport, KeyBasisSettings, KeyPose, Law, Origin,
    OriginReport,
};
use supple_mesh::Vec3;
use supple_model::{Cancelled, Progress, VertexId};

/// |UᵀMU − I|.
fn orthonormality(chain: &Chain, basis: &KeyBasis) -> f64 {
    let U = basis.basis().shapes();
    let mass = |i: usize| chain.body.masses()[chain.free.vertices()[i / 3].index()];
    let MU = Mat::from_fn(U.nrows(), U.ncols(), |i, k| mass(i) * U[(i, k)]);
    (U.transpose() * MU - Mat::<f64>::identity(U.ncols(), U.ncols())).norm_max()
}

#[test]
fn keys_are_in_the_basis_which_is_orthonormal_and_turned_to_its_own_modes() {
    for body in [
        beam(Law::StVenantKirchhoff),
        voxel_beam(Law::NeoHookean),
        springs(Vec3::new(1.0, 0.3, 0.2), [4, 2, 1]),
    ] {
        let chain = match body.positions().len() {
            30 => pulled(&body, &[Vec3::zeros(), Vec3::y(), Vec3::z()]),
            _ => bent(&body),
        };
        let (basis, report) = chain.made(&KeyBasisSettings::default());
        assert!(orthonormality(&chain, &basis) < 1e-12 && report.orthonormality < 1e-12);
        assert_eq!((report.taken(Origin::Keys), report.taken(Origin::Tangents)), (2, 4));
        assert_eq!((basis.coordinates(), report.cut, report.poses.len(), report.arcs.len()), (6, 0, 3, 2));
        let size = largest(&chain.keys[0]);
        for (key, found) in [&chain.start, &chain.keys[0], &chain.keys[1]].into_iter().zip(&report.poses) {
            assert!(found.residual < 1e-12 * size && found.held_offset < 1e-15, "{found:?}");
            assert!(distance(&pose(&basis, &found.coordinates), key) < 1e-12 * size);
            assert!(!found.singular && found.negative_eigenvalues == 0, "{found:?}");
        }
        assert!(report.poses[0].coordinates.iter().all(|z| *z == 0.0));
        let (_, K) = whole(&body, &basis, &vec![0.0; chain.start.len()]);
        let squared = |k: usize| (report.frequencies[k] * std::f64::consts::TAU).powi(2);
        let diagonal = Mat::from_fn(6, 6, |i, j| if i == j { squared(i) } else { 0.0 });
        assert!(between(&K, &diagonal) < 1e-10 * K.norm_max());
        assert!(report.frequencies.is_sorted() && report.frequencies[0] > 0.0);
    }
}

#[test]
fn a_key_that_is_there_already_adds_nothing() {
    let mut chain = bent(&beam(Law::StVenantKirchhoff));
    // The motion goes back to the pose it began in, and up again.
    chain.keys = vec![chain.keys[0].clone(), chain.start.clone(), chain.keys[0].clone()];
    let (basis, report) = chain.made(&KeyBasisSettings::default());
    assert_eq!(report.origins[0], OriginReport { origin: Origin::Keys, given: 3, taken: 1 });
    // There and back are the same two tangents.
    assert_eq!(report.origins[1], OriginReport { origin: Origin::Tangents, given: 6, taken: 2 });
    assert_eq!(basis.coordinates(), 3);
    assert_eq!(report.poses[1].coordinates, report.poses[3].coordinates);
    assert!(report.poses.iter().all(|found| found.residual < 1e-12));
}

#[test]
fn velocities_and_forces_go_there_and_back() {
    let chain = bent(&beam(Law::StVenantKirchhoff));
    let carried = noise(chain.start.len(), 4);
    let kept = [carried.clone()];
    let (basis, report) = chain.made(&KeyBasisSettings { kept: &kept, ..KeyBasisSettings::default() });
    assert_eq!((report.taken(Origin::Kept), basis.coordinates()), (1, 7));
    let (z, loss) = basis.velocity_of(&carried);
    assert!(loss < 1e-24, "{loss}");
    let energy = |v: &[f64]| -> f64 {
        chain
            .free
            .vertices()
            .iter()
            .map(|n| {
                chain.body.masses()[n.index()] * (0..3).map(|c| v[3 * n.index() + c].powi(2)).sum::<f64>()
            })
            .sum()
    };
    let whole = energy(&carried);
    assert!((z.iter().map(|z| z * z).sum::<f64>() - whole).abs() < 1e-12 * whole);
    let (other, loss) = basis.velocity_of(&noise(chain.start.len(), 8));
    let left = 1.0 - other.iter().map(|z| z * z).sum::<f64>() / energy(&noise(chain.start.len(), 8));
    assert!(loss > 0.5 && (loss - left).abs() < 1e-10, "{loss} {left}");
    // UᵀM U w = w.
    let mut force = vec![f64::NAN; chain.start.len()];
    basis.spread_force(&z, &mut force);
    assert!(distance(&basis.force_of(&force), &z) < 1e-10 * largest(&z));
}

#[test]
fn a_basis_can_be_kept() {
    let chain = bent(&beam(Law::StVenantKirchhoff));
    let basis = chain.basis();
    let shapes = basis.basis().shapes().to_owned();
    let again = KeyBasis::from_parts(&chain.body, &chain.free, basis.start(), shapes.clone()).unwrap();
    assert_eq!(again.coordinates_of(&chain.keys[1]), basis.coordinates_of(&chain.keys[1]));
    let part =
        |start: &[f64], shapes: Mat<f64>| KeyBasis::from_parts(&chain.body, &chain.free, start, shapes);
    assert!(part(basis.start(), &shapes * 2.0).is_none());
    assert!(part(&basis.start()[3..], shapes.clone()).is_none());
    assert!(
        part(basis.start(), Mat::zeros(3, 6)).is_none()
            && part(&vec![f64::NAN; chain.start.len()], shapes).is_none()
    );
}

#[test]
fn a_pressed_key_is_told() {
    let mut chain = bent(&beam(Law::StVenantKirchhoff));
    let pressed = |x: &Vec3| [-0.2 * x.x, 0.0, 0.0];
    chain.keys[1] = chain.body.positions().iter().flat_map(pressed).collect();
    let (_, report) = chain.made(&KeyBasisSettings::default());
    assert!(report.poses[2].negative_eigenvalues > 0 && report.poses[1].negative_eigenvalues == 0);
}

#[test]
fn held_vertices_stay_where_the_motion_begins() {
    let mut chain = bent(&beam(Law::StVenantKirchhoff));
    let held = chain.body.positions().iter().position(|x| x.x == 0.0).unwrap();
    chain.keys[0][3 * held + 1] += 0.03;
    let (basis, report) = chain.made(&KeyBasisSettings::default());
    assert!((report.poses[1].held_offset - 0.03).abs() < 1e-15 && report.poses[2].held_offset == 0.0);
    let found = pose(&basis, &report.poses[1].coordinates);
    assert_eq!(found[3 * held + 1], chain.start[3 * held + 1]);
}

#[test]
fn what_is_wrong_is_named() {
    let chain = bent(&beam(Law::StVenantKirchhoff));
    let fields = |length: usize, value: f64| vec![vec![0.0; 3], vec![value; length]];
    let count = chain.start.len();
    let made = |start: &[f64], keys: &[KeyPose<'_>], settings: &KeyBasisSettings<'_>| {
        KeyBasis::new(&chain.body, &chain.free, start, keys, settings, &Progress::silent())
            .unwrap_err()
            .to_string()
    };
    let plain = KeyBasisSettings::default();
    let key = KeyPose { displacement: &chain.keys[0], load: None };
    let mut bad = chain.start.clone();
    bad[7] = f64::NAN;
    assert_eq!(made(&bad, &[key], &plain), "the pose the motion begins in has no finite value at vertex 2");
    let bad_load = KeyPose { load: Some(&bad), ..key };
    assert_eq!(
        made(&chain.start, &[key, bad_load], &plain),
        "the load of key 1 has no finite value at vertex 2"
    );
    let short = KeyPose { displacement: &chain.start[..6], load: None };
    let text = format!("key 0 must have {count} numbers, three per vertex, got 6");
    assert_eq!(made(&chain.start, &[short], &plain), text);
    let recorded = fields(count, 0.0);
    let text = format!("recorded pose 0 must have {count} numbers, three per vertex, got 3");
    assert_eq!(made(&chain.start, &[key], &KeyBasisSettings { recorded: &recorded, ..plain.clone() }), text);
    let kept = [chain.start.clone(), bad.clone()];
    let text = "kept field 1 has no finite value at vertex 2";
    assert_eq!(made(&chain.start, &[key], &KeyBasisSettings { kept: &kept, ..plain.clone() }), text);
    let other = Basis::new(Mat::zeros(9, 1), FreeVertices::except(4, &[VertexId(0)]).unwrap());
    let text = format!("the modes are of a body with 4 vertices, but this one has {}", count / 3);
    assert_eq!(made(&chain.start, &[key], &KeyBasisSettings { modes: Some(&other), ..plain.clone() }), text);
    let same = KeyPose { displacement: &chain.start, load: None };
    assert!(made(&chain.start, &[same], &plain).contains("nothing else to move along"));
    assert!(made(&chain.start, &[], &plain).contains("nothing else to move along"));
}

#[test]
fn cancelling_ends_it() {
    let chain = bent(&beam(Law::StVenantKirchhoff));
    let progress = Progress::silent();
    progress.cancel();
    let key = KeyPose { displacement: &chain.keys[0], load: None };
    let made: Result<(KeyBasis, KeyBasisReport), _> = KeyBasis::new(
        &chain.body,
        &chain.free,
        &chain.start,
        &[key],
        &KeyBasisSettings { samples: 3, ..KeyBasisSettings::default() },
        &progress,
    );
    assert_eq!(made.err(), Some(KeyBasisError::Cancelled(Cancelled)));
}

#[test]
fn a_field_that_is_no_combination_is_missed() {
    let basis = bent(&beam(Law::StVenantKirchhoff)).basis();
    assert!(missing(&basis, &noise(basis.start().len(), 2)) > 0.5);
}
