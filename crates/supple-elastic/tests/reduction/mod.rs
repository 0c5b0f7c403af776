//! Tests of few coordinates: bases from key poses, the forces in them, rigid motion apart from deformation.
#![expect(non_snake_case, reason = "matrices keep their capital letters")]
#![expect(clippy::unwrap_used, reason = "a step that fails is a test that fails")]

mod basis;
mod cubic;
mod enrichment;
mod floating;
mod projected;
mod samples;
mod tangents;
mod threads;
