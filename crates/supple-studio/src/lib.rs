//! The studio: a window where motion is edited with the mouse.
//!
//! The left viewport shows the frame that is edited, the right one plays the edited motion; both answer while the mouse
//! moves. Everything that is not drawing is in [`supple_session`]: the document with its undo, the thread that
//! solves, jobs. A frame of the window reads what the session answers, turns the mouse and the keyboard into edits, and
//! says what it wants to see next:
//!
//! ```text
//! snapshot = solver.answer()        what there is to see
//! panels, viewports, dialogs        drawn from it; they change the document and the view
//! session.update(view)              what is wanted next
//! ```
//!
//! The rooms: `state` is all a frame reads and changes, made of plain parts (`camera`, `gesture`, `dialogs`, `draft`, …)
//! that do not know it; `mouse`, `edits` and `keys` change it; `viewport`, `panels`, `timeline`, `menu` and `dialog_flow`
//! draw it; `frame` calls them in turn.
//!
//! - [`Studio`]: all of it, an [`eframe::App`];
//! - [`open_window`]: runs it;
//! - [`Headless`]: runs it without a window.

mod axis_handle;
mod camera;
mod colours;
mod dialog_flow;
mod dialogs;
mod draft;
mod edits;
mod frame;
mod framing;
mod gesture;
mod headless;
mod keys;
mod legend;
mod look;
mod menu;
mod messages;
mod missing;
mod mouse;
mod numbers;
mod panels;
mod pictures;
mod plants;
mod playing;
mod pose_strokes;
mod posing;
mod scene;
mod segments;
mod settings;
mod small_view;
mod state;
mod strokes;
mod tab;
mod thumbnails;
mod timeline;
mod toasts;
mod viewport;
mod widgets;
mod window;

pub use headless::Headless;
pub use scene::{Shape, Surface};
pub use state::Studio;
pub use window::{NoDisplay, NoWindow, open_window};
