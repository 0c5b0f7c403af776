//! Solids through their public door: derivatives, physics, regions, anchors, threads.
#![expect(non_snake_case, reason = "matrices keep their capital letters")]

mod anchors;
mod bodies;
mod derivatives;
mod material;
mod physics;
mod threads;
