//! Nonlinear bodies: one minimum from every guess, and from the published solver.

use super::bodies::{Chain, Strains};
use super::{norm, quiet, solved};
use std::sync::Arc;
use supple_model::{ReducedDynamics, Status};
use supple_spacetime::{
    ControlAsked, ControlDamping, ControlGuess, ControlIterate, ControlKey, ControlProblem, ControlSettings,
    ControlSolver, ControlStart, ControlTask, ControlTime,
};

/// A task of soft keys, and the motion that goes straight from key to key.
fn cases() -> Vec<(&'static str, ControlProblem, Vec<f64>)> {
    let case = |body: Arc<dyn ReducedDynamics>, seconds: f64, arc: usize, poses: Vec<Vec<f64>>| {
        let r = body.coordinates();
        let frames = arc * poses.len() + 1;
        let keys = poses.iter().enumerate();
        let keys = keys.map(|(k, pose)| ControlKey::soft((k + 1) * arc, pose.clone(), 1.0)).collect();
        let time = ControlTime::even(frames, seconds / (frames - 1) as f64);
        let damping = ControlDamping { mass: 0.1, stiffness: 0.002 };
        let problem =
            ControlProblem::new(body, ControlTask { damping, ..ControlTask::new(time, r, keys) }).unwrap();
        let all = [vec![vec![0.0; r]], poses].concat();
        let at = |f: usize| {
            let (k, s) = ((f / arc).min(all.len() - 2), f as f64 / arc as f64);
            let s = s - k as f64;
            all[k].iter().zip(&all[k + 1]).map(move |(a, b)| a + s * (b - a)).collect::<Vec<f64>>()
        };
        (problem, (0..frames).flat_map(at).collect::<Vec<f64>>())
    };
    let (pendulum, strains, chain) =
        (Chain::complete(1, 400.0, 2.0, 0), Strains::random(4, 3.0, 11), Chain::complete(3, 150.0, 5.0, 0));
    // A stiff pendulum half around, and back; a body whose strains are as large as it is; a chain curled up; a
    // body that is asked for a strain beyond reason.
    let cases = [
        ("a pendulum", case(Arc::new(pendulum), 2.0, 30, vec![vec![-0.8, 0.95], vec![-0.2, -0.6]])),
        (
            "strains",
            case(Arc::new(strains), 1.0, 24, vec![vec![0.5, -0.4, 0.3, 0.2], vec![-0.5, 0.2, 0.3, -0.3]]),
        ),
        (
            "a chain",
            case(Arc::new(chain), 2.0, 20, vec![vec![-0.1, 0.4, -0.5, 1.2, -1.4, 1.5], vec![0.0; 6]]),
        ),
        (
            "a key beyond reason",
            case(
                Arc::new(Strains::random(4, 3.0, 12)),
                1.0,
                30,
                vec![vec![1.4, -1.2, 1.0, -0.9], vec![-0.8, 0.9, 0.5, 1.1]],
            ),
        ),
    ];
    cases.into_iter().map(|(name, (problem, path))| (name, problem, path)).collect()
}

#[test]
fn every_guess_ends_in_the_same_minimum() {
    for (name, problem, straight) in cases() {
        let guesses = [ControlGuess::Zero, ControlGuess::Pd, ControlGuess::Path(straight)];
        let found: Vec<_> =
            guesses.iter().map(|guess| solved(&problem, &ControlSettings::default(), guess)).collect();
        for solution in &found {
            let report = &solution.report;
            assert_eq!(report.status, Status::Settled, "{name}: {report:?}");
            assert!(report.optimality <= 1e-8, "{name}: {report:?}");
            let (ours, first) = (report.cost.objective, found[0].report.cost.objective);
            assert!((ours - first).abs() < 1e-9 * first, "{name}: {ours} {first}");
            // What is told is what is there.
            assert_eq!(problem.forces(&solution.path), solution.forces, "{name}");
            assert_eq!(problem.cost(&solution.path, report.effort), report.cost, "{name}");
        }
        // The gradient is small beside its parts.
        let path = &found[0].path;
        let ours = norm(&problem.gradient(path, found[0].report.effort, &quiet()).unwrap());
        let off = norm(&problem.gradient(path, 2.0 * found[0].report.effort, &quiet()).unwrap());
        assert!(ours < 1e-6 * off, "{name}: {ours} {off}");
    }
}

#[test]
fn conjugate_gradients_agree_and_are_never_better() {
    for (name, problem, _) in cases().into_iter().take(2) {
        // Firm keys take conjugate gradients thousands of steps.
        let effort = Some(100.0 * problem.auto_effort());
        let newton =
            solved(&problem, &ControlSettings { effort, ..ControlSettings::default() }, &ControlGuess::Zero);
        let settings = ControlSettings {
            solver: ControlSolver::Cg,
            effort,
            tolerance: 2e-5,
            iterations: 3000,
            ..ControlSettings::default()
        };
        let cg = solved(&problem, &settings, &ControlGuess::Zero);
        assert_eq!(newton.report.status, Status::Settled, "{name}: {:?}", newton.report);
        assert_eq!(cg.report.status, Status::Settled, "{name}: {:?}", cg.report);
        let (ours, theirs) = (newton.report.cost.objective, cg.report.cost.objective);
        assert!(theirs >= ours * (1.0 - 1e-10) && theirs <= ours * (1.0 + 1e-6), "{name}: {ours} {theirs}");
        let report = &cg.report;
        assert!(report.gradients > report.iterations && report.forwards >= report.iterations, "{report:?}");
        assert_eq!((newton.report.gradients, report.rollouts, report.feedback_iterations), (0, 0, 0));
    }
}

/// Where a start is free the best one is found: no force is needed at all to swing through two poses of a motion without
/// control.
#[test]
fn a_free_start_finds_the_swing_that_needs_no_force() {
    let body = Arc::new(Strains::random(3, 2.0, 21));
    // Damped, the forces before the start would count.
    let damping = ControlDamping::default();
    let time = ControlTime::even(41, 0.02);
    let start = ControlStart::Frames { before: vec![0.3, 0.1, -0.2], first: vec![0.31, 0.08, -0.18] };
    let keys = vec![ControlKey::soft(1, vec![0.0; 3], 1.0)];
    let swing = ControlTask { damping, start, ..ControlTask::new(time.clone(), 3, keys) };
    let swing = ControlProblem::new(body.clone(), swing).unwrap();
    let path = swing.path(&[0.31, 0.08, -0.18].repeat(41)).unwrap();
    let free = swing.simulate(&path, &vec![0.0; 120], &quiet()).unwrap();

    let keys: Vec<ControlKey> =
        [3, 9, 22].map(|frame| ControlKey::hard(frame, free.frame(frame).to_vec())).to_vec();
    let task = ControlTask { damping, start: ControlStart::Free, ..ControlTask::new(time, 3, keys) };
    let problem = ControlProblem::new(body, task).unwrap();
    let solution = solved(&problem, &ControlSettings::default(), &ControlGuess::Zero);
    let held: f64 = norm(&problem.forces(&problem.path(&free.frame(9).repeat(41)).unwrap()));
    assert!(norm(&solution.forces) < 1e-6 * held, "{:?}", solution.report);
    for frame in 0..41 {
        let off: Vec<f64> =
            free.frame(frame).iter().zip(solution.path.frame(frame)).map(|(a, b)| a - b).collect();
        assert!(norm(&off) < 1e-6, "{frame}: {off:?}");
    }
    assert!((solution.path.before()[0] - 0.3).abs() < 1e-6);
}

/// A chain that is pushed together straight on is in balance, and costs far more than one that gives way sideways. Nothing
/// in a straight motion says which side that would be.
#[test]
fn a_straight_push_is_a_saddle_that_is_left() {
    let key = ControlKey::hard(30, vec![0.0, 0.0, -1.2, 0.0])
        .of(ControlAsked::Components(vec![0.0, 0.0, 1.0, 1.0]));
    let task = ControlTask::new(ControlTime::even(31, 0.04), 4, vec![key]);
    let problem = ControlProblem::new(Arc::new(Chain::complete(2, 80.0, 3.0, 0)), task).unwrap();
    let mut straight = None;
    let mut look = |iterate: &ControlIterate<'_>| {
        if iterate.path.values().chunks(4).all(|z| z[1] == 0.0 && z[3] == 0.0) {
            straight = Some(iterate.cost.energy);
        }
    };
    let settings = ControlSettings::default();
    let left = problem.solve(&settings, &ControlGuess::Zero, &quiet(), &mut look).unwrap();
    assert_eq!(left.report.status, Status::Settled, "{:?}", left.report);
    assert!(left.path.frame(30)[1].abs() > 0.3, "{:?}", left.path.frame(30));
    assert!(left.report.cost.energy < 0.5 * straight.unwrap(), "{:?} {straight:?}", left.report);
    // It is what a motion that begins sideways finds.
    let aside = (0..31).flat_map(|k| {
        let s = f64::from(k) / 30.0;
        [-0.6 * s, 0.8 * s, -1.2 * s, 0.0]
    });
    let aside = solved(&problem, &settings, &ControlGuess::Path(aside.collect()));
    let (a, b) = (left.report.cost.energy, aside.report.cost.energy);
    assert!((a - b).abs() < 1e-9 * a, "{a} {b}");
}
