//! The customary places to look from, by name.

use std::fmt;
use std::str::FromStr;

use nalgebra::Vector3;

use crate::error::RenderError;

/// Which axis of the scene points to the sky.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UpAxis {
    /// y up, z towards the viewer of the front view.
    #[default]
    Y,
    /// z up, y away from the viewer of the front view.
    Z,
}

impl UpAxis {
    /// From directions in a y-up scene to this one's.
    pub(crate) fn turn(self, v: Vector3<f64>) -> Vector3<f64> {
        match self {
            Self::Y => v,
            Self::Z => Vector3::new(v.x, -v.z, v.y),
        }
    }
}

/// The customary places to look from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// From the front.
    Front,
    /// From behind.
    Back,
    /// From the left, the side of negative x.
    Left,
    /// From the right, the side of positive x.
    Right,
    /// From above, the front at the bottom of the picture.
    Top,
    /// From below, the front at the top of the picture.
    Bottom,
    /// From the front, the right and slightly above.
    #[default]
    ThreeQuarter,
}

pub(crate) const VIEWS: [(View, &str); 7] = [
    (View::Front, "front"),
    (View::Back, "back"),
    (View::Left, "left"),
    (View::Right, "right"),
    (View::Top, "top"),
    (View::Bottom, "bottom"),
    (View::ThreeQuarter, "three-quarter"),
];

/// All names that [`View::from_str`] understands.
fn view_names() -> String {
    VIEWS.map(|(_, name)| name).join(", ")
}

impl FromStr for View {
    type Err = RenderError;

    fn from_str(name: &str) -> Result<Self, RenderError> {
        VIEWS
            .iter()
            .find(|(_, known)| *known == name)
            .map(|&(view, _)| view)
            .ok_or_else(|| RenderError::UnknownView { name: name.to_owned(), known: view_names() })
    }
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = VIEWS.iter().find(|(view, _)| view == self).map_or("", |&(_, name)| name);
        f.pad(name)
    }
}

impl View {
    /// Directions to the eye and upwards in a y-up scene.
    pub(crate) fn directions(self) -> (Vector3<f64>, Vector3<f64>) {
        let y = Vector3::y();
        match self {
            Self::Front => (Vector3::z(), y),
            Self::Back => (-Vector3::z(), y),
            Self::Left => (-Vector3::x(), y),
            Self::Right => (Vector3::x(), y),
            Self::Top => (y, -Vector3::z()),
            Self::Bottom => (-y, Vector3::z()),
            Self::ThreeQuarter => {
                let (azimuth, elevation) = (35.0_f64.to_radians(), 24.0_f64.to_radians());
                let level = elevation.cos();
                (Vector3::new(azimuth.sin() * level, elevation.sin(), azimuth.cos() * level), y)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn view_names_round_trip() {
        for (view, name) in VIEWS {
            assert_eq!(name.parse::<View>().unwrap(), view);
            assert_eq!(view.to_string(), name);
        }
        let error = "sideways".parse::<View>().unwrap_err().to_string();
        assert!(error.contains("sideways") && error.contains("three-quarter"), "{error}");
    }
}
