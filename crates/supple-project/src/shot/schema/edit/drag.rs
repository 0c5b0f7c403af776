//! What `drag` has of its own: how an edit feels, by three plain controls of `[edit]`, and the expert's table behind
//! them.

use crate::shot::describe::*;
use crate::shot::schema::POSITIVE;

/// `feel`: how the motion follows a pull.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Feel {
    /// As one bump in time and a soft deformation in space; nothing swings back.
    #[default]
    Smooth,
    /// With the least force: the body swings as it would by itself (Barbič, Sin and Grinspun 2012).
    Lively,
}

words!(Feel { Smooth = "smooth", Lively = "lively" });

/// `reach`: after how many frames a pull has faded to 5 %.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach(pub f64);

impl Entry for Reach {
    const LIST: List = List::Flat;

    fn read(field: &Field<'_>) -> Result<Self, ShotError> {
        if field.is_table() {
            return Err(field.bad(
                "is now a number of frames, such as `reach = 24`; its old keys `frames` and `space` are now \
                 `fade` and `space` in [edit.expert]",
            ));
        }
        let frames = field.number()?;
        if frames > 0.0 { Ok(Self(frames)) } else { Err(field.bad_number(POSITIVE)) }
    }

    fn write(&self) -> Result<Item, ShotError> {
        Ok(value(self.0))
    }
}

/// `spread`: the share of the body that follows a pull by more than half.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread(pub f64);

impl Spread {
    /// What it may be.
    pub const RANGE: std::ops::RangeInclusive<f64> = 0.05..=1.0;
}

impl Default for Spread {
    fn default() -> Self {
        Self(0.3)
    }
}

impl Entry for Spread {
    const LIST: List = List::Flat;

    fn read(field: &Field<'_>) -> Result<Self, ShotError> {
        let share = field.number()?;
        if Self::RANGE.contains(&share) {
            return Ok(Self(share));
        }
        let (least, most) = (Self::RANGE.start(), Self::RANGE.end());
        Err(field.bad(format!("must be between {least} and {most}, got {share}")))
    }

    fn write(&self) -> Result<Item, ShotError> {
        Ok(value(self.0))
    }
}

/// `[edit.expert]`: what only few need. All but `limit` is for `feel = "lively"`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Expert {
    /// The frames over which a lively edit dies away. Without: as slowly as the body's vibration does.
    pub fade: Option<f64>,
    /// How far it spreads over the body: 0 as the material says, more is more global, less more local.
    pub space: Option<f64>,
    /// Edits that do not swing: how much smoothness in space counts, 1 as much as the first mode's swinging did.
    pub wiggle_free: Option<f64>,
    /// How far a pull may stretch the body between the handle and what is held, 1 as the input. Without: 1.5.
    pub limit: Option<f64>,
}

table!([Expert] { fade: optional, space: optional, wiggle_free: optional, limit: optional } check Expert::check);

impl Expert {
    /// How far a pull may stretch the body, where nothing is said.
    pub const LIMIT: f64 = 1.5;

    fn check(&self, section: &Section<'_>) -> Result<(), ShotError> {
        for (key, number) in [("fade", self.fade), ("wiggle_free", self.wiggle_free)] {
            section.demand(key, number.is_none_or(|number| number > 0.0), POSITIVE)?;
        }
        section.demand("limit", self.limit.is_none_or(|limit| limit > 1.0), "must be greater than 1")
    }

    /// The first key that only a lively edit has.
    pub(crate) fn lively(&self) -> Option<&'static str> {
        let keys = [("fade", self.fade), ("space", self.space), ("wiggle_free", self.wiggle_free)];
        keys.into_iter().find(|(_, number)| number.is_some()).map(|(key, _)| key)
    }
}
