//! USD as text, `.usda`:
//! ```text
//! #usda 1.0
//! ( upAxis = "Y" )
//! def Xform "root" ( references = @cape.usda@</cape> ) {
//!     def Mesh "cape" {
//!         point3f[] points.timeSamples = { 1: [(0, 0, 0), ...], 2: [...] }
//!     }
//! }
//! ```
//! The tree is read once from front to back, through a window of fixed size, noting where values begin and
//! end; numbers are read when a frame asks for them.

mod metadata;
mod quotes;
mod scanner;
mod statements;
mod values;

pub(super) use statements::read_layer;
pub(super) use values::{numbers, words};

/// How such a file begins.
pub(super) const MAGIC: &[u8] = b"#usda";
