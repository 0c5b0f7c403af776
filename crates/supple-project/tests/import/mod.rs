//! From files of animated surfaces to shots, and back to files.
#![expect(clippy::unwrap_used, reason = "a step that fails is a test that fails")]

mod back;
mod conversions;
mod files;
mod follows;
mod mistakes;
mod pins;
mod plants;
mod preview;
mod seams;
mod shots;
mod thin_parts;
