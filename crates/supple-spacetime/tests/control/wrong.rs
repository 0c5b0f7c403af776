//! What cannot be: errors that name it.

use super::bodies::{Springs, Strains};
use super::quiet;
use std::sync::Arc;
use supple_model::ReducedDynamics;
use supple_spacetime::{
    ControlAsked, ControlDamping, ControlError, ControlGiven, ControlGuess, ControlKey, ControlProblem,
    ControlQuantity, ControlSettings, ControlSolver, ControlStart, ControlTask, ControlTime, Hold,
};

fn task() -> ControlTask {
    ControlTask::new(ControlTime::even(11, 0.1), 2, vec![ControlKey::hard(10, vec![0.1, 0.2])])
}

fn body() -> Arc<dyn ReducedDynamics> {
    Arc::new(Strains::random(2, 1.0, 1))
}

fn refused(task: ControlTask) -> ControlError {
    ControlProblem::new(body(), task).unwrap_err()
}

#[test]
fn tasks_that_cannot_be_name_what_is_wrong() {
    let key = |frame: usize| ControlKey::hard(frame, vec![0.1, 0.2]);
    let keys = |keys: Vec<ControlKey>| refused(ControlTask { keys, ..task() });
    assert_eq!(keys(vec![]), ControlError::NoKeys);
    assert_eq!(keys(vec![key(11)]), ControlError::KeyOutside { frame: 11, last: 10 });
    assert_eq!(keys(vec![key(0)]), ControlError::KeyAtStart);
    assert_eq!(keys(vec![key(4), key(7), key(4)]), ControlError::TwoKeys { frame: 4 });
    let short = ControlKey::hard(4, vec![0.1]);
    assert_eq!(keys(vec![short]), ControlError::KeyCount { frame: 4, found: 1, wanted: 2 });
    let slow = key(4).moving(vec![0.0; 3]);
    assert_eq!(keys(vec![slow]), ControlError::KeyCount { frame: 4, found: 3, wanted: 2 });
    let few = key(4).of(ControlAsked::Components(vec![1.0]));
    assert_eq!(keys(vec![few]), ControlError::KeyCount { frame: 4, found: 1, wanted: 2 });
    let rows = key(4).of(ControlAsked::Rows(vec![1.0; 3]));
    assert_eq!(keys(vec![rows]), ControlError::KeyCount { frame: 4, found: 3, wanted: 4 });
    let negative = key(4).of(ControlAsked::Components(vec![1.0, -2.0]));
    assert_eq!(keys(vec![negative]), ControlError::KeyWeight { frame: 4, value: -2.0 });
    for asked in [ControlAsked::Components(vec![0.0; 2]), ControlAsked::Rows(vec![0.0; 4])] {
        assert_eq!(keys(vec![key(4).of(asked)]), ControlError::KeyEmpty { frame: 4 });
    }
    for value in [0.0, -1.0, f64::INFINITY] {
        assert_eq!(
            keys(vec![ControlKey { hold: Hold::Soft(value), ..key(4) }]),
            ControlError::KeyHold { frame: 4, value }
        );
    }
    let nan = [
        ControlKey::hard(4, vec![0.1, f64::NAN]),
        key(4).moving(vec![f64::INFINITY, 0.0]),
        key(4).of(ControlAsked::Rows(vec![1.0, 0.0, f64::NAN, 0.0])),
    ];
    for key in nan {
        assert_eq!(keys(vec![key]), ControlError::KeyNotFinite { frame: 4 });
    }
    let free = ControlTask { start: ControlStart::Free, ..task() };
    assert_eq!(refused(free), ControlError::FreeStart { keys: 1 });
}

#[test]
fn numbers_that_cannot_be_are_named() {
    let number = |task: ControlTask, quantity: ControlQuantity| {
        let error = refused(task);
        let is_it = matches!(error, ControlError::BadNumber { quantity: own, .. } if own == quantity);
        assert!(is_it, "{error}");
        assert!(error.to_string().contains("finite, got"), "{error}");
    };
    for step in [0.0, -0.1, f64::NAN] {
        number(ControlTask { time: ControlTime::even(11, step), ..task() }, ControlQuantity::TimeStep);
    }
    let mass = ControlDamping { mass: -1.0, stiffness: 0.0 };
    number(ControlTask { damping: mass, ..task() }, ControlQuantity::MassDamping);
    let stiffness = ControlDamping { mass: 0.0, stiffness: f64::NAN };
    number(ControlTask { damping: stiffness, ..task() }, ControlQuantity::StiffnessDamping);
    let none = refused(ControlTask { time: ControlTime::even(1, 0.1), ..task() });
    assert_eq!(none, ControlError::TooShort { frames: 1 });
    let count = |task: ControlTask| match refused(task) {
        ControlError::Count { given, found, wanted } => (given, found, wanted),
        other => panic!("{other}"),
    };
    assert_eq!(count(ControlTask { load: vec![0.0], ..task() }), (ControlGiven::Load, 1, 2));
    assert_eq!(count(ControlTask { pushes: vec![0.0; 7], ..task() }), (ControlGiven::Pushes, 7, 20));
    let start = |before: Vec<f64>, first: Vec<f64>| ControlTask {
        start: ControlStart::Frames { before, first },
        ..task()
    };
    assert_eq!(count(start(vec![0.0; 3], vec![0.0; 2])), (ControlGiven::Before, 3, 2));
    assert_eq!(count(start(vec![0.0; 2], vec![])), (ControlGiven::First, 0, 2));
    let nan = refused(ControlTask { pushes: [vec![0.0; 19], vec![f64::NAN]].concat(), ..task() });
    assert_eq!(nan, ControlError::NotFinite { given: ControlGiven::Pushes, index: 19 });
    let nothing = ControlProblem::new(Arc::new(Springs(vec![])), task()).unwrap_err();
    assert_eq!(nothing, ControlError::NoCoordinates);
}

#[test]
fn settings_and_motions_that_cannot_be_are_named() {
    let problem = ControlProblem::new(body(), task()).unwrap();
    let solve = |settings: ControlSettings, guess: ControlGuess| {
        problem.solve(&settings, &guess, &quiet(), &mut |_| {}).unwrap_err()
    };
    let with = ControlSettings::default();
    for effort in [0.0, -1.0, f64::NAN] {
        let error = solve(ControlSettings { effort: Some(effort), ..with }, ControlGuess::Zero);
        assert!(
            matches!(error, ControlError::BadNumber { quantity: ControlQuantity::Effort, .. }),
            "{error}"
        );
    }
    let error = solve(ControlSettings { tolerance: 0.0, ..with }, ControlGuess::Zero);
    assert!(matches!(error, ControlError::BadNumber { quantity: ControlQuantity::Tolerance, .. }), "{error}");
    let error = solve(ControlSettings { keys_per_window: Some(1), ..with }, ControlGuess::Zero);
    assert_eq!(error, ControlError::WindowKeys { keys: 1 });
    let cg = ControlSettings { solver: ControlSolver::Cg, ..with };
    assert_eq!(solve(cg, ControlGuess::Zero), ControlError::HardKey { frame: 10 });
    let error = solve(with, ControlGuess::Path(vec![0.0; 21]));
    assert_eq!(error, ControlError::Count { given: ControlGiven::Guess, found: 21, wanted: 22 });
    let error = solve(with, ControlGuess::Path([vec![0.0; 21], vec![f64::NAN]].concat()));
    assert_eq!(error, ControlError::NotFinite { given: ControlGiven::Guess, index: 21 });
    let free = vec![ControlKey::soft(3, vec![0.1; 2], 1.0), ControlKey::soft(9, vec![0.2; 2], 1.0)];
    let free = ControlTask { start: ControlStart::Free, keys: free, ..task() };
    let free = ControlProblem::new(body(), free).unwrap();
    let error = free.solve(&cg, &ControlGuess::Zero, &quiet(), &mut |_| {}).unwrap_err();
    assert_eq!(error, ControlError::FreeStartOfCg);
    let path = problem.path(&[0.0; 22]).unwrap();
    let error = problem.simulate(&path, &[0.0; 4], &quiet()).unwrap_err();
    assert_eq!(error, ControlError::Count { given: ControlGiven::Forces, found: 4, wanted: 20 });
    assert!(problem.simulation(&[0.0; 2], &[0.0, f64::NAN]).is_err());
}

/// A law without a force where the body is turned inside out.
#[derive(Debug)]
struct Barrier;

impl ReducedDynamics for Barrier {
    fn coordinates(&self) -> usize {
        1
    }

    fn force(&self, z: &[f64], force: &mut [f64]) {
        let law = |z: &f64| if *z > -1.0 { 2.0 * (1.0 + z).ln() } else { f64::NAN };
        force.iter_mut().zip(z).for_each(|(force, z)| *force = law(z));
    }

    fn stiffness(&self, z: &[f64], force: &mut [f64], stiffness: &mut [f64]) {
        self.force(z, force);
        stiffness.iter_mut().zip(z).for_each(|(K, z)| *K = 2.0 / (1.0 + z));
    }

    fn curvature(&self, z: &[f64], lambda: &[f64], curvature: &mut [f64]) {
        for ((C, z), lambda) in curvature.iter_mut().zip(z).zip(lambda) {
            *C = -2.0 * lambda / (1.0 + z).powi(2);
        }
    }
}

#[test]
fn where_a_body_has_no_force_is_named_and_never_gone_to() {
    let time = ControlTime::even(21, 0.1);
    let make = |target: f64| {
        let task = ControlTask::new(time.clone(), 1, vec![ControlKey::hard(20, vec![target])]);
        ControlProblem::new(Arc::new(Barrier), task).unwrap()
    };
    let guess =
        |frame: usize| ControlGuess::Path((0..21).map(|k| if k == frame { -1.5 } else { 0.0 }).collect());
    let solve =
        |guess: &ControlGuess| make(-0.9).solve(&ControlSettings::default(), guess, &quiet(), &mut |_| {});
    assert_eq!(solve(&guess(7)).unwrap_err(), ControlError::NoForce { frame: 7 });
    let solution = solve(&ControlGuess::Zero).unwrap();
    assert_eq!(solution.report.status, supple_model::Status::Settled, "{:?}", solution.report);
    assert!(solution.path.values().iter().all(|z| *z > -1.0));
    // Pushed there, a simulation says at which frame.
    let problem = make(-0.9);
    let error = problem.simulate(&solution.path, &[-400.0; 20], &quiet()).unwrap_err();
    assert!(matches!(error, ControlError::Simulation { frame: 1.. }), "{error}");
    let mut simulation = problem.simulation(&[0.0], &[0.0]).unwrap();
    while simulation.advance(&[-400.0]).is_ok() {}
    let (frame, now) = (simulation.frame(), simulation.now().to_vec());
    assert!(simulation.advance(&[-400.0]).is_err());
    assert_eq!((simulation.frame(), simulation.now()), (frame, now.as_slice()));
}
