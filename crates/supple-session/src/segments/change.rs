//! Changes of the segments of a shot. Each leaves a shot that can be saved, or an error and no change.

use super::SegmentError;
use supple_model::Clock;
use supple_project::Shot;
use supple_project::shot::{At, Ends, Flight, Length, Pose, Segment, When};

/// The gravity that a first flight brings along, y being up.
pub const EARTH: [f64; 3] = [0.0, -9.81, 0.0];

/// The shortest a segment is made by hand, in frames.
const SHORTEST: f64 = 1.0;

/// Makes the whole motion the first segment, with all keys in it; nothing where there are segments. Answers what of the shot
/// a motion of segments does not have, in words.
pub fn begin_segments(shot: &mut Shot, clock: Clock) -> Vec<&'static str> {
    let mut dropped = Vec::new();
    if !shot.edit.segments.is_empty() {
        return dropped;
    }
    let edit = &mut shot.edit;
    let length = clock.frames.saturating_sub(1).max(1) as f64;
    let mut segment = Segment::new(Length::Frames(length));
    if edit.window.take().is_some() {
        dropped.push("frame range");
    }
    match std::mem::take(&mut edit.ends) {
        Ends::Loop => dropped.push("loop"),
        Ends::Apart { start, end } => {
            segment.end = end;
            if start.is_some() {
                dropped.push("start");
            }
        }
    }
    let (handles, poses) = (std::mem::take(&mut edit.handles), std::mem::take(&mut edit.poses));
    let is_range = |when: &When| matches!(when, When::Frames(frames) if frames.start() < frames.end());
    if handles.iter().any(|handle| is_range(&handle.when)) || poses.iter().any(|pose| is_range(&pose.when)) {
        dropped.push("frames after the first of handles and poses");
    }
    let inside = |when: &When| When::At(within(when, clock, length));
    segment.handles = handles;
    segment.handles.iter_mut().for_each(|handle| handle.when = inside(&handle.when));
    let inside = |pose: Pose| Pose { when: inside(&pose.when), every: None, ..pose };
    segment.poses = poses.into_iter().map(inside).collect();
    edit.segments = vec![segment];
    shot.motion.frames = None;
    dropped
}

/// A time of the scene as one of a segment that has all of it.
fn within(when: &When, clock: Clock, length: f64) -> At {
    let number = match when {
        When::At(at) => return *at,
        When::Frame(frame) => f64::from(*frame),
        When::Frames(frames) => f64::from(*frames.start()),
        When::Between(time) => *time,
    };
    match (number - f64::from(clock.start.0)).max(0.0) {
        frames if frames >= length => At::End,
        frames => At::Frames(frames),
    }
}

/// Makes the only segment the whole motion again, with all keys at frames of the scene; nothing where there are others.
pub(super) fn end_segments(shot: &mut Shot, clock: Clock) {
    let [segment] = shot.edit.segments.as_mut_slice() else { return };
    let Length::Frames(length) = segment.length else { return };
    let frames = (length - 1e-9).ceil().max(1.0) as usize;
    let start = f64::from(clock.start.0);
    let outside = |when: &When| match when {
        When::At(At::End) => When::at_time(start + frames as f64),
        When::At(At::Frames(frames)) => When::at_time(start + frames),
        other => other.clone(),
    };
    segment.handles.iter_mut().for_each(|handle| handle.when = outside(&handle.when));
    segment.poses.iter_mut().for_each(|pose| pose.when = outside(&pose.when));
    let segment = shot.edit.segments.remove(0);
    shot.edit.handles.extend(segment.handles);
    shot.edit.poses.extend(segment.poses);
    shot.edit.ends = Ends::Apart { start: None, end: segment.end };
    shot.motion.frames = Some(frames + 1);
}

/// Adds a segment behind another one, or behind all of them; answers its place. A flight brings gravity along where there
/// is none.
///
/// # Errors
/// A flight where none can be.
pub fn add_segment(shot: &mut Shot, after: Option<usize>, length: Length) -> Result<usize, SegmentError> {
    let segments = &mut shot.edit.segments;
    let place = after.map_or(segments.len(), |after| after + 1).min(segments.len());
    segments.insert(place, Segment::new(length));
    if let Err(problem) = check(segments) {
        segments.remove(place);
        return Err(problem);
    }
    if let Length::Flight(_) = length {
        ensure_gravity(shot);
    }
    Ok(place)
}

fn ensure_gravity(shot: &mut Shot) {
    if shot.edit.gravity.is_none_or(|gravity| gravity == [0.0; 3]) {
        shot.edit.gravity = Some(EARTH);
    }
}

/// Whether segments may follow each other like that.
fn check(segments: &[Segment]) -> Result<(), SegmentError> {
    if segments.first().is_some_and(Segment::is_flight) {
        return Err(SegmentError::FlightFirst);
    }
    match segments.windows(2).any(|pair| pair.iter().all(Segment::is_flight)) {
        true => Err(SegmentError::FlightAfterFlight),
        false => Ok(()),
    }
}

/// Splits a segment so many frames after it begins; keys stay at their times. Answers the place of the second part.
///
/// # Errors
/// A flight, or a place where one part would be nothing.
pub fn split_segment(shot: &mut Shot, place: usize, frames: f64) -> Result<usize, SegmentError> {
    let segment = shot.edit.segments.get_mut(place).ok_or(SegmentError::NoSegment)?;
    let Length::Frames(length) = segment.length else { return Err(SegmentError::SplitFlight) };
    if !(frames > 0.0 && frames < length) {
        return Err(SegmentError::SplitAtEdge);
    }
    let mut second = Segment {
        anchors: segment.anchors.clone(),
        modes: segment.modes,
        end: segment.end.take(),
        ..Segment::new(Length::Frames(length - frames))
    };
    segment.length = Length::Frames(frames);
    let (first, later) = apart(std::mem::take(&mut segment.handles), |handle| &mut handle.when, frames);
    (segment.handles, second.handles) = (first, later);
    let (first, later) = apart(std::mem::take(&mut segment.poses), |pose| &mut pose.when, frames);
    (segment.poses, second.poses) = (first, later);
    shot.edit.segments.insert(place + 1, second);
    Ok(place + 1)
}

/// Keys before a cut and behind it, at their times; a key at the cut is the end of what is before.
fn apart<T>(keys: Vec<T>, when: impl Fn(&mut T) -> &mut When, cut: f64) -> (Vec<T>, Vec<T>) {
    let (mut first, mut later) = (Vec::new(), Vec::new());
    for mut key in keys {
        let when = when(&mut key);
        let is_later = match *when {
            When::At(At::Frames(frames)) if frames == cut => {
                *when = When::At(At::End);
                false
            }
            When::At(At::Frames(frames)) if frames > cut => {
                *when = When::At(At::Frames(frames - cut));
                true
            }
            When::At(At::Frames(_)) => false,
            _ => true,
        };
        if is_later { later.push(key) } else { first.push(key) }
    }
    (first, later)
}

/// Deletes a segment with its keys; the last one there is leaves a motion without segments, with its keys.
///
/// # Errors
/// Where a flight would be left without a take-off.
pub fn delete_segment(shot: &mut Shot, place: usize, clock: Clock) -> Result<(), SegmentError> {
    let segments = &mut shot.edit.segments;
    if place >= segments.len() {
        return Err(SegmentError::NoSegment);
    }
    if segments.len() == 1 {
        end_segments(shot, clock);
        return Ok(());
    }
    let gone = segments.remove(place);
    check(segments).inspect_err(|_| segments.insert(place, gone))
}

/// The fewest frames a segment can have: its keys stay in it.
#[must_use]
pub fn least_frames(segment: &Segment) -> f64 {
    let whens = segment.handles.iter().map(|handle| &handle.when);
    let times = whens.chain(segment.poses.iter().map(|pose| &pose.when)).map(|when| match when {
        When::At(At::Frames(frames)) => *frames,
        _ => 0.0,
    });
    times.fold(SHORTEST, f64::max)
}

/// Makes a segment on the ground so many frames long, or as few as it can be.
pub fn resize_segment(shot: &mut Shot, place: usize, frames: f64) {
    if let Some(segment) = shot.edit.segments.get_mut(place)
        && !segment.is_flight()
        && frames.is_finite()
    {
        segment.length = Length::Frames(frames.max(least_frames(segment)));
    }
}

/// Makes a segment a flight, or one on the ground of about so many frames.
///
/// # Errors
/// A flight where none can be.
pub fn set_flight(
    shot: &mut Shot,
    place: usize,
    flight: Option<Flight>,
    frames: f64,
) -> Result<(), SegmentError> {
    let before = shot.edit.segments.clone();
    let segment = shot.edit.segments.get_mut(place).ok_or(SegmentError::NoSegment)?;
    match flight {
        Some(flight) => {
            *segment = Segment {
                anchors: None,
                end: None,
                length: Length::Flight(flight),
                ..std::mem::replace(segment, Segment::new(Length::Frames(1.0)))
            };
            check(&shot.edit.segments).inspect_err(|_| shot.edit.segments = before)?;
            ensure_gravity(shot);
        }
        None if segment.is_flight() => {
            segment.length = Length::Frames(frames.round().max(least_frames(segment)));
        }
        None => {}
    }
    Ok(())
}
