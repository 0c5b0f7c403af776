//! Redundant, contradictory, unreachable and wrong handles: reported, never blown up.

use super::bodies::{Beam, Chain};
use super::{FRAMES, drag, error, kernel, silent, with};
use std::sync::Arc;
use supple_model::{Ask, Cancelled, Instant, Linearized, Progress, Readout};
use supple_spacetime::{
    Constraints, Drag, DragSettings, End, Ends, FrameProblem, Grip, HandleId, Hold, Kernel, Oscillator,
    Quantity, Row, RowName, Settings, SpacetimeError, Start, Status,
};

#[test]
fn twins_share_and_rivals_meet_halfway() {
    let kernel = kernel(30, 5);
    let beam = Beam::new(30, [0.0, 1.57, 0.0], FRAMES, 0.2);
    let grip = Grip::position(0, 20, [0.3, 0.6, 0.2]);
    let alone = with(&kernel, &[grip]).release(&beam, &silent()).unwrap();
    let twins = with(&kernel, &[grip, grip]).release(&beam, &silent()).unwrap();
    assert_eq!(twins.status, Status::Settled);
    assert_eq!(twins.redundant, [HandleId(0), HandleId(1)]);
    assert!(alone.redundant.is_empty());
    assert!((twins.energy - alone.energy).abs() < 1e-6 * alone.energy);
    let rival = Grip { target: [Some(0.3), Some(0.6), Some(0.5)], ..grip };
    let rivals = with(&kernel, &[grip, rival]).release(&beam, &silent()).unwrap();
    assert_eq!(rivals.status, Status::Compromise);
    let rows: Vec<RowName> = rivals.unmet.iter().map(|unmet| unmet.row).collect();
    assert_eq!(rows, [RowName::Handle(HandleId(0), 2), RowName::Handle(HandleId(1), 2)]);
    assert!((rivals.unmet[0].residual - 0.15).abs() < 1e-6);
    assert!((rivals.unmet[1].residual + 0.15).abs() < 1e-6);
}

#[test]
fn a_handle_on_what_contacts_hold_is_reported() {
    let kernel = kernel(15, 5);
    let beam = Beam::new(15, [0.0; 3], FRAMES, 0.2);
    // All modes stand still at frame 20.
    let hold = |k: usize| Row::position(20, (0..15).map(|j| f64::from(u8::from(j == k))).collect(), 0.0);
    let constraints = Constraints::with_contacts(kernel, (0..15).map(hold).collect(), &silent()).unwrap();
    let mut drag = Drag::new(&constraints, DragSettings::new(1.0)).unwrap();
    drag.add(HandleId(4), Grip::position(0, 20, [0.9, 0.2, 0.0])).unwrap();
    drag.add(HandleId(5), Grip::position(0, 30, [0.9, 0.2, 0.0])).unwrap();
    let report = drag.release(&beam, &silent()).unwrap();
    assert_eq!(report.status, Status::Compromise);
    assert_eq!(report.redundant, [HandleId(4)]);
    assert!(report.unmet.iter().all(|unmet| matches!(unmet.row, RowName::Handle(HandleId(4), _))));
    assert_eq!(report.unmet.len(), 2);
    assert!(report.errors[1].error.iter().all(|e| e.abs() < 1e-7));
}

#[test]
fn what_is_out_of_reach_is_pointed_at() {
    let kernel = kernel(6, 1);
    for bend in [0.0, 1.57] {
        let chain = Chain::new(20, 6, bend);
        for target in [[1.2, 0.3, 0.0], [0.0, 2.0, 0.0]] {
            let mut drag = with(&kernel, &[Grip::position(0, 25, target)]);
            let report = drag.release(&chain, &silent()).unwrap();
            assert_eq!(report.status, Status::Compromise, "{report:?}");
            assert!(!report.unmet.is_empty() && report.energy < 1e6, "{report:?}");
            let distance =
                |at: [f64; 3]| (0..3).map(|axis| (at[axis] - target[axis]).powi(2)).sum::<f64>().sqrt();
            let best = distance([0.0; 3]) - 1.0;
            let error = report.errors[0].error;
            let found = distance(std::array::from_fn(|axis| error[axis] + target[axis]));
            assert!(found < best + 0.25, "{found} for {best}");
            for _ in 0..20 {
                let live = drag.step(&chain, &silent()).unwrap();
                assert!(live.energy < 1e6 && self::error(&live) < 2.0);
            }
        }
    }
}

#[test]
fn a_saddle_is_left() {
    // The tip of a straight chain can only move aside at first; only a curve leads inwards.
    let chain = Chain::new(20, 6, 0.0);
    let kernel = kernel(6, 1);
    let report = with(&kernel, &[Grip::position(0, 25, [0.7, 0.0, 0.0])]).release(&chain, &silent()).unwrap();
    assert_eq!(report.status, Status::Settled, "{report:?}");
    assert!(error(&report) < 1e-6);
    // Farther than straight there is nothing.
    let report = with(&kernel, &[Grip::position(0, 25, [1.3, 0.0, 0.0])]).release(&chain, &silent()).unwrap();
    assert_eq!((report.status, report.energy), (Status::Compromise, 0.0));
}

#[test]
fn a_stiff_beam_buckles() {
    // Pushed along its axis, a beam that is hard to shorten has a straight solution that is no minimum.
    let kernel = kernel(30, 5);
    let beam = Beam::new(30, [0.0; 3], FRAMES, 0.02);
    let mut drag = with(&kernel, &[Grip::position(0, 25, [0.8, 0.0, 0.0])]);
    let report = drag.release(&beam, &silent()).unwrap();
    assert_eq!(report.status, Status::Settled, "{report:?}");
    let mut z = [0.0; 30];
    drag.path().at(25, supple_spacetime::Order::Position, &mut z);
    let middle = beam.value(1, Instant::from(25), &z);
    assert!(middle[1].hypot(middle[2]) > 0.05, "{middle:?}");
}

#[test]
fn wrong_handles_name_themselves() {
    let ends = Ends::Open { start: Start::Rest, end: End::Rest };
    let settings = Settings { ends, window: Some((2, 12)), ..Settings::new(20, 0.1) };
    let modes = [Oscillator { eigenvalue: 3.0, delta: 0.1 }; 6];
    let kernel = Arc::new(Kernel::new(&modes, settings).unwrap());
    let chain = Chain::new(5, 6, 0.0);
    let mut drag = drag(&kernel);
    let id = HandleId(7);
    let good = Grip::position(0, 5, [0.5, 0.5, 0.0]);
    let name = RowName::Handle(id, 0);
    let problem = |problem| Err(SpacetimeError::Frame { row: name, problem });
    let at = |frame: usize| Grip { at: frame.into(), ..good };
    assert_eq!(drag.add(id, at(2)), problem(FrameProblem::AtRest { frame: Instant::from(2) }));
    assert_eq!(drag.add(id, at(12)), problem(FrameProblem::AtRest { frame: Instant::from(12) }));
    assert_eq!(
        drag.add(id, at(15)),
        problem(FrameProblem::OutsideWindow { frame: Instant::from(15), first: 2, last: 12 })
    );
    assert_eq!(drag.add(id, at(99)), problem(FrameProblem::Missing { frame: Instant::from(99), frames: 20 }));
    let bad = |value: f64| Grip { target: [Some(0.0), Some(value), None], ..good };
    for value in [f64::INFINITY, f64::NEG_INFINITY] {
        let row = RowName::Handle(id, 1);
        assert_eq!(drag.add(id, bad(value)), Err(SpacetimeError::BadTarget { row, value }));
    }
    assert!(matches!(drag.add(id, bad(f64::NAN)), Err(SpacetimeError::BadTarget { .. })));
    assert_eq!(drag.add(id, Grip { target: [None; 3], ..good }), Err(SpacetimeError::EmptyHandle(id)));
    for value in [0.0, -2.0, f64::INFINITY] {
        let soft = Grip { hold: Hold::Soft(value), ..good };
        assert_eq!(drag.add(id, soft), Err(SpacetimeError::BadHold { row: name, value }));
    }
    assert_eq!(drag.remove(id), Err(SpacetimeError::NoHandle(id)));
    assert_eq!(drag.set_target(id, [Some(0.0); 3]), Err(SpacetimeError::NoHandle(id)));
    drag.add(id, good).unwrap();
    assert_eq!(drag.add(id, good), Err(SpacetimeError::HandleTaken(id)));
    let found = drag.set_target(id, [Some(f64::NAN), None, None]);
    assert!(matches!(found, Err(SpacetimeError::BadTarget { row: RowName::Handle(HandleId(7), 0), .. })));
    assert_eq!(drag.handles().next(), Some((id, &good)));
    drag.add(HandleId(8), Grip { site: 3, ..good }).unwrap();
    let missing = SpacetimeError::NoSite { id: HandleId(8), site: 3, sites: 1 };
    assert_eq!(drag.step(&chain, &silent()), Err(missing));
    let few = Chain::new(5, 4, 0.0);
    let modes = SpacetimeError::ReadoutModes { found: 4, modes: 6 };
    assert_eq!(drag.release(&few, &silent()), Err(modes));
    for size in [0.0, -1.0, f64::NAN] {
        let found = Drag::new(&Constraints::new(kernel.clone()), DragSettings::new(size)).unwrap_err();
        assert!(matches!(found, SpacetimeError::BadNumber { quantity: Quantity::BodySize, .. }));
    }
}

/// A body that is nowhere beyond some bend.
struct Broken(Chain, f64);

impl Readout for Broken {
    fn modes(&self) -> usize {
        self.0.modes()
    }

    fn sites(&self) -> usize {
        1
    }

    fn values(&self, asks: &[Ask<'_>]) -> Vec<[f64; 3]> {
        let mut values = self.0.values(asks);
        for (value, ask) in values.iter_mut().zip(asks) {
            if ask.z[0].abs() > self.1 {
                *value = [f64::NAN; 3];
            }
        }
        values
    }

    fn linearized(&self, asks: &[Ask<'_>]) -> Vec<Linearized> {
        let mut all = self.0.linearized(asks);
        for (linearized, value) in all.iter_mut().zip(self.values(asks)) {
            linearized.value = value;
        }
        all
    }
}

#[test]
fn a_body_that_is_nowhere_is_not_entered() {
    let kernel = kernel(6, 1);
    let mut drag = with(&kernel, &[Grip::position(0, 25, [0.0, 0.6, 0.0])]);
    let nowhere = Broken(Chain::new(20, 6, 0.0), -1.0);
    let expected = SpacetimeError::BadReadout { id: HandleId(0), site: 0, at: Instant::from(25) };
    assert_eq!(drag.step(&nowhere, &silent()), Err(expected));
    let limited = Broken(Chain::new(20, 6, 0.0), 0.3);
    let report = drag.release(&limited, &silent()).unwrap();
    assert!(report.energy.is_finite() && report.status != Status::Settled);
    let mut z = [0.0; 6];
    drag.path().at(25, supple_spacetime::Order::Position, &mut z);
    assert!(z[0].abs() <= 0.3 && z[0].abs() > 0.05, "{z:?}");
}

/// A body during whose reading the user loses patience.
struct Impatient(Beam, Progress, std::sync::atomic::AtomicUsize);

impl Readout for Impatient {
    fn modes(&self) -> usize {
        self.0.modes()
    }

    fn sites(&self) -> usize {
        self.0.sites()
    }

    fn values(&self, asks: &[Ask<'_>]) -> Vec<[f64; 3]> {
        if self.2.fetch_add(1, std::sync::atomic::Ordering::Relaxed) == 7 {
            self.1.cancel();
        }
        self.0.values(asks)
    }

    fn linearized(&self, asks: &[Ask<'_>]) -> Vec<Linearized> {
        self.0.linearized(asks)
    }
}

#[test]
fn a_cancelled_drag_changes_nothing() {
    let kernel = kernel(15, 5);
    let progress = Progress::silent();
    let body = Impatient(Beam::new(15, [0.0; 3], FRAMES, 0.2), progress.clone(), Default::default());
    let mut drag = with(&kernel, &[Grip::position(0, 25, [0.5, 0.5, 0.1])]);
    drag.release(&body.0, &silent()).unwrap();
    let before = drag.path().states(0..FRAMES).position;
    drag.set_target(HandleId(0), [Some(0.1), Some(0.7), Some(0.2)]).unwrap();
    assert_eq!(drag.release(&body, &progress), Err(SpacetimeError::Cancelled(Cancelled)));
    assert_eq!(drag.step(&body, &progress), Err(SpacetimeError::Cancelled(Cancelled)));
    assert_eq!(drag.path().states(0..FRAMES).position, before);
    // And can go on.
    let report = drag.release(&body, &silent()).unwrap();
    assert!(error(&report) < 1e-6);
}
