//! Holding a motion against pushes: a time-varying linear regulator.

/// The forces that hold a motion.
#[derive(Clone, Debug)]
pub struct Tracker {
    coordinates: usize,
}

impl Tracker {
    /// Overwrites `force` with w + G δ + G₋ δ₋, δ and δ₋ how far the body is off the motion in this frame and the one
    /// before.
    ///
    /// # Panics
    /// When the frame is the last one or a later one, or a slice has not r numbers.
    pub fn force(&self, _frame: usize, _before: &[f64], _now: &[f64], _force: &mut [f64]) {
        unimplemented!("{}", self.coordinates)
    }
}
