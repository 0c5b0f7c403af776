//! U for playback: single precision, row by row.
//!
//! What is shown need not be exact, and a pass over U takes as long as memory does. Half the bytes are half the
//! time. Nothing that is solved or saved may come from here.

use super::Basis;
use super::basis::VERTICES_PER_TASK;
use crate::FreeVertices;
use rayon::prelude::*;

/// Sums kept side by side in a row, as many as fill the processor's registers.
const LANES: usize = 32;

/// A copy of U for display.
#[derive(Debug)]
pub struct DisplayBasis {
    /// Row after row, each padded to a multiple of [`LANES`].
    rows: Vec<f32>,
    modes: usize,
    stride: usize,
    free: FreeVertices,
}

impl DisplayBasis {
    pub(super) fn new(basis: &Basis) -> Self {
        let (modes, free) = (basis.modes(), basis.free.clone());
        let stride = modes.next_multiple_of(LANES);
        let mut rows = vec![0.0; stride * 3 * free.vertices().len()];
        rows.par_chunks_mut(stride * LANES).enumerate().for_each(|(task, rows)| {
            let own = basis.shapes.as_ref().subrows(task * LANES, rows.len() / stride);
            for (k, column) in own.col_iter().enumerate() {
                for (row, x) in rows.chunks_exact_mut(stride).zip(column.iter()) {
                    row[k] = *x as f32;
                }
            }
        });
        Self { rows, modes, stride, free }
    }

    /// How many shapes there are.
    #[must_use]
    pub fn modes(&self) -> usize {
        self.modes
    }

    /// How many vertices the body has, anchored ones included.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.free.body_vertices()
    }

    /// Overwrites `out`, three numbers per vertex, with U z to single precision.
    ///
    /// # Panics
    /// When `z` has not one entry per mode, or `out` not three per vertex.
    pub fn displacement(&self, z: &[f64], out: &mut [f64]) {
        assert_eq!(out.len(), 3 * self.vertices(), "three numbers per vertex");
        self.displacement_from(0, z, out);
    }

    /// Overwrites `out`, three numbers for each of some vertices from `first` on, with their part of U z.
    ///
    /// # Panics
    /// When `z` has not one entry per mode, or there are not so many vertices.
    pub fn displacement_from(&self, first: usize, z: &[f64], out: &mut [f64]) {
        assert!(
            z.len() == self.modes && first + out.len() / 3 <= self.vertices(),
            "an entry per mode, and vertices there are"
        );
        let mut single: Vec<f32> = z.iter().map(|z| *z as f32).collect();
        single.resize(self.stride, 0.0);
        out.par_chunks_mut(3 * VERTICES_PER_TASK).enumerate().for_each(|(task, out)| {
            let vertices = first + task * VERTICES_PER_TASK..;
            for (v, out) in vertices.zip(out.chunks_exact_mut(3)) {
                match self.free.index(supple_model::VertexId::new(v)) {
                    None => out.fill(0.0),
                    Some(place) => {
                        let rows = self.rows[3 * place * self.stride..].chunks_exact(self.stride);
                        for (out, row) in out.iter_mut().zip(rows) {
                            *out = f64::from(dot(row, &single));
                        }
                    }
                }
            }
        });
    }
}

/// a · b.
#[inline]
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0; LANES];
    for (a, b) in a.chunks_exact(LANES).zip(b.chunks_exact(LANES)) {
        for k in 0..LANES {
            sums[k] += a[k] * b[k];
        }
    }
    sums.iter().sum()
}
