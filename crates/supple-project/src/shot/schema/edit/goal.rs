//! What is asked of the site of a handle.

use crate::shot::describe::*;
use std::path::PathBuf;

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
}

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
    /// The same, farther by this; none where a goal is not at a place.
    #[must_use]
    pub fn shifted(&self, by: [f64; 3]) -> Option<Self> {
        let add = |a: &[f64; 3]| std::array::from_fn(|c| a[c] + by[c]);
        Some(match self {
            Self::To(to) => Self::To(add(to)),
            Self::By(from) => Self::By(add(from)),
            Self::Velocity(velocity) => Self::Velocity(add(velocity)),
            Self::Plane { point, normal } => Self::Plane { point: add(point), normal: *normal },
            Self::Turn { turn, then } => {
                let then = match then {
                    None => Move::By(by),
                    Some(Move::By(from)) => Move::By(add(from)),
                    Some(Move::To(to)) => Move::To(add(to)),
                };
                Self::Turn { turn: *turn, then: Some(then) }
            }
            Self::Path(_) => return None,
        })
    }
}

impl From<Turn> for Goal {
    fn from(turn: Turn) -> Self {
        Self::Turn { turn, then: None }
    }
}

/// What comes after a turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Move {
    /// `by`: every point goes this far.
    By([f64; 3]),
    /// `to`: the mean of the points goes here, all of them alike.
    To([f64; 3]),
}

one_of!(Move { by: By, to: To });

/// What one handle asks, but for a move that comes after a turn.
const CHOICES: &[&str] = &["to", "by", "velocity", "path", "turn", "plane"];

impl Keys for Goal {
    fn names(known: &mut Vec<&'static str>) {
        known.extend(CHOICES);
    }

    fn read_keys(section: &Section<'_>) -> Result<Self, ShotError> {
        if let ["to" | "by", "turn"] = section.present(CHOICES).as_slice() {
            let turn = section.required("turn")?.read()?;
            return Ok(Self::Turn { turn, then: Some(Move::read_keys(section)?) });
        }
        let field = section.required(section.one_of(CHOICES, "")?)?;
        match section.one_of(CHOICES, "")? {
            "to" => field.read().map(Self::To),
            "by" => field.read().map(Self::By),
            "velocity" => field.read().map(Self::Velocity),
            "path" => field.read().map(Self::Path),
            "turn" => Ok(Self::from(field.read::<Turn>()?)),
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
        if let Self::Path(path) = self {
            visit(path);
        }
    }
}
