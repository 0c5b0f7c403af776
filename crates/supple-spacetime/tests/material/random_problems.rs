//! Many small problems of every kind: V never rises, and what is asked holds.

use super::{energies, silent};
use crate::random::Random;
use supple_model::Status;
use supple_spacetime::{
    End, Ends, Grip, HandleId, Hold, LinearReadout, LinearSite, MaterialEdit, MaterialPose, MaterialReport,
    MaterialSettings, Order, Row, Settings, Start,
};

const MODES: usize = 6;

struct Case {
    edit: MaterialEdit,
    body: LinearReadout,
    targets: Vec<(HandleId, Grip)>,
}

/// Handles, hard and soft, at frames and between them, poses, contacts; all kinds of ends.
fn problem(seed: u64) -> Case {
    let mut random = Random::new(seed);
    let frames = 14;
    let ends = match seed % 4 {
        0 => Ends::Open { start: Start::Rest, end: End::Rest },
        1 => Ends::Open { start: Start::Arriving, end: End::Free },
        2 => Ends::Loop { period: frames },
        _ => Ends::default(),
    };
    let time = Settings { ends, ..Settings::new(frames, 0.2) };
    let eigenvalues: Vec<f64> = (0..MODES).map(|k| (1.0 + 0.8 * k as f64).powi(2)).collect();
    let settings = MaterialSettings {
        shapes: 3,
        period: Some(9.0 + 4.0 * random.number()),
        floor: [0.05, 0.02],
        space: 0.5 + 0.5 * random.number(),
        rounds: 4,
        gain: 0.0,
        shape_steps: 8,
        ..MaterialSettings::new(1.0)
    };
    let contacts = if seed.is_multiple_of(5) {
        vec![Row { order: Order::Velocity, ..Row::position(4, random.numbers(MODES), 0.0) }]
    } else {
        Vec::new()
    };
    let mut edit = MaterialEdit::new(&eigenvalues, time, contacts, settings).unwrap();
    let mut body = LinearReadout::new(MODES);
    let mut targets = Vec::new();
    for id in 0..1 + seed % 3 {
        let rows = [0; 3].map(|_| random.numbers(MODES));
        let site = body.add(LinearSite { rows, input: vec![[0.0; 3]; frames] });
        let at = 2.0 + 3.0 * id as f64 + if id == 1 { 0.4 } else { 0.0 };
        let hold = if (seed + id) % 4 == 3 { Hold::Soft(10.0) } else { Hold::Hard };
        let target = [Some(random.number()), (id == 0).then_some(random.number()), None];
        let grip = Grip { target, hold, ..Grip::position(site, at, [0.0; 3]) };
        edit.add(HandleId(id), grip).unwrap();
        targets.push((HandleId(id), grip));
    }
    if seed % 6 == 1 {
        let hold = if seed % 12 == 1 { Hold::Hard } else { Hold::Soft(5.0) };
        edit.set_poses(vec![MaterialPose { at: 11.0.into(), pose: random.numbers(MODES), hold }]).unwrap();
    }
    Case { edit, body, targets }
}

fn check(seed: u64) -> (f64, MaterialReport) {
    let Case { mut edit, body, targets } = problem(seed);
    let report = edit.release(&body, &silent(), &mut |_| {}).unwrap();
    let V = energies(&report);
    assert!(V.windows(2).all(|pair| pair[1] <= pair[0]), "{seed}: {V:?}");
    let told = report.energy + report.penalty;
    assert!((told - V[V.len() - 1]).abs() < 1e-9 * told.abs(), "{seed}: {told} {V:?}");
    assert!(report.status != Status::Stalled, "{seed}: {report:?}");
    for (error, (id, grip)) in report.errors.iter().zip(&targets) {
        assert_eq!(error.id, *id);
        for (error, _) in error.error.iter().zip(grip.target).filter(|_| grip.hold == Hold::Hard) {
            assert!(error.abs() < 1e-6, "{seed}: {report:?}");
        }
    }
    (V[V.len() - 1] / V[0], report)
}

#[test]
fn the_energy_never_rises() {
    let mut gains: Vec<f64> = (0..1000).map(|seed| check(seed).0).collect();
    gains.sort_by(f64::total_cmp);
    // And it falls: the half of all problems by more than a third.
    assert!(gains[500] < 0.67 && gains[0] < 0.1, "{} {} {}", gains[0], gains[500], gains[999]);
}

/// Nothing asked but what is there already: nothing moves, to the bit.
#[test]
fn no_edit_gives_the_input_back() {
    let Case { mut edit, mut body, .. } = problem(3);
    edit.remove(HandleId(0)).unwrap();
    let rows = [0; 3].map(|_| vec![0.3; MODES]);
    let site = body.add(LinearSite { rows, input: vec![[0.1, 0.2, 0.3]; 14] });
    for handles in 0..2 {
        if handles > 0 {
            edit.add(HandleId(9), Grip::position(site, 6, [0.1, 0.2, 0.3])).unwrap();
        }
        let report = edit.release(&body, &silent(), &mut |_| {}).unwrap();
        assert_eq!((report.status, report.energy, report.penalty), (Status::Settled, 0.0, 0.0));
        let states = edit.path().unwrap().states(0..14);
        assert!(states.position.col_iter().all(|column| column.iter().all(|z| *z == 0.0)));
        assert_eq!(edit.material(), edit.start());
    }
}

/// What is found is a material like any other: an edit may start from it.
#[test]
fn a_material_that_was_found_is_a_start() {
    let Case { mut edit, body, .. } = problem(8);
    let report = edit.release(&body, &silent(), &mut |_| {}).unwrap();
    let found = edit.material().clone();
    edit.start_from(found.clone()).unwrap();
    let again = edit.release(&body, &silent(), &mut |_| {}).unwrap();
    let (last, first) = (energies(&report)[report.steps.len() - 1], energies(&again)[0]);
    assert!((first - last).abs() < 1e-6 * last, "{first} {last}");
    assert_eq!(edit.start().mixing(), found.mixing());
}
