//! The parts of a motion as a shot has them: its segments, or all of it as one.

use super::error::SparseError;
use super::ground::{Ground, GroundKey, Grounds};
use crate::Cache;
use crate::body::{Body, BodyError, anchored};
use crate::key_poses::{Around, KeyPose};
use crate::method::error::{EditError, HandleProblem};
use crate::shot::{self, At, End, Ends, Handle, Land, Length, Segment, Shot, When};
use std::sync::Arc;
use supple_model::{Clock, Progress, VertexId};

/// A part of a motion.
#[derive(Clone, Debug)]
pub(super) struct Stretch {
    /// Which segment it is, the first 1; none if it is all of the motion.
    pub segment: Option<usize>,
    pub ground: Arc<Ground>,
    pub span: Span,
    pub ends: StretchEnds,
    /// With their places among all handles of the file, the first 1; muted ones left out.
    pub handles: Vec<(u32, Handle)>,
    pub poses: Vec<KeyPose>,
    /// The frames that may change, counted from 0; all of them if none.
    pub window: Option<(usize, usize)>,
}

impl Stretch {
    /// Whether another one asks for the same of the same.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.ground, &other.ground)
            && (self.span, self.ends, self.window) == (other.span, other.ends, other.window)
            && self
                .handles
                .iter()
                .map(|(_, handle)| handle)
                .eq(other.handles.iter().map(|(_, handle)| handle))
            && self.poses == other.poses
    }
}

/// How long it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Span {
    Frames(f64),
    Flight(Land),
}

/// What holds at its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StretchEnds {
    Loop,
    Open { free_start: bool, free_end: bool },
}

/// All parts of the motion of a shot.
pub(super) fn stretches(
    shot: &Shot,
    body: &Body,
    grounds: &mut Grounds,
    cache: &Cache,
    progress: &Progress,
) -> Result<Vec<Stretch>, EditError> {
    let clock = shot.motion.clock();
    if shot.edit.segments.is_empty() {
        return Ok(vec![whole(shot, body, clock, grounds, cache, progress)?]);
    }
    if shot.edit.part.is_some() {
        return Err(SparseError::PartOfSegments.into());
    }
    let mut all = Vec::new();
    let (mut first_handle, mut first_pose) = (1, 1);
    let count = shot.edit.segments.len();
    for (index, segment) in shot.edit.segments.iter().enumerate() {
        let share = |index: usize| index as f64 / count as f64;
        let progress = progress.part(share(index), share(index + 1));
        let flies = segment.is_flight();
        let held = held(shot, segment, body)
            .map_err(|error| EditError::Segment { segment: index + 1, problem: Box::new(error) })?;
        if held.len() == body.positions().len() {
            return Err(SparseError::AllAnchored { segment: index + 1 }.into());
        }
        let key = GroundKey { held, flies, modes: segment.modes.unwrap_or(shot.edit.modes) };
        let ground = grounds.get(body, key, cache, &progress.part(0.0, 0.8))?;
        let poses = (first_pose, segment.poses.as_slice());
        let around = Around { shot, body, clock: None, cache: Some(cache) };
        all.push(Stretch {
            segment: Some(index + 1),
            ground,
            span: match segment.length {
                Length::Frames(frames) => Span::Frames(frames),
                Length::Flight(flight) => Span::Flight(flight.land),
            },
            ends: StretchEnds::Open {
                free_start: false,
                free_end: flies || segment.end.map_or(index + 1 < count, |end| end == End::Free),
            },
            handles: numbered(first_handle, &segment.handles),
            poses: around.resolve(poses, &progress.part(0.8, 1.0))?,
            window: None,
        });
        first_handle += segment.handles.len() as u32;
        first_pose += segment.poses.len();
    }
    Ok(all)
}

/// The vertices that stay in a segment, ascending; none in flight.
pub(crate) fn held(shot: &Shot, segment: &Segment, body: &Body) -> Result<Vec<VertexId>, BodyError> {
    match &segment.anchors {
        _ if segment.is_flight() => Ok(Vec::new()),
        Some(anchors) => anchored(shot, anchors, body.positions(), &body.groups),
        None => Ok(body.anchors.clone()),
    }
}

/// The whole motion as one.
fn whole(
    shot: &Shot,
    body: &Body,
    clock: Clock,
    grounds: &mut Grounds,
    cache: &Cache,
    progress: &Progress,
) -> Result<Stretch, EditError> {
    let edit = &shot.edit;
    let held = match &edit.part {
        None => body.anchors.clone(),
        Some(part) => {
            let members = body.groups.get(part)?;
            let is_held = |v: &VertexId| members.binary_search(v).is_err() || body.free.index(*v).is_none();
            (0..body.positions().len()).map(VertexId::new).filter(is_held).collect()
        }
    };
    if held.len() == body.positions().len() {
        return Err(EditError::NothingMoves { part: edit.part.clone().unwrap_or_default() });
    }
    let key = GroundKey { held, flies: false, modes: edit.modes };
    let ground = grounds.get(body, key, cache, &progress.part(0.0, 0.8))?;
    let window = edit.window.as_ref().map(|window| inside(window, clock)).transpose()?;
    let ends = match edit.ends {
        Ends::Loop if window.is_some() => return Err(EditError::WindowOfLoop),
        Ends::Loop => StretchEnds::Loop,
        Ends::Apart { start, end } => StretchEnds::Open {
            free_start: start == Some(End::Free) && window.is_none_or(|window| window.0 == 0),
            free_end: end == Some(End::Free) && window.is_none_or(|window| window.1 + 1 == clock.frames),
        },
    };
    Ok(Stretch {
        segment: None,
        ground,
        span: Span::Frames(clock.frames.saturating_sub(1).max(1) as f64),
        ends,
        handles: numbered(1, &edit.handles),
        poses: Around { shot, body, clock: Some(clock), cache: Some(cache) }
            .resolve((1, &edit.poses), &progress.part(0.8, 1.0))?,
        window,
    })
}

fn numbered(first: u32, handles: &[Handle]) -> Vec<(u32, Handle)> {
    let heard = (first..).zip(handles).filter(|(_, handle)| handle.muted != Some(true));
    heard.map(|(number, handle)| (number, handle.clone())).collect()
}

fn inside(window: &std::ops::RangeInclusive<i32>, clock: Clock) -> Result<(usize, usize), EditError> {
    let (first, last) = clock.span();
    let index = |frame: i32| clock.index(supple_model::Frame(frame));
    match (index(*window.start()), index(*window.end())) {
        (Some(from), Some(to)) => Ok((from, to)),
        _ => Err(EditError::Window { window: window.clone(), first, last }),
    }
}

/// When something holds, in frames from the start of a part that is so long.
pub(super) fn times(when: &When, length: f64, clock: &shot::Motion) -> Result<Vec<f64>, HandleProblem> {
    let start = f64::from(clock.clock().start.0);
    let times: Vec<f64> = match when {
        When::Frame(frame) => vec![f64::from(*frame) - start],
        When::Between(time) => vec![time - start],
        When::Frames(frames) => frames.clone().map(|frame| f64::from(frame) - start).collect(),
        When::At(At::End) => vec![length],
        When::At(At::Frames(frames)) => vec![*frames],
    };
    match (times.iter().all(|time| (0.0..=length).contains(time)), when) {
        (true, _) => Ok(times),
        (false, When::At(_)) => Err(HandleProblem::OutsideSegment { when: when.clone(), length }),
        (false, _) => {
            let (first, last) = (start as i32, (start + length) as i32);
            Err(HandleProblem::OutsideTimes { when: when.clone(), first, last })
        }
    }
}
