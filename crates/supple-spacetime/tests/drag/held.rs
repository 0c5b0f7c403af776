//! Handles are held, and no edit that holds them costs less.

use super::bodies::{Beam, Chain};
use super::oracle::Oracle;
use super::{FRAMES, Random, drag, error, kernel, silent, with};
use supple_model::{Instant, Readout};
use supple_spacetime::{Grip, HandleId, Kernel, Status};

/// Lets go of `grips` and checks everything that can be checked from outside.
fn check(kernel: &std::sync::Arc<Kernel>, body: &dyn Readout, grips: &[Grip]) -> f64 {
    let mut drag = with(kernel, grips);
    let report = drag.release(body, &silent()).unwrap();
    assert_eq!(report.status, Status::Settled, "{report:?}");
    assert!(error(&report) < 1e-6 && report.unmet.is_empty());
    let path = drag.path();
    let oracle = Oracle::new(kernel, body, grips, &[], &path);
    assert!((oracle.value(&oracle.z) - oracle.targets()).amax() < 1e-6);
    let stationarity = oracle.stationarity();
    assert!(stationarity < 2e-4, "{stationarity} against {}", report.stationarity);
    let energy = oracle.energy(&oracle.z);
    assert!((report.energy - energy).abs() < 1e-6 * energy, "{} {energy}", report.energy);
    let least = oracle.least_beside(&mut Random::new(5), 0.1);
    assert!(least > 1.0 - 1e-7 && least < 10.0, "{least}");
    report.energy
}

#[test]
fn a_chain_is_folded() {
    let kernel = kernel(6, 1);
    for bend in [0.0, 1.57, 3.0] {
        let chain = Chain::new(20, 6, bend);
        for (x, y) in [(0.5, 0.5), (0.0, 0.6), (-0.5, 0.2), (-0.3, -0.3), (0.2, 0.05)] {
            check(&kernel, &chain, &[Grip::position(0, 25, [x, y, 0.0])]);
        }
    }
}

#[test]
fn a_beam_is_folded() {
    let kernel = kernel(30, 5);
    for bend in [[0.0; 3], [0.0, 1.57, 0.0], [0.5, 2.5, 1.0]] {
        let beam = Beam::new(30, bend, FRAMES, 0.2);
        for target in [[0.5, 0.5, 0.1], [0.0, 0.0, 0.6], [0.5, -0.3, 0.0], [1.2, 0.0, 0.0]] {
            check(&kernel, &beam, &[Grip::position(0, 25, target)]);
        }
    }
}

#[test]
fn several_handles_at_several_frames() {
    let kernel = kernel(15, 5);
    for bend in [[0.0; 3], [0.0, 1.57, 0.0]] {
        let beam = Beam::new(15, bend, FRAMES, 0.2);
        let grips = [
            Grip::position(0, 10, [0.6, 0.4, 0.2]),
            Grip::position(1, 20, [0.3, -0.1, 0.2]),
            Grip { target: [None, Some(-0.2), None], ..Grip::position(0, 30, [0.0; 3]) },
        ];
        check(&kernel, &beam, &grips);
    }
}

#[test]
fn velocities_are_held() {
    let kernel = kernel(15, 5);
    let beam = Beam::new(15, [0.0, 1.0, 0.3], FRAMES, 0.2);
    // A velocity is a way: from the frame before to the one after.
    let way = |target| Grip { less: Some((0, Instant::from(19))), ..Grip::position(0, 21, target) };
    let grips = [way([0.03, 0.2, 0.1]), Grip::position(0, 20, [0.2, -0.5, 0.5])];
    let mut drag = with(&kernel, &grips);
    let report = drag.release(&beam, &silent()).unwrap();
    assert_eq!(report.status, Status::Settled);
    let path = drag.path();
    let oracle = Oracle::new(&kernel, &beam, &grips, &[], &path);
    assert!((oracle.value(&oracle.z) - oracle.targets()).amax() < 3e-6);
    assert!(oracle.stationarity() < 1e-3, "{}", oracle.stationarity());
}

#[test]
fn the_drawn_motion_passes_through_the_handle() {
    // All frames come from the path: at the handle's frame and between, it is one smooth motion.
    let kernel = kernel(15, 5);
    let beam = Beam::new(15, [0.0; 3], FRAMES, 0.2);
    let mut drag = with(&kernel, &[Grip::position(0, 25, [0.4, 0.6, 0.3])]);
    drag.release(&beam, &silent()).unwrap();
    let states = drag.path().states(0..FRAMES);
    let at = |frame: usize| {
        let z: Vec<f64> = states.position.col(frame).iter().copied().collect();
        beam.value(0, frame.into(), &z)
    };
    let tip = at(25);
    assert!((tip[0] - 0.4).abs().max((tip[1] - 0.6).abs()).max((tip[2] - 0.3).abs()) < 1e-7);
    assert_eq!(at(0), beam.value(0, Instant::from(0), &[0.0; 15]));
    for frame in 1..FRAMES {
        let way: f64 = (0..3).map(|axis| (at(frame)[axis] - at(frame - 1)[axis]).abs()).sum();
        assert!(way < 0.4, "{way} at {frame}");
    }
}

#[test]
fn nothing_asked_is_nothing_done() {
    let kernel = kernel(15, 5);
    let beam = Beam::new(15, [0.2, 0.5, 0.1], FRAMES, 0.2);
    let mut drag = drag(&kernel);
    let report = drag.release(&beam, &silent()).unwrap();
    assert_eq!((report.status, report.iterations, report.energy), (Status::Settled, 0, 0.0));
    let here = beam.value(0, Instant::from(12), &[0.0; 15]);
    drag.add(HandleId(3), Grip::position(0, 12, here)).unwrap();
    let report = drag.release(&beam, &silent()).unwrap();
    assert_eq!((report.status, report.iterations, report.energy), (Status::Settled, 0, 0.0));
    assert_eq!(drag.path().states(0..FRAMES).position.norm_max(), 0.0);
}
