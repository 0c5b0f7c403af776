//! Handles may be added, moved and removed in any order: what counts is what is there.

use super::{Random, kernel, open};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;
use supple_model::Progress;
use supple_spacetime::{Constraints, End, HandleId, Hold, Kernel, Row, Settings, Start};

#[derive(Clone, Debug)]
enum Step {
    Add { id: u64, seed: u64, rows: usize, soft: bool },
    Move { id: u64, seed: u64 },
    Remove { id: u64 },
    Solve,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let id = 0..7u64;
    let step = prop_oneof![
        4 => (id.clone(), 1..40u64, 1..4usize, any::<bool>())
            .prop_map(|(id, seed, rows, soft)| Step::Add { id, seed, rows, soft }),
        3 => (id.clone(), 1..1000u64).prop_map(|(id, seed)| Step::Move { id, seed }),
        2 => id.prop_map(|id| Step::Remove { id }),
        1 => Just(Step::Solve),
    ];
    prop::collection::vec(step, 1..30)
}

fn contacts(kernel: &Arc<Kernel>, with: bool) -> Vec<Row> {
    let mut random = Random::new(77);
    let count = if with { 12 } else { 0 };
    (0..count).map(|_| Row { target: 0.1 * random.number(), ..random.row(kernel) }).collect()
}

fn handle(kernel: &Kernel, seed: u64, rows: usize, soft: bool) -> Vec<Row> {
    let mut random = Random::new(seed);
    let hold = if soft { Hold::Soft(3.0) } else { Hold::Hard };
    let first = random.row(kernel);
    // All rows of a handle stand at one frame, as those of a vertex do.
    (0..rows).map(|_| Row { at: first.at, hold, ..random.row(kernel) }).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..Default::default() })]

    /// Seeds repeat, so that handles are often copies of others: those must neither blow up nor leave traces.
    #[test]
    fn a_history_leaves_no_trace(steps in steps(), with in any::<bool>(), rest in any::<bool>()) {
        let end = if rest { End::Rest } else { End::Free };
        let kernel = kernel(9, Settings { ends: open(Start::Rest, end), ..Settings::new(18, 0.1) });
        let start = || {
            Constraints::with_contacts(kernel.clone(), contacts(&kernel, with), &Progress::silent()).unwrap()
        };
        let mut constraints = start();
        let mut there: BTreeMap<u64, Vec<Row>> = BTreeMap::new();
        for step in steps {
            match step {
                Step::Add { id, seed, rows, soft } => {
                    let rows = handle(&kernel, seed, rows, soft);
                    let added = constraints.add(HandleId(id), rows.clone()).is_ok();
                    prop_assert_eq!(added, !there.contains_key(&id));
                    there.entry(id).or_insert(rows);
                }
                Step::Move { id, seed } => {
                    if let Some(rows) = there.get_mut(&id) {
                        let targets = Random::new(seed).numbers(rows.len());
                        constraints.set_targets(HandleId(id), &targets).unwrap();
                        rows.iter_mut().zip(targets).for_each(|(row, target)| row.target = target);
                    } else {
                        prop_assert!(constraints.set_targets(HandleId(id), &[0.0]).is_err());
                    }
                }
                Step::Remove { id } => {
                    prop_assert_eq!(constraints.remove(HandleId(id)).is_ok(), there.remove(&id).is_some());
                }
                Step::Solve => {
                    constraints.solve();
                }
            }
        }
        let mut fresh = start();
        // The other way round, to show that the order does not matter either.
        for (id, rows) in there.iter().rev() {
            fresh.add(HandleId(*id), rows.clone()).unwrap();
        }
        let (edit, again) = (constraints.solve(), fresh.solve());
        let (states, others) = (edit.path.states(0..18), again.path.states(0..18));
        prop_assert_eq!(states.position, others.position);
        prop_assert_eq!(edit.energy, again.energy);
        prop_assert_eq!(&edit.report, &again.report);
        prop_assert!(edit.energy.is_finite() && edit.energy >= -1e-9);
        // What is not reported is met.
        for (id, rows) in &there {
            for (index, row) in rows.iter().enumerate() {
                let name = supple_spacetime::RowName::Handle(HandleId(*id), index);
                let reported = edit.report.unmet.iter().any(|unmet| unmet.row == name);
                if row.hold == Hold::Hard && !reported {
                    prop_assert!((super::value(&edit, row) - row.target).abs() < 2e-2);
                }
            }
        }
    }
}
