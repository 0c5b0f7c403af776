//! Edits through the public interface, on a walk that is made here and known exactly.

mod clean;
mod edits;
mod follow;
mod reach;
mod tracked;
mod walker;
