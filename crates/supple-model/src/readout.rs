//! Where points of a body are when its edit has given modal coordinates: the door between bodies and the
//! methods that hold points of them in place.
//!
//! A body adds an edit U z to its input in its own way: by plain addition, or by a warp that turns what has
//! turned. The methods see only this: the position W(z) of a site at a frame, and its derivative.

/// Positions of some points of a body, its sites, as functions of the modal coordinates of an edit.
///
/// Sites are counted from 0 in the implementor's own list; frames from 0 as everywhere.
pub trait Readout: Sync {
    /// How many modal coordinates there are.
    fn modes(&self) -> usize;

    /// How many sites there are.
    fn sites(&self) -> usize;

    /// Where `site` is at `frame` when the edit's modal coordinates there are `z`.
    ///
    /// # Panics
    /// When there is no such site or frame, or `z` has not one entry per mode.
    fn value(&self, site: usize, frame: usize, z: &[f64]) -> [f64; 3];

    /// Overwrites `out`, one row per coordinate, with the derivative of [`Self::value`] by `z`.
    ///
    /// # Panics
    /// As [`Self::value`], or when a row of `out` has not one entry per mode.
    fn jacobian(&self, site: usize, frame: usize, z: &[f64], out: [&mut [f64]; 3]);
}
