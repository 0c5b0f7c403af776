//! Tests of the elastic bodies as a user of the crate meets them.

mod bodies;
mod dynamics;
mod modes;
mod reduction;
mod statics;
mod warp;
