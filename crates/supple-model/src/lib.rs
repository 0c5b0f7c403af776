//! The words every Supple crate shares, and no algorithms.
//!
//! - [`VertexId`], [`ElementId`], [`Frame`]: numbers that cannot be mixed up;
//! - [`Clock`], [`Instant`]: when frames are, and times between them;
//! - [`FrameSource`], [`FrameSink`]: motion, frame by frame;
//! - [`Contact`]: what touches the body;
//! - [`Readout`]: where points of a body are, given the modal coordinates of an edit;
//! - [`Progress`]: how long work reports itself, warns, is cancelled and stopped;
//! - [`Status`]: how a solution ended;
//! - [`text`]: how numbers read; [`trace`]: which way a run takes, for a test.

mod clock;
mod contact;
mod frames;
mod ids;
mod progress;
mod readout;
mod status;
pub mod text;
pub mod trace;

pub use clock::{Clock, Instant};
pub use contact::{Contact, ContactKind};
pub use frames::{Frame, FrameError, FrameSink, FrameSource};
pub use ids::{ElementId, VertexId};
pub use progress::{Cancelled, Progress, ProgressSink};
pub use readout::{Along, Ask, Linearized, Readout, Restricted};
pub use status::Status;
