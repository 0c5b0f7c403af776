//! A path by look-ups and by sweeps is the same, for every kind of ends.

use super::{Random, kernel, open};
use supple_spacetime::{Constraints, End, Ends, Energy, HandleId, Order, Reach, Settings, Start};

pub(super) fn every_kind() -> Vec<Settings> {
    let plain = Settings::new(25, 1.0 / 24.0);
    let reach = Reach { position: 20.0, velocity: 1.0 };
    vec![
        plain,
        Settings { ends: open(Start::Rest, End::Rest), ..plain },
        Settings { ends: open(Start::RestAtHalf, End::RestAtHalf), ..plain },
        Settings { reach, spread: 0.7, ..plain },
        Settings { ends: open(Start::Free, End::Free), reach, ..plain },
        Settings { ends: open(Start::Free, End::Rest), reach, ..plain },
        Settings { energy: Energy::WiggleFree { smoothness: 3.0 }, ..plain },
        Settings { ends: Ends::Loop { period: 25 }, reach, ..plain },
        Settings { ends: Ends::Loop { period: 24 }, reach, spread: -0.3, ..plain },
        Settings { ends: open(Start::Rest, End::Rest), window: Some((0, 24)), ..plain },
    ]
}

#[test]
fn sweeps_and_look_ups_agree() {
    // More than one chunk of modes, and not a whole number of them.
    let count = 37;
    for settings in every_kind() {
        let kernel = kernel(count, settings);
        let mut random = Random::new(1);
        let mut constraints = Constraints::new(kernel.clone());
        for id in 0..5 {
            let rows = (0..3).map(|_| random.row(&kernel)).collect();
            constraints.add(HandleId(id), rows).unwrap();
        }
        let edit = constraints.solve();
        assert!(edit.report.is_met(), "{settings:?}");
        assert!(super::error(&constraints, &edit) < 1e-8, "{settings:?}");
        let all = edit.path.states(0..25);
        let part = edit.path.states(7..19);
        let size = (all.position.norm_max(), all.velocity.norm_max());
        let mut z = vec![0.0; count];
        for frame in 0..25 {
            for (order, swept, size) in
                [(Order::Position, &all.position, size.0), (Order::Velocity, &all.velocity, size.1)]
            {
                edit.path.at(frame, order, &mut z);
                for k in 0..count {
                    let distance = (z[k] - swept[(k, frame)]).abs();
                    assert!(distance < 1e-11 * size, "{settings:?} frame {frame} mode {k}: {distance:e}");
                }
            }
            if (7..19).contains(&frame) {
                assert_eq!(part.position.col(frame - 7), all.position.col(frame));
            }
        }
    }
}

#[test]
fn velocities_are_derivatives() {
    // Stiff modes cannot be differenced; these are slow.
    let (frames, dt) = (2001, 1e-3);
    let kernel = kernel(3, Settings::new(frames, dt));
    let mut random = Random::new(2);
    let mut constraints = Constraints::new(kernel.clone());
    let rows = (0..3).map(|_| random.row(&kernel)).collect();
    constraints.add(HandleId(0), rows).unwrap();
    let states = constraints.solve().path.states(0..frames);
    let size = states.velocity.norm_max();
    for frame in 1..frames - 1 {
        for k in 0..3 {
            let slope = (states.position[(k, frame + 1)] - states.position[(k, frame - 1)]) / (2.0 * dt);
            assert!((slope - states.velocity[(k, frame)]).abs() < 1e-3 * size);
        }
    }
}

#[test]
fn a_path_ends_as_told() {
    let kernel = kernel(
        6,
        Settings { ends: open(Start::Rest, End::Rest), window: Some((5, 20)), ..Settings::new(25, 0.1) },
    );
    let mut constraints = Constraints::new(kernel);
    let row = supple_spacetime::Row::position(12, Random::new(4).numbers(6), 1.0);
    constraints.add(HandleId(0), vec![row]).unwrap();
    let states = constraints.solve().path.states(0..25);
    for frame in (0..=5).chain(20..25) {
        for k in 0..6 {
            assert_eq!((states.position[(k, frame)], states.velocity[(k, frame)]), (0.0, 0.0));
        }
    }
}

#[test]
fn an_edit_is_its_targets_times_responses() {
    let kernel = kernel(9, Settings::new(25, 1.0 / 24.0));
    let mut random = Random::new(6);
    let mut constraints = Constraints::new(kernel.clone());
    for id in 0..3 {
        constraints.add(HandleId(id), (0..3).map(|_| random.row(&kernel)).collect()).unwrap();
    }
    let whole = constraints.solve().path.states(0..25).position;
    let mut sum = faer::Mat::<f64>::zeros(9, 25);
    let targets: Vec<(HandleId, Vec<f64>)> =
        constraints.handles().map(|(id, rows)| (id, rows.iter().map(|row| row.target).collect())).collect();
    for (id, targets) in targets {
        for (row, target) in targets.iter().enumerate() {
            sum += faer::Scale(*target) * constraints.response(id, row).unwrap().states(0..25).position;
        }
    }
    assert!((&whole - &sum).norm_max() < 1e-10 * whole.norm_max());
}
