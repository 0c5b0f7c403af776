//! A handle in the hand: as exact as full steps, at nearly their cost, however far it is dragged.

use super::bodies::{Beam, Chain};
use super::{FRAMES, Random, error, kernel, silent, with};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use supple_model::{Along, Ask, Instant, Linearized, Progress, Readout, Restricted};
use supple_spacetime::{
    Constraints, Drag, DragSettings, Grip, HandleId, Hold, LiveReport, Order, Row, SpacetimeError, Status,
};

const HAND: HandleId = HandleId(0);

/// A beam that prepares directions; `Beam` itself prepares nothing.
struct Ready(Arc<Beam>);

/// Sites, time, z and directions.
type Entry = (Vec<usize>, Instant, Vec<f64>, Vec<f64>);

#[derive(Debug)]
struct Prepared {
    body: Arc<Beam>,
    entries: Vec<Entry>,
}

impl Prepared {
    fn read<T>(&self, c: &[&[f64]], read: impl Fn(&[Ask<'_>]) -> Vec<T>) -> Vec<T> {
        let mut all = Vec::new();
        for ((sites, at, z, directions), c) in self.entries.iter().zip(c) {
            let mut z = z.clone();
            for (d, c) in directions.chunks_exact(z.len()).zip(*c) {
                z.iter_mut().zip(d).for_each(|(z, d)| *z += c * d);
            }
            let asks: Vec<Ask<'_>> = sites.iter().map(|&site| Ask { site, at: *at, z: &z }).collect();
            all.extend(read(&asks));
        }
        all
    }
}

impl Restricted for Prepared {
    fn values(&self, c: &[&[f64]]) -> Vec<[f64; 3]> {
        self.read(c, |asks| self.body.values(asks))
    }

    fn linearized(&self, c: &[&[f64]]) -> Vec<Linearized> {
        self.read(c, |asks| self.body.linearized(asks))
    }
}

impl Readout for Ready {
    fn modes(&self) -> usize {
        self.0.modes()
    }

    fn sites(&self) -> usize {
        self.0.sites()
    }

    fn values(&self, asks: &[Ask<'_>]) -> Vec<[f64; 3]> {
        self.0.values(asks)
    }

    fn linearized(&self, asks: &[Ask<'_>]) -> Vec<Linearized> {
        self.0.linearized(asks)
    }

    fn restrict(&self, along: &[Along<'_>]) -> Option<Box<dyn Restricted>> {
        let entry =
            |along: &Along<'_>| (along.sites.to_vec(), along.at, along.z.to_vec(), along.directions.to_vec());
        Some(Box::new(Prepared { body: self.0.clone(), entries: along.iter().map(entry).collect() }))
    }
}

fn amount(report: &LiveReport) -> f64 {
    report.errors.iter().flat_map(|handle| handle.error).fold(0.0, |most, error| error.abs().max(most))
}

/// Where the path has the sites of all handles, less where they should be.
fn missed(drag: &Drag, body: &dyn Readout) -> f64 {
    let path = drag.path();
    let mut most: f64 = 0.0;
    for (_, grip) in drag.handles() {
        let mut z = vec![0.0; body.modes()];
        path.at(grip.at, Order::Position, &mut z);
        let found = body.value(grip.site, grip.at, &z);
        for axis in 0..3 {
            most = most.max(grip.target[axis].map_or(0.0, |target| (found[axis] - target).abs()));
        }
    }
    most
}

fn between(from: [f64; 3], to: [f64; 3], share: f64) -> [Option<f64>; 3] {
    std::array::from_fn(|axis| Some(from[axis] + share * (to[axis] - from[axis])))
}

/// Drags along a line; answers how often the handle had to be taken anew.
fn follow(
    drag: &mut Drag,
    body: &dyn Readout,
    from: [f64; 3],
    to: [f64; 3],
    events: usize,
    asks: bool,
) -> usize {
    let (mut refreshed, mut same) = (0, 0);
    drag.grab(&[HAND], body, &silent()).unwrap();
    for event in 1..=events {
        drag.set_target(HAND, between(from, to, event as f64 / events as f64)).unwrap();
        let report = drag.live_step(body, &silent()).unwrap();
        assert!(amount(&report) <= 1e-4, "{report:?} at {event}");
        assert!(missed(drag, body) < 1.001e-4, "{} at {event}", missed(drag, body));
        assert!(report.looks <= 12);
        refreshed += usize::from(report.refreshed.is_some());
        if asks && report.is_worn {
            drag.grab(&[HAND], body, &silent()).unwrap();
            refreshed += 1;
        }
        if event % 15 == 0 {
            let grips: Vec<Grip> = drag.handles().map(|(_, grip)| *grip).collect();
            let mut fresh = drag.clone();
            let released = fresh.release(body, &silent()).unwrap();
            assert_eq!(released.status, Status::Settled, "{grips:?}");
            let over = report.energy / released.energy;
            // It may cost less: letting go does not know the way that led past other solutions.
            assert!(over < 1.04, "{over} at {event}, bend {}", report.bend);
            same += usize::from(over > 0.999);
        }
    }
    assert!(2 * same >= events / 15, "{same}");
    refreshed
}

#[test]
fn a_far_drag_tracks_the_full_solution() {
    let (kernel, chain_kernel) = (kernel(30, 5), kernel(6, 1));
    let beam = Beam::new(30, [0.0, 1.57, 0.0], FRAMES, 0.2);
    let ready = Ready(Arc::new(Beam::new(30, [0.0, 1.57, 0.0], FRAMES, 0.2)));
    let chain = Chain::new(20, 6, 0.6);
    let drags: [(&dyn Readout, _, [f64; 3]); 3] = [
        (&beam, &kernel, [0.2, 0.6, 0.3]),
        (&ready, &kernel, [0.2, 0.6, 0.3]),
        (&chain, &chain_kernel, [-0.2, 0.5, 0.0]),
    ];
    for (body, kernel, to) in drags {
        for asks in [false, true] {
            let from = body.value(0, Instant::from(25), &vec![0.0; body.modes()]);
            let mut drag = with(kernel, &[Grip::position(0, 25, from)]);
            let refreshed = follow(&mut drag, body, from, to, 90, asks);
            assert!(refreshed > 0 && refreshed < 30, "{refreshed}");
        }
    }
}

#[test]
fn what_is_prepared_changes_nothing() {
    let kernel = kernel(15, 5);
    let beam = Beam::new(15, [0.0, 1.0, 0.3], FRAMES, 0.2);
    let ready = Ready(Arc::new(Beam::new(15, [0.0, 1.0, 0.3], FRAMES, 0.2)));
    let grips = [Grip::position(0, 25, [0.4, 0.5, 0.3]), Grip::position(1, 12, [0.35, -0.1, 0.2])];
    let solve = |body: &dyn Readout| {
        let mut drag = with(&kernel, &grips);
        let report = drag.release(body, &silent()).unwrap();
        drag.grab(&[HAND], body, &silent()).unwrap();
        drag.set_target(HAND, [Some(0.42), Some(0.45), Some(0.35)]).unwrap();
        let live = drag.live_step(body, &silent()).unwrap();
        assert!(live.refreshed.is_none() && live.looks > 0);
        (report.energy, live.energy, drag.path().states(0..FRAMES).position)
    };
    let ((a, b, path), (c, d, other)) = (solve(&beam), solve(&ready));
    assert!((a - c).abs() < 1e-9 * a && (b - d).abs() < 1e-6 * b);
    assert!((path - other).norm_max() < 1e-6);
}

#[test]
fn other_handles_and_contacts_stay() {
    let kernel = kernel(30, 5);
    let beam = Beam::new(30, [0.0, 0.8, 0.3], FRAMES, 0.2);
    let mut random = Random::new(9);
    let contacts: Vec<Row> = [9, 17, 26].map(|frame| Row::position(frame, random.numbers(30), 0.0)).to_vec();
    let constraints = Constraints::with_contacts(kernel, contacts.clone(), &silent()).unwrap();
    // Few handles, of which all directions are kept, and many, of which some are.
    for others in [2, 9] {
        let mut drag = Drag::new(&constraints, DragSettings::new(1.0)).unwrap();
        let place = |site: usize, frame: usize| beam.value(site, frame.into(), &[0.0; 30]);
        let from = place(0, 20);
        drag.add(HAND, Grip::position(0, 20, from)).unwrap();
        for k in 0..others {
            let (site, frame) = (1 + k % 2, 5 + 4 * k);
            let target = place(site, frame).map(|x| x + 0.02);
            drag.add(HandleId(1 + k as u64), Grip::position(site, frame, target)).unwrap();
        }
        drag.release(&beam, &silent()).unwrap();
        let to = [from[0] - 0.15, from[1] + 0.3, from[2] + 0.1];
        drag.grab(&[HAND], &beam, &silent()).unwrap();
        let mut quick = 0;
        for event in 1..=40 {
            drag.set_target(HAND, between(from, to, event as f64 / 40.0)).unwrap();
            let report = drag.live_step(&beam, &silent()).unwrap();
            quick += usize::from(report.refreshed.is_none());
            let missed = missed(&drag, &beam);
            assert!(missed < 2e-4, "{missed} at {event} with {others}: {:?}", report.bend);
            let path = drag.path();
            for row in &contacts {
                let mut z = [0.0; 30];
                path.at(row.at, Order::Position, &mut z);
                let slip: f64 = row.weights.iter().zip(&z).map(|(c, z)| c * z).sum();
                assert!(slip.abs() < 1e-9, "{slip}");
            }
        }
        assert!(quick >= 30, "{quick} of 40");
    }
}

#[test]
fn any_frame_follows_from_the_amounts() {
    let kernel = kernel(15, 5);
    let beam = Beam::new(15, [0.0, 1.0, 0.3], FRAMES, 0.2);
    let mut random = Random::new(4);
    let contact = Row::position(30, random.numbers(15), 0.01);
    let constraints = Constraints::with_contacts(kernel, vec![contact], &silent()).unwrap();
    let mut drag = Drag::new(&constraints, DragSettings::new(1.0)).unwrap();
    let from = beam.value(0, Instant::from(25), &[0.0; 15]);
    drag.add(HAND, Grip::position(0, 25, from)).unwrap();
    assert!(drag.live_view(3).is_none() && drag.amounts().is_none());
    drag.grab(&[HAND], &beam, &silent()).unwrap();
    let views: Vec<_> = (0..FRAMES).map(|frame| drag.live_view(frame).unwrap()).collect();
    drag.set_target(HAND, [Some(from[0] - 0.02), Some(from[1] + 0.06), Some(from[2])]).unwrap();
    assert!(drag.live_step(&beam, &silent()).unwrap().refreshed.is_none());
    let (path, amounts) = (drag.path(), drag.amounts().unwrap());
    assert!(amounts.iter().any(|a| a.abs() > 0.05));
    for (frame, view) in views.iter().enumerate() {
        let mut z = [0.0; 15];
        path.at(frame, Order::Position, &mut z);
        for k in 0..15 {
            let moved: f64 = (0..3).map(|b| view.directions[(k, b)] * amounts[b]).sum();
            assert!((view.z[k] + moved - z[k]).abs() < 1e-12);
        }
    }
}

#[test]
fn soft_handles_give_as_much_as_they_should() {
    let kernel = kernel(15, 5);
    let beam = Beam::new(15, [0.0, 0.5, 0.0], FRAMES, 0.2);
    let from = beam.value(0, Instant::from(25), &[0.0; 15]);
    let mut drag = with(&kernel, &[Grip { hold: Hold::Soft(1e3), ..Grip::position(0, 25, from) }]);
    drag.grab(&[HAND], &beam, &silent()).unwrap();
    let target = [Some(from[0]), Some(from[1] + 0.05), Some(from[2] - 0.02)];
    drag.set_target(HAND, target).unwrap();
    let live = drag.live_step(&beam, &silent()).unwrap();
    assert!(live.refreshed.is_none());
    let full = drag.clone().release(&beam, &silent()).unwrap();
    assert!(error(&full) > 2e-3);
    let squares: f64 = live.errors[0].error.iter().map(|e| e * e).sum();
    let (found, wanted) = (live.energy + 0.5e3 * squares, full.energy + full.penalty);
    assert!(found > 0.999 * wanted && found < 1.01 * wanted, "{found} {wanted}");
}

#[test]
fn a_velocity_is_kept_while_another_handle_is_dragged() {
    let kernel = kernel(15, 5);
    let beam = Beam::new(15, [0.0, 1.0, 0.3], FRAMES, 0.2);
    let from = beam.value(0, Instant::from(20), &[0.0; 15]);
    let slow = Grip { less: Some((0, Instant::from(19))), ..Grip::position(0, 21, [0.01, 0.02, 0.0]) };
    let mut drag = with(&kernel, &[Grip::position(0, 20, from), slow]);
    drag.grab(&[HAND], &beam, &silent()).unwrap();
    for event in 1..10 {
        drag.set_target(HAND, [Some(from[0]), Some(from[1] + 0.01 * f64::from(event)), Some(from[2])])
            .unwrap();
        let report = drag.live_step(&beam, &silent()).unwrap();
        let off =
            report.errors.iter().flat_map(|handle| handle.error).fold(0.0, |most: f64, e| most.max(e.abs()));
        assert!(off < 1e-4, "event {event}: {off}");
    }
    let report = drag.step(&beam, &silent()).unwrap();
    assert_eq!(report.status, Status::Settled);
}

#[test]
fn letting_go_forgets_the_hand() {
    let kernel = kernel(15, 5);
    let beam = Beam::new(15, [0.0, 1.0, 0.3], FRAMES, 0.2);
    let from = beam.value(0, Instant::from(25), &[0.0; 15]);
    let to = [0.3, 0.4, 0.3];
    let mut dragged = with(&kernel, &[Grip::position(0, 25, from)]);
    follow(&mut dragged, &beam, from, to, 30, false);
    dragged.set_target(HAND, to.map(Some)).unwrap();
    let mut placed = with(&kernel, &[Grip::position(0, 25, to)]);
    let (a, b) = (dragged.release(&beam, &silent()).unwrap(), placed.release(&beam, &silent()).unwrap());
    assert_eq!(a, b);
    assert_eq!(dragged.path().states(0..FRAMES).position, placed.path().states(0..FRAMES).position);
    assert!(dragged.live_view(0).is_none());
}

#[test]
fn what_cannot_be_done_is_said_and_changes_nothing() {
    let kernel = kernel(15, 5);
    let beam = Beam::new(15, [0.0, 1.0, 0.3], FRAMES, 0.2);
    let from = beam.value(0, Instant::from(25), &[0.0; 15]);
    let mut drag = with(&kernel, &[Grip::position(0, 25, from)]);
    let nobody = HandleId(5);
    assert_eq!(drag.grab(&[nobody], &beam, &silent()), Err(SpacetimeError::NoHandle(nobody)));
    drag.grab(&[HAND], &beam, &silent()).unwrap();
    drag.set_target(HAND, [Some(0.2), Some(0.5), Some(0.3)]).unwrap();
    let before = drag.path().states(0..FRAMES).position;
    let cancelled = Progress::silent();
    cancelled.cancel();
    assert!(drag.live_step(&beam, &cancelled).is_err());
    assert_eq!(drag.path().states(0..FRAMES).position, before);
    // Far beyond where the directions lead: a full step, and others after it, get there.
    let mut last = drag.live_step(&beam, &silent()).unwrap();
    assert!(last.refreshed.is_some());
    for _ in 0..10 {
        last = drag.live_step(&beam, &silent()).unwrap();
    }
    assert!(amount(&last) <= 1e-4, "{last:?}");
}

/// A body that counts how many sites it linearizes.
struct Counted<'a>(&'a Beam, AtomicUsize);

impl Readout for Counted<'_> {
    fn modes(&self) -> usize {
        self.0.modes()
    }

    fn sites(&self) -> usize {
        self.0.sites()
    }

    fn values(&self, asks: &[Ask<'_>]) -> Vec<[f64; 3]> {
        self.0.values(asks)
    }

    fn linearized(&self, asks: &[Ask<'_>]) -> Vec<Linearized> {
        self.1.fetch_add(asks.len(), Ordering::Relaxed);
        self.0.linearized(asks)
    }
}

#[test]
fn a_handle_that_comes_is_all_that_is_read() {
    let kernel = kernel(15, 5);
    let beam = Beam::new(15, [0.0, 1.0, 0.3], FRAMES, 0.2);
    let grips = [Grip::position(0, 25, [0.4, 0.5, 0.3]), Grip::position(1, 12, [0.35, -0.1, 0.2])];
    let mut drag = with(&kernel, &grips);
    drag.release(&beam, &silent()).unwrap();
    let here = |drag: &Drag, site: usize, frame: usize| {
        let mut z = [0.0; 15];
        drag.path().at(frame, Order::Position, &mut z);
        beam.value(site, frame.into(), &z)
    };
    for (id, site, frame) in [(5, 2, 18), (6, 0, 12)] {
        let grip = Grip::position(site, frame, here(&drag, site, frame));
        drag.add(HandleId(id), grip).unwrap();
        let counted = Counted(&beam, AtomicUsize::new(0));
        let report = drag.grab(&[HandleId(id)], &counted, &silent()).unwrap();
        assert_eq!((report.iterations, counted.1.into_inner()), (0, 1));
        // And it is what reading all of them gives.
        let mut all = drag.clone();
        all.remove(HandleId(id)).unwrap();
        all.add(HandleId(id), grip).unwrap();
        all.step(&beam, &silent()).unwrap();
        let apart = |a: &Drag, b: &Drag| {
            (a.path().states(0..FRAMES).position - b.path().states(0..FRAMES).position).norm_max()
        };
        assert!(apart(&drag, &all) < 1e-9);
        let target = grip.target.map(|x| x.map(|x| x + 0.03));
        for drag in [&mut drag, &mut all] {
            drag.grab(&[HandleId(id)], &beam, &silent()).unwrap();
            drag.set_target(HandleId(id), target).unwrap();
            let live = drag.live_step(&beam, &silent()).unwrap();
            assert!(live.refreshed.is_none() && amount(&live) < 1e-4);
        }
        assert!(apart(&drag, &all) < 1e-6);
        drag.release(&beam, &silent()).unwrap();
    }
}
