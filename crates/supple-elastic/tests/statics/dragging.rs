//! Updates while a load moves, and after.

use crate::statics::samples::{all, at, distance, largest, load_on, material, poser, solved, tets};
use std::f64::consts::TAU;
use std::sync::Arc;
use supple_elastic::{ElasticBody, Law, PoseUpdate, Poser, Status};
use supple_mesh::Vec3;

/// The load after `turn` of a circle around the beam's axis.
fn circling(body: &ElasticBody, size: f64, turn: f64) -> Vec<f64> {
    let angle = TAU * turn;
    load_on(body, &at(body, |p| p.x == 1.0), Vec3::new(0.0, angle.cos(), angle.sin()) * size)
}

/// Drags the load halfway round in 30 updates.
fn drag(poser: &mut Poser, size: f64) -> Vec<PoseUpdate> {
    let body = poser.body().clone();
    (0..30)
        .map(|k| {
            poser.set_load(&circling(&body, size, f64::from(k) / 60.0)).unwrap();
            poser.update()
        })
        .collect()
}

#[test]
fn updates_converge_to_the_solution_when_the_load_rests() {
    for (kind, body) in all() {
        for held in [0.2, -1.0] {
            // Clamped, and floating.
            let size = if kind == "cloth" { 0.02 } else { 2.0 };
            let mut dragged = poser(&body, |p| p.x < held);
            drag(&mut dragged, size);
            let mut updates = 0;
            let last = loop {
                let update = dragged.update();
                updates += 1;
                if update.status != Status::Unfinished || updates == 100 {
                    break update;
                }
            };
            assert_eq!(last.status, Status::Converged, "{kind} {held}: {last:?}");
            let mut fresh = poser(&body, |p| p.x < held);
            solved(&mut fresh, &dragged.load());
            let error = distance(dragged.pose(), fresh.pose());
            assert!(error < 1e-7 * largest(fresh.pose()), "{kind} {held}: {error}");
        }
    }
}

fn beam() -> Arc<ElasticBody> {
    tets(Vec3::new(1.0, 0.2, 0.2), [12, 3, 3], material(Law::StVenantKirchhoff))
}

#[test]
fn a_moving_load_is_followed() {
    // The load bends the beam by a third of its length.
    let body = beam();
    let mut dragged = poser(&body, |p| p.x == 0.0);
    let updates = drag(&mut dragged, 20.0);
    assert!(largest(dragged.pose()) > 0.25, "{}", largest(dragged.pose()));
    // From the tenth on less than a hundredth of the load is out of balance after an update.
    let load = 20.0 / 16.0_f64.sqrt();
    let worst = updates[10..].iter().map(|update| update.residual).fold(0.0, f64::max);
    assert!(worst < 0.01 * load, "{worst}");
    assert!(updates.iter().any(|update| update.refactored));
    assert!(updates.iter().all(|update| update.steps <= 3));
}

#[test]
fn updates_do_not_depend_on_threads_or_the_clock() {
    let body = beam();
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut dragged = poser(&body, |p| p.x == 0.0);
            (drag(&mut dragged, 20.0), dragged.pose().to_vec())
        })
    };
    let one = on(1);
    assert!(one == on(2) && one == on(1));
}

#[test]
fn pins_hold_and_a_solve_may_come_between() {
    let body = beam();
    let mut dragged = poser(&body, |p| p.x == 0.0);
    drag(&mut dragged, 6.0);
    let middle = at(&body, |p| p.x == 0.5);
    let before = dragged.pose().to_vec();
    dragged.pin(&middle).unwrap();
    for k in 0..20 {
        dragged.set_load(&circling(&body, 3.0, f64::from(k) / 20.0)).unwrap();
        dragged.update();
    }
    for v in &middle {
        assert_eq!(
            dragged.pose()[3 * v.index()..3 * v.index() + 3],
            before[3 * v.index()..3 * v.index() + 3]
        );
    }
    let load = dragged.load();
    solved(&mut dragged, &load);
    let pose = dragged.pose().to_vec();
    let update = dragged.update();
    assert_eq!((update.status, update.steps), (Status::Converged, 0));
    assert_eq!(dragged.pose(), pose);
}

/// Whoever pulls a point has to know how it gives way, in the pose it is in.
#[test]
fn a_point_gives_way_as_solving_says() {
    for held in [0.0, -1.0] {
        // Clamped, and floating.
        let body = beam();
        let tip = at(&body, |p| p.x == 1.0);
        let point = [(tip[0], 0.25), (tip[5], 0.75)];
        let bent = circling(&body, 10.0, 0.1);
        let place = |more: Vec3| -> Vec3 {
            let mut load = bent.clone();
            for (v, weight) in point {
                (0..3).for_each(|c| load[3 * v.index() + c] += weight * more[c]);
            }
            let mut fresh = poser(&body, |p| p.x == held);
            solved(&mut fresh, &bent);
            solved(&mut fresh, &load);
            let of = |v: supple_model::VertexId| Vec3::from_column_slice(&fresh.pose()[3 * v.index()..][..3]);
            point.iter().map(|(v, weight)| of(*v) * *weight).sum()
        };
        let mut posed = poser(&body, |p| p.x == held);
        solved(&mut posed, &bent);
        let compliance = posed.compliance(&point);
        let largest = compliance.iter().flatten().fold(0.0_f64, |most, c| most.max(c.abs()));
        for axis in 0..3 {
            let step = Vec3::ith(axis, 1e-3);
            let slope = (place(step) - place(-step)) / 2e-3;
            for row in 0..3 {
                let (found, seen) = (compliance[row][axis], slope[row]);
                assert!((found - seen).abs() < 1e-4 * largest, "{held} {row} {axis}: {found} {seen}");
            }
        }
        let anchor = at(&body, |p| p.x == 0.0)[0];
        if held == 0.0 {
            assert_eq!(posed.compliance(&[(anchor, 1.0)]), [[0.0; 3]; 3], "held, it gives way nowhere");
        }
    }
}
