//! Edits of skeleton motion as a user of the crate meets them.

use nalgebra::{UnitQuaternion, Vector3};
use supple_character::{
    Constraint, CurveKind, Edit, Figure, Goal, Joint, Keys, Layer, Metric, Motion, Point, Skeleton,
    SkeletonError, Targets, release,
};
use supple_model::Progress;

const FRAMES: usize = 31;
const TIP: usize = 3;

/// A root with three bones in a row that swing, for a second.
fn swinging() -> Result<(Skeleton, Motion), SkeletonError> {
    let bone = |name: &str, parent, length| Joint::new(name, parent, Vector3::new(0.0, length, 0.0));
    let joints = vec![
        bone("root", None, 0.0),
        bone("a", Some(0), 0.5),
        bone("b", Some(1), 0.4),
        bone("tip", Some(2), 0.3),
    ];
    let skeleton = Skeleton::new(joints)?;
    let mut motion = Motion::rest(&skeleton, FRAMES);
    for frame in 0..FRAMES {
        for joint in 0..TIP {
            let angle = 0.4 * (0.2 * frame as f64 + joint as f64).sin();
            let turned = UnitQuaternion::from_scaled_axis(Vector3::new(0.3 * angle, 0.0, angle));
            let placed = motion.translation(frame, joint);
            motion.set(frame, joint, turned, placed);
        }
    }
    Ok((skeleton, motion))
}

fn tip(skeleton: &Skeleton, motion: &Motion, frame: usize) -> Vector3<f64> {
    Point::joint(TIP).at(skeleton, &motion.world(skeleton, frame))
}

/// What is asked for is there to the last digits, the ends that are clamped stay, and twice the pull moves about twice as
/// far everywhere.
#[test]
fn a_pulled_point_gets_there_and_clamped_ends_stay() {
    let (skeleton, motion) = swinging().unwrap();
    let solved = |by: Vector3<f64>| {
        let goal = Goal::At(Targets::One(tip(&skeleton, &motion, 15) + by));
        let layer = Layer {
            curve: CurveKind::BSpline,
            keys: Keys::Seconds(0.2),
            window: (0, FRAMES - 1),
            clamped: [true; 2],
            smoothing: 0.0,
        };
        let edit = Edit {
            figure: Figure::new(skeleton.clone(), Vec::new(), 1, &motion),
            constraints: vec![Constraint::new((15, 15), Point::joint(TIP), goal)],
            layers: vec![layer],
            is_loop: false,
            frame_seconds: 1.0 / 30.0,
            metric: Metric::Blocks,
        };
        let solution = release(&edit, &motion, &Progress::silent()).unwrap();
        assert!(solution.is_settled && solution.misses[0] < 1e-6, "{solution:?}");
        let change = |frame| tip(&skeleton, &solution.motion, frame) - tip(&skeleton, &motion, frame);
        assert!((change(15) - by).norm() < 1e-6, "{}", change(15));
        for frame in [0, FRAMES - 1] {
            assert!(change(frame).norm() < 1e-12, "{frame}: {}", change(frame));
        }
        (0..FRAMES).map(change).collect::<Vec<_>>()
    };
    let by = Vector3::new(0.004, -0.003, 0.002);
    let (once, twice) = (solved(by), solved(2.0 * by));
    for (frame, (one, two)) in once.iter().zip(&twice).enumerate() {
        assert!((two - 2.0 * one).norm() < 0.05 * by.norm(), "{frame}: {one} {two}");
    }
}
