//! What the cameras of both viewports were set for.

use super::Camera;

/// What the cameras were set for when a document was first seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Framed {
    pub of: FramedOf,
    /// How many frames there were.
    pub frames: usize,
    /// How wide the views were by their height.
    pub aspect: f64,
    /// What they were set to.
    pub cameras: [Camera; 2],
}

/// Which body was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FramedOf {
    /// Which document.
    pub document: usize,
    /// How many points it has.
    pub points: usize,
}
