//! How much a point of the warped body hears from each place.
//!
//! The warp is linear in the targets: a coordinate i of a point is Σ_q B_iq : Q Δ_q, Q the rotation by which the
//! change of shape is turned into space (I where nothing tumbles). Without contacts the three coordinates listen
//! alike, B_iq = e_i β_qᵀ, and one vector per place holds all of it. A sliding contact couples the coordinates; then
//! there are three matrices per place.

use nalgebra::Matrix3;
use supple_mesh::Vec3;

/// B of every place.
#[derive(Debug)]
pub(super) enum Weights {
    /// β.
    Alike(Vec<Vec3>),
    /// B₁, B₂, B₃.
    Each(Vec<[Matrix3<f64>; 3]>),
}

/// B of three coordinates at one place.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rows<'a> {
    /// β, for coordinates in the frame that tumbles along.
    Alike(&'a Vec3),
    /// B₁, B₂, B₃, and Q where it is not I.
    Each(&'a [Matrix3<f64>; 3], Option<&'a Matrix3<f64>>),
}

/// [`Weights`] in a frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlaceWeights<'a> {
    pub weights: &'a Weights,
    /// Q of each component.
    pub rotations: &'a [Matrix3<f64>],
    /// Whether any of them is not I.
    pub tumbles: bool,
    /// The component of each cell.
    pub component: &'a [u32],
}

impl PlaceWeights<'_> {
    /// B : Q Δ, three coordinates.
    #[inline]
    pub fn apply(&self, cell: usize, place: usize, change: &Matrix3<f64>) -> Vec3 {
        match self.weights {
            Weights::Alike(beta) => self.rotation(cell) * (change * beta[place]),
            Weights::Each(B) if self.tumbles => {
                let change = self.rotation(cell) * change;
                Vec3::from(B[place].map(|B| B.dot(&change)))
            }
            Weights::Each(B) => Vec3::from(B[place].map(|B| B.dot(change))),
        }
    }

    /// [`Self::apply`] and how it grows while Q turns: dQ = a× Q makes coordinate i grow by a·(column i).
    #[inline]
    pub fn apply_turning(&self, cell: usize, place: usize, change: &Matrix3<f64>) -> (Vec3, Matrix3<f64>) {
        match self.weights {
            Weights::Alike(beta) => {
                let y = self.rotation(cell) * (change * beta[place]);
                (y, y.cross_matrix())
            }
            Weights::Each(B) => {
                let change = self.rotation(cell) * change;
                // B : QΔ is the trace of X = QΔ Bᵀ, and B : a× QΔ that of a× X.
                let X = B[place].map(|B| change * B.transpose());
                let axial = |X: &Matrix3<f64>| {
                    Vec3::new(X[(1, 2)] - X[(2, 1)], X[(2, 0)] - X[(0, 2)], X[(0, 1)] - X[(1, 0)])
                };
                (Vec3::from(X.map(|X| X.trace())), Matrix3::from_columns(&X.each_ref().map(axial)))
            }
        }
    }

    /// B of the three coordinates.
    #[inline]
    pub fn rows(&self, cell: usize, place: usize) -> Rows<'_> {
        match self.weights {
            Weights::Alike(beta) => Rows::Alike(&beta[place]),
            Weights::Each(B) => Rows::Each(&B[place], self.tumbles.then(|| self.rotation(cell))),
        }
    }

    #[inline]
    fn rotation(&self, cell: usize) -> &Matrix3<f64> {
        &self.rotations[self.component[cell] as usize]
    }
}
