//! Sparse symmetric matrices made of 3×3 blocks, one block row per vertex.
//!
//! - [`BlockPattern`]: which blocks can be non-zero, fixed for the life of a body;
//! - [`BlockMatrix`]: values on a pattern;
//! - [`Assembly`]: sums element matrices into a [`BlockMatrix`], in parallel, in a fixed order;
//! - [`Symbolic`], [`Cholesky`], [`Ldlt`]: factorizations that share their symbolic part.

mod assembly;
mod block_matrix;
mod factor;
mod ordering;

pub use assembly::Assembly;
pub use block_matrix::{BlockMatrix, BlockPattern};
pub use factor::{Cholesky, FactorError, Ldlt, Symbolic};
