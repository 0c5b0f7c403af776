//! Edits of segments and the choice of a method, each one step of undo.

use crate::Studio;
use crate::messages::Message;
use crate::tab::Tab;
use supple_project::shot::{BodyKind, Flight, Input, Length, Method, Shot};
use supple_session::{
    SegmentError, SegmentMark, add_segment, begin_segments, choose_method, delete_segment, split_segment,
};

/// What methods are called, in their order.
pub const METHODS: [(Method, &str); 5] = [
    (Method::Drag, "Drag"),
    (Method::Sparse, "Sparse keys"),
    (Method::Material, "Material"),
    (Method::Control, "Control"),
    (Method::Character, "Character"),
];

/// What a method is called.
pub fn method_name(method: Method) -> &'static str {
    METHODS.iter().find(|(of, _)| *of == method).map_or("", |(_, name)| name)
}

impl Studio {
    /// Whether the method makes motions of partial keys and of segments.
    pub(crate) fn has_segments(&self) -> bool {
        matches!(self.session.document.shot().edit.method, Method::Sparse | Method::Control)
    }

    /// Why a method cannot be chosen for this shot.
    pub(crate) fn why_not(&self, method: Method) -> Option<&'static str> {
        let shot = self.session.document.shot();
        let (from_rest, kind) = (shot.motion.input == Input::Rest, shot.body.kind);
        match method {
            Method::Character if kind != BodyKind::Character => {
                Some("For characters; this shot has another body")
            }
            _ if kind == BodyKind::Character && method != Method::Character => {
                Some("For other bodies; this shot has a character")
            }
            Method::Sparse | Method::Control if !from_rest => {
                Some("Starts from the rest shape; this shot has an original motion")
            }
            _ => None,
        }
    }

    /// Chooses a method, and says what of the shot it does not use.
    pub(crate) fn choose_method(&mut self, method: Method) {
        self.let_go();
        let clock = self.timeline.clock;
        let mut dropped = Vec::new();
        self.session.document.change("Change method", |shot| dropped = choose_method(shot, method, clock));
        self.toasts.say(Message::MethodChosen { name: method_name(method), dropped });
    }

    /// Makes the whole motion the first segment.
    pub(crate) fn use_segments(&mut self) {
        if self.timeline.clock.frames == 0 {
            self.toasts.say(Message::StillOpening);
            return;
        }
        self.let_go();
        let clock = self.timeline.clock;
        let mut dropped = Vec::new();
        self.session.document.change("Use segments", |shot| dropped = begin_segments(shot, clock));
        self.select_segment(0);
        if !dropped.is_empty() {
            self.toasts.say(Message::SegmentsBegun { dropped });
        }
    }

    /// Selects a pose, and goes to its frame.
    pub(crate) fn select_pose(&mut self, place: usize) {
        (self.pose, self.selected) = (Some(place), None);
        if let Some(mark) = self.timeline.poses.iter().find(|mark| mark.place == place) {
            self.view.frame = self.timeline.index(mark.time.round() as i32);
        }
    }

    /// Deletes the selected pose.
    pub(crate) fn delete_pose(&mut self) {
        let Some(place) = self.pose.take() else { return };
        self.let_go();
        self.session.document.change("Delete pose", |shot| {
            shot.edit.remove_pose(place);
        });
    }

    /// Shows the fields of a segment.
    pub(crate) fn select_segment(&mut self, segment: usize) {
        self.segment = Some(segment);
        self.panel = Tab::Method;
    }

    /// Adds a segment of a second, or a flight, behind the selected one or at the end.
    pub(crate) fn add_segment(&mut self, flies: bool) {
        let seconds = Length::Frames(self.timeline.clock.fps.round().max(1.0));
        let length = if flies { Length::Flight(Flight::default()) } else { seconds };
        let (step, after) = (if flies { "Add flight" } else { "Add segment" }, self.segment);
        if let Some(place) = self.change_segments(step, |shot| add_segment(shot, after, length)) {
            self.select_segment(place);
        }
    }

    /// Splits the segment that the frame is in.
    pub(crate) fn split_segment(&mut self) {
        let inside = self.timeline.layout.inside(self.view.frame as f64);
        let split = |shot: &mut Shot| {
            let (place, frames) = inside.ok_or(SegmentError::SplitAtEdge)?;
            split_segment(shot, place, frames)
        };
        if let Some(place) = self.change_segments("Split segment", split) {
            self.select_segment(place);
        }
    }

    /// Deletes the selected segment.
    pub(crate) fn delete_segment(&mut self) {
        let Some(place) = self.segment else { return };
        let clock = self.timeline.clock;
        if self.change_segments("Delete segment", |shot| delete_segment(shot, place, clock)).is_some() {
            (self.segment, self.selected) = (None, None);
        }
    }

    /// Changes segments as one step, or says why not.
    pub(crate) fn change_segments<T>(
        &mut self,
        step: &str,
        change: impl FnOnce(&mut Shot) -> Result<T, SegmentError>,
    ) -> Option<T> {
        self.let_go();
        let mut done = Err(SegmentError::NoSegment);
        self.session.document.change(step, |shot| done = change(shot));
        done.map_err(|problem| self.toasts.say(Message::Segment(problem))).ok()
    }

    /// What the selected segment is, in words: its number, and how long it is.
    pub(crate) fn segment_words(&self) -> Option<String> {
        let place = self.segment?;
        let mark = self.timeline.segments.get(place)?;
        Some(format!("Segment {}: {}", place + 1, length_words(mark)))
    }
}

/// How long a segment is, in words.
pub fn length_words(mark: &SegmentMark) -> String {
    let frames = (10.0 * (mark.times[1] - mark.times[0])).round() / 10.0;
    if mark.flies { format!("flight, about {frames} frames") } else { format!("{frames} frames") }
}
