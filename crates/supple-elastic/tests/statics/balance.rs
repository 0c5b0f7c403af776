//! Forces and torques: what anchors and pins exert balances the load.

use crate::statics::samples::{
    all, at, displacement, distance, largest, load_on, noise, poser, solved, weight,
};
use supple_elastic::{ElasticBody, PoseReport};
use supple_mesh::Vec3;
use supple_model::VertexId;

/// The net force and torque of a load and the reactions, with vertices where the pose has them.
fn net(body: &ElasticBody, pose: &[f64], load: &[f64], report: &PoseReport) -> (Vec3, Vec3) {
    let place = |v: VertexId| body.positions()[v.index()] + displacement(pose, v);
    let loads = (0..body.positions().len()).map(VertexId::new).map(|v| (v, displacement(load, v)));
    let mut sums = (Vec3::zeros(), Vec3::zeros());
    for (v, f) in loads.chain(report.reactions.iter().copied()) {
        sums = (sums.0 + f, sums.1 + place(v).cross(&f));
    }
    sums
}

#[test]
fn reactions_balance_the_load() {
    for (kind, body) in all() {
        let mut poser = poser(&body, |p| p.x < 0.2);
        let load = weight(&body, Vec3::new(0.5, -2.0, 1.0));
        let report = solved(&mut poser, &load);
        assert_eq!(report.removed.motions, 0, "{kind}");
        assert_eq!(report.reactions.len(), at(&body, |p| p.x < 0.2).len());
        let (force, torque) = net(&body, poser.pose(), &load, &report);
        let size = largest(&load) * body.positions().len() as f64;
        assert!(force.norm() < 1e-8 * size, "{kind}: {force}");
        // Small strain turns with the rest shape, not with the pose.
        if kind != "linear tets" {
            assert!(torque.norm() < 1e-8 * size, "{kind}: {torque}");
        }
        assert!((report.strain_energy - body.energy(poser.pose())).abs() <= 1e-15 * report.strain_energy);
    }
}

#[test]
fn pins_hold_where_they_are_set_and_bear_their_part() {
    for (kind, body) in all() {
        let mut poser = poser(&body, |p| p.x < 0.2);
        let tip = at(&body, |p| p.x == 1.0);
        solved(&mut poser, &load_on(&body, &tip, Vec3::new(0.0, 0.2, 0.1)));
        let bent = poser.pose().to_vec();
        poser.pin(&tip).unwrap();
        assert_eq!(poser.pinned(), tip);
        let load = weight(&body, Vec3::new(0.0, -1.0, 0.0));
        let report = solved(&mut poser, &load);
        for &v in &tip {
            assert_eq!(displacement(poser.pose(), v), displacement(&bent, v), "{kind}");
        }
        let size = largest(&load) * body.positions().len() as f64;
        assert!(net(&body, poser.pose(), &load, &report).0.norm() < 1e-8 * size, "{kind}");
        // Let go, it returns to what anchors and load make of it.
        poser.unpin(&tip).unwrap();
        assert!(poser.pinned().is_empty());
        solved(&mut poser, &load);
        let mut fresh = crate::statics::samples::poser(&body, |p| p.x < 0.2);
        solved(&mut fresh, &load);
        assert!(distance(poser.pose(), fresh.pose()) < 1e-6 * largest(fresh.pose()).max(0.01), "{kind}");
    }
}

#[test]
fn the_force_of_a_pose_leads_back_to_it() {
    for (kind, body) in all() {
        let mut poser = poser(&body, |p| p.x < 0.2);
        let tip = at(&body, |p| p.x == 1.0);
        solved(&mut poser, &load_on(&body, &tip, Vec3::new(0.3, 0.8, -0.2)));
        let pose = poser.pose().to_vec();
        let force = body.force(&pose);
        poser.unload();
        // At the pose itself.
        let report = solved(&mut poser, &force);
        assert!(distance(poser.pose(), &pose) < 1e-8 && report.iterations <= 1, "{kind}");
        // Pushed out of it, and from rest.
        let mut pushed = pose.clone();
        for v in at(&body, |p| p.x > 0.2) {
            for (c, n) in noise(3, u64::from(v.0)).into_iter().enumerate() {
                pushed[3 * v.index() + c] += 0.01 * n;
            }
        }
        for start in [pushed, vec![0.0; pose.len()]] {
            poser.set_pose(&start).unwrap();
            solved(&mut poser, &force);
            assert!(distance(poser.pose(), &pose) < 1e-8, "{kind}: {}", distance(poser.pose(), &pose));
        }
    }
}
