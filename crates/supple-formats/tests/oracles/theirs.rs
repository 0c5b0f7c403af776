//! What they write, we read.

use crate::expected::check_folder;
use crate::run;

fn read_what(script: &str) {
    let folder = tempfile::tempdir().unwrap();
    run(script, &[folder.path()]);
    assert!(check_folder(folder.path()) > 0);
}

#[test]
#[ignore = "needs the virtual environment of oracles"]
fn usd_core_writes_usd() {
    read_what("make_usd.py");
}

#[test]
#[ignore = "needs the virtual environment of oracles"]
fn blender_writes_all_formats() {
    // Alembic is converted by a `blender` on the path: one that runs the module.
    let bin = tempfile::tempdir().unwrap();
    let script = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracles/blender.sh");
    std::os::unix::fs::symlink(script, bin.path().join("blender")).unwrap();
    let path = std::env::join_paths(
        std::iter::once(bin.path().to_path_buf())
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    let status = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "theirs::blender_writes_all_formats_with_blender_on_the_path"])
        .env("PATH", path.unwrap())
        .env("SUPPLE_ORACLES_BLENDER", "1")
        .status();
    assert!(status.unwrap().success());
}

/// Runs only as a part of the test above, which sets the path.
#[test]
#[ignore = "a part of blender_writes_all_formats"]
fn blender_writes_all_formats_with_blender_on_the_path() {
    if std::env::var_os("SUPPLE_ORACLES_BLENDER").is_some() {
        read_what("make_blender.py");
    }
}
