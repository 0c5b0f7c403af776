//! The frames of a shot's motion, and those that count: nothing pushes the body in them.
//!
//! A load, a contact and an anchor that moves push it. What a file holds was pushed by nobody knows what: of it all frames
//! count in which no load of the shot acts.

use super::RecoverError;
use crate::body::Body;
use crate::motion::{InputMotion, MotionError, Moving};
use crate::shot::{Input, SecondsPerFrame, Shot};
use crate::simulate::Loads;
use faer::MatRef;
use std::ops::{Range, RangeInclusive};
use supple_formats::check_memory;
use supple_mesh::{Aabb, Vec3};
use supple_model::{Clock, Frame};
use supple_spacetime::{Recovered, RecoveryError};

/// A body of which nothing moves by more than this part of its size stands still, and so do its anchors.
const STILL: f64 = 1e-9;

/// A motion to learn from.
#[derive(Debug)]
pub(super) struct Given {
    pub clock: Clock,
    /// Physical time from frame to frame.
    pub seconds_per_frame: f64,
    /// The places in the motion of the frames to learn from.
    pub range: Range<usize>,
    /// Displacements of the body in these frames and in those held out, which follow.
    pub displacements: Vec<Vec<f64>>,
    /// Of those to learn from, the stretches that count, as places in `displacements`.
    pub runs: Vec<Range<usize>>,
    /// The frames held out, as places there: until something pushes.
    pub ahead: Range<usize>,
    /// The acceleration of everything, if it is known.
    pub gravity: Option<[f64; 3]>,
}

impl Given {
    /// Reads the frames of a motion.
    pub fn read(
        shot: &Shot,
        body: &Body,
        mut motion: InputMotion,
        asked: Option<&RangeInclusive<i32>>,
    ) -> Result<Self, RecoverError> {
        if motion.of == Moving::Skin {
            return Err(RecoverError::Skin);
        }
        let clock = motion.clock;
        let range = places(&clock, asked)?;
        let vertices = body.positions().len();
        check_memory(clock.frames as u64, 24 * vertices as u64, || format!("{} frames", clock.frames))
            .map_err(|problem| MotionError::Memory { problem, way_out: "lower `frames` in [motion]" })?;
        let mut places = vec![[0.0; 3]; vertices];
        let mut displacements = Vec::new();
        for index in range.start..clock.frames {
            motion.read(index, &mut places)?;
            if index < range.end && !places.iter().flatten().all(|x| x.is_finite()) {
                return Err(RecoverError::NotFinite { frame: Frame(clock.number(index)) });
            }
            let moved = places.iter().zip(body.positions());
            displacements.push(moved.flat_map(|(p, x)| (0..3).map(|c| p[c] - x[c])).collect::<Vec<f64>>());
        }
        let is_simulated = shot.motion.input == Input::Simulate;
        let pushed = pushed(shot, body, &motion, range.start, &displacements)?;
        let learnt = range.len();
        let runs = stretches(&pushed[..learnt]);
        let is_free = |i: usize| !pushed[i] && displacements[i].iter().all(|u| u.is_finite());
        let follows = runs.last().is_some_and(|run| run.end == learnt);
        let end = (learnt..displacements.len()).find(|&i| !is_free(i)).unwrap_or(displacements.len());
        let end = if follows { end } else { learnt };
        displacements.truncate(end);
        let given = Self {
            seconds_per_frame: seconds_per_frame(shot, &clock),
            clock,
            range,
            runs,
            ahead: learnt..end,
            gravity: is_simulated.then_some(shot.simulate.gravity),
            displacements,
        };
        if given.is_still(body.positions()) {
            return Err(RecoverError::Motion { problem: RecoveryError::AtRest });
        }
        Ok(given)
    }

    /// The first and the last frame to learn from.
    pub fn numbers(&self) -> [i32; 2] {
        [self.clock.number(self.range.start), self.clock.number(self.range.end - 1)]
    }

    /// Whether nothing moves in the frames that count, if there are any.
    fn is_still(&self, positions: &[Vec3]) -> bool {
        let mut frames = self.runs.iter().flat_map(|run| &self.displacements[run.clone()]);
        let Some(first) = frames.next() else { return false };
        let size = STILL * Aabb::around(positions).size().norm();
        frames.all(|frame| frame.iter().zip(first).all(|(a, b)| (a - b).abs() <= size))
    }

    /// How far a material is off in the frames held out, as a part of their motion; none if there are none.
    pub fn held_out(&self, coordinates: MatRef<'_, f64>, found: &Recovered) -> Option<f64> {
        let ahead = self.ahead.clone();
        if ahead.is_empty() {
            return None;
        }
        let told = found.extrapolated(ahead.len());
        let (mut off, mut all) = (0.0, 0.0);
        for k in 0..coordinates.nrows() {
            let row = || ahead.clone().map(|i| coordinates[(k, i)]);
            let mean = row().sum::<f64>() / ahead.len() as f64;
            for (j, x) in row().enumerate() {
                off += (told[(k, j)] - x).powi(2);
                all += (x - mean).powi(2);
            }
        }
        (all > 0.0).then(|| (off / all).sqrt())
    }
}

/// The places of the frames to learn from.
fn places(clock: &Clock, asked: Option<&RangeInclusive<i32>>) -> Result<Range<usize>, RecoverError> {
    let Some(asked) = asked else { return Ok(0..clock.frames.div_ceil(2)) };
    let (first, last) = clock.span();
    let (from, to) = (*asked.start(), *asked.end());
    match (clock.index(Frame(from)), clock.index(Frame(to))) {
        (Some(a), Some(b)) if a < b => Ok(a..b + 1),
        _ => Err(RecoverError::Frames { from, to, first, last }),
    }
}

/// Physical time from frame to frame.
fn seconds_per_frame(shot: &Shot, clock: &Clock) -> f64 {
    let simulated = shot.simulate.seconds_per_frame.filter(|_| shot.motion.input == Input::Simulate);
    match (simulated, shot.motion.seconds_per_frame) {
        (Some(seconds), _) | (None, SecondsPerFrame::Seconds(seconds)) => seconds,
        (None, SecondsPerFrame::Auto) => 1.0 / clock.fps,
    }
}

/// Whether something pushes the body in each frame from the place `first` on.
fn pushed(
    shot: &Shot,
    body: &Body,
    motion: &InputMotion,
    first: usize,
    displacements: &[Vec<f64>],
) -> Result<Vec<bool>, RecoverError> {
    let loads = Loads::load(shot, body)?;
    let number = |i: usize| motion.clock.number(first + i);
    let mut pushed = vec![false; displacements.len()];
    let mut forces = vec![0.0; 3 * body.positions().len()];
    if !shot.loads.is_empty() {
        for (i, pushed) in pushed.iter_mut().enumerate() {
            forces.fill(0.0);
            loads.add(f64::from(number(i)), &mut forces);
            *pushed = forces.iter().any(|f| *f != 0.0);
        }
    }
    for contact in &motion.contacts {
        if let Some(i) = motion.clock.index(contact.frame).and_then(|index| index.checked_sub(first)) {
            pushed[i] = true;
        }
    }
    if shot.motion.input == Input::Simulate {
        let size = STILL * Aabb::around(body.positions()).size().norm();
        for i in 1..displacements.len() {
            let (a, b) = (&displacements[i - 1], &displacements[i]);
            let moves = |k: usize| (a[k] - b[k]).abs() > size;
            if body.anchors.iter().any(|v| (3 * v.index()..3 * v.index() + 3).any(moves)) {
                (pushed[i - 1], pushed[i]) = (true, true);
            }
        }
    }
    Ok(pushed)
}

/// The stretches in which nothing pushes.
fn stretches(pushed: &[bool]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for i in (0..pushed.len()).filter(|&i| !pushed[i]) {
        match found.last_mut() {
            Some(run) if run.end == i => run.end += 1,
            _ => found.push(i..i + 1),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_lie_between_pushes() {
        let pushed: Vec<bool> = "x..xx...".chars().map(|c| c == 'x').collect();
        assert_eq!(stretches(&pushed), [1..3, 5..8]);
        assert!(stretches(&[true, true]).is_empty());
    }

    #[test]
    fn frames_are_those_of_the_scene() {
        let clock = Clock { start: Frame(11), frames: 20, fps: 24.0 };
        assert_eq!(places(&clock, None).unwrap(), 0..10);
        assert_eq!(places(&clock, Some(&(13..=30))).unwrap(), 2..20);
        for wrong in [10..=20, 13..=31, 20..=20, RangeInclusive::new(25, 15)] {
            let error = places(&clock, Some(&wrong)).unwrap_err().to_string();
            assert!(error.contains("frames 11 to 30"), "{error}");
        }
    }
}
