//! Forces alone make the motion again; feedback holds it against pushes.

use super::bodies::{Chain, Strains};
use super::{norm, quiet, solved};
use std::sync::Arc;
use supple_model::ReducedDynamics;
use supple_spacetime::{
    ControlDamping, ControlError, ControlGuess, ControlKey, ControlProblem, ControlQuantity, ControlSettings,
    ControlSolution, ControlStart, ControlTask, ControlTime, TrackSettings,
};

fn problems() -> Vec<(&'static str, ControlProblem)> {
    let make = |body: Arc<dyn ReducedDynamics>, a: Vec<f64>, b: Vec<f64>| {
        let r = body.coordinates();
        let keys = vec![ControlKey::hard(30, a), ControlKey::hard(60, b)];
        let damping = ControlDamping { mass: 0.1, stiffness: 0.001 };
        let task = ControlTask {
            damping,
            load: vec![0.05; r],
            ..ControlTask::new(ControlTime::even(61, 0.02), r, keys)
        };
        ControlProblem::new(body, task).unwrap()
    };
    let chain = Chain::complete(2, 100.0, 6.0, 4).few(3);
    vec![
        ("strains", make(Arc::new(Strains::random(3, 2.0, 41)), vec![0.4, -0.3, 0.2], vec![-0.4, 0.2, 0.1])),
        ("a chain", make(Arc::new(chain), vec![-0.1, 0.6, 0.2], vec![0.0, -0.5, 0.3])),
    ]
}

fn size(solution: &ControlSolution) -> f64 {
    (0..solution.path.frames()).map(|k| norm(solution.path.frame(k))).fold(0.0, f64::max)
}

fn off(solution: &ControlSolution, frame: usize, z: &[f64]) -> f64 {
    norm(&solution.path.frame(frame).iter().zip(z).map(|(a, b)| a - b).collect::<Vec<f64>>())
}

#[test]
fn forces_make_the_motion_again() {
    for (name, problem) in problems() {
        let solution = solved(&problem, &ControlSettings::default(), &ControlGuess::Zero);
        let again = problem.simulate(&solution.path, &solution.forces, &quiet()).unwrap();
        let most = (0..61).map(|k| off(&solution, k, again.frame(k))).fold(0.0, f64::max);
        assert!(most <= 1e-8 * size(&solution), "{name}: {most:e}");
        // Frame by frame it is the same, to the bit.
        let mut simulation = problem.simulation(solution.path.before(), solution.path.frame(0)).unwrap();
        for (k, w) in solution.forces.chunks(problem.coordinates()).enumerate() {
            assert_eq!(simulation.frame(), k);
            simulation.advance(w).unwrap();
            assert_eq!(simulation.now(), again.frame(k + 1), "{name}: frame {k}");
            assert_eq!(simulation.before(), again.frame(k), "{name}: frame {k}");
        }
        assert!(simulation.is_over());
    }
}

/// How far pushes leave the motion at its end, with forces as they are told.
fn ended(
    problem: &ControlProblem,
    solution: &ControlSolution,
    push: f64,
    force: impl Fn(usize, &[f64], &[f64], &mut [f64]),
) -> f64 {
    let r = problem.coordinates();
    let mut simulation = problem.simulation(solution.path.before(), solution.path.frame(0)).unwrap();
    let mut w = vec![0.0; r];
    for frame in 0..60 {
        force(frame, simulation.before(), simulation.now(), &mut w);
        if (15..30).contains(&frame) {
            w[frame % r] += push;
        }
        simulation.advance(&w).unwrap();
    }
    off(solution, 60, simulation.now()) / size(solution)
}

#[test]
fn tracking_makes_a_push_good() {
    for (name, problem) in problems() {
        let r = problem.coordinates();
        let solution = solved(&problem, &ControlSettings::default(), &ControlGuess::Zero);
        let tracker = problem.tracker(&solution, &TrackSettings::default(), &quiet()).unwrap();
        let open = |frame: usize, _: &[f64], _: &[f64], w: &mut [f64]| {
            w.copy_from_slice(&solution.forces[frame * r..][..r]);
        };
        let held =
            |frame: usize, before: &[f64], now: &[f64], w: &mut [f64]| tracker.force(frame, before, now, w);
        // On the motion itself, feedback is none.
        let mut w = vec![0.0; r];
        tracker.force(20, solution.path.frame(19), solution.path.frame(20), &mut w);
        assert_eq!(w, solution.forces[20 * r..][..r]);
        let mut push = 1.0;
        while ended(&problem, &solution, push, open) < 0.1 {
            push *= 1.3;
        }
        let (untracked, tracked) =
            (ended(&problem, &solution, push, open), ended(&problem, &solution, push, held));
        assert!(untracked < 0.4 && tracked <= 0.01, "{name}: {untracked} {tracked}");
        let firm = TrackSettings { firmness: f64::NAN, ..TrackSettings::default() };
        let error = problem.tracker(&solution, &firm, &quiet()).unwrap_err();
        assert!(
            matches!(error, ControlError::BadNumber { quantity: ControlQuantity::Firmness, .. }),
            "{error}"
        );
    }
}

/// A segment goes on where the last one ended, at its speed: no jump, and without keys nearby hardly any force.
#[test]
fn a_segment_goes_on_from_the_last_two_frames() {
    let (_, problem) = problems().remove(0);
    let first = solved(&problem, &ControlSettings::default(), &ControlGuess::Zero);
    let ControlStart::Frames { before, first: now } = first.path.end() else { panic!("two frames") };
    assert_eq!((before.as_slice(), now.as_slice()), (first.path.frame(59), first.path.frame(60)));
    let body = Arc::new(Strains::random(3, 2.0, 41));
    let task = ControlTask { start: first.path.end(), ..problem.task().clone() };
    let next = ControlProblem::new(body, task).unwrap();
    let second = solved(&next, &ControlSettings::default(), &ControlGuess::Zero);
    assert_eq!((second.path.before(), second.path.frame(0)), (before.as_slice(), now.as_slice()));
    assert!(second.report.keys.iter().all(|key| key.error < 1e-8));
    // The frame after the seam follows from the two before it under a force of the usual size.
    let most = second.forces.chunks(3).map(norm).fold(0.0, f64::max);
    assert!(norm(&second.forces[..3]) <= most);
    let again = next.simulate(&second.path, &second.forces, &quiet()).unwrap();
    assert!((0..61).all(|k| off(&second, k, again.frame(k)) < 1e-8));
}
