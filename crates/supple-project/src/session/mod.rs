//! A shot that a person edits, without the window: everything a window needs that is not drawing.
//!
//! - [`Session`]: all of it, brought together once per frame of a window;
//! - [`Document`]: the shot, its file, undo, save, autosave; [`Home`], [`Recent`], [`Recoverable`] beside it;
//! - [`Solver`]: answers what the window wants to see, on a thread of its own;
//! - [`Jobs`]: imports, exports, bakes beside the window, with progress and cancel;
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
mod opening;
mod pick;
mod picture;
mod places;
mod recent;
mod recovery;
mod solver;
mod strained;
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
pub use pick::{Picked, Ray, Reach, normal_at, pick, pick_box};
pub use picture::Picture;
pub use recent::Recent;
pub use recovery::{Autosave, Recoverable};
pub use solver::Solver;
pub use strained::Strain;
pub use tasks::{ExportOptions, Exported, Outcome};
pub use timeline::{HandleMark, Timeline};
pub use wishes::{Answer, Extras, Opening, Probe, Reported, Seen, Step, Wanted, Work};
