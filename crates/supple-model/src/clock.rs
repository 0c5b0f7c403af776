//! When the frames of a motion are, and times between them.

use crate::Frame;
use std::cmp::Ordering;
use std::fmt::{Display, Formatter};

/// When the frames of a motion are: their numbers in the scene, and how fast they are played.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Clock {
    /// The scene's number of the first frame.
    pub start: Frame,
    /// How many there are.
    pub frames: usize,
    /// Frames per second of the playback.
    pub fps: f64,
}

impl Clock {
    /// The scene's number of a frame that is counted from 0.
    #[must_use]
    pub fn number(&self, index: usize) -> i32 {
        self.start.0.saturating_add(i32::try_from(index).unwrap_or(i32::MAX))
    }

    /// The index of a frame, counted from 0; none outside of the motion.
    #[must_use]
    pub fn index(&self, frame: Frame) -> Option<usize> {
        let index = i64::from(frame.0) - i64::from(self.start.0);
        usize::try_from(index).ok().filter(|index| *index < self.frames)
    }

    /// The index of the frame nearest to this one.
    #[must_use]
    pub fn nearest(&self, frame: Frame) -> usize {
        let index = i64::from(frame.0) - i64::from(self.start.0);
        usize::try_from(index.max(0)).unwrap_or(usize::MAX).min(self.frames.saturating_sub(1))
    }

    /// The scene's numbers of the first and the last frame.
    #[must_use]
    pub fn span(&self) -> (i32, i32) {
        (self.start.0, self.number(self.frames.saturating_sub(1)))
    }
}

/// A time of a motion in frames, counted from 0 at its first frame: 12.5 is half-way between two of them.
///
/// Times have a total order, so that they can be sorted and be keys; one that is not a number is after all others.
#[derive(Clone, Copy, Debug, Default)]
pub struct Instant(f64);

impl Instant {
    /// So many frames after the first.
    #[must_use]
    pub fn new(frames: f64) -> Self {
        // There is one zero only.
        Self(frames + 0.0)
    }

    /// Frames since the first.
    #[must_use]
    pub fn frames(self) -> f64 {
        self.0
    }

    /// The frame it falls on, counted from 0; none between frames or before the first.
    #[must_use]
    pub fn frame(self) -> Option<usize> {
        // Beyond this, whole numbers are no longer all there.
        const MOST: f64 = 9_007_199_254_740_992.0;
        ((0.0..MOST).contains(&self.0) && self.0.fract() == 0.0).then_some(self.0 as usize)
    }

    /// The frame before it, and how much of the way to the next has passed: 12.25 is 12 and a quarter. The first frame
    /// for what is before that.
    #[must_use]
    pub fn split(self) -> (usize, f64) {
        let frames = self.0.max(0.0);
        (frames as usize, frames.fract())
    }
}

impl From<usize> for Instant {
    fn from(frame: usize) -> Self {
        Self(frame as f64)
    }
}

impl From<f64> for Instant {
    fn from(frames: f64) -> Self {
        Self::new(frames)
    }
}

impl PartialEq for Instant {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Instant {}

impl PartialOrd for Instant {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Instant {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl Display for Instant {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_times_are_frames_and_sort_as_they_do() {
        assert_eq!(Instant::from(12), Instant::from(12.0));
        assert_eq!(Instant::new(-0.0), Instant::from(0));
        assert_eq!(
            [0.0, 12.0, 12.5, -1.0, f64::NAN].map(|t| Instant::new(t).frame()),
            [Some(0), Some(12), None, None, None]
        );
        assert_eq!(
            [0.0, 12.0, 12.25, -1.0].map(|t| Instant::new(t).split()),
            [(0, 0.0), (12, 0.0), (12, 0.25), (0, 0.0)]
        );
        let mut times = [3.0, f64::NAN, 0.5, -2.0].map(Instant::new);
        times.sort();
        assert_eq!(times.map(|time| time.to_string()), ["-2", "0.5", "3", "NaN"]);
    }

    #[test]
    fn numbers_and_indices_are_inverse_within_the_motion() {
        let clock = Clock { start: Frame(-3), frames: 5, fps: 24.0 };
        assert_eq!(clock.span(), (-3, 1));
        for index in 0..5 {
            assert_eq!(clock.index(Frame(clock.number(index))), Some(index));
        }
        assert_eq!([-4, 2].map(|frame| clock.index(Frame(frame))), [None, None]);
        assert_eq!([-9, 0, 9].map(|frame| clock.nearest(Frame(frame))), [0, 3, 4]);
    }

    #[test]
    fn frames_far_out_do_not_wrap_around() {
        let clock = Clock { start: Frame(i32::MAX - 1), frames: 10, fps: 24.0 };
        assert_eq!(clock.span(), (i32::MAX - 1, i32::MAX));
        assert_eq!(clock.index(Frame(i32::MIN)), None);
        assert_eq!(Clock { frames: 0, ..clock }.nearest(Frame(0)), 0);
    }
}
