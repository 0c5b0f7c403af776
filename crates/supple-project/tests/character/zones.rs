//! Parts of space that a hand keeps out of, or stays in.

use super::{Scene, Solved, Vec3, over};
use supple_project::Status;
use supple_project::shot::{Axis, Goal, Zone};

/// How deep a point is in a block, where that is positive.
fn depth(p: Vec3, middle: Vec3, half: f64) -> f64 {
    let from = (p - middle).abs();
    half - from.max()
}

/// A block as a closed mesh.
fn block(middle: Vec3, half: f64) -> String {
    let corner = |k: usize| {
        let of = |bit: usize, at: f64| at + if k >> bit & 1 == 1 { half } else { -half };
        format!("v {} {} {}\n", of(0, middle.x), of(1, middle.y), of(2, middle.z))
    };
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let faces = quads.map(|[a, b, c, d]: [usize; 4]| format!("f {} {} {} {}\n", a + 1, b + 1, c + 1, d + 1));
    (0..8).map(corner).chain(faces).collect()
}

fn solved(goal: Goal, mesh: Option<String>) -> Solved {
    let scene = Scene::walk().asking(over(25, 55, "RightHand", goal));
    let scene = match mesh {
        Some(text) => scene.file("box.obj", &text),
        None => scene,
    };
    let solved = scene.solved();
    assert_eq!(solved.report.status, Status::Settled, "{:?}", solved.report);
    solved
}

fn hand() -> Vec3 {
    let character = Scene::walk().character();
    character.input(39).positions[character.joint("RightHand").unwrap()]
}

#[test]
fn a_hand_keeps_out_of_a_mesh_and_of_the_same_block() {
    let (middle, half) = (hand() + Vec3::new(0.0, 0.0, 0.05), 0.1);
    let text = block(middle, half);
    let zones = [
        (Zone::Mesh("box.obj".into()), Some(text)),
        (Zone::Box { min: (middle.add_scalar(-half)).into(), max: (middle.add_scalar(half)).into() }, None),
    ];
    for (zone, mesh) in zones {
        let solved = solved(Goal::Outside(zone.clone()), mesh);
        let deepest = |of: &dyn Fn(i32) -> Vec3| {
            (25..=55).map(|f| depth(of(f), middle, half)).fold(f64::NEG_INFINITY, f64::max)
        };
        let (before, after) =
            (deepest(&|f| solved.input("RightHand", f)), deepest(&|f| solved.at("RightHand", f)));
        assert!(before > 0.04 && after <= solved.small(), "{zone:?}: {before} {after}");
    }
}

#[test]
fn a_hand_stays_in_a_mesh_a_ball_and_a_block() {
    let character = Scene::walk().character();
    let path: Vec<Vec3> =
        (25..=55).map(|f| character.input(f - 1).positions[character.joint("RightHand").unwrap()]).collect();
    let (low, high) = path.iter().fold((path[0], path[0]), |(low, high), p| (low.inf(p), high.sup(p)));
    let (middle, half) = ((low + high) / 2.0, (high - low).max() / 2.0 - 0.06);
    let zones = [
        (Zone::Mesh("box.obj".into()), Some(block(middle, half))),
        (Zone::Sphere { center: middle.into(), radius: half }, None),
        (Zone::Box { min: middle.add_scalar(-half).into(), max: middle.add_scalar(half).into() }, None),
    ];
    for (zone, mesh) in zones {
        let solved = solved(Goal::Inside(zone.clone()), mesh);
        for frame in 25..=55 {
            let p = solved.at("RightHand", frame);
            let out = match &zone {
                Zone::Sphere { .. } => (p - middle).norm() - half,
                _ => -depth(p, middle, half),
            };
            assert!(out <= solved.small(), "{zone:?} at {frame}: {out}");
        }
        let moved = (solved.at("RightHand", 25) - solved.input("RightHand", 25)).norm();
        assert!(moved > 0.05, "{zone:?}: {moved}");
    }
}

#[test]
fn a_hand_keeps_above_a_table() {
    let table = hand().y + 0.05;
    let solved = solved(Goal::Outside(Zone::Below { axis: Axis::Y, at: table }), None);
    let lowest = (25..=55).map(|f| solved.at("RightHand", f).y).fold(f64::INFINITY, f64::min);
    // On the table, but for what few keys leave between the frames they look at.
    assert!((-solved.small()..2e-4).contains(&(lowest - table)), "{lowest} {table}");
}
