//! The studio: a window where motion is edited with the mouse.
//!
//! The left viewport shows the frame that is edited, the right one plays the edited motion; both answer while the mouse
//! moves. Everything that is not drawing is in [`supple_project::session`]: the document with its undo, the thread that
//! solves, jobs. A frame of the window reads what the session answers, turns the mouse and the keyboard into edits, and
//! says what it wants to see next:
//!
//! ```text
//! answer = solver.answer()          what there is to see
//! panels, viewports, dialogs        drawn from it; they change the document and the view
//! session.update(view)              what is wanted next
//! ```
//!
//! - [`Studio`]: all of it, an [`eframe::App`];
//! - [`open_window`]: runs it;
//! - [`Unseen`]: runs it without a window.

mod axis_handle;
mod camera;
mod colours;
mod dialogs;
mod edits;
mod framing;
mod hand;
mod ids;
mod keys;
mod legend;
mod look;
mod menu;
mod missing;
mod panels;
mod pictures;
mod playing;
mod scene;
mod settings;
mod small_view;
mod strokes;
mod studio;
mod thumbnails;
mod timeline;
mod toasts;
mod unseen;
mod viewport;
mod window;

pub use scene::{Shape, Surface};
pub use studio::Studio;
pub use unseen::Unseen;
pub use window::{NoWindow, open_window};
