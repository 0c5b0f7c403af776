//! What an edit came to, whatever the method: how it ended, what became of the handles, and what else was found, as
//! quantities and curves with their units. Command line, JSON, plots and window show whatever is in it.

use super::drag::{HandleKey, Reason};
use crate::body::Body;
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::ops::RangeInclusive;
use supple_model::{Clock, Status};

/// What an edit came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// How the solution ended.
    pub status: Status,
    /// Iterations it took.
    pub iterations: usize,
    /// How far the edit is from the least costly one, as a part of its size.
    pub stationarity: f64,
    /// What the edit costs.
    pub energy: f64,
    /// What the errors of soft handles cost.
    pub penalty: f64,
    /// What holds the body, in words: its anchors, or what is around the part that may change.
    pub held: &'static str,
    /// Every handle, muted ones left out.
    pub handles: Vec<HandleOutcome>,
    /// What else was found, in the order in which it is shown.
    pub findings: Vec<Finding>,
    /// What changes from frame to frame.
    pub curves: Vec<Curve>,
    /// What is worth a warning besides what handles tell.
    pub warnings: Vec<String>,
}

impl Report {
    /// A report of a solution about which nothing else is known.
    #[must_use]
    pub fn of_status(status: Status) -> Self {
        Self {
            status,
            iterations: 0,
            stationarity: 0.0,
            energy: 0.0,
            penalty: 0.0,
            held: "the anchors",
            handles: Vec::new(),
            findings: Vec::new(),
            curves: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// What is worth a warning although it was done: pulls longer than the distance to what is held, and pulls that
    /// could not be followed all the way.
    pub fn warnings(&self) -> impl Iterator<Item = String> {
        warnings(&self.handles, self.held).chain(self.warnings.iter().cloned())
    }

    /// A number that was found, by its keys in JSON; none where there is none.
    #[must_use]
    pub fn number(&self, key: &str, name: &str) -> Option<f64> {
        let finding = self.findings.iter().find(|finding| finding.key == key)?;
        if let Findings::Alone(number) = finding.found {
            return Some(number);
        }
        let Findings::One(quantities) = &finding.found else { return None };
        match quantities.iter().find(|quantity| quantity.name == name)?.value {
            Value::Number(number) => Some(number),
            Value::Count(count) => Some(count as f64),
            Value::Frame(frame) => Some(f64::from(frame)),
            _ => None,
        }
    }

    /// A curve by its key in JSON; empty where there is none.
    #[must_use]
    pub fn curve(&self, key: &str) -> &[f64] {
        self.curves.iter().find(|curve| curve.key == key).map_or(&[], |curve| curve.values.as_slice())
    }
}

/// Something that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Its key in JSON; empty for what is only said.
    pub key: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// What it is, in words; none where nobody has to read it.
    pub text: Option<String>,
    /// Whether it tells about the solver more than about the motion.
    pub is_detail: bool,
    /// Its numbers.
    pub found: Findings,
}

/// The numbers of a finding.
#[derive(Clone, Debug, PartialEq)]
pub enum Findings {
    /// It does not apply here.
    None,
    /// Some quantities.
    One(Vec<Quantity>),
    /// Several times the same quantities.
    Several(Vec<Vec<Quantity>>),
    /// A number alone.
    Alone(f64),
}

/// A number with its name and unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    /// Its key in JSON.
    pub name: &'static str,
    /// Its unit; empty for parts and counts.
    pub unit: &'static str,
    /// What it is.
    pub value: Value,
}

/// What a quantity is.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// How many.
    Count(usize),
    /// A frame, the scene's number.
    Frame(i32),
    /// A word.
    Word(&'static str),
    /// Whether something is so.
    Truth(bool),
    /// Several of them.
    List(Vec<Self>),
    /// Several times the same quantities.
    Several(Vec<Vec<Quantity>>),
    /// There is none.
    Missing,
}

impl Quantity {
    /// A number with a unit.
    #[must_use]
    pub fn number(name: &'static str, unit: &'static str, number: f64) -> Self {
        Self { name, unit, value: Value::Number(number) }
    }

    /// How many.
    #[must_use]
    pub fn count(name: &'static str, count: usize) -> Self {
        Self { name, unit: "", value: Value::Count(count) }
    }

    /// A frame, the scene's number.
    #[must_use]
    pub fn frame(name: &'static str, frame: i32) -> Self {
        Self { name, unit: "frame", value: Value::Frame(frame) }
    }

    /// Several values.
    #[must_use]
    pub fn list(name: &'static str, unit: &'static str, value: Value) -> Self {
        Self { name, unit, value }
    }

    /// What there may be.
    #[must_use]
    pub fn maybe(name: &'static str, unit: &'static str, value: Option<Value>) -> Self {
        Self { name, unit, value: value.unwrap_or(Value::Missing) }
    }
}

/// What changes from frame to frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Its key in JSON.
    pub key: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// Its values, frame by frame, or [step by step](Self::is_of_steps) of the solver.
    pub values: Vec<f64>,
}

/// The key of what a motion cost after every step of the solver.
pub(super) const COST_BY_ITERATION: &str = "cost_by_iteration";
/// The key of how far few elements are from the whole body, after each that was taken.
pub(super) const CUBATURE_BY_PLACE: &str = "cubature_by_place";

impl Curve {
    /// Whether its values are of steps, of the solver or of what it prepares, and not of frames.
    #[must_use]
    pub fn is_of_steps(&self) -> bool {
        [COST_BY_ITERATION, CUBATURE_BY_PLACE].contains(&self.key)
    }
}

/// What became of a handle.
#[derive(Clone, Debug, PartialEq)]
pub struct HandleOutcome {
    /// Which.
    pub key: HandleKey,
    /// The frame at which it is off farthest, the scene's number.
    pub frame: i32,
    /// When that is, the scene's number; between frames where the method knows such times.
    pub time: f64,
    /// The segment it belongs to, the first 1; none without segments.
    pub segment: Option<usize>,
    /// Root of the mean square of the errors of its points there; the same unit as `error`.
    pub rms: f64,
    /// How far it is off there: a length, or a velocity per second of the playback.
    pub error: f64,
    /// Whether that is a velocity.
    pub of_velocity: bool,
    /// How far what it holds was asked to move from where the input has it; the same unit.
    pub asked: f64,
    /// Whether it may give.
    pub soft: bool,
    /// Whether it nearly repeats or contradicts others or the contacts, so that part of it was left out.
    pub redundant: bool,
    /// Why it is not where it was asked to be; none if it is, or may give.
    pub reason: Option<Reason>,
    /// How many times its distance to what is held, along the body, it is pulled by; none if nothing holds it.
    pub over_distance: Option<f64>,
    /// The frames of the plant that it moves, the scene's numbers; none if it is on none.
    pub plant: Option<RangeInclusive<i32>>,
}

impl HandleOutcome {
    /// How much it is short of its pull, as a part of it.
    #[must_use]
    pub fn shortfall(&self) -> f64 {
        if self.asked > 0.0 { self.error / self.asked } else { 0.0 }
    }
}

/// See [`Report::warnings`].
pub(super) fn warnings(handles: &[HandleOutcome], held: &'static str) -> impl Iterator<Item = String> {
    handles.iter().filter_map(move |handle| {
        let over = handle.over_distance.unwrap_or(0.0);
        let is_short = handle.reason == Some(Reason::OutOfReach);
        let far = format!("dragged {over:.1} times as far as its distance to {held}");
        let short = format!("out of reach, {:.0} % of the drag missing", 100.0 * handle.shortfall());
        match (over > 1.0, is_short) {
            (true, true) => Some(format!("{}: {far}; {short}", handle.key)),
            (true, false) => Some(format!("{}: {far}", handle.key)),
            (false, true) => Some(format!("{}: {short}", handle.key)),
            (false, false) => None,
        }
    })
}

/// The findings and curves of a report as keys of one JSON object.
#[derive(Clone, Debug)]
pub struct Found {
    /// What was found.
    pub findings: Vec<Finding>,
    /// What changes from frame to frame.
    pub curves: Vec<Curve>,
}

impl Serialize for Found {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for finding in self.findings.iter().filter(|finding| !finding.key.is_empty()) {
            match &finding.found {
                Findings::None => map.serialize_entry(finding.key, &())?,
                Findings::Alone(number) => map.serialize_entry(finding.key, number)?,
                Findings::One(one) => map.serialize_entry(finding.key, &Object(one))?,
                Findings::Several(several) => {
                    map.serialize_entry(
                        finding.key,
                        &several.iter().map(|one| Object(one)).collect::<Vec<_>>(),
                    )?;
                }
            }
        }
        for curve in &self.curves {
            map.serialize_entry(curve.key, &curve.values)?;
        }
        map.end()
    }
}

/// Quantities as an object of JSON.
struct Object<'a>(&'a [Quantity]);

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for Quantity { name, value, .. } in self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(number) => number.serialize(serializer),
            Self::Count(count) => count.serialize(serializer),
            Self::Frame(frame) => frame.serialize(serializer),
            Self::Word(word) => word.serialize(serializer),
            Self::Truth(truth) => truth.serialize(serializer),
            Self::List(values) => values.serialize(serializer),
            Self::Several(all) => serializer.collect_seq(all.iter().map(|one| Object(one))),
            Self::Missing => serializer.serialize_unit(),
        }
    }
}

/// The worst way in which any part ended.
pub(super) fn worst(all: impl Iterator<Item = Status>) -> Status {
    let rank = |status: &Status| match status {
        Status::Settled => 0,
        Status::Compromise => 1,
        Status::Stalled => 2,
        Status::Unfinished => 3,
        Status::Stopped => 4,
    };
    all.max_by_key(rank).unwrap_or(Status::Settled)
}

/// Elements that are inside out in the worst frame of a motion that begins at rest.
#[derive(Debug, Default)]
pub(super) struct Inverted {
    count: usize,
    /// In frames from the first.
    time: f64,
}

impl Inverted {
    /// Looks at the body at a time, in frames from the first, so far from rest.
    pub fn see(&mut self, time: f64, body: &Body, displacement: &[f64]) {
        let count = body.elastic.inverted(displacement);
        if count > self.count {
            *self = Self { count, time };
        }
    }

    /// What was seen.
    pub fn told(&self, body: &Body, clock: Clock) -> Finding {
        let (count, frame) = (self.count, clock.number(self.time.round() as usize));
        let (elements, name) = (body.matter.elements(), body.matter.element_name());
        Finding {
            key: "inverted",
            title: "elements",
            text: (count > 0)
                .then(|| format!("{count} of {elements} {name} are turned inside out at frame {frame}")),
            is_detail: false,
            found: Findings::One(vec![
                Quantity::count("count", count),
                Quantity::maybe("frame", "frame", (count > 0).then_some(Value::Frame(frame))),
                Quantity::count("input", 0),
            ]),
        }
    }
}
