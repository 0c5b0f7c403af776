//! Motion from tracked points alone: paths with gaps on a figure at rest.

use super::{Scene, Vec3, over};
use supple_model::Progress;
use supple_project::Status;
use supple_project::method::Method;
use supple_project::method::character::CharacterMethod;
use supple_project::shot::{Goal, Input};

const FRAMES: i32 = 48;
/// Points as a person marks them in a film, and frames in which each is hidden.
const TRACKED: [(&str, i32, i32); 5] = [
    ("Hips", 99, 99),
    ("LeftHand", 10, 16),
    ("RightHand", 30, 38),
    ("LeftFoot", 5, 10),
    ("RightFoot", 36, 40),
];

#[test]
fn tracked_points_make_a_motion_and_gaps_are_filled() {
    let walk = Scene::walk().character();
    let truth =
        |joint: &str, frame: i32| walk.input(frame as usize - 1).positions[walk.joint(joint).unwrap()];
    let mut scene = Scene::walk().at_rest(FRAMES as usize);
    for (joint, from, to) in TRACKED {
        let seen = (1..=FRAMES).filter(|frame| !(from..=to).contains(frame));
        let rows = seen.map(|frame| {
            let p = truth(joint, frame);
            format!("{frame},{},{},{}\n", p.x, p.y, p.z)
        });
        let name = format!("{joint}.csv");
        scene = scene.file(&name, &("frame,x,y,z\n".to_owned() + &rows.collect::<String>()));
        scene = scene.asking(over(1, FRAMES, joint, Goal::Path(name.into())));
    }
    let solved = scene.solved();
    assert_eq!(solved.report.status, Status::Settled, "{:?}", solved.report);
    let (mut filled, mut gaps) = (0.0_f64, 0);
    for (joint, from, to) in TRACKED {
        for frame in 1..=FRAMES {
            let off: Vec3 = solved.at(joint, frame) - truth(joint, frame);
            if (from..=to).contains(&frame) {
                filled = filled.max(off.norm());
                gaps += 1;
            } else {
                assert!(off.norm() <= solved.small(), "{joint} at {frame}: {}", off.norm());
            }
        }
    }
    let ratio = solved.acceleration(&solved.motion) / solved.acceleration(&walk.motion);
    println!("{gaps} places filled to {filled:.3} m, accelerations {ratio:.2}");
    assert!(gaps > 25 && filled < 0.08, "{filled}");
    assert!(ratio < 2.0, "{ratio}");
}

/// A table of few rows is a curve through them; one that skips frames of a tracked point asks for nothing there.
#[test]
fn few_rows_are_a_curve_and_gaps_are_not() {
    let rows = |frames: &[i32]| {
        let walk = Scene::walk().character();
        let hand = walk.joint("RightHand").unwrap();
        let row = |f: &i32| {
            let p = walk.input(*f as usize - 1).positions[hand] + Vec3::new(0.0, 0.1, 0.0);
            format!("{f},{},{},{}\n", p.x, p.y, p.z)
        };
        "frame,x,y,z\n".to_owned() + &frames.iter().map(row).collect::<String>()
    };
    let path = || over(30, 50, "RightHand", Goal::Path("hand.csv".into()));
    let curve = Scene::walk().file("hand.csv", &rows(&[30, 40, 50])).asking(path()).solved();
    let middle = (curve.at("RightHand", 30) + curve.at("RightHand", 40)) / 2.0;
    assert!((curve.at("RightHand", 35) - middle).norm() <= curve.small());
    let seen: Vec<i32> = (30..=36).chain(44..=50).collect();
    let gap = Scene::walk().file("hand.csv", &rows(&seen)).asking(path()).solved();
    let straight = (gap.at("RightHand", 36) + gap.at("RightHand", 44)) / 2.0;
    assert!((gap.at("RightHand", 40) - straight).norm() > 1e-4, "it goes its own way");
    let lifted = gap.at("RightHand", 40) - gap.input("RightHand", 40);
    assert!((lifted.y - 0.1).abs() < 0.03, "{lifted:?}");
    assert_eq!((curve.report.status, gap.report.status), (Status::Settled, Status::Settled));
}

/// What was made from points alone is the file of a skeleton like any other: it is read again as it was.
#[test]
fn a_motion_from_rest_is_written_as_a_skeleton() {
    let scene = Scene::walk().at_rest(12).asking(over(1, 12, "LeftHand", Goal::By([0.1, 0.2, 0.0])));
    let mut method = CharacterMethod::open(&scene.shot, &Progress::silent()).unwrap();
    method.settle(&Progress::silent()).unwrap();
    let mut bytes = Vec::new();
    method.write_skeleton(&mut bytes).unwrap().unwrap();
    let again = Scene::walk().file("made.bvh", &String::from_utf8(bytes).unwrap());
    let read = again.with(|shot| shot.motion.input = Input::File("made.bvh".into())).character();
    let skeleton = &read.figure.skeleton;
    assert_eq!(read.clock.frames, 12);
    for frame in 0..12 {
        let (made, read) = (method.edited().world(skeleton, frame), read.motion.world(skeleton, frame));
        for (a, b) in made.positions.iter().zip(&read.positions) {
            assert!((a - b).norm() < 1e-4, "frame {frame}: {a:?} {b:?}");
        }
    }
}
