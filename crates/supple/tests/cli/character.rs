//! Characters from the command line: a capture becomes a shot, feet are planted, a hand is pulled, and a .bvh comes out.

use crate::cli::run::Place;
use serde_json::json;

/// The walk of a sample, with its handles taken out: what a stranger would bring.
fn with_walk() -> Place {
    let place = Place::new();
    place.done(&["sample", "walk-3d", "-o", "walk"]);
    place
}

#[test]
fn a_capture_is_planted_pulled_and_written_with_its_own_text() {
    let place = with_walk();
    place.done(&["new", "walk/walk-3d.bvh", "-o", "walk.toml"]);
    let original = place.read("walk/walk-3d.bvh");
    place.done(&["solve", "walk.toml", "-o", "same.bvh"]);
    assert!(place.read("same.bvh") == original, "no edit, no change");

    let found = place.json(&["plants", "walk.toml"]);
    let plants = found["plants"].as_array().unwrap();
    assert!(plants.len() >= 4, "{found}");
    assert_eq!(place.json(&["plants", "walk.toml"])["plants"], json!([]), "they are there already");

    let pull = ["edit", "walk.toml", "--joint", "RightHand", "--frame", "40", "--by", "0,0.2,0"];
    place.done(&pull);
    let solved = place.json(&["solve", "walk.toml", "-o", "pulled.bvh"]);
    assert_eq!(solved["status"], "settled", "{solved}");
    let handles = solved["handles"].as_array().unwrap();
    assert_eq!(handles.len(), plants.len() + 1);
    assert!(place.read("pulled.bvh") != original);
    let again = place.json(&["info", "pulled.bvh"]);
    assert_eq!(again["frames"], 88);
    for file in ["pulled.glb", "pulled.pc2"] {
        place.done(&["solve", "walk.toml", "-o", file]);
    }
}

#[test]
fn a_capture_is_cleaned_in_one_command() {
    let place = with_walk();
    let cleaned = place.json(&["clean", "walk/walk-3d.bvh", "-o", "clean.bvh"]);
    assert_eq!(cleaned["status"], "settled", "{cleaned}");
    for plant in cleaned["plants"].as_array().unwrap() {
        assert!(plant["slide_after"].as_f64().unwrap() < 1e-4, "{plant}");
    }
    let message = place.error(&["clean", "walk/walk-3d.bvh", "-o", "walk/walk-3d.bvh"]);
    assert!(message.contains("would overwrite"), "{message}");
    let message = place.error(&["clean", "walk/walk-3d.bvh", "-o", "clean.pc2"]);
    assert!(message.contains("ends in .bvh"), "{message}");
}

#[test]
fn what_a_character_cannot_do_is_said_in_one_sentence() {
    let place = with_walk();
    for command in [
        &["prepare", "walk/walk-3d.toml"][..],
        &["simulate", "walk/walk-3d.toml", "-o", "x.pc2"],
        &["pose", "walk/walk-3d.toml", "-o", "x.obj"],
    ] {
        let message = place.error(command);
        assert!(message.contains("skeleton without soft matter"), "{message}");
    }
    let message =
        place.error(&["edit", "walk/walk-3d.toml", "--joint", "RightHnd", "--frame", "4", "--by", "0,1,0"]);
    assert!(message.contains("RightHand"), "{message}");
}
