//! One file per command: its options, what it does, its answer.

pub mod bench;
pub mod cache;
pub mod clean;
pub mod convert;
pub mod demo;
pub mod edit;
mod feel;
pub mod gallery;
pub mod info;
pub mod new;
pub mod plants;
pub mod plot;
pub mod pose;
pub mod prepare;
pub mod recover;
pub mod render;
pub mod sample;
pub mod samples;
pub mod simulate;
pub mod solve;
#[cfg(feature = "studio")]
pub mod studio;
