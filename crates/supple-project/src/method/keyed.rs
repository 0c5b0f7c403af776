//! A motion that is known between its frames, and whole at the times at which something is asked.

use crate::shot::When;

/// A method whose motion is known at any time.
pub trait Keyed {
    /// Makes its frames at another rate, over the same seconds. The first keeps its number. What the report tells of times
    /// stays in frames of the shot.
    fn resample(&mut self, fps: f64);

    /// The whole body at every time at which the shot asks for something, in their order; none before
    /// [`Method::settle`](super::Method::settle).
    fn keys(&self) -> Vec<WholeKey>;
}

/// The whole body at one time, as a pose of the shot can ask for it.
#[derive(Clone, Debug, PartialEq)]
pub struct WholeKey {
    /// The segment it is in, the first 1; none without segments.
    pub segment: Option<usize>,
    /// When, as the shot says it.
    pub when: When,
    /// When, in frames of the shot: the scene's number.
    pub time: f64,
    /// Where the vertices of the body are. In a segment: from where its rest shape stands.
    pub positions: Vec<[f64; 3]>,
    /// How fast they move in the scene, per second of the playback.
    pub velocities: Vec<[f64; 3]>,
}
