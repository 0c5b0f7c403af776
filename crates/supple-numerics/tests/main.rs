//! Tests of the numerical tools against known answers.

mod eigen;
mod factor;
