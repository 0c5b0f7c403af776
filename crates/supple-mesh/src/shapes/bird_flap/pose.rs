//! What the gull's limbs do in a pose, and where that takes a point.

use super::chain::{Chain, share};
use crate::Vec3;
use crate::shapes::bird::{BODY_BACK, BODY_FRONT, BODY_SIDE, FAN_END, Section, WING_END};

/// Joints of a wing, metres from the mirror plane: each bends over a stretch, and they overlap.
const SHOULDER: [f64; 2] = [BODY_SIDE, 0.46];
const ELBOW: [f64; 2] = [0.24, 0.62];
const WRIST: [f64; 2] = [0.42, 0.86];
const FEATHERS: [f64; 2] = [0.66, WING_END];
const ARM: [f64; 2] = [BODY_SIDE, 0.7];
const HAND: [f64; 2] = [0.42, WING_END];
/// Joints of tail and head, metres from the body.
const TAIL_LENGTH: f64 = BODY_BACK - FAN_END;
const HEAD_LENGTH: f64 = 0.36;
const RUMP: [f64; 2] = [0.0, 0.2];
const NECK: [f64; 2] = [0.0, 0.23];
/// The wings' trailing edges are before the first, and behind the second nothing follows a wing.
const WING_BACK: [f64; 2] = [-0.27, BODY_BACK];
/// The head is within the first, and beyond the second nothing follows it.
const HEAD_SIDE: [f64; 2] = [0.2, 0.3];
/// Heights of tail and neck at their middle, metres.
const TAIL_HEIGHT: f64 = 0.015;
const NECK_HEIGHT: f64 = 0.045;

/// Angles of the gull's joints, degrees; all are 0 at rest.
#[derive(Clone, Copy, Default)]
pub struct Pose {
    /// Right and left.
    pub wings: [Wing; 2],
    /// Down, to the right, and its right edge down.
    pub tail: [f64; 3],
    /// How much wider the tail's fan is than at rest, a fraction.
    pub fan: f64,
    /// Up, to the right, and its right side down.
    pub head: [f64; 3],
}

/// Angles of a wing's joints, degrees.
#[derive(Clone, Copy, Default)]
pub struct Wing {
    /// Upwards.
    pub shoulder: f64,
    pub elbow: f64,
    pub wrist: f64,
    pub feathers: f64,
    /// Forwards.
    pub arm_sweep: f64,
    pub hand_sweep: f64,
    /// The leading edge upwards.
    pub arm_twist: f64,
    pub hand_twist: f64,
}

/// The gull in a pose: a field that takes any point of space along.
pub struct Posed {
    wings: [Chain; 2],
    tail: Chain,
    fan: f64,
    head: Chain,
}

impl Posed {
    pub fn new(pose: &Pose) -> Self {
        let [tail, head] = [pose.tail, pose.head].map(|angles| angles.map(f64::to_radians));
        // Looking along x with y up, z is to the right.
        let tail = Vec3::new(tail[2], tail[1], tail[0]);
        let head = Vec3::new(head[2], -head[1], head[0]);
        Self {
            wings: pose.wings.map(|wing| wing.chain()),
            tail: Chain::new(
                TAIL_LENGTH,
                |u| Vec3::new(BODY_BACK - u, TAIL_HEIGHT, 0.0),
                |u| tail * share(RUMP, u),
            ),
            fan: pose.fan,
            head: Chain::new(
                HEAD_LENGTH,
                |u| Vec3::new(BODY_FRONT + u, NECK_HEIGHT, 0.0),
                |u| head * share(NECK, u),
            ),
        }
    }

    /// Where a point at rest is in this pose. What is of the group "body" stays exactly where it is.
    pub fn place(&self, p: Vec3) -> Vec3 {
        p + self.by_wing(p) + self.by_tail(p) + self.by_head(p)
    }

    fn by_wing(&self, p: Vec3) -> Vec3 {
        let (side, wing) = if p.z < 0.0 { (-1.0, &self.wings[1]) } else { (1.0, &self.wings[0]) };
        let mirrored = |p: Vec3| Vec3::new(p.x, p.y, side * p.z);
        let p = mirrored(p);
        let u = (p.z - BODY_SIDE) * (1.0 - ease(WING_BACK, p.x));
        mirrored(wing.carry(u, p) - p)
    }

    fn by_tail(&self, p: Vec3) -> Vec3 {
        let u = BODY_BACK - p.x;
        let wider = 1.0 + self.fan * ease([0.0, TAIL_LENGTH], u);
        self.tail.carry(u, Vec3::new(p.x, p.y, wider * p.z)) - p
    }

    fn by_head(&self, p: Vec3) -> Vec3 {
        let u = (p.x - BODY_FRONT) * (1.0 - ease(HEAD_SIDE, p.z.abs()));
        self.head.carry(u, p) - p
    }
}

impl Wing {
    /// The right wing.
    fn chain(&self) -> Chain {
        let from = |joint: [f64; 2], degrees: f64, u: f64| degrees.to_radians() * share(joint, u + BODY_SIDE);
        let rate = |u: f64| {
            let up = from(SHOULDER, self.shoulder, u)
                + from(ELBOW, self.elbow, u)
                + from(WRIST, self.wrist, u)
                + from(FEATHERS, self.feathers, u);
            let forwards = from(ARM, self.arm_sweep, u) + from(HAND, self.hand_sweep, u);
            let twist = from(ARM, self.arm_twist, u) + from(HAND, self.hand_twist, u);
            Vec3::new(-up, forwards, twist)
        };
        let centre = |u: f64| {
            let Section { lead, chord, rise } = Section::at(u + BODY_SIDE);
            Vec3::new(lead - 0.5 * chord, rise + 0.05 * chord, u + BODY_SIDE)
        };
        Chain::new(WING_END - BODY_SIDE, centre, rate)
    }
}

impl Pose {
    /// This pose and so much of another.
    pub fn plus(&self, other: &Self, share: f64) -> Self {
        let add = |a: f64, b: f64| a + share * b;
        let add_all = |a: [f64; 3], b: [f64; 3]| std::array::from_fn(|n| add(a[n], b[n]));
        let wing = |a: Wing, b: Wing| Wing {
            shoulder: add(a.shoulder, b.shoulder),
            elbow: add(a.elbow, b.elbow),
            wrist: add(a.wrist, b.wrist),
            feathers: add(a.feathers, b.feathers),
            arm_sweep: add(a.arm_sweep, b.arm_sweep),
            hand_sweep: add(a.hand_sweep, b.hand_sweep),
            arm_twist: add(a.arm_twist, b.arm_twist),
            hand_twist: add(a.hand_twist, b.hand_twist),
        };
        Self {
            wings: std::array::from_fn(|side| wing(self.wings[side], other.wings[side])),
            tail: add_all(self.tail, other.tail),
            fan: add(self.fan, other.fan),
            head: add_all(self.head, other.head),
        }
    }
}

/// Smoothly from 0 at the first to 1 at the second, either of which may be the greater.
fn ease([from, to]: [f64; 2], x: f64) -> f64 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
