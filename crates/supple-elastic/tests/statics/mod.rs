//! Poses under loads and poses from skins, against closed forms, dense solves and balances of force.
#![expect(non_snake_case, reason = "matrices keep their capital letters")]
#![expect(clippy::unwrap_used, reason = "a step that fails is a test that fails")]

mod balance;
mod beams;
mod dragging;
mod fitting;
mod limits;
mod loose;
pub mod samples;
mod stacking;
mod strings;
