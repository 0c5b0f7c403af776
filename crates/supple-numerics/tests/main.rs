//! Tests of the numerical tools against known answers.

mod banded;
mod eigen;
mod factor;
mod nnls;
