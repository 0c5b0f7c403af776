//! `edit`: handles of a shot file are added, removed and listed, and its feel is set, in one call.
//!
//! The file is read again under its lock, so that nobody's change is lost, and its comments and layout stay.

mod answer;
mod feel;

pub use answer::{EditAnswer, HandleAnswer};
pub use feel::FeelOptions;

use crate::body::Body;
use crate::cache::Cache;
use crate::error::ShotError;
use crate::lock::ShotLock;
use crate::motion::{MotionError, handle_places};
use crate::open::{InShot, NameShot, OpenError};
use crate::shot::{Goal, Handle, Hold, Shot, Site, When};
use crate::source::{SourceError, Space};
use std::path::{Path, PathBuf};
use supple_mesh::SelectError;
use supple_model::{Frame, Progress, VertexId};

/// What to do with the edits of a shot; nothing lists them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EditOptions {
    /// A handle to add.
    pub add: Option<NewHandle>,
    /// A handle to remove, counted from 1; nothing is added then.
    pub remove: Option<usize>,
    /// How edits feel.
    pub feel: FeelOptions,
}

/// A handle to add.
#[derive(Clone, Debug, PartialEq)]
pub struct NewHandle {
    /// The first frame it holds.
    pub frame: i32,
    /// The last, where it is not the first.
    pub until: Option<i32>,
    /// Where it is.
    pub site: NewSite,
    /// What it asks for.
    pub goal: NewGoal,
    /// How firmly a soft one holds.
    pub hold: Option<f64>,
    /// Whether positions are in the unit and axes of the motion's file.
    pub in_file: bool,
}

/// Where a handle is put.
#[derive(Clone, Debug, PartialEq)]
pub enum NewSite {
    /// On the vertex nearest to this point, at its first frame of the input.
    Near([f64; 3]),
    /// On this vertex: of the skin if there is one, otherwise of the body.
    Vertex(u32),
    /// On the average of this group.
    Group(String),
}

/// What a handle asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NewGoal {
    /// To be here.
    To([f64; 3]),
    /// To be this far from where the input has it.
    By([f64; 3]),
}

/// Why the edits of a shot were not changed.
#[derive(Debug, thiserror::Error)]
pub enum EditFailed {
    /// The shot cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The file of its motion does not tell its unit and axes.
    #[error(transparent)]
    Space(#[from] SourceError),
    /// There is no motion to put a handle on.
    #[error(transparent)]
    Motion(#[from] InShot<MotionError>),
    /// There is no such group.
    #[error(transparent)]
    Group(#[from] InShot<SelectError>),
    /// There is no vertex at all.
    #[error("the motion has no vertices")]
    NoVertices,
    /// There is no such vertex.
    #[error("{}: there is no vertex {vertex}; there are {vertices} vertices, counted from 0", shot.display())]
    NoVertex {
        /// The shot file.
        shot: PathBuf,
        /// What was asked for.
        vertex: u32,
        /// How many there are.
        vertices: usize,
    },
    /// There is no such handle.
    #[error("{}: there is no handle {handle}; the shot has {handles}", shot.display())]
    NoHandle {
        /// The shot file.
        shot: PathBuf,
        /// What was asked for, counted from 1.
        handle: usize,
        /// How many there are.
        handles: usize,
    },
    /// A handle that ends before it begins.
    #[error("--until {until} is before --frame {frame}")]
    EndsBefore {
        /// Its first frame.
        frame: i32,
        /// Its last.
        until: i32,
    },
}

impl From<ShotError> for EditFailed {
    fn from(error: ShotError) -> Self {
        OpenError::from(error).into()
    }
}

/// A handle, and where the input has it.
type Made = (Handle, Option<[f64; 3]>);

/// Changes the edits of the shot in the file `path`, or lists its handles.
///
/// # Errors
/// See [`EditFailed`]; the file is as it was then.
pub fn edit(path: &Path, options: &EditOptions, progress: &Progress) -> Result<EditAnswer, EditFailed> {
    let before = Shot::load(path)?;
    if options.add.is_none() && options.remove.is_none() && !options.feel.is_set() {
        return Ok(EditAnswer::new(path, "listed", &before, HandleAnswer::all(&before)));
    }
    // Finding the place of a handle may take as long as a simulation, so nobody waits for that.
    let found = match &options.add {
        Some(new) => Some((new, make(path, new, &before, progress)?)),
        None => None,
    };
    let lock = ShotLock::take(path, progress)?;
    let mut shot = Shot::load(path)?;
    options.feel.apply(&mut shot.edit);
    let (done, handles) = match (options.remove, found) {
        (Some(number), _) => ("removed", vec![remove(path, number, &mut shot)?]),
        (_, Some((new, made))) => {
            // Unless somebody has changed what the place depends on.
            let (handle, at) =
                if is_same_input(&before, &shot) { made } else { make(path, new, &shot, progress)? };
            shot.edit.handles.push(handle.clone());
            ("added", vec![HandleAnswer::of(shot.edit.handles.len(), &handle, at)])
        }
        _ => ("set", HandleAnswer::all(&shot)),
    };
    shot.save(path)?;
    drop(lock);
    Ok(EditAnswer::new(path, done, &shot, handles))
}

fn remove(path: &Path, number: usize, shot: &mut Shot) -> Result<HandleAnswer, EditFailed> {
    let handles = shot.edit.handles.len();
    match number.checked_sub(1).filter(|index| *index < handles) {
        Some(index) => Ok(HandleAnswer::of(number, &shot.edit.handles.remove(index), None)),
        None => Err(EditFailed::NoHandle { shot: path.to_path_buf(), handle: number, handles }),
    }
}

/// Whether two shots differ in their edits alone.
fn is_same_input(a: &Shot, b: &Shot) -> bool {
    let mut a = a.clone();
    a.edit.clone_from(&b.edit);
    a == *b
}

/// The handle that is asked for.
fn make(path: &Path, new: &NewHandle, shot: &Shot, progress: &Progress) -> Result<Made, EditFailed> {
    let space = if new.in_file { Space::of_shot(shot)? } else { Space::default() };
    let body = Body::load(shot).in_shot(path).map_err(OpenError::from)?;
    let cache = Cache::of_shot(path);
    let places = handle_places(shot, &body, Frame(new.frame), &cache, progress).in_shot(path)?;
    let (site, at) = match &new.site {
        NewSite::Near(near) => nearest(space.inside(*near), &places).ok_or(EditFailed::NoVertices)?,
        NewSite::Vertex(v) => match places.get(*v as usize) {
            Some(place) => (Site::Vertex(VertexId(*v)), Some(*place)),
            None => {
                let (shot, vertices) = (path.to_path_buf(), places.len());
                return Err(EditFailed::NoVertex { shot, vertex: *v, vertices });
            }
        },
        NewSite::Group(group) => {
            body.groups.get(group).in_shot(path)?;
            (Site::Group(group.clone()), None)
        }
    };
    let goal = match new.goal {
        NewGoal::By(by) => Goal::By(space.inside(by)),
        NewGoal::To(to) => Goal::To(space.inside(to)),
    };
    let when = match (new.frame, new.until) {
        (frame, Some(until)) if until < frame => return Err(EditFailed::EndsBefore { frame, until }),
        (frame, Some(until)) => When::Frames(frame..=until),
        (frame, None) => When::Frame(frame),
    };
    let mut handle = Handle::new(when, site, goal);
    handle.hold = new.hold.map_or(handle.hold, Hold::Soft);
    Ok((handle, at))
}

/// The vertex nearest to a point, and its place.
fn nearest(point: [f64; 3], places: &[[f64; 3]]) -> Option<(Site, Option<[f64; 3]>)> {
    let distance = |p: &[f64; 3]| (0..3).map(|c| (p[c] - point[c]).powi(2)).sum::<f64>();
    let nearest = places.iter().enumerate().min_by(|a, b| distance(a.1).total_cmp(&distance(b.1)));
    nearest.map(|(v, place)| (Site::Vertex(VertexId::new(v)), Some(*place)))
}
