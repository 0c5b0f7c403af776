//! What is shown beside the motion itself: no part of the document.

/// What is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// The input, seen through.
    pub ghost: bool,
    /// Several frames at once.
    pub strobe: bool,
    /// How many.
    pub strobe_frames: usize,
    /// The ways of the handles' points, before and after.
    pub streamers: bool,
    /// The body instead of its skin.
    pub body: bool,
    /// The edges of triangles.
    pub wire: bool,
    /// Colours of how far it is strained.
    pub strain: bool,
    /// The strain that the last colour stands for.
    pub strain_full: f32,
    /// The grid.
    pub grid: bool,
    /// The shadow on the ground.
    pub shadow: bool,
    /// Obstacles and other things beside the body.
    pub scenery: bool,
    /// What stays in place.
    pub anchors: bool,
    /// Where something touches, with normals.
    pub contacts: bool,
    /// Handles of this and other frames.
    pub handles: bool,
    /// Whether fewer triangles are drawn while something is dragged.
    pub coarse: bool,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            ghost: true,
            strobe: false,
            strobe_frames: 7,
            streamers: true,
            body: false,
            wire: false,
            strain: false,
            strain_full: 0.2,
            grid: true,
            shadow: true,
            scenery: true,
            anchors: true,
            contacts: true,
            handles: true,
            coarse: false,
        }
    }
}
