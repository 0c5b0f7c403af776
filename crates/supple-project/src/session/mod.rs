//! A shot that a person edits, without the window: everything a window needs that is not drawing.
//!
//! - [`Document`]: the shot, its file, undo, save, autosave; [`Home`], [`Recent`], [`Recoverable`] beside it;
//! - [`Solver`]: answers what the window wants to see, on a thread of its own;
//! - [`Numerics`]: the seam where a test puts a stand-in for all that computes.

mod adopt;
mod document;
mod error;
mod history;
mod home;
mod live;
mod opening;
mod player;
mod recent;
mod recovery;
mod solver;
mod stage;
mod supple;
mod worker;

pub use document::Document;
pub use error::SessionError;
pub use history::Generation;
pub use home::Home;
pub use live::{Live, Numerics, Play};
pub use recent::Recent;
pub use recovery::{Autosave, Recoverable};
pub use solver::{Answer, Opening, Reported, Solver, Step, Wanted, Work};
pub use stage::{Picture, Points, Stage};
pub use supple::Supple;
