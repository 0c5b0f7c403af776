//! Without a warp, a drag is what rows on the kernel are.

use super::oracle::Oracle;
use super::{FRAMES, Random, error, kernel, silent};
use supple_model::{Ask, Instant, Readout};
use supple_spacetime::{
    Constraints, Drag, DragSettings, Grip, HandleId, Hold, Kernel, LinearReadout, LinearSite, Order, Row,
    Status,
};

/// Four sites anywhere.
fn body(random: &mut Random, modes: usize) -> LinearReadout {
    let mut body = LinearReadout::new(modes);
    for _ in 0..4 {
        let rows = [0; 3].map(|_| random.numbers(modes));
        let input = (0..FRAMES).map(|_| [random.number(), random.number(), random.number()]).collect();
        body.add(LinearSite { rows, input });
    }
    body
}

fn contacts(random: &mut Random, kernel: &Kernel) -> Vec<Row> {
    let mut rows = Vec::new();
    for frame in [8, 15, 16, 30] {
        rows.push(Row::position(frame, random.numbers(kernel.modes()), 0.0));
        rows.push(Row::position(frame, random.numbers(kernel.modes()), 0.02 * random.number()));
    }
    rows[3].hold = Hold::Soft(40.0);
    rows[4].order = Order::Velocity;
    rows
}

/// The rows that a grip is without a warp.
fn rows(body: &LinearReadout, grip: &Grip) -> Vec<Row> {
    let z = vec![0.0; body.modes()];
    let at = |site| body.linearized(&[Ask { site, at: grip.at, z: &z }]).remove(0);
    let (here, less) = (at(grip.site), grip.less.map(|(site, _)| at(site)));
    let row = |axis: usize| {
        let (mut U, mut target) = (here.rows[axis].clone(), grip.target[axis]? - here.value[axis]);
        if let Some(less) = &less {
            U.iter_mut().zip(&less.rows[axis]).for_each(|(u, less)| *u -= less);
            target += less.value[axis];
        }
        Some(Row { hold: grip.hold, ..Row::position(grip.at, U, target) })
    };
    (0..3).filter_map(row).collect()
}

fn grips(random: &mut Random) -> Vec<Grip> {
    let mut target = || [random.number(), random.number(), random.number()];
    vec![
        Grip::position(0, 12, target()),
        Grip { hold: Hold::Soft(25.0), ..Grip::position(1, 12, target()) },
        Grip { less: Some((0, Instant::from(22))), ..Grip::position(2, 22, target()) },
        Grip { less: Some((2, Instant::from(33))), hold: Hold::Soft(3.0), ..Grip::position(1, 33, target()) },
        Grip { target: [None, Some(0.4), None], ..Grip::position(3, 33, [0.0; 3]) },
    ]
}

#[test]
fn one_step_gives_what_rows_give() {
    let kernel = kernel(24, 3);
    for with_contacts in [false, true] {
        let mut random = Random::new(2);
        let body = body(&mut random, 24);
        let contacts = if with_contacts { contacts(&mut random, &kernel) } else { Vec::new() };
        let mut constraints = Constraints::with_contacts(kernel.clone(), contacts, &silent()).unwrap();
        let mut drag = Drag::new(&constraints, DragSettings::new(1.0)).unwrap();
        for (id, grip) in grips(&mut random).iter().enumerate() {
            constraints.add(HandleId(id as u64), rows(&body, grip)).unwrap();
            drag.add(HandleId(id as u64), *grip).unwrap();
        }
        let edit = constraints.solve();
        let expected = edit.path.states(0..FRAMES).position;
        let live = drag.step(&body, &silent()).unwrap();
        assert_eq!((live.status, live.iterations), (Status::Settled, 1));
        let report = drag.release(&body, &silent()).unwrap();
        assert_eq!((report.status, report.iterations), (Status::Settled, 1));
        let found = drag.path().states(0..FRAMES).position;
        assert!((&found - &expected).norm_max() < 1e-9 * expected.norm_max());
        let total = edit.energy + edit.penalty;
        assert!((report.energy + report.penalty - total).abs() < 1e-9 * total);
        if !with_contacts {
            assert!((report.penalty - edit.penalty).abs() < 1e-9 * total);
        }
        assert!(error(&report) > 1e-3, "soft handles give");
    }
}

#[test]
fn contacts_stay_exact_under_a_warp() {
    let kernel = kernel(15, 5);
    let beam = super::bodies::Beam::new(15, [0.0, 1.0, 0.0], FRAMES, 0.2);
    let mut random = Random::new(9);
    let contacts: Vec<Row> = (18..23).map(|frame| Row::position(frame, random.numbers(15), 0.0)).collect();
    let constraints = Constraints::with_contacts(kernel.clone(), contacts.clone(), &silent()).unwrap();
    let mut drag = Drag::new(&constraints, DragSettings::new(1.0)).unwrap();
    let grips = [Grip::position(0, 20, [0.6, 0.3, -0.4]), Grip::position(1, 28, [0.4, 0.1, 0.2])];
    for (id, grip) in grips.iter().enumerate() {
        drag.add(HandleId(id as u64), *grip).unwrap();
    }
    let report = drag.release(&beam, &silent()).unwrap();
    assert_eq!(report.status, Status::Settled, "{report:?}");
    let path = drag.path();
    for row in &contacts {
        let mut z = [0.0; 15];
        path.at(row.at, row.order, &mut z);
        let value: f64 = z.iter().zip(&row.weights).map(|(z, c)| z * c).sum();
        assert!(value.abs() < 1e-10, "{value}");
    }
    let oracle = Oracle::new(&kernel, &beam, &grips, &contacts, &path);
    assert!((oracle.value(&oracle.z) - oracle.targets()).amax() < 1e-6);
    assert!(oracle.stationarity() < 2e-4, "{}", oracle.stationarity());
}

/// What is held out of a floor comes in rounds of more and more rows; every round began with nothing.
#[test]
fn other_contacts_go_on_from_the_edit_before() {
    let kernel = kernel(15, 5);
    let beam = super::bodies::Beam::new(15, [0.0, 1.0, 0.0], FRAMES, 0.2);
    let mut random = Random::new(9);
    let contacts: Vec<Row> = (18..23).map(|frame| Row::position(frame, random.numbers(15), 0.0)).collect();
    let held_by = |count: usize| {
        let rows = contacts[..count].to_vec();
        let constraints = Constraints::with_contacts(kernel.clone(), rows, &silent()).unwrap();
        let mut drag = Drag::new(&constraints, DragSettings::new(1.0)).unwrap();
        for (id, grip) in [Grip::position(0, 20, [0.6, 0.3, -0.4]), Grip::position(1, 28, [0.4, 0.1, 0.2])]
            .into_iter()
            .enumerate()
        {
            drag.add(HandleId(id as u64), grip).unwrap();
        }
        drag
    };
    let mut before = held_by(4);
    before.release(&beam, &silent()).unwrap();
    let (mut anew, mut on) = (held_by(5), held_by(5));
    on.go_on_from(&before.known());
    let [first, second] = [&mut anew, &mut on].map(|drag| drag.release(&beam, &silent()).unwrap());
    assert_eq!([first.status, second.status], [Status::Settled; 2], "{second:?}");
    assert!((second.energy / first.energy - 1.0).abs() < 1e-6, "{} {}", second.energy, first.energy);
    assert!(second.iterations < first.iterations, "{} {}", second.iterations, first.iterations);
    assert_eq!(second.starts[0].start, supple_spacetime::StartPoint::Before);
    // Asked to, it depends on nothing but what there is.
    on.begin_anew();
    on.release(&beam, &silent()).unwrap();
    assert_eq!(on.path().states(0..FRAMES).position, anew.path().states(0..FRAMES).position);
}
