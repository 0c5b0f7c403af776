//! Motion files that are open.

use super::MotionInfo;
use crate::{FormatError, SurfaceFile};
use supple_model::{FrameSink, FrameSource};

/// A motion file that is open for reading. Its errors are [`FormatError`]s that name the file.
pub trait MotionReader: FrameSource {
    /// What the file says about itself.
    fn info(&self) -> &MotionInfo;

    /// The surface that moves, as it stands in the first file of a series; PC2 and MDD have none.
    fn topology(&self) -> Option<&SurfaceFile>;
}

/// A motion file in the making. Its errors are [`FormatError`]s that name the file.
///
/// A frame that was refused leaves no trace: the next one takes its place.
pub trait MotionWriter: FrameSink + Send {
    /// Puts the motion in place, with as many frames as were written. Until then, and if it never
    /// comes to this, what was there before stays.
    ///
    /// The many files of a series appear one by one, each whole.
    ///
    /// # Errors
    /// When no frame was written, and when the disk does not take it; then there is no new file.
    fn finish(self: Box<Self>) -> Result<(), FormatError>;
}
