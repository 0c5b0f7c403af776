//! Linear bodies: what the time steps tend to is the exact kernel, started where two equal frames are at rest.

use super::bodies::Springs;
use super::{norm, solved};
use std::sync::Arc;
use supple_model::{Instant, Status};
use supple_spacetime::{
    Constraints, ControlDamping, ControlGuess, ControlKey, ControlProblem, ControlSettings, ControlStart,
    ControlTask, ControlTime, End, Ends, HandleId, Kernel, Order, Oscillator, Row, Settings, Start,
};

const STIFFNESS: [f64; 2] = [9.0, 16.0];
const SECONDS: f64 = 2.0;

fn targets() -> Vec<(f64, Vec<f64>)> {
    vec![(1.0, vec![0.7, -0.3]), (2.0, vec![-0.4, 0.5])]
}

/// The exact motion after a rest `rest` seconds before the first frame, or long before: a kernel with frames of `2 rest`.
fn exact(damping: ControlDamping, rest: f64, start: Start) -> impl Fn(f64) -> Vec<f64> {
    let oscillator =
        |k: f64| Oscillator { eigenvalue: k, delta: 0.5 * (damping.mass + damping.stiffness * k) };
    let dt = 2.0 * rest;
    let frames = (SECONDS / dt).ceil() as usize + 3;
    let ends = Ends::Open { start, end: End::Free };
    let settings = Settings { ends, ..Settings::new(frames, dt) };
    let kernel = Arc::new(Kernel::new(&STIFFNESS.map(oscillator), settings).unwrap());
    let mut constraints = Constraints::new(kernel);
    // The frame before the first is the kernel's frame 0.
    let at = move |time: f64| Instant::new(time / dt + 1.0);
    for (k, (time, target)) in targets().into_iter().enumerate() {
        let rows = (0..2).map(|mode| {
            let weights = (0..2).map(|other| if other == mode { 1.0 } else { 0.0 }).collect();
            Row::position(at(time), weights, target[mode])
        });
        constraints.add(HandleId(k as u64), rows.collect()).unwrap();
    }
    let edit = constraints.solve();
    move |time| {
        let mut z = vec![0.0; 2];
        edit.path.at(at(time), Order::Position, &mut z);
        z
    }
}

/// How far the motion is off the exact one, as a part of it.
fn error(time: ControlTime, damping: ControlDamping) -> f64 {
    error_from(time, damping, Start::RestAtHalf)
}

/// The same from rest, or from wherever forces lead that act before.
fn error_from(time: ControlTime, damping: ControlDamping, start: Start) -> f64 {
    let times: Vec<f64> = (0..time.frames()).map(|k| time.at(k)).collect();
    let rest = 0.5 * time.before;
    let key = |(at, target): (f64, Vec<f64>)| {
        let frame = times.iter().position(|time| (time - at).abs() < 1e-9).unwrap();
        ControlKey::hard(frame, target)
    };
    let mut task = ControlTask::new(time, 2, targets().into_iter().map(key).collect());
    task.damping = damping;
    if start == Start::Arriving {
        task.start = ControlStart::Free;
    }
    let problem = ControlProblem::new(Arc::new(Springs(STIFFNESS.to_vec())), task).unwrap();
    let solution = solved(&problem, &ControlSettings::default(), &ControlGuess::Zero);
    assert_eq!(solution.report.status, Status::Settled, "{:?}", solution.report);
    let exact = exact(damping, rest, start);
    let (mut off, mut size) = (0.0_f64, 0.0_f64);
    for (frame, time) in times.iter().enumerate() {
        let exact = exact(*time);
        let gap: Vec<f64> = exact.iter().zip(solution.path.frame(frame)).map(|(a, b)| a - b).collect();
        (off, size) = (off.max(norm(&gap)), size.max(norm(&exact)));
    }
    off / size
}

#[test]
fn linear_bodies_tend_to_the_kernel_at_second_order() {
    for damping in [ControlDamping::default(), ControlDamping { mass: 0.4, stiffness: 0.02 }] {
        let errors: Vec<f64> = [60, 120, 240]
            .map(|frames| error(ControlTime::even(frames + 1, SECONDS / frames as f64), damping))
            .to_vec();
        assert!(errors[1] < 2e-3, "{errors:?}");
        assert!(errors.windows(2).all(|pair| pair[0] / pair[1] > 3.8), "{errors:?}");
    }
}

/// A free start costs the forces that lead there, as the kernel that arrives from long before has it.
#[test]
fn a_free_start_tends_to_the_kernel_that_arrives() {
    let damping = ControlDamping { mass: 0.4, stiffness: 0.02 };
    let time = |frames: usize| ControlTime::even(frames + 1, SECONDS / frames as f64);
    let errors: Vec<f64> =
        [60, 120, 240].map(|frames| error_from(time(frames), damping, Start::Arriving)).to_vec();
    assert!(errors[1] < 2e-3, "{errors:?}");
    assert!(errors.windows(2).all(|pair| pair[0] / pair[1] > 3.8), "{errors:?}");
}

/// What is stiff and damped has died away long before the first key: once it was as large as you please at a free start.
#[test]
fn a_free_start_leaves_stiff_shapes_alone() {
    let key = |frame: usize, soft: f64| ControlKey::hard(frame, vec![soft, 0.01 * soft]);
    let damping = ControlDamping { mass: 0.2, stiffness: 0.01 };
    let task = ControlTask {
        damping,
        start: ControlStart::Free,
        ..ControlTask::new(ControlTime::even(61, 1.0 / 60.0), 2, vec![key(30, 0.7), key(60, -0.4)])
    };
    let problem = ControlProblem::new(Arc::new(Springs(vec![9.0, 1e4])), task).unwrap();
    let solution = solved(&problem, &ControlSettings::default(), &ControlGuess::Zero);
    assert_eq!(solution.report.status, Status::Settled, "{:?}", solution.report);
    let largest = (0..61).map(|frame| solution.path.frame(frame)[1].abs()).fold(0.0, f64::max);
    assert!(largest < 0.01, "{largest}");
}

/// Twice as slow from one key to the next: steps that jump at a key.
#[test]
fn steps_that_change_at_keys_are_of_second_order_too() {
    let damping = ControlDamping { mass: 0.4, stiffness: 0.02 };
    let arcs = |n: usize| ControlTime::arcs(&[(n, 1.0 / n as f64), (2 * n, 0.5 / n as f64)]);
    let errors: Vec<f64> = [30, 60, 120].map(|n| error(arcs(n), damping)).to_vec();
    assert!(errors[2] < 2e-3, "{errors:?}");

    assert!(errors.windows(2).all(|pair| pair[0] / pair[1] > 3.5), "{errors:?}");
}

/// A key of weight 1 under the usual effort misses a few parts in ten thousand of what moves freely, whatever the time.
#[test]
fn the_usual_effort_misses_little_at_any_speed() {
    for seconds in [0.01, 1.0, 100.0] {
        let keys = vec![ControlKey::soft(60, vec![2.0], 1.0)];
        let task = ControlTask::new(ControlTime::even(61, seconds / 60.0), 1, keys);
        let problem = ControlProblem::new(Arc::new(Springs(vec![0.0])), task).unwrap();
        let solution = solved(&problem, &ControlSettings::default(), &ControlGuess::Zero);
        // From rest to anywhere costs 3d²/2τ³: 3e-4 of the way is left.
        let missed = solution.report.keys[0].error / 2.0;
        assert!((missed - 3e-4).abs() < 2e-5, "{seconds} s: {missed}");
    }
}
