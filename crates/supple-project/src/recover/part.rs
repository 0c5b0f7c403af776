//! A motion that is read, ready to be learnt from as often and in as many ways as one wants: what a recovery begins with,
//! and what is timed and drawn of it.

use super::RecoverError;
use super::UniformBasis;
use super::given::Given;
use crate::body::Body;
use crate::cache::Cache;
use crate::motion::InputMotion;
use crate::shot::Shot;
use faer::Mat;
use std::ops::RangeInclusive;
use supple_mesh::Vec3;
use supple_model::Progress;
use supple_spacetime::{GivenMotion, Recovered, RecoveryError, RecoverySettings, recover, unoptimised};

/// A motion in the modal coordinates of uniform material.
#[derive(Debug)]
pub struct RecoverPart {
    pub(super) given: Given,
    pub(super) basis: UniformBasis,
    coordinates: Mat<f64>,
    rest: Vec<Vec3>,
}

impl RecoverPart {
    /// Reads the motion of a shot, to be learnt from in these frames, by their numbers; without, in its first half.
    ///
    /// # Errors
    /// A motion that cannot be had or tells nothing, cancellation.
    pub fn open(
        (shot, body): (&Shot, &Body),
        frames: Option<&RangeInclusive<i32>>,
        cache: &Cache,
        progress: &Progress,
    ) -> Result<Self, RecoverError> {
        let motion = InputMotion::open(shot, body, cache, &progress.part(0.0, 0.5))?;
        motion.warnings.iter().for_each(|warning| progress.warn(warning));
        let given = Given::read(shot, body, motion, frames)?;
        let basis = UniformBasis::new(shot, cache, &progress.part(0.5, 0.8))?;
        let displacements = given.displacements.iter().map(Vec::as_slice);
        let coordinates = basis.warp.coordinates(displacements, &progress.part(0.8, 1.0))?;
        Ok(Self { given, basis, coordinates, rest: body.positions().to_vec() })
    }

    fn motion(&self) -> GivenMotion<'_> {
        GivenMotion {
            coordinates: self.coordinates.as_ref(),
            runs: self.given.runs.clone(),
            eigenvalues: &self.basis.eigenvalues,
        }
    }

    /// The material of the motion.
    ///
    /// # Errors
    /// A motion that tells none, cancellation.
    pub fn recover(
        &self,
        settings: &RecoverySettings,
        progress: &Progress,
    ) -> Result<Recovered, RecoverError> {
        recover(&self.motion(), settings, progress).map_err(|problem| self.wrong(problem))
    }

    /// Uniform material that is scaled to the motion.
    ///
    /// # Errors
    /// As [`Self::recover`].
    pub fn unoptimised(&self, settings: &RecoverySettings) -> Result<Recovered, RecoverError> {
        unoptimised(&self.motion(), settings, &Progress::silent()).map_err(|problem| self.wrong(problem))
    }

    fn wrong(&self, problem: RecoveryError) -> RecoverError {
        let frames = self.given.range.len();
        match problem {
            RecoveryError::Loaded { longest, least } if longest == frames => {
                RecoverError::Few { frames, least }
            }
            problem => RecoverError::of(problem, self.given.numbers()[0]),
        }
    }

    /// How far a material is off in the frames held out, as a part of their motion; none if there are none.
    #[must_use]
    pub fn held_out(&self, found: &Recovered) -> Option<f64> {
        self.given.held_out(self.coordinates.as_ref(), found)
    }

    /// How many frames are held out: they follow those that are learnt from, until something pushes.
    #[must_use]
    pub fn ahead(&self) -> usize {
        self.given.ahead.len()
    }

    /// Where the vertices are in a frame held out, counted from 0, and where a material tells them to be.
    ///
    /// # Panics
    /// When there is no such frame.
    #[must_use]
    pub fn told(&self, found: &Recovered, ahead: usize) -> [Vec<[f64; 3]>; 2] {
        let at = self.given.ahead.start + ahead;
        let x: Vec<f64> = found.extrapolated(ahead + 1).col(ahead).iter().copied().collect();
        let mut told = vec![0.0; 3 * self.rest.len()];
        self.basis.warp.displacement(&self.basis.warp.shape(&x, None), &mut told);
        [&self.given.displacements[at], &told].map(|u| {
            let placed = self.rest.iter().zip(u.chunks_exact(3));
            placed.map(|(x, u)| [x.x + u[0], x.y + u[1], x.z + u[2]]).collect()
        })
    }
}
