//! The space of a file: how long its unit is and which of its axes points up. Inside, all is in metres with y up.
//!
//! ```text
//! inside = s·R·outside        s metres in a unit, R the quarter turn that takes the axis up to y
//! ```

use super::{MotionFile, Source, SourceError};
use crate::shot::{Axis, Shot};
use supple_formats::Up;

/// Units of length by name, in metres.
pub const UNITS: [(&str, f64); 7] =
    [("mm", 1e-3), ("cm", 1e-2), ("dm", 1e-1), ("m", 1.0), ("km", 1e3), ("in", 0.0254), ("ft", 0.3048)];

/// Why a text is no unit of length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnitError {
    /// Neither a name nor a number.
    #[error("use mm, cm, dm, m, km, in, ft, or a length in metres")]
    Unknown,
    /// A number that is no length.
    #[error("a unit must be longer than 0")]
    NotPositive,
}

/// A unit by its name, or as a number of metres.
///
/// # Errors
/// What is wrong with it.
pub fn parse_unit(text: &str) -> Result<f64, UnitError> {
    let text = text.trim();
    let metres = match UNITS.iter().find(|(name, _)| *name == text) {
        Some((_, metres)) => *metres,
        None => text.parse().map_err(|_| UnitError::Unknown)?,
    };
    if metres > 0.0 && f64::is_finite(metres) { Ok(metres) } else { Err(UnitError::NotPositive) }
}

/// Where a file's points are inside, and back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Space {
    /// s: how long a unit of the file is, in metres.
    pub unit: f64,
    /// Which axis of the file points up.
    pub up: Axis,
}

impl Default for Space {
    /// The one there is inside.
    fn default() -> Self {
        Self { unit: 1.0, up: Axis::Y }
    }
}

impl Space {
    /// That of a shot's input; the one inside where it has no file.
    ///
    /// # Errors
    /// When the file cannot be opened.
    pub fn of_shot(shot: &Shot) -> Result<Self, SourceError> {
        if shot.given_motion().is_some() {
            let (unit, up) = (shot.motion.unit.unwrap_or(1.0), shot.motion.up.unwrap_or(Axis::Y));
            return Ok(Self { unit, up });
        }
        let Some(file) = MotionFile::of_shot(shot) else { return Ok(Self::default()) };
        // Skeletons know nothing of it either.
        let is_plain = supple_formats::is_motion_path(&file.path) || shot.body.skeleton().is_some();
        match (file.unit, file.up, is_plain) {
            (Some(unit), Some(up), _) => Ok(Self { unit, up }),
            // Point caches and series know nothing of it.
            (unit, up, true) => Ok(Self { unit: unit.unwrap_or(1.0), up: up.unwrap_or(Axis::Y) }),
            _ => Ok(Source::open(&file)?.space),
        }
    }

    /// A point of the file, inside.
    #[must_use]
    pub fn inside(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let turned = match self.up {
            Axis::X => [-y, x, z],
            Axis::Y => [x, y, z],
            Axis::Z => [x, z, -y],
        };
        turned.map(|c| c * self.unit)
    }

    /// A point from inside, in the file.
    #[must_use]
    pub fn outside(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let turned = match self.up {
            Axis::X => [y, -x, z],
            Axis::Y => [x, y, z],
            Axis::Z => [x, -z, y],
        };
        turned.map(|c| c / self.unit)
    }

    /// The axis up, in the words of files.
    pub(crate) fn up_axis(&self) -> Up {
        match self.up {
            Axis::X => Up::X,
            Axis::Y => Up::Y,
            Axis::Z => Up::Z,
        }
    }

    /// Whether the file is as all is inside.
    pub(crate) fn is_inside(&self) -> bool {
        *self == Self::default()
    }
}

/// The axis a file names, in the words of shots.
pub(crate) fn axis(up: Up) -> Axis {
    match up {
        Up::X => Axis::X,
        Up::Y => Axis::Y,
        Up::Z => Axis::Z,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_have_names_and_numbers() {
        assert_eq!(["cm", " 0.5", "ft"].map(|text| parse_unit(text).unwrap()), [0.01, 0.5, 0.3048]);
        assert_eq!(parse_unit("ell"), Err(UnitError::Unknown));
        assert!(["0", "-1", "inf", "NaN"].iter().all(|text| parse_unit(text) == Err(UnitError::NotPositive)));
    }

    #[test]
    fn up_goes_up_and_there_is_a_way_back() {
        for up in [Axis::X, Axis::Y, Axis::Z] {
            let space = Space { unit: 0.25, up };
            let mut tip = [0.0; 3];
            tip[up.index()] = 4.0;
            assert_eq!(space.inside(tip), [0.0, 1.0, 0.0]);
            assert_eq!(space.outside(space.inside([1.0, -2.0, 3.0])), [1.0, -2.0, 3.0]);
            // A turn and no reflection: x × y = z.
            let [a, b, c] = [[4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]]
                .map(|axis| supple_mesh::Vec3::from(space.inside(axis)));
            assert_eq!(a.cross(&b), c, "{up:?}");
        }
    }
}
