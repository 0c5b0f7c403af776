//! The handles of a shot file in plain words: what `supple edit --json` prints.

use crate::shot::{Goal, Handle, Hold, Shot, Site};
use serde::Serialize;
use std::path::{Path, PathBuf};
use supple_model::text::triple;

/// A shot file whose edits were changed or listed.
#[derive(Clone, Debug, Serialize)]
pub struct EditAnswer {
    /// The shot file.
    pub shot: PathBuf,
    /// `added`, `removed`, `listed` or `set`.
    pub done: &'static str,
    /// How the motion responds: `smooth` or `lively`.
    pub feel: &'static str,
    /// Frames until an edit has faded; `None` is one second.
    pub reach: Option<f64>,
    /// Share of the body that follows at least half of an edit.
    pub spread: f64,
    /// The handle that was added or removed, or all of them.
    pub handles: Vec<HandleAnswer>,
}

/// A handle.
#[derive(Clone, Debug, Serialize)]
pub struct HandleAnswer {
    /// Its number, counted from 1.
    pub handle: usize,
    /// The first frame it holds.
    pub frame: i32,
    /// The last.
    pub last_frame: i32,
    /// Where it is, in words.
    pub site: String,
    /// Its vertex, where it is on one that the surface has.
    pub vertex: Option<u32>,
    /// Where the input has it, of one that was added.
    pub at: Option<[f64; 3]>,
    /// What it asks for: `to`, `by`, `velocity`, `path`, `turn` or `plane`.
    pub asks: &'static str,
    /// The numbers of that.
    pub to: Option<[f64; 3]>,
    /// How firmly it holds; `None` is a hard handle.
    pub hold: Option<f64>,
}

impl EditAnswer {
    pub(super) fn new(path: &Path, done: &'static str, shot: &Shot, handles: Vec<HandleAnswer>) -> Self {
        let edit = &shot.edit;
        Self {
            shot: path.to_path_buf(),
            done,
            feel: edit.feel.name(),
            reach: edit.reach.map(|reach| reach.0),
            spread: edit.spread.unwrap_or_default().0,
            handles,
        }
    }
}

impl HandleAnswer {
    pub(super) fn of(number: usize, handle: &Handle, at: Option<[f64; 3]>) -> Self {
        let (site, vertex) = match &handle.site {
            Site::Vertex(v) => (format!("vertex {}", v.0), Some(v.0)),
            Site::BodyVertex(v) => (format!("body vertex {}", v.0), None),
            Site::Vertices(vs) => (format!("{} vertices", vs.len()), None),
            Site::Group(name) => (format!("group {name}"), None),
            Site::Near(p) => (format!("vertex nearest to {}", triple(*p, ", ")), None),
            Site::Joint(name) => (format!("joint {name}"), None),
            Site::CenterOfMass => ("centre of mass".to_owned(), None),
        };
        let (asks, to) = match &handle.goal {
            Goal::To(to) => ("to", Some(*to)),
            Goal::By(by) => ("by", Some(*by)),
            Goal::Velocity(velocity) => ("velocity", Some(*velocity)),
            Goal::Path(_) => ("path", None),
            Goal::Turn { .. } => ("turn", None),
            Goal::Plane { .. } => ("plane", None),
        };
        let hold = match handle.hold {
            Hold::Hard => None,
            Hold::Soft(weight) => Some(weight),
        };
        let frames = handle.when.range();
        let (frame, last_frame) = (*frames.start(), *frames.end());
        Self { handle: number, frame, last_frame, site, vertex, at, asks, to, hold }
    }

    /// All handles of a shot.
    pub(super) fn all(shot: &Shot) -> Vec<Self> {
        (1..).zip(&shot.edit.handles).map(|(k, handle)| Self::of(k, handle, None)).collect()
    }
}
