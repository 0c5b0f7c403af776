//! The figures of the built-in characters, and how limbs reach.
//!
//! Forward is x, up y, right z; arms and legs hang down at rest, so a turn about z by θ > 0 swings them forward. A limb of
//! bones l₁ and l₂ reaches a point at distance d with its second joint bent by φ, and nothing else:
//!
//! > d² = l₁² + l₂² + 2 l₁ l₂ cos φ
//!
//! The first joint then turns the chord to where the point is, and keeps z across the body. So knees and elbows are hinges,
//! and feet are where they should be to the last digit.

use nalgebra::{Matrix3, Rotation3, Vector3};
use supple_character::euler;
use supple_formats::{Channel, RigClip, RigFile, RigJoint};

/// The sole of a flat foot, from the ankle to the tip of the toes.
pub const TOE: Vector3<f64> = Vector3::new(0.15, -0.08, 0.0);
/// Thigh and shin.
const LEG: [f64; 2] = [0.44, 0.43];
/// Upper arm and forearm.
const ARM: [f64; 2] = [0.29, 0.25];
/// From the wrist to the finger tips.
pub const HAND: f64 = 0.16;
/// The order in which joints that turn every way have their channels: z, x, y.
const ORDER: [usize; 3] = [2, 0, 1];
/// The two sides of the body, and where they are along z.
const SIDES: [(&str, f64); 2] = [("Left", -1.0), ("Right", 1.0)];

/// Joints by what they are; sides are left and right.
#[derive(Clone, Debug)]
pub struct Figure {
    joints: Vec<RigJoint>,
    is_planar: bool,
    /// The back; a planar figure has none.
    pub spine: Option<usize>,
    /// The neck of a figure that has more than a head to turn.
    pub neck: Option<usize>,
    /// The head.
    pub head: usize,
    /// Upper arm, forearm, and the hand or where it would be.
    pub arms: [[usize; 3]; 2],
    /// Thigh, shin, foot.
    pub legs: [[usize; 3]; 2],
}

/// How a figure stands in a frame.
#[derive(Clone, Debug)]
pub struct Pose {
    /// Where the hips are.
    pub root: Vector3<f64>,
    /// How each joint is turned from its parent.
    pub turns: Vec<Matrix3<f64>>,
}

/// A turn about z, in radians.
pub fn bend(angle: f64) -> Matrix3<f64> {
    Rotation3::from_axis_angle(&Vector3::z_axis(), angle).into_inner()
}

impl Figure {
    /// A figure in a plane: place, orientation and eleven angles.
    pub fn planar() -> Self {
        let mut joints = Vec::new();
        let root = add(&mut joints, "Hips", None, [0.0; 3]);
        let head = add(&mut joints, "Head", Some(root), [0.0, 0.52, 0.0]);
        add_end(&mut joints, head, [0.0, 0.25, 0.0]);
        let arms = SIDES.map(|(side, _)| {
            let upper = add(&mut joints, &format!("{side}Arm"), Some(root), [0.0, 0.48, 0.0]);
            let fore = add(&mut joints, &format!("{side}ForeArm"), Some(upper), [0.0, -ARM[0], 0.0]);
            [upper, fore, add_end(&mut joints, fore, [0.0, -ARM[1] - 0.08, 0.0])]
        });
        let legs = SIDES.map(|(side, _)| leg(&mut joints, side, root, [0.0; 3]));
        channels(&mut joints, &[Channel::Move(0), Channel::Move(1)], &[Channel::Turn(2)]);
        Self { joints, is_planar: true, spine: None, neck: None, head, arms, legs }
    }

    /// A figure of eighteen joints that turn every way.
    pub fn of_balls() -> Self {
        let mut joints = Vec::new();
        let root = add(&mut joints, "Hips", None, [0.0; 3]);
        let spine = add(&mut joints, "Spine", Some(root), [0.0, 0.12, 0.0]);
        let neck = add(&mut joints, "Neck", Some(spine), [0.0, 0.4, 0.0]);
        let head = add(&mut joints, "Head", Some(neck), [0.0, 0.09, 0.0]);
        add_end(&mut joints, head, [0.0, 0.18, 0.0]);
        let arms = SIDES.map(|(side, right)| {
            let collar = add(&mut joints, &format!("{side}Shoulder"), Some(spine), [0.0, 0.36, 0.03 * right]);
            let upper = add(&mut joints, &format!("{side}Arm"), Some(collar), [0.0, 0.0, 0.15 * right]);
            let fore = add(&mut joints, &format!("{side}ForeArm"), Some(upper), [0.0, -ARM[0], 0.0]);
            let hand = add(&mut joints, &format!("{side}Hand"), Some(fore), [0.0, -ARM[1], 0.0]);
            add_end(&mut joints, hand, [0.0, -HAND, 0.0]);
            [upper, fore, hand]
        });
        let legs = SIDES.map(|(side, right)| leg(&mut joints, side, root, [0.0, 0.0, 0.09 * right]));
        let moves = [0, 1, 2].map(Channel::Move);
        channels(&mut joints, &moves, &ORDER.map(Channel::Turn));
        Self { joints, is_planar: false, spine: Some(spine), neck: Some(neck), head, arms, legs }
    }

    /// All joints as they are at rest.
    pub fn rest(&self) -> Pose {
        Pose { root: Vector3::zeros(), turns: vec![Matrix3::identity(); self.joints.len()] }
    }

    /// Where a joint is, and how it is turned.
    pub fn place(&self, pose: &Pose, joint: usize) -> (Vector3<f64>, Matrix3<f64>) {
        match self.joints[joint].parent {
            None => (pose.root, pose.turns[joint]),
            Some(parent) => {
                let (at, turned) = self.place(pose, parent);
                (at + turned * Vector3::from(self.joints[joint].offset), turned * pose.turns[joint])
            }
        }
    }

    /// Turns the first two joints of a limb so that its end is at a point; the second one bends this way. What is out of reach
    /// is reached for.
    pub fn reach(&self, pose: &mut Pose, limb: [usize; 3], target: Vector3<f64>, way: f64) {
        let [upper, lower, end] = limb;
        let bones = [lower, end].map(|joint| Vector3::from(self.joints[joint].offset));
        let lengths = bones.map(|bone| bone.norm());
        let (from, turned) = self.place(pose, upper);
        let outer = turned * pose.turns[upper].transpose();
        let to = outer.transpose() * (target - from);
        let squares = lengths.map(|length| length * length);
        let cosine = (to.norm_squared() - squares[0] - squares[1]) / (2.0 * lengths[0] * lengths[1]);
        pose.turns[lower] = bend(way * cosine.clamp(-1.0, 1.0).acos());
        let chord = bones[0] + pose.turns[lower] * bones[1];
        pose.turns[upper] = across(&to) * across(&chord).transpose();
    }

    /// Turns a joint so that it is turned like this in the scene.
    pub fn orient(&self, pose: &mut Pose, joint: usize, like: &Matrix3<f64>) {
        let (_, turned) = self.place(pose, joint);
        pose.turns[joint] *= turned.transpose() * like;
    }

    /// The file of a motion, so many frames a second.
    pub fn file(&self, name: &str, fps: f64, poses: &[Pose]) -> RigFile {
        let mut values = Vec::new();
        let mut before = vec![[0.0; 3]; self.joints.len()];
        for pose in poses {
            for (j, joint) in self.joints.iter().enumerate() {
                let turn = pose.turns[j];
                let angles = if self.is_planar {
                    [turn[(1, 0)].atan2(turn[(0, 0)]), 0.0, 0.0]
                } else {
                    euler::nearest(&turn, ORDER, before[j])
                };
                before[j] = angles;
                let mut next = angles.iter();
                values.extend(joint.channels.iter().map(|channel| match channel {
                    Channel::Move(axis) => pose.root[*axis],
                    Channel::Turn(_) => next.next().copied().unwrap_or_default().to_degrees(),
                }));
            }
        }
        let clip = RigClip { name: name.into(), seconds_per_frame: 1.0 / fps, frames: poses.len(), values };
        RigFile { joints: self.joints.clone(), clips: vec![clip], ..RigFile::default() }
    }
}

/// Axes whose second is along a direction, and whose third is as much across the body as that leaves it.
fn across(along: &Vector3<f64>) -> Matrix3<f64> {
    let along = along.normalize();
    let side = (Vector3::z() - along * along.z).normalize();
    Matrix3::from_columns(&[along.cross(&side), along, side])
}

fn leg(joints: &mut Vec<RigJoint>, side: &str, root: usize, hip: [f64; 3]) -> [usize; 3] {
    let thigh = add(joints, &format!("{side}UpLeg"), Some(root), hip);
    let shin = add(joints, &format!("{side}Leg"), Some(thigh), [0.0, -LEG[0], 0.0]);
    let foot = add(joints, &format!("{side}Foot"), Some(shin), [0.0, -LEG[1], 0.0]);
    add_end(joints, foot, TOE.into());
    [thigh, shin, foot]
}

fn add(joints: &mut Vec<RigJoint>, name: &str, parent: Option<usize>, offset: [f64; 3]) -> usize {
    let (rest_rotation, channels) = (RigJoint::NO_TURN, Vec::new());
    joints.push(RigJoint { name: name.into(), parent, offset, rest_rotation, channels, end: false });
    joints.len() - 1
}

fn add_end(joints: &mut Vec<RigJoint>, parent: usize, offset: [f64; 3]) -> usize {
    let name = format!("{}_end", joints[parent].name);
    let end = add(joints, &name, Some(parent), offset);
    joints[end].end = true;
    end
}

fn channels(joints: &mut [RigJoint], moves: &[Channel], turns: &[Channel]) {
    for joint in joints.iter_mut().filter(|joint| !joint.end) {
        let own = if joint.parent.is_none() { moves } else { &[] };
        joint.channels = own.iter().chain(turns).copied().collect();
    }
}
