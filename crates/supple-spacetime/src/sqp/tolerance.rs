//! When a solution is good enough.

/// When a solution is good enough.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// How far a hard handle may be from its target, as a part of the body's size; for handles on velocities,
    /// the way in one frame.
    pub position: f64,
    /// How far the edit may be from the least costly one, ‖z − P Jᵀλ‖ as a part of ‖z‖.
    pub stationarity: f64,
}
