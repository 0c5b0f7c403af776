//! A point that is pushed while the motion plays.

use supple_session::Pull;

/// A point that is pushed while the motion plays.
#[derive(Debug)]
pub struct Pushing {
    /// Which.
    pub vertex: u32,
    /// From where it was taken to where the hand is.
    pub pull: Pull,
}
