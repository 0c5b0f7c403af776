//! A skeleton that moves, as a file has it: joints in a tree, and for each frame the numbers of their channels.
//!
//! A joint is placed by its parent, by where it is at rest and by its channels. Moves come first, whatever their order,
//! and each takes the place of its part of the offset, as in Blender and in all formats that animate places. Turns follow
//! from left to right, so the last one acts first on what hangs on the joint. With G the place of the parent,
//! `rest_rotation` Q and the channels Move(0), Move(1), Move(2), Turn(2), Turn(1), Turn(0) of values x, y, z, α, β, γ:
//!
//! > G′ = G · T(x, y, z) · R(Q) · Rz(α) · Ry(β) · Rx(γ)
//!
//! Without its Move, a part of the shift is that of `offset`; the place of the root's parent is the origin.

use crate::Up;

/// A skeleton, and clips of its motion. Lengths are in the unit of the file, and its axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RigFile {
    /// The joints, every parent before its children.
    pub joints: Vec<RigJoint>,
    /// The motions; the first is the one that is meant where one is asked for.
    pub clips: Vec<RigClip>,
    /// Metres per unit, where the file says it.
    pub unit: Option<f64>,
    /// The axis up, where the file says it.
    pub up: Option<Up>,
    /// What was changed or passed over, for a person.
    pub notes: Vec<String>,
}

/// A joint, or the end of a limb.
#[derive(Clone, Debug, PartialEq)]
pub struct RigJoint {
    /// Its name; no two are the same.
    pub name: String,
    /// The joint it hangs on, which comes before it; the root has none.
    pub parent: Option<usize>,
    /// From the parent to here at rest, in the axes of the parent.
    pub offset: [f64; 3],
    /// How it is turned at rest, against its parent: a unit quaternion x, y, z, w.
    pub rest_rotation: [f64; 4],
    /// What moves, in the order of the file.
    pub channels: Vec<Channel>,
    /// Whether it is only the place where a limb ends: nothing moves there, and nothing hangs on it.
    pub end: bool,
}

impl RigJoint {
    /// The quaternion of no turn.
    pub const NO_TURN: [f64; 4] = [0.0, 0.0, 0.0, 1.0];
}

/// One number of a joint that changes over time; the axes are 0, 1, 2 for x, y, z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Channel {
    /// How far it is from the parent along an axis of the parent, instead of what `offset` says.
    Move(usize),
    /// A turn about an axis, in degrees.
    Turn(usize),
}

/// A motion of the whole skeleton.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RigClip {
    /// Its name; that of the file where the format has none.
    pub name: String,
    /// The time from a frame to the next.
    pub seconds_per_frame: f64,
    /// How many frames there are.
    pub frames: usize,
    /// Frame after frame, the numbers of all channels of all joints, in their order.
    pub values: Vec<f64>,
}

impl RigFile {
    /// How many numbers a frame has.
    #[must_use]
    pub fn channel_count(&self) -> usize {
        self.joints.iter().map(|joint| joint.channels.len()).sum()
    }

    /// For each joint, which number of a frame is the first of its channels.
    #[must_use]
    pub fn first_channels(&self) -> Vec<usize> {
        let mut next = 0;
        let first = |joint: &RigJoint| {
            let first = next;
            next += joint.channels.len();
            first
        };
        self.joints.iter().map(first).collect()
    }
}

impl RigClip {
    /// Frames per second. Files write the time between frames with a few decimals; of what that may stand for, it is the
    /// simplest: a whole number, a rate of television, one with two decimals, or as it is.
    #[must_use]
    pub fn fps(&self) -> f64 {
        /// Half of the sixth decimal.
        const ROUNDING: f64 = 5e-7;
        let measured = self.seconds_per_frame.recip();
        let television = (measured * 1.001).round() / 1.001;
        let candidates = [measured.round(), television, (measured * 100.0).round() / 100.0];
        let is_meant = |fps: &f64| (fps.recip() - self.seconds_per_frame).abs() <= ROUNDING;
        candidates.into_iter().find(is_meant).unwrap_or(measured)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_between_frames_stands_for_a_rate() {
        let of = |seconds_per_frame| RigClip { seconds_per_frame, ..RigClip::default() }.fps();
        for (seconds, fps) in [
            (0.008_333_3, 120.0),
            (0.008333, 120.0),
            (0.033333, 30.0),
            (0.033367, 30.0 / 1.001),
            (0.041667, 24.0),
            (0.04, 25.0),
            (1.0 / 12.5, 12.5),
            (0.0167, 59.88),
            (1.0, 1.0),
            (4.0, 0.25),
        ] {
            assert!((of(seconds) - fps).abs() < 1e-12, "{seconds}: {}", of(seconds));
        }
    }
}
