//! What a frame source is asked for.

use supple_model::FrameSource;

/// Checks that a frame that is read is there, and that there is room for all of its vertices.
#[track_caller]
pub(crate) fn check_asked(source: &dyn FrameSource, index: usize, positions: &[[f64; 3]]) {
    let frames = source.frames();
    assert!(index < frames, "there is no frame index {index}: there are {frames} frames");
    assert_eq!(positions.len(), source.vertices(), "one position for each vertex");
}
