//! Symmetric matrices of blocks near the diagonal, with a border: what a chain of unknowns leads to, a few of which
//! know all others.
//!
//! > A x + B y = b,  Bᵀ x + C y = c,  A = L Lᵀ, Y = L⁻¹ B, S = C − Yᵀ Y
//!
//! | symbol | shape | |
//! |---|---|---|
//! | A | n blocks of a × a, w beside the diagonal | positive definite; 6.3 n a³ operations for w = 2 |
//! | B | n a × p | columns in groups, each zero before the first block it touches |
//! | C | p × p | symmetric, of any sign: places that float are positive, multipliers negative |
//!
//! A column of Y fades away from where B has it; what is below the last digit of the column is left out, so that many
//! groups along a long chain cost what a few do on a short one.
//!
//! [`BlockBanded`] holds the matrix and its factor in the same place, [`Border`] the columns.

mod border;
mod matrix;

pub use border::Border;
pub use matrix::{BlockBanded, NotPositive};
