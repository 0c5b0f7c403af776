//! The scripts of the oracles, run in their virtual environment.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs one of the scripts beside this file, in the environment, with these arguments.
///
/// # Panics
/// Without `SUPPLE_ORACLES`, the folder of the environment, and when the script fails or does not end.
pub fn run(script: &str, arguments: &[&Path]) {
    let environment = std::env::var_os("SUPPLE_ORACLES");
    let environment = PathBuf::from(environment.expect("SUPPLE_ORACLES names the virtual environment"));
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../supple-formats/tests/oracles");
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
