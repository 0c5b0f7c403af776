//! Scenes of animated surfaces: what is read of each format, what is written, and what is said of files that
//! are wrong.
#![expect(clippy::unwrap_used, reason = "helpers of tests, in which a failure may panic")]

mod composition;
mod malformed;
mod normals;
mod reading;
mod writing;

use crate::samples::scenes as samples;
use std::path::Path;
use supple_formats::{Scene, SceneObject};
use tempfile::TempDir;

/// A new folder with these files.
fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

fn frame(object: &mut SceneObject, index: usize) -> Vec<[f64; 3]> {
    let mut points = vec![[0.0; 3]; object.frames.vertices()];
    object.frames.read(index, &mut points).unwrap();
    points
}

fn names(scene: &Scene) -> Vec<&str> {
    scene.objects.iter().map(|object| object.name.as_str()).collect()
}

/// Checks that points are equal but for rounding.
#[track_caller]
fn assert_near(found: &[[f64; 3]], expected: &[[f64; 3]], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (v, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!((0..3).all(|i| (a[i] - b[i]).abs() < 1e-6), "{what}: vertex {v} at {a:?}, not {b:?}");
    }
}

/// The error, without the path of the folder in it.
fn message<T>(result: Result<T, supple_formats::FormatError>, folder: &Path) -> String {
    let text = result.err().unwrap().to_string();
    text.replace(&format!("{}/", folder.display()), "")
}
