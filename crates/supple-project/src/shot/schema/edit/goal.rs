//! What is asked of the site of a handle.

use super::Zone;
use crate::shot::describe::*;
use crate::shot::entry::decimal;
use std::path::{Path, PathBuf};

/// What is asked of the site of a handle.
#[derive(Clone, Debug, PartialEq)]
pub enum Goal {
    /// `to`: be here.
    To([f64; 3]),
    /// `by`: be this far from where the input motion has it.
    By([f64; 3]),
    /// `velocity`: move this fast, per second of the playback.
    Velocity([f64; 3]),
    /// `path`: follow the curve of this file.
    Path(PathBuf),
    /// `turn`: be turned about an axis; every point by itself, as parts of one rigid thing.
    Turn {
        /// How it is turned.
        turn: Turn,
        /// Where it goes when it has been turned. Without: it stays.
        then: Option<Move>,
    },
    /// `plane`: stay on the plane through a point.
    Plane {
        /// A point of the plane.
        point: [f64; 3],
        /// The direction across it, of any length but 0.
        normal: [f64; 3],
    },
    /// `along`: be somewhere on the curve of this file, at any time.
    Along(PathBuf),
    /// `stay`: be at one place for all of the frames, a plant.
    Stay {
        /// Where. Without: wherever is easiest. `by` counts from the mean of where the input has it.
        at: Option<Move>,
    },
    /// `distance`: be this far from the site it is relative to.
    Distance(Distance),
    /// `same_as`: be where it is at this frame.
    SameAs(i32),
    /// `orientation`: be turned like this.
    Orientation(Orientation),
    /// `inside`: be in there.
    Inside(Zone),
    /// `outside`: keep out of there.
    Outside(Zone),
}

/// `distance`: how far two sites are apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Distance {
    /// `input`: as far as in the input, frame by frame.
    Input,
    /// This far, in metres.
    Metres(f64),
}

plain!(
    Distance,
    |field| Ok(field
        .number_or("input", "a number of metres or \"input\"")?
        .map_or(Self::Input, Self::Metres)),
    |distance| match distance {
        Self::Input => Value::from("input"),
        Self::Metres(metres) => decimal(*metres),
    }
);

/// `orientation`: how a joint is turned, as one sees it in the scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Orientation {
    /// `input`: as the input has it, frame by frame.
    Input,
    /// By this quaternion x, y, z, w, of any length but 0.
    Quaternion([f64; 4]),
}

plain!(
    Orientation,
    |field| {
        if field.is_text() {
            return field.choice(&[Self::Input], |_| "input");
        }
        let numbers = field.exactly::<4>("\"input\" or a quaternion [x, y, z, w]")?;
        let mut quaternion = [0.0; 4];
        for (to, number) in quaternion.iter_mut().zip(&numbers) {
            *to = number.number()?;
        }
        match quaternion.iter().all(|number| *number == 0.0) {
            true => Err(field.bad("is no rotation: all four numbers are 0")),
            false => Ok(Self::Quaternion(quaternion)),
        }
    },
    |orientation| match orientation {
        Self::Input => Value::from("input"),
        Self::Quaternion(numbers) => {
            numbers.iter().copied().map(decimal).collect::<toml_edit::Array>().into()
        }
    }
);

/// `turn`: a rotation about an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    /// A point of the axis.
    pub about: [f64; 3],
    /// Its direction, of any length but 0.
    pub axis: [f64; 3],
    /// The angle, counterclockwise when the axis points at the viewer.
    pub degrees: f64,
}

table!(Turn { about: required, axis: required, degrees: required } check Turn::check);

impl Turn {
    fn check(&self, section: &Section<'_>) -> Result<(), ShotError> {
        match self.axis {
            [0.0, 0.0, 0.0] => Err(section.bad("has no direction: its axis is 0")),
            _ => Ok(()),
        }
    }
}

impl Goal {
    /// Its key in the file.
    #[must_use]
    pub fn key(&self) -> &'static str {
        match self {
            Self::To(_) => "to",
            Self::By(_) => "by",
            Self::Velocity(_) => "velocity",
            Self::Path(_) => "path",
            Self::Turn { .. } => "turn",
            Self::Plane { .. } => "plane",
            Self::Along(_) => "along",
            Self::Stay { .. } => "stay",
            Self::Distance(_) => "distance",
            Self::SameAs(_) => "same_as",
            Self::Orientation(_) => "orientation",
            Self::Inside(_) => "inside",
            Self::Outside(_) => "outside",
        }
    }

    /// Whether only characters are asked this.
    #[must_use]
    pub fn is_for_characters(&self) -> bool {
        FOR_CHARACTERS.contains(&self.key())
    }

    /// Whether it can be asked of single coordinates.
    #[must_use]
    pub fn takes_axes(&self) -> bool {
        match self {
            Self::To(_)
            | Self::By(_)
            | Self::Velocity(_)
            | Self::Path(_)
            | Self::Turn { .. }
            | Self::Stay { .. }
            | Self::SameAs(_) => true,
            Self::Plane { .. }
            | Self::Along(_)
            | Self::Distance(_)
            | Self::Orientation(_)
            | Self::Inside(_)
            | Self::Outside(_) => false,
        }
    }

    /// Whether its site can be seen from another one.
    #[must_use]
    pub fn takes_relative_to(&self) -> bool {
        match self {
            Self::Turn { .. } => false,
            Self::Plane { .. } | Self::Distance(_) => true,
            other => other.takes_axes(),
        }
    }

    /// The file it is read from.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::Path(file) | Self::Along(file) => Some(file),
            Self::Inside(Zone::Mesh(file)) | Self::Outside(Zone::Mesh(file)) => Some(file),
            _ => None,
        }
    }

    /// The same, farther by this; none where a goal is not at a place.
    #[must_use]
    pub fn shifted(&self, by: [f64; 3]) -> Option<Self> {
        let add = |a: &[f64; 3]| std::array::from_fn(|c| a[c] + by[c]);
        Some(match self {
            Self::To(to) => Self::To(add(to)),
            Self::By(from) => Self::By(add(from)),
            Self::Velocity(velocity) => Self::Velocity(add(velocity)),
            Self::Plane { point, normal } => Self::Plane { point: add(point), normal: *normal },
            Self::Turn { turn, then } => Self::Turn { turn: *turn, then: Some(Move::shifted(*then, by)) },
            Self::Stay { at } => Self::Stay { at: Some(Move::shifted(*at, by)) },
            Self::Inside(zone) => Self::Inside(zone.shifted(by)?),
            Self::Outside(zone) => Self::Outside(zone.shifted(by)?),
            Self::Path(_) | Self::Along(_) | Self::Distance(_) | Self::SameAs(_) | Self::Orientation(_) => {
                return None;
            }
        })
    }

    /// How far another goal of this kind is from it, the way [`Self::shifted`] goes; none where they differ otherwise.
    #[must_use]
    pub fn shift_to(&self, other: &Self) -> Option<[f64; 3]> {
        let by = |from: &[f64; 3], to: &[f64; 3]| Some(std::array::from_fn(|c| to[c] - from[c]));
        match (self, other) {
            (Self::To(from), Self::To(to))
            | (Self::By(from), Self::By(to))
            | (Self::Velocity(from), Self::Velocity(to))
            | (Self::Stay { at: Some(Move::To(from)) }, Self::Stay { at: Some(Move::To(to)) })
            | (Self::Stay { at: Some(Move::By(from)) }, Self::Stay { at: Some(Move::By(to)) }) => {
                by(from, to)
            }
            // A plant that floats is where the input has it.
            (Self::Stay { at: None }, Self::Stay { at: Some(Move::By(to)) }) => Some(*to),
            (Self::Plane { point, normal }, Self::Plane { point: to, normal: other }) if normal == other => {
                by(point, to)
            }
            (Self::Inside(from), Self::Inside(to)) | (Self::Outside(from), Self::Outside(to)) => {
                from.shift_to(to)
            }
            _ => None,
        }
    }

    /// Whether it is somewhere in the scene, and so may be somewhere else.
    #[must_use]
    pub fn is_at_a_place(&self) -> bool {
        !matches!(self, Self::Velocity(_) | Self::Turn { .. }) && self.shifted([0.0; 3]).is_some()
    }
}

impl From<Turn> for Goal {
    fn from(turn: Turn) -> Self {
        Self::Turn { turn, then: None }
    }
}

/// What comes after a turn, and where a plant is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Move {
    /// `by`: every point goes this far.
    By([f64; 3]),
    /// `to`: the mean of the points goes here, all of them alike.
    To([f64; 3]),
}

one_of!(Move { by: By, to: To });

impl Move {
    /// A move, or none, and then this one.
    fn shifted(before: Option<Self>, by: [f64; 3]) -> Self {
        let add = |from: [f64; 3]| std::array::from_fn(|c| from[c] + by[c]);
        match before {
            None => Self::By(by),
            Some(Self::By(from)) => Self::By(add(from)),
            Some(Self::To(to)) => Self::To(add(to)),
        }
    }
}

/// What one handle asks, but for a move that comes with a turn or a plant.
const CHOICES: &[&str] = &[
    "to",
    "by",
    "velocity",
    "path",
    "turn",
    "plane",
    "along",
    "stay",
    "distance",
    "same_as",
    "orientation",
    "inside",
    "outside",
];

/// Those of them that only characters are asked.
pub(super) const FOR_CHARACTERS: &[&str] =
    &["along", "stay", "distance", "same_as", "orientation", "inside", "outside"];

impl Keys for Goal {
    fn names(known: &mut Vec<&'static str>) {
        known.extend(CHOICES);
    }

    fn read_keys(section: &Section<'_>) -> Result<Self, ShotError> {
        match section.present(CHOICES).as_slice() {
            ["to" | "by", "turn"] => {
                let turn = section.required("turn")?.read()?;
                return Ok(Self::Turn { turn, then: Some(Move::read_keys(section)?) });
            }
            ["to" | "by", "stay"] => {
                section.required("stay")?.yes()?;
                return Ok(Self::Stay { at: Some(Move::read_keys(section)?) });
            }
            _ => {}
        }
        let key = section.one_of(CHOICES, "")?;
        let field = section.required(key)?;
        match key {
            "to" => field.read().map(Self::To),
            "by" => field.read().map(Self::By),
            "velocity" => field.read().map(Self::Velocity),
            "path" => field.read().map(Self::Path),
            "turn" => Ok(Self::from(field.read::<Turn>()?)),
            "along" => field.read().map(Self::Along),
            "stay" => field.yes().map(|()| Self::Stay { at: None }),
            "distance" => field.read().map(Self::Distance),
            "same_as" => field.read().map(Self::SameAs),
            "orientation" => field.read().map(Self::Orientation),
            "inside" => field.read().map(Self::Inside),
            "outside" => field.read().map(Self::Outside),
            _ => {
                let plane = field.section(&["point", "normal"])?;
                let normal = plane.required("normal")?.read()?;
                if normal == [0.0; 3] {
                    return Err(field.bad("has no direction: its normal is 0"));
                }
                Ok(Self::Plane { point: plane.required("point")?.read()?, normal })
            }
        }
    }

    fn write_keys(&self, table: &mut dyn TableLike) -> Result<(), ShotError> {
        match self {
            Self::To(to) => put(table, "to", to),
            Self::By(by) => put(table, "by", by),
            Self::Velocity(velocity) => put(table, "velocity", velocity),
            Self::Path(path) => put(table, "path", path),
            Self::Along(curve) => put(table, "along", curve),
            Self::Stay { at } => {
                put(table, "stay", &true)?;
                at.as_ref().map_or(Ok(()), |at| at.write_keys(table))
            }
            Self::Distance(distance) => put(table, "distance", distance),
            Self::SameAs(frame) => put(table, "same_as", frame),
            Self::Orientation(orientation) => put(table, "orientation", orientation),
            Self::Inside(zone) => put(table, "inside", zone),
            Self::Outside(zone) => put(table, "outside", zone),
            Self::Turn { turn, then } => {
                put(table, "turn", turn)?;
                then.as_ref().map_or(Ok(()), |then| then.write_keys(table))
            }
            Self::Plane { point, normal } => {
                let mut plane = InlineTable::new();
                put(&mut plane, "point", point)?;
                put(&mut plane, "normal", normal)?;
                table.insert("plane", value(plane));
                Ok(())
            }
        }
    }

    fn paths(&mut self, visit: Visit<'_>) {
        match self {
            Self::Path(path) | Self::Along(path) => visit(path),
            Self::Inside(zone) | Self::Outside(zone) => Keys::paths(zone, visit),
            _ => {}
        }
    }
}
