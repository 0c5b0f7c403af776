//! The timeline: frames as the scene counts them, seconds, and what is marked there.

use std::ops::RangeInclusive;
use supple_model::{Clock, Frame};
use supple_project::method::Stage;
use supple_project::shot::{Handle, Shot};

/// The timeline of a shot. Frames are counted from 0 inside, and as the scene does where a person sees them.
#[derive(Clone, Debug, PartialEq)]
pub struct Timeline {
    /// When its frames are; none only before anything is opened.
    pub clock: Clock,
    /// The frames that may change, the scene's numbers.
    pub window: Option<RangeInclusive<i32>>,
    /// Handles, in the order of the shot.
    pub handles: Vec<TimelineMark>,
    /// Where something touches something, the scene's numbers.
    pub contacts: Vec<RangeInclusive<i32>>,
    /// Where a part is planted, the scene's numbers, each plant for itself.
    pub plants: Vec<RangeInclusive<i32>>,
}

/// A handle on the timeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimelineMark {
    /// The frames it holds at, the scene's numbers.
    pub frames: RangeInclusive<i32>,
    /// Whether it is left alone for now.
    pub muted: bool,
}

impl Timeline {
    /// The timeline of a shot that is on a stage.
    #[must_use]
    pub fn of(shot: &Shot, stage: &Stage) -> Self {
        let mark =
            |handle: &Handle| TimelineMark { frames: handle.when.range(), muted: handle.muted == Some(true) };
        let mut timeline = Self {
            clock: stage.clock,
            window: shot.edit.window.clone(),
            handles: shot.edit.handles.iter().map(mark).collect(),
            contacts: Vec::new(),
            plants: Vec::new(),
        };
        let number = |index: usize| timeline.number(index);
        timeline.plants = (stage.contacts.plants.iter())
            .map(|plant| number(*plant.frames.start())..=number(*plant.frames.end()))
            .collect();
        for contact in &stage.contacts.all {
            let number = timeline.number(contact.frame);
            match timeline.contacts.last_mut() {
                // They come by frame.
                Some(last) if number <= last.end().saturating_add(1) => *last = *last.start()..=number,
                _ => timeline.contacts.push(number..=number),
            }
        }
        timeline
    }

    /// The scene's number of a frame.
    #[must_use]
    pub fn number(&self, index: usize) -> i32 {
        self.clock.number(index)
    }

    /// The frame with this number; the nearest one outside.
    #[must_use]
    pub fn index(&self, number: i32) -> usize {
        self.clock.nearest(Frame(number))
    }

    /// When a frame is, in seconds from the first.
    #[must_use]
    pub fn seconds(&self, index: usize) -> f64 {
        if self.clock.fps > 0.0 { index as f64 / self.clock.fps } else { 0.0 }
    }

    /// The frame at a part of the timeline's width, 0 to 1.
    #[must_use]
    pub fn at(&self, part: f64) -> usize {
        (part.clamp(0.0, 1.0) * self.last() as f64).round() as usize
    }

    /// Where on the timeline's width a frame is, 0 to 1; frames outside are outside.
    #[must_use]
    pub fn part(&self, number: i32) -> f64 {
        (f64::from(number) - f64::from(self.clock.start.0)) / self.last().max(1) as f64
    }

    /// The frame that is played `seconds` after `from` was, in a range of frames counted from 0; at its end it begins
    /// again, or stays.
    #[must_use]
    pub fn played(&self, from: usize, seconds: f64, range: RangeInclusive<usize>, loops: bool) -> usize {
        let (first, last) = ((*range.start()).min(self.last()), (*range.end()).min(self.last()));
        let count = last.saturating_sub(first) + 1;
        let gone = (seconds.max(0.0) * self.clock.fps).floor();
        let from = from.clamp(first, last.max(first)) - first;
        if loops {
            // Whole rounds are left out first, so that a window that was left open plays on.
            first + (from + (gone % count as f64) as usize) % count
        } else {
            first + (from + gone.min(count as f64) as usize).min(count - 1)
        }
    }

    /// A handle's frames after they were moved by some, as far as the motion lets them.
    #[must_use]
    pub fn retimed(&self, frames: &RangeInclusive<i32>, by: i32) -> RangeInclusive<i32> {
        let (first, last) = (i64::from(self.clock.start.0), i64::from(self.number(self.last())));
        let (start, end) = (i64::from(*frames.start()), i64::from(*frames.end()));
        let by = i64::from(by).min(last - end).max(first - start);
        let moved = |frame: i64| i32::try_from(frame + by).unwrap_or(self.clock.start.0);
        moved(start)..=moved(end)
    }

    /// Some frames around one, the scene's numbers: what a window or a range begins as.
    #[must_use]
    pub fn around(&self, index: usize) -> RangeInclusive<i32> {
        let reach = (self.clock.frames / 4).clamp(1, 24);
        self.number(index.saturating_sub(reach))..=self.number((index + reach).min(self.last()))
    }

    fn last(&self) -> usize {
        self.clock.frames.saturating_sub(1)
    }
}
