//! The words every Supple crate shares, and no algorithms.
//!
//! - [`VertexId`], [`ElementId`], [`Frame`]: numbers that cannot be mixed up;
//! - [`Clock`], [`Instant`]: when frames are, and times between them;
//! - [`FrameSource`], [`FrameSink`]: motion, frame by frame;
//! - [`Contact`]: what touches the body;
//! - [`Readout`]: where points of a body are, given the modal coordinates of an edit;
//! - [`ReducedDynamics`]: the forces of a body in few coordinates;
//! - [`Progress`]: how long work reports itself, warns, is cancelled and stopped;
//! - [`Status`]: how a solution ended;
//! - [`text`]: how numbers read.

mod clock;
mod contact;
mod dynamics;
mod frames;
mod ids;
mod progress;
mod readout;
mod status;
pub mod text;

pub use clock::{Clock, Instant};
pub use contact::{Contact, ContactKind};
pub use dynamics::ReducedDynamics;
pub use frames::{Frame, FrameError, FrameSink, FrameSource};
pub use ids::{ElementId, VertexId};
pub use progress::{Cancelled, Progress, ProgressSink};
pub use readout::{Along, Ask, Linearized, Readout, Restricted};
pub use status::Status;
