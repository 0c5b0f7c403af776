//! What else a basis may have: samples of arcs, modes, recorded poses; and what stays when it is cut.

use crate::reduction::samples::{Chain, beam, bent, missing, pulled};
use crate::statics::samples::{at, load_on, material, noise, poser, solved, tets};
use supple_elastic::{Basis, FreeVertices, KeyBasisSettings, Law, Origin};
use supple_mesh::Vec3;
use supple_model::Progress;

fn modes(chain: &Chain, count: usize) -> Basis {
    Basis::of(chain.body.modes(&chain.free, count, &Progress::silent()).unwrap())
}

#[test]
fn samples_are_static_poses_under_loads_in_between() {
    // So far apart that tangents alone are not enough.
    let forces = [[0.0, -30.0, 0.0], [0.0, 40.0, 0.0], [5.0, 10.0, 40.0]].map(Vec3::from);
    let chain = pulled(&beam(Law::StVenantKirchhoff), &forces);
    let settings = KeyBasisSettings { samples: 2, ..Default::default() };
    let (basis, report) = chain.made(&settings);
    assert_eq!((report.taken(Origin::Samples), basis.coordinates()), (4, 10));
    assert!(report.arcs.iter().all(|arc| arc.missing_samples == 0));
    let mut poser = poser(&chain.body, |p| p.x == 0.0);
    for arc in 0..2 {
        let loads = chain.loads[arc].iter().zip(&chain.loads[arc + 1]);
        let load: Vec<f64> = loads.map(|(a, b)| a + (b - a) / 3.0).collect();
        solved(&mut poser, &load);
        let offset: Vec<f64> = poser.pose().iter().zip(&chain.start).map(|(q, q0)| q - q0).collect();
        assert!(missing(&basis, &offset) < 1e-7, "{}", missing(&basis, &offset));
        assert!(missing(&chain.basis(), &offset) > 1e-4);
    }
}

#[test]
fn modes_of_other_anchors_are_taken_where_vertices_are_free() {
    let chain = bent(&beam(Law::StVenantKirchhoff));
    let count = chain.body.positions().len();
    let both = FreeVertices::except(count, &at(&chain.body, |p| p.x == 0.0 || p.x == 1.0)).unwrap();
    let other = Basis::of(chain.body.modes(&both, 3, &Progress::silent()).unwrap());
    let (basis, report) = chain.made(&KeyBasisSettings { modes: Some(&other), ..Default::default() });
    assert_eq!((report.taken(Origin::Modes), basis.coordinates()), (3, 9));
    let mut shape = vec![0.0; 3 * count];
    other.displacement(&[1.0, 0.0, 0.0], &mut shape);
    assert!(missing(&basis, &shape) < 1e-10);
}

/// Nothing is missing from a basis with every mode.
#[test]
fn all_modes_are_a_complete_basis() {
    let body = tets(Vec3::new(1.0, 0.3, 0.3), [2, 1, 1], material(Law::NeoHookean));
    let chain = pulled(&body, &[Vec3::zeros(), Vec3::new(0.0, 5.0, 0.0)]);
    let all = 3 * chain.free.vertices().len();
    let modes = modes(&chain, all);
    let (basis, report) = chain.made(&KeyBasisSettings { modes: Some(&modes), ..Default::default() });
    assert_eq!(basis.coordinates(), all);
    assert!(report.orthonormality < 1e-12, "{}", report.orthonormality);
    let mut field = vec![0.0; chain.start.len()];
    chain.free.scatter(&noise(all, 6), &mut field);
    assert!(missing(&basis, &field) < 1e-10);
}

#[test]
fn recorded_poses_give_their_principal_components() {
    let chain = bent(&beam(Law::StVenantKirchhoff));
    // Two shapes, far and near, in twenty poses.
    let mut poser = poser(&chain.body, |p| p.x == 0.0);
    let end = at(&chain.body, |p| p.x == 1.0 && p.y == 0.0);
    let mut shapes = Vec::new();
    for force in [Vec3::new(0.0, 0.0, -3.0), Vec3::new(-4.0, 0.0, 0.0)] {
        solved(&mut poser, &load_on(&chain.body, &end, force));
        shapes.push(poser.pose().to_vec());
    }
    let pose = |k: usize| -> Vec<f64> {
        let (a, b) = ((k as f64 * 0.3).sin(), 0.3 * (k as f64 * 0.7).cos());
        (0..chain.start.len()).map(|i| chain.start[i] + a * shapes[0][i] + b * shapes[1][i]).collect()
    };
    let recorded: Vec<Vec<f64>> = (0..20).map(pose).collect();
    let settings = KeyBasisSettings { recorded: &recorded, ..Default::default() };
    let (basis, report) = chain.made(&settings);
    assert_eq!((report.taken(Origin::Recorded), basis.coordinates()), (2, 8));
    let (one, report) = chain.made(&KeyBasisSettings { recorded_size: 1, ..settings });
    assert_eq!((report.taken(Origin::Recorded), one.coordinates()), (1, 7));
    let left = |basis: &supple_elastic::KeyBasis| -> f64 {
        recorded.iter().map(|pose| basis.coordinates_of(pose).1).fold(0.0, f64::max)
    };
    assert!(left(&basis) < 1e-12 && left(&one) > 1e-4 && left(&one) < left(&chain.basis()));
}

#[test]
fn cutting_to_a_size_keeps_keys_and_what_matters_most() {
    let chain = bent(&beam(Law::StVenantKirchhoff));
    let kept = [noise(chain.start.len(), 3)];
    let modes = modes(&chain, 6);
    let settings = KeyBasisSettings { modes: Some(&modes), kept: &kept, samples: 1, ..Default::default() };
    let (_, whole) = chain.made(&settings);
    let all: usize = whole.origins.iter().map(|origin| origin.taken).sum();
    assert_eq!((all, whole.cut, whole.singular_values.len()), (15, 0, 0));
    for size in [8, 5] {
        let (basis, report) = chain.made(&KeyBasisSettings { size: Some(size), ..settings.clone() });
        assert_eq!((basis.coordinates(), report.cut), (size, all - size));
        assert!(report.orthonormality < 1e-12);
        assert!(report.poses.iter().all(|found| found.residual < 1e-12), "{:?}", report.poses);
        assert!(basis.velocity_of(&kept[0]).1 < 1e-20);
        let singular = &report.singular_values;
        assert!(singular.len() == 12 && singular.is_sorted_by(|a, b| a >= b) && singular[0] > 0.0);
    }
    // Keys are more than is asked for.
    let (basis, report) = chain.made(&KeyBasisSettings { size: Some(1), ..settings.clone() });
    assert_eq!((basis.coordinates(), report.cut), (3, all - 3));
    // Nothing is cut where it is small enough.
    let (basis, report) = chain.made(&KeyBasisSettings { size: Some(40), ..settings });
    assert_eq!((basis.coordinates(), report.cut), (all, 0));
}
