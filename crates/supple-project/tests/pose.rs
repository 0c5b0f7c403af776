//! Poses of shots: stages of loads and pins, and fits to deformed skins.
#![expect(clippy::unwrap_used, reason = "a step that fails is a test that fails")]

use std::path::Path;
use supple_mesh::Vec3;
use supple_model::Progress;
use supple_project::shot::{Load, Pin, Push, Shot, Site};
use supple_project::{Body, FitOptions, Moving, Sample, Skins, fit, pose, save_pose};

fn bar(folder: &Path) -> Shot {
    Shot::load(&Sample::named("bar").unwrap().write(folder).unwrap()).unwrap()
}

fn load(force: [f64; 3], stage: usize) -> Load {
    Load { site: Site::Group("right".into()), push: Push::Force(force), frames: None, stage: Some(stage) }
}

fn tip(body: &Body, positions: &[[f64; 3]]) -> Vec3 {
    let members = body.groups.get("right").unwrap();
    members.iter().map(|v| Vec3::from(positions[v.index()])).sum::<Vec3>() / members.len() as f64
}

#[test]
fn stages_stack_and_pins_hold_what_earlier_stages_gave() {
    let folder = tempfile::tempdir().unwrap();
    let mut shot = bar(folder.path());
    let body = Body::load(&shot).unwrap();
    let solve = |shot: &Shot| pose(shot, &body, false, &Progress::silent()).unwrap();
    let at_rest = tip(&body, &body.positions().iter().map(|p| (*p).into()).collect::<Vec<_>>());

    shot.loads = vec![load([0.0, 12.0, 0.0], 1), load([0.0, 0.0, 9.0], 2)];
    let two = solve(&shot);
    assert_eq!((two.stages.len(), two.asked), (2, 2));
    assert!(two.stages.iter().all(|stage| stage.status.is_solved()));
    shot.loads = vec![load([0.0, 12.0, 9.0], 1)];
    let once = solve(&shot);
    assert!((tip(&body, &two.positions) - tip(&body, &once.positions)).norm() < 1e-7);

    // Pinned after it was lifted, the tip stays up when the load is taken back.
    shot.loads = vec![load([0.0, 12.0, 0.0], 1), load([0.0, -12.0, 0.0], 2)];
    shot.pins = vec![Pin { site: Site::Group("right".into()), stage: Some(2) }];
    let pinned = solve(&shot);
    let lifted = tip(&body, &pinned.positions);
    assert!(lifted.y - at_rest.y > 0.02, "{lifted}");
    let last = pinned.stages.last().unwrap();
    let by_pins: f64 = body
        .groups
        .get("right")
        .unwrap()
        .iter()
        .map(|v| last.reactions.iter().find(|(r, _)| r == v).unwrap().1.y)
        .sum();
    assert!((by_pins - 12.0).abs() < 1e-4, "the pins bear what the load did: {by_pins}");
}

#[test]
fn a_load_too_large_leaves_the_last_pose_found() {
    let folder = tempfile::tempdir().unwrap();
    let mut shot = bar(folder.path());
    let body = Body::load(&shot).unwrap();
    // Straight into the bar: it collapses, as bodies of this law do.
    shot.loads = vec![load([-1e6, 0.0, 0.0], 1), load([0.0, 1.0, 0.0], 2)];
    let outcome = pose(&shot, &body, false, &Progress::silent()).unwrap();
    assert_eq!((outcome.stages.len(), outcome.asked), (1, 2));
    let stage = &outcome.stages[0];
    assert!(!stage.status.is_solved() && stage.fraction < 1.0, "{stage:?}");
    assert!(outcome.positions.iter().flatten().all(|x| x.is_finite()));
}

#[test]
fn a_skin_that_was_carried_by_a_pose_gives_the_pose_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut shot = bar(folder.path());
    let body = Body::load(&shot).unwrap();
    shot.loads = vec![load([0.0, 30.0, 0.0], 1)];
    let bent = pose(&shot, &body, false, &Progress::silent()).unwrap();
    let file = folder.path().join("bent-skin.obj");
    save_pose(&file, &body, Moving::Skin, &bent.positions).unwrap();
    let mut skins = Skins::open(&body, &file).unwrap();
    assert_eq!((skins.frames.frames(), skins.time.is_none()), (1, true));
    let mut options = FitOptions::default();
    for by_area in [false, true] {
        options.by_area = by_area;
        let mut found = Vec::new();
        let keep = |positions: &[[f64; 3]], report: &supple_elastic::FitReport| {
            assert!(report.status.is_solved());
            found = positions.to_vec();
            Ok(())
        };
        fit(&body, skins.frames.as_mut(), options, keep, &Progress::silent()).unwrap();
        let far = found.iter().zip(&bent.positions).map(|(a, b)| (Vec3::from(*a) - Vec3::from(*b)).norm());
        let worst = far.fold(0.0, f64::max);
        let lifted = (tip(&body, &bent.positions) - Vec3::new(2.0, 0.125, 0.125)).norm();
        assert!(worst < 0.03 * lifted, "{worst} of {lifted}");
    }
    let error = Skins::open(&body, &folder.path().join("bar.inp")).err().unwrap();
    assert!(error.to_string().contains("it has 825 vertices, but 10066 are needed"), "{error}");
}
