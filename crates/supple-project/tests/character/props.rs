//! Handles on one thing are moved as one, in the hand and in the shot.

use super::{Scene, Vec3};
use supple_model::Progress;
use supple_project::Cache;
use supple_project::method::{Live, Numerics, RealNumerics, Stage};
use supple_project::shot::Shot;

const BY: [f64; 3] = [0.03, 0.02, -0.04];

fn open(shot: &Shot) -> Box<dyn Live> {
    let mut opened = None;
    let cache = Cache::in_folders([shot.folder().join("test.cache")]);
    RealNumerics::default().open(shot, &cache, &Progress::silent(), &mut |live| opened = Some(live)).unwrap();
    opened.unwrap()
}

/// The places of the two hands' handles in the shot.
fn hands(shot: &Shot) -> [usize; 2] {
    let held: Vec<usize> =
        (0..shot.edit.handles.len()).filter(|k| shot.edit.handles[*k].prop.is_some()).collect();
    held.try_into().unwrap()
}

/// Where the shown bones have the wrists: the far ends of the forearms.
fn wrists(live: &mut dyn Live, stage: &Stage, frame: usize) -> [Vec3; 2] {
    let points = live.points(frame);
    ["LeftHand", "RightHand"].map(|name| {
        let v = (0..stage.joint_names.len()).find(|v| stage.joint_names[*v] == name).unwrap();
        Vec3::from(points.drawn[v].map(f64::from))
    })
}

#[test]
fn one_hand_on_the_treasure_takes_the_other_along() {
    let scene = Scene::sample("thief");
    let shot = &scene.shot;
    let frame = (*shot.edit.handles[hands(shot)[0]].when.range().start() - 1) as usize;
    for taken in hands(shot) {
        let mut live = open(shot);
        assert!(live.ask(&shot.edit, &Progress::silent()).unwrap().iter().all(Option::is_none));
        live.settle(&Progress::silent()).unwrap();
        let stage = live.stage().clone();
        let before = wrists(live.as_mut(), &stage, frame);
        live.grab(taken, frame, &Progress::silent()).unwrap();
        for k in 1..=10 {
            live.drag(BY.map(|x| x * f64::from(k) / 10.0), &Progress::silent()).unwrap();
        }
        let shown = wrists(live.as_mut(), &stage, frame);
        for (a, b) in before.iter().zip(&shown) {
            let off = (b - a - Vec3::from(BY)).norm();
            assert!(off < 5e-3, "{off} with {taken} in the hand");
        }
        // What the shot says of it is where the hands were shown.
        let mut moved = shot.edit.clone();
        assert_eq!(moved.shift(taken, BY), hands(shot));
        live.put_down();
        assert!(live.ask(&moved, &Progress::silent()).unwrap().iter().all(Option::is_none));
        live.settle(&Progress::silent()).unwrap();
        for (a, b) in wrists(live.as_mut(), &stage, frame).iter().zip(&shown) {
            assert!((a - b).norm() < 5e-3, "{} after {taken} was let go", (a - b).norm());
        }
    }
}

/// Two that are not on one thing are moved one by one.
#[test]
fn hands_on_two_things_go_alone() {
    let scene = Scene::sample("thief").with(|shot| {
        let [left, _] = hands(shot);
        shot.edit.handles[left].prop = Some("lamp".into());
        // Nor do they have to stay as far apart.
        shot.edit.handles.retain(|handle| handle.relative_to.is_none());
    });
    let shot = &scene.shot;
    let frame = (*shot.edit.handles[hands(shot)[0]].when.range().start() - 1) as usize;
    let mut live = open(shot);
    live.ask(&shot.edit, &Progress::silent()).unwrap();
    live.settle(&Progress::silent()).unwrap();
    let stage = live.stage().clone();
    let before = wrists(live.as_mut(), &stage, frame);
    live.grab(hands(shot)[0], frame, &Progress::silent()).unwrap();
    for _ in 0..3 {
        live.drag(BY, &Progress::silent()).unwrap();
    }
    let shown = wrists(live.as_mut(), &stage, frame);
    assert!((shown[0] - before[0] - Vec3::from(BY)).norm() < 5e-3);
    assert!((shown[1] - before[1]).norm() < 5e-3, "{}", (shown[1] - before[1]).norm());
}
