//! A method in a window: what a session has to know of a shot that was opened for editing.
//!
//! The product has one [`Numerics`], [`RealNumerics`](super::RealNumerics); a test may have another, so that everything
//! around it is tested without computing anything.

pub use super::live_error::LiveError;
use super::posing::{PoseSession, Posing};
use super::report::Report;
use super::stage::{Points, Stage};
use crate::Cache;
use crate::shot::{Edit, Goal, Shot};
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
    ) -> Result<(), LiveError>;

    /// Begins a pose of what was opened: the body at rest.
    ///
    /// # Errors
    /// Where there is no body, or it is too large.
    fn posing(&self, shot: &Shot, stage: &Stage) -> Result<Box<dyn Posing>, LiveError> {
        let body =
            stage.body.clone().ok_or_else(|| LiveError::Said("There is no body to pose.".to_owned()))?;
        Ok(Box::new(PoseSession::new(shot, body)?))
    }
}

/// A handle that holds in other frames, not far away.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearMark {
    /// Its place in the shot.
    pub handle: usize,
    /// Where what it holds is in the nearest of its frames.
    pub at: [f32; 3],
    /// How many frames away that is.
    pub away: usize,
    /// Whether something stands there.
    pub stays: bool,
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

    /// The handles that hold in frames near this one, and not in it; none where that is not shown.
    fn near(&self, _frame: usize) -> Vec<NearMark> {
        Vec::new()
    }
}

/// A hand that draws at a point while the motion goes on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shove {
    /// The point, as a handle's `vertex` counts.
    pub vertex: u32,
    /// How far it would give way by itself.
    pub by: [f64; 3],
}

/// How far a motion is that takes many steps to find.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Iterate {
    /// Which step it is, the first 1.
    pub number: usize,
    /// What the motion costs; less is better.
    pub objective: f64,
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
    /// What stays while handles are moved; segments of another length bring another one.
    fn stage(&self) -> &Arc<Stage>;

    /// Asks for all that an edit does: handles, poses, segments. Answers for each handle, by its place in the shot, what
    /// is wrong with it. What follows, the stage too, may be another one from then on. What takes long, as to fit poses,
    /// can be cancelled, and is then done again when it is asked again.
    ///
    /// # Errors
    /// Why nothing of it can be, and cancellation.
    fn ask(&mut self, edit: &Edit, progress: &Progress) -> Result<Vec<Option<String>>, LiveError>;

    /// Takes a handle in the hand.
    ///
    /// # Errors
    /// Why it cannot be dragged.
    fn grab(&mut self, handle: usize, frame: usize, progress: &Progress) -> Result<(), LiveError>;

    /// Moves the handle in the hand to `shift` from where it was taken; answers the error of the worst hard handle, as a
    /// part of the size.
    ///
    /// # Errors
    /// Why it cannot be there.
    fn drag(&mut self, shift: [f64; 3], progress: &Progress) -> Result<f64, LiveError>;

    /// Whether a handle in the hand may be given any goal, not only be moved.
    fn can_retarget(&self) -> bool {
        false
    }

    /// Gives the handle in the hand another goal, as when it is turned; answers as [`Self::drag`].
    ///
    /// # Errors
    /// Why it cannot be there; always, where it [cannot](Self::can_retarget).
    fn retarget(&mut self, _goal: &Goal, _progress: &Progress) -> Result<f64, LiveError> {
        Err(LiveError::NothingDragged)
    }

    /// Makes a part of a frame, a few milliseconds of work; answers its points when that was the last.
    fn go_on(&mut self, making: &mut Making) -> Option<Points> {
        Some(self.points(making.frame))
    }

    /// A frame of the settled motion under a push since the last frame that was asked for here: it gives way, and finds back
    /// to the motion. A frame before that one is the motion itself again.
    ///
    /// # Errors
    /// Where a motion cannot be pushed, or not so hard.
    fn push(&mut self, _frame: usize, _shove: Option<&Shove>) -> Result<Points, LiveError> {
        Err(LiveError::NotPushed)
    }

    /// While a handle is in the hand and nothing else is to be done: whatever makes the next steps better.
    ///
    /// # Errors
    /// Why the hand cannot go on.
    fn refresh(&mut self, progress: &Progress) -> Result<(), LiveError>;

    /// Opens the hand. Handles have to be followed again.
    fn put_down(&mut self);

    /// Finds the motion that depends on the handles alone.
    ///
    /// # Errors
    /// Why there is none; cancelled, nothing changes.
    fn settle(&mut self, progress: &Progress) -> Result<(), LiveError>;

    /// [`Self::settle`]; calls `look` with every motion on the way that is worth a look. Most methods are done before anybody
    /// could.
    ///
    /// # Errors
    /// As there.
    fn settle_watched(
        &mut self,
        progress: &Progress,
        _look: &mut dyn FnMut(&mut dyn Live),
    ) -> Result<(), LiveError> {
        self.settle(progress)
    }

    /// How far the motion is that [`Self::settle_watched`] shows.
    fn iterate(&self) -> Option<Iterate> {
        None
    }

    /// What the settled edit comes to, handles called by their place, the first 1. Calls `between` every now and then, to show frames in the meantime.
    ///
    /// # Errors
    /// As [`Self::settle`].
    fn report(
        &mut self,
        progress: &Progress,
        between: &mut dyn FnMut(&mut dyn Play),
    ) -> Result<Report, LiveError>;

    /// The size of the edit's force on a vertex, as a handle's `vertex` counts, frame by frame; m/s².
    fn force_at(&mut self, vertex: u32) -> Vec<f64>;

    /// How far the settled edit moves a vertex in a frame, as a handle there has to ask for so that nothing changes.
    fn moved_by(&mut self, vertex: u32, frame: usize) -> [f64; 3];
}
