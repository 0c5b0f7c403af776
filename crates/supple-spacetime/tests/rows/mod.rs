//! Rows on the kernel: least energy, incremental changes, contacts, trouble, and the same bits on any threads.

#![expect(clippy::unwrap_used, reason = "a step that fails is a test that fails")]
#![expect(non_snake_case, reason = "matrices keep their capital letters")]

mod between;
mod contacts;
mod forces;
mod least;
mod paths;
mod sequences;
mod threads;
mod trouble;

use crate::random::Random;
use std::sync::Arc;
use supple_spacetime::{Constraints, Edit, End, Ends, Kernel, Order, Oscillator, Row, Settings, Start};

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        ((self.number() * 0.5 + 0.5) * bound as f64) as usize % bound
    }

    /// A hard row at a frame that is not the first or the last.
    fn row(&mut self, kernel: &Kernel) -> Row {
        let frame = 1 + self.below(kernel.settings().frames - 2);
        let weights = self.numbers(kernel.modes());
        let order = if self.number() > 0.6 { Order::Velocity } else { Order::Position };
        Row { order, ..Row::position(frame, weights, self.number()) }
    }
}

/// Modes from rigid to stiff, λ·dt² far above 4 among them.
fn modes(count: usize) -> Vec<Oscillator> {
    let of = |k: usize| {
        let eigenvalue = (k as f64).powi(3) * 2.0;
        Oscillator { eigenvalue, delta: 0.02 + 0.005 * eigenvalue }
    };
    (0..count).map(of).collect()
}

fn open(start: Start, end: End) -> Ends {
    Ends::Open { start, end }
}

fn kernel(count: usize, settings: Settings) -> Arc<Kernel> {
    Arc::new(Kernel::new(&modes(count), settings).unwrap())
}

fn simple(count: usize, frames: usize) -> Arc<Kernel> {
    kernel(count, Settings::new(frames, 1.0 / 24.0))
}

/// What a row reads on a path.
fn value(edit: &Edit, row: &Row) -> f64 {
    let mut z = vec![0.0; row.weights.len()];
    edit.path.at(row.at, row.order, &mut z);
    z.iter().zip(&row.weights).map(|(z, c)| z * c).sum()
}

/// The largest error of all handles' rows.
fn error(constraints: &Constraints, edit: &Edit) -> f64 {
    let rows = constraints.handles().flat_map(|(_, rows)| rows);
    rows.map(|row| (value(edit, row) - row.target).abs()).fold(0.0, f64::max)
}
