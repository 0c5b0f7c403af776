//! Tangents: derivatives of static poses by their load, whatever the rest shape is.

use crate::reduction::samples::{Chain, SIZE, beam, bent, missing};
use crate::statics::samples::{SPRINGS, material, poser, solved};
use nalgebra::{Matrix3, Rotation3};
use std::sync::Arc;
use supple_elastic::{
    ElasticBody, FreeVertices, KeyBasis, KeyBasisReport, KeyBasisSettings, KeyPose, Law, Network,
    PoserSettings, Solid, Springs,
};
use supple_mesh::{TetMesh, Vec3, shapes::box_mesh};
use supple_model::{Progress, VertexId};

/// (q(f + ε Δf) − q(f − ε Δf)) / 2ε near the load of a pose.
fn difference(chain: &Chain, pose: usize, arc: usize) -> Vec<f64> {
    let mut poser = poser(&chain.body, |p| p.x == 0.0)
        .with_settings(PoserSettings { tolerance: 1e-12, ..Default::default() })
        .unwrap();
    let epsilon = 1e-4;
    let mut at = |steps: f64| {
        let change =
            chain.loads[arc + 1].iter().zip(&chain.loads[arc]).map(|(b, a)| steps * epsilon * (b - a));
        let load: Vec<f64> = chain.loads[pose].iter().zip(change).map(|(f, d)| f + d).collect();
        solved(&mut poser, &load);
        poser.pose().to_vec()
    };
    let (back, ahead) = (at(-1.0), at(1.0));
    ahead.iter().zip(&back).map(|(a, b)| (a - b) / (2.0 * epsilon)).collect()
}

#[test]
fn tangents_are_derivatives_of_static_poses_by_their_load() {
    for law in [Law::StVenantKirchhoff, Law::NeoHookean] {
        let chain = bent(&beam(law));
        let (basis, report) = chain.made(&KeyBasisSettings::default());
        let without = chain.made(&KeyBasisSettings { tangents: false, ..Default::default() }).0;
        assert_eq!(without.coordinates(), 2);
        for (pose, arc, end) in [(0, 0, 0), (1, 0, 1), (1, 1, 0), (2, 1, 1)] {
            let T = difference(&chain, pose, arc);
            assert!(missing(&basis, &T) < 1e-6, "{law:?}, pose {pose}: {}", missing(&basis, &T));
            assert!(missing(&without, &T) > 0.02, "{law:?}, pose {pose}: {}", missing(&without, &T));
            // Eq. 10.
            let dot = |of: &dyn Fn(usize) -> f64| -> f64 { (0..T.len()).map(|i| of(i) * T[i]).sum() };
            let energy = dot(&|i| chain.loads[arc + 1][i] - chain.loads[arc][i]);
            let inertia = dot(&|i| chain.body.masses()[i / 3] * T[i]);
            let omega = report.arcs[arc].frequencies[end].unwrap();
            assert!((omega.powi(2) * inertia / energy - 1.0).abs() < 1e-6, "{law:?}, pose {pose}");
        }
        let omega = report.arcs[0].frequencies[0].unwrap();
        assert!(
            (report.arcs[0].quarter_period().unwrap() - 0.5 * std::f64::consts::PI / omega).abs() < 1e-15
        );
    }
}

/// The beam and its poses: its rest shape turned by one rotation, the poses by another.
fn turned(rest: &Matrix3<f64>, poses: &Matrix3<f64>) -> (Chain, KeyBasis, Vec<Option<f64>>) {
    let straight = bent(&beam(Law::StVenantKirchhoff));
    let mesh = box_mesh(SIZE, [6, 2, 2]).unwrap();
    let positions = mesh.positions().iter().map(|x| rest * x).collect();
    let mesh = TetMesh::new(positions, mesh.tets().to_vec()).unwrap();
    let body: Arc<ElasticBody> = Arc::new(Solid::new(mesh, material(Law::StVenantKirchhoff), &[]).unwrap());
    let moved = |pose: &[f64]| -> Vec<f64> {
        let places = straight.body.positions().iter().zip(pose.chunks_exact(3));
        let places = places.map(|(x, u)| poses * (x + Vec3::from_column_slice(u)));
        places.zip(body.positions()).flat_map(|(y, x)| (y - x).data.0[0]).collect()
    };
    let chain = Chain {
        free: straight.free.clone(),
        start: moved(&straight.start),
        keys: straight.keys.iter().map(|key| moved(key)).collect(),
        loads: Vec::new(),
        body,
    };
    let (basis, report) = chain.made(&KeyBasisSettings::default());
    let frequencies = report.arcs.iter().flat_map(|arc| arc.frequencies).collect();
    (chain, basis, frequencies)
}

/// Tangents belong to the shapes that are posed, not to the rest shape they are measured from.
#[test]
fn tangents_do_not_depend_on_how_the_rest_shape_is_turned_and_turn_with_the_poses() {
    let none = Matrix3::identity();
    let turn = Rotation3::from_euler_angles(0.4, -1.1, 2.0).into_inner();
    let (_, plain, frequencies) = turned(&none, &none);
    for (rest, poses) in [(turn, none), (none, turn), (turn, turn)] {
        let (_, basis, others) = turned(&rest, &poses);
        assert_eq!(basis.coordinates(), plain.coordinates());
        for (a, b) in frequencies.iter().zip(&others) {
            assert!((a.unwrap() / b.unwrap() - 1.0).abs() < 1e-8, "{a:?} {b:?}");
        }
        let mut column = vec![0.0; plain.start().len()];
        for k in 0..plain.coordinates() {
            let unit: Vec<f64> = (0..plain.coordinates()).map(|i| f64::from(u8::from(i == k))).collect();
            plain.basis().displacement(&unit, &mut column);
            let seen: Vec<f64> =
                column.chunks_exact(3).flat_map(|u| (poses * Vec3::from_column_slice(u)).data.0[0]).collect();
            assert!(missing(&basis, &seen) < 1e-8, "column {k}: {}", missing(&basis, &seen));
        }
    }
}

#[test]
fn loads_that_are_known_are_used() {
    let chain = bent(&beam(Law::StVenantKirchhoff));
    let made = |known: bool, factor: f64| {
        let mut loads = chain.loads[1..].to_vec();
        loads[1].iter_mut().for_each(|f| *f *= factor);
        let keys: Vec<KeyPose<'_>> = chain
            .keys
            .iter()
            .zip(&loads)
            .map(|(key, load)| KeyPose { displacement: key, load: known.then_some(load) })
            .collect();
        let settings = KeyBasisSettings::default();
        KeyBasis::new(&chain.body, &chain.free, &chain.start, &keys, &settings, &Progress::silent())
            .unwrap()
            .1
    };
    let (inner, known, other) = (made(false, 1.0), made(true, 1.0), made(true, 3.0));
    let first = |report: &KeyBasisReport| report.arcs[1].frequencies[0].unwrap();
    assert!((first(&inner) / first(&known) - 1.0).abs() < 1e-7);
    assert!((first(&inner) / first(&other) - 1.0).abs() > 1e-3);
}

/// Two springs in a line resist nothing across it.
#[test]
fn a_singular_stiffness_has_no_tangents_and_is_told() {
    let line = (0..3).map(|x| Vec3::new(f64::from(x), 0.0, 0.0)).collect();
    let network = Network::new(line, vec![[0, 1].map(VertexId), [1, 2].map(VertexId)]).unwrap();
    let body: Arc<ElasticBody> = Arc::new(Springs::new(network, SPRINGS, &[]).unwrap());
    let free = FreeVertices::except(3, &[0, 2].map(VertexId)).unwrap();
    let (start, mut key) = (vec![0.0; 9], vec![0.0; 9]);
    key[4] = 0.3;
    let keys = [KeyPose { displacement: &key, load: None }];
    let settings = KeyBasisSettings::default();
    let (basis, report) = KeyBasis::new(&body, &free, &start, &keys, &settings, &Progress::silent()).unwrap();
    assert!(report.poses[0].singular && basis.coordinates() >= 1);
    assert_eq!(report.arcs[0].frequencies[0], None);
}
