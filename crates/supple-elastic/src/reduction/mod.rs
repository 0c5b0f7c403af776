//! Fewer coordinates than vertices: u = U z with z of a few hundred modes.

mod basis;
mod display;
mod product;

pub use basis::Basis;
pub use display::DisplayBasis;
