//! The kernel against independent oracles: finite differences, quadrature, matrix exponentials, long sums.

#![expect(clippy::unwrap_used, reason = "a step that fails is a test that fails")]
#![expect(non_snake_case, reason = "matrices keep their capital letters")]

mod between;
mod differences;
mod ends;
mod integrals;
mod loops;
mod mean;
mod reach;
mod smooth;
mod wrong;

use nalgebra::{DMatrix, Matrix2, Matrix4};
use supple_model::Instant;
use supple_spacetime::{Kernel, Order, Oscillator, Settings};

const ORDERS: [Order; 2] = [Order::Position, Order::Velocity];

/// Every regime of damping, with and without stiffness, and with λ·dt² far beyond 4 at a 24th of a second.
fn regimes() -> Vec<Oscillator> {
    let of = |eigenvalue, delta| Oscillator { eigenvalue, delta };
    vec![
        of(0.0, 0.0),
        of(0.0, 0.7),
        of(4.0, 0.0),
        of(4.0, 0.1),
        of(4.0, 2.0),
        of(4.0, 2.0 + 1e-9),
        of(4.0, 2.0 - 1e-9),
        of(4.0, 2.01),
        of(4.0, 9.0),
        of(1e4, 0.5),
        of(1e6, 400.0),
        of(1e6, 2e4),
    ]
}

/// P(i,j) of mode k.
fn block(kernel: &Kernel, i: usize, j: usize, k: usize) -> Matrix2<f64> {
    block_at(kernel, i.into(), j.into(), k)
}

/// The same at any two times.
fn block_at(kernel: &Kernel, i: Instant, j: Instant, k: usize) -> Matrix2<f64> {
    let mut out = vec![0.0; kernel.modes()];
    let mut P = Matrix2::zeros();
    for (row, a) in ORDERS.into_iter().enumerate() {
        for (column, b) in ORDERS.into_iter().enumerate() {
            kernel.covariance((i, a), (j, b), &mut out);
            P[(row, column)] = out[k];
        }
    }
    P
}

/// P of one mode over some frames, positions and velocities alternating.
fn whole<T: Copy + Into<Instant>>(kernel: &Kernel, times: &[T], k: usize) -> DMatrix<f64> {
    let n = 2 * times.len();
    DMatrix::from_fn(n, n, |a, b| {
        block_at(kernel, times[a / 2].into(), times[b / 2].into(), k)[(a % 2, b % 2)]
    })
}

/// Φ(t) and Q(t) of Van Loan's exponential on short steps, doubled: another way than the crate's closed forms.
pub fn reference(mode: Oscillator, t: f64) -> (Matrix2<f64>, Matrix2<f64>) {
    let A = Matrix2::new(0.0, 1.0, -mode.eigenvalue, -2.0 * mode.delta);
    let mut steps = 0;
    let mut h = t;
    while h * (mode.eigenvalue.sqrt() + 2.0 * mode.delta) > 0.25 {
        h *= 0.5;
        steps += 1;
    }
    let mut M = Matrix4::zeros();
    M.fixed_view_mut::<2, 2>(0, 0).copy_from(&(-A * h));
    M.fixed_view_mut::<2, 2>(2, 2).copy_from(&(A.transpose() * h));
    M[(1, 3)] = h;
    let X = M.exp();
    let mut Phi: Matrix2<f64> = X.fixed_view::<2, 2>(2, 2).transpose();
    let mut Q: Matrix2<f64> = Phi * X.fixed_view::<2, 2>(0, 2);
    for _ in 0..steps {
        Q += Phi * Q * Phi.transpose();
        Phi *= Phi;
    }
    (Phi, Q)
}

/// Largest difference of two blocks, every entry over the standard deviations that bound it.
fn apart(A: &Matrix2<f64>, B: &Matrix2<f64>, first: &Matrix2<f64>, second: &Matrix2<f64>) -> f64 {
    let mut largest: f64 = 0.0;
    for a in 0..2 {
        for b in 0..2 {
            let size = (first[(a, a)] * second[(b, b)]).sqrt();
            largest = largest.max((A[(a, b)] - B[(a, b)]).abs() / size.max(f64::MIN_POSITIVE));
        }
    }
    largest
}

fn kernel(modes: &[Oscillator], settings: Settings) -> Kernel {
    Kernel::new(modes, settings).unwrap()
}
