//! What other programs write is read, and what is written is read by other programs: `usd-core`, `trimesh`,
//! `meshio` and Blender's `bpy`, from a virtual environment that `run.sh` makes.
//!
//! These tests are ignored unless asked for, best by `run.sh`; then they need `SUPPLE_ORACLES`, the folder of the
//! environment, and a `blender` on the path, and fail without them.
#![expect(clippy::unwrap_used, reason = "a step that fails is a test that fails")]

mod expected;
mod ours;
mod theirs;

use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs one of the scripts beside this file, in the environment, with these arguments.
fn run(script: &str, arguments: &[&Path]) {
    let environment = std::env::var_os("SUPPLE_ORACLES");
    let environment = PathBuf::from(environment.expect("SUPPLE_ORACLES names the virtual environment"));
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracles");
    // bpy is known to hang when the interpreter ends; nothing here takes minutes.
    let output = Command::new("timeout")
        .arg("300")
        .arg(environment.join("bin/python"))
        .arg(scripts.join(script))
        .args(arguments)
        .env("PYTHONPATH", &scripts)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{script}:\n{}{}", text(&output.stdout), text(&output.stderr));
}
