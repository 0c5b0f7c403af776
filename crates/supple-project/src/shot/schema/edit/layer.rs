//! `[[edit.layer]]`: an edit of a character on top of the others.

use super::{Character, Curve, Edit, Handle, KeySpacing};
use crate::shot::describe::*;
use crate::shot::schema::NOT_NEGATIVE;
use crate::shot::suggest;
use std::ops::RangeInclusive;

/// `[[edit.layer]]`: curves on top of those of the layers before, zero where their window ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// What handles call it.
    pub name: String,
    /// The frames that it may change. Without: those of the edit.
    pub window: Option<RangeInclusive<i32>>,
    /// How many keys its curves have, spread evenly over its window.
    pub keys: Option<usize>,
    /// Or how far they are apart. Without either: as `[edit.character]` says.
    pub key_seconds: Option<f64>,
    /// What its curves are between their keys. Without: as `[edit.character]` says.
    pub curve: Option<Curve>,
    /// Over how many seconds of the playback it avoids accelerations. Without: it does not.
    pub smoothing: Option<f64>,
    /// Whether it and its handles are left alone for now.
    pub muted: Option<bool>,
}

table!([Layer] {
    name: required,
    window: optional,
    keys: optional,
    key_seconds: optional,
    curve: optional,
    smoothing: optional,
    muted: optional,
} check Layer::check);

impl Layer {
    /// A layer as `[edit.character]` says.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            window: None,
            keys: None,
            key_seconds: None,
            curve: None,
            smoothing: None,
            muted: None,
        }
    }

    /// How far its keys are apart.
    #[must_use]
    pub fn spacing(&self, others: &Character) -> KeySpacing {
        KeySpacing::said(self.keys, self.key_seconds).unwrap_or_else(|| others.spacing())
    }

    /// What its curves are between their keys.
    #[must_use]
    pub fn curve(&self, others: &Character) -> Curve {
        self.curve.unwrap_or(others.curve)
    }

    fn check(&self, section: &Section<'_>) -> Result<(), ShotError> {
        KeySpacing::check(section)?;
        section.demand("smoothing", self.smoothing.is_none_or(|seconds| seconds >= 0.0), NOT_NEGATIVE)
    }
}

impl Edit {
    /// A layer by its name.
    #[must_use]
    pub fn layer(&self, name: &str) -> Option<&Layer> {
        self.layers.iter().find(|layer| layer.name == name)
    }

    /// What to tell someone who names a layer that is not there.
    #[must_use]
    pub(crate) fn layer_advice(&self, name: &str) -> String {
        let known: Vec<&str> = self.layers.iter().map(|layer| layer.name.as_str()).collect();
        match known.is_empty() {
            true => format!("write [[edit.layer]] with `name = {name:?}` first"),
            false => suggest::advice(name, &known),
        }
    }
}

/// Names of layers differ, and each has a handle's window inside that of the edit.
pub(super) fn check(edit: &Edit, section: &Section<'_>) -> Result<(), ShotError> {
    for (index, (layer, section)) in edit.layers.iter().zip(section.entries::<Layer>("layer")?).enumerate() {
        let is_first = edit.layers[..index].iter().all(|earlier| earlier.name != layer.name);
        section.demand("name", is_first, "is the name of another layer, too; names must differ")?;
        let (Some(own), Some(all)) = (&layer.window, &edit.window) else { continue };
        let is_inside = all.contains(own.start()) && all.contains(own.end());
        let problem =
            format!("goes beyond `window = [{}, {}]` of [edit]; change one of them", all.start(), all.end());
        section.demand("window", is_inside, &problem)?;
    }
    Ok(())
}

/// The layer that a handle names is there, and may change its frames.
pub(super) fn check_handle(edit: &Edit, handle: &Handle, section: &Section<'_>) -> Result<(), ShotError> {
    let Some(name) = &handle.layer else { return Ok(()) };
    let Some(layer) = edit.layer(name) else {
        let problem = format!("cannot be {name:?}: there is no such layer; {}", edit.layer_advice(name));
        return section.demand("layer", false, &problem);
    };
    let (Some(window), Some(frames)) = (&layer.window, handle.when.whole()) else { return Ok(()) };
    let is_inside = window.contains(frames.start()) && window.contains(frames.end());
    let (first, last) = (window.start(), window.end());
    let problem = format!("has the window [{first}, {last}], which does not hold {}", handle.when);
    section.demand("layer", is_inside, &problem)
}
