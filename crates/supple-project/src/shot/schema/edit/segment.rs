//! `[[edit.segment]]`: a part of a motion with its own anchors; segments follow each other.

use super::{At, End, Handle, Pose, When};
use crate::shot::describe::*;
use crate::shot::entry::count;
use crate::shot::schema::{AT_LEAST_ONE, Anchor, POSITIVE};

/// `[[edit.segment]]`: a part of a motion with its own anchors, which begins as the one before ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Segment {
    /// What stays in place, as `anchors` of `[body]` says it. Without: the body's.
    pub anchors: Option<Vec<Anchor>>,
    /// How many modes of vibration to compute. Without: as many as the edit says.
    pub modes: Option<usize>,
    /// How long it is.
    pub length: Length,
    /// What holds where it ends. Without: clamped if it is the last, free otherwise.
    pub end: Option<End>,
    /// `[[edit.segment.handle]]`: what is asked of single points.
    pub handles: Vec<Handle>,
    /// `[[edit.segment.pose]]`: what is asked of the whole body.
    pub poses: Vec<Pose>,
}

table!([Segment] {
    anchors: optional,
    modes: optional,
    length: part,
    end: optional,
    handles as "handle": optional,
    poses as "pose": optional,
} check Segment::check);

impl Segment {
    /// A segment of this length, where nothing is asked.
    #[must_use]
    pub fn new(length: Length) -> Self {
        Self { anchors: None, modes: None, length, end: None, handles: Vec::new(), poses: Vec::new() }
    }

    /// Whether nothing holds the body.
    #[must_use]
    pub fn is_flight(&self) -> bool {
        matches!(self.length, Length::Flight(_))
    }

    fn check(&self, section: &Section<'_>) -> Result<(), ShotError> {
        let is_empty = self.anchors.as_ref().is_some_and(Vec::is_empty);
        section.demand("anchors", !is_empty, "is empty; leave it out for the anchors of [body]")?;
        section.demand("anchors", !self.is_flight(), "holds nothing in a flight; leave it out")?;
        section.demand("modes", self.modes != Some(0), AT_LEAST_ONE)?;
        let ends = "is for segments on the ground; a flight ends where it lands";
        section.demand("end", !self.is_flight(), ends)?;
        let handles = section.entries::<Handle>("handle")?;
        let poses = section.entries::<Pose>("pose")?;
        let whens = self.handles.iter().map(|handle| &handle.when).zip(handles);
        whens
            .chain(self.poses.iter().map(|pose| &pose.when).zip(poses))
            .try_for_each(|(when, section)| self.check_time(when, &section))
    }

    fn check_time(&self, when: &When, section: &Section<'_>) -> Result<(), ShotError> {
        let (Length::Frames(frames), When::At(At::Frames(at))) = (&self.length, when) else { return Ok(()) };
        section.demand("at", at <= frames, &format!("must be within its segment of {frames} frames"))
    }
}

/// How long a segment is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Length {
    /// `frames`: so many, whole or not.
    Frames(f64),
    /// `flight`: until it lands.
    Flight(Flight),
}

impl Keys for Length {
    fn names(known: &mut Vec<&'static str>) {
        known.extend(["frames", "flight"]);
    }

    fn read_keys(section: &Section<'_>) -> Result<Self, ShotError> {
        let key = section.one_of(&["frames", "flight"], "")?;
        let field = section.required(key)?;
        if key == "flight" {
            return field.read().map(Self::Flight);
        }
        match field.number()? {
            frames if frames > 0.0 => Ok(Self::Frames(frames)),
            _ => Err(field.bad_number(POSITIVE)),
        }
    }

    fn write_keys(&self, table: &mut dyn TableLike) -> Result<(), ShotError> {
        match self {
            Self::Frames(frames) => {
                table.insert("frames", value(count(*frames)));
                Ok(())
            }
            Self::Flight(flight) => put(table, "flight", flight),
        }
    }
}

/// `flight`: the centre of mass falls freely until it lands.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Flight {
    /// Where it lands.
    pub land: Land,
}

table!(Flight { land: quiet });

/// `land`: the height of the centre of mass at which a flight ends.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Land {
    /// `rest`: as high as it is at rest.
    #[default]
    Rest,
    /// At this height.
    Height(f64),
}

plain!(
    Land,
    |field| match field.is_text() {
        true => field.choice(&[Self::Rest], |_| "rest"),
        false => field.number().map(Self::Height),
    },
    |land| match land {
        Self::Rest => Value::from("rest"),
        Self::Height(height) => crate::shot::entry::decimal(*height),
    }
);
