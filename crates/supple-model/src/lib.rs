//! The words every Supple crate shares, and no algorithms.
//!
//! - [`VertexId`], [`ElementId`]: indices that cannot be mixed up;
//! - [`Progress`]: how long work reports itself and is cancelled;
//! - [`Status`]: how an iteration ended, because "not converged" is an answer, not an error.

mod ids;
mod progress;
mod status;

pub use ids::{ElementId, VertexId};
pub use progress::{Cancelled, Progress, ProgressSink};
pub use status::Status;
