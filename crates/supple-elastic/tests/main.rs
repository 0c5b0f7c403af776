//! Tests of the elastic bodies as a user of the crate meets them.

#![expect(non_snake_case, reason = "matrices keep their capital letters")]

mod bodies;
mod dynamics;
mod modes;
mod reduction;
mod statics;
mod warp;
