//! What the right viewport plays.

use std::ops::RangeInclusive;
use supple_session::Timeline;

/// What the right viewport plays.
#[derive(Clone, Debug)]
pub struct Playing {
    /// Whether it plays.
    pub on: bool,
    /// Whether it begins again at the end.
    pub loops: bool,
    /// The frames that are played, the scene's numbers; all of them without.
    pub range: Option<RangeInclusive<i32>>,
    /// The frame that is played, counted from 0.
    pub frame: usize,
    from: usize,
    since: Option<f64>,
}

impl Default for Playing {
    fn default() -> Self {
        Self { on: true, loops: true, range: None, frame: 0, from: 0, since: None }
    }
}

impl Playing {
    /// Goes on to the frame of a moment; answers after how many seconds the next one comes.
    pub fn advance(&mut self, now: f64, timeline: &Timeline) -> Option<f64> {
        self.frame = self.frame.min(timeline.clock.frames.saturating_sub(1));
        if !self.on || timeline.clock.frames < 2 || timeline.clock.fps <= 0.0 {
            self.since = None;
            return None;
        }
        let since = *self.since.get_or_insert_with(|| {
            self.from = self.frame;
            now
        });
        let gone = now - since;
        self.frame = timeline.played(self.from, gone, self.frames(timeline), self.loops);
        if !self.loops && self.frame >= *self.frames(timeline).end() {
            self.on = false;
            return None;
        }
        let count = gone * timeline.clock.fps;
        Some((count.floor() + 1.0 - count) / timeline.clock.fps)
    }

    /// Shows another frame and goes on from there.
    pub fn jump(&mut self, frame: usize) {
        (self.frame, self.since) = (frame, None);
    }

    /// Begins or stops; at the end of what is played once, it begins again.
    pub fn toggle(&mut self, timeline: &Timeline) {
        self.on = !self.on;
        self.since = None;
        let range = self.frames(timeline);
        if self.on && !self.loops && self.frame >= *range.end() {
            self.frame = *range.start();
        }
    }

    /// The frames that are played, counted from 0.
    pub fn frames(&self, timeline: &Timeline) -> RangeInclusive<usize> {
        match &self.range {
            Some(range) => timeline.index(*range.start())..=timeline.index(*range.end()),
            None => 0..=timeline.clock.frames.saturating_sub(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timeline() -> Timeline {
        Timeline {
            clock: supple_model::Clock { start: supple_model::Frame(10), frames: 5, fps: 2.0 },
            window: None,
            handles: Vec::new(),
            lanes: 0,
            poses: Vec::new(),
            segments: Vec::new(),
            layout: supple_session::Layout::default(),
            width: 4.0,
            contacts: Vec::new(),
            plants: Vec::new(),
        }
    }

    #[test]
    fn it_plays_in_time_and_round_and_round() {
        let (timeline, mut playing) = (timeline(), Playing::default());
        assert_eq!(playing.advance(100.0, &timeline), Some(0.5));
        let next = playing.advance(101.25, &timeline).unwrap();
        assert_eq!((playing.frame, next), (2, 0.25));
        playing.advance(102.5, &timeline);
        assert_eq!(playing.frame, 0);
        playing.range = Some(11..=12);
        playing.jump(2);
        playing.advance(200.0, &timeline);
        playing.advance(200.6, &timeline);
        assert_eq!(playing.frame, 1, "back to the begin of the range");
    }

    #[test]
    fn once_it_stops_at_the_end_and_can_begin_again() {
        let timeline = timeline();
        let mut playing = Playing { loops: false, ..Playing::default() };
        playing.advance(0.0, &timeline);
        assert_eq!(playing.advance(9.0, &timeline), None);
        assert_eq!((playing.frame, playing.on), (4, false));
        playing.toggle(&timeline);
        assert_eq!((playing.frame, playing.on), (0, true));
    }
}
