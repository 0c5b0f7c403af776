//! Background and shading.

use crate::colour::Colour;
use nalgebra::Vector3;

/// Background and shading.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    /// Background at the top and at the bottom of the picture.
    pub background: [Colour; 2],
    /// Colour of caption and colour bar text.
    pub ink: Colour,
    /// The direction to the sky, from where surfaces get the lightest ambient light.
    pub sky: Vector3<f64>,
    /// The direction to the sun. When given, the main light comes from there instead of from beside
    /// the camera, and throws shadows on the floor and on solid surfaces; see
    /// [`Camera::sun_over_shoulder`](crate::Camera::sun_over_shoulder).
    pub sun: Option<Vector3<f64>>,
    /// Angle between two faces' normals, in degrees, above which their common edge is sharp.
    pub crease_degrees: f64,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            background: [Colour::rgb(247, 248, 250), Colour::rgb(205, 212, 221)],
            ink: Colour::rgb(42, 48, 58),
            sky: Vector3::y(),
            sun: None,
            crease_degrees: 45.0,
        }
    }
}
