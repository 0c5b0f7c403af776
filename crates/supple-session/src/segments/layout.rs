//! Segments end to end along the frames.
//!
//! With lengths l₀, l₁, … in frames, whole or not, segment k goes from the joint j_k = l₀ + … + l_{k−1} to j_{k+1}. A frame
//! that is nearer than half a frame to a joint is taken for that joint, and a joint for the end of the segment before it:
//! there the motion can still be asked for something, while a start is given by what came before.

use crate::Places;
use supple_project::Shot;
use supple_project::method::sparse::nominal_lengths;
use supple_project::method::{Points, Stage};
use supple_project::shot::{At, Site, When};

/// Frames nearer than this to a joint are the joint.
const HALF: f64 = 0.5;

/// Where segments are, in frames from the first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    /// Where each begins, and where the last one ends; empty without segments.
    joints: Vec<f64>,
}

impl Layout {
    /// Segments of these lengths, in frames.
    #[must_use]
    pub fn of_lengths(lengths: &[f64]) -> Self {
        if lengths.is_empty() {
            return Self::default();
        }
        let mut end = 0.0;
        let ends = lengths.iter().map(|length| {
            end += length;
            end
        });
        Self { joints: std::iter::once(0.0).chain(ends).collect() }
    }

    /// The segments of a shot that is on a stage: flights as long as they were found, or as far as is known.
    #[must_use]
    pub fn of(shot: &Shot, stage: &Stage) -> Self {
        let segments = &shot.edit.segments;
        if segments.is_empty() {
            return Self::default();
        }
        let at_rest = Points { drawn: stage.rest.clone(), body: None };
        let center = at_rest.place(&Site::CenterOfMass, stage).unwrap_or_default();
        let mut lengths = nominal_lengths(shot, center.into());
        // What was found is of these segments as long as there are as many.
        if stage.joints.len() == segments.len() + 1 {
            let found = stage.joints.windows(2).map(|pair| pair[1] - pair[0]);
            for ((length, found), segment) in lengths.iter_mut().zip(found).zip(segments) {
                if segment.is_flight() && found > 0.0 {
                    *length = found;
                }
            }
        }
        Self::of_lengths(&lengths)
    }

    /// How many segments there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.joints.len().saturating_sub(1)
    }

    /// Where a segment begins and ends.
    #[must_use]
    pub fn span(&self, segment: usize) -> Option<[f64; 2]> {
        Some([*self.joints.get(segment)?, *self.joints.get(segment + 1)?])
    }

    /// How many frames the motion has: the last segment is stretched to a whole one.
    #[must_use]
    pub fn frames(&self) -> usize {
        let end = self.joints.last().copied().unwrap_or(0.0);
        ((end - 1e-9).ceil().max(0.0) as usize).saturating_add(1)
    }

    /// The segment a time is in, and when in it.
    #[must_use]
    pub fn at(&self, time: f64) -> Option<(usize, At)> {
        let last = self.count().checked_sub(1)?;
        let segment = (0..last).find(|k| time < self.joints[k + 1] + HALF).unwrap_or(last);
        let [start, end] = self.span(segment)?;
        let is_end = time > end - HALF;
        Some((segment, if is_end { At::End } else { At::Frames((time - start).max(0.0)) }))
    }

    /// The segment that can be split at a time, and how many frames after it begins; none at a joint.
    #[must_use]
    pub fn inside(&self, time: f64) -> Option<(usize, f64)> {
        let (segment, at) = self.at(time)?;
        match at {
            At::Frames(frames) if frames >= HALF => Some((segment, frames)),
            _ => None,
        }
    }

    /// The time of what holds in a segment; none for what the scene counts, or where there is no such segment.
    #[must_use]
    pub fn time(&self, segment: usize, when: &When) -> Option<f64> {
        let [start, end] = self.span(segment)?;
        match when {
            When::At(At::End) => Some(end),
            When::At(At::Frames(frames)) => Some((start + frames).min(end)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use supple_model::{Clock, Frame};
    use supple_project::shot::{Body, BodyKind, Flight, Goal, Handle, Length, Segment};

    fn layout() -> Layout {
        Layout::of_lengths(&[24.0, 14.4, 30.0])
    }

    #[test]
    fn a_frame_is_in_one_segment_and_joints_are_ends() {
        let layout = layout();
        assert_eq!((layout.count(), layout.span(1)), (3, Some([24.0, 38.4])));
        assert_eq!(layout.at(0.0), Some((0, At::Frames(0.0))), "the first begins where it begins");
        assert_eq!(layout.at(12.0), Some((0, At::Frames(12.0))));
        assert_eq!(layout.at(24.0), Some((0, At::End)));
        assert_eq!(layout.at(25.0), Some((1, At::Frames(1.0))));
        assert_eq!(layout.at(38.0), Some((1, At::End)), "the frame nearest to a joint between frames");
        let (segment, At::Frames(frames)) = layout.at(39.0).unwrap() else { panic!("not at the end") };
        assert!(segment == 2 && (frames - 0.6).abs() < 1e-12);
        assert_eq!((layout.at(68.4), layout.at(99.0)), (Some((2, At::End)), Some((2, At::End))));
    }

    #[test]
    fn the_motion_ends_at_a_whole_frame() {
        assert_eq!(layout().frames(), 70, "68.4 is stretched to 69, and frames are one more than steps");
        assert_eq!(Layout::of_lengths(&[24.0]).frames(), 25);
        assert_eq!((Layout::default().frames(), Layout::default().at(3.0)), (1, None));
    }

    #[test]
    fn only_the_inside_can_be_split() {
        let layout = layout();
        assert_eq!(layout.inside(10.0), Some((0, 10.0)));
        assert_eq!([0.0, 24.0, 38.0, 69.0].map(|time| layout.inside(time)), [None; 4]);
    }

    #[test]
    fn keys_have_times_of_the_scene() {
        let layout = layout();
        assert_eq!(layout.time(1, &When::At(At::End)), Some(38.4));
        assert_eq!(layout.time(1, &When::At(At::Frames(2.5))), Some(26.5));
        assert_eq!(layout.time(1, &When::At(At::Frames(99.0))), Some(38.4), "no farther than it goes");
        assert_eq!((layout.time(3, &When::At(At::End)), layout.time(0, &When::Frame(3))), (None, None));
    }

    fn jump() -> Shot {
        let mut shot = Shot::new(std::path::Path::new("/p"), Body::new(BodyKind::Solid, "a.msh")).unwrap();
        shot.edit.gravity = Some([0.0, -10.0, 0.0]);
        let flight = Length::Flight(Flight::default());
        shot.edit.segments = [Length::Frames(24.0), flight, Length::Frames(30.0)].map(Segment::new).into();
        shot
    }

    #[test]
    fn a_flight_is_as_long_as_its_take_off_says_or_a_second_or_as_it_was_found() {
        let mut shot = jump();
        let clock = Clock { start: Frame(1), frames: 1, fps: 24.0 };
        let stage = Stage { rest: vec![[0.0, 1.0, 0.0]], clock, ..Stage::default() };
        assert_eq!(Layout::of(&shot, &stage).span(1), Some([24.0, 48.0]), "a second");
        let velocity = Goal::Velocity([1.0, 5.0, 0.0]);
        let key = Handle::new(When::At(At::End), Site::CenterOfMass, velocity);
        shot.edit.add_handle(Some(0), key);
        // 5 m/s up under 10 m/s² is a second again; 6 m/s is 1.2.
        assert_eq!(Layout::of(&shot, &stage).span(1), Some([24.0, 48.0]));
        shot.edit.handle_mut(0).unwrap().goal = Goal::Velocity([1.0, 6.0, 0.0]);
        let [_, end] = Layout::of(&shot, &stage).span(1).unwrap();
        assert!((end - 52.8).abs() < 1e-9, "{end}");
        let found = Stage { joints: vec![0.0, 24.0, 51.5, 82.0], ..stage };
        let layout = Layout::of(&shot, &found);
        assert_eq!((layout.span(1), layout.span(2)), (Some([24.0, 51.5]), Some([51.5, 81.5])));
        shot.edit.segments.pop();
        assert!(Layout::of(&shot, &found).span(1).unwrap()[1] > 52.0, "what was found is of other segments");
    }
}
