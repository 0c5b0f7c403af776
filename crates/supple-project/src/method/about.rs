//! A method as all that is not a window sees it: what it was opened on, its frames, and how it is solved.

use super::drag::HandleMark;
use super::error::EditError;
use super::key_moment::KeyMoment;
use super::keyed::Keyed;
use super::report::Report;
use crate::CacheWarning;
use crate::contacts::Contacts;
use crate::motion::Moving;
use crate::subject::Subject;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use supple_mesh::Vec3;
use supple_model::{Clock, Progress};

/// A shot that was opened by its method.
pub trait Method: Send {
    /// What it was opened on.
    fn about(&self) -> About<'_>;

    /// Overwrites `positions` with a frame, counted from 0, before or after the edit as it is.
    ///
    /// # Panics
    /// When there is no such frame, or not one position per vertex of the motion.
    fn frame(&self, side: Side, index: usize, positions: &mut [[f64; 3]]);

    /// Finds what has to be known before frames can be written: how many there are. Most methods know that at once.
    ///
    /// # Errors
    /// As [`Self::solve`].
    fn settle(&mut self, _progress: &Progress) -> Result<(), EditError> {
        Ok(())
    }

    /// Finds the edit that depends on what the shot asks for and on nothing else, hands on every frame of the edited
    /// motion, and tells what it came to.
    ///
    /// # Errors
    /// Whatever `each` answers, and cancellation; then the edit stays as it was.
    fn solve(
        &mut self,
        progress: &Progress,
        each: &mut dyn FnMut(&EditedFrame<'_>) -> Result<(), EditError>,
    ) -> Result<Report, EditError>;

    /// Itself, if its motion is known between its frames.
    fn keyed(&mut self) -> Option<&mut dyn Keyed> {
        None
    }

    /// Writes the motion as the file of a skeleton that it came as, all that the edit leaves alone to the byte; none
    /// where there is no skeleton.
    fn write_skeleton(&self, _out: &mut dyn Write) -> Option<Result<(), EditError>> {
        None
    }

    /// Writes the forces that make the motion, in the format that the ending says; none before it was found, and where a
    /// method knows none.
    fn write_forces(&self, _path: &Path) -> Option<Result<(), EditError>> {
        None
    }

    /// A frame, counted from 0, of the spline through the poses of the motion, to be compared with it; none where there are
    /// no poses.
    fn spline(&self, _index: usize) -> Option<Vec<[f64; 3]>> {
        None
    }

    /// How much there is of each shape that the motion is made of, frame by frame, where it is made of few; none before it was
    /// found.
    fn amplitudes(&self) -> Vec<Vec<f64>> {
        Vec::new()
    }

    /// The points that handles hold at a frame, counted from 0.
    ///
    /// # Panics
    /// When there is no such frame.
    fn marks(&self, index: usize) -> Vec<HandleMark>;

    /// The keys the motion is made of, in their order, as soon as it is solved. Methods that edit a motion have none.
    fn key_moments(&self) -> Vec<KeyMoment> {
        Vec::new()
    }
}

/// What a method was opened on.
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    /// What moves.
    pub subject: &'a Arc<dyn Subject>,
    /// What the vertices of the motion are.
    pub moving: Moving,
    /// Where they are at rest.
    pub rest: &'a [Vec3],
    /// When the frames are.
    pub clock: Clock,
    /// Physical seconds per frame, as the method knows them.
    pub seconds_per_frame: f64,
    /// The diagonal of the box around what moves, at rest: the unit of errors.
    pub size: f64,
    /// How many modes edits are made of.
    pub modes: usize,
    /// What touches the body in the input, as far as the edit keeps it.
    pub contacts: &'a Contacts,
    /// What of the shot has no effect, or another one than written.
    pub notes: &'a [String],
    /// What was wrong with the cache on the way, if anything.
    pub warnings: &'a [CacheWarning],
}

/// Before or after an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The motion as it came.
    Input,
    /// The edited motion.
    Output,
}

/// A frame of an edited motion.
#[derive(Clone, Copy, Debug)]
pub struct EditedFrame<'a> {
    /// Which, counted from 0.
    pub index: usize,
    /// The displacement from rest in the input, three numbers per vertex of the motion.
    pub input: &'a [f64],
    /// Where the edit has the vertices.
    pub positions: &'a [[f64; 3]],
}
