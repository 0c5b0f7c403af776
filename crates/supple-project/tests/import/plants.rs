//! An import keeps what stands on the ground where it stands.

use crate::import::files::{Place, Settings, file, single};
use supple_formats::SurfaceFile;
use supple_project::Import;
use supple_project::shot::Shot;

const SIDE: u32 = 12;

/// An upright sheet that glides along x and stops from frame 6 to 14; all of it flutters but the row at height `foot`.
fn gliding(foot: f64) -> (SurfaceFile, Vec<Vec<[f64; 3]>>) {
    let at = |k: u32| [f64::from(k % SIDE) / 11.0, f64::from(k / SIDE) / 11.0, 0.0];
    let squares = (0..(SIDE - 1) * (SIDE - 1)).map(|k| k % (SIDE - 1) + SIDE * (k / (SIDE - 1)));
    let surface = SurfaceFile {
        positions: (0..SIDE * SIDE).map(at).collect(),
        triangles: squares.flat_map(|k| [[k, k + SIDE, k + SIDE + 1], [k, k + SIDE + 1, k + 1]]).collect(),
        ..SurfaceFile::default()
    };
    let frame = |k: usize| {
        let gone = k as f64 - (k as f64).clamp(6.0, 14.0);
        let swing = 0.3 * (0.9 * k as f64).sin();
        let place = |p: &[f64; 3]| single([p[0] + 0.05 * gone, p[1], p[2] + swing * (p[1] - foot)]);
        surface.positions.iter().map(place).collect()
    };
    let frames = (0..20).map(frame).collect();
    (surface, frames)
}

/// Feet that stand on the ground are what an animator expects to stay; a hand that rests in the air may be meant to move.
#[test]
fn a_shot_keeps_what_stands_on_the_ground_and_nothing_else() {
    for (foot, stands) in [(0.0, true), (1.0, false)] {
        let (surface, frames) = gliding(foot);
        let place = Place::new();
        let path = place.motion("walk.glb", &surface, &frames, Settings::default());
        let imported = place.import_as(Import { file: file(&path), ..Import::default() }).unwrap();
        let keeps = |shot: &Shot| {
            let detect = shot.contacts.as_ref().and_then(|contacts| contacts.detect.as_ref());
            detect.is_some_and(|detect| detect.plants)
        };
        assert_eq!(keeps(&imported.shot), stands, "{foot}");
        assert_eq!(keeps(&Shot::load(&imported.files[0]).unwrap()), stands, "{foot}");
        assert_eq!(imported.notes.iter().any(|note| note.contains("stay planted")), stands);
    }
}

/// A flag and a curtain were planted wherever they were still for some frames, and pulls beside that threw them about.
#[test]
fn what_hangs_on_something_does_not_stand() {
    let (surface, _) = gliding(0.0);
    let frame = |k: usize| {
        let pause = (k as f64 - (k as f64).clamp(6.0, 14.0)) * 0.05;
        let flutters = 0.4 * (0.9 * k as f64).sin();
        let place = |p: &[f64; 3]| {
            let z = if p[0] < 0.5 { pause } else { flutters };
            single([p[0], p[1], p[2] + z * (1.0 - p[1])])
        };
        surface.positions.iter().map(place).collect()
    };
    let frames: Vec<Vec<[f64; 3]>> = (0..20).map(frame).collect();
    let place = Place::new();
    let path = place.motion("flag.glb", &surface, &frames, Settings::default());
    let imported = place.import_as(Import { file: file(&path), ..Import::default() }).unwrap();
    assert!(imported.shot.contacts.is_none(), "{:?}", imported.shot.contacts);
    // Not even where plants are asked for: what is still reaches up to what is pinned.
    let mut shot = imported.shot;
    shot.set_plants(true);
    let body = std::sync::Arc::new(supple_project::Body::load(&shot).unwrap());
    let (cache, progress) =
        (supple_project::Cache::of_shot(&place.path("shot.toml")), supple_model::Progress::silent());
    let editor = supple_project::DragMethod::open(&shot, body, &cache, &progress).unwrap();
    assert!(editor.contacts().plants.is_empty(), "{:?}", editor.contacts().plants);
}

/// A body that bends is still for ever shorter from its foot upwards. From neighbour to neighbour that made a plant of half
/// the body, which was taken for a body at rest: of four stands of a hopping tube three were found.
#[test]
fn a_foot_under_a_body_that_bends_slowly_is_a_plant() {
    let (surface, _) = gliding(0.0);
    let frame = |k: usize| {
        let gone = k as f64 - (k as f64).clamp(8.0, 32.0);
        let swing = 0.02 * (std::f64::consts::TAU * (k as f64 - 20.0) / 24.0).cos();
        let place = |p: &[f64; 3]| single([p[0] + 0.05 * gone, p[1], p[2] + swing * p[1]]);
        surface.positions.iter().map(place).collect()
    };
    let frames: Vec<Vec<[f64; 3]>> = (0..40).map(frame).collect();
    let place = Place::new();
    let path = place.motion("bends.glb", &surface, &frames, Settings::default());
    let shot = place.import_as(Import { file: file(&path), ..Import::default() }).unwrap().shot;
    assert!(shot.contacts.is_some_and(|contacts| contacts.detect.is_some_and(|detect| detect.plants)));
}

/// Where a body sways slowly above its foot, most of it is still for more than half of the stand: that was one plant with
/// the foot, too large for a part, and of four stands of a tube one was found.
#[test]
fn a_foot_under_a_body_that_turns_back_is_a_plant() {
    let (surface, _) = gliding(0.0);
    let frame = |k: usize| {
        let gone = k as f64 - (k as f64).clamp(8.0, 20.0);
        let swing = 0.03 * (std::f64::consts::TAU * (k as f64 - 14.0) / 40.0).cos();
        let place = |p: &[f64; 3]| single([p[0] + 0.05 * gone, p[1], p[2] + swing * (p[1] - 0.1).max(0.0)]);
        surface.positions.iter().map(place).collect()
    };
    let frames: Vec<Vec<[f64; 3]>> = (0..30).map(frame).collect();
    let place = Place::new();
    let path = place.motion("sways.glb", &surface, &frames, Settings::default());
    let shot = place.import_as(Import { file: file(&path), ..Import::default() }).unwrap().shot;
    assert!(shot.contacts.is_some_and(|contacts| contacts.detect.is_some_and(|detect| detect.plants)));
}
