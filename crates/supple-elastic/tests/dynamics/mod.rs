//! Bodies in motion, against closed forms, conservation laws and independent solutions.
#![expect(clippy::unwrap_used, reason = "a step that fails is a test that fails")]

mod anchors;
mod contact;
mod flight;
mod friction;
mod impact;
mod input;
mod points;
mod recovery;
mod samples;
mod statics;
mod threads;
mod vibration;
