//! Tests of readers and writers by whole files.

mod encodings;
mod fuzz;
mod large;
mod load;
mod malformed;
mod motion;
mod oracles;
mod rigs;
mod round_trip;
mod samples;
mod scenes;
