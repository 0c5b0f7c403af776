//! ∂W/∂z at all vertices: r directions at once, 3r columns through the factor.

use super::element::{Element, Slope};
use super::{ModalShape, ModalWarp};
use crate::warp::COLUMNS_PER_SOLVE;
use rayon::prelude::*;
use supple_mesh::Vec3;
use supple_model::VertexId;

/// Elements are summed in so many runs, whatever the number of threads.
pub(super) const RUNS: usize = 8;

/// ∂W/∂z of every vertex.
#[derive(Clone, Debug)]
pub struct ModalSlopes {
    /// A column for each coordinate and mode, modes fastest; a number for each vertex.
    columns: Vec<f64>,
    vertices: usize,
    modes: usize,
}

impl ModalSlopes {
    /// Adds `weight` times ∂W_v/∂z to three rows of r numbers.
    ///
    /// # Panics
    /// When there is no such vertex, or `rows` has not 3r numbers.
    pub fn add(&self, vertex: VertexId, weight: f64, rows: &mut [f64]) {
        assert_eq!(rows.len(), 3 * self.modes, "three rows");
        for (row, column) in rows.iter_mut().zip(self.columns.chunks_exact(self.vertices)) {
            *row += weight * column[vertex.index()];
        }
    }

    /// ∂W/∂z for one coordinate and mode, a number for each vertex.
    #[must_use]
    pub fn column(&self, axis: usize, mode: usize) -> &[f64] {
        &self.columns[(axis * self.modes + mode) * self.vertices..][..self.vertices]
    }
}

impl ModalWarp {
    /// ∂W/∂z at a shape.
    #[must_use]
    pub fn slopes(&self, shape: &ModalShape) -> ModalSlopes {
        self.pulled(&|q| Element::new(&shape.strains[q]).slope(), true)
    }

    /// How ∂W/∂z changes as the shape does: ∂/∂z of the velocity that [`Self::velocity`] tells.
    #[must_use]
    pub fn slopes_along(&self, shape: &ModalShape, change: &ModalShape) -> ModalSlopes {
        self.pulled(&|q| Element::new(&shape.strains[q]).slope_along(&change.strains[q]), false)
    }

    fn pulled(&self, slope: &(dyn Fn(usize) -> Slope + Sync), as_wholes: bool) -> ModalSlopes {
        let (warp, n, r, stride) = (&self.warp, self.vertices(), self.modes, self.stride);
        let cells = warp.cells.cells();
        let run = cells.div_ceil(RUNS).max(1);
        let pulled = |k: usize| {
            let mut rows = vec![0.0; 3 * n * stride];
            let own = (k * run).min(cells)..((k + 1) * run).min(cells);
            warp.cells.add_pulls(own, slope, &self.strains, stride, &mut rows);
            rows
        };
        let runs: Vec<Vec<f64>> = (0..RUNS).into_par_iter().map(pulled).collect();
        let mut columns = vec![0.0; 3 * r * n];
        columns.par_chunks_mut(n).enumerate().for_each(|(column, out)| {
            let place = (column / r) * stride + column % r;
            for (v, out) in out.iter_mut().enumerate() {
                *out = runs.iter().map(|rows| rows[3 * v * stride + place]).sum();
            }
        });
        columns.par_chunks_mut(COLUMNS_PER_SOLVE * n).for_each(|columns| {
            warp.poisson.solve(columns, n, &mut Vec::new());
        });
        let mut slopes = ModalSlopes { columns, vertices: n, modes: r };
        if as_wholes {
            slopes.move_wholes(self);
        }
        slopes
    }
}

impl ModalSlopes {
    fn move_wholes(&mut self, of: &ModalWarp) {
        for (column, values) in self.columns.chunks_exact_mut(self.vertices).enumerate() {
            let (axis, mode) = (column / self.modes, column % self.modes);
            for (value, part) in values.iter_mut().zip(&of.shift_of) {
                *value += part.map_or(0.0, |part| of.shifts[part][axis][mode]);
            }
        }
    }

    /// Σ_v f_v · ∂W_v/∂z, a force for each vertex.
    ///
    /// # Panics
    /// When there is not a force for each vertex.
    #[must_use]
    pub fn project(&self, forces: &[Vec3]) -> Vec<f64> {
        assert_eq!(forces.len(), self.vertices, "a force for each vertex");
        let of = |mode: usize| {
            let dot = |axis: usize| -> f64 {
                self.column(axis, mode).iter().zip(forces).map(|(slope, f)| slope * f[axis]).sum()
            };
            dot(0) + dot(1) + dot(2)
        };
        (0..self.modes).into_par_iter().map(of).collect()
    }
}
