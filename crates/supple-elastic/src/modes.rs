//! Modes: how a body likes to vibrate.
//!
//! K U = M U Λ with UᵀMU = I, K the stiffness at rest over the free vertices and M the lumped mass. The
//! k-th column of U moves with frequency √λ_k / 2π. A body that can move without deforming has modes
//! with λ = 0: six if it floats.

use crate::FreeVertices;
use faer::{Mat, MatRef};
use supple_model::Progress;
use supple_numerics::eigen::{self, Certificate, EigenError};
use supple_numerics::sparse::BlockMatrix;

/// The lowest modes of a body.
///
/// # Examples
/// ```
/// use supple_elastic::{FreeVertices, Law, Material, Solid};
/// use supple_mesh::{Vec3, shapes::box_mesh};
/// use supple_model::Progress;
///
/// let material = Material { law: Law::Linear, young: 1e6, poisson: 0.3, density: 1000.0 };
/// let body = Solid::new(box_mesh(Vec3::new(1.0, 0.2, 0.2), [5, 1, 1])?, material, &[])?;
/// // Nothing holds it: six modes move it as a whole, the seventh bends it.
/// let free = FreeVertices::all(body.positions().len());
/// let modes = body.modes(&free, 8, &Progress::silent())?;
/// assert_eq!(modes.rigid(), 6);
/// assert!(modes.frequency(6) > 1.0 && modes.certificate().residuals.iter().all(|r| *r < 1e-9));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Modes {
    eigenvalues: Vec<f64>,
    shapes: Mat<f64>,
    free: FreeVertices,
    certificate: Certificate,
}

impl Modes {
    /// The lowest `count` solutions of K u = λ M u; the slices have an entry per free vertex.
    pub(crate) fn compute(
        stiffness: &BlockMatrix,
        masses: &[f64],
        positions: &[[f64; 3]],
        free: &FreeVertices,
        count: usize,
        progress: &Progress,
    ) -> Result<Self, EigenError> {
        let pairs = eigen::lowest(stiffness, masses, Some(positions), count, progress)?;
        Ok(Self {
            eigenvalues: pairs.values,
            shapes: pairs.vectors,
            free: free.clone(),
            certificate: pairs.certificate,
        })
    }

    /// Modes computed earlier and kept somewhere. `None` when the sizes do not fit each other or the
    /// eigenvalues are not ascending and finite.
    #[must_use]
    pub fn from_parts(
        eigenvalues: Vec<f64>,
        shapes: Mat<f64>,
        free: FreeVertices,
        certificate: Certificate,
    ) -> Option<Self> {
        let count = eigenvalues.len();
        let fits = shapes.ncols() == count
            && shapes.nrows() == 3 * free.vertices().len()
            && certificate.residuals.len() == count;
        let ascending = eigenvalues.is_sorted() && eigenvalues.iter().all(|v| *v >= 0.0 && v.is_finite());
        (count > 0 && fits && ascending).then_some(Self { eigenvalues, shapes, free, certificate })
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.eigenvalues.len()
    }

    /// λ, ascending, 1/s².
    #[must_use]
    pub fn eigenvalues(&self) -> &[f64] {
        &self.eigenvalues
    }

    /// U: three rows per free vertex, a column per mode, mass-orthonormal.
    #[must_use]
    pub fn shapes(&self) -> MatRef<'_, f64> {
        self.shapes.as_ref()
    }

    /// U and the vertices its rows belong to, without a copy.
    pub(crate) fn into_shapes(self) -> (Mat<f64>, FreeVertices) {
        (self.shapes, self.free)
    }

    /// The vertices the rows of U belong to.
    #[must_use]
    pub fn free(&self) -> &FreeVertices {
        &self.free
    }

    /// How many leading modes move the body without deforming it.
    #[must_use]
    pub fn rigid(&self) -> usize {
        self.eigenvalues.iter().take_while(|v| **v == 0.0).count()
    }

    /// The frequency of mode `k`, hertz.
    ///
    /// # Panics
    /// When there is no such mode.
    #[must_use]
    pub fn frequency(&self, k: usize) -> f64 {
        self.eigenvalues[k].sqrt() / std::f64::consts::TAU
    }

    /// Mode `k`: three numbers per free vertex.
    ///
    /// # Panics
    /// When there is no such mode.
    #[must_use]
    pub fn shape(&self, k: usize) -> &[f64] {
        self.shapes.col_as_slice(k)
    }

    /// Mode `k` as a displacement of every vertex, zero on anchored ones.
    ///
    /// # Panics
    /// When there is no such mode.
    #[must_use]
    pub fn displacement(&self, k: usize) -> Vec<f64> {
        let mut full = vec![0.0; 3 * self.free.body_vertices()];
        self.free.scatter(self.shape(k), &mut full);
        full
    }

    /// What was verified of them.
    #[must_use]
    pub fn certificate(&self) -> &Certificate {
        &self.certificate
    }

    /// Only the first `count` of them, or all if there are fewer.
    #[must_use]
    pub fn truncated(mut self, count: usize) -> Self {
        if count < self.count() {
            self.eigenvalues.truncate(count);
            self.certificate.residuals.truncate(count);
            self.shapes.resize_with(self.shapes.nrows(), count, |_, _| 0.0);
        }
        self
    }
}
