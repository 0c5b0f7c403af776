//! `[[edit.handle]]`: what is asked of some points at some frames.

use crate::shot::describe::*;
use crate::shot::entry::decimal;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use supple_model::VertexId;

/// `[[edit.handle]]`: this point at this frame shall be there.
#[derive(Clone, Debug, PartialEq)]
pub struct Handle {
    /// When.
    pub when: When,
    /// What is held.
    pub site: Site,
    /// What is asked of it.
    pub goal: Goal,
    /// How firmly.
    pub hold: Hold,
    /// What a site of several points means. Without: their mean.
    pub points: Option<Together>,
    /// The coordinates that are asked for. Without: all three.
    pub axes: Option<Axes>,
    /// The site is seen from this one: `to` is where it is from there, `by` how much farther away.
    pub relative_to: Option<Site>,
    /// Whether it is left alone for now.
    pub muted: Option<bool>,
}

table!([Handle] {
    when: part,
    site: part,
    goal: part,
    hold: optional,
    points: optional,
    axes: optional,
    relative_to: optional,
    muted: optional,
});

impl Handle {
    /// A hard handle on all coordinates of the mean of its points.
    #[must_use]
    pub fn new(when: When, site: Site, goal: Goal) -> Self {
        let hold = Hold::Hard;
        Self { when, site, goal, hold, points: None, axes: None, relative_to: None, muted: None }
    }
}

/// `points`: what a handle on several points holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Together {
    /// Their mean: masses weigh those of the body, those of the skin count alike.
    #[default]
    Mean,
    /// Each of them, all moved alike.
    Each,
}

words!(Together { Mean = "mean", Each = "each" });

/// `axes`: the coordinates a handle asks for, as the letters of their axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axes(pub [bool; 3]);

impl Axes {
    fn letters(self) -> String {
        "xyz".chars().zip(self.0).filter_map(|(letter, asked)| asked.then_some(letter)).collect()
    }

    fn parse(text: &str) -> Option<Self> {
        let mut axes = [false; 3];
        for letter in text.chars() {
            let axis = "xyz".find(letter)?;
            if std::mem::replace(&mut axes[axis], true) {
                return None;
            }
        }
        axes.contains(&true).then_some(Self(axes))
    }
}

plain!(
    Axes,
    |field| {
        let text = field.text()?;
        Self::parse(text)
            .ok_or_else(|| field.bad(format!("cannot be {text:?}; write axes as \"x\" or \"xz\"")))
    },
    |axes| axes.letters()
);

/// When a handle holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum When {
    /// `frame`: at one frame.
    Frame(i32),
    /// `frames`: at all of these.
    Frames(RangeInclusive<i32>),
}

one_of!(When { frame: Frame, frames: Frames });

impl When {
    /// The frames it holds at, one or more.
    #[must_use]
    pub fn range(&self) -> RangeInclusive<i32> {
        match self {
            Self::Frame(frame) => *frame..=*frame,
            Self::Frames(frames) => frames.clone(),
        }
    }
}

/// What a handle holds. Vertices are those of the skin where there is one, of the body otherwise.
#[derive(Clone, Debug, PartialEq)]
pub enum Site {
    /// `vertex`: one vertex.
    Vertex(VertexId),
    /// `body_vertex`: one vertex of the body, skin or not.
    BodyVertex(VertexId),
    /// `vertices`: these.
    Vertices(Vec<VertexId>),
    /// `group`: those of a named group.
    Group(String),
    /// `near`: the vertex nearest to this point.
    Near([f64; 3]),
    /// `joint`: a joint of a character.
    Joint(String),
    /// `center_of_mass = true`: that of the whole body.
    CenterOfMass,
}

one_of!(Site {
    vertex: Vertex,
    body_vertex: BodyVertex,
    vertices: Vertices,
    group: Group,
    near: Near,
    joint: Joint;
    flags:
    center_of_mass: CenterOfMass,
} check Site::check);

impl Site {
    fn check(&self, field: &Field<'_>) -> Result<(), ShotError> {
        match self {
            Self::Vertices(vertices) if vertices.is_empty() => Err(field.bad("is empty")),
            _ => Ok(()),
        }
    }
}

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
        /// A point of the axis.
        about: [f64; 3],
        /// Its direction, of any length but 0.
        axis: [f64; 3],
        /// The angle, counterclockwise when the axis points at the viewer.
        degrees: f64,
    },
    /// `plane`: stay on the plane through a point.
    Plane {
        /// A point of the plane.
        point: [f64; 3],
        /// The direction across it, of any length but 0.
        normal: [f64; 3],
    },
}

one_of!(Goal {
    to: To,
    by: By,
    velocity: Velocity,
    path: Path;
    tables:
    turn: Turn { about, axis, degrees },
    plane: Plane { point, normal },
} check Goal::check);

impl Goal {
    fn check(&self, field: &Field<'_>) -> Result<(), ShotError> {
        match self {
            Self::Plane { normal: [0.0, 0.0, 0.0], .. } => {
                Err(field.bad("has no direction: its normal is 0"))
            }
            Self::Turn { axis: [0.0, 0.0, 0.0], .. } => Err(field.bad("has no direction: its axis is 0")),
            _ => Ok(()),
        }
    }
}

/// `hold`: how firmly a handle holds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Hold {
    /// `hard`: exactly.
    #[default]
    Hard,
    /// Softly, by h > 0: alone it misses 1/(1 + h) of what it asks, on any body.
    Soft(f64),
}

plain!(
    Hold,
    |field| Ok(field.number_or("hard", "\"hard\" or a number")?.map_or(Self::Hard, Self::Soft)),
    |hold| match hold {
        Self::Hard => Value::from("hard"),
        Self::Soft(weight) => decimal(*weight),
    }
);
