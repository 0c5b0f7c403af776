//! An input frame in the coordinates of the warp.
//!
//! Every place of the body has the deformation gradient F = Q S; its rotation Q is kept as a vector ω,
//! exp ω = Q, chosen among its branches so that it goes smoothly from place to place and from frame to
//! frame, see [`super::unwrap`]. What else is needed follows from ω and the displacement.
//!
//! A component that nothing holds may tumble by any angle. The rigid motion R that fits it best is taken
//! out first: F is that of the body seen from a frame that tumbles along, and edits, centroids and contact
//! normals are understood in that frame. The change of shape is turned by R last.

use super::Warp;
use super::contacts::Held;
use super::poisson::Floating;
use nalgebra::Matrix3;
use std::sync::Arc;
use supple_mesh::Vec3;
use supple_model::VertexId;
use supple_numerics::rotation;

/// A frame of the input motion, ready to be edited.
#[derive(Clone, Debug)]
pub struct InputFrame {
    /// ū, three numbers per vertex.
    pub(super) input: Vec<f64>,
    /// ū seen from the frame that tumbles along; where nothing floats it is ū itself.
    pub(super) tumbling: Option<Vec<f64>>,
    /// R of every component; I where something holds it.
    pub(super) rotations: Vec<Matrix3<f64>>,
    /// ω of every place.
    pub(super) turns: Vec<Vec3>,
    pub(super) held: Option<Arc<Held>>,
}

impl InputFrame {
    /// The displacement it was made of.
    #[must_use]
    pub fn displacement(&self) -> &[f64] {
        &self.input
    }

    /// The rotation vectors of the elements, after the motion of floating components is taken out: one per
    /// tet or triangle, eight per voxel. Past half a turn they go on growing.
    #[must_use]
    pub fn rotation_vectors(&self) -> &[Vec3] {
        &self.turns
    }

    /// ū as the edit meets it.
    pub(super) fn seen(&self) -> &[f64] {
        self.tumbling.as_deref().unwrap_or(&self.input)
    }
}

impl Warp {
    /// A frame by itself, from its displacement.
    ///
    /// # Panics
    /// When `displacement` has not three numbers per vertex.
    #[must_use]
    pub fn input(&self, displacement: &[f64]) -> InputFrame {
        self.frame(displacement, None)
    }

    /// The frame that follows `previous` in time: rotations go on from there, past half a turn and more.
    ///
    /// # Panics
    /// When `displacement` has not three numbers per vertex, or `previous` is of another body.
    #[must_use]
    pub fn input_after(&self, displacement: &[f64], previous: &InputFrame) -> InputFrame {
        self.frame(displacement, Some(&previous.turns))
    }

    /// All frames of a motion, in the order of time.
    ///
    /// # Panics
    /// When a frame has not three numbers per vertex.
    #[must_use]
    pub fn inputs<'a>(&self, displacements: impl IntoIterator<Item = &'a [f64]>) -> Vec<InputFrame> {
        let mut frames: Vec<InputFrame> = Vec::new();
        for displacement in displacements {
            let frame = self.frame(displacement, frames.last().map(|frame| frame.turns.as_slice()));
            frames.push(frame);
        }
        frames
    }

    /// A direction in space as the edit of a frame knows it: Rᵀ `direction`. Where a body floats, edits are
    /// given in a frame that tumbles along; rows of contacts on them have to use this normal.
    ///
    /// # Panics
    /// When there is no such vertex.
    #[must_use]
    pub fn direction_of_edit(&self, frame: &InputFrame, vertex: VertexId, direction: Vec3) -> Vec3 {
        frame.rotations[self.component_of_vertex[vertex.index()]].tr_mul(&direction)
    }

    fn frame(&self, displacement: &[f64], previous: Option<&[Vec3]>) -> InputFrame {
        self.check_length(displacement);
        let mut rotations = vec![Matrix3::identity(); self.components];
        let mut tumbling = (!self.poisson.floating().is_empty()).then(|| displacement.to_vec());
        if let Some(seen) = &mut tumbling {
            for part in self.poisson.floating() {
                rotations[part.component] = self.take_out(part, displacement, seen);
            }
        }
        let mut of_place = vec![Matrix3::identity(); self.places()];
        self.cells.rotations(tumbling.as_deref().unwrap_or(displacement), &mut of_place);
        let turns = self.unwrapping.turns(&of_place, self.cells.places_per_cell(), previous);
        InputFrame { input: displacement.to_vec(), tumbling, rotations, turns, held: None }
    }

    /// The rotation R that takes a component nearest to its displaced shape, mass for mass; `seen` becomes
    /// Rᵀ(x + u) − x. Its translation does not matter to gradients.
    fn take_out(&self, part: &Floating, displacement: &[f64], seen: &mut [f64]) -> Matrix3<f64> {
        let moved = |v: VertexId| {
            self.positions[v.index()] + Vec3::from_column_slice(&displacement[3 * v.index()..][..3])
        };
        let members = || part.vertices.iter().zip(&part.weights);
        let rest = members().map(|(v, w)| self.positions[v.index()] * *w).sum::<Vec3>();
        let centre = members().map(|(v, w)| moved(*v) * *w).sum::<Vec3>();
        let covariance: Matrix3<f64> = members()
            .map(|(v, w)| (moved(*v) - centre) * (self.positions[v.index()] - rest).transpose() * *w)
            .sum();
        let R = rotation::polar_rotation(&covariance);
        for v in &part.vertices {
            let back = R.tr_mul(&(moved(*v) - centre)) - (self.positions[v.index()] - rest);
            seen[3 * v.index()..][..3].copy_from_slice(back.as_slice());
        }
        R
    }
}
