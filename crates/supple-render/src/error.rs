//! What can be wrong with a scene, a picture size or a picture file.

/// Longest side of a picture, in pixels.
pub(crate) const MAX_SIDE: u32 = 16_384;
/// Most pixels of a picture: half a gigabyte while it is drawn.
pub(crate) const MAX_PIXELS: u64 = 1 << 26;

/// Why a picture could not be made or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    /// The picture has no pixels or more than can sensibly be held.
    #[error(
        "cannot make a picture of {width} x {height} pixels; each side must be 1 to {}, and the total at \
         most {} pixels",
        MAX_SIDE,
        MAX_PIXELS
    )]
    ImageSize {
        /// Requested width in pixels.
        width: u32,
        /// Requested height in pixels.
        height: u32,
    },
    /// A triangle names a vertex that its object does not have.
    #[error(
        "object {object}, triangle {triangle} uses vertex {vertex}, but there are only {vertices} vertices"
    )]
    VertexIndex {
        /// Index into [`Scene::objects`](crate::Scene::objects).
        object: usize,
        /// Index of the triangle in that object.
        triangle: usize,
        /// The vertex it names.
        vertex: u32,
        /// How many vertices the object has.
        vertices: usize,
    },
    /// The scalar colours do not match the vertices.
    #[error("object {object} has {values} scalar values for {vertices} vertices")]
    ScalarCount {
        /// Index into [`Scene::objects`](crate::Scene::objects).
        object: usize,
        /// How many values were given.
        values: usize,
        /// How many vertices the object has.
        vertices: usize,
    },
    /// A colour range that is not two finite numbers in increasing order.
    #[error("the colour range of object {object} must be finite and ascending, got {low} to {high}")]
    ScalarRange {
        /// Index into [`Scene::objects`](crate::Scene::objects).
        object: usize,
        /// Value at the lower end of the colour map.
        low: f64,
        /// Value at the upper end of the colour map.
        high: f64,
    },
    /// A floor that is nowhere.
    #[error("the height of the floor must be finite, got {height}")]
    FloorHeight {
        /// The height as given.
        height: f64,
    },
    /// All objects together have too many triangles to number.
    #[error("{triangles} triangles are too many for one picture")]
    TriangleCount {
        /// How many triangles the scene has.
        triangles: usize,
    },
    /// The camera looks nowhere.
    #[error("the camera's {what}")]
    Camera {
        /// The part that is wrong and how.
        what: &'static str,
    },
    /// A view name that does not exist.
    #[error("there is no view {name:?}; choose one of {known}")]
    UnknownView {
        /// The name as given.
        name: String,
        /// The names there are.
        known: String,
    },
    /// A number of frames per second that no motion has.
    #[error("the frame rate of a GIF must be positive and finite, got {frames_per_second}")]
    FrameRate {
        /// The number as given.
        frames_per_second: f64,
    },
    /// A frame of another size than the first.
    #[error(
        "frame {frame} of the GIF has {} x {} pixels instead of {} x {}",
        found[0], found[1], expected[0], expected[1]
    )]
    FrameSize {
        /// Number of the frame, from 0.
        frame: usize,
        /// Its width and height.
        found: [u32; 2],
        /// Width and height of the file.
        expected: [u32; 2],
    },
    /// The GIF could not be written.
    #[error("cannot write the GIF")]
    Gif(#[from] std::io::Error),
    /// The PNG could not be encoded or written.
    #[error("cannot write the PNG")]
    Png(#[from] png::EncodingError),
}
