//! A shot that a person edits, without the window: everything a window needs that is not drawing.
//!
//! - [`Session`]: all of it, brought together once per frame of a window;
//! - [`Document`]: the shot, its file, undo, save, autosave; [`Home`], [`Recent`], [`Recoverable`] beside it;
//! - [`Solver`]: answers what the window wants to see, on a thread of its own;
//! - [`Jobs`]: imports, exports, bakes beside the window, with progress and cancel;
//! - [`Numerics`]: the seam where a test puts a stand-in for all that computes;
//! - [`pick`], [`pick_box`], [`Pull`], [`Timeline`], [`handle_list`]: what mouse, timeline and list mean.

mod adopt;
mod desk;
mod document;
mod error;
mod export;
mod gizmo;
mod hand;
mod handle_list;
mod history;
mod home;
mod idle;
mod jobs;
mod live;
mod looking;
mod opening;
mod pick;
mod places;
mod player;
mod recent;
mod recovery;
mod solver;
mod stage;
mod strained;
mod supple;
mod tasks;
mod timeline;
mod wishes;
mod worker;

pub use adopt::Adopted;
pub use desk::{Notice, Session, View};
pub use document::Document;
pub use error::SessionError;
pub use export::{ExportError, ExportPlan, Original};
pub use gizmo::{Along, Pull};
pub use handle_list::{HandleRow, HandleState, handle_list};
pub use history::Generation;
pub use home::Home;
pub use jobs::{Finished, JobError, JobId, JobState, Jobs, Task};
pub use live::{Live, Making, Numerics, Play, SoFar};
pub use pick::{Picked, Ray, Reach, normal_at, pick, pick_box};
pub use recent::Recent;
pub use recovery::{Autosave, Recoverable};
pub use solver::Solver;
pub use stage::{Picture, Points, Scenery, Stage};
pub use strained::Strain;
pub use supple::Supple;
pub use tasks::{ExportOptions, Exported, Outcome};
pub use timeline::{HandleMark, Timeline};
pub use wishes::{Answer, Extras, Opening, Probe, Reported, Seen, Step, Wanted, Work};
