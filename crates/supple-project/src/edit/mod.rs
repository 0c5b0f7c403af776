//! `edit`: handles of a shot file are added, moved, removed and listed, and its feel is set, in one call.
//!
//! The file is read again under its lock, so that nobody's change is lost, and its comments and layout stay.

mod answer;
mod error;
mod feel;
mod make;
mod of_character;

pub use answer::{EditAnswer, HandleAnswer, HandleTime};
pub use error::EditFailed;
pub use feel::FeelOptions;

use crate::lock::ShotLock;
use crate::shot::{Edit, Goal, Handle, Method, Move, Shot, When};
use crate::source::Space;
use make::make;
use std::path::Path;
use supple_model::Progress;

/// What to do with the edits of a shot; nothing lists them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EditOptions {
    /// A handle to add.
    pub add: Option<NewHandle>,
    /// A handle to remove, by its place among all handles of the file, counted from 1; nothing is added then.
    pub remove: Option<usize>,
    /// A handle to move; nothing is added or removed then.
    pub shift: Option<ShiftHandle>,
    /// How edits feel.
    pub feel: FeelOptions,
}

/// A handle to move, with all that is on the same thing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShiftHandle {
    /// Its place among all handles of the file, counted from 1.
    pub handle: usize,
    /// How far.
    pub by: [f64; 3],
    /// Whether that is in the unit and axes of the motion's file.
    pub in_file: bool,
}

/// A handle to add.
#[derive(Clone, Debug, PartialEq)]
pub struct NewHandle {
    /// When: frames of the scene, or a time of its segment.
    pub when: When,
    /// The segment it belongs to, counted from 1; none where the shot has no segments.
    pub segment: Option<usize>,
    /// Where it is.
    pub site: NewSite,
    /// What it asks for.
    pub goal: NewGoal,
    /// How firmly a soft one holds.
    pub hold: Option<f64>,
    /// The layer of a character that answers it.
    pub layer: Option<String>,
    /// The thing it is on, of a character.
    pub prop: Option<String>,
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
    /// On a joint of a character.
    Joint {
        /// Which.
        name: String,
        /// How far from it, along its own axes.
        offset: [f64; 3],
    },
    /// On the centre of mass.
    CenterOfMass,
}

/// What a handle asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NewGoal {
    /// To be here.
    To([f64; 3]),
    /// To be this far from where the input has it.
    By([f64; 3]),
    /// To move this fast, per second of the playback.
    Velocity([f64; 3]),
    /// To stay at one place, wherever is easiest, or at the one that is named.
    Stay(Option<Move>),
}

impl NewGoal {
    /// The same of a shot, whose positions are in metres.
    fn goal(self, in_metres: impl Fn([f64; 3]) -> [f64; 3]) -> Goal {
        match self {
            Self::By(by) => Goal::By(in_metres(by)),
            Self::To(to) => Goal::To(in_metres(to)),
            Self::Velocity(velocity) => Goal::Velocity(in_metres(velocity)),
            Self::Stay(at) => Goal::Stay {
                at: at.map(|at| match at {
                    Move::By(by) => Move::By(in_metres(by)),
                    Move::To(to) => Move::To(in_metres(to)),
                }),
            },
        }
    }
}

/// Changes the edits of the shot in the file `path`, or lists its handles.
///
/// # Errors
/// See [`EditFailed`]; the file is as it was then.
pub fn edit(path: &Path, options: &EditOptions, progress: &Progress) -> Result<EditAnswer, EditFailed> {
    let before = Shot::load(path)?;
    let is_listed = options.add.is_none() && options.remove.is_none() && options.shift.is_none();
    if is_listed && !options.feel.is_set() {
        return Ok(EditAnswer::new(path, "listed", &before, HandleAnswer::all(&before)));
    }
    // Finding the place of a handle may take as long as a simulation, so nobody waits for that.
    let found = match &options.add {
        Some(new) => Some((new, make(path, new, &before, progress)?)),
        None => None,
    };
    let lock = ShotLock::take(path, progress)?;
    let mut shot = Shot::load(path)?;
    let is_same = is_same_input(&before, &shot);
    if options.feel.is_set() {
        feel(path, &options.feel, &mut shot.edit)?;
    }
    let (done, handles) = match (options.remove, found) {
        _ if options.shift.is_some() => ("moved", shift(path, options.shift, &mut shot)?),
        (Some(number), _) => ("removed", vec![remove(path, number, &mut shot)?]),
        (_, Some((new, made))) => {
            // Unless somebody has changed what the place depends on.
            let (handle, at) = if is_same { made } else { make(path, new, &shot, progress)? };
            let number = add(&mut shot.edit, new.segment, handle.clone());
            let answer = HandleAnswer::of(number, (new.segment, &handle), shot.edit.method, at);
            ("added", vec![answer])
        }
        _ => ("set", HandleAnswer::all(&shot)),
    };
    shot.save(path)?;
    drop(lock);
    Ok(EditAnswer::new(path, done, &shot, handles))
}

fn feel(path: &Path, options: &FeelOptions, edit: &mut Edit) -> Result<(), EditFailed> {
    if edit.method != Method::Drag {
        return Err(EditFailed::NotFelt { shot: path.to_path_buf(), method: edit.method.name() });
    }
    options.apply(edit);
    Ok(())
}

/// Adds a handle as the last of its segment; answers its place among all.
fn add(edit: &mut Edit, segment: Option<usize>, handle: Handle) -> usize {
    let index = segment.and_then(|number| number.checked_sub(1));
    match index.and_then(|index| edit.segments.get_mut(index)) {
        Some(segment) => segment.handles.push(handle),
        None => edit.handles.push(handle),
    }
    // Those of later segments come after it.
    let later = edit.segments.iter().skip(index.map_or(0, |index| index + 1));
    let later: usize = later.map(|segment| segment.handles.len()).sum();
    edit.all_handles().count() - later
}

/// Moves a handle; answers all that moved.
fn shift(path: &Path, shift: Option<ShiftHandle>, shot: &mut Shot) -> Result<Vec<HandleAnswer>, EditFailed> {
    let Some(ShiftHandle { handle: number, by, in_file }) = shift else { return Ok(Vec::new()) };
    let handles = shot.edit.handle_count();
    let none = || EditFailed::NoHandle { shot: path.to_path_buf(), handle: number, handles };
    let place = number.checked_sub(1).filter(|place| *place < handles).ok_or_else(none)?;
    let space = if in_file { Space::of_shot(shot)? } else { Space::default() };
    let moved = shot.edit.shift(place, space.inside(by));
    if moved.is_empty() {
        let asks = shot.edit.handle(place).map_or("nothing", |handle| handle.goal.key());
        return Err(EditFailed::NotMoved { shot: path.to_path_buf(), handle: number, asks });
    }
    let mut all = HandleAnswer::all(shot);
    all.retain(|answer| moved.contains(&(answer.handle - 1)));
    Ok(all)
}

fn remove(path: &Path, number: usize, shot: &mut Shot) -> Result<HandleAnswer, EditFailed> {
    let handles = shot.edit.all_handles().count();
    let none = || EditFailed::NoHandle { shot: path.to_path_buf(), handle: number, handles };
    let mut index = number.checked_sub(1).ok_or_else(none)?;
    let edit = &mut shot.edit;
    let own = std::iter::once((None, &mut edit.handles));
    let inside = (1..).zip(&mut edit.segments).map(|(k, segment)| (Some(k), &mut segment.handles));
    for (segment, handles) in own.chain(inside) {
        if index < handles.len() {
            let handle = handles.remove(index);
            return Ok(HandleAnswer::of(number, (segment, &handle), edit.method, None));
        }
        index -= handles.len();
    }
    Err(none())
}

/// Whether two shots differ in their handles alone.
fn is_same_input(a: &Shot, b: &Shot) -> bool {
    let bare = |shot: &Shot| {
        let mut shot = shot.clone();
        shot.edit.handles.clear();
        shot.edit.segments.iter_mut().for_each(|segment| segment.handles.clear());
        shot
    };
    bare(a) == bare(b)
}
