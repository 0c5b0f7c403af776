//! A point that goes round: handles that the body's own material meets with a jerk at each of them.

use super::{circling, energies, peak, released, silent};
use supple_model::{Readout, Status};
use supple_spacetime::{MaterialStage, Optimise, Order};

#[test]
fn a_circle_needs_little_force_and_is_met() {
    let (mut plain, body) = circling(200, 16, Optimise::None, 10);
    let before = released(&mut plain, &body);
    assert_eq!(before.status, Status::Settled, "{before:?}");
    let (mut edit, body) = circling(200, 16, Optimise::All, 10);
    let report = released(&mut edit, &body);
    assert!(report.unmet.is_empty() && report.rounds > 1, "{report:?}");
    let less = peak(&plain) / peak(&edit);
    assert!(less >= 5.0, "peak force only {less} times less, {report:?}");
    assert!(energies(&report).windows(2).all(|pair| pair[1] <= pair[0]), "{:?}", energies(&report));
    assert!((energies(&report)[0] - before.energy).abs() < 1e-9 * before.energy);
    // Held on the body itself, x = C S z, to a millionth of its size.
    let (path, material) = (edit.path().unwrap(), edit.material().clone());
    for (_, grip) in edit.handles() {
        let mut z = vec![0.0; material.modes().len()];
        path.at(grip.at, Order::Position, &mut z);
        let place = body.value(grip.site, grip.at, &material.coordinates(&z));
        for (axis, target) in grip.target.iter().enumerate() {
            assert!(target.is_none_or(|target| (place[axis] - target).abs() < 1e-6), "{place:?} {grip:?}");
        }
    }
    // Stiffnesses stay within 16 times of their start, and dampings above the floor.
    for (mode, [period, _]) in material.modes().iter().zip(&report.periods) {
        let began = (std::f64::consts::TAU / (period * super::DT)).powi(2);
        assert!(mode.eigenvalue <= began * 16.000001 && mode.eigenvalue >= began / 16.000001);
        assert!(2.0 * mode.delta >= 0.05 + 1e-4 * mode.eigenvalue - 1e-12);
    }
    // It goes on by itself: the shapes that carry it swing once in a round.
    assert!(report.steps.iter().any(|step| step.stage == MaterialStage::Shapes));
}

/// Stopped it keeps the best so far, cancelled nothing changes.
#[test]
fn a_search_can_be_stopped_and_cancelled() {
    let (mut edit, body) = circling(60, 8, Optimise::All, 10);
    let progress = silent();
    let mut seen = 0;
    let report = edit
        .release(&body, &progress, &mut |iterate| {
            seen += 1;
            assert!(iterate.path().kernel().modes() == iterate.material().modes().len());
            if seen == 3 {
                progress.stop();
            }
        })
        .unwrap();
    assert_eq!((report.status, report.steps.len()), (Status::Stopped, seen));
    let kept = edit.material().clone();
    let progress = silent();
    let error = edit.release(&body, &progress, &mut |_| progress.cancel()).unwrap_err();
    assert_eq!(error.to_string(), "cancelled");
    assert_eq!(*edit.material(), kept);
}

#[test]
fn the_same_bits_come_out_on_any_number_of_threads() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let (mut edit, body) = circling(50, 6, Optimise::All, 8);
            let report = released(&mut edit, &body);
            (report, edit.material().clone())
        })
    };
    assert_eq!(run(1), run(2));
}
