//! What is asked for: a start, keys, damping and loads.

use super::error::{ControlError, ControlGiven, ControlQuantity};
use super::keys::ControlKey;
use super::time::ControlTime;

/// Where a motion starts.
#[derive(Clone, Debug, PartialEq)]
pub enum ControlStart {
    /// From two frames, which say where it is and how fast.
    Frames {
        /// The frame before the first.
        before: Vec<f64>,
        /// The first frame.
        first: Vec<f64>,
    },
    /// Wherever, and as fast as, its keys need the least force from, with those that lead there from rest, long before the
    /// first frame: without damping, none.
    Free,
}

impl ControlStart {
    /// At rest in a pose: two equal frames, which is to rest half a frame before the first.
    #[must_use]
    pub fn rest(pose: Vec<f64>) -> Self {
        Self::Frames { before: pose.clone(), first: pose }
    }
}

/// α and β of the damping D = α M + β K.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ControlDamping {
    /// α, in 1/s.
    pub mass: f64,
    /// β, in s.
    pub stiffness: f64,
}

/// What is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct ControlTask {
    /// When frames are.
    pub time: ControlTime,
    /// How the body is damped.
    pub damping: ControlDamping,
    /// Where the motion starts.
    pub start: ControlStart,
    /// A constant force, r numbers (the body's weight); none if empty.
    pub load: Vec<f64>,
    /// Known forces, r numbers for each frame but the last; none if empty.
    pub pushes: Vec<f64>,
    /// The keys, each frame once; in any order.
    pub keys: Vec<ControlKey>,
}

impl ControlTask {
    /// Keys, from rest in the pose 0, without damping and loads.
    #[must_use]
    pub fn new(time: ControlTime, coordinates: usize, keys: Vec<ControlKey>) -> Self {
        Self {
            time,
            damping: ControlDamping::default(),
            start: ControlStart::rest(vec![0.0; coordinates]),
            load: Vec::new(),
            pushes: Vec::new(),
            keys,
        }
    }

    pub(super) fn check(&self, coordinates: usize) -> Result<(), ControlError> {
        if coordinates == 0 {
            return Err(ControlError::NoCoordinates);
        }
        self.time.check()?;
        ControlQuantity::MassDamping.check(self.damping.mass)?;
        ControlQuantity::StiffnessDamping.check(self.damping.stiffness)?;
        if let ControlStart::Frames { before, first } = &self.start {
            ControlGiven::Before.check(before, coordinates)?;
            ControlGiven::First.check(first, coordinates)?;
        }
        if !self.load.is_empty() {
            ControlGiven::Load.check(&self.load, coordinates)?;
        }
        if !self.pushes.is_empty() {
            ControlGiven::Pushes.check(&self.pushes, coordinates * self.time.steps.len())?;
        }
        self.check_keys(coordinates)
    }

    fn check_keys(&self, coordinates: usize) -> Result<(), ControlError> {
        let (last, is_free) = (self.time.steps.len(), self.start == ControlStart::Free);
        if self.keys.is_empty() {
            return Err(ControlError::NoKeys);
        }
        if is_free && self.keys.len() < 2 {
            return Err(ControlError::FreeStart { keys: self.keys.len() });
        }
        for (k, key) in self.keys.iter().enumerate() {
            if key.frame > last {
                return Err(ControlError::KeyOutside { frame: key.frame, last });
            }
            if key.frame == 0 && !is_free {
                return Err(ControlError::KeyAtStart);
            }
            if self.keys[..k].iter().any(|other| other.frame == key.frame) {
                return Err(ControlError::TwoKeys { frame: key.frame });
            }
            key.check(coordinates)?;
        }
        Ok(())
    }
}
