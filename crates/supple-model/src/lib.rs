//! The words every Supple crate shares, and no algorithms.
//!
//! - [`VertexId`], [`ElementId`]: indices that cannot be mixed up;
//! - [`Progress`]: how long work reports itself and is cancelled.

mod ids;
mod progress;

pub use ids::{ElementId, VertexId};
pub use progress::{Cancelled, Progress, ProgressSink};
