//! `[edit.character]`: what `character` has of its own, and what its layers may have other than that.

use crate::shot::describe::*;
use crate::shot::schema::{AT_LEAST_ONE, POSITIVE};

/// `[edit.character]`: the curves that are added to the motion of a character.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Character {
    /// What they are between their keys.
    pub curve: Curve,
    /// How many keys they have, spread evenly over the frames that may change.
    pub keys: Option<usize>,
    /// Or how far their keys are apart. Without either: [`KeySpacing::default`].
    pub key_seconds: Option<f64>,
    /// What a turn of a joint costs.
    pub metric: Metric,
}

table!([Character] {
    curve: default,
    keys: optional,
    key_seconds: optional,
    metric: default,
} check Character::check);

impl Character {
    /// How far keys are apart, whether or not that is said.
    #[must_use]
    pub fn spacing(&self) -> KeySpacing {
        KeySpacing::said(self.keys, self.key_seconds).unwrap_or_default()
    }

    fn check(&self, section: &Section<'_>) -> Result<(), ShotError> {
        KeySpacing::check(section)
    }
}

/// `curve`: what a displacement curve is between its keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Curve {
    /// `b-spline`: a cubic B-spline that ends at its first and last key; the smoothest.
    #[default]
    BSpline,
    /// `linear`: straight from key to key.
    Linear,
    /// `cubic`: cubic pieces through all keys.
    Cubic,
    /// `hierarchical`: the same curves as `b-spline`, written as few broad and many narrow bumps.
    Hierarchical,
}

words!(Curve {
    BSpline = "b-spline",
    Linear = "linear",
    Cubic = "cubic",
    Hierarchical = "hierarchical",
});

/// `metric`: what a turn of a joint costs, by how far it moves the points that hang on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Metric {
    /// `blocks`: about any axis of a joint together.
    #[default]
    Blocks,
    /// `diagonal`: about each axis of its own, as published; bones roll more easily.
    Diagonal,
}

words!(Metric { Blocks = "blocks", Diagonal = "diagonal" });

/// `keys` or `key_seconds`: how far the keys of a curve are apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum KeySpacing {
    /// `keys`: so many, spread evenly over the frames that may change.
    Count(usize),
    /// `key_seconds`: so many seconds of the playback.
    Seconds(f64),
}

impl Default for KeySpacing {
    /// Five keys a second.
    fn default() -> Self {
        Self::Seconds(0.2)
    }
}

impl KeySpacing {
    /// What two keys of a table say together.
    pub(super) fn said(keys: Option<usize>, key_seconds: Option<f64>) -> Option<Self> {
        keys.map(Self::Count).or(key_seconds.map(Self::Seconds))
    }

    /// Of two keys of a table at most one is there, and it is above 0.
    pub(super) fn check(section: &Section<'_>) -> Result<(), ShotError> {
        let (keys, seconds) = (section.read::<usize>("keys")?, section.read::<f64>("key_seconds")?);
        section.demand("keys", keys != Some(0), AT_LEAST_ONE)?;
        section.demand("key_seconds", seconds.is_none_or(|seconds| seconds > 0.0), POSITIVE)?;
        section.demand("key_seconds", keys.is_none(), "cannot be combined with `keys`; remove one of them")
    }
}
