//! The segments of a motion that is made of keys, as far as they are known before it is solved.

use crate::body::Body;
use crate::method::sparse::{center_at_rest, held, nominal_frames, nominal_lengths};
use crate::shot::{Anchor, Shot};
use serde::Serialize;

/// A segment of a chain.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SegmentInfo {
    /// Which, the first 1.
    pub segment: usize,
    /// Whether nothing holds the body.
    pub flight: bool,
    /// About when it begins: the scene's number.
    pub start: f64,
    /// About how many frames it has.
    pub frames: f64,
    /// How many vertices stay in place.
    pub anchors: usize,
    /// The groups they are in, as far as the segment names them.
    pub anchor_groups: Vec<String>,
    /// How many handles it has, muted ones too.
    pub handles: usize,
    /// How many poses.
    pub poses: usize,
    /// Why its anchors mean nothing.
    pub problem: Option<String>,
}

/// About how many frames a motion that is made of keys has.
pub(super) fn frames(shot: &Shot, body: &Body) -> Option<usize> {
    shot.edit.method.knows_times().then(|| nominal_frames(shot, center_at_rest(body)))
}

impl SegmentInfo {
    /// All segments of a shot.
    pub(super) fn all(shot: &Shot, body: &Body) -> Vec<Self> {
        let mut start = f64::from(shot.motion.clock().start.0);
        let lengths = nominal_lengths(shot, center_at_rest(body));
        let segments = shot.edit.segments.iter().zip(lengths).zip(1..);
        let of = |((segment, frames), number)| {
            let held = held(shot, segment, body);
            let groups = segment.anchors.iter().flatten().filter_map(|anchor| match anchor {
                Anchor::Group(group) => Some(group.clone()),
                _ => None,
            });
            start += frames;
            Self {
                segment: number,
                flight: segment.is_flight(),
                start: start - frames,
                frames,
                anchors: held.as_ref().map_or(0, Vec::len),
                anchor_groups: groups.collect(),
                handles: segment.handles.len(),
                poses: segment.poses.len(),
                problem: held.err().map(|error| error.to_string()),
            }
        };
        segments.map(of).collect()
    }
}
