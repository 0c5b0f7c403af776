//! Long motions in windows of keys.

use super::bodies::Strains;
use super::{norm, quiet, solved};
use std::sync::Arc;
use supple_model::Status;
use supple_spacetime::{
    ControlGuess, ControlKey, ControlPath, ControlProblem, ControlSettings, ControlStart, ControlTask,
    ControlTime,
};

fn problem(start: Option<ControlStart>) -> ControlProblem {
    let pose = |k: usize| (0..3).map(|c| 0.4 * (1.9 * k as f64 + 1.3 * c as f64).sin()).collect();
    let key = |k: usize| {
        let key = ControlKey::hard(12 * (k + 1), pose(k));
        if k == 2 { key.moving(vec![0.5, 0.0, -0.5]) } else { key }
    };
    // In any order.
    let keys: Vec<ControlKey> = [3, 0, 1, 7, 2, 4, 6, 5].map(key).to_vec();
    let task = ControlTask::new(ControlTime::even(101, 0.02), 3, keys);
    let task =
        ControlTask { start: start.unwrap_or_else(|| task.start.clone()), pushes: vec![0.02; 300], ..task };
    ControlProblem::new(Arc::new(Strains::random(3, 2.0, 51)), task).unwrap()
}

#[test]
fn windows_come_near_the_whole() {
    for start in [None, Some(ControlStart::Free)] {
        let problem = problem(start);
        let whole = solved(&problem, &ControlSettings::default(), &ControlGuess::Zero);
        let mut last = f64::INFINITY;
        for keys in [2, 4] {
            let settings = ControlSettings { keys_per_window: Some(keys), ..ControlSettings::default() };
            let (mut frames, mut still) = (Vec::new(), None);
            let mut look = |iterate: &supple_spacetime::ControlIterate<'_>| {
                frames.push(iterate.path.frames());
                still.get_or_insert_with(|| iterate.path.clone());
            };
            let parts = problem.solve(&settings, &ControlGuess::Zero, &quiet(), &mut look).unwrap();
            assert_eq!(parts.report.status, Status::Settled, "{:?}", parts.report);
            assert!(
                parts.report.keys.iter().all(|key| key.error < 1e-9 && key.velocity_error < 1e-8),
                "{:?}",
                parts.report
            );
            assert!(frames.iter().all(|count| *count == 101));
            // At first the frames beyond the window hold still.
            let still: ControlPath = still.unwrap();
            assert_eq!(still.frame(90), still.frame(100));
            let more = parts.report.cost.energy / whole.report.cost.energy - 1.0;
            assert!(more > -1e-10 && more < last, "{keys}: {more}");
            last = more;
            let again = problem.simulate(&parts.path, &parts.forces, &quiet()).unwrap();
            let off: Vec<f64> = again.values().iter().zip(parts.path.values()).map(|(a, b)| a - b).collect();
            assert!(norm(&off) < 1e-7);
        }
        assert!(last < 0.02, "{last}");
    }
}

/// As many keys as there are make one window.
#[test]
fn one_window_is_the_whole() {
    let problem = problem(None);
    let whole = solved(&problem, &ControlSettings::default(), &ControlGuess::Zero);
    let settings = ControlSettings { keys_per_window: Some(8), ..ControlSettings::default() };
    assert_eq!(solved(&problem, &settings, &ControlGuess::Zero), whole);
    // From a motion that is known it takes next to nothing.
    let settings = ControlSettings { keys_per_window: Some(4), ..ControlSettings::default() };
    let guess = ControlGuess::Path(whole.path.values().to_vec());
    let known = solved(&problem, &settings, &guess);
    let parts = solved(&problem, &settings, &ControlGuess::Zero);
    let (a, b) = (known.report.cost.energy, parts.report.cost.energy);
    assert!((a - b).abs() < 1e-8 * a, "{a} {b}");
    assert!(known.report.feedback_iterations <= parts.report.feedback_iterations);
}
