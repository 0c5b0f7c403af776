//! Characters from the command line: a capture becomes a shot, feet are planted, a hand is pulled, and a .bvh comes out.

use crate::cli::run::Place;
use serde_json::json;
use std::fs::File;
use supple_formats::{Channel, RigFile, load_rig, write_bvh};

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

/// What is on one thing is moved as one, by a word.
#[test]
fn a_treasure_is_moved_by_either_hand() {
    let place = Place::new();
    place.done(&["sample", "thief", "-o", "thief"]);
    let listed = place.json(&["edit", "thief/thief.toml", "--list"]);
    let held = |answer: &serde_json::Value| -> Vec<(u64, Vec<f64>)> {
        let handles = answer["handles"].as_array().unwrap().iter().filter(|h| h["prop"] == "treasure");
        let to =
            |h: &serde_json::Value| h["to"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
        handles.map(|h| (h["handle"].as_u64().unwrap(), to(h))).collect()
    };
    let before = held(&listed);
    assert_eq!(before.len(), 2, "{listed}");
    let number = before[1].0.to_string();
    let moved = place.json(&["edit", "thief/thief.toml", "--move", &number, "--by", "0.02,0,-0.03"]);
    assert_eq!(moved["done"], "moved");
    assert_eq!(held(&moved).len(), 2, "{moved}");
    let after = held(&place.json(&["edit", "thief/thief.toml", "--list"]));
    for ((_, a), (_, b)) in before.iter().zip(&after) {
        for (k, by) in [0.02, 0.0, -0.03].into_iter().enumerate() {
            assert!((b[k] - a[k] - by).abs() < 1e-12, "{a:?} {b:?}");
        }
    }
    // One more is put on it, and goes along, too.
    let head = [
        "edit",
        "thief/thief.toml",
        "--joint",
        "Head",
        "--frame",
        "47",
        "--by",
        "0,0,0",
        "--prop",
        "treasure",
    ];
    place.done(&head);
    let moved = place.json(&["edit", "thief/thief.toml", "--move", &number, "--by", "0,0.01,0"]);
    assert_eq!(held(&moved).len(), 3, "{moved}");
    assert_eq!(place.json(&["solve", "thief/thief.toml", "-o", "thief.bvh"])["status"], "settled");

    let handles = listed["handles"].as_array().unwrap();
    let apart = handles.iter().find(|h| h["asks"] == "distance").unwrap()["handle"].to_string();
    let message = place.error(&["edit", "thief/thief.toml", "--move", &apart, "--by", "1,0,0"]);
    assert!(message.contains("`distance`, which is at no place"), "{message}");
    let message = place.error(&["edit", "thief/thief.toml", "--move", "99", "--by", "1,0,0"]);
    assert!(message.contains("there is no handle 99"), "{message}");
}

/// The same figure in inches, z up: y becomes z, and z −y.
fn in_inches_with_z_up(rig: &RigFile) -> RigFile {
    let mut turned = rig.clone();
    let inches = 1.0 / 0.0254;
    for joint in &mut turned.joints {
        let [x, y, z] = joint.offset;
        joint.offset = [x, -z, y].map(|x| x * inches);
        for channel in &mut joint.channels {
            let axis = |axis: usize| [0, 2, 1][axis];
            *channel = match *channel {
                Channel::Move(k) => Channel::Move(axis(k)),
                Channel::Turn(k) => Channel::Turn(axis(k)),
            };
        }
    }
    let channels: Vec<Channel> = rig.joints.iter().flat_map(|joint| joint.channels.clone()).collect();
    for clip in &mut turned.clips {
        for (k, value) in clip.values.iter_mut().enumerate() {
            *value *= match channels[k % channels.len()] {
                Channel::Move(2) => -inches,
                Channel::Move(_) => inches,
                Channel::Turn(2) => -1.0,
                Channel::Turn(_) => 1.0,
            };
        }
    }
    turned
}

/// A capture says neither its unit nor its axis up: it is cleaned as its twin in metres, y up, is.
#[test]
fn a_capture_in_inches_with_z_up_is_cleaned() {
    let place = with_walk();
    let mut rig = load_rig(place.path().join("walk/walk-3d.bvh")).unwrap();
    let width = rig.channel_count();
    let forward = rig.joints[0].channels.iter().position(|c| *c == Channel::Move(0)).unwrap();
    for (frame, row) in rig.clips[0].values.chunks_exact_mut(width).enumerate() {
        // The feet slide.
        row[forward] += 0.012 * (frame as f64 * std::f64::consts::TAU / 24.0).sin();
    }
    let write = |rig: &RigFile, name: &str| {
        write_bvh(rig, &rig.clips[0], File::create(place.path().join(name)).unwrap()).unwrap();
    };
    write(&rig, "metres.bvh");
    write(&in_inches_with_z_up(&rig), "inches.bvh");
    let metres = place.json(&["clean", "metres.bvh", "--unit", "m", "-o", "a.bvh"]);
    let inches = place.json(&["clean", "inches.bvh", "--unit", "in", "--up", "z", "-o", "b.bvh"]);
    assert_eq!((&metres["status"], &inches["status"]), (&json!("settled"), &json!("settled")), "{inches}");
    assert_eq!(inches["unit"], 0.0254);
    let [a, b] = [&metres, &inches].map(|answer| answer["plants"].as_array().unwrap());
    assert!(a.len() >= 4 && a.len() == b.len(), "{metres} {inches}");
    for (a, b) in a.iter().zip(b) {
        for key in ["joint", "frame", "last_frame"] {
            assert_eq!(a[key], b[key], "{a} {b}");
        }
        assert!(
            b["slide_before"].as_f64().unwrap() > 5e-3 && b["slide_after"].as_f64().unwrap() < 1e-4,
            "{b}"
        );
    }
    let [a, b] = [&metres, &inches].map(|answer| answer["largest_move"].as_f64().unwrap());
    assert!((a - b).abs() < 1e-4 && a > 5e-3 && a < 0.05, "{a} {b}");
    // Nobody has to say so: the figure is as tall as a person in inches, and stands along z.
    let told = place.json(&["clean", "inches.bvh", "-o", "c.bvh"]);
    assert!(place.read("c.bvh") == place.read("b.bvh"), "{told}");
    let notes = told["notes"].as_array().unwrap();
    assert!(notes.iter().any(|note| note.as_str().unwrap().contains("z is taken for the axis up")), "{told}");
    // What was cleaned is in inches, z up, still.
    let out = load_rig(place.path().join("b.bvh")).unwrap();
    assert!(out.joints.iter().any(|joint| joint.offset[2] < -10.0), "legs hang along z, in inches");
}
