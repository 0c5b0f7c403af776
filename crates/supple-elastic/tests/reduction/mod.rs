//! Tests of few coordinates: bases from key poses, the forces in them, rigid motion apart from deformation.

mod basis;
mod cubic;
mod enrichment;
mod floating;
mod projected;
mod samples;
mod tangents;
mod threads;
