//! What other programs write is read, and what is written is read by other programs: `usd-core`, `trimesh`,
//! `meshio` and Blender's `bpy`, from a virtual environment that `run.sh` makes.
//!
//! These tests are ignored unless asked for, best by `run.sh`; then they need `SUPPLE_ORACLES`, the folder of the
//! environment, and a `blender` on the path, and fail without them.
#![expect(clippy::unwrap_used, reason = "a step that fails is a test that fails")]

mod expected;
mod ours;
mod rigs;
mod script;
mod theirs;

use script::run;
