//! A shot that a person edits: undo, recovery, and the thread that answers, without a window.

#![expect(clippy::unwrap_used, reason = "the helpers of these tests may panic too")]

mod answers;
mod exports;
mod fake;
mod files;
mod histories;
mod jobs;
mod mouse;
mod notices;
mod posing;
mod product;
mod recovery;
mod segments;
