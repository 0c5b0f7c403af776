//! Handles over many frames: the same as few, without anything that grows with the square of them.

use super::bodies::{Beam, Chain, Cloud};
use super::smooth::of_variances;
use super::{error, silent};
use faer::Mat;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use supple_model::{Ask, Cancelled, Instant, Linearized, Progress, Readout};
use supple_spacetime::{
    Constraints, Drag, DragReport, DragSettings, Grip, HandleId, Hold, Kernel, Order, Oscillator, Row,
    Settings, SpacetimeError, Status, Tolerance,
};

const MODES: usize = 30;

fn lively(modes: usize, frames: usize) -> Arc<Kernel> {
    let dt = 1.0 / 24.0;
    let of = |k: usize| {
        let eigenvalue = 30.0 * (2.0 * (k / 5) as f64 + 1.0).powi(4) * (1.0 + 0.1 * (k % 5) as f64);
        Oscillator { eigenvalue, delta: 0.02 + 0.25 * 2.0 * dt / std::f64::consts::PI * eigenvalue }
    };
    let modes: Vec<Oscillator> = (0..modes).map(of).collect();
    Arc::new(Kernel::new(&modes, Settings::new(frames, dt)).unwrap())
}

fn smooth(frames: usize, reach: f64) -> Arc<Kernel> {
    of_variances(&Cloud::variances(MODES), frames, reach)
}

/// A site held over some frames, away from where it is by something that changes slowly.
fn held(body: &dyn Readout, site: usize, frames: std::ops::Range<usize>, by: f64) -> Vec<Grip> {
    let of = |frame: usize| {
        let at = body.value(site, frame.into(), &vec![0.0; body.modes()]);
        let t = 0.05 * frame as f64 + 0.1 * site as f64;
        let away = [-0.3 * t.sin().powi(2), t.cos(), (0.6 * t).sin()];
        Grip::position(site, frame, std::array::from_fn(|axis| at[axis] + by * away[axis]))
    };
    frames.map(of).collect()
}

/// A drag that counts as wide, or as not.
fn drag(constraints: &Constraints, grips: &[Grip], is_wide: bool) -> Drag {
    let wide_from = if is_wide { 0 } else { usize::MAX };
    let release = Tolerance { position: 1e-10, stationarity: 1e-8 };
    let mut drag =
        Drag::new(constraints, DragSettings { wide_from, release, ..DragSettings::new(1.0) }).unwrap();
    for (id, grip) in grips.iter().enumerate() {
        drag.add(HandleId(id as u64), *grip).unwrap();
    }
    drag
}

fn released(drag: &mut Drag, body: &dyn Readout, frames: usize) -> (DragReport, Mat<f64>) {
    let report = drag.release(body, &silent()).unwrap();
    (report, drag.path().states(0..frames).position)
}

/// Solves both ways and compares.
fn agree(constraints: &Constraints, body: &dyn Readout, grips: &[Grip], frames: usize) -> DragReport {
    let (dense, expected) = released(&mut drag(constraints, grips, false), body, frames);
    let (wide, found) = released(&mut drag(constraints, grips, true), body, frames);
    assert_eq!((wide.status, dense.status), (Status::Settled, Status::Settled), "{wide:?} {dense:?}");
    let apart = (&found - &expected).norm_max();
    assert!(apart < 1e-6 && expected.norm_max() > 1e-3, "{apart:e} of {}", expected.norm_max());
    assert!((wide.energy - dense.energy).abs() < 1e-6 * dense.energy, "{} {}", wide.energy, dense.energy);
    assert!(
        (wide.penalty - dense.penalty).abs() <= 1e-6 * dense.energy,
        "{} {}",
        wide.penalty,
        dense.penalty
    );
    wide
}

#[test]
fn a_range_is_what_its_frames_are() {
    let frames = 90;
    let cloud = Cloud::new(6, MODES, 0.5);
    let beam = Beam::new(MODES, [0.0, 1.0, 0.3], frames, 0.2);
    for kernel in [smooth(frames, 8.0), lively(MODES, frames)] {
        let constraints = Constraints::new(kernel);
        for (body, by) in [(&cloud as &dyn Readout, 0.2), (&beam, 0.01)] {
            let grips = held(body, 0, 15..75, by);
            let report = agree(&constraints, body, &grips, frames);
            assert_eq!(report.errors.len(), 60);
            assert!(error(&report) < 1e-9);
        }
    }
}

#[test]
fn several_sites_come_and_go() {
    // Ranges that overlap, one frame on its own, coordinates left free, and rows that give.
    let frames = 80;
    let body = Cloud::new(6, MODES, 0.5);
    let mut grips = held(&body, 0, 10..40, 0.1);
    grips.extend(held(&body, 1, 30..60, -0.1));
    grips.extend(held(&body, 2, 70..71, 0.15));
    let free = held(&body, 3, 20..30, 0.05);
    grips.extend(free.iter().map(|grip| Grip { target: [grip.target[0], None, grip.target[2]], ..*grip }));
    let soft = held(&body, 4, 62..68, 0.1);
    grips.extend(soft.iter().map(|grip| Grip { hold: Hold::Soft(20.0), ..*grip }));
    let still = (44..46).map(|frame| Grip {
        less: Some((5, Instant::from(frame - 1))),
        ..Grip::position(5, frame + 1, [0.0, 0.004, 0.0])
    });
    grips.extend(still);
    for kernel in [smooth(frames, 6.0), lively(MODES, frames)] {
        let report = agree(&Constraints::new(kernel), &body, &grips, frames);
        assert!(report.penalty > 0.0);
    }
}

#[test]
fn contacts_hold_beside_a_range() {
    let frames = 60;
    let body = Cloud::new(6, MODES, 0.5);
    let row = |site: usize, frame: usize, axis: usize, target: f64| {
        let zero = [0.0; MODES];
        let rows = body.linearized(&[Ask { site, at: frame.into(), z: &zero }]).remove(0).rows;
        Row::position(frame, rows[axis].clone(), target)
    };
    // One of them between frames.
    let between = Row { at: Instant::new(20.25), ..row(4, 20, 1, -0.01) };
    let contacts =
        vec![row(1, 12, 0, 0.0), row(1, 13, 0, 0.0), between, row(2, 30, 1, 0.02), row(3, 50, 2, 0.0)];
    // Every third frame: where rows nearly repeat each other, few handles leave more out than many do.
    let grips: Vec<Grip> = held(&body, 0, 10..45, 0.1).into_iter().step_by(3).collect();
    for kernel in [smooth(frames, 4.0), lively(MODES, frames)] {
        let constraints = Constraints::with_contacts(kernel, contacts.clone(), &Progress::silent()).unwrap();
        agree(&constraints, &body, &grips, frames);
        let mut drag = drag(&constraints, &grips, true);
        drag.release(&body, &silent()).unwrap();
        let (path, mut z) = (drag.path(), [0.0; MODES]);
        for contact in &contacts {
            path.at(contact.at, Order::Position, &mut z);
            let there: f64 = contact.weights.iter().zip(&z).map(|(c, z)| c * z).sum();
            assert!((there - contact.target).abs() < 1e-9, "{there} at {}", contact.at);
        }
    }
}

#[test]
fn a_foot_stands_for_four_hundred_frames() {
    // As settings are; every pair of rows would be 300 MB.
    let frames = 450;
    let body = Cloud::new(3, MODES, 0.5);
    let constraints = Constraints::new(smooth(frames, 24.0));
    let mut drag = Drag::new(&constraints, DragSettings::new(1.0)).unwrap();
    let foot = [0.4, 0.1, 0.3];
    for frame in 20..420 {
        let target = std::array::from_fn(|axis| foot[axis] + 1e-3 * (frame as f64 * 0.02).sin());
        drag.add(HandleId(frame as u64), Grip::position(0, frame, target)).unwrap();
    }
    let report = drag.release(&body, &silent()).unwrap();
    assert_eq!(report.status, Status::Settled, "{} iterations", report.iterations);
    assert!(error(&report) <= 1e-7 && report.unmet.is_empty() && report.stationarity < 1e-3);
    // It is where it was asked to be, and comes home after it.
    let path = drag.path();
    let mut z = [0.0; MODES];
    path.at(200, Order::Position, &mut z);
    let there = body.value(0, Instant::from(200), &z);
    assert!((0..3).all(|axis| (there[axis] - foot[axis]).abs() < 2e-3), "{there:?}");
}

#[test]
fn threads_do_not_matter() {
    let frames = 80;
    let body = Cloud::new(4, MODES, 0.5);
    let mut grips = held(&body, 0, 10..60, 0.2);
    grips.extend(held(&body, 1, 30..70, 0.1));
    let solve = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let constraints = Constraints::new(smooth(frames, 12.0));
            let (report, z) = released(&mut drag(&constraints, &grips, true), &body, frames);
            (report.energy.to_bits(), z)
        })
    };
    assert_eq!(solve(1), solve(2));
}

#[test]
fn a_range_is_dragged_and_released_whatever_the_way() {
    let frames = 60;
    let body = Cloud::new(4, MODES, 0.5);
    let constraints = Constraints::new(smooth(frames, 12.0));
    let grips = held(&body, 0, 10..40, 0.2);
    let (_, expected) = released(&mut drag(&constraints, &grips, true), &body, frames);
    let mut drag = drag(&constraints, &grips, true);
    let hand: Vec<HandleId> = (0..30).map(HandleId).collect();
    drag.grab(&hand, &body, &silent()).unwrap();
    assert!(drag.live_view(20).is_none() && drag.amounts().is_none());
    for event in 1..5 {
        for (id, grip) in grips.iter().enumerate() {
            let target = grip.target.map(|x| x.map(|x| x + 0.02 * event as f64));
            drag.set_target(HandleId(id as u64), target).unwrap();
        }
        let live = drag.live_step(&body, &silent()).unwrap();
        let worst = live.errors.iter().flat_map(|handle| handle.error).fold(0.0f64, |a, b| a.max(b.abs()));
        assert!(worst < 1e-4, "{worst} at event {event}");
    }
    for (id, grip) in grips.iter().enumerate() {
        drag.set_target(HandleId(id as u64), grip.target).unwrap();
    }
    assert!(drag.step(&body, &silent()).unwrap().iterations <= 2);
    assert_eq!(released(&mut drag, &body, frames).1, expected, "the way leaves no trace");
}

#[test]
fn what_is_out_of_reach_is_a_compromise() {
    let frames = 60;
    let chain = Chain::new(20, 6, 0.5);
    let constraints = Constraints::new(of_variances(&[1.0, 0.5, 0.3, 0.2, 0.1, 0.05], frames, 12.0));
    let grips: Vec<Grip> = (10..45).map(|frame| Grip::position(0, frame, [1.2, 0.6, 0.0])).collect();
    let mut drag = drag(&constraints, &grips, true);
    let report = drag.release(&chain, &silent()).unwrap();
    assert_eq!(report.status, Status::Compromise, "{} iterations", report.iterations);
    assert!(!report.unmet.is_empty() && report.energy.is_finite());
    // The links are as long as they are: 1 of 1.34.
    for handle in &report.errors {
        let off = handle.error.iter().map(|e| e * e).sum::<f64>().sqrt();
        assert!((0.34..0.6).contains(&off), "{off}");
    }
}

#[test]
fn rivals_over_a_range_are_a_compromise() {
    let frames = 50;
    let body = Cloud::new(3, MODES, 0.5);
    let constraints = Constraints::new(smooth(frames, 8.0));
    let mut grips = held(&body, 0, 10..30, 0.1);
    grips.extend(held(&body, 0, 10..30, 0.2));
    let report = drag(&constraints, &grips, true).release(&body, &silent()).unwrap();
    assert_eq!(report.status, Status::Compromise);
    assert!(!report.unmet.is_empty() && error(&report) < 0.25, "{}", error(&report));
}

/// A body that sees how much is read at once, and may lose patience.
struct Counting<'a> {
    body: &'a Cloud,
    most: AtomicUsize,
    /// Cancels this when it is read for the third time.
    patience: Option<(Progress, AtomicUsize)>,
}

impl Counting<'_> {
    fn count(&self, asks: usize) {
        self.most.fetch_max(asks, Ordering::Relaxed);
        if let Some((progress, times)) = &self.patience
            && times.fetch_add(1, Ordering::Relaxed) == 2
        {
            progress.cancel();
        }
    }
}

impl Readout for Counting<'_> {
    fn modes(&self) -> usize {
        self.body.modes()
    }

    fn sites(&self) -> usize {
        self.body.sites()
    }

    fn values(&self, asks: &[Ask<'_>]) -> Vec<[f64; 3]> {
        self.count(asks.len());
        self.body.values(asks)
    }

    fn linearized(&self, asks: &[Ask<'_>]) -> Vec<Linearized> {
        self.count(asks.len());
        self.body.linearized(asks)
    }
}

#[test]
fn the_body_is_read_in_bounded_batches() {
    let frames = 120;
    let body = Cloud::new(3, MODES, 0.5);
    let counting = Counting { body: &body, most: AtomicUsize::new(0), patience: None };
    let constraints = Constraints::new(smooth(frames, 8.0));
    let grips = held(&body, 0, 5..115, 0.1);
    drag(&constraints, &grips, true).release(&counting, &silent()).unwrap();
    assert!((1..=64).contains(&counting.most.load(Ordering::Relaxed)));
}

#[test]
fn a_cancelled_release_changes_nothing() {
    let frames = 60;
    let body = Cloud::new(4, MODES, 0.5);
    let constraints = Constraints::new(smooth(frames, 12.0));
    let grips = held(&body, 0, 10..40, 0.2);
    let mut drag = drag(&constraints, &grips, true);
    let (_, before) = released(&mut drag, &body, frames);
    drag.set_target(HandleId(3), [Some(0.5); 3]).unwrap();
    let progress = Progress::silent();
    let patience = Some((progress.clone(), AtomicUsize::new(0)));
    let counting = Counting { body: &body, most: AtomicUsize::new(0), patience };
    assert_eq!(drag.release(&counting, &progress).unwrap_err(), SpacetimeError::Cancelled(Cancelled));
    assert_eq!(drag.step(&body, &progress).unwrap_err(), SpacetimeError::Cancelled(Cancelled));
    assert_eq!(drag.path().states(0..frames).position, before);
}
