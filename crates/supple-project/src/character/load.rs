//! The character a shot describes: its skeleton with what the shot says of joints, its limits, and its input motion.

use super::bones::Bones;
use super::error::CharacterError;
use super::rig::{Rig, height, likely_unit, likely_up};
use crate::shot::{
    Axis, Bound, Input, Limit as ShotLimit, Shot, Skeleton as ShotSkeleton, Turns as ShotTurns, nearest,
};
use crate::subject::Subject;
use nalgebra::Vector3;
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use supple_character::{
    Constraint, CurveKind, Edit, Figure, Goal, Joint, Keys, Layer, Limit, LimitKind, Metric, Motion, Point,
    SMOOTHING, Skeleton, Targets, Turns, World, begins_with_a_rest_pose, release, use_of,
};
use supple_formats::{RigClip, RigFile, load_rig};
use supple_mesh::Vec3;
use supple_model::{Clock, Frame, Progress, VertexId};

/// The axis up, inside.
const UP: usize = 1;

/// A character, ready to be edited.
#[derive(Clone, Debug)]
pub struct Character {
    /// As its file has it.
    pub rig: Rig,
    /// The clip that moves it; at rest one that stays there.
    pub clip: RigClip,
    /// The file of the motion; none at rest.
    pub file: Option<PathBuf>,
    /// Its joints as they may be edited.
    pub figure: Figure,
    /// Its motion as it is edited.
    pub motion: Motion,
    /// When its frames are.
    pub clock: Clock,
    /// The first frame an edit may change: the second where the first is a pose of its own.
    pub first: usize,
    /// What is drawn.
    pub bones: Bones,
    /// What a person should know.
    pub notes: Vec<String>,
    /// Where the joints of the input are, frame by frame, once somebody wants to know.
    worlds: OnceLock<Vec<World>>,
}

impl Subject for Character {
    fn positions(&self) -> &[Vec3] {
        &self.bones.rest
    }

    fn triangles(&self) -> &[[VertexId; 3]] {
        &self.bones.triangles
    }

    fn joints(&self) -> Vec<&str> {
        let mut seen = vec![false; self.rig.file.joints.len()];
        self.bones.joints.iter().for_each(|j| seen[self.rig.of_file[*j]] = true);
        self.names().zip(seen).filter(|(_, seen)| *seen).map(|(name, _)| name).collect()
    }

    fn point_of(&self, joint: &str) -> Option<VertexId> {
        self.bones.end(|j| self.rig.file.joints[self.rig.of_file[j]].name == joint)
    }
}

impl Character {
    /// The character of a shot.
    ///
    /// # Errors
    /// A file that cannot be read, joints that are not in it, and cancellation.
    pub fn load(shot: &Shot, progress: &Progress) -> Result<Self, CharacterError> {
        let said = shot.body.skeleton().ok_or(CharacterError::NoCharacter)?;
        let path = shot.resolve(&said.file);
        let file = load_rig(&path)?;
        let (moved, moves) = match &shot.motion.input {
            Input::File(input) if shot.resolve(input) != path => {
                let input = shot.resolve(input);
                (load_rig(&input)?, Some(input))
            }
            Input::File(_) => (file.clone(), Some(path.clone())),
            Input::Rest | Input::Simulate => (file.clone(), None),
        };
        if !is_alike(&file, &moved) {
            let motion = moves.unwrap_or_else(|| path.clone());
            return Err(CharacterError::OtherSkeleton { motion, skeleton: path });
        }
        let clip = clip_of(shot, said, &moved, moves.as_deref())?;
        let up = shot.motion.up.map_or(1, Axis::index);
        let mut notes = file.notes.clone();
        let unit = match shot.motion.unit.or(file.unit) {
            Some(unit) => unit,
            None => guessed(&moved, &clip, up, &path, &mut notes)?,
        };
        let skeleton = |problem| CharacterError::Skeleton { file: path.clone(), problem };
        let rig = Rig::new(RigFile { clips: Vec::new(), ..moved }, unit, up).map_err(skeleton)?;
        let input = rig.motion(&clip);
        let first = usize::from(moves.is_some() && begins_with_a_rest_pose(&rig.skeleton, &input));
        let joints = said_joints(said, &rig, &input, first, &path)?;
        let limits =
            said.limits.iter().map(|limit| limit_of(limit, &rig, &path)).collect::<Result<Vec<_>, _>>()?;
        let fps = shot.motion.fps.unwrap_or_else(|| clip.fps());
        let motion = refitted(&joints, &rig, &input, (first, 1.0 / fps), progress)?;
        let figure = Figure::new(Skeleton::new(joints).map_err(skeleton)?, limits, UP, &motion);
        let dropped = dropped(said, &rig, &path)?;
        let clock = Clock {
            start: Frame(shot.motion.start.unwrap_or(crate::shot::Motion::START)),
            frames: clip.frames,
            fps,
        };
        let bones = Bones::new(&figure.skeleton, |j| !dropped[j]);
        let worlds = OnceLock::new();
        Ok(Self { clip, file: moves, motion, clock, first, bones, notes, figure, rig, worlds })
    }

    /// Where the joints of the input are in a frame.
    #[must_use]
    pub fn input(&self, frame: usize) -> &World {
        &self.worlds.get_or_init(|| self.placed(&self.motion))[frame]
    }

    /// Where the joints of a motion are, frame by frame.
    #[must_use]
    pub fn placed(&self, motion: &Motion) -> Vec<World> {
        let world = |frame: usize| motion.world(&self.figure.skeleton, frame);
        (0..motion.frames()).into_par_iter().map(world).collect()
    }

    /// The joint of the skeleton that a name means.
    #[must_use]
    pub fn joint(&self, name: &str) -> Option<usize> {
        self.rig.file.joints.iter().position(|joint| joint.name == name).map(|k| self.rig.joints[k])
    }

    /// Overwrites `positions` with the surface where a motion has it in a frame.
    pub fn surface(&self, motion: &Motion, frame: usize, positions: &mut [[f64; 3]]) {
        let world = motion.world(&self.figure.skeleton, frame);
        positions.iter_mut().zip(self.bones.at(&world)).for_each(|(out, place)| *out = place.into());
    }

    /// The joint that a name which is none most likely means.
    #[must_use]
    pub fn nearest(&self, name: &str) -> Option<String> {
        let names: Vec<&str> = self.names().collect();
        nearest(name, &names).map(str::to_owned)
    }

    /// The names of all joints that a handle may hold, ends included.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.rig.file.joints.iter().map(|joint| joint.name.as_str())
    }
}

/// The axis up of a file: the one that it says, or the likely one.
///
/// # Errors
/// A file that cannot be read, or whose joints do not fit together.
pub fn up_of(path: &Path) -> Result<Axis, CharacterError> {
    let file = load_rig(path)?;
    let said = file.up.map(crate::source::axis);
    said.map_or_else(|| likely_up(&file), Ok)
        .map_err(|problem| CharacterError::Skeleton { file: path.to_path_buf(), problem })
}

fn is_alike(a: &RigFile, b: &RigFile) -> bool {
    let same = a
        .joints
        .iter()
        .zip(&b.joints)
        .all(|(a, b)| a.name == b.name && a.parent == b.parent && a.channels == b.channels);
    a.joints.len() == b.joints.len() && same
}

/// The clip that is asked for, as long as it is asked for.
fn clip_of(
    shot: &Shot,
    said: &ShotSkeleton,
    rig: &RigFile,
    file: Option<&Path>,
) -> Result<RigClip, CharacterError> {
    let Some(file) = file else {
        let fps = shot.motion.fps.unwrap_or(crate::shot::Motion::FPS);
        let frames = shot.motion.frames.unwrap_or(crate::shot::Motion::FRAMES);
        let still = rest_values(rig);
        let values = std::iter::repeat_n(still, frames).flatten().collect();
        return Ok(RigClip { name: "rest".to_owned(), seconds_per_frame: 1.0 / fps, frames, values });
    };
    let found = match &said.clip {
        Some(name) => rig.clips.iter().find(|clip| clip.name == *name),
        None => rig.clips.first(),
    };
    let mut clip = found.cloned().ok_or_else(|| CharacterError::NoClip {
        file: file.to_path_buf(),
        clip: said.clip.clone().unwrap_or_default(),
        there: rig.clips.iter().map(|clip| clip.name.clone()).collect(),
    })?;
    if let Some(asked) = shot.motion.frames {
        if asked > clip.frames {
            return Err(CharacterError::TooFewFrames { file: file.to_path_buf(), found: clip.frames, asked });
        }
        clip.values.truncate(asked * rig.channel_count());
        clip.frames = asked;
    }
    Ok(clip)
}

/// Channel values of the rest pose: where offsets have the joints, nothing turned.
fn rest_values(rig: &RigFile) -> Vec<f64> {
    let channels =
        rig.joints.iter().flat_map(|joint| joint.channels.iter().map(move |channel| (joint, channel)));
    let value = |(joint, channel): (&supple_formats::RigJoint, &supple_formats::Channel)| match channel {
        supple_formats::Channel::Move(axis) => joint.offset[*axis],
        supple_formats::Channel::Turn(_) => 0.0,
    };
    channels.map(value).collect()
}

/// The unit a file most likely has, which is told.
fn guessed(
    file: &RigFile,
    clip: &RigClip,
    up: usize,
    path: &Path,
    notes: &mut Vec<String>,
) -> Result<f64, CharacterError> {
    let plain = Rig::new(RigFile { clips: Vec::new(), ..file.clone() }, 1.0, up)
        .map_err(|problem| CharacterError::Skeleton { file: path.to_path_buf(), problem })?;
    let tall = height(&plain.skeleton, &plain.motion(clip), UP);
    let unit = likely_unit(tall);
    notes.push(format!(
        "{} does not say its unit: {unit} m makes the figure {:.2} m tall; for another, `unit` in [motion] or --unit",
        path.display(),
        tall * unit
    ));
    Ok(unit)
}

/// The joints of the skeleton by what the shot says of them.
fn said_joints(
    said: &ShotSkeleton,
    rig: &Rig,
    input: &Motion,
    first: usize,
    file: &Path,
) -> Result<Vec<Joint>, CharacterError> {
    let mut joints = rig.skeleton.joints().to_vec();
    for joint in &said.joints {
        let k = find(rig, &joint.name, file)?;
        let own: Vec<usize> = (0..joints.len()).filter(|j| rig.of_file[*j] == k).collect();
        let at = rig.joints[k];
        joints[at].mass = joint.mass.or(joints[at].mass);
        if let Some(to) = &joint.tie {
            joints[at].tie = Some(rig.joints[find(rig, to, file)?]);
        }
        match joint.turns {
            None => {}
            Some(ShotTurns::Fixed) => own.iter().for_each(|j| joints[*j].turns = Turns::Fixed),
            Some(ShotTurns::Ball) if joints[at].turns == Turns::Ball => {}
            Some(ShotTurns::Hinge) if own.len() == 1 && joints[at].turns == Turns::Ball => {
                let used = use_of(input, at, first);
                joints[at].turns = Turns::Hinge(nalgebra::Unit::new_normalize(used.axes[0]));
            }
            Some(ShotTurns::Hinge) if own.len() == 1 => {}
            Some(turns) => {
                let turns = if turns == ShotTurns::Ball { "ball" } else { "hinge" };
                return Err(CharacterError::Turns {
                    name: joint.name.clone(),
                    turns,
                    file: file.to_path_buf(),
                });
            }
        }
    }
    for (j, gone) in dropped(said, rig, file)?.into_iter().enumerate() {
        if gone {
            joints[j].turns = Turns::Fixed;
        }
    }
    Ok(joints)
}

/// Which joints of the skeleton the shot drops, and all that hangs on them.
fn dropped(said: &ShotSkeleton, rig: &Rig, file: &Path) -> Result<Vec<bool>, CharacterError> {
    let joints = rig.skeleton.joints();
    let mut gone = vec![false; joints.len()];
    for joint in said.joints.iter().filter(|joint| joint.drop) {
        let k = find(rig, &joint.name, file)?;
        (0..joints.len()).filter(|j| rig.of_file[*j] == k).for_each(|j| gone[j] = true);
    }
    for j in 0..joints.len() {
        gone[j] |= joints[j].parent.is_some_and(|parent| gone[parent]);
    }
    Ok(gone)
}

fn find(rig: &Rig, name: &str, file: &Path) -> Result<usize, CharacterError> {
    let names: Vec<&str> = rig.file.joints.iter().map(|joint| joint.name.as_str()).collect();
    names.iter().position(|own| *own == name).ok_or_else(|| CharacterError::NoJoint {
        name: name.to_owned(),
        file: file.to_path_buf(),
        nearest: nearest(name, &names).map(str::to_owned),
    })
}

fn limit_of(limit: &ShotLimit, rig: &Rig, file: &Path) -> Result<Limit, CharacterError> {
    let k = find(rig, &limit.joint, file)?;
    let at = rig.joints[k];
    let joints = rig.skeleton.joints();
    let toward = || {
        let child = joints.iter().find(|joint| joint.parent == Some(at) && joint.offset.norm() > 0.0);
        child.map_or_else(Vector3::y, |joint| joint.offset.normalize())
    };
    let radians =
        |range: &std::ops::RangeInclusive<f64>| (range.start().to_radians(), range.end().to_radians());
    let (joint, kind, (least, most)) = match &limit.bound {
        Bound::Axis { axis, degrees } => {
            let axis = axis.index();
            let missing =
                || CharacterError::NoChannel { name: limit.joint.clone(), axis: ['x', 'y', 'z'][axis] };
            let (joint, order) = match rig.order(at) {
                Some(order) => (at, order),
                None => {
                    let hinge =
                        (0..joints.len()).find(|j| rig.of_file[*j] == k && rig.hinge_axis(*j) == Some(axis));
                    (hinge.ok_or_else(missing)?, [axis, (axis + 1) % 3, (axis + 2) % 3])
                }
            };
            let index = order.iter().position(|own| *own == axis).ok_or_else(missing)?;
            (joint, LimitKind::Channel { order, index }, radians(degrees))
        }
        Bound::Cone(degrees) => {
            (at, LimitKind::Cone(toward()), (-degrees.to_radians(), degrees.to_radians()))
        }
        Bound::Twist(degrees) => (at, LimitKind::Twist(toward()), radians(degrees)),
    };
    Ok(Limit { joint, kind, least, most })
}

/// The motion of joints that turn about one axis where the file has three: about their mean, with all ends of the figure where
/// they were.
fn refitted(
    joints: &[Joint],
    rig: &Rig,
    input: &Motion,
    (first, frame_seconds): (usize, f64),
    progress: &Progress,
) -> Result<Motion, CharacterError> {
    let mut motion = input.clone();
    let mut is_other = false;
    for (j, joint) in joints.iter().enumerate() {
        let (Turns::Hinge(axis), Turns::Ball) = (joint.turns, rig.skeleton.joints()[j].turns) else {
            continue;
        };
        let mean = use_of(input, j, first).mean;
        for frame in first..motion.frames() {
            let turn = (mean.inverse() * input.rotation(frame, j)).scaled_axis().dot(&axis);
            let hinged = mean * nalgebra::UnitQuaternion::from_axis_angle(&axis, turn);
            is_other |= hinged.angle_to(&input.rotation(frame, j)) > 1e-6;
            motion.set(frame, j, hinged, input.translation(frame, j));
        }
    }
    if !is_other {
        return Ok(input.clone());
    }
    let Ok(skeleton) = Skeleton::new(joints.to_vec()) else { return Ok(motion) };
    let is_end = |j: usize| joints.iter().all(|joint| joint.parent != Some(j));
    let window = (first, motion.frames() - 1);
    let worlds: Vec<_> = (window.0..=window.1).map(|frame| input.world(&rig.skeleton, frame)).collect();
    let path =
        |j: usize| Goal::At(Targets::Each(worlds.iter().map(|world| Some(world.positions[j])).collect()));
    let ends = (0..joints.len()).filter(|j| is_end(*j));
    let edit = Edit {
        constraints: ends
            .map(|j| Constraint { hold: Some(1e4), ..Constraint::new(window, Point::joint(j), path(j)) })
            .collect(),
        figure: Figure::new(skeleton, Vec::new(), UP, &motion),
        layers: vec![Layer {
            curve: CurveKind::Frames,
            keys: Keys::Count(0),
            window,
            clamped: [false; 2],
            smoothing: SMOOTHING,
        }],
        is_loop: false,
        frame_seconds,
        metric: Metric::Blocks,
    };
    Ok(release(&edit, &motion, progress)?.motion)
}
