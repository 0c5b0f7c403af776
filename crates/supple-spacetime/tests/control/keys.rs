//! What keys ask for: hard and soft, of parts, with velocities.

use super::bodies::{Springs, Strains};
use super::{dot, norm, solved};
use crate::random::Random;
use std::sync::Arc;
use supple_model::Status;
use supple_spacetime::{
    ControlAsked, ControlGuess, ControlKey, ControlProblem, ControlSettings, ControlTask, ControlTime, Hold,
};

const R: usize = 4;

fn problem(keys: Vec<ControlKey>) -> ControlProblem {
    let task = ControlTask::new(ControlTime::even(41, 0.025), R, keys);
    ControlProblem::new(Arc::new(Strains::random(R, 2.0, 31)), task).unwrap()
}

fn poses() -> [Vec<f64>; 2] {
    [vec![0.4, -0.3, 0.2, 0.1], vec![-0.3, 0.3, 0.0, -0.2]]
}

fn solution(keys: Vec<ControlKey>) -> supple_spacetime::ControlSolution {
    let solution = solved(&problem(keys), &ControlSettings::default(), &ControlGuess::Zero);
    assert_eq!(solution.report.status, Status::Settled, "{:?}", solution.report);
    solution
}

#[test]
fn hard_keys_are_what_ever_firmer_ones_tend_to() {
    let [a, b] = poses();
    let hard = solution(vec![ControlKey::hard(18, a.clone()), ControlKey::hard(40, b.clone())]);
    assert!(hard.report.keys.iter().all(|key| key.is_hard && key.error <= 1e-8 * key.size));
    assert_eq!(hard.report.cost.penalty, 0.0);
    let mut last = f64::INFINITY;
    for weight in [1.0, 1e2, 1e4] {
        let soft =
            solution(vec![ControlKey::soft(18, a.clone(), weight), ControlKey::soft(40, b.clone(), weight)]);
        let off: Vec<f64> = hard.path.values().iter().zip(soft.path.values()).map(|(a, b)| a - b).collect();
        assert!(norm(&off) < 0.05 * last, "{weight}: {}", norm(&off));
        assert!(soft.report.cost.energy < hard.report.cost.energy);
        last = norm(&off);
    }
    assert!(last < 1e-4, "{last}");
    // Keys are told in the order they are given, whatever their frames.
    let turned = solution(vec![ControlKey::hard(40, b), ControlKey::soft(18, a, 1.0)]);
    assert_eq!(
        turned.report.keys.iter().map(|key| (key.frame, key.is_hard)).collect::<Vec<_>>(),
        [(40, true), (18, false)]
    );
}

/// Coordinates that do not count are where the least force takes them; rows that read coordinates are those.
#[test]
fn parts_are_asked_for_as_components_or_rows() {
    let [a, b] = poses();
    for hold in [Hold::Hard, Hold::Soft(5.0)] {
        let weights = vec![1.0, 0.0, 4.0, 0.0];
        let of = |asked: ControlAsked, target: Vec<f64>| ControlKey {
            hold,
            ..ControlKey::hard(18, target).of(asked)
        };
        let whole = solution(vec![
            ControlKey { hold, ..ControlKey::hard(18, a.clone()) },
            ControlKey::hard(40, b.clone()),
        ]);
        let part =
            solution(vec![of(ControlAsked::Components(weights), a.clone()), ControlKey::hard(40, b.clone())]);
        assert!(part.report.cost.energy < 0.98 * whole.report.cost.energy);
        // √4 of the third coordinate, and a row that says the first again.
        let half = 0.5_f64.sqrt();
        let rows = vec![half, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, half, 0.0, 0.0, 0.0];
        let target = vec![half * a[0], 2.0 * a[2], half * a[0]];
        let rows = solution(vec![of(ControlAsked::Rows(rows), target), ControlKey::hard(40, b.clone())]);
        let off: Vec<f64> = part.path.values().iter().zip(rows.path.values()).map(|(a, b)| a - b).collect();
        assert!(norm(&off) < 1e-7, "{hold:?}: {}", norm(&off));
        if hold == Hold::Hard {
            let z = part.path.frame(18);
            assert!((z[0] - a[0]).abs() < 1e-10 && (z[2] - a[2]).abs() < 1e-10 && (z[1] - a[1]).abs() > 1e-3);
            assert!(rows.report.keys[0].error < 1e-8);
        }
    }
}

#[test]
fn velocities_are_met_hard_and_softly() {
    let [a, b] = poses();
    let speed = vec![3.0, 0.0, -2.0, 1.0];
    let velocity = |solution: &supple_spacetime::ControlSolution, frame: usize| -> Vec<f64> {
        let (before, after) = (solution.path.frame(frame - 1), solution.path.frame(frame + 1));
        before.iter().zip(after).map(|(a, b)| (b - a) / 0.05).collect()
    };
    let still = solution(vec![ControlKey::hard(18, a.clone()), ControlKey::hard(40, b.clone())]);
    let hard = solution(vec![
        ControlKey::hard(18, a.clone()).moving(speed.clone()),
        ControlKey::hard(40, b.clone()).moving(vec![0.0; R]),
    ]);
    let off = |v: &[f64]| norm(&v.iter().zip(&speed).map(|(a, b)| a - b).collect::<Vec<f64>>());
    assert!(off(&velocity(&hard, 18)) < 1e-8, "{:?}", velocity(&hard, 18));
    assert!(off(&velocity(&still, 18)) > 0.5);
    assert!(
        hard.report.keys.iter().all(|key| key.velocity_error < 1e-8 && key.error < 1e-8),
        "{:?}",
        hard.report
    );
    let soft = solution(vec![
        ControlKey::soft(18, a, 1.0).moving(speed.clone()),
        ControlKey::hard(40, b).moving(vec![0.0; R]),
    ]);
    let missed = off(&velocity(&soft, 18));
    assert!(missed > 1e-6 && missed < 0.05 * norm(&speed), "{missed}");
    assert!((soft.report.keys[0].velocity_error - missed).abs() < 1e-10);
    // The last frame's is of second order from behind.
    let z = |k: usize| hard.path.frame(k);
    let end: Vec<f64> = (0..R).map(|k| (3.0 * z(40)[k] - 4.0 * z(39)[k] + z(38)[k]) / 0.05).collect();
    assert!(norm(&end) < 1e-8, "{end:?}");
}

/// Three poses after one another leave no choice of the velocity between them.
#[test]
fn contradicting_hard_keys_are_a_compromise() {
    let [a, b] = poses();
    let keys = vec![
        ControlKey::hard(17, a.clone()),
        ControlKey::hard(18, a.clone()).moving(vec![1.0; R]),
        ControlKey::hard(19, a),
        ControlKey::hard(40, b.clone()),
    ];
    let found = solved(&problem(keys), &ControlSettings::default(), &ControlGuess::Zero);
    assert_eq!(found.report.status, Status::Compromise, "{:?}", found.report);
    assert!((found.report.keys[1].velocity_error - 2.0).abs() < 1e-6);
    // Rows that no pose meets.
    let row = [1.0, 0.0, 0.0, 0.0];
    let twice = ControlKey::hard(18, vec![0.1, 0.3]).of(ControlAsked::Rows(row.repeat(2)));
    let found = solved(
        &problem(vec![twice, ControlKey::hard(40, b)]),
        &ControlSettings::default(),
        &ControlGuess::Zero,
    );
    assert_eq!(found.report.status, Status::Compromise, "{:?}", found.report);
    assert!((found.path.frame(18)[0] - 0.2).abs() < 1e-9);
}

/// Many soft rows cost what they cost one by one.
#[test]
fn soft_rows_cost_what_they_say() {
    let mut random = Random::new(5);
    let (rows, target) = (random.numbers(9 * R), random.numbers(9));
    let key = ControlKey::soft(18, target.clone(), 3.0).of(ControlAsked::Rows(rows.clone()));
    let found = solution(vec![key]);
    let z = found.path.frame(18);
    let off: Vec<f64> = rows.chunks(R).zip(&target).map(|(row, b)| dot(row, z) - b).collect();
    assert!((found.report.keys[0].error - norm(&off)).abs() < 1e-12);
    assert!((found.report.cost.penalty - 1.5 * norm(&off).powi(2)).abs() < 1e-10);
}

/// Of a body without stiffness, a push along the way is made use of: what is known need not be controlled.
#[test]
fn known_loads_are_made_use_of() {
    let keys = |target: f64| vec![ControlKey::hard(20, vec![target])];
    let time = ControlTime::even(21, 0.1);
    let body = Arc::new(Springs(vec![0.0]));
    let plain = ControlTask::new(time.clone(), 1, keys(1.0));
    let pushed = ControlTask { load: vec![0.2], pushes: vec![0.3; 20], ..plain.clone() };
    let alone = ControlProblem::new(body.clone(), plain).unwrap();
    let path = alone.path(&[0.0; 21]).unwrap();
    // Where a constant force of a half leads in 20 steps.
    let led = alone.simulate(&path, &[0.5; 20], &super::quiet()).unwrap().frame(20)[0];
    let solve = |problem: ControlProblem| solved(&problem, &ControlSettings::default(), &ControlGuess::Zero);
    let with = solve(ControlProblem::new(body.clone(), pushed.clone()).unwrap());
    let without =
        solve(ControlProblem::new(body.clone(), ControlTask::new(time, 1, keys(1.0 - led))).unwrap());
    assert!(with.forces.iter().zip(&without.forces).all(|(a, b)| (a - b).abs() < 1e-9));
    let there = solve(ControlProblem::new(body, ControlTask { keys: keys(led), ..pushed }).unwrap());
    assert!(norm(&there.forces) < 1e-9);
}
