//! The flight as an animator writes it down: key poses, and which is held at what frame.
//!
//! The gull lies on the air, beats its wings, glides, leans into a turn, beats again and comes to
//! rest. A beat has four key poses. On the way down the wing is stretched out, its hand bent up by the
//! air and its leading edge down; on the way up the arm goes first while elbow and wrist fold, the
//! hand hanging down and swept back.

use super::curve::{Curve, Key};
use super::pose::{Pose, Wing};

/// Angles that a key pose gives, the same on both sides.
const CHANNELS: usize = 11;

/// Degrees but for the fan: shoulder, elbow, wrist, feathers up; arm, hand forwards; arm, hand
/// twisted; tail down, fan wider, head up.
type KeyPose = [f64; CHANNELS];

const REST: KeyPose = [0.0; CHANNELS];
const GLIDE: KeyPose = [6.0, -4.0, -5.0, 2.0, 1.0, -4.0, 0.0, -1.0, 1.0, 0.02, 0.0];
const TOP: KeyPose = [38.0, 2.0, -8.0, -8.0, 2.0, -8.0, 0.0, 2.0, -2.0, 0.0, -3.0];
const DOWN: KeyPose = [6.0, 4.0, 10.0, 13.0, 6.0, 4.0, -6.0, -9.0, 3.0, 0.06, 2.0];
const BOTTOM: KeyPose = [-28.0, -5.0, -4.0, 8.0, 7.0, -5.0, -2.0, -4.0, 5.0, 0.04, 5.0];
const UP: KeyPose = [10.0, -15.0, -33.0, -5.0, -3.0, -24.0, 6.0, 8.0, -1.0, -0.04, 0.0];

/// How many frames each angle comes after the shoulder's: what is farther out follows.
const LAG: KeyPose = [0.0, 0.7, 1.4, 2.2, 0.3, 1.4, 0.0, 1.4, 1.0, 1.0, 0.6];

/// An entry of the score.
enum Entry {
    /// A pose at a frame, so much of it.
    Hold(f64, KeyPose, f64),
    /// Wing beats, each from top to top.
    Beats { from: f64, length: f64, strengths: &'static [f64] },
}
use Entry::{Beats, Hold};

const SCORE: [Entry; 15] = [
    Hold(0.0, REST, 1.0),
    Hold(6.0, REST, 1.0),
    Hold(11.0, BOTTOM, 0.15),
    Hold(17.0, UP, 0.6),
    Beats { from: 23.0, length: 18.0, strengths: &[0.85, 1.0, 1.0, 0.9] },
    Hold(95.0, TOP, 0.6),
    Hold(109.0, GLIDE, 1.0),
    Hold(124.0, GLIDE, 0.85),
    Hold(140.0, GLIDE, 1.1),
    Hold(159.0, GLIDE, 0.9),
    Hold(165.0, BOTTOM, 0.15),
    Hold(171.0, UP, 0.6),
    Beats { from: 177.0, length: 17.0, strengths: &[0.85, 1.0, 0.75] },
    Hold(229.0, TOP, 0.5),
    Hold(248.0, REST, 1.0),
];

/// How far the gull leans to the right, from -1 to 1.
const LEAN: [[f64; 2]; 6] =
    [[110.0, 0.0], [115.0, -0.12], [128.0, 1.0], [142.0, 0.9], [156.0, -0.1], [162.0, 0.0]];
/// What leaning all the way adds to the pose.
const LEANING: Pose = Pose {
    wings: [
        Wing {
            shoulder: -18.0,
            elbow: 0.0,
            wrist: 3.0,
            feathers: 5.0,
            arm_sweep: 0.0,
            hand_sweep: -8.0,
            arm_twist: 5.0,
            hand_twist: 5.0,
        },
        Wing {
            shoulder: 18.0,
            elbow: 0.0,
            wrist: 1.0,
            feathers: 5.0,
            arm_sweep: 4.0,
            hand_sweep: 3.0,
            arm_twist: -4.0,
            hand_twist: -7.0,
        },
    ],
    tail: [0.0, 4.0, 18.0],
    fan: 0.07,
    head: [0.0, 10.0, -8.0],
};

/// The score made into curves.
#[derive(Clone, Debug)]
pub struct Score {
    channels: [Curve; CHANNELS],
    lean: Curve,
}

impl Score {
    pub fn new() -> Self {
        let poses: Vec<(f64, KeyPose)> = SCORE.iter().flat_map(Entry::poses).collect();
        let channel = |c: usize| {
            Curve::new(poses.iter().map(|(frame, pose)| Key { frame: frame + LAG[c], value: pose[c] }))
        };
        Self {
            channels: std::array::from_fn(channel),
            lean: Curve::new(LEAN.map(|[frame, value]| Key { frame, value })),
        }
    }

    /// The pose at a frame, which may lie between two.
    pub fn at(&self, frame: f64) -> Pose {
        let [shoulder, elbow, wrist, feathers, arm_sweep, hand_sweep, arm_twist, hand_twist, tail, fan, head] =
            std::array::from_fn(|c| self.channels[c].at(frame));
        let wing = Wing { shoulder, elbow, wrist, feathers, arm_sweep, hand_sweep, arm_twist, hand_twist };
        let level = Pose { wings: [wing; 2], tail: [tail, 0.0, 0.0], fan, head: [head, 0.0, 0.0] };
        level.plus(&LEANING, self.lean.at(frame))
    }
}

impl Entry {
    /// Frames and poses of the entry.
    fn poses(&self) -> Vec<(f64, KeyPose)> {
        match *self {
            Hold(frame, pose, strength) => vec![(frame, pose.map(|value| value * strength))],
            Beats { from, length, strengths } => {
                let beat = |(n, strength): (usize, &f64)| {
                    [(0.0, TOP), (0.26, DOWN), (0.5, BOTTOM), (0.74, UP)].map(|(phase, pose)| {
                        (from + length * (n as f64 + phase), pose.map(|value| value * strength))
                    })
                };
                strengths.iter().enumerate().flat_map(beat).collect()
            }
        }
    }
}
