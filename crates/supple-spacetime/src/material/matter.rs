//! A material: shapes made of a body's modes, each with a stiffness and a damping.

use super::error::{MaterialError, MaterialPart};
use super::mixed::mixed;
use crate::kernel::Oscillator;
use crate::path::Path;
use faer::Mat;
use nalgebra::DMatrix;
use std::f64::consts::TAU;

/// Columns are orthonormal to this.
const ORTHONORMAL: f64 = 1e-6;

/// A material: shapes Ŵ S made of a body's modes, each with a stiffness and a damping.
///
/// Ŵ are the body's R modes, mode j multiplied by c_j = (λ₁/λ_j)^{s/2} (1 for rigid ones); SᵀS = I. The body is where it is at
/// x = C S z of its own modal coordinates. So ([`Self::shapes`], [`Self::modes`]) are an ordinary basis and kernel: with U
/// the body's modes, U times [`Self::shapes`].
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// c, a number per mode.
    scale: Vec<f64>,
    /// S, R×r.
    pub(crate) S: DMatrix<f64>,
    /// The columns of C S.
    columns: Vec<Vec<f64>>,
    /// λ and δ = d/2, shape by shape.
    pub(crate) modes: Vec<Oscillator>,
}

impl Material {
    /// Of c, S (R×r) and a (λ, δ) for each of its columns.
    ///
    /// # Errors
    /// When the numbers of modes and shapes do not fit each other, one is not finite, λ or δ is negative, or S is not
    /// orthonormal.
    pub fn new(scale: Vec<f64>, S: &Mat<f64>, modes: Vec<Oscillator>) -> Result<Self, MaterialError> {
        if S.nrows() != scale.len() {
            let (found, modes) = (S.nrows(), scale.len());
            return Err(MaterialError::ModeCount { what: MaterialPart::Shapes, found, modes });
        }
        if S.ncols() != modes.len() {
            return Err(MaterialError::ShapeCount { shapes: S.ncols(), modes: modes.len() });
        }
        let S = DMatrix::from_fn(S.nrows(), S.ncols(), |j, k| S[(j, k)]);
        let r = S.ncols();
        let is_orthonormal = (S.tr_mul(&S) - DMatrix::identity(r, r)).iter().all(|x| x.abs() <= ORTHONORMAL);
        let is_right = |x: &f64| x.is_finite() && *x >= 0.0;
        let fits = modes.iter().all(|mode| is_right(&mode.eigenvalue) && is_right(&mode.delta));
        if !(is_orthonormal && fits && scale.iter().all(|c| c.is_finite() && *c > 0.0)) {
            return Err(MaterialError::ForeignShapes);
        }
        Ok(Self::of(scale, S, modes))
    }

    pub(super) fn of(scale: Vec<f64>, S: DMatrix<f64>, modes: Vec<Oscillator>) -> Self {
        let scaled = |column: nalgebra::DVectorView<'_, f64>| {
            column.iter().zip(&scale).map(|(s, c)| s * c).collect::<Vec<f64>>()
        };
        let columns = S.column_iter().map(scaled).collect();
        Self { scale, S, columns, modes }
    }

    /// The same shapes with other stiffnesses and dampings.
    pub(super) fn with_modes(&self, modes: Vec<Oscillator>) -> Self {
        Self { modes, ..self.clone() }
    }

    /// Other shapes with the same stiffnesses and dampings.
    pub(super) fn with_shapes(&self, S: DMatrix<f64>) -> Self {
        Self::of(self.scale.clone(), S, self.modes.clone())
    }

    /// C S, R×r: the shapes in terms of the body's modes.
    #[must_use]
    pub fn shapes(&self) -> Mat<f64> {
        Mat::from_fn(self.S.nrows(), self.S.ncols(), |j, k| self.columns[k][j])
    }

    /// S, R×r: orthonormal columns.
    #[must_use]
    pub fn mixing(&self) -> Mat<f64> {
        Mat::from_fn(self.S.nrows(), self.S.ncols(), |j, k| self.S[(j, k)])
    }

    /// c, a number per mode of the body.
    #[must_use]
    pub fn scale(&self) -> &[f64] {
        &self.scale
    }

    /// λ and δ = d/2 of every shape, in the kernel's own time: what the kernel is to be made of.
    #[must_use]
    pub fn modes(&self) -> &[Oscillator] {
        &self.modes
    }

    /// The columns of C S, an entry per mode of the body each: what a [`MixedReadout`](super::MixedReadout) is made of.
    #[must_use]
    pub fn columns(&self) -> &[Vec<f64>] {
        &self.columns
    }

    /// x = C S z, coordinates of the body's own modes.
    ///
    /// # Panics
    /// When there is not an entry per shape.
    #[must_use]
    pub fn coordinates(&self, z: &[f64]) -> Vec<f64> {
        mixed(&self.columns, z)
    }

    /// In how many frames of `dt` each shape would swing once without damping; infinite for rigid ones.
    #[must_use]
    pub fn periods(&self, dt: f64) -> Vec<f64> {
        self.modes.iter().map(|mode| TAU / (mode.eigenvalue.sqrt() * dt)).collect()
    }

    /// ‖Ŵ S f‖ in the mass, the largest between each frame and the next, f the force along a path of this material: what
    /// can be compared between materials, where the body's modes are orthonormal in the mass. None under a kernel
    /// without forces.
    ///
    /// # Panics
    /// When the path is one of another number of shapes.
    #[must_use]
    pub fn forces(&self, path: &Path) -> Option<Vec<f64>> {
        let row = |j: usize| self.columns.iter().map(|column| column[j]).collect();
        let rows: Vec<Vec<f64>> = (0..self.scale.len()).map(row).collect();
        path.forces_seen(&rows)
    }
}
