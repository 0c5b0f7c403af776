//! Who watches a search: threads, cancelling, stopping, iterates.

use super::bodies::{Chain, Strains};
use super::{quiet, solved};
use std::sync::Arc;
use supple_model::{Cancelled, Progress, Status};
use supple_spacetime::{
    ControlError, ControlGuess, ControlIterate, ControlKey, ControlProblem, ControlSettings, ControlSolver,
    ControlStage, ControlTask, ControlTime,
};

/// One that takes some iterations of both kinds.
fn problem() -> ControlProblem {
    let keys = vec![
        ControlKey::soft(20, vec![-0.1, 0.4, -0.5, 1.2, -1.4, 1.5], 1.0),
        ControlKey::soft(40, vec![0.0; 6], 1.0),
    ];
    let body = Arc::new(Chain::complete(3, 150.0, 5.0, 0));
    ControlProblem::new(body, ControlTask::new(ControlTime::even(41, 0.05), 6, keys)).unwrap()
}

#[test]
fn the_bits_are_the_same_on_any_number_of_threads() {
    let hard = {
        let keys = vec![ControlKey::hard(30, vec![0.5, -0.4, 0.3]).moving(vec![1.0, 0.0, 0.0])];
        let task = ControlTask::new(ControlTime::even(31, 0.03), 3, keys);
        ControlProblem::new(Arc::new(Strains::random(3, 3.0, 61)), task).unwrap()
    };
    for problem in [problem(), hard] {
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| solved(&problem, &ControlSettings::default(), &ControlGuess::Pd))
        };
        assert_eq!(on(1), on(2));
    }
}

#[test]
fn iterates_are_seen_and_get_better() {
    let problem = problem();
    let mut seen: Vec<(ControlStage, f64)> = Vec::new();
    let mut look = |iterate: &ControlIterate<'_>| {
        let effort = problem.auto_effort();
        // Soft keys: what is shown is what the motion costs.
        let cost = problem.cost(iterate.path, effort).objective;
        assert!((cost - iterate.cost.objective).abs() < 1e-12 * cost);
        seen.push((iterate.stage, cost));
    };
    let settings = ControlSettings::default();
    let solution = problem.solve(&settings, &ControlGuess::Zero, &quiet(), &mut look).unwrap();
    let report = &solution.report;
    assert!(seen.windows(2).all(|pair| pair[1].1 <= pair[0].1 * (1.0 + 1e-10)), "{seen:?}");
    let of = |stage: ControlStage| seen.iter().filter(|(own, _)| *own == stage).count();
    assert!(
        of(ControlStage::Feedback) == report.feedback_iterations + 1 && report.feedback_iterations > 0,
        "{report:?}"
    );
    assert!(of(ControlStage::Frames) == report.iterations && report.iterations > 1, "{report:?} {seen:?}");
    assert!(report.rollouts >= report.feedback_iterations);
}

#[test]
fn cancelling_ends_with_nothing_and_stopping_with_the_best() {
    let problem = problem();
    for solver in [ControlSolver::Newton, ControlSolver::Cg] {
        let settings = ControlSettings { solver, ..ControlSettings::default() };
        for at in [1, 4, 9] {
            let progress = Progress::silent();
            let mut count = 0;
            let mut look = |_: &ControlIterate<'_>| {
                count += 1;
                if count == at {
                    progress.cancel();
                }
            };
            let answer = problem.solve(&settings, &ControlGuess::Zero, &progress, &mut look);
            assert_eq!(answer.unwrap_err(), ControlError::Cancelled(Cancelled), "{solver:?}");
            assert_eq!(count, at);

            let progress = Progress::silent();
            let (mut count, mut last) = (0, f64::INFINITY);
            let mut look = |iterate: &ControlIterate<'_>| {
                count += 1;
                last = iterate.cost.objective;
                if count == at {
                    progress.stop();
                }
            };
            let stopped = problem.solve(&settings, &ControlGuess::Zero, &progress, &mut look).unwrap();
            assert_eq!((stopped.report.status, count), (Status::Stopped, at), "{solver:?}");
            assert!((stopped.report.cost.objective - last).abs() < 1e-9 * last, "{solver:?}");
        }
    }
    let progress = Progress::silent();
    progress.cancel();
    let path = problem.path(&[0.0; 246]).unwrap();
    assert!(problem.simulate(&path, &[0.0; 240], &progress).is_err());
    assert!(problem.gradient(&path, 1.0, &progress).is_err());
}

#[test]
fn too_few_iterations_are_told() {
    let problem = problem();
    for solver in [ControlSolver::Newton, ControlSolver::Cg] {
        for iterations in [0, 1, 3] {
            let settings = ControlSettings { solver, iterations, ..ControlSettings::default() };
            let short = solved(&problem, &settings, &ControlGuess::Zero);
            assert_eq!(short.report.status, Status::Unfinished, "{:?}", short.report);
            assert_eq!(short.report.feedback_iterations + short.report.iterations, iterations);
            // More of them go on from there.
            let guess = ControlGuess::Path(short.path.values().to_vec());
            let on = solved(&problem, &ControlSettings { iterations: 5, ..settings }, &guess);
            assert!(on.report.cost.objective < short.report.cost.objective);
        }
    }
}
