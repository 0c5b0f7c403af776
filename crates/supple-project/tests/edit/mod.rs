//! Editing motion: what must hold of every edit, whatever the body and whatever is asked of it.
#![expect(clippy::unwrap_used, reason = "a step that fails is a test that fails")]
#![expect(non_snake_case, reason = "matrices keep their capital letters")]

mod bake;
pub mod bodies;
mod conformance;
mod contacts;
mod handles;
mod holds;
mod meshes;
mod order;
mod part;
mod plants;
mod press;
mod reach;
mod smooth;
mod time;
mod tumbling;
mod turned;
mod wrong;
