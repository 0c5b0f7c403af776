//! The parts of a motion as a shot has them: its segments, or all of it as one, each with its key poses at whole frames.

use super::error::ControlError;
use crate::Cache;
use crate::body::{Body, anchored};
use crate::key_poses::{Around, KeyPose};
use crate::method::error::EditError;
use crate::shot::{At, Ends, Hold, Length, Shot, When};
use supple_model::{Clock, Frame, Progress, VertexId};

/// The longest part, in frames.
const LONGEST: usize = 100_000;

/// A part of a motion.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Stretch {
    /// Which segment it is, the first 1; none if it is all of the motion.
    pub segment: Option<usize>,
    /// The vertices that stay, ascending.
    pub held: Vec<VertexId>,
    /// Frames that the motion shows before it.
    pub lead: usize,
    /// Frames from its first to its last.
    pub frames: usize,
    /// Poses with their frames, in the order of the frames.
    pub poses: Vec<(usize, KeyPose)>,
    /// Modes of its basis.
    pub modes: usize,
}

impl Stretch {
    /// Whether nothing holds the body.
    pub fn floats(&self) -> bool {
        self.held.is_empty()
    }

    /// Takes out the pose in which it begins, if one is asked for at its first frame.
    pub fn take_start(&mut self) -> Option<KeyPose> {
        let is_start = |(frame, pose): &(usize, KeyPose)| {
            *frame == 0 && pose.vertices.is_none() && pose.components.is_none() && pose.hold == Hold::Hard
        };
        let at = self.poses.iter().position(is_start)?;
        Some(self.poses.remove(at).1)
    }
}

/// All parts of the motion of a shot.
pub(super) fn stretches(
    shot: &Shot,
    body: &Body,
    cache: &Cache,
    progress: &Progress,
) -> Result<Vec<Stretch>, EditError> {
    let modes = shot.edit.control_settings()?.basis.modes;
    if shot.edit.ends == Ends::Loop {
        return Err(ControlError::Loop.into());
    }
    if shot.edit.segments.is_empty() {
        return Ok(vec![whole(shot, body, modes, cache, progress)?]);
    }
    let mut all = Vec::new();
    let mut first_pose = 1;
    let count = shot.edit.segments.len();
    for (index, segment) in shot.edit.segments.iter().enumerate() {
        let share = |index: usize| index as f64 / count as f64;
        let progress = progress.part(share(index), share(index + 1));
        let number = index + 1;
        let held = match &segment.anchors {
            Some(anchors) => anchored(shot, anchors, body.positions(), &body.groups)
                .map_err(|error| EditError::Segment { segment: number, problem: Box::new(error) })?,
            None => body.anchors.clone(),
        };
        let Length::Frames(length) = segment.length else {
            return Err(ControlError::Frames { segment: number, frames: 0.0 }.into());
        };
        if length.fract() != 0.0 || length > LONGEST as f64 {
            return Err(ControlError::Frames { segment: number, frames: length }.into());
        }
        let around = Around { shot, body, clock: None, cache: Some(cache) };
        let poses = around.resolve((first_pose, &segment.poses), &progress)?;
        first_pose += segment.poses.len();
        let at = |pose: KeyPose| match pose.when {
            When::At(At::End) => Ok((length as usize, pose)),
            When::At(At::Frames(at)) if at.fract() == 0.0 && at <= length => Ok((at as usize, pose)),
            _ => Err(ControlError::NotWhole { pose: pose.number, when: pose.when }),
        };
        let poses = poses.into_iter().map(at).collect::<Result<_, _>>()?;
        let frames = length as usize;
        let modes = segment.modes.unwrap_or(modes);
        all.push(checked(Stretch { segment: Some(number), held, lead: 0, frames, poses, modes }, body)?);
    }
    Ok(all)
}

/// The whole motion as one, from the first frame of the window on.
fn whole(
    shot: &Shot,
    body: &Body,
    modes: usize,
    cache: &Cache,
    progress: &Progress,
) -> Result<Stretch, EditError> {
    let clock = shot.motion.clock();
    let (first, last) = window(shot, clock)?;
    let around = Around { shot, body, clock: Some(clock), cache: Some(cache) };
    let at = |pose: KeyPose| match (&pose.when, &shot.edit.window) {
        (When::Frame(frame), Some(window)) if !window.contains(frame) => {
            let (first, last) = (*window.start(), *window.end());
            Err(ControlError::Outside { pose: pose.number, when: pose.when, first, last })
        }
        (When::Frame(frame), _) => Ok((clock.index(Frame(*frame)).unwrap_or(0).saturating_sub(first), pose)),
        _ => Err(ControlError::NotWhole { pose: pose.number, when: pose.when }),
    };
    let poses = around.resolve((1, &shot.edit.poses), progress)?;
    let poses = poses.into_iter().map(at).collect::<Result<_, _>>()?;
    let held = body.anchors.clone();
    // What comes after the window is what the body does by itself.
    let frames = last - first;
    checked(Stretch { segment: None, held, lead: first, frames, poses, modes }, body)
}

/// The first and the last frame that a motion is made for, counted from 0.
fn window(shot: &Shot, clock: Clock) -> Result<(usize, usize), EditError> {
    let last = clock.frames.saturating_sub(1).max(1);
    let Some(window) = &shot.edit.window else { return Ok((0, last)) };
    match (clock.index(Frame(*window.start())), clock.index(Frame(*window.end()))) {
        (Some(from), Some(_)) if from < last => Ok((from, last)),
        _ => {
            let (first, last) = clock.span();
            Err(EditError::Window { window: window.clone(), first, last })
        }
    }
}

/// Looks for what cannot be, and puts the poses into the order of their frames.
fn checked(mut stretch: Stretch, body: &Body) -> Result<Stretch, EditError> {
    let Stretch { segment, frames, .. } = stretch;
    if stretch.held.len() == body.positions().len() {
        return Err(ControlError::AllAnchored { segment }.into());
    }
    if frames > LONGEST {
        return Err(ControlError::TooManyFrames { segment, frames, most: LONGEST }.into());
    }
    stretch.poses.sort_by_key(|(frame, _)| *frame);
    let together = stretch.poses.windows(2).filter(|pair| pair[0].0 == pair[1].0);
    for pair in together {
        let (one, other) = (&pair[0].1, &pair[1].1);
        let is_hard = |pose: &KeyPose| pose.hold == Hold::Hard;
        let parts = [one, other].iter().all(|pose| pose.vertices.is_some());
        if !parts || is_hard(one) != is_hard(other) {
            return Err(ControlError::Together { pose: other.number, other: one.number }.into());
        }
    }
    Ok(stretch)
}
