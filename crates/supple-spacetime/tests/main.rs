//! Tests of kernels, rows and solvers against independent answers.

mod control;
mod drag;
mod kernel;
mod material;
mod random;
mod rows;
mod sparse;
