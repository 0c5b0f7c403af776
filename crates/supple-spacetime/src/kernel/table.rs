//! Small matrices for every frame and mode, stored so that one entry of all modes is one slice.
//!
//! Looking up a covariance multiplies a few entries mode by mode; with the modes innermost that is a walk
//! along a handful of contiguous arrays.

use nalgebra::Matrix2;
use rayon::prelude::*;

/// A 2×2 matrix for every (frame, mode), entries 00, 01, 10, 11, modes innermost.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    modes: usize,
    data: Vec<f64>,
}

impl Table {
    /// The matrices `entry(frame, mode)`, frames in parallel.
    pub fn new(frames: usize, modes: usize, entry: impl Fn(usize, usize) -> Matrix2<f64> + Sync) -> Self {
        let mut table = Self { modes, data: vec![0.0; 4 * frames * modes] };
        table.data.par_chunks_mut(4 * modes).enumerate().for_each(|(frame, chunk)| {
            for mode in 0..modes {
                put(chunk, modes, mode, &entry(frame, mode));
            }
        });
        table
    }

    /// As [`Self::new`], one frame after the other: `entry` sees the frames before.
    pub fn in_turn(
        frames: usize,
        modes: usize,
        entry: impl Fn(&Self, usize, usize) -> Matrix2<f64> + Sync,
    ) -> Self {
        let mut table = Self { modes, data: vec![0.0; 4 * frames * modes] };
        let mut chunk = vec![0.0; 4 * modes];
        for frame in 0..frames {
            for mode in 0..modes {
                put(&mut chunk, modes, mode, &entry(&table, frame, mode));
            }
            table.data[4 * modes * frame..][..4 * modes].copy_from_slice(&chunk);
        }
        table
    }

    /// The matrix of one frame and mode.
    pub fn get(&self, frame: usize, mode: usize) -> Matrix2<f64> {
        let at = |row, column| self.entry(frame, row, column)[mode];
        Matrix2::new(at(0, 0), at(0, 1), at(1, 0), at(1, 1))
    }

    /// One entry of all modes.
    pub fn entry(&self, frame: usize, row: usize, column: usize) -> &[f64] {
        &self.data[(4 * frame + 2 * row + column) * self.modes..][..self.modes]
    }

    /// Multiplies all matrices of a mode by a number.
    pub fn scale(&mut self, factors: &[f64]) {
        self.data.par_chunks_mut(self.modes).for_each(|chunk| {
            for (x, factor) in chunk.iter_mut().zip(factors) {
                *x *= factor;
            }
        });
    }
}

fn put(chunk: &mut [f64], modes: usize, mode: usize, matrix: &Matrix2<f64>) {
    for (entry, (row, column)) in [(0, 0), (0, 1), (1, 0), (1, 1)].into_iter().enumerate() {
        chunk[entry * modes + mode] = matrix[(row, column)];
    }
}
