//! How much a point of the warped body hears from each place.
//!
//! The warp is linear in the targets: a coordinate i of a point is Σ_q B_iq : Δ_q. Without contacts the
//! three coordinates listen alike, B_iq = r_i β_qᵀ with r_i the i-th row of the rotation that was taken out
//! of the frame (rows of I where none was), and one vector per place holds all of it. A sliding contact
//! couples the coordinates; then there are three matrices per place.

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
    /// B₁, B₂, B₃.
    Each(&'a [Matrix3<f64>; 3]),
}

/// [`Weights`] in a frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlaceWeights<'a> {
    pub weights: &'a Weights,
    /// The rotation taken out of each component.
    pub rotations: &'a [Matrix3<f64>],
    /// The component of each cell.
    pub component: &'a [u32],
}

impl PlaceWeights<'_> {
    /// B : Δ, three coordinates.
    #[inline]
    pub fn apply(&self, cell: usize, place: usize, change: &Matrix3<f64>) -> Vec3 {
        match self.weights {
            Weights::Alike(beta) => self.rotation(cell) * (change * beta[place]),
            Weights::Each(B) => Vec3::from(B[place].map(|B| B.dot(change))),
        }
    }

    /// B of the three coordinates.
    #[inline]
    pub fn rows(&self, place: usize) -> Rows<'_> {
        match self.weights {
            Weights::Alike(beta) => Rows::Alike(&beta[place]),
            Weights::Each(B) => Rows::Each(&B[place]),
        }
    }

    #[inline]
    fn rotation(&self, cell: usize) -> &Matrix3<f64> {
        &self.rotations[self.component[cell] as usize]
    }
}
