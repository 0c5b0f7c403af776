//! The handles of a shot file in plain words: what `supple edit --json` prints.

use crate::shot::{At, Goal, Handle, Hold, Method, Move, Shot, Site, When};
use serde::Serialize;
use std::path::{Path, PathBuf};
use supple_model::text::triple;

/// A shot file whose edits were changed or listed.
#[derive(Clone, Debug, Serialize)]
pub struct EditAnswer {
    /// The shot file.
    pub shot: PathBuf,
    /// `added`, `moved`, `removed`, `listed` or `set`.
    pub done: &'static str,
    /// How the motion answers: `drag`, `sparse` and so on.
    pub method: &'static str,
    /// How the motion responds: `smooth` or `lively`; `None` where the method is not `drag`.
    pub feel: Option<&'static str>,
    /// Frames until an edit has faded; `None` is one second.
    pub reach: Option<f64>,
    /// Share of the body that follows at least half of an edit; `None` where the method is not `drag`.
    pub spread: Option<f64>,
    /// The handle that was added or removed, those that were moved, or all of them.
    pub handles: Vec<HandleAnswer>,
}

/// A handle.
#[derive(Clone, Debug, Serialize)]
pub struct HandleAnswer {
    /// Its place among all handles of the file, counted from 1.
    pub handle: usize,
    /// The segment it belongs to, counted from 1; `None` where there are no segments.
    pub segment: Option<usize>,
    /// The first whole frame it holds; `None` between frames and in a segment.
    pub frame: Option<i32>,
    /// The last.
    pub last_frame: Option<i32>,
    /// When it begins to hold: the scene's frame, or the time of its segment.
    pub time: HandleTime,
    /// Where it is, in words.
    pub site: String,
    /// Its joint, where it is on one of a character.
    pub joint: Option<String>,
    /// How far from that joint, in metres along its own axes.
    pub offset: Option<[f64; 3]>,
    /// Its vertex, where it is on one that the surface has.
    pub vertex: Option<u32>,
    /// Where the input has it, of one that was added.
    pub at: Option<[f64; 3]>,
    /// What it asks for: its key in the shot file, such as `to`, `by`, `velocity`, `path` or `stay`; `stay to` and `stay
    /// by` of a plant that is fixed.
    pub asks: &'static str,
    /// The numbers of that.
    pub to: Option<[f64; 3]>,
    /// How firmly it holds; `None` is a hard handle.
    pub hold: Option<f64>,
    /// The layer of a character that it belongs to.
    pub layer: Option<String>,
    /// The thing it is on: what is on one thing is moved as one.
    pub prop: Option<String>,
}

/// What a goal asks for, in the words of the shot file.
fn asks(goal: &Goal) -> &'static str {
    match goal {
        Goal::Stay { at: Some(Move::To(_)) } => "stay to",
        Goal::Stay { at: Some(Move::By(_)) } => "stay by",
        goal => goal.key(),
    }
}

/// When a handle begins to hold.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum HandleTime {
    /// The scene's frame, or frames from the start of its segment; between two, perhaps.
    Frames(f64),
    /// `end`: where its segment ends.
    Word(&'static str),
}

impl From<&When> for HandleTime {
    fn from(when: &When) -> Self {
        match when {
            When::Frame(frame) => Self::Frames(f64::from(*frame)),
            When::Frames(frames) => Self::Frames(f64::from(*frames.start())),
            When::Between(time) | When::At(At::Frames(time)) => Self::Frames(*time),
            When::At(At::End) => Self::Word("end"),
        }
    }
}

impl EditAnswer {
    pub(super) fn new(path: &Path, done: &'static str, shot: &Shot, handles: Vec<HandleAnswer>) -> Self {
        let edit = &shot.edit;
        let is_felt = edit.method == Method::Drag;
        Self {
            shot: path.to_path_buf(),
            done,
            method: edit.method.name(),
            feel: is_felt.then(|| edit.feel.name()),
            reach: edit.reach.map(|reach| reach.0),
            spread: is_felt.then(|| edit.spread.unwrap_or_default().0),
            handles,
        }
    }
}

impl HandleAnswer {
    pub(super) fn of(
        number: usize,
        (segment, handle): (Option<usize>, &Handle),
        method: Method,
        at: Option<[f64; 3]>,
    ) -> Self {
        let (site, vertex) = match &handle.site {
            Site::Vertex(v) => (format!("vertex {}", v.0), Some(v.0)),
            Site::BodyVertex(v) => (format!("body vertex {}", v.0), None),
            Site::Vertices(vs) => (format!("{} vertices", vs.len()), None),
            Site::Group(name) => (format!("group {name}"), None),
            Site::Near(p) => (format!("vertex nearest to {}", triple(*p, ", ")), None),
            Site::Joint { name, offset: [0.0, 0.0, 0.0] } => (format!("joint {name}"), None),
            Site::Joint { name, offset } => (format!("joint {name} + ({})", triple(*offset, ", ")), None),
            Site::CenterOfMass => ("centre of mass".to_owned(), None),
        };
        let (joint, offset) = match &handle.site {
            Site::Joint { name, offset } => (Some(name.clone()), Some(*offset)),
            _ => (None, None),
        };
        let to = match &handle.goal {
            Goal::To(numbers) | Goal::By(numbers) | Goal::Velocity(numbers) => Some(*numbers),
            Goal::Stay { at: Some(Move::To(numbers) | Move::By(numbers)) } => Some(*numbers),
            _ => None,
        };
        let hold = match handle.firmness(method) {
            Hold::Hard => None,
            Hold::Soft(weight) => Some(weight),
        };
        let frames = handle.when.whole();
        Self {
            handle: number,
            segment,
            frame: frames.as_ref().map(|frames| *frames.start()),
            last_frame: frames.as_ref().map(|frames| *frames.end()),
            time: HandleTime::from(&handle.when),
            site,
            joint,
            offset,
            vertex,
            at,
            asks: asks(&handle.goal),
            to,
            hold,
            layer: handle.layer.clone(),
            prop: handle.prop.clone(),
        }
    }

    /// All handles of a shot.
    pub(super) fn all(shot: &Shot) -> Vec<Self> {
        (1..)
            .zip(shot.edit.all_handles())
            .map(|(k, handle)| Self::of(k, handle, shot.edit.method, None))
            .collect()
    }
}
