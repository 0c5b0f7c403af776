//! Bodies that nothing, or too little, holds.

use crate::statics::samples::{
    all, at, displacement, largest, load_on, material, poser, solved, tets, weight,
};
use std::sync::Arc;
use supple_elastic::{ElasticBody, FreeVertices, Law, Poser, Solid};
use supple_mesh::{TetMesh, Vec3, shapes::box_mesh};
use supple_model::VertexId;

fn floating(body: &Arc<ElasticBody>) -> Poser {
    Poser::new(body.clone(), FreeVertices::all(body.positions().len())).unwrap()
}

/// The shift of the centre of mass and Σ m (x − c) × u.
fn drift(body: &ElasticBody, u: &[f64]) -> (Vec3, Vec3) {
    let mass: f64 = body.masses().iter().sum();
    let rest = body.masses().iter().zip(body.positions());
    let centre = rest.clone().map(|(m, x)| x * *m).sum::<Vec3>() / mass;
    let moved = rest.zip(u.chunks_exact(3)).map(|((m, x), u)| (*m, x - centre, Vec3::from_column_slice(u)));
    moved.fold((Vec3::zeros(), Vec3::zeros()), |(shift, turn), (m, r, u)| {
        (shift + u * m / mass, turn + r.cross(&u) * m / mass)
    })
}

#[test]
fn opposite_forces_stretch_a_floating_body_and_leave_it_where_it_is() {
    for (kind, body) in all() {
        let ends = [0.0, 1.0].map(|x| at(&body, |p| p.x == x));
        let pull = Vec3::new(1.0, 0.0, 0.0);
        let load: Vec<f64> = load_on(&body, &ends[0], -pull)
            .iter()
            .zip(load_on(&body, &ends[1], pull))
            .map(|(a, b)| a + b)
            .collect();
        let mut poser = floating(&body);
        let report = solved(&mut poser, &load);
        assert_eq!(report.removed.motions, 6, "{kind}");
        let [left, right] = ends.map(|end| crate::statics::samples::mean(poser.pose(), &end).x);
        assert!(right > 1e-4 && (left + right).abs() < 0.03 * right, "{kind}: {left} {right}");
        let (shift, turn) = drift(&body, poser.pose());
        assert!(shift.norm() + turn.norm() < 1e-10 * right, "{kind}: {shift} {turn}");
        assert!(report.removed.force.norm() < 1e-9, "{kind}: {:?}", report.removed);
    }
}

#[test]
fn what_only_moves_the_body_is_removed_and_reported() {
    for (kind, body) in all() {
        let corner = at(&body, |p| p.x == 1.0)[0];
        let mut load = weight(&body, Vec3::new(1.0, -2.0, 0.5));
        load[3 * corner.index() + 1] += 0.5;
        let mut poser = floating(&body);
        let report = solved(&mut poser, &load);
        // The net force and torque of the load on the pose.
        let mass: f64 = body.masses().iter().sum();
        let places: Vec<Vec3> = (0..body.positions().len())
            .map(|v| body.positions()[v] + displacement(poser.pose(), VertexId::new(v)))
            .collect();
        let centre = body.masses().iter().zip(&places).map(|(m, y)| y * *m).sum::<Vec3>() / mass;
        let forces: Vec<Vec3> = load.chunks_exact(3).map(Vec3::from_column_slice).collect();
        let force: Vec3 = forces.iter().sum();
        let torque: Vec3 = places.iter().zip(&forces).map(|(y, f)| (y - centre).cross(f)).sum();
        assert!((report.removed.force - force).norm() < 1e-8 * force.norm(), "{kind}");
        // Small strain feels torques about the rest shape.
        let tolerance = if kind == "linear tets" { 1e-2 } else { 1e-8 };
        assert!((report.removed.torque - torque).norm() < tolerance * torque.norm(), "{kind}");
        assert!(largest(poser.pose()) > 1e-5, "{kind}: the corner is still pulled");
    }
}

#[test]
fn gravity_alone_does_nothing_to_a_floating_body() {
    for (kind, body) in all() {
        let mut poser = floating(&body);
        let report = solved(&mut poser, &weight(&body, Vec3::new(0.0, -9.81, 0.0)));
        let mass: f64 = body.masses().iter().sum();
        assert!((report.removed.force - Vec3::new(0.0, -9.81 * mass, 0.0)).norm() < 1e-9 * mass, "{kind}");
        assert!(largest(poser.pose()) < 1e-9, "{kind}");
    }
}

#[test]
fn pressing_on_the_ends_does_not_turn_a_floating_body_round() {
    // Turning by half would make this pull out of the press: the potential has a descent there.
    let body = tets(Vec3::new(1.0, 0.25, 0.25), [6, 2, 2], material(Law::StVenantKirchhoff));
    let ends = [0.0, 1.0].map(|x| at(&body, |p| p.x == x));
    let push = Vec3::new(60.0, 0.0, 0.0);
    let load: Vec<f64> = load_on(&body, &ends[0], push)
        .iter()
        .zip(load_on(&body, &ends[1], -push))
        .map(|(a, b)| a + b)
        .collect();
    let mut poser = floating(&body);
    let report = solved(&mut poser, &load);
    let shortened = crate::statics::samples::mean(poser.pose(), &ends[0]).x
        - crate::statics::samples::mean(poser.pose(), &ends[1]).x;
    // Young's modulus 1e5 over a section of 1/16: 60 N shorten it by about 1 %.
    assert!(shortened > 0.008 && shortened < 0.013, "{shortened}");
    assert!(report.iterations < 12, "{}", report.iterations);
}

#[test]
fn motions_are_counted_by_what_holds() {
    for (kind, body) in all() {
        let still = vec![0.0; 3 * body.positions().len()];
        let edge = at(&body, |p| p.x == 0.0 && p.z == 0.0);
        // A sheet has one vertex there: take its other edge.
        let edge = if edge.len() == 1 { at(&body, |p| p.x == 0.0) } else { edge };
        let count = |pins: &[VertexId]| {
            let mut poser = floating(&body);
            poser.pin(pins).unwrap();
            solved(&mut poser, &still).removed.motions
        };
        assert_eq!(count(&[]), 6, "{kind}");
        assert_eq!(count(&edge[..1]), 3, "{kind}");
        assert_eq!(count(&edge[..2]), 1, "{kind}");
        assert_eq!(count(&edge), 1, "{kind}");
        assert_eq!(count(&at(&body, |p| p.x == 0.0 || p.x == 1.0)), 0, "{kind}");
    }
}

#[test]
fn a_body_on_one_pin_bends_without_swinging() {
    let body = tets(Vec3::new(1.0, 0.25, 0.25), [6, 2, 2], material(Law::NeoHookean));
    let pin = VertexId(0);
    let mut poser = floating(&body);
    poser.pin(&[pin]).unwrap();
    let load = load_on(&body, &at(&body, |p| p.x == 1.0), Vec3::new(0.0, -1.0, 0.0));
    let report = solved(&mut poser, &load);
    assert_eq!(displacement(poser.pose(), pin), Vec3::zeros());
    assert_eq!(report.reactions.len(), 1);
    // Load, reaction and what was removed are in balance.
    let total = Vec3::new(0.0, -1.0, 0.0) + report.reactions[0].1 - report.removed.force;
    assert!(total.norm() < 1e-8, "{total}");
    // Swinging down would move the far end by a metre.
    assert!(largest(poser.pose()) < 0.05, "{}", largest(poser.pose()));
}

#[test]
fn parts_that_do_not_touch_are_held_apart() {
    // Two bars side by side in one body; one is anchored, the other floats.
    let bar = box_mesh(Vec3::new(1.0, 0.2, 0.2), [4, 1, 1]).unwrap();
    let count = bar.positions().len();
    let shifted = bar.positions().iter().map(|p| p + Vec3::new(0.0, 1.0, 0.0));
    let positions = bar.positions().iter().copied().chain(shifted).collect();
    let other = bar.tets().iter().map(|tet| tet.map(|v| VertexId::new(v.index() + count)));
    let mesh = TetMesh::new(positions, bar.tets().iter().copied().chain(other).collect()).unwrap();
    let body: Arc<ElasticBody> = Arc::new(Solid::new(mesh, material(Law::NeoHookean), &[]).unwrap());
    let mut both = poser(&body, |p| p.x == 0.0 && p.y < 0.5);
    let load = load_on(&body, &at(&body, |p| p.x == 1.0), Vec3::new(2.0, 0.4, 0.0));
    let report = solved(&mut both, &load);
    assert_eq!(report.removed.motions, 6);
    assert!((report.removed.force - Vec3::new(1.0, 0.2, 0.0)).norm() < 1e-9, "{:?}", report.removed);

    // Each is what it would be alone.
    let single: Arc<ElasticBody> = Arc::new(Solid::new(bar, material(Law::NeoHookean), &[]).unwrap());
    let load = load_on(&single, &at(&single, |p| p.x == 1.0), Vec3::new(1.0, 0.2, 0.0));
    let mut held = poser(&single, |p| p.x == 0.0);
    solved(&mut held, &load);
    let mut loose = floating(&single);
    solved(&mut loose, &load);
    let (first, second) = both.pose().split_at(3 * count);
    assert!(crate::statics::samples::distance(first, held.pose()) < 1e-9);
    assert!(crate::statics::samples::distance(second, loose.pose()) < 1e-9);
    assert!(largest(first) > 1e-3 && largest(second) > 1e-4);
}
