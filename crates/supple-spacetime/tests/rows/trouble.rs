//! Redundant, contradictory and wrong rows: reported, never blown up.

use super::{Random, error, kernel, open, simple, value};
use nalgebra::{DMatrix, DVector};
use supple_model::Instant;
use supple_spacetime::{
    Constraints, End, FrameProblem, HandleId, Hold, Order, Row, RowName, Settings, SpacetimeError, Start,
};

#[test]
fn twins_share_and_rivals_meet_halfway() {
    let kernel = simple(7, 30);
    let mut random = Random::new(31);
    let mut constraints = Constraints::new(kernel.clone());
    let row = random.row(&kernel);
    constraints.add(HandleId(1), vec![row.clone()]).unwrap();
    let alone = constraints.solve();
    constraints.add(HandleId(2), vec![row.clone()]).unwrap();
    let twins = constraints.solve();
    assert_eq!(twins.report.redundant, [HandleId(1), HandleId(2)]);
    assert!(twins.report.is_met());
    assert!((twins.energy - alone.energy).abs() < 1e-9 * alone.energy);
    constraints.set_targets(HandleId(2), &[row.target + 1.0]).unwrap();
    let rivals = constraints.solve();
    assert_eq!(rivals.report.unmet.len(), 2);
    assert!((rivals.report.unmet[0].residual - 0.5).abs() < 1e-9);
    assert!((rivals.report.unmet[1].residual + 0.5).abs() < 1e-9);
    assert!((value(&rivals, &row) - row.target - 0.5).abs() < 1e-9);
}

#[test]
fn nearly_equal_rows_stay_bounded() {
    let kernel = simple(7, 30);
    let mut random = Random::new(32);
    let row = random.row(&kernel);
    let size = {
        let mut constraints = Constraints::new(kernel.clone());
        constraints.add(HandleId(0), vec![row.clone()]).unwrap();
        constraints.solve().path.states(0..30).position.norm_max()
    };
    for distance in [1e-2, 1e-3, 1e-4, 1e-6, 1e-9, 1e-13] {
        let mut constraints = Constraints::new(kernel.clone());
        let mut near = Row { target: row.target + 0.01, ..row.clone() };
        near.weights.iter_mut().for_each(|c| *c += distance * random.number());
        constraints.add(HandleId(0), vec![row.clone()]).unwrap();
        constraints.add(HandleId(1), vec![near]).unwrap();
        let edit = constraints.solve();
        let largest = edit.path.states(0..30).position.norm_max();
        assert!(largest < 3000.0 * size, "{distance:e}: {largest} against {size}");
        if distance < 1e-4 {
            assert_eq!(edit.report.redundant, [HandleId(0), HandleId(1)], "{distance:e}");
            assert!(!edit.report.is_met());
        }
    }
}

#[test]
fn truncation_is_that_of_the_scaled_spectrum() {
    // Against an eigendecomposition by another library, with rows in very different units.
    let kernel = simple(5, 30);
    let mut random = Random::new(33);
    let mut rows: Vec<Row> = (0..6).map(|_| random.row(&kernel)).collect();
    rows.push(rows[2].clone());
    rows[6].target += 0.3;
    let sizes = [1.0, 1e4, 1e-5, 1.0, 30.0, 1e-2, 1e-5];
    for (row, size) in rows.iter_mut().zip(sizes) {
        row.weights.iter_mut().for_each(|c| *c *= size);
        row.target *= size;
    }
    let mut constraints = Constraints::new(kernel.clone());
    for (id, row) in rows.iter().enumerate() {
        constraints.add(HandleId(id as u64), vec![row.clone()]).unwrap();
    }
    let edit = constraints.solve();
    let mut P = [0.0; 5];
    let n = rows.len();
    let S = DMatrix::from_fn(n, n, |a, b| {
        kernel.covariance((rows[a].at, rows[a].order), (rows[b].at, rows[b].order), &mut P);
        (0..5).map(|k| rows[a].weights[k] * rows[b].weights[k] * P[k]).sum::<f64>()
    });
    let d = S.diagonal().map(|s| 1.0 / s.sqrt());
    let eigen = DMatrix::from_fn(n, n, |a, b| S[(a, b)] * d[a] * d[b]).symmetric_eigen();
    let t = DVector::from_fn(n, |a, _| rows[a].target * d[a]);
    let mut mu = DVector::zeros(n);
    for (value, vector) in eigen.eigenvalues.iter().zip(eigen.eigenvectors.column_iter()) {
        if *value > 1e-6 * eigen.eigenvalues.max() {
            mu += vector * (vector.dot(&t) / value);
        }
    }
    let mu = DVector::from_fn(n, |a, _| mu[a] * d[a]);
    let energy = 0.5 * mu.dot(&(&S * &mu));
    assert!((edit.energy - energy).abs() < 1e-9 * energy, "{} {energy}", edit.energy);
    assert_eq!(edit.report.redundant, [HandleId(2), HandleId(6)]);
}

#[test]
fn more_rows_than_freedom_are_fitted() {
    // Two modes at one frame can be told two positions; the rest is a compromise.
    let kernel = simple(2, 20);
    let mut random = Random::new(34);
    let mut constraints = Constraints::new(kernel.clone());
    for id in 0..5 {
        constraints.add(HandleId(id), vec![Row::position(9, random.numbers(2), random.number())]).unwrap();
    }
    let edit = constraints.solve();
    assert!(!edit.report.is_met() && !edit.report.redundant.is_empty());
    assert!(edit.path.states(0..20).position.norm_max() < 100.0);
}

#[test]
fn what_no_mode_moves_is_reported() {
    let mut constraints = Constraints::new(simple(3, 20));
    constraints.add(HandleId(0), vec![Row::position(5, vec![0.0; 3], 2.0)]).unwrap();
    constraints.add(HandleId(1), vec![Row::position(9, vec![1.0, 0.3, 0.2], 1.0)]).unwrap();
    let edit = constraints.solve();
    assert_eq!(edit.report.redundant, [HandleId(0)]);
    assert_eq!(edit.report.unmet.len(), 1);
    assert_eq!(
        (edit.report.unmet[0].row, edit.report.unmet[0].residual),
        (RowName::Handle(HandleId(0), 0), -2.0)
    );
}

#[test]
fn nothing_asked_is_nothing_done() {
    let mut constraints = Constraints::new(simple(3, 20));
    let edit = constraints.solve();
    assert_eq!((edit.energy, edit.penalty), (0.0, 0.0));
    assert_eq!(edit.path.states(0..20).position.norm_max(), 0.0);
    constraints.add(HandleId(0), vec![Row::position(5, vec![1.0; 3], 0.0)]).unwrap();
    let edit = constraints.solve();
    assert_eq!(edit.path.states(0..20).position.norm_max(), 0.0);
    assert!(edit.report.is_met());
    assert_eq!(edit.path.peak_forces().unwrap()[0].force, 0.0);
}

#[test]
fn many_handles_on_many_frames_are_met() {
    let kernel = simple(60, 48);
    let mut random = Random::new(35);
    let mut constraints = Constraints::new(kernel.clone());
    for id in 0..20 {
        let frame = 2 + 2 * id;
        let rows = (0..3).map(|_| Row::position(frame, random.numbers(60), random.number())).collect();
        constraints.add(HandleId(id as u64), rows).unwrap();
    }
    let edit = constraints.solve();
    assert!(edit.report.is_met() && edit.report.redundant.is_empty());
    assert!(error(&constraints, &edit) < 1e-9);
}

#[test]
fn wrong_rows_name_themselves() {
    let kernel = kernel(
        3,
        Settings { ends: open(Start::Rest, End::Rest), window: Some((2, 12)), ..Settings::new(20, 0.1) },
    );
    let mut constraints = Constraints::new(kernel);
    let id = HandleId(7);
    let good = Row::position(5, vec![1.0, 0.5, 0.2], 1.0);
    let name = RowName::Handle(id, 1);
    let mut refused = |bad: Row| constraints.add(id, vec![good.clone(), bad]).unwrap_err();
    let frame = |frame: usize| Row { at: frame.into(), ..good.clone() };
    let problem = |problem| SpacetimeError::Frame { row: name, problem };
    assert_eq!(refused(frame(20)), problem(FrameProblem::Missing { frame: Instant::from(20), frames: 20 }));
    assert_eq!(
        refused(frame(15)),
        problem(FrameProblem::OutsideWindow { frame: Instant::from(15), first: 2, last: 12 })
    );
    assert_eq!(refused(frame(2)), problem(FrameProblem::AtRest { frame: Instant::from(2) }));
    assert_eq!(refused(frame(12)), problem(FrameProblem::AtRest { frame: Instant::from(12) }));
    let few = Row { weights: vec![1.0; 2], ..good.clone() };
    assert_eq!(refused(few), SpacetimeError::WeightCount { row: name, weights: 2, modes: 3 });
    let bad = Row { weights: vec![1.0, f64::NAN, 0.0], ..good.clone() };
    assert_eq!(refused(bad), SpacetimeError::BadWeight { row: name, mode: 1 });
    let bad = Row { target: f64::INFINITY, ..good.clone() };
    assert_eq!(refused(bad), SpacetimeError::BadTarget { row: name, value: f64::INFINITY });
    for weight in [0.0, -1.0, f64::INFINITY, 1e-320] {
        let bad = Row { hold: Hold::Soft(weight), order: Order::Velocity, ..good.clone() };
        assert_eq!(refused(bad), SpacetimeError::BadHold { row: name, value: weight });
    }
    assert_eq!(constraints.add(id, Vec::new()), Err(SpacetimeError::EmptyHandle(id)));
    assert_eq!(constraints.remove(id), Err(SpacetimeError::NoHandle(id)));
    assert_eq!(constraints.set_targets(id, &[1.0]), Err(SpacetimeError::NoHandle(id)));
    constraints.add(id, vec![good.clone()]).unwrap();
    assert_eq!(constraints.add(id, vec![good]), Err(SpacetimeError::HandleTaken(id)));
    let found = constraints.set_targets(id, &[1.0, 2.0]);
    assert_eq!(found, Err(SpacetimeError::TargetCount { id, rows: 1, targets: 2 }));
    let found = constraints.set_targets(id, &[f64::NEG_INFINITY]);
    let row = RowName::Handle(id, 0);
    assert_eq!(found, Err(SpacetimeError::BadTarget { row, value: f64::NEG_INFINITY }));
    assert!(constraints.response(HandleId(8), 0).is_err());
}
