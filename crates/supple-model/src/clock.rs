//! When the frames of a motion are.

use crate::Frame;

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

#[cfg(test)]
mod tests {
    use super::*;

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
