//! A rig of a file as a skeleton that can be edited, and an edited motion as the channels of its file.
//!
//! A joint whose channels turn about three different axes becomes a ball, R = Q R_a(α) R_b(β) R_c(γ) with Q its turn at
//! rest; any other number of turns becomes that many hinges at one place, the last of which is the joint. What an edit does
//! not change keeps the channel values of the file, to the bit.

use crate::shot::Axis;
use nalgebra::{Unit, UnitQuaternion, Vector3};
use std::ops::Range;
use supple_character::{Joint, Motion, Skeleton, SkeletonError, Turns, World, euler};
use supple_formats::{Channel, RigClip, RigFile, RigJoint};

/// A rig of a file, in metres.
#[derive(Clone, Debug)]
pub struct Rig {
    /// As the file has it.
    pub file: RigFile,
    /// Metres per unit of the file.
    pub unit: f64,
    /// What turns the file's axis up to y.
    turn: UnitQuaternion<f64>,
    /// Its joints, with a hinge more for each further turn of a joint that is no ball.
    pub skeleton: Skeleton,
    /// For each joint of the file its joint of the skeleton.
    pub joints: Vec<usize>,
    /// For each joint of the skeleton its joint of the file.
    pub of_file: Vec<usize>,
    /// For each joint of the skeleton where its channels are.
    channels: Vec<Channels>,
}

/// Where a joint of the skeleton has its channels in a frame of the file.
#[derive(Clone, Debug, Default, PartialEq)]
struct Channels {
    /// The turn at rest that comes first.
    rest: UnitQuaternion<f64>,
    /// By axis: the channel that moves it.
    moves: [Option<usize>; 3],
    /// The channels that turn it, and their axes.
    turns: Vec<(usize, usize)>,
}

impl Rig {
    /// The rig of a file whose unit is so many metres, and one of whose axes points up.
    ///
    /// # Errors
    /// When its joints do not fit together.
    pub fn new(file: RigFile, unit: f64, up: usize) -> Result<Self, SkeletonError> {
        let first = file.first_channels();
        let turn =
            UnitQuaternion::rotation_between(&Vector3::ith(up, 1.0), &Vector3::y()).unwrap_or_default();
        let (mut joints, mut of_file, mut channels) = (Vec::new(), Vec::new(), Vec::new());
        let mut index = Vec::with_capacity(file.joints.len());
        for (k, joint) in file.joints.iter().enumerate() {
            for (own, turns) in parts(joint, first[k]) {
                let is_first = own.is_first;
                let parent =
                    if is_first { joint.parent.map(|parent| index[parent]) } else { Some(joints.len() - 1) };
                let offset = if is_first { Vector3::from(joint.offset) * unit } else { Vector3::zeros() };
                let name = if own.is_last {
                    joint.name.clone()
                } else {
                    format!("{} (turn {})", joint.name, own.number)
                };
                let mut moves = [false; 3];
                for axis in
                    (0..3).filter(|axis| own.channels.moves[*axis].is_some() && joint.parent.is_none())
                {
                    moves[(turn * Vector3::ith(axis, 1.0)).iamax()] = true;
                }
                let offset = if parent.is_none() { turn * offset } else { offset };
                joints.push(Joint { moves, turns, ..Joint::new(name, parent, offset) });
                of_file.push(k);
                channels.push(own.channels);
            }
            index.push(joints.len() - 1);
        }
        Ok(Self { unit, turn, skeleton: Skeleton::new(joints)?, joints: index, of_file, channels, file })
    }

    /// A clip of the file as motion.
    #[must_use]
    pub fn motion(&self, clip: &RigClip) -> Motion {
        let width = self.file.channel_count();
        let mut motion = Motion::rest(&self.skeleton, clip.frames);
        for frame in 0..clip.frames {
            let values = &clip.values[frame * width..(frame + 1) * width];
            for (j, channels) in self.channels.iter().enumerate() {
                let is_root = self.skeleton.joints()[j].parent.is_none();
                let turn = if is_root { self.turn } else { UnitQuaternion::identity() };
                let mut translation = turn.inverse() * motion.translation(frame, j);
                for (axis, channel) in channels.moves.iter().enumerate() {
                    if let Some(channel) = channel {
                        translation[axis] = values[*channel] * self.unit;
                    }
                }
                motion.set(frame, j, turn * channels.rotation(values), turn * translation);
            }
        }
        motion
    }

    /// A motion as values of all channels, where an edit has not changed it those of a clip, to the bit.
    #[must_use]
    pub fn clip(&self, clip: &RigClip, input: &Motion, output: &Motion) -> RigClip {
        let width = self.file.channel_count();
        let mut values = clip.values.clone();
        for (j, channels) in self.channels.iter().enumerate() {
            let is_root = self.skeleton.joints()[j].parent.is_none();
            let turn = if is_root { self.turn.inverse() } else { UnitQuaternion::identity() };
            for frame in 0..clip.frames {
                let moved = turn * (output.translation(frame, j) - input.translation(frame, j));
                for (axis, channel) in channels.moves.iter().enumerate() {
                    if let Some(channel) = channel.filter(|_| moved[axis] != 0.0) {
                        values[frame * width + channel] += moved[axis] / self.unit;
                    }
                }
            }
            let is_turned = |frame: usize| input.rotation(frame, j) != output.rotation(frame, j);
            let mut frame = 0;
            while frame < clip.frames {
                let first = frame;
                while frame < clip.frames && is_turned(frame) {
                    frame += 1;
                }
                let run = Run { joint: j, turn, frames: first..frame, returns: frame < clip.frames };
                self.write_turns(clip, (input, output), &run, &mut values);
                frame += 1;
            }
        }
        RigClip { values, ..clip.clone() }
    }

    /// Angles of a joint in frames in which an edit turns it.
    fn write_turns(
        &self,
        clip: &RigClip,
        (input, output): (&Motion, &Motion),
        run: &Run,
        values: &mut [f64],
    ) {
        let (width, j) = (self.file.channel_count(), run.joint);
        let Channels { rest, turns, .. } = &self.channels[j];
        let degrees = |frame: usize, channel: usize| clip.values[frame * width + channel];
        match turns.as_slice() {
            [(channel, axis)] => {
                for frame in run.frames.clone() {
                    let (before, after) = (input.rotation(frame, j), output.rotation(frame, j));
                    let turn = (before.inverse() * after).scaled_axis()[*axis];
                    values[frame * width + channel] = degrees(frame, *channel) + turn.to_degrees();
                }
            }
            [a, b, c] => {
                let own = |frame: usize| {
                    (rest.inverse() * run.turn * output.rotation(frame, j)).to_rotation_matrix().into_inner()
                };
                let near = |frame: usize| [a, b, c].map(|(channel, _)| degrees(frame, *channel).to_radians());
                let turned: Vec<_> = run.frames.clone().map(own).collect();
                let near: Vec<_> = run.frames.clone().map(near).collect();
                let found = euler::along(&turned, [a.1, b.1, c.1], &near, run.returns);
                for (frame, found) in run.frames.clone().zip(found) {
                    for ((channel, _), angle) in turns.iter().zip(found) {
                        values[frame * width + channel] = angle.to_degrees();
                    }
                }
            }
            _ => {}
        }
    }

    /// The axes of a joint's three channels in their order; none for a joint that is no ball.
    #[must_use]
    pub fn order(&self, joint: usize) -> Option<[usize; 3]> {
        let axes: Vec<usize> = self.channels[joint].turns.iter().map(|(_, axis)| *axis).collect();
        <[usize; 3]>::try_from(axes).ok()
    }

    /// The axis of a hinge's channel; none for another joint.
    #[must_use]
    pub fn hinge_axis(&self, joint: usize) -> Option<usize> {
        match self.channels[joint].turns.as_slice() {
            [(_, axis)] => Some(*axis),
            _ => None,
        }
    }
}

/// Frames, one after the other, in which an edit turns a joint.
struct Run {
    joint: usize,
    /// What comes before its turns in the file's axes.
    turn: UnitQuaternion<f64>,
    frames: Range<usize>,
    /// Whether a frame comes after them that is as it was.
    returns: bool,
}

impl Channels {
    fn rotation(&self, values: &[f64]) -> UnitQuaternion<f64> {
        let about = |(channel, axis): &(usize, usize)| {
            UnitQuaternion::from_axis_angle(
                &Unit::new_unchecked(Vector3::ith(*axis, 1.0)),
                values[*channel].to_radians(),
            )
        };
        self.turns.iter().fold(self.rest, |turned, turn| turned * about(turn))
    }
}

/// One joint of the skeleton that a joint of the file becomes.
struct Part {
    is_first: bool,
    is_last: bool,
    number: usize,
    channels: Channels,
}

/// What a joint of a file becomes: a ball, a fixed end, or a chain of hinges.
fn parts(joint: &RigJoint, first: usize) -> Vec<(Part, Turns)> {
    let mut moves = [None; 3];
    let mut turns = Vec::new();
    for (k, channel) in joint.channels.iter().enumerate() {
        match channel {
            Channel::Move(axis) => moves[*axis] = Some(first + k),
            Channel::Turn(axis) => turns.push((first + k, *axis)),
        }
    }
    let [x, y, z, w] = joint.rest_rotation;
    let rest = UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(w, x, y, z));
    let is_ball = turns.len() == 3 && (0..3).all(|axis| turns.iter().any(|(_, own)| *own == axis));
    if turns.is_empty() || is_ball {
        let kind = if is_ball { Turns::Ball } else { Turns::Fixed };
        let channels = Channels { rest, moves, turns };
        return vec![(Part { is_first: true, is_last: true, number: 1, channels }, kind)];
    }
    let last = turns.len() - 1;
    let hinge = |(k, turn): (usize, &(usize, usize))| {
        let channels = if k == 0 {
            Channels { rest, moves, turns: vec![*turn] }
        } else {
            Channels { turns: vec![*turn], ..Channels::default() }
        };
        let axis = Unit::new_unchecked(Vector3::ith(turn.1, 1.0));
        (Part { is_first: k == 0, is_last: k == last, number: k + 1, channels }, Turns::Hinge(axis))
    };
    turns.iter().enumerate().map(hinge).collect()
}

/// Metres per unit that a figure of this height in its file's units most likely has: metres, centimetres, inches or those of
/// the captures of Carnegie Mellon, whichever makes it most nearly 1.7 m tall.
#[must_use]
pub fn likely_unit(height: f64) -> f64 {
    const UNITS: [f64; 4] = [1.0, 0.01, 0.0254, 0.056_444];
    let off = |unit: &f64| (height * unit / 1.7).ln().abs();
    UNITS.into_iter().min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or(1.0)
}

/// How tall a figure is: the extent of its joints along an axis, in the middle of sixteen frames spread over a clip.
#[must_use]
pub fn height(skeleton: &Skeleton, motion: &Motion, up: usize) -> f64 {
    let step = (motion.frames() / 16).max(1);
    let mut heights: Vec<f64> = (0..motion.frames())
        .step_by(step)
        .map(|frame| {
            let world = motion.world(skeleton, frame);
            let of =
                |pick: fn(f64, f64) -> f64, start| world.positions.iter().map(|p| p[up]).fold(start, pick);
            of(f64::max, f64::NEG_INFINITY) - of(f64::min, f64::INFINITY)
        })
        .collect();
    heights.sort_by(f64::total_cmp);
    heights.get(heights.len() / 2).copied().unwrap_or(0.0)
}

/// What is said where z was taken for it.
pub const GUESSED_UP: &str =
    "the figure stands along z, so z is taken for the axis up; --up y says otherwise";

/// The axis of a file that most likely points up, where it does not say so: z if the figure stands along it, at rest and in
/// its motion, and is no steadier along y, as what lies or crawls on the ground is; otherwise y.
///
/// # Errors
/// When its joints do not fit together.
pub fn likely_up(file: &RigFile) -> Result<Axis, SkeletonError> {
    const LOOKS: usize = 32;
    let rig = Rig::new(file.clone(), 1.0, Axis::Y.index())?;
    let ends = |world: &World, axis: usize| {
        let along = world.positions.iter().map(|p| p[axis]);
        along.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), x| (least.min(x), most.max(x)))
    };
    let rest = Motion::rest(&rig.skeleton, 1);
    let motion = file.clips.first().map_or_else(|| rest.clone(), |clip| rig.motion(clip));
    let step = motion.frames().div_ceil(LOOKS).max(1);
    let seen: Vec<World> =
        (0..motion.frames()).step_by(step).map(|frame| motion.world(&rig.skeleton, frame)).collect();
    let looks = [Axis::Y, Axis::Z].map(|axis| {
        let axis = axis.index();
        let extent = |world: &World| ends(world, axis).1 - ends(world, axis).0;
        let sorted = |of: &dyn Fn(&World) -> f64| {
            let mut all: Vec<f64> = seen.iter().map(of).collect();
            all.sort_by(f64::total_cmp);
            all
        };
        let (tall, low) = (sorted(&extent), sorted(&|world| ends(world, axis).0));
        let part = |all: &[f64], share: usize| all.get(all.len() * share / 4).copied().unwrap_or(0.0);
        // At rest; in the middle of its motion; how far apart the ground is that half of all frames stand on.
        (extent(&rest.world(&rig.skeleton, 0)), part(&tall, 2), part(&low, 3) - part(&low, 1))
    });
    let [y, z] = looks;
    let stands = z.0 > 2.0 * y.0 && z.1 > 1.25 * y.1 && z.2 <= y.2;
    Ok(if stands { Axis::Z } else { Axis::Y })
}
