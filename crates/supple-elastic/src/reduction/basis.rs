//! U over the vertices of a body: edits from modal coordinates and back.
//!
//! An edit is p = U z, three numbers per vertex, zero on anchored ones. U is large (a bridge of 9,000 vertices with
//! 1,000 modes: 222 MB) and everything done with it is a pass over memory, so products are made for several
//! columns at once:
//!
//! | product | shape | for |
//! |---|---|---|
//! | U z | 3n | one frame, [`Basis::displacement`] |
//! | U Z | 3n×F | many frames or directions, [`Basis::displacements`] |
//! | Uᵀ Y | r×k | derivatives of points by z from those by p, [`Basis::project`] |
//! | rows of U | 3×r | a vertex without a warp, [`Basis::row`] |
//!
//! [`DisplayBasis`] is a copy of half the size for playback. All products are cut into pieces of fixed size, so
//! that they are the same bits on any number of threads.

use super::{DisplayBasis, product};
use crate::{FreeVertices, Modes};
use faer::{Mat, MatMut, MatRef};
use rayon::prelude::*;
use std::ops::Range;
use supple_model::VertexId;

/// Vertices whose rows are one task.
pub(super) const VERTICES_PER_TASK: usize = 512;
/// Columns of U that are one task.
const MODES_PER_TASK: usize = 16;

/// U over the vertices of a body.
#[derive(Debug)]
pub struct Basis {
    /// Three rows per free vertex, a column per mode.
    pub(super) shapes: Mat<f64>,
    pub(super) free: FreeVertices,
}

impl Basis {
    /// The shapes of modes, taken over without a copy.
    #[must_use]
    pub fn of(modes: Modes) -> Self {
        let (shapes, free) = modes.into_shapes();
        Self { shapes, free }
    }

    /// Any shapes: three rows per free vertex, a column each.
    ///
    /// # Panics
    /// When there are not three rows per free vertex.
    #[must_use]
    pub fn new(shapes: Mat<f64>, free: FreeVertices) -> Self {
        assert_eq!(shapes.nrows(), 3 * free.vertices().len(), "three rows per free vertex");
        Self { shapes, free }
    }

    /// r, how many shapes there are.
    #[must_use]
    pub fn modes(&self) -> usize {
        self.shapes.ncols()
    }

    /// n, how many vertices the body has, anchored ones included.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.free.body_vertices()
    }

    /// U: three rows per free vertex, a column per mode.
    #[must_use]
    pub fn shapes(&self) -> MatRef<'_, f64> {
        self.shapes.as_ref()
    }

    /// The vertices the rows of U belong to.
    #[must_use]
    pub fn free(&self) -> &FreeVertices {
        &self.free
    }

    /// Σ w_v U_v, a row for each coordinate: what a point sees of the modes. Anchored vertices see nothing.
    ///
    /// # Panics
    /// When there is no such vertex.
    #[must_use]
    pub fn row(&self, vertices: &[(VertexId, f64)]) -> [Vec<f64>; 3] {
        let moving: Vec<(usize, f64)> =
            vertices.iter().filter_map(|(v, w)| Some((3 * self.free.index(*v)?, *w))).collect();
        std::array::from_fn(|axis| {
            let columns = self.shapes.col_iter();
            columns.map(|column| moving.iter().map(|(at, w)| w * column[at + axis]).sum()).collect()
        })
    }

    /// Overwrites `out`, three numbers per vertex, with U z.
    ///
    /// # Panics
    /// When `z` has not one entry per mode, or `out` not three per vertex.
    pub fn displacement(&self, z: &[f64], out: &mut [f64]) {
        assert!(
            z.len() == self.modes() && out.len() == 3 * self.vertices(),
            "an entry per mode, three per vertex"
        );
        if z.iter().all(|z| *z == 0.0) {
            // What every solution begins with is known without a pass over U.
            out.fill(0.0);
            return;
        }
        self.displacements(MatRef::from_column_major_slice(z, z.len(), 1), out);
    }

    /// Overwrites `out`, three numbers per vertex, with column k of U.
    ///
    /// # Panics
    /// When there is no such column, or `out` has not three numbers per vertex.
    pub fn column(&self, k: usize, out: &mut [f64]) {
        assert_eq!(out.len(), 3 * self.vertices(), "three per vertex");
        out.fill(0.0);
        self.free.scatter(self.shapes.col_as_slice(k), out);
    }

    /// Overwrites `out` with U Z, the displacement of every column of Z after one another.
    ///
    /// # Panics
    /// When Z (r×F) has not one row per mode, or `out` not three numbers per vertex and column.
    pub fn displacements(&self, Z: MatRef<'_, f64>, out: &mut [f64]) {
        let (rows, columns) = (3 * self.vertices(), Z.ncols());
        assert!(
            Z.nrows() == self.modes() && out.len() == rows * columns,
            "a row per mode, three numbers per vertex"
        );
        if columns == 0 {
            return;
        }
        let out = MatMut::from_column_major_slice_mut(out, rows, columns);
        out.par_row_chunks_mut(3 * VERTICES_PER_TASK).enumerate().for_each(|(task, mut out)| {
            let own = self.rows_of_task(task, out.nrows());
            let U = self.shapes.as_ref().subrows(own.start, own.len());
            if own.len() == out.nrows() {
                product::multiply(out, U, Z);
                return;
            }
            let mut sums = Mat::zeros(own.len(), columns);
            product::multiply(sums.as_mut(), U, Z);
            for (sums, out) in sums.col_iter().zip(out.as_mut().col_iter_mut()) {
                let (Some(sums), Some(out)) = (sums.try_as_col_major(), out.try_as_col_major_mut()) else {
                    continue;
                };
                self.spread(task, own.clone(), sums.as_slice(), out.as_slice_mut());
            }
        });
    }

    /// Uᵀ Y, r×k, for columns of three numbers per vertex: with Y = ∂W/∂p it is ∂W/∂z. One pass over U, however
    /// many columns there are.
    ///
    /// # Panics
    /// When Y has not three rows per vertex.
    #[must_use]
    pub fn project(&self, Y: MatRef<'_, f64>) -> Mat<f64> {
        assert_eq!(Y.nrows(), 3 * self.vertices(), "three rows per vertex");
        let gathered = (self.free.vertices().len() < self.vertices()).then(|| self.gather(Y));
        let Y = gathered.as_ref().map_or(Y, Mat::as_ref);
        let mut out = Mat::zeros(self.modes(), Y.ncols());
        out.par_row_chunks_mut(MODES_PER_TASK).enumerate().for_each(|(task, out)| {
            let U = self.shapes.as_ref().subcols(task * MODES_PER_TASK, out.nrows());
            product::project(out, U, Y);
        });
        out
    }

    /// A copy for display: half the size, read row by row.
    #[must_use]
    pub fn display(&self) -> DisplayBasis {
        DisplayBasis::new(self)
    }

    /// The rows of U that belong to a run of vertices with `rows` coordinates.
    fn rows_of_task(&self, task: usize, rows: usize) -> Range<usize> {
        let first = VertexId::new(task * VERTICES_PER_TASK);
        let end = VertexId::new(first.index() + rows / 3);
        let place = |vertex| 3 * self.free.vertices().partition_point(|v| *v < vertex);
        place(first)..place(end)
    }

    /// Writes the rows `own` to the run of vertices they belong to; anchored vertices get zeros.
    fn spread(&self, task: usize, own: Range<usize>, rows: &[f64], out: &mut [f64]) {
        if rows.len() == out.len() {
            out.copy_from_slice(rows);
            return;
        }
        out.fill(0.0);
        let vertices = &self.free.vertices()[own.start / 3..own.end / 3];
        for (v, row) in vertices.iter().zip(rows.chunks_exact(3)) {
            out[3 * (v.index() - task * VERTICES_PER_TASK)..][..3].copy_from_slice(row);
        }
    }

    /// The rows of free vertices.
    fn gather(&self, Y: MatRef<'_, f64>) -> Mat<f64> {
        let vertices = self.free.vertices();
        let mut out = Mat::zeros(3 * vertices.len(), Y.ncols());
        out.par_row_chunks_mut(3 * VERTICES_PER_TASK).enumerate().for_each(|(task, mut out)| {
            for (column, Y) in Y.col_iter().enumerate() {
                for row in 0..out.nrows() {
                    let vertex = vertices[task * VERTICES_PER_TASK + row / 3];
                    out[(row, column)] = Y[3 * vertex.index() + row % 3];
                }
            }
        });
        out
    }
}
