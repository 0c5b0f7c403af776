//! Ctrl-C.

use crate::cli::run::{BAR, Place};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use supple_formats::{Elements, VolumeFile};
use supple_mesh::{Vec3, shapes};

#[cfg(unix)]
#[test]
fn ctrl_c_cancels_and_leaves_nothing_half_done() {
    let place = Place::new();
    let mesh = shapes::box_mesh(Vec3::new(4.0, 1.0, 1.0), [48, 12, 12]).unwrap();
    let file = VolumeFile {
        positions: mesh.positions().iter().map(|p| (*p).into()).collect(),
        elements: Elements::Tets(mesh.tets().iter().map(|tet| tet.map(|v| v.0)).collect()),
        ..VolumeFile::default()
    };
    place.write_veg("bar.veg", &file);
    place.write("bar.toml", BAR);
    // Some half a minute of work.
    let mut child = place.command(&["prepare", "bar.toml", "--modes", "1500", "--json"]);
    let child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    sleep(Duration::from_millis(1500));
    let start = Instant::now();
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert!(start.elapsed() < Duration::from_secs(8), "{:?}", start.elapsed());
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(output.stderr, b"error: cancelled\n");
    assert_eq!(output.stdout, b"{\"error\":\"cancelled\"}\n");
    assert_eq!(place.names("."), ["bar.toml", "bar.veg"]);
}
