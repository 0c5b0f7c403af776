//! The points of a mesh over time, read one sample at a time.

use super::attribute::{Attribute, bracket};
use super::spec::{Raw, Values};
use crate::scene::{Placement, Transform};
use crate::{FormatError, Problem};
use std::path::PathBuf;
use supple_model::{FrameError, FrameSource};

/// The frames of a scene: frame i is the scene's number `first` + i, and at time code (first + i)·codes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Timeline {
    pub first: f64,
    pub codes_per_frame: f64,
    pub frames: usize,
}

impl Timeline {
    pub fn number(&self, index: usize) -> f64 {
        self.first + index as f64
    }

    pub fn code(&self, index: usize) -> f64 {
        self.number(index) * self.codes_per_frame
    }
}

pub(super) struct PointFrames {
    values: Values,
    /// At least one.
    samples: Vec<(f64, Raw)>,
    vertices: usize,
    placement: Placement,
    timeline: Timeline,
    path: PathBuf,
    object: String,
    /// The samples read last, by number, in object space.
    recent: [Option<(usize, Vec<f64>)>; 2],
}

impl PointFrames {
    pub fn new(
        points: &Attribute,
        vertices: usize,
        placement: Placement,
        timeline: Timeline,
        (path, object): (PathBuf, String),
    ) -> Self {
        let samples =
            if points.samples.is_empty() { vec![(0.0, points.first())] } else { points.samples.clone() };
        let values = points.values.clone();
        Self { values, samples, vertices, placement, timeline, path, object, recent: [None, None] }
    }

    /// Whether sample `number` is in memory, and in which place; otherwise in which it should be, other than
    /// `kept`.
    fn load(&mut self, number: usize, kept: Option<usize>, frame: f64) -> Result<usize, FormatError> {
        let holds = |recent: &Option<(usize, Vec<f64>)>| recent.as_ref().is_some_and(|(n, _)| *n == number);
        if let Some(place) = self.recent.iter().position(holds) {
            return Ok(place);
        }
        let place = usize::from(kept == Some(0));
        let numbers = self.values.numbers(&self.samples[number].1).map_err(|e| e.of_object(&self.object))?;
        if numbers.len() != 3 * self.vertices {
            let (object, found, expected) = (self.object.clone(), numbers.len() / 3, self.vertices);
            let problem = Problem::OtherTopology { frame, object, what: "points", found, expected };
            return Err(FormatError::whole_file(problem));
        }
        self.recent[place] = Some((number, numbers));
        Ok(place)
    }

    fn read_frame(&mut self, index: usize, positions: &mut [[f64; 3]]) -> Result<(), FormatError> {
        let frame = self.timeline.number(index);
        let (before, after, t) =
            bracket(self.samples.len(), |i| self.samples[i].0, self.timeline.code(index));
        let a = self.load(before, None, frame)?;
        let b = if t > 0.0 { self.load(after, Some(a), frame)? } else { a };
        let (Some((_, a)), Some((_, b))) = (&self.recent[a], &self.recent[b]) else {
            return Ok(());
        };
        let (a, _) = a.as_chunks::<3>();
        let (b, _) = b.as_chunks::<3>();
        let placement = self.placement.at(index);
        let is_placed = placement != Transform::IDENTITY;
        for ((position, a), b) in positions.iter_mut().zip(a).zip(b) {
            let point = if t > 0.0 { [0, 1, 2].map(|i| a[i] + (b[i] - a[i]) * t) } else { *a };
            *position = if is_placed { placement.apply(point) } else { point };
        }
        check_finite(positions, frame).map_err(|error| error.of_object(&self.object))
    }
}

/// Checks that all coordinates are finite.
pub(super) fn check_finite(positions: &[[f64; 3]], frame: f64) -> Result<(), FormatError> {
    for (vertex, position) in positions.iter().enumerate() {
        if let Some(&value) = position.iter().find(|x| !x.is_finite()) {
            return Err(FormatError::whole_file(Problem::NotFiniteAt { frame, vertex, value }));
        }
    }
    Ok(())
}

impl FrameSource for PointFrames {
    fn vertices(&self) -> usize {
        self.vertices
    }

    fn frames(&self) -> usize {
        self.timeline.frames
    }

    fn read(&mut self, index: usize, positions: &mut [[f64; 3]]) -> Result<(), FrameError> {
        crate::asked::check_asked(self, index, positions);
        self.read_frame(index, positions).map_err(|error| error.in_file(&self.path).into())
    }
}
