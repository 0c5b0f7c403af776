//! An input frame in the coordinates of the warp.
//!
//! Every place of the body has the deformation gradient F = Q S; its rotation Q is kept as a vector ω,
//! exp ω = Q, chosen among its branches so that it goes smoothly from place to place and from frame to
//! frame, see [`super::unwrap`]. What else is needed follows from ω and the displacement.
//!
//! A component that nothing holds may tumble by any angle. The rigid motion R that fits it best is taken
//! out first: F is that of the body seen from a frame that tumbles along, and edits of the shape are understood in
//! that frame. The change of shape is turned by R last; where the centre goes is meant in space, see
//! [`super::floating`], and so are contacts.

use super::cells::Edited;
use super::contacts::Held;
use super::floating::Floating;
use super::target::Turning;
use super::{Warp, unwrap};
use nalgebra::Matrix3;
use rayon::prelude::*;
use std::sync::Arc;
use supple_mesh::Vec3;
use supple_model::{Cancelled, Progress, VertexId};
use supple_numerics::rotation;

/// Frames whose rotations are found together.
const FRAMES_PER_BLOCK: usize = 16;

/// A frame of the input motion, ready to be edited.
///
/// Clones share what is large: the same frame with other contacts costs little.
#[derive(Clone, Debug)]
pub struct InputFrame {
    /// ū, three numbers per vertex.
    pub(super) input: Arc<[f64]>,
    /// ū seen from the frame that tumbles along; where nothing floats it is ū itself.
    pub(super) tumbling: Option<Arc<[f64]>>,
    /// R of every component; I where something holds it.
    pub(super) rotations: Arc<[Matrix3<f64>]>,
    /// c̄ of every component that floats: the mean of x + ū over its masses.
    pub(super) centres: Arc<[Vec3]>,
    /// Whether each component turns far in its motion, see [`super::spin`]; no frame by itself does.
    pub(super) spins: Arc<[bool]>,
    /// ω of every place,
    pub(super) turns: Arc<[Vec3]>,
    /// and how edits turn on from there.
    pub(super) turning: Turning,
    pub(super) held: Option<Arc<Held>>,
}

/// What a frame is by itself.
#[derive(Debug)]
struct Seen {
    rotations: Vec<Matrix3<f64>>,
    centres: Vec<Vec3>,
    tumbling: Option<Vec<f64>>,
    /// log Q of every place, or of its neighbourhood.
    logarithms: Vec<Vec3>,
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

    /// The frame under the edit p, three numbers per vertex.
    pub(super) fn edited<'a>(&'a self, edit: &'a [f64]) -> Edited<'a> {
        Edited { input: self.seen(), turns: &self.turns, turning: self.turning, edit }
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
        let turning = Turning::Added;
        self.frame(displacement, self.see(displacement, turning), None, turning)
    }

    /// The frame that follows `previous` in time: rotations go on from there, past half a turn and more.
    ///
    /// # Panics
    /// When `displacement` has not three numbers per vertex, or `previous` is of another body.
    #[must_use]
    pub fn input_after(&self, displacement: &[f64], previous: &InputFrame) -> InputFrame {
        let turning = previous.turning;
        self.frame(displacement, self.see(displacement, turning), Some(&previous.turns), turning)
    }

    /// All frames of a motion, in the order of time: [`Self::input`] of the first, [`Self::input_after`] of the
    /// others, on all threads.
    ///
    /// # Errors
    /// When the caller cancels.
    ///
    /// # Panics
    /// When a frame has not three numbers per vertex.
    pub fn inputs<'a>(
        &self,
        displacements: impl IntoIterator<Item = &'a [f64]>,
        progress: &Progress,
    ) -> Result<Vec<InputFrame>, Cancelled> {
        self.inputs_turning(Turning::Added, displacements, progress)
    }

    /// All frames of a motion whose elements turn as their neighbourhood does: what is crumpled, pressed flat or turned
    /// inside out has rotations that jump from frame to frame, and edits are to follow none of it. Edits turn every
    /// element about its own axes, however far the input has turned it.
    ///
    /// # Errors
    /// When the caller cancels.
    ///
    /// # Panics
    /// When a frame has not three numbers per vertex.
    pub fn steady_inputs<'a>(
        &self,
        displacements: impl IntoIterator<Item = &'a [f64]>,
        progress: &Progress,
    ) -> Result<Vec<InputFrame>, Cancelled> {
        self.inputs_turning(Turning::Composed, displacements, progress)
    }

    fn inputs_turning<'a>(
        &self,
        turning: Turning,
        displacements: impl IntoIterator<Item = &'a [f64]>,
        progress: &Progress,
    ) -> Result<Vec<InputFrame>, Cancelled> {
        let displacements: Vec<&[f64]> = displacements.into_iter().collect();
        let mut frames: Vec<InputFrame> = Vec::with_capacity(displacements.len());
        for block in displacements.chunks(FRAMES_PER_BLOCK) {
            progress.report("preparing frames", frames.len() as f64 / displacements.len() as f64)?;
            let see = |displacement: &&[f64]| {
                progress.check()?;
                Ok(self.see(displacement, turning))
            };
            let seen: Vec<Seen> = block.par_iter().map(see).collect::<Result<_, Cancelled>>()?;
            for (displacement, seen) in block.iter().zip(seen) {
                progress.check()?;
                let previous = frames.last().map(|frame| frame.turns.clone());
                frames.push(self.frame(displacement, seen, previous.as_deref(), turning));
            }
        }
        Ok(frames)
    }

    /// All of a frame that does not depend on other frames.
    fn see(&self, displacement: &[f64], turning: Turning) -> Seen {
        self.check_length(displacement);
        let mut rotations = vec![Matrix3::identity(); self.components];
        let mut centres = vec![Vec3::zeros(); self.components];
        let mut tumbling = (!self.poisson.floating().is_empty()).then(|| displacement.to_vec());
        if let Some(seen) = &mut tumbling {
            for part in self.poisson.floating() {
                (rotations[part.component], centres[part.component]) =
                    self.take_out(part, displacement, seen);
            }
        }
        let mut logarithms = vec![Vec3::zeros(); self.places()];
        let deformed = tumbling.as_deref().unwrap_or(displacement);
        match turning {
            Turning::Added => self.cells.logarithms(deformed, &mut logarithms),
            Turning::Composed => {
                let mut of_place = vec![Matrix3::identity(); self.places()];
                self.cells.votes(deformed, &mut of_place);
                self.unwrapping.steady(&of_place, self.cells.places_per_cell(), &mut logarithms);
            }
        }
        Seen { rotations, centres, tumbling, logarithms }
    }

    fn frame(
        &self,
        displacement: &[f64],
        seen: Seen,
        previous: Option<&[Vec3]>,
        turning: Turning,
    ) -> InputFrame {
        let Seen { rotations, centres, tumbling, logarithms } = seen;
        let turns = if turning == Turning::Composed || unwrap::are_turns(&logarithms, previous) {
            logarithms
        } else {
            let mut of_place = vec![Matrix3::identity(); self.places()];
            self.cells.rotations(tumbling.as_deref().unwrap_or(displacement), &mut of_place);
            self.unwrapping.turns(&of_place, self.cells.places_per_cell(), previous)
        };
        InputFrame {
            input: displacement.into(),
            tumbling: tumbling.map(Into::into),
            rotations: rotations.into(),
            centres: centres.into(),
            spins: vec![false; self.components].into(),
            turns: turns.into(),
            turning,
            held: None,
        }
    }

    /// The rotation R that takes a component nearest to its displaced shape, mass for mass, and the centre of that
    /// shape; `seen` becomes Rᵀ(x + u) − x. Its translation does not matter to gradients.
    fn take_out(&self, part: &Floating, displacement: &[f64], seen: &mut [f64]) -> (Matrix3<f64>, Vec3) {
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
        (R, centre)
    }
}
