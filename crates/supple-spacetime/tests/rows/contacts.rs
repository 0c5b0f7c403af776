//! Contacts are rows like others, only factored once.

use super::{Random, kernel, open, simple, value};
use nalgebra::{DMatrix, DVector};
use supple_model::{Cancelled, Progress};
use supple_spacetime::{
    Constraints, Edit, End, HandleId, Hold, Kernel, Order, Row, RowName, Settings, SpacetimeError, Start,
};

/// S of all rows, 1/w included, entry by entry.
fn dense(kernel: &Kernel, rows: &[Row]) -> DMatrix<f64> {
    let mut P = vec![0.0; kernel.modes()];
    let mut S = DMatrix::zeros(rows.len(), rows.len());
    for (a, first) in rows.iter().enumerate() {
        for (b, second) in rows.iter().enumerate() {
            kernel.covariance((first.at, first.order), (second.at, second.order), &mut P);
            S[(a, b)] = (0..P.len()).map(|k| first.weights[k] * second.weights[k] * P[k]).sum();
        }
        if let Hold::Soft(weight) = first.hold {
            S[(a, a)] += 1.0 / weight;
        }
    }
    S
}

/// What the dense solution of all rows reads at `probe`.
fn oracle(kernel: &Kernel, rows: &[Row], probe: &Row) -> f64 {
    let t = DVector::from_iterator(rows.len(), rows.iter().map(|row| row.target));
    let mu = dense(kernel, rows).lu().solve(&t).unwrap();
    let mut P = vec![0.0; kernel.modes()];
    let mut sum = 0.0;
    for (row, mu) in rows.iter().zip(mu.iter()) {
        kernel.covariance((probe.at, probe.order), (row.at, row.order), &mut P);
        sum += mu * (0..P.len()).map(|k| row.weights[k] * probe.weights[k] * P[k]).sum::<f64>();
    }
    sum
}

fn with_handles(contacts: Vec<Row>, handles: &[Row], kernel: &std::sync::Arc<Kernel>) -> Edit {
    let mut constraints = Constraints::with_contacts(kernel.clone(), contacts, &Progress::silent()).unwrap();
    for (id, row) in handles.iter().enumerate() {
        constraints.add(HandleId(id as u64), vec![row.clone()]).unwrap();
    }
    constraints.solve()
}

#[test]
fn hundreds_of_contacts_match_a_dense_solve() {
    let kernel = kernel(30, Settings { ends: open(Start::Rest, End::Rest), ..Settings::new(40, 1.0 / 24.0) });
    let mut random = Random::new(21);
    let mut rows: Vec<Row> = (0..300).map(|_| random.row(&kernel)).collect();
    for (index, row) in rows.iter_mut().enumerate() {
        if index % 5 != 0 {
            row.hold = Hold::Soft(50.0);
        }
    }
    let probes: Vec<Row> = (0..10).map(|_| random.row(&kernel)).collect();
    let handles: Vec<Row> = (0..4).map(|_| random.row(&kernel)).collect();
    let edit = with_handles(rows.clone(), &handles, &kernel);
    let all: Vec<Row> = rows.iter().chain(&handles).cloned().collect();
    for probe in &probes {
        let (found, exact) = (value(&edit, probe), oracle(&kernel, &all, probe));
        assert!((found - exact).abs() < 1e-7 * (1.0 + exact.abs()), "{found} {exact}");
    }
    for row in all.iter().filter(|row| row.hold == Hold::Hard) {
        assert!((value(&edit, row) - row.target).abs() < 1e-7);
    }
    assert!(edit.report.is_met());
}

#[test]
fn contacts_and_handles_are_the_same_rows() {
    let kernel = simple(12, 30);
    let mut random = Random::new(22);
    let rows: Vec<Row> = (0..10).map(|_| random.row(&kernel)).collect();
    let edits: Vec<Edit> =
        [0, 3, 10].map(|cut| with_handles(rows[..cut].to_vec(), &rows[cut..], &kernel)).into();
    let states: Vec<_> = edits.iter().map(|edit| edit.path.states(0..30).position).collect();
    for other in 1..3 {
        assert!((&states[0] - &states[other]).norm_max() < 1e-9 * states[0].norm_max());
        assert!((edits[0].energy - edits[other].energy).abs() < 1e-9 * edits[0].energy);
    }
}

#[test]
fn redundant_contacts_hold_by_themselves() {
    // Three modes at one frame: all but three of these rows repeat others.
    let kernel = simple(3, 20);
    let mut random = Random::new(23);
    let rows: Vec<Row> = (0..200).map(|_| Row::position(10, random.numbers(3), 0.0)).collect();
    let handle = Row::position(15, random.numbers(3), 1.0);
    let edit = with_handles(rows.clone(), &[handle], &kernel);
    assert_eq!(edit.report.redundant_contacts, 197);
    assert!(edit.report.is_met() && edit.report.redundant.is_empty());
    for row in &rows {
        assert!(value(&edit, row).abs() < 1e-10);
    }
}

#[test]
fn contradictory_contacts_are_named() {
    let kernel = simple(3, 20);
    let mut random = Random::new(24);
    let weights = random.numbers(3);
    let mut rows: Vec<Row> = (0..3).map(|_| random.row(&kernel)).collect();
    rows.push(Row::position(10, weights.clone(), 1.0));
    rows.push(Row::position(10, weights, 2.0));
    let edit = with_handles(rows, &[], &kernel);
    let [unmet] = edit.report.unmet[..] else { panic!("{:?}", edit.report) };
    assert!(matches!(unmet.row, RowName::Contact(3 | 4)));
    assert!((unmet.residual.abs() - 1.0).abs() < 1e-9);
    // An anchored vertex is where it is.
    let rows = vec![Row::position(10, vec![0.0; 3], 0.0), Row::position(11, vec![0.0; 3], 0.5)];
    let edit = with_handles(rows, &[], &kernel);
    assert_eq!(edit.report.unmet.len(), 1);
    assert_eq!(edit.report.unmet[0].row, RowName::Contact(1));
    assert_eq!(edit.report.unmet[0].residual, -0.5);
}

#[test]
fn a_handle_on_what_contacts_hold_is_refused_not_blown_up() {
    let kernel = simple(8, 30);
    let mut random = Random::new(25);
    let mut rows: Vec<Row> = (0..6).map(|_| random.row(&kernel)).collect();
    rows[0] = Row::position(12, random.numbers(8), 0.0);
    for row in &mut rows {
        row.target = 0.0;
    }
    let mut constraints =
        Constraints::with_contacts(kernel.clone(), rows.clone(), &Progress::silent()).unwrap();
    constraints.add(HandleId(4), vec![Row { target: 1.0, ..rows[0].clone() }]).unwrap();
    constraints.add(HandleId(5), vec![random.row(&kernel)]).unwrap();
    let edit = constraints.solve();
    assert_eq!(edit.report.redundant, [HandleId(4)]);
    let unmet: Vec<RowName> = edit.report.unmet.iter().map(|unmet| unmet.row).collect();
    assert_eq!(unmet, [RowName::Handle(HandleId(4), 0)]);
    for row in &rows {
        assert!(value(&edit, row).abs() < 1e-9);
    }
    constraints.remove(HandleId(4)).unwrap();
    assert!((constraints.solve().energy - edit.energy).abs() < 1e-9 * edit.energy);
}

#[test]
fn contacts_at_rest_are_idle() {
    let kernel = kernel(
        4,
        Settings { ends: open(Start::Rest, End::Rest), window: Some((3, 15)), ..Settings::new(20, 0.1) },
    );
    let weights = Random::new(26).numbers(4);
    let rows: Vec<Row> = (0..20).map(|frame| Row::position(frame, weights.clone(), 0.0)).collect();
    let edit = with_handles(rows, &[], &kernel);
    assert_eq!(edit.report.idle_contacts, 9);
    for frame in [0, 3, 15] {
        let rows = vec![Row::position(5, weights.clone(), 0.0), Row::position(frame, weights.clone(), 1.0)];
        let found = Constraints::with_contacts(kernel.clone(), rows, &Progress::silent()).unwrap_err();
        assert!(matches!(found, SpacetimeError::Frame { row: RowName::Contact(1), .. }), "{found}");
    }
}

#[test]
fn a_cancelled_factorization_says_so() {
    let kernel = simple(4, 20);
    let progress = Progress::silent();
    progress.cancel();
    let rows = vec![Row { order: Order::Velocity, ..Row::position(5, vec![1.0; 4], 0.0) }];
    let found = Constraints::with_contacts(kernel, rows, &progress).unwrap_err();
    assert_eq!(found, SpacetimeError::Cancelled(Cancelled));
}
