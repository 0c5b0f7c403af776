//! Tests of the elastic bodies as a user of the crate meets them.

mod bodies;
mod dynamics;
mod modes;
mod statics;
mod warp;
