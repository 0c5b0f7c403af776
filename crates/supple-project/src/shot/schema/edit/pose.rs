//! `[[edit.pose]]`: a handle on the whole body, or on a group of it.

use super::{Hold, When};
use crate::shot::describe::*;
use crate::shot::schema::{AT_LEAST_ONE, Load, Pin};
use std::path::PathBuf;
use toml_edit::Array;

/// `[[edit.pose]]`: the body, or a group of it, shall be like this at a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Pose {
    /// When: at one frame, or at some of a range, see `every`.
    pub when: When,
    /// The file of the pose, of the body or of its skin: a mesh, or a frame of a motion.
    pub file: Option<PathBuf>,
    /// Which frame of the file, the number it has there; of a range of poses the first. Without: a mesh has none, and a
    /// motion shows the frame of the pose itself.
    pub file_frame: Option<i32>,
    /// With `frames`: a pose at every so many of them. Without: at each.
    pub every: Option<usize>,
    /// How fast it moves there. Without: as it comes.
    pub velocity: Option<PoseVelocity>,
    /// Instead of a file: the body at rest under these forces,
    pub loads: Vec<Load>,
    /// and held here.
    pub pins: Vec<Pin>,
    /// The group that the pose is for. Without: all of the body.
    pub group: Option<String>,
    /// The components of the basis that it is for, the first 1; `control` only. Without: all of them.
    pub components: Option<Components>,
    /// How firmly.
    pub hold: Hold,
}

table!([Pose] {
    when: part,
    file: optional,
    file_frame: optional,
    every: optional,
    velocity: optional,
    loads: optional,
    pins: optional,
    group: optional,
    components: optional,
    hold: optional,
} check Pose::check);

impl Pose {
    /// A hard pose of the whole body, from a file.
    #[must_use]
    pub fn of_file(frame: i32, file: impl Into<PathBuf>) -> Self {
        Self {
            when: When::Frame(frame),
            file: Some(file.into()),
            file_frame: None,
            every: None,
            velocity: None,
            loads: Vec::new(),
            pins: Vec::new(),
            group: None,
            components: None,
            hold: Hold::Hard,
        }
    }

    fn check(&self, section: &Section<'_>) -> Result<(), ShotError> {
        let is_solved = !self.loads.is_empty() || !self.pins.is_empty();
        match (&self.file, is_solved) {
            (None, false) => return Err(section.bad("takes a `file`, or `loads` and `pins`")),
            (Some(_), true) => {
                return Err(section.bad("takes either a `file`, or `loads` and `pins`, found both"));
            }
            _ => {}
        }
        section.demand("file_frame", self.file.is_some(), "is the frame of a `file`, and there is none")?;
        section.demand("every", matches!(self.when, When::Frames(_)), "needs `frames`")?;
        section.demand("every", self.every != Some(0), AT_LEAST_ONE)?;
        let both = "cannot be combined with `group`; remove one of them";
        section.demand("components", self.group.is_none(), both)
    }

    /// The whole frames it is asked for at, the scene's numbers.
    pub fn frames(&self) -> impl Iterator<Item = i32> {
        self.when.whole().into_iter().flatten().step_by(self.every.unwrap_or(1).max(1))
    }
}

/// `components` of a pose: some of the basis, the first 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Components(pub Vec<usize>);

plain!(
    Components,
    |field| {
        let list = field.list("a list of numbers, the first 1")?;
        let numbers = list.iter().map(|each| match each.read()? {
            0 => Err(each.bad_number(AT_LEAST_ONE)),
            number => Ok(number),
        });
        let numbers: Vec<usize> = numbers.collect::<Result<_, _>>()?;
        if numbers.is_empty() { Err(field.bad("is empty; leave it out for all")) } else { Ok(Self(numbers)) }
    },
    |components| components.0.iter().map(|number| *number as i64).collect::<Array>()
);

/// `velocity` of a pose.
#[derive(Clone, Debug, PartialEq)]
pub enum PoseVelocity {
    /// The same for all of it, per second of the playback.
    Of([f64; 3]),
    /// As a file has it, vertex by vertex.
    File(PathBuf),
}

impl Entry for PoseVelocity {
    const LIST: List = List::Flat;

    fn read(field: &Field<'_>) -> Result<Self, ShotError> {
        if field.is_text() { field.path().map(Self::File) } else { field.read().map(Self::Of) }
    }

    fn write(&self) -> Result<Item, ShotError> {
        match self {
            Self::Of(velocity) => velocity.write(),
            Self::File(file) => file.write(),
        }
    }

    fn paths(&mut self, visit: Visit<'_>) {
        if let Self::File(file) = self {
            visit(file);
        }
    }
}
