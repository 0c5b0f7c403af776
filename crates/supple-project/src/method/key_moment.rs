//! Keys of a motion for the eye: what is asked at every time of a key, and the shape that was found there.

use supple_mesh::Vec3;
use supple_model::VertexId;

/// All that is asked at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyMoment {
    /// When, as the scene counts frames; it may be between two.
    pub time: f64,
    /// The segment it belongs to, the first 1; none where the motion is not made of segments.
    pub segment: Option<usize>,
    /// Where the motion has its vertices then.
    pub positions: Vec<[f64; 3]>,
    /// What is asked.
    pub asked: Vec<Asked>,
}

/// What is asked at one time.
#[derive(Clone, Debug, PartialEq)]
pub enum Asked {
    /// These vertices shall be at these places.
    Places(Vec<(VertexId, Vec3)>),
    /// The centre of mass shall be here, or is: what is asked of other points is seen from it.
    Center(Vec3),
    /// What is here shall move this fast, per second of the playback.
    Velocity {
        /// Where the motion has it.
        at: Vec3,
        /// Which way and how fast.
        velocity: Vec3,
    },
}
