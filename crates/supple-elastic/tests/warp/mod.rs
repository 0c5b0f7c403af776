//! The rotation–strain warp: what must come back, what must turn, what must hold, and derivatives.
#![expect(non_snake_case, reason = "matrices keep their capital letters")]
#![expect(clippy::unwrap_used, reason = "a step that fails is a test that fails")]

mod basis;
mod beams;
mod bent;
mod cloth;
mod contacts;
mod cubature;
mod floating;
mod follow;
mod identity;
mod motion;
mod points;
mod readout;
mod reduced;
mod samples;
mod threads;
mod tumbling;
mod unwrapping;
