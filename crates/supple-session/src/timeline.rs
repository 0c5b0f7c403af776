//! The timeline: frames as the scene counts them, seconds, and what is marked there.

use crate::Layout;
use std::ops::RangeInclusive;
use supple_model::{Clock, Frame};
use supple_project::method::Stage;
use supple_project::shot::{Edit, Goal, Shot, Site, When};

/// How much longer than the motion the timeline of segments is: there is room to drag its end to.
const ROOM: f64 = 1.1;

/// The timeline of a shot. Frames are counted from 0 inside, and as the scene does where a person sees them.
#[derive(Clone, Debug, PartialEq)]
pub struct Timeline {
    /// When its frames are; none only before anything is opened.
    pub clock: Clock,
    /// The frames that may change, the scene's numbers.
    pub window: Option<RangeInclusive<i32>>,
    /// Handles, in the order of the shot.
    pub handles: Vec<TimelineMark>,
    /// How many lanes they have.
    pub lanes: usize,
    /// Poses, in the order of the shot; those of a range have a mark each.
    pub poses: Vec<PoseMark>,
    /// Segments, one after the other.
    pub segments: Vec<SegmentMark>,
    /// Where they are.
    pub layout: Layout,
    /// How many frames are as long as the timeline is wide.
    pub width: f64,
    /// Where something touches something, the scene's numbers.
    pub contacts: Vec<RangeInclusive<i32>>,
    /// Where a part is planted, the scene's numbers, each plant for itself.
    pub plants: Vec<RangeInclusive<i32>>,
}

/// A handle on the timeline.
#[derive(Clone, Debug, PartialEq)]
pub struct TimelineMark {
    /// The frames it holds at, the scene's numbers; the nearest one to a time of a segment.
    pub frames: RangeInclusive<i32>,
    /// From when to when it holds: frames of the scene, whole or not.
    pub times: [f64; 2],
    /// The segment it is in, the first 0.
    pub segment: Option<usize>,
    /// Whether it is left alone for now.
    pub muted: bool,
    /// Whether it is a plant: a joint that stands for all of its frames.
    pub stays: bool,
    /// Which lane it is in, the first 0: plants of one joint that follow each other share one, all others have their own.
    pub lane: usize,
}

/// A pose on the timeline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoseMark {
    /// Its place in the shot.
    pub place: usize,
    /// When it is asked for, frames of the scene, whole or not.
    pub time: f64,
    /// The segment it is in, the first 0.
    pub segment: Option<usize>,
}

/// A segment on the timeline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SegmentMark {
    /// Where it begins and ends, frames of the scene, whole or not.
    pub times: [f64; 2],
    /// Whether nothing holds the body.
    pub flies: bool,
}

impl Timeline {
    /// The timeline of a shot that is on a stage.
    #[must_use]
    pub fn of(shot: &Shot, stage: &Stage) -> Self {
        let layout = Layout::of(shot, stage);
        let mut clock = stage.clock;
        // Segments of other lengths are seen before they are solved.
        if clock.frames > 0 && layout.count() > 0 {
            clock.frames = layout.frames();
        }
        let steps = clock.frames.saturating_sub(1).max(1) as f64;
        let mut timeline = Self {
            clock,
            window: shot.edit.window.clone(),
            handles: Vec::new(),
            lanes: 0,
            poses: Vec::new(),
            segments: Vec::new(),
            width: if layout.count() > 0 { (ROOM * steps).ceil() } else { steps },
            layout,
            contacts: Vec::new(),
            plants: Vec::new(),
        };
        timeline.mark(shot);
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

    /// Marks what a shot asks for.
    fn mark(&mut self, shot: &Shot) {
        let start = f64::from(self.clock.start.0);
        let edit = &shot.edit;
        let handles = edit.all_handles().map(|(segment, handle)| {
            let segment = segment.map(|number| number - 1);
            let (frames, times) = self.times(segment, &handle.when);
            let stays = matches!(handle.goal, Goal::Stay { .. });
            TimelineMark { frames, times, segment, muted: handle.muted == Some(true), stays, lane: 0 }
        });
        let poses = edit.all_poses().enumerate().flat_map(|(place, (segment, pose))| {
            let times = match pose.when.whole() {
                Some(_) => pose.frames().map(f64::from).collect(),
                None => vec![self.times(segment, &pose.when).1[0]],
            };
            times.into_iter().map(move |time| PoseMark { place, time, segment })
        });
        let segments = edit.segments.iter().enumerate().filter_map(|(k, segment)| {
            let times = self.layout.span(k)?.map(|time| start + time);
            Some(SegmentMark { times, flies: segment.is_flight() })
        });
        (self.handles, self.poses, self.segments) = (handles.collect(), poses.collect(), segments.collect());
        self.choose_lanes(edit);
    }

    /// Gives every handle a lane.
    fn choose_lanes(&mut self, edit: &Edit) {
        let mut lanes: Vec<(Option<&Site>, Vec<RangeInclusive<i32>>)> = Vec::new();
        for (mark, (_, handle)) in self.handles.iter_mut().zip(edit.all_handles()) {
            let site = mark.stays.then_some(&handle.site);
            let is_free = |taken: &[RangeInclusive<i32>]| {
                taken
                    .iter()
                    .all(|range| range.end() < mark.frames.start() || mark.frames.end() < range.start())
            };
            let shared =
                |(of, taken): &(Option<&Site>, Vec<_>)| site.is_some() && *of == site && is_free(taken);
            mark.lane = lanes.iter().position(shared).unwrap_or(lanes.len());
            if mark.lane == lanes.len() {
                lanes.push((site, Vec::new()));
            }
            lanes[mark.lane].1.push(mark.frames.clone());
        }
        self.lanes = lanes.len();
    }

    /// The frames at which something holds, and from when to when.
    fn times(&self, segment: Option<usize>, when: &When) -> (RangeInclusive<i32>, [f64; 2]) {
        let inside = segment.and_then(|segment| self.layout.time(segment, when));
        let range = when.range();
        let times = match (inside, when) {
            (Some(time), _) => {
                let time = f64::from(self.clock.start.0) + time;
                let nearest = self.number(self.index(time.round() as i32));
                return (nearest..=nearest, [time; 2]);
            }
            (None, When::Between(time)) => [*time; 2],
            _ => [f64::from(*range.start()), f64::from(*range.end())],
        };
        (range, times)
    }

    /// The frames at which a handle of an edit holds, by its place: the scene's numbers.
    #[must_use]
    pub fn frames_of(&self, edit: &Edit, place: usize) -> Option<RangeInclusive<i32>> {
        let (segment, handle) = edit.all_handles().nth(place)?;
        Some(self.times(segment.map(|number| number - 1), &handle.when).0)
    }

    /// What is asked for at a frame, counted from 0, is asked for then, in this segment.
    #[must_use]
    pub fn when(&self, frame: usize) -> (Option<usize>, When) {
        match self.layout.at(frame as f64) {
            Some((segment, at)) => (Some(segment), When::At(at)),
            None => (None, When::Frame(self.number(frame))),
        }
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
        ((part.clamp(0.0, 1.0) * self.width).round() as usize).min(self.last())
    }

    /// Where on the timeline's width a frame is, whole or not, 0 to 1; frames outside are outside.
    #[must_use]
    pub fn part(&self, number: impl Into<f64>) -> f64 {
        (number.into() - f64::from(self.clock.start.0)) / self.width
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
