//! What release promises, whatever is asked.

use crate::walker::{self, at, farthest, hold, largest_turn};
use nalgebra::{UnitQuaternion, Vector3};
use std::sync::Arc;
use supple_character::{
    Constraint, CurveKind, Edit, Goal, Keys, Layer, Limit, LimitKind, Motion, Point, Region, Solution,
    Targets, release,
};
use supple_model::{Cancelled, Progress, ProgressSink};

const FRAMES: usize = 200;

fn solve(edit: &Edit, motion: &Motion) -> Solution {
    release(edit, motion, &Progress::silent()).expect("nobody cancels")
}

/// Bits of a frame.
fn bits(motion: &Motion, frame: usize) -> Vec<u64> {
    let of = |j: usize| {
        let (turned, t) = (motion.rotation(frame, j), motion.translation(frame, j));
        turned.coords.iter().chain(t.iter()).map(|value| value.to_bits()).collect::<Vec<u64>>()
    };
    (0..motion.joints()).flat_map(of).collect()
}

fn assert_same(a: &Motion, b: &Motion, mut frames: impl Iterator<Item = usize>) {
    assert!(frames.all(|f| bits(a, f) == bits(b, f)));
}

/// The left hand by so much at a frame.
fn pull(edit: &Edit, motion: &Motion, frame: usize, by: Vector3<f64>) -> Constraint {
    let hand = walker::names(&edit.figure.skeleton).hands[0];
    let target = at(&edit.figure.skeleton, motion, frame, hand) + by;
    hold((frame, frame), hand, Goal::At(Targets::One(target)))
}

/// Both feet where they are while they stand.
fn planted(edit: &Edit, motion: &Motion) -> Vec<Constraint> {
    let names = walker::names(&edit.figure.skeleton);
    let points = (0..2).flat_map(|side| [(side, names.toes[side]), (side, names.feet[side])]);
    let of = |(side, joint): (usize, usize)| {
        walker::stances(motion.frames(), side).into_iter().map(move |frames| {
            hold(frames, joint, Goal::At(Targets::One(at(&edit.figure.skeleton, motion, frames.0, joint))))
        })
    };
    points.flat_map(of).collect()
}

#[test]
fn nothing_asked_is_nothing_changed() {
    let (mut edit, motion) = walker::edit(FRAMES, Vec::new());
    assert_same(&solve(&edit, &motion).motion, &motion, 0..FRAMES);
    // Nor is what holds already.
    let open = Limit { joint: 2, kind: LimitKind::Cone(Vector3::y()), least: 0.0, most: 3.0 };
    edit.figure.limits = vec![open];
    let floor = Region::Below { normal: Vector3::y(), at: -0.5 };
    edit.constraints = vec![hold((0, FRAMES - 1), 4, Goal::Outside(floor))];
    let solution = solve(&edit, &motion);
    assert_same(&solution.motion, &motion, 0..FRAMES);
    assert!(solution.misses == [0.0] && solution.passed == [0.0]);
}

/// Joints no row touches keep their bits, in every frame.
#[test]
fn what_nothing_touches_keeps_its_bits() {
    let (mut edit, motion) = walker::edit(FRAMES, Vec::new());
    edit.constraints = vec![pull(&edit, &motion, 90, Vector3::new(0.0, 0.2, 0.1))];
    let solution = solve(&edit, &motion);
    let names = walker::names(&edit.figure.skeleton);
    for joint in [names.knee, names.feet[1], names.head, names.hands[1]] {
        for f in 0..FRAMES {
            assert_eq!(solution.motion.rotation(f, joint), motion.rotation(f, joint));
            assert_eq!(solution.motion.translation(f, joint), motion.translation(f, joint));
        }
    }
    assert!(farthest(&edit.figure.skeleton, &motion, &solution.motion) > 0.15);
}

/// Every goal, one at a time, with the feet where they stand.
#[test]
fn hard_rows_are_met_whatever_they_ask() {
    let (edit, motion) = walker::edit(FRAMES, Vec::new());
    let skeleton = &edit.figure.skeleton;
    let names = walker::names(skeleton);
    let hand = names.hands[0];
    let p = |frame: usize| at(skeleton, &motion, frame, hand);
    let turned = UnitQuaternion::from_scaled_axis(Vector3::new(0.3, 0.2, -0.2));
    let path = (60..=100).map(|f| (f % 10 == 0).then(|| p(f) + Vector3::new(0.1, 0.1, 0.0))).collect();
    let (a, b) = (p(60) + Vector3::new(0.1, 0.1, -0.3), p(100) + Vector3::new(0.1, 0.2, 0.3));
    let ball = Region::Sphere { center: p(90) + Vector3::new(0.05, 0.0, 0.0), radius: 0.2 };
    let corner = p(80) + Vector3::new(0.05, 0.1, -0.5);
    let cube = Region::Box { min: corner, max: corner + Vector3::new(0.5, 0.5, 1.0) };
    let goals = [
        Goal::At(Targets::One(p(80) + Vector3::new(0.1, 0.2, 0.05))),
        Goal::At(Targets::Each(path)),
        Goal::Stay,
        Goal::Plane { point: p(80) + Vector3::new(0.2, 0.0, 0.0), normal: Vector3::new(2.0, 0.3, 0.0) },
        Goal::Along(vec![a, b]),
        Goal::Distance(Targets::One(0.4)),
        Goal::SameAs(30),
        Goal::Orientation(Targets::One(turned)),
        Goal::Velocity(Vector3::new(0.0, 0.002, 0.004)),
        Goal::Inside(cube),
        Goal::Outside(ball),
    ];
    for goal in goals {
        let frames = match goal {
            Goal::At(Targets::One(_)) | Goal::SameAs(_) => (80, 82),
            Goal::Stay | Goal::Velocity(_) => (75, 90),
            Goal::Inside(_) => (76, 90),
            _ => (60, 100),
        };
        let mut own = hold(frames, hand, goal.clone());
        if matches!(goal, Goal::Distance(_)) {
            own.seen_from = Some(Point::joint(names.hands[1]));
        }
        if matches!(goal, Goal::SameAs(_)) {
            own.seen_from = Some(Point::joint(names.hips));
        }
        let mut edit = edit.clone();
        edit.constraints = planted(&edit, &motion);
        edit.constraints.push(own);
        let solution = solve(&edit, &motion);
        let worst = solution.misses.iter().fold(0.0_f64, |a, b| a.max(*b));
        let far = farthest(skeleton, &motion, &solution.motion);
        println!("{goal:?}: {worst:.1e} m, {far:.3} m, {} steps", solution.steps);
        assert!(worst <= 1e-6 * edit.figure.size, "{goal:?}: {:?}", solution.misses);
        assert!(far > 0.005 && solution.is_settled, "{goal:?}: {far} {}", solution.is_settled);
    }
}

/// Limits that the edit would pass hold to a tenth of a degree.
#[test]
fn limits_hold_while_a_hand_is_pulled() {
    let (plain, motion) = walker::edit(FRAMES, Vec::new());
    let elbow = walker::names(&plain.figure.skeleton).elbow;
    let bone = Vector3::new(0.0, -1.0, 0.0);
    let channel = LimitKind::Channel { order: [2, 0, 1], index: 1 };
    let limits = vec![
        Limit { joint: elbow, kind: channel, least: -0.9, most: -0.25 },
        Limit { joint: elbow, kind: LimitKind::Twist(bone), least: -0.1, most: 0.1 },
        Limit { joint: elbow - 1, kind: LimitKind::Cone(bone), least: 0.0, most: 0.8 },
    ];
    let (mut edit, motion) = (
        Edit {
            figure: supple_character::Figure::new(plain.figure.skeleton.clone(), limits, 1, &motion),
            ..plain.clone()
        },
        motion,
    );
    edit.constraints = planted(&edit, &motion);
    edit.constraints.push(pull(&edit, &motion, 90, Vector3::new(0.15, 0.35, 0.2)));
    let free = solve(&Edit { figure: plain.figure, ..edit.clone() }, &motion);
    let passes = |motion: &Motion| {
        let excess = |limit: &Limit, f: usize| {
            let turned = motion.rotation(f, limit.joint).to_rotation_matrix().into_inner();
            limit
                .angle(&turned)
                .and_then(|(angle, _)| limit.excess(angle))
                .map_or(0.0, |(by, _)| by.to_degrees())
        };
        let of = |limit: &Limit| (0..FRAMES).map(|f| excess(limit, f)).fold(0.0, f64::max);
        edit.figure.limits.iter().map(of).collect::<Vec<f64>>()
    };
    let solution = solve(&edit, &motion);
    println!(
        "free {:?}, limited {:?}, {:?}",
        passes(&free.motion),
        passes(&solution.motion),
        solution.misses
    );
    assert!(passes(&free.motion).iter().any(|by| *by > 1.0));
    assert!(passes(&solution.motion).iter().all(|by| *by < 0.1));
    assert!(solution.passed.iter().all(|by| by.to_degrees() < 0.1));
}

#[test]
fn what_cannot_be_reached_gives_and_the_feet_stay() {
    let (mut edit, motion) = walker::edit(FRAMES, Vec::new());
    edit.constraints = planted(&edit, &motion);
    let plants = edit.constraints.len();
    // Frame 45: both feet stand.
    edit.constraints.push(pull(&edit, &motion, 45, Vector3::new(1.6, 0.4, 1.6)));
    let solution = solve(&edit, &motion);
    let (turn, joint, frame) = largest_turn(&motion, &solution.motion);
    let joint = &edit.figure.skeleton.joints()[joint].name;
    let worst = solution.misses[..plants].iter().fold(0.0_f64, |a, b| a.max(*b));
    println!(
        "plants {worst:.4}, hand {:.3}, turn {turn:.0} of {joint} at {frame}, {} steps",
        solution.misses[plants], solution.steps
    );
    assert!(solution.misses[plants] > 0.5, "{:?}", solution.misses);
    assert!(worst <= 0.01, "{worst}");
    assert!(turn <= 120.0, "{turn} {joint} {frame}");
}

#[test]
fn a_loop_closes_in_pose_and_velocity() {
    // A cycle and a bit: the ends do not meet.
    let (mut edit, motion) = walker::edit(175, Vec::new());
    edit.is_loop = true;
    let solution = solve(&edit, &motion);
    assert!(solution.seam < 1e-6 * edit.figure.size, "{}", solution.seam);
    let (out, n) = (&solution.motion, 174);
    for j in 0..out.joints() {
        let turn = |a: usize, b: usize| out.rotation(a, j).inverse() * out.rotation(b, j);
        if j > 0 {
            assert!(turn(0, n).angle() < 1e-6, "{j} {}", turn(0, n).angle());
        }
        assert!((turn(0, 1).scaled_axis() - turn(n - 1, n).scaled_axis()).norm() < 1e-6, "{j}");
    }
    let (first, last) = (out.translation(0, 0), out.translation(n, 0));
    assert!((first.y - last.y).abs() < 1e-6 && (first.z - last.z).abs() > 0.5);
    let up = |f: usize| out.rotation(f, 0).inverse() * Vector3::y();
    assert!((up(0) - up(n)).norm() < 1e-6);
    let far = farthest(&edit.figure.skeleton, &motion, out);
    assert!((0.001..0.2).contains(&far), "{far}");
}

#[test]
fn frames_outside_of_the_window_keep_their_bits() {
    for curve in [CurveKind::Linear, CurveKind::Cubic, CurveKind::BSpline, CurveKind::Hierarchical] {
        let (mut edit, motion) = walker::edit(FRAMES, Vec::new());
        edit.layers[0] = Layer { curve, window: (60, 130), clamped: [true; 2], ..edit.layers[0] };
        edit.constraints = vec![pull(&edit, &motion, 90, Vector3::new(0.0, 0.2, 0.1))];
        let solution = solve(&edit, &motion);
        assert_same(&solution.motion, &motion, (0..=60).chain(130..FRAMES));
        assert!(solution.misses[0] <= 1e-6 * edit.figure.size, "{curve:?} {:?}", solution.misses);
    }
}

#[test]
fn a_second_layer_changes_its_own_window_on_top_of_the_first() {
    let (mut edit, motion) = walker::edit(FRAMES, Vec::new());
    let first = Layer { window: (20, 120), clamped: [true; 2], ..edit.layers[0] };
    edit.layers = vec![first, Layer { window: (100, 160), keys: Keys::Count(3), ..first }];
    edit.constraints = vec![pull(&edit, &motion, 60, Vector3::new(0.0, 0.2, 0.1))];
    let once = solve(&edit, &motion);
    let second = Constraint { layer: 1, ..pull(&edit, &motion, 130, Vector3::new(0.0, 0.1, 0.2)) };
    edit.constraints.push(second);
    let both = solve(&edit, &motion);
    assert_same(&both.motion, &motion, (0..=20).chain(160..FRAMES));
    assert!(both.misses.iter().all(|miss| *miss <= 1e-6 * edit.figure.size), "{:?}", both.misses);
    // What the first one does far from the second is left to it.
    let skeleton = &edit.figure.skeleton;
    let far = farthest(skeleton, &once.motion.cut(0, 80), &both.motion.cut(0, 80));
    assert!(far < 2e-3, "{far}");
}

/// Alone, a hold of h misses 1/(1 + h) of what it asks.
#[test]
fn soft_holds_miss_their_share() {
    for hold in [0.25, 1.0, 4.0] {
        for frames in [(90, 90), (85, 95)] {
            let (mut edit, motion) = walker::edit(FRAMES, Vec::new());
            let head = walker::names(&edit.figure.skeleton).head;
            let by = Vector3::new(0.01, 0.0, 0.005);
            let skeleton = &edit.figure.skeleton;
            let each = (frames.0..=frames.1).map(|f| Some(at(skeleton, &motion, f, head) + by)).collect();
            let mut soft = walker::hold(frames, head, Goal::At(Targets::Each(each)));
            soft.hold = Some(hold);
            edit.constraints = vec![soft];
            let solution = solve(&edit, &motion);
            let reached = at(&edit.figure.skeleton, &solution.motion, 90, head)
                - at(&edit.figure.skeleton, &motion, 90, head);
            let missed = 1.0 - reached.dot(&by) / by.norm_squared();
            println!("hold {hold} over {frames:?}: {missed:.4} for {:.4}", 1.0 / (1.0 + hold));
            assert!((missed - 1.0 / (1.0 + hold)).abs() < 0.02, "{hold} {frames:?} {missed}");
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let (mut edit, motion) = walker::edit(FRAMES, Vec::new());
    edit.constraints = planted(&edit, &motion);
    edit.constraints.push(pull(&edit, &motion, 90, Vector3::new(0.1, 0.3, 0.1)));
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| solve(&edit, &motion))
    };
    let (one, two) = (with(1), with(2));
    assert_same(&one.motion, &two.motion, 0..FRAMES);
    assert_eq!((one.misses, one.steps), (two.misses, two.steps));
}

/// Stops or cancels once the work has begun.
struct After {
    progress: std::sync::Mutex<Option<Progress>>,
    at: f64,
    cancels: bool,
}

impl ProgressSink for After {
    fn update(&self, _: &str, fraction: f64) {
        let progress = self.progress.lock().expect("no panic");
        if let Some(progress) = progress.as_ref().filter(|_| fraction >= self.at) {
            if self.cancels { progress.cancel() } else { progress.stop() }
        }
    }
}

#[test]
fn cancelled_work_ends_and_stopped_work_answers() {
    let (mut edit, motion) = walker::edit(FRAMES, Vec::new());
    edit.constraints = planted(&edit, &motion);
    edit.constraints.push(pull(&edit, &motion, 90, Vector3::new(0.1, 0.4, 0.1)));
    let run = |at: f64, cancels: bool| {
        let after = Arc::new(After { progress: Default::default(), at, cancels });
        let progress = Progress::new(after.clone());
        *after.progress.lock().expect("no panic") = Some(progress.clone());
        release(&edit, &motion, &progress)
    };
    for at in [0.0, 0.6] {
        assert!(matches!(run(at, true), Err(Cancelled)), "{at}");
    }
    let whole = solve(&edit, &motion);
    for at in [0.005, 0.51] {
        let stopped = run(at, false).expect("the best so far");
        assert!(stopped.is_stopped && !stopped.is_settled, "{at}");
        assert!(stopped.steps < whole.steps, "{at}: {} {}", stopped.steps, whole.steps);
        let hand = stopped.misses.len() - 1;
        assert!(stopped.misses[hand] < 0.4, "{at}: {:?}", stopped.misses);
    }
    assert!(!whole.is_stopped);
}

/// What costs much but can be reached is reached: the whole figure by most of a metre.
#[test]
fn what_is_far_but_in_reach_is_reached() {
    let (mut edit, motion) = walker::edit(FRAMES, Vec::new());
    let hips = walker::names(&edit.figure.skeleton).hips;
    let target = at(&edit.figure.skeleton, &motion, 90, hips) + Vector3::new(0.9, 0.3, 0.0);
    edit.constraints = vec![hold((90, 90), hips, Goal::At(Targets::One(target)))];
    let solution = solve(&edit, &motion);
    assert!(solution.misses[0] <= 1e-6 * edit.figure.size, "{:?}", solution.misses);
    assert!(solution.is_settled);
}
