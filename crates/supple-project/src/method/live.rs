//! A method in a window: what a session has to know of a shot that was opened for editing.
//!
//! The product has one [`Numerics`], [`RealNumerics`](super::RealNumerics); a test may have another, so that everything
//! around it is tested without computing anything.

use super::report::Report;
use super::stage::{Points, Stage};
use crate::Cache;
use crate::shot::{Handle, Shot};
use std::sync::Arc;
use supple_model::Progress;

/// Opens shots for editing.
pub trait Numerics: Send + Sync {
    /// Opens a shot, in stages: each that is ready is delivered, and replaces the one before. Handles are not looked at.
    ///
    /// # Errors
    /// In words that say what to do. What was delivered before stays good.
    fn open(
        &self,
        shot: &Shot,
        cache: &Cache,
        progress: &Progress,
        deliver: &mut dyn FnMut(Box<dyn Live>),
    ) -> Result<(), String>;
}

/// Shows frames.
pub trait Play {
    /// A frame of the edited motion, counted from 0.
    fn points(&mut self, frame: usize) -> Points;

    /// A frame of the input, counted from 0.
    fn input(&mut self, frame: usize) -> Arc<Points>;

    /// How far a frame of the edited motion that was just made goes through floor or obstacles while a handle is in the
    /// hand, where that is known.
    fn depth(&self, _frame: usize) -> Option<f64> {
        None
    }
}

/// A frame of the edited motion that is made a part at a time: of the edit as it is when it is begun.
#[derive(Debug)]
pub struct Making {
    /// Which, counted from 0.
    pub frame: usize,
    /// What there is of it.
    pub so_far: SoFar,
}

/// What there is of a frame.
#[derive(Debug, Default)]
pub enum SoFar {
    /// Nothing.
    #[default]
    Nothing,
    /// The linear edit of the first vertices, three numbers each, and what it is made of.
    Edit {
        /// How much of each mode.
        z: Vec<f64>,
        /// What there is.
        edit: Vec<f64>,
    },
    /// The displacement from rest, three numbers per vertex.
    Displacement(Vec<f64>),
}

/// A shot that was opened for editing. Handles are called by their place in the shot.
pub trait Live: Play + Send {
    /// What stays.
    fn stage(&self) -> &Arc<Stage>;

    /// Makes the handles be these; answers for each what is wrong with it.
    fn follow(&mut self, handles: &[Handle]) -> Vec<Option<String>>;

    /// Takes a handle in the hand.
    ///
    /// # Errors
    /// Why it cannot be dragged.
    fn grab(&mut self, handle: usize, frame: usize, progress: &Progress) -> Result<(), String>;

    /// Moves the handle in the hand to `shift` from where it was taken; answers the error of the worst hard handle, as a
    /// part of the size.
    ///
    /// # Errors
    /// Why it cannot be there.
    fn drag(&mut self, shift: [f64; 3], progress: &Progress) -> Result<f64, String>;

    /// Makes a part of a frame, a few milliseconds of work; answers its points when that was the last.
    fn go_on(&mut self, making: &mut Making) -> Option<Points> {
        Some(self.points(making.frame))
    }

    /// While a handle is in the hand and nothing else is to be done: whatever makes the next steps better.
    ///
    /// # Errors
    /// Why the hand cannot go on.
    fn refresh(&mut self, progress: &Progress) -> Result<(), String>;

    /// Opens the hand. Handles have to be followed again.
    fn put_down(&mut self);

    /// Finds the motion that depends on the handles alone.
    ///
    /// # Errors
    /// Why there is none; cancelled, nothing changes.
    fn settle(&mut self, progress: &Progress) -> Result<(), String>;

    /// What the settled edit comes to, handles called by their place, the first 1. Calls `between` every now and then, to show frames in the meantime.
    ///
    /// # Errors
    /// As [`Self::settle`].
    fn report(
        &mut self,
        progress: &Progress,
        between: &mut dyn FnMut(&mut dyn Play),
    ) -> Result<Report, String>;

    /// The size of the edit's force on a vertex, as a handle's `vertex` counts, frame by frame; m/s².
    fn force_at(&mut self, vertex: u32) -> Vec<f64>;

    /// How far the settled edit moves a vertex in a frame, as a handle there has to ask for so that nothing changes.
    fn moved_by(&mut self, vertex: u32, frame: usize) -> [f64; 3];
}
