//! Bodies of every kind through their public door: derivatives, physics, regions, anchors, threads.
#![expect(non_snake_case, reason = "matrices keep their capital letters")]
#![expect(clippy::unwrap_used, reason = "a step that fails is a test that fails")]

mod anchors;
mod cloth;
mod derivatives;
mod editing;
mod material;
mod physics;
mod samples;
mod springs;
mod threads;
