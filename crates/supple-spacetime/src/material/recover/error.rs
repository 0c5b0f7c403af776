//! Motions that tell nothing of a material.

use supple_model::Cancelled;

/// Why there is no material to be recovered from a motion.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum RecoveryError {
    /// A number of it is none.
    #[error("frame {frame} has a coordinate that is not a finite number")]
    NotFinite {
        /// The frame, counted from 0.
        frame: usize,
    },
    /// It stands still.
    #[error("nothing moves in these frames, so they tell nothing of a material")]
    AtRest,
    /// No stretch of it is long enough.
    #[error(
        "at most {longest} frames follow each other in which nothing pushes the body, and it takes {least}"
    )]
    Loaded {
        /// The longest stretch without loads.
        longest: usize,
        /// How long it has to be.
        least: usize,
    },
    /// It is over before it swings twice.
    #[error(
        "the body swings once in {period:.1} frames, and only {frames} follow each other without a push; it takes two swings"
    )]
    Short {
        /// The period of what moves most, frames.
        period: f64,
        /// The longest stretch without loads.
        frames: usize,
    },
    /// Frames are too far apart to see it.
    #[error(
        "the body swings once in {period:.2} frames, faster than frames can tell; it takes {least} frames a swing"
    )]
    Fast {
        /// The period of what moves most, frames.
        period: f64,
        /// How many frames a swing has to last.
        least: f64,
    },
    /// It has no modes.
    #[error("nothing swings in these frames: they are no free vibration")]
    NoSwing,
    /// A decomposition was not found.
    #[error("the modes of the motion were not found: its numbers are too large or too small")]
    Decomposition,
    /// The caller cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}
