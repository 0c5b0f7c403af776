//! What is told of a picture: what `supple render --json` prints.

use crate::method::HandleOutcome;
use crate::picture::Film;
use serde::Serialize;
use std::path::PathBuf;

/// What kind of picture is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PictureKind {
    /// One picture.
    Still,
    /// Several side by side.
    Sheet,
    /// Several frames in one.
    Strobe,
    /// A moving one.
    Video,
}

/// A picture that was written.
#[derive(Clone, Debug, Serialize)]
pub struct RenderAnswer {
    /// The file that was drawn.
    pub file: PathBuf,
    /// The picture.
    pub output: PathBuf,
    /// Its kind.
    pub kind: PictureKind,
    /// Pixels from left to right.
    pub width: u32,
    /// Pixels from top to bottom.
    pub height: u32,
    /// How many triangles the surface has.
    pub triangles: usize,
    /// The mode, counted from 1.
    pub mode: Option<u32>,
    /// Its frequency, Hz.
    pub frequency: Option<f64>,
    /// Whether the motion is edited.
    pub edited: bool,
    /// The frames that are drawn, as the scene counts them; none of something without a motion.
    pub frames: Vec<i32>,
    /// Frames per second of a moving picture.
    pub fps: Option<f64>,
    /// How far the handles are off.
    pub handles: Vec<HandleError>,
    /// How long it took.
    pub seconds: f64,
}

/// How far a handle is off.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct HandleError {
    /// Its number.
    pub handle: u32,
    /// The frame where it is farthest off.
    pub frame: i32,
    /// By how much, m or m/s.
    pub error: f64,
    /// The same as a share of the size.
    pub relative_error: f64,
}

/// How far the handles of a motion are off.
pub(super) fn handle_errors(film: &Film) -> Vec<HandleError> {
    let size = film.method().map_or(1.0, |method| method.about().size);
    let outcomes = film.report().map(|report| report.handles.as_slice()).unwrap_or_default();
    let answer = |outcome: &HandleOutcome| HandleError {
        handle: outcome.key.0,
        frame: outcome.frame,
        error: outcome.error,
        relative_error: outcome.error / size,
    };
    outcomes.iter().map(answer).collect()
}
