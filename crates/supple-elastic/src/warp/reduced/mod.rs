//! The warp in few numbers: what an edit of some tens of modes makes of a body, without a solve and without a look at
//! most of its elements (Li et al., Space-Time Editing of Elastic Motion through Material Optimization and Reduction,
//! 2014, §3).
//!
//! The warp asks every place q for the change Δ_q of its gradient and takes the displacement that fits best,
//! d = argmin Σ_q V_q |G_q d − Δ_q|². Looked for among the columns of B only, d = B q̂, it is
//!
//! > q̂ = Σ_q P_q Δ_q, P_q = (BᵀLB)⁻¹ (G_q B)ᵀ V_q, L = Σ_q V_q G_qᵀ G_q,
//!
//! and few places with other weights stand for all of them,
//!
//! > u = ū + d, d ≈ B Σ_e ω_e P_e Δ_e.
//!
//! It is the *change* that is approximated: no edit gives ū, to the bit. Δ, what anchors and floating components do, and
//! contacts are those of the [warp](super), so with all places and a basis that spans all d it is the warp itself.
//!
//! | symbol | name | what it is |
//! |---|---|---|
//! | B | [`ReducedBasis`], [`basis`] | n·3 × h, UᵀMU = I and BᵀLB diagonal: the shapes that changes are made of |
//! | φ_ij | [`bends`] | second derivatives of the warp, of which B is made |
//! | (ū, z) | [`training`] | edits of frames that B and the places are chosen for |
//! | ω_e | [`Cubature`], [`cubature`] | places and their weights, found by greedy non-negative least squares |
//! | N_e | [`Stations`], [`stations`], [`packs`] | turn and strain of the modes at those places |
//! | x̄ | [`ReducedWarp::fitted`], [`fitted`] | the edit nearest to a change of shape, told by those places |
//! | W(z) | [`ReducedReadout`], [`readout`] | where points are, and ∂W/∂z, in some tens of microseconds |
//!
//! A voxel has eight places, tets and triangles one.

mod basis;
mod bends;
mod candidates;
mod cubature;
mod fitted;
mod lanes;
mod packs;
mod readout;
mod settings;
mod site;
mod stations;
mod training;

pub use basis::ReducedBasis;
pub use cubature::{CLOSE, Cubature, CubatureError};
pub use readout::ReducedReadout;
pub use settings::ReducedSettings;
pub use training::{Training, TrainingPair};

use super::floating::{Moved, Rigid};
use super::{InputFrame, Warp, WarpedMotion};
use crate::Basis;
use nalgebra::Matrix3;
use packs::PackedRows;
use stations::Stations;
use std::borrow::Cow;
use std::sync::Arc;
use supple_model::Progress;
use supple_numerics::rotation;

/// The reduced warp of a body under edits of some modes.
#[derive(Debug)]
pub struct ReducedWarp {
    warp: Arc<Warp>,
    basis: Arc<ReducedBasis>,
    cubature: Arc<Cubature>,
    stations: Stations,
    /// N side by side.
    packs: PackedRows,
    /// ω P: for every station h matrices, what the change there does to each coordinate.
    pulls: Vec<Matrix3<f64>>,
}

impl ReducedWarp {
    /// The warp of a body under edits U z, `modes` being U, by the columns of `basis` and the places of `cubature`.
    ///
    /// # Errors
    /// A cubature of another body: it names places that do not exist, or weights that mean nothing.
    ///
    /// # Panics
    /// When modes or basis are of another body.
    pub fn new(
        warp: impl Into<Arc<Warp>>,
        modes: &Basis,
        basis: impl Into<Arc<ReducedBasis>>,
        cubature: impl Into<Arc<Cubature>>,
    ) -> Result<Self, ReducedError> {
        let (warp, basis, cubature) = (warp.into(), basis.into(), cubature.into());
        let vertices = warp.vertices();
        assert!(modes.vertices() == vertices && basis.shapes().vertices() == vertices, "all of one body");
        cubature.check(warp.places())?;
        let stations = Stations::new(&warp, modes, cubature.places.clone());
        let pulls = basis.pulls(&warp, &cubature.places);
        let weights = cubature.weights.iter().flat_map(|weight| std::iter::repeat_n(*weight, basis.size()));
        let pulls = pulls.iter().zip(weights).map(|(pull, weight)| pull * weight).collect();
        Ok(Self { warp, basis, cubature, packs: PackedRows::of(&stations), stations, pulls })
    }

    /// The warp of a motion's body, by a basis and places that are made for it: [`Training::new`], [`ReducedBasis::new`],
    /// [`Cubature::new`] one after the other. `eigenvalues` are those of its modes, `masses` one per vertex.
    ///
    /// # Errors
    /// [`ReducedError::NothingMoves`], [`ReducedError::Cancelled`].
    ///
    /// # Panics
    /// When something is of another body.
    pub fn of_motion(
        motion: &WarpedMotion,
        eigenvalues: &[f64],
        masses: &[f64],
        settings: &ReducedSettings,
        progress: &Progress,
    ) -> Result<Self, ReducedError> {
        let training = Training::new(motion, eigenvalues, settings, &progress.part(0.0, 0.1))?;
        let basis = ReducedBasis::new(motion, &training, masses, settings, &progress.part(0.1, 0.4))?;
        let cubature = Cubature::new(motion, &basis, &training, settings, &progress.part(0.4, 1.0))?;
        Self::new(motion.warp().clone(), motion.basis(), basis, cubature)
    }

    /// The warp that is approximated.
    #[must_use]
    pub fn warp(&self) -> &Arc<Warp> {
        &self.warp
    }

    /// B.
    #[must_use]
    pub fn basis(&self) -> &Arc<ReducedBasis> {
        &self.basis
    }

    /// The places that are looked at.
    #[must_use]
    pub fn cubature(&self) -> &Arc<Cubature> {
        &self.cubature
    }

    /// How many modal coordinates an edit has.
    #[must_use]
    pub fn modes(&self) -> usize {
        self.stations.modes()
    }

    /// q̂: the change of shape of a frame under the edit U z, in the columns of B.
    ///
    /// # Panics
    /// When `z` has not one entry per mode, or the frame is of another body.
    #[must_use]
    pub fn coordinates(&self, frame: &InputFrame, z: &[f64]) -> Vec<f64> {
        let wholes = self.stations.wholes_at(&self.warp, frame, z);
        let stands = self.stations.stands(&self.warp, frame);
        let h = self.basis.size();
        let mut sum = vec![0.0; h];
        let edits = self.stations.edits(&self.stations.padded(z), &wholes);
        for (e, (stand, edit)) in stands.iter().zip(&edits).enumerate() {
            let change = stand.change(edit);
            for (sum, pull) in sum.iter_mut().zip(&self.pulls[e * h..]) {
                *sum += pull.dot(&change);
            }
        }
        sum
    }

    /// Overwrites `out` with the displacement of a frame under the edit U z. Without an edit it is the input, bit for bit.
    ///
    /// # Panics
    /// When `z` has not one entry per mode, `out` not three numbers per vertex, or the frame is of another body.
    pub fn displacement(&self, frame: &InputFrame, z: &[f64], out: &mut [f64]) {
        if z.iter().all(|z| *z == 0.0) {
            self.warp.check_length(out);
            out.copy_from_slice(frame.displacement());
            return;
        }
        let wholes = self.stations.wholes_at(&self.warp, frame, z);
        let mut rotations = Cow::Borrowed(&*frame.rotations);
        let parts = wholes.into_iter().zip(self.warp.poisson.floating());
        let parts = parts.map(|(whole, part)| {
            let turn = frame.spins[part.component].then(|| (whole.turn, rotation::exp(&whole.turn)));
            if let Some((_, turned)) = &turn {
                rotations.to_mut()[part.component] = turned * frame.rotations[part.component];
            }
            Moved { shift: whole.shift, turn }
        });
        let rigid = Rigid { parts: parts.collect(), rotations };
        let change = self.basis.shapes();
        let mut shape = vec![0.0; out.len()];
        change.displacement(&self.coordinates(frame, z), &mut shape);
        self.warp.place(frame, &rigid, &shape, out);
    }
}

/// Why a reduced warp cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ReducedError {
    /// Places of a body that has fewer.
    #[error(
        "the cubature names place {place}, and the body has {places}: it is of another body; make it again"
    )]
    NoSuchPlace {
        /// The culprit.
        place: usize,
        /// How many there are.
        places: usize,
    },
    /// As many weights as places, none of them negative, is what a cubature has.
    #[error("the cubature has {places} places and {weights} weights that mean something; make it again")]
    Weights {
        /// How many places it has.
        places: usize,
        /// How many weights are finite and not negative.
        weights: usize,
    },
    /// A basis without columns: nothing can move.
    #[error("no edit changes the shape of the body: there is nothing to reduce")]
    NothingMoves,
    /// The owner cancelled.
    #[error(transparent)]
    Cancelled(#[from] supple_model::Cancelled),
}
