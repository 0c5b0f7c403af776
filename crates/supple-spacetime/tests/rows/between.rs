//! Rows between frames: met, at the least cost, by sweeps as by look-ups.

use super::paths::every_kind;
use super::{Random, error, kernel, modes, open};
use nalgebra::{DMatrix, DVector, Matrix2};
use std::sync::Arc;
use supple_model::{Instant, Progress};
use supple_spacetime::{
    Constraints, End, Ends, Energy, HandleId, Kernel, Order, Oscillator, Row, Settings, Start,
};

impl Random {
    /// A hard row at any time that can move.
    fn row_between(&mut self, kernel: &Kernel) -> Row {
        let at = Instant::new(1.0 + (self.number() * 0.5 + 0.5) * (kernel.settings().frames as f64 - 3.0));
        Row { at, ..self.row(kernel) }
    }
}

/// Oscillators under every kind of ends, and the smooth kernel.
fn every_kernel(count: usize) -> Vec<Arc<Kernel>> {
    let variances: Vec<f64> = (0..count).map(|k| 1.0 / (1.0 + k as f64)).collect();
    let smooth = |ends| {
        let settings =
            Settings { ends, energy: Energy::Smooth { reach: 6.0 }, ..Settings::new(25, 1.0 / 24.0) };
        Arc::new(Kernel::smooth(&variances, settings).unwrap())
    };
    let ends = [
        open(Start::Free, End::Free),
        open(Start::Rest, End::Rest),
        Ends::Loop { period: 24 },
        Ends::Loop { period: 25 },
    ];
    let kinds = every_kind().into_iter().map(|settings| kernel(count, settings));
    kinds.chain(ends.map(smooth)).collect()
}

#[test]
fn sweeps_and_look_ups_agree() {
    // More than one chunk of modes, and not a whole number of them; few loads and many.
    let count = 37;
    for kernel in every_kernel(count) {
        for handles in [5, 11] {
            let mut random = Random::new(1);
            let contacts = vec![Row { target: 0.02, ..random.row_between(&kernel) }, random.row(&kernel)];
            let mut constraints =
                Constraints::with_contacts(kernel.clone(), contacts, &Progress::silent()).unwrap();
            for id in 0..handles {
                let rows = (0..3)
                    .map(|row| if row == 1 { random.row(&kernel) } else { random.row_between(&kernel) })
                    .collect();
                constraints.add(HandleId(id), rows).unwrap();
            }
            let edit = constraints.solve();
            assert!(edit.report.is_met(), "{:?}", kernel.settings());
            assert!(error(&constraints, &edit) < 1e-8, "{:?}", kernel.settings());
            let all = edit.path.states(0..25);
            let mut z = vec![0.0; count];
            for (order, swept) in [(Order::Position, &all.position), (Order::Velocity, &all.velocity)] {
                let size = swept.norm_max();
                for frame in 0..25 {
                    edit.path.at(frame, order, &mut z);
                    let apart = (0..count).map(|k| (z[k] - swept[(k, frame)]).abs()).fold(0.0, f64::max);
                    assert!(apart < 1e-9 * size, "{:?} frame {frame}: {apart:e}", kernel.settings());
                }
            }
        }
    }
}

/// Fine steps in a frame.
const STEPS: usize = 32;

/// The energy Σ ½ (s' − Φs)ᵀQ⁻¹(s' − Φs) over all states of fine steps, mode by mode; a loop closes on itself.
fn fine_energy(mode: Oscillator, steps: usize, h: f64, is_loop: bool) -> DMatrix<f64> {
    let (Phi, Q) = crate::kernel::reference(mode, h);
    let information = Q.try_inverse().unwrap();
    let states = if is_loop { steps } else { steps + 1 };
    let mut H = DMatrix::zeros(2 * states, 2 * states);
    for step in 0..steps {
        let next = (step + 1) % states;
        for (i, A) in [(step, -Phi), (next, Matrix2::identity())] {
            for (j, B) in [(step, -Phi), (next, Matrix2::identity())] {
                let mut view = H.view_mut((2 * i, 2 * j), (2, 2));
                view += A.transpose() * information * B;
            }
        }
    }
    H
}

#[test]
fn a_path_is_that_of_a_dense_problem_on_a_fine_grid() {
    let (frames, dt) = (6, 0.15);
    let modes =
        [(4.0, 0.1), (0.0, 0.3), (9.0, 5.0)].map(|(eigenvalue, delta)| Oscillator { eigenvalue, delta });
    let kinds = [(Start::Rest, End::Free), (Start::Rest, End::Rest)];
    let looped = modes.map(|mode| Oscillator { eigenvalue: mode.eigenvalue.max(2.0), ..mode });
    let cases = kinds.map(|(start, end)| (open(start, end), modes));
    for (ends, modes) in cases.into_iter().chain([(Ends::Loop { period: frames - 1 }, looped)]) {
        let kernel = Arc::new(Kernel::new(&modes, Settings { ends, ..Settings::new(frames, dt) }).unwrap());
        let at = |step: usize| Instant::new(step as f64 / STEPS as f64);
        let mut random = Random::new(8);
        let rows: Vec<Row> =
            [(41, Order::Position), (77, Order::Velocity), (85, Order::Position), (144, Order::Position)]
                .map(|(step, order)| Row {
                    order,
                    ..Row::position(at(step), random.numbers(3), random.number())
                })
                .into();
        let mut constraints = Constraints::new(kernel);
        constraints.add(HandleId(0), rows.clone()).unwrap();
        let edit = constraints.solve();

        // The same as one linear system: the energy's matrix, and the rows with their multipliers.
        let steps = (frames - 1) * STEPS;
        let is_loop = matches!(ends, Ends::Loop { .. });
        let own = 2 * if is_loop { steps } else { steps + 1 };
        let n = 3 * own;
        let held: Vec<usize> = match ends {
            Ends::Loop { .. } => Vec::new(),
            Ends::Open { end: End::Free, .. } => vec![0],
            Ends::Open { .. } => vec![0, steps],
        };
        let extra = rows.len() + 6 * held.len();
        let mut system = DMatrix::zeros(n + extra, n + extra);
        let mut right = DVector::zeros(n + extra);
        for (k, mode) in modes.iter().enumerate() {
            let H = fine_energy(*mode, steps, dt / STEPS as f64, is_loop);
            system.view_mut((k * own, k * own), (own, own)).copy_from(&H);
        }
        let mut put = |line: usize, column: usize, value: f64| {
            system[(n + line, column)] = value;
            system[(column, n + line)] = value;
        };
        for (line, row) in rows.iter().enumerate() {
            let step = (row.at.frames() * STEPS as f64).round() as usize;
            for k in 0..3 {
                put(line, k * own + 2 * step + usize::from(row.order == Order::Velocity), row.weights[k]);
            }
            right[n + line] = row.target;
        }
        for (index, step) in held.iter().enumerate() {
            for k in 0..3 {
                for order in 0..2 {
                    put(rows.len() + 6 * index + 2 * k + order, k * own + 2 * step + order, 1.0);
                }
            }
        }
        let solution = system.full_piv_lu().solve(&right).unwrap();
        let mut z = vec![0.0; 3];
        for (order, size) in [(Order::Position, 1.0), (Order::Velocity, 10.0)] {
            for step in (0..steps).step_by(7) {
                edit.path.at(at(step), order, &mut z);
                for k in 0..3 {
                    let exact = solution[k * own + 2 * step + usize::from(order == Order::Velocity)];
                    let apart = (z[k] - exact).abs();
                    assert!(apart < 1e-7 * size, "{ends:?}, mode {k} at {}: {apart:e}", at(step));
                }
            }
        }
    }
}

#[test]
fn forces_between_frames_are_those_of_shorter_frames() {
    let pulled = |frames: usize, dt: f64, at: f64, ends: Ends| {
        let kernel = Kernel::new(&modes(4)[1..], Settings { ends, ..Settings::new(frames, dt) }).unwrap();
        let mut constraints = Constraints::new(Arc::new(kernel));
        constraints.add(HandleId(0), vec![Row::position(at, vec![0.5, -1.0, 0.2], 1.0)]).unwrap();
        let velocity = Row { order: Order::Velocity, ..Row::position(at, vec![0.1, 0.3, 1.0], 0.4) };
        constraints.add(HandleId(1), vec![velocity]).unwrap();
        constraints.solve().path
    };
    let both = open(Start::Rest, End::Rest);
    for (ends, fine_ends) in [(both, both), (Ends::Loop { period: 12 }, Ends::Loop { period: 48 })] {
        let coarse = pulled(13, 0.1, 5.75, ends).forces().unwrap();
        let fine = pulled(49, 0.025, 23.0, fine_ends).forces().unwrap();
        let norm = |peak: &[f64]| peak.iter().map(|f| f * f).sum::<f64>().sqrt();
        let (found, expected) = (norm(&coarse.peak), norm(&fine.peak));
        // Forces are looked at in eighths of frames and of their parts, which are not those of shorter frames.
        assert!((found - expected).abs() < 1e-3 * expected, "{ends:?}: {found} {expected}");
        assert!((coarse.peak_frame - fine.peak_frame / 4.0).abs() < 0.1, "{coarse:?}");
        for frame in 0..12 {
            let finest = fine.norms[4 * frame..4 * frame + 4].iter().copied().fold(0.0, f64::max);
            assert!((coarse.norms[frame] - finest).abs() < 5e-3 * expected, "{ends:?} {frame}");
        }
    }
}
