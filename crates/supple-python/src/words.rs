//! Units, axes, kinds and paths as Python says them.

use crate::errors::Failure;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde::Serialize;
use supple_project::shot::Axis;
use supple_project::{ImportKind, parse_unit};

/// A unit of length by its name, or as a number of metres.
pub fn unit(text: &str) -> PyResult<f64> {
    parse_unit(text).map_err(|error| PyValueError::new_err(format!("unit {text:?}: {error}")))
}

/// The axis that points up.
pub fn up(text: &str) -> PyResult<Axis> {
    chosen("up", text, &[("x", Axis::X), ("y", Axis::Y), ("z", Axis::Z)])
}

/// A kind of body.
pub fn kind(text: &str) -> PyResult<ImportKind> {
    let kinds = [
        ("auto", ImportKind::Auto),
        ("solid", ImportKind::Solid),
        ("voxels", ImportKind::Voxels),
        ("cloth", ImportKind::Cloth),
        ("character", ImportKind::Character),
    ];
    chosen("kind", text, &kinds)
}

/// The one of some choices that a word names.
pub fn chosen<T: Copy>(what: &str, text: &str, choices: &[(&str, T)]) -> PyResult<T> {
    choices.iter().find(|(word, _)| *word == text).map(|(_, choice)| *choice).ok_or_else(|| {
        let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
        PyValueError::new_err(format!("{what} cannot be {text:?}; choose one of {}", words.join(", ")))
    })
}

/// An answer as JSON.
pub fn json(answer: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string(answer).map_err(|error| Failure::plain(format!("the answer is no JSON: {error}")))
}
