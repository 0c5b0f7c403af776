//! What they write, we read.

use crate::oracles::expected::check_folder;
use crate::oracles::run;

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
    // Alembic is converted by the `blender` on the path, where `run.sh` puts one that runs the module.
    read_what("make_blender.py");
}

#[test]
#[ignore = "needs the virtual environment of oracles"]
fn trimesh_and_meshio_write_meshes() {
    read_what("make_meshes.py");
}
