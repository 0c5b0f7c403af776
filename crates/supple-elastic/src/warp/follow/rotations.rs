//! The rotations of elements.

use crate::warp::Warpable;
use crate::warp::cells::Cells;
use nalgebra::Matrix3;

/// How much every element of a body turns: Q of F = Q S, F the mean of I + G u over an element.
#[derive(Debug)]
pub struct ElementRotations {
    cells: Box<dyn Cells>,
    vertices: usize,
}

impl ElementRotations {
    /// Of a mesh.
    #[must_use]
    pub fn of(mesh: &impl Warpable) -> Self {
        let parts = mesh.parts();
        Self { vertices: parts.positions.len(), cells: parts.cells }
    }

    /// Of every element under a displacement, three numbers per vertex.
    ///
    /// # Panics
    /// When `u` is of another body.
    #[must_use]
    pub fn at(&self, u: &[f64]) -> Vec<Matrix3<f64>> {
        assert_eq!(u.len(), 3 * self.vertices, "three numbers per vertex");
        let mut rotations = vec![Matrix3::zeros(); self.cells.cells()];
        self.cells.cell_rotations(u, &mut rotations);
        rotations
    }
}
