//! The built program, run as a user runs it, in folders of its own.
#![expect(clippy::unwrap_used, reason = "a step that fails is a test that fails")]

mod bones;
mod cache;
mod character;
mod control;
mod convert;
mod demo;
mod docs;
mod edit;
mod feel;
mod gallery;
mod info;
mod interrupt;
mod keys;
mod lost;
mod new;
mod outputs;
mod pictures;
mod pose;
mod prepare;
mod render;
pub mod run;
mod samples;
mod simulate;
mod skeleton;
mod solve;
mod trust;
mod usage;
#[cfg(all(feature = "studio", target_os = "linux"))]
mod window;
