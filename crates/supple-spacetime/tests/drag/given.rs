//! Handles between frames, and on motions whose start, end and load are given: held, and at least cost.

use super::bodies::Beam;
use super::oracle::Oracle;
use super::{FRAMES, Random, error, kernel, silent, with};
use std::sync::Arc;
use supple_model::{Instant, Readout};
use supple_spacetime::{
    Constraints, Drag, DragSettings, Given, Grip, HandleId, Kernel, LinearReadout, LinearSite, MeanPath,
    ModalState, Order, Row, Status,
};

const MODES: usize = 15;

/// A start that swings and a load that pulls.
fn given(kernel: &Arc<Kernel>) -> MeanPath {
    let mut random = Random::new(9);
    let mut small = |size: f64| random.numbers(MODES).iter().map(|x| size * x).collect::<Vec<f64>>();
    let start = Some(ModalState { position: small(0.02), velocity: small(0.05) });
    MeanPath::new(kernel.clone(), &Given { start, end: None, load: Some(small(3.0)) }).unwrap()
}

fn beside(mean: &MeanPath, contacts: Vec<Row>, grips: &[Grip], is_wide: bool) -> Drag {
    let rows = contacts.into_iter().map(|row| row.beside(mean)).collect();
    let constraints = Constraints::with_contacts(mean.kernel().clone(), rows, &silent()).unwrap();
    let mut settings = DragSettings::new(1.0);
    if is_wide {
        settings.wide_from = 0;
    }
    let mut drag = Drag::beside(mean.clone(), &constraints, settings).unwrap();
    for (id, grip) in grips.iter().enumerate() {
        drag.add(HandleId(id as u64), *grip).unwrap();
    }
    drag
}

/// Handles stood on whole frames only; a key of a motion may be anywhere.
#[test]
fn handles_between_frames_are_held_at_least_cost() {
    let kernel = kernel(MODES, 5);
    let beam = Beam::new(15, [0.0, 1.0, 0.3], FRAMES, 0.2);
    let at = Instant::new(20.3);
    let grips = [
        Grip::position(0, at, [0.4, 0.6, 0.3]),
        Grip { less: Some((1, Instant::new(29.5))), ..Grip::position(1, 30.75, [0.01, 0.02, 0.0]) },
    ];
    let mut drag = with(&kernel, &grips);
    let report = drag.release(&beam, &silent()).unwrap();
    assert_eq!(report.status, Status::Settled);
    assert!(error(&report) < 1e-6);
    let path = drag.path();
    let oracle = Oracle::new(&kernel, &beam, &grips, &[], &path);
    assert!((oracle.value(&oracle.z) - oracle.targets()).amax() < 1e-6);
    assert!(oracle.stationarity() < 2e-4, "{}", oracle.stationarity());
    let mut z = vec![0.0; MODES];
    path.at(at, Order::Position, &mut z);
    let found = drag.edit_at(at).unwrap();
    assert!(z.iter().zip(&found).all(|(z, found)| (z - found).abs() < 1e-9));
    // And while it is dragged.
    drag.grab(&[HandleId(0)], &beam, &silent()).unwrap();
    drag.set_target(HandleId(0), [0.4, 0.62, 0.3].map(Some)).unwrap();
    drag.live_step(&beam, &silent()).unwrap();
    let view = drag.live_view(at).unwrap();
    let alpha = drag.amounts().unwrap();
    let z: Vec<f64> = (0..MODES)
        .map(|k| view.z[k] + alpha.iter().enumerate().map(|(b, a)| view.directions[(k, b)] * a).sum::<f64>())
        .collect();
    assert!((beam.value(0, at, &z)[1] - 0.62).abs() < 2e-3);
}

/// The solver of handles knew no motion but one that begins and ends at rest under no load.
#[test]
fn handles_are_held_beside_what_is_given() {
    let kernel = kernel(MODES, 5);
    let mean = given(&kernel);
    let beam = Beam::new(15, [0.0, 1.0, 0.3], FRAMES, 0.2);
    let mut random = Random::new(3);
    let contacts = vec![Row::position(12.5, random.numbers(MODES), 0.01)];
    let grips = [Grip::position(0, 20.3, [0.4, 0.6, 0.3]), Grip::position(1, 30, [0.3, -0.1, 0.2])];
    let own: Vec<Row> = contacts.iter().map(|row| row.clone().beside(&mean)).collect();
    for is_wide in [false, true] {
        let mut drag = beside(&mean, contacts.clone(), &grips, is_wide);
        let report = drag.release(&beam, &silent()).unwrap();
        assert!(error(&report) < 1e-5, "{report:?}");
        let path = drag.path();
        let oracle = Oracle::new(&kernel, &beam, &grips, &own, &path).beside(&mean);
        assert!((oracle.value(&oracle.z) - oracle.targets()).amax() < 1e-5);
        let mut z = vec![0.0; MODES];
        path.at(12.5, Order::Position, &mut z);
        let seen: f64 = z.iter().zip(&contacts[0].weights).map(|(z, c)| z * c).sum();
        assert!((seen - 0.01).abs() < 1e-9, "the contact holds: {seen}");
        let states = path.states(0..FRAMES);
        for order in [Order::Position, Order::Velocity] {
            let swept = if order == Order::Position { &states.position } else { &states.velocity };
            for frame in [0, 7, 20, FRAMES - 1] {
                path.at(frame, order, &mut z);
                assert!((0..MODES).all(|k| (swept[(k, frame)] - z[k]).abs() < 1e-9), "{order:?} {frame}");
            }
        }
    }
}

/// Where nothing bends, it is what rows beside the mean path are answered with.
#[test]
fn beside_what_is_given_a_linear_body_moves_as_rows_say() {
    let kernel = kernel(MODES, 5);
    let mean = given(&kernel);
    let mut random = Random::new(7);
    let mut body = LinearReadout::new(MODES);
    let rows: [Vec<f64>; 3] = std::array::from_fn(|_| random.numbers(MODES));
    let input: Vec<[f64; 3]> = (0..FRAMES).map(|i| [0.1 * i as f64, 0.0, 1.0]).collect();
    body.add(LinearSite { rows: rows.clone(), input });
    let at = Instant::new(17.25);
    let target = [2.0, 0.1, 1.2];
    let mut drag = beside(&mean, Vec::new(), &[Grip::position(0, at, target)], false);
    drag.release(&body, &silent()).unwrap();
    let mut constraints = Constraints::new(kernel);
    let there = [1.725, 0.0, 1.0];
    let asked =
        (0..3).map(|axis| Row::position(at, rows[axis].clone(), target[axis] - there[axis]).beside(&mean));
    constraints.add(HandleId(0), asked.collect()).unwrap();
    let expected = constraints.solve().path;
    for time in [0.0, 9.5, 17.25, 31.0].map(Instant::new) {
        let (mut z, mut u, mut given) = (vec![0.0; MODES], vec![0.0; MODES], vec![0.0; MODES]);
        drag.path().at(time, Order::Position, &mut z);
        expected.at(time, Order::Position, &mut u);
        mean.at(time, Order::Position, &mut given);
        assert!((0..MODES).all(|k| (z[k] - u[k] - given[k]).abs() < 1e-9), "{time}");
    }
}

/// What a load does itself is no force of the edit: without handles a motion with a free end needs none.
#[test]
fn what_is_given_needs_no_force() {
    let kernel = kernel(MODES, 5);
    let mean = given(&kernel);
    let drag = beside(&mean, Vec::new(), &[], false);
    let forces = drag.path().forces().unwrap();
    assert!(forces.norms.iter().all(|norm| *norm < 1e-6), "{:?}", forces.norms);
    let beam = Beam::new(15, [0.0, 1.0, 0.3], FRAMES, 0.2);
    let mut pulled = beside(&mean, Vec::new(), &[Grip::position(0, 20, [0.4, 0.6, 0.3])], false);
    let report = pulled.release(&beam, &silent()).unwrap();
    let forces = pulled.path().forces().unwrap();
    // ½∫f² is what u costs: the largest value in every frame is above it, and not by much.
    let dt = kernel.settings().dt;
    let bound: f64 = forces.norms.iter().map(|norm| 0.5 * norm * norm * dt).sum();
    assert!(bound > report.energy && bound < 2.0 * report.energy, "{bound} {}", report.energy);
}
