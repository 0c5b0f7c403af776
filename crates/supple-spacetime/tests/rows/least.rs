//! The edit is the least costly one: against the conditions of optimality on all states, and against neighbours.

use super::{Random, error, kernel, modes, open};
use nalgebra::{DMatrix, DVector, Matrix2, Matrix4};
use supple_spacetime::{Constraints, End, HandleId, Hold, Order, Oscillator, Row, Settings, Start, States};

/// Φ and Q over one frame by Van Loan's exponential.
fn step(mode: Oscillator, dt: f64) -> (Matrix2<f64>, Matrix2<f64>) {
    let A = Matrix2::new(0.0, 1.0, -mode.eigenvalue, -2.0 * mode.delta);
    let mut M = Matrix4::zeros();
    M.fixed_view_mut::<2, 2>(0, 0).copy_from(&(-A * dt));
    M.fixed_view_mut::<2, 2>(2, 2).copy_from(&(A.transpose() * dt));
    M[(1, 3)] = dt;
    let X = M.exp();
    let Phi: Matrix2<f64> = X.fixed_view::<2, 2>(2, 2).transpose();
    (Phi, Phi * X.fixed_view::<2, 2>(0, 2))
}

/// The cost of all states at frames, which is exact: ½ Σ (s₊ − Φs)ᵀ Q⁻¹ (s₊ − Φs), modes outermost.
fn cost(modes: &[Oscillator], frames: usize, dt: f64) -> DMatrix<f64> {
    let per_mode = 2 * frames;
    let mut H = DMatrix::zeros(modes.len() * per_mode, modes.len() * per_mode);
    for (k, mode) in modes.iter().enumerate() {
        let (Phi, Q) = step(*mode, dt);
        let mut D = DMatrix::zeros(2, 4);
        D.view_mut((0, 0), (2, 2)).copy_from(&(-Phi));
        D.view_mut((0, 2), (2, 2)).copy_from(&Matrix2::identity());
        let block = D.transpose() * Q.try_inverse().unwrap() * D;
        for i in 0..frames - 1 {
            let at = k * per_mode + 2 * i;
            let mut view = H.view_mut((at, at), (4, 4));
            view += &block;
        }
    }
    H
}

/// Rows over all states; those of frame 0 and, with the end at rest, of the last frame come after.
fn constraint_matrix(rows: &[Row], modes: usize, frames: usize, end: End) -> DMatrix<f64> {
    let column = |k: usize, frame: usize, order: Order| {
        2 * frames * k + 2 * frame + usize::from(order == Order::Velocity)
    };
    let held: Vec<usize> = if end == End::Rest { vec![0, frames - 1] } else { vec![0] };
    let mut C = DMatrix::zeros(rows.len() + 2 * modes * held.len(), 2 * modes * frames);
    for (a, row) in rows.iter().enumerate() {
        for k in 0..modes {
            C[(a, column(k, row.at.frame().unwrap(), row.order))] = row.weights[k];
        }
    }
    let mut a = rows.len();
    for frame in held {
        for k in 0..modes {
            for order in [Order::Position, Order::Velocity] {
                C[(a, column(k, frame, order))] = 1.0;
                a += 1;
            }
        }
    }
    C
}

fn flat(states: &States) -> DVector<f64> {
    let (modes, frames) = (states.position.nrows(), states.position.ncols());
    DVector::from_fn(2 * modes * frames, |x, _| {
        let (k, rest) = (x / (2 * frames), x % (2 * frames));
        if rest % 2 == 0 { states.position[(k, rest / 2)] } else { states.velocity[(k, rest / 2)] }
    })
}

#[test]
fn the_conditions_of_optimality_hold_and_neighbours_cost_more() {
    let (count, frames, dt) = (4, 14, 0.1);
    for end in [End::Free, End::Rest] {
        let kernel = kernel(count, Settings { ends: open(Start::Rest, end), ..Settings::new(frames, dt) });
        let mut random = Random::new(3);
        let mut constraints = Constraints::new(kernel.clone());
        for id in 0..3 {
            let rows = (0..2).map(|_| random.row(&kernel)).collect();
            constraints.add(HandleId(id), rows).unwrap();
        }
        let edit = constraints.solve();
        assert!(edit.report.is_met() && error(&constraints, &edit) < 1e-9);
        let rows: Vec<Row> = constraints.handles().flat_map(|(_, rows)| rows.to_vec()).collect();
        let C = constraint_matrix(&rows, count, frames, end);
        let H = cost(&modes(count), frames, dt);
        let s = flat(&edit.path.states(0..frames));
        // Hs must be a combination of the rows of C.
        let gradient = &H * &s;
        let multipliers = C.transpose().svd(true, true).solve(&gradient, 1e-12).unwrap();
        let residual = (&gradient - C.transpose() * multipliers).norm() / gradient.norm();
        assert!(residual < 1e-9, "{end:?}: {residual:e}");
        let energy = 0.5 * s.dot(&gradient);
        assert!((energy - edit.energy).abs() < 1e-9 * energy, "{energy} {}", edit.energy);
        // Perturbations that leave all rows as they are.
        let inverse = (&C * C.transpose()).try_inverse().unwrap();
        for _ in 0..20 {
            let d = DVector::from_fn(s.len(), |_, _| random.number());
            let d = &d - C.transpose() * (&inverse * (&C * &d));
            let d = &d * (1e-3 * s.norm() / d.norm());
            let moved = &s + d;
            assert!(0.5 * moved.dot(&(&H * &moved)) > energy);
        }
    }
}

#[test]
fn a_soft_row_gives_way_as_its_weight_says() {
    let kernel = super::simple(5, 40);
    let mut random = Random::new(5);
    let row = Row::position(20, random.numbers(5), 1.5);
    let hard = {
        let mut constraints = Constraints::new(kernel.clone());
        constraints.add(HandleId(0), vec![row.clone()]).unwrap();
        constraints.solve()
    };
    // Hard: E = t²/2S.
    let S = 1.5 * 1.5 / (2.0 * hard.energy);
    for share in [1e-3, 0.5, 1.0, 30.0, 1e9] {
        let weight = share / S;
        let mut constraints = Constraints::new(kernel.clone());
        constraints.add(HandleId(0), vec![Row { hold: Hold::Soft(weight), ..row.clone() }]).unwrap();
        let edit = constraints.solve();
        let exact = 1.5 * share / (share + 1.0);
        assert!((value_of(&edit, &row) - exact).abs() < 1e-12, "{share}");
        let e = exact - 1.5;
        assert!((edit.penalty - 0.5 * weight * e * e).abs() < 1e-12 * edit.penalty.max(1e-3));
        assert!((edit.energy - exact * exact / (2.0 * S)).abs() < 1e-12 * hard.energy);
    }
}

fn value_of(edit: &supple_spacetime::Edit, row: &Row) -> f64 {
    super::value(edit, row)
}

#[test]
fn stiffer_and_stiffer_rows_become_hard() {
    let kernel = super::simple(6, 40);
    let mut random = Random::new(8);
    let rows: Vec<Row> = (0..5).map(|_| random.row(&kernel)).collect();
    let path = |hold: Hold| {
        let mut constraints = Constraints::new(kernel.clone());
        for (id, row) in rows.iter().enumerate() {
            constraints.add(HandleId(id as u64), vec![Row { hold, ..row.clone() }]).unwrap();
        }
        flat(&constraints.solve().path.states(0..40))
    };
    let hard = path(Hold::Hard);
    let mut before = f64::INFINITY;
    for weight in [1e3, 1e5, 1e7, 1e9] {
        let distance = (path(Hold::Soft(weight)) - &hard).norm() / hard.norm();
        assert!(distance < before, "{weight:e}: {distance:e}");
        before = distance;
    }
    assert!(before < 1e-5, "{before:e}");
}

#[test]
fn a_very_soft_row_does_not_push_hard_ones_out() {
    let kernel = super::simple(6, 40);
    let mut random = Random::new(9);
    let mut constraints = Constraints::new(kernel.clone());
    for id in 0..3 {
        constraints.add(HandleId(id), vec![random.row(&kernel)]).unwrap();
    }
    let hard = error(&constraints, &constraints.clone().solve());
    let soft = Row { hold: Hold::Soft(1e-14), ..random.row(&kernel) };
    constraints.add(HandleId(9), vec![soft]).unwrap();
    let edit = constraints.solve();
    assert!(edit.report.is_met() && edit.report.redundant.is_empty());
    constraints.remove(HandleId(9)).unwrap();
    assert!(hard < 1e-10 && error(&constraints, &edit) < 1e-10);
}

#[test]
fn more_modes_never_cost_more() {
    let mut random = Random::new(11);
    let weights: Vec<Vec<f64>> = (0..4).map(|_| random.numbers(12)).collect();
    let energy = |count: usize| {
        let mut constraints = Constraints::new(super::simple(count, 30));
        for (id, weights) in weights.iter().enumerate() {
            let row = Row::position(6 * id + 4, weights[..count].to_vec(), 1.0);
            constraints.add(HandleId(id as u64), vec![row]).unwrap();
        }
        constraints.solve().energy
    };
    let energies: Vec<f64> = (4..=12).map(energy).collect();
    assert!(energies.windows(2).all(|pair| pair[1] <= pair[0] * (1.0 + 1e-12)), "{energies:?}");
}
