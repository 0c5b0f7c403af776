//! Segments as a person works on them: where they are along the frames, and how they are changed.
//!
//! | | |
//! |---|---|
//! | [`Layout`] | segments end to end: which one a frame is in, when a key is |
//! | [`begin_segments`], [`add_segment`], [`split_segment`], [`delete_segment`] | how many there are |
//! | [`resize_segment`], [`set_flight`] | how long one is |
//! | [`choose_method`] | another method, which may know no segments |
//!
//! A shot stays one that can be saved and read again: what cannot be is a [`SegmentError`], and nothing changes.

mod change;
mod layout;
mod method;
#[cfg(test)]
mod tests;

pub use change::{
    EARTH, add_segment, begin_segments, delete_segment, least_frames, resize_segment, set_flight,
    split_segment,
};
pub use layout::Layout;
pub use method::{choose_method, in_words};

/// Why segments cannot be changed like that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SegmentError {
    /// A flight would be the first.
    #[error("A flight cannot be the first segment: it takes off at the velocity of the one before")]
    FlightFirst,
    /// Two flights would meet.
    #[error("A flight cannot follow a flight; put a segment on the ground between them")]
    FlightAfterFlight,
    /// A flight would be cut.
    #[error("A flight cannot be split: it ends where it lands")]
    SplitFlight,
    /// There is nothing on one side of the cut.
    #[error("Go to a frame inside a segment to split it")]
    SplitAtEdge,
    /// There is no such segment.
    #[error("There is no such segment")]
    NoSegment,
}
