//! `skeleton`, `clip`, `joints` and `limits` of `[body]`: what a character is made of.

use super::{Axis, NOT_NEGATIVE};
use crate::shot::describe::*;
use crate::shot::entry::decimal;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// The skeleton of a character.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skeleton {
    /// `skeleton`: the file of its joints.
    pub file: PathBuf,
    /// Which clip of a file that has several. Without: the only one, or the first.
    pub clip: Option<String>,
    /// `joints`: those that are other than the file has them.
    pub joints: Vec<Joint>,
    /// `limits`: how far joints turn.
    pub limits: Vec<Limit>,
}

table!(Skeleton {
    file as "skeleton": required,
    clip: optional,
    joints: optional,
    limits: optional,
} check Skeleton::check);

impl Skeleton {
    /// The keys of `[body]` that only a character has.
    pub(super) const KEYS: &[&str] = &["skeleton", "clip", "joints", "limits"];

    /// A skeleton as its file has it.
    #[must_use]
    pub fn new(file: impl AsRef<Path>) -> Self {
        Self { file: file.as_ref().to_path_buf(), ..Self::default() }
    }

    /// What the shot says of a joint.
    #[must_use]
    pub fn joint(&self, name: &str) -> Option<&Joint> {
        self.joints.iter().find(|joint| joint.name == name)
    }

    fn check(&self, body: &Section<'_>) -> Result<(), ShotError> {
        for (index, (joint, section)) in self.joints.iter().zip(body.entries::<Joint>("joints")?).enumerate()
        {
            let is_first = self.joints[..index].iter().all(|earlier| earlier.name != joint.name);
            section.demand("name", is_first, "names this joint a second time; join the two entries")?;
            let Some(other) = joint.tie.as_deref().and_then(|tie| self.joint(tie)) else { continue };
            let is_free = other.tie.is_none() && !other.drop;
            let problem = "names a joint that is tied or dropped itself; name the one that moves";
            section.demand("tie", is_free, problem)?;
        }
        for (limit, section) in self.limits.iter().zip(body.entries::<Limit>("limits")?) {
            let is_there = self.joint(&limit.joint).is_none_or(|joint| !joint.drop);
            section.demand("joint", is_there, "names a joint that `joints` drops; remove one of them")?;
        }
        Ok(())
    }
}

/// An entry of `joints`: a joint that is other than the file has it. Hands and feet stay where they are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Joint {
    /// Which.
    pub name: String,
    /// How it turns. Without: as its channels say.
    pub turns: Option<Turns>,
    /// The joint it turns with: both do the same.
    pub tie: Option<String>,
    /// Whether it goes, and all that hangs on it.
    pub drop: bool,
    /// What its bone weighs, in kilograms. Without: in proportion to its length cubed.
    pub mass: Option<f64>,
}

table!(Joint { name: required, turns: quiet, tie: quiet, drop: quiet, mass: quiet } check Joint::check);

impl Joint {
    fn check(&self, section: &Section<'_>) -> Result<(), ShotError> {
        let says_more = self.turns.is_some() || self.tie.is_some() || self.mass.is_some();
        if !says_more && !self.drop {
            return Err(section.bad("changes nothing: set turns, tie, drop or mass"));
        }
        let alone = "takes the joint away, so nothing else can be said of it; remove the other keys";
        section.demand("drop", !(says_more && self.drop), alone)?;
        section.demand("tie", self.tie.as_ref() != Some(&self.name), "ties a joint to itself")?;
        let both =
            "cannot be combined with `turns`: a tied joint turns as the other does; remove one of them";
        section.demand("tie", self.tie.is_none() || self.turns.is_none(), both)?;
        section.demand("mass", self.mass.is_none_or(|mass| mass >= 0.0), NOT_NEGATIVE)
    }
}

/// `turns`: how a joint turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turns {
    /// `hinge`: about one axis, the one its motion uses most.
    Hinge,
    /// `ball`: about all three.
    Ball,
    /// `fixed`: not at all.
    Fixed,
}

words!(Turns { Hinge = "hinge", Ball = "ball", Fixed = "fixed" });

/// An entry of `limits`: how far a joint turns.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    /// Which joint.
    pub joint: String,
    /// What is bounded.
    pub bound: Bound,
}

table!(Limit { joint: required, bound: part });

/// What a limit bounds; angles are in degrees.
#[derive(Clone, Debug, PartialEq)]
pub enum Bound {
    /// `axis` and `degrees`: the channel that turns about an axis.
    Axis {
        /// The axis.
        axis: Axis,
        /// Its least and greatest angle.
        degrees: RangeInclusive<f64>,
    },
    /// `cone`: how far the bone leans from where it points at rest.
    Cone(f64),
    /// `twist`: how far it turns about itself.
    Twist(RangeInclusive<f64>),
}

impl Keys for Bound {
    fn names(known: &mut Vec<&'static str>) {
        known.extend(["axis", "degrees", "cone", "twist"]);
    }

    fn read_keys(section: &Section<'_>) -> Result<Self, ShotError> {
        let key = section.one_of(&["axis", "cone", "twist"], "")?;
        section.demand(
            "degrees",
            key == "axis",
            "belongs to `axis`; `cone` and `twist` have their own angles",
        )?;
        let field = section.required(key)?;
        match key {
            "axis" => Ok(Self::Axis { axis: field.read()?, degrees: section.required("degrees")?.read()? }),
            "twist" => field.read().map(Self::Twist),
            _ => match field.number()? {
                degrees if degrees > 0.0 && degrees <= 180.0 => Ok(Self::Cone(degrees)),
                _ => Err(field.bad_number("must be greater than 0 and at most 180")),
            },
        }
    }

    fn write_keys(&self, table: &mut dyn TableLike) -> Result<(), ShotError> {
        match self {
            Self::Axis { axis, degrees } => {
                put(table, "axis", axis)?;
                put(table, "degrees", degrees)
            }
            Self::Cone(degrees) => put(table, "cone", degrees),
            Self::Twist(degrees) => put(table, "twist", degrees),
        }
    }
}

// Angles: `[least, greatest]`.
plain!(
    RangeInclusive<f64>,
    |field| {
        let [least, greatest] = field.exactly("two angles [least, greatest]")?;
        let (least, greatest) = (least.number()?, greatest.number()?);
        if least > greatest {
            return Err(field.bad(format!("must begin with the smaller angle, got [{least}, {greatest}]")));
        }
        Ok(least..=greatest)
    },
    |degrees| [*degrees.start(), *degrees.end()].into_iter().map(decimal).collect::<toml_edit::Array>()
);
