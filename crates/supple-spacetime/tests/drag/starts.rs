//! Folds: where the solution from zero is not the best one, others are tried and the best is kept.

use super::bodies::Beam;
use super::{FRAMES, Random, error, kernel, silent, with};
use faer::Mat;
use std::sync::atomic::{AtomicUsize, Ordering};
use supple_model::{Ask, Cancelled, Instant, Linearized, Progress, Readout};
use supple_spacetime::{DragReport, Grip, HandleId, Order, SpacetimeError, StartPoint, StartReport, Status};

/// Tip and middle of a bent beam, asked to be where the solution from zero twists it.
fn folded() -> (Beam, [Grip; 2]) {
    let beam = Beam::new(15, [-0.3, 0.7713, 0.5632], FRAMES, 0.2);
    let tip = Grip::position(0, 25, [0.5125, 0.4696, 0.3498]);
    (beam, [tip, Grip::position(1, 25, [0.0309, 0.113, -0.3307])])
}

fn released(body: &dyn Readout, grips: &[Grip]) -> (DragReport, Mat<f64>) {
    let mut drag = with(&kernel(15, 5), grips);
    let report = drag.release(body, &silent()).unwrap();
    (report, drag.path().states(0..FRAMES).position)
}

fn kept(report: &DragReport) -> StartReport {
    let kept: Vec<&StartReport> = report.starts.iter().filter(|start| start.kept).collect();
    assert_eq!(kept.len(), 1, "{report:?}");
    *kept[0]
}

#[test]
fn the_better_of_two_minima_is_kept() {
    let (beam, grips) = folded();
    let (report, _) = released(&beam, &grips);
    let [zero, ..] = report.starts[..] else { panic!("{report:?}") };
    assert_eq!((zero.start, zero.status, zero.kept), (StartPoint::Zero, Status::Settled, false));
    assert_eq!(kept(&report).start, StartPoint::Linear);
    assert_eq!(report.status, Status::Settled);
    assert!(error(&report) < 1e-7 && report.stationarity < 1e-4);
    assert!(report.energy < 0.1 * zero.energy, "{} of {}", report.energy, zero.energy);
    assert_eq!(kept(&report).energy.to_bits(), report.energy.to_bits());
}

#[test]
fn handles_that_one_start_misses_another_meets() {
    // Tip and middle of strongly bent beams, anywhere.
    let mut random = Random::new(5);
    let mut rescued = 0;
    for case in 0..24 {
        let bend = [2.0 * random.number(), 3.0 * random.number(), 3.0 * random.number()];
        let beam = Beam::new(15, bend, FRAMES, 0.2);
        let mut anywhere = |site, length: f64| {
            let there: [f64; 3] = [0; 3].map(|_| random.number());
            let far = there.iter().map(|x| x * x).sum::<f64>().sqrt();
            Grip::position(site, 25, there.map(|x| x * (0.95 * length / far).min(1.0)))
        };
        let (report, _) = released(&beam, &[anywhere(0, 1.0), anywhere(1, 0.5)]);
        let settled = report.starts.iter().filter(|start| start.status == Status::Settled);
        let least = settled.map(|start| start.energy).fold(f64::INFINITY, f64::min);
        if least.is_finite() {
            assert_eq!(report.status, Status::Settled, "case {case}: {report:?}");
            assert!(
                error(&report) < 1e-7 && report.energy <= (1.0 + 1e-5) * least,
                "case {case}: {report:?}"
            );
            rescued += usize::from(report.starts[0].status != Status::Settled);
        }
    }
    assert!(rescued >= 2, "{rescued}");
}

/// The linear edit of hard handles moved onto the warped ones, from the definitions: dense P, all rows, two steps.
/// Answers its energy and how far it is off.
fn restored(beam: &Beam, grips: &[Grip]) -> (f64, f64) {
    use nalgebra::{DMatrix, DVector};
    let kernel = kernel(15, 5);
    let n = grips.len();
    let mut P = DMatrix::zeros(15 * n, 15 * n);
    let mut covariance = [0.0; 15];
    for (i, a) in grips.iter().enumerate() {
        for (j, b) in grips.iter().enumerate() {
            kernel.covariance((a.at, Order::Position), (b.at, Order::Position), &mut covariance);
            (0..15).for_each(|k| P[(15 * i + k, 15 * j + k)] = covariance[k]);
        }
    }
    let read = |z: &DVector<f64>| {
        let (mut J, mut R) = (DMatrix::zeros(3 * n, 15 * n), DVector::zeros(3 * n));
        for (i, grip) in grips.iter().enumerate() {
            let z = &z.as_slice()[15 * i..15 * (i + 1)];
            let found = beam.linearized(&[Ask { site: grip.site, at: grip.at, z }]).remove(0);
            for axis in 0..3 {
                R[3 * i + axis] = grip.target[axis].unwrap() - found.value[axis];
                (0..15).for_each(|k| J[(3 * i + axis, 15 * i + k)] = found.rows[axis][k]);
            }
        }
        (J, R)
    };
    let (mut g, mut z) = (DVector::zeros(15 * n), DVector::zeros(15 * n));
    for _ in 0..3 {
        let (J, R) = read(&z);
        let Some(S) = (&J * &P * J.transpose()).cholesky() else { return (f64::INFINITY, f64::INFINITY) };
        g += J.tr_mul(&S.solve(&R));
        z = &P * &g;
    }
    (0.5 * g.dot(&z), read(&z).1.amax())
}

#[test]
fn no_more_is_paid_than_for_the_restored_linear_edit() {
    let mut random = Random::new(3);
    let mut compared = 0;
    for _ in 0..30 {
        let bend = [2.0 * random.number(), 2.0 * random.number(), 2.0 * random.number()];
        let beam = Beam::new(15, bend, FRAMES, 0.2);
        let near = |site, frame: usize, random: &mut Random| {
            let here = beam.value(site, frame.into(), &[0.0; 15]);
            Grip::position(site, frame, here.map(|x| x + 0.1 * random.number()))
        };
        let grips = [near(0, 25, &mut random), near(1, 12, &mut random)];
        let (linear, off) = restored(&beam, &grips);
        let (report, _) = released(&beam, &grips);
        let least = report.starts.iter().map(|start| start.energy).fold(f64::INFINITY, f64::min);
        assert!(report.energy <= (1.0 + 1e-5) * least, "{report:?}");
        if off < 1e-7 {
            compared += 1;
            assert!(report.energy <= (1.0 + 1e-5) * linear, "{} of {linear}", report.energy);
        }
    }
    assert!(compared > 3, "{compared} linear edits meet their handles");
}

#[test]
fn one_start_is_enough_where_the_edit_is_cheap() {
    let beam = Beam::new(15, [0.0, 0.5, 0.0], FRAMES, 0.2);
    let here = beam.value(0, Instant::from(25), &[0.0; 15]);
    let (report, path) = released(&beam, &[Grip::position(0, 25, here.map(|x| x + 0.05))]);
    assert_eq!(report.starts.len(), 1, "{report:?}");
    assert!(kept(&report).start == StartPoint::Zero && report.energy > 0.0);
    // Elements inside out are a reason to look further, not one to take what costs more.
    let (other, there) = released(&Inside(beam), &[Grip::position(0, 25, here.map(|x| x + 0.05))]);
    assert_eq!((other.starts.len() > 1, kept(&other).start), (true, StartPoint::Zero), "{other:?}");
    assert_eq!((other.energy.to_bits(), there), (report.energy.to_bits(), path));
}

#[test]
fn the_choice_does_not_depend_on_threads_or_drags() {
    let (beam, grips) = folded();
    let (expected, path) = released(&beam, &grips);
    for threads in [1, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(pool.install(|| released(&beam, &grips)), (expected.clone(), path.clone()));
    }
    let mut drag = with(&kernel(15, 5), &grips);
    for height in [0.1, -0.4, 0.6] {
        drag.set_target(HandleId(0), [Some(0.5), Some(height), Some(0.1)]).unwrap();
        drag.step(&beam, &silent()).unwrap();
    }
    drag.set_target(HandleId(0), grips[0].target).unwrap();
    assert_eq!(drag.release(&beam, &silent()).unwrap(), expected);
    assert_eq!(drag.path().states(0..FRAMES).position, path);
}

#[test]
fn cancelling_a_later_start_changes_nothing() {
    let (beam, grips) = folded();
    let counted = Counted { beam, calls: AtomicUsize::new(0), patience: usize::MAX, progress: silent() };
    let mut drag = with(&kernel(15, 5), &grips[..1]);
    drag.release(&counted, &silent()).unwrap();
    let before = drag.path().states(0..FRAMES).position;
    drag.add(HandleId(1), grips[1]).unwrap();
    let calls = |of: usize| counted.calls.load(Ordering::Relaxed) - of;
    let so_far = calls(0);
    drag.clone().release(&counted, &silent()).unwrap();
    let all = calls(so_far);
    // Of the last start there is something left to do.
    let progress = Progress::silent();
    let (beam, _) = folded();
    let patience = all - 4;
    let counted = Counted { beam, calls: AtomicUsize::new(0), patience, progress: progress.clone() };
    assert_eq!(drag.release(&counted, &progress), Err(SpacetimeError::Cancelled(Cancelled)));
    assert_eq!(drag.path().states(0..FRAMES).position, before);
    assert_eq!(drag.release(&counted, &silent()).unwrap(), released(&counted, &grips).0);
}

/// A beam that has an element inside out whatever is done.
struct Inside(Beam);

impl Readout for Inside {
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

    fn inverted(&self, _: usize, z: &[f64]) -> usize {
        usize::from(z.iter().any(|z| *z != 0.0))
    }
}

/// A beam whose reader loses patience at some call.
struct Counted {
    beam: Beam,
    calls: AtomicUsize,
    patience: usize,
    progress: Progress,
}

impl Counted {
    fn call(&self) {
        if self.calls.fetch_add(1, Ordering::Relaxed) == self.patience {
            self.progress.cancel();
        }
    }
}

impl Readout for Counted {
    fn modes(&self) -> usize {
        self.beam.modes()
    }

    fn sites(&self) -> usize {
        self.beam.sites()
    }

    fn values(&self, asks: &[Ask<'_>]) -> Vec<[f64; 3]> {
        self.call();
        self.beam.values(asks)
    }

    fn linearized(&self, asks: &[Ask<'_>]) -> Vec<Linearized> {
        self.call();
        self.beam.linearized(asks)
    }
}
