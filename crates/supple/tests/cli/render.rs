//! `supple render`.

use crate::cli::run::{BAR, Place, bar, keys};
use std::fs;

/// Width and height, from a PNG's header.
fn size(png: &[u8]) -> (u32, u32) {
    assert_eq!(png[..8], *b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[test]
fn the_same_picture_has_the_same_bytes() {
    let place = Place::with_bar();
    let draw = |name: &str, more: &[&str]| {
        place.done(&[&["render", "bar.toml", "--size", "160x90", "-o", name], more].concat());
        place.read(name)
    };
    let rest = draw("a.png", &[]);
    assert_eq!(size(&rest), (160, 90));
    assert!(rest == draw("b.png", &["--threads", "1"]));
    let mode = draw("c.png", &["--mode", "2"]);
    assert!(mode == draw("c.png", &["--mode", "2", "--threads", "3"]), "overwritten with the same");
    let different: Vec<Vec<u8>> = [
        &["--mode", "2", "--amplitude", "-0.1"][..],
        &["--mode", "2", "--amplitude", "0.2"],
        &["--mode", "2", "--colour", "strain"],
        &["--view", "front"],
        &["--up", "z"],
        &["--wireframe"],
    ]
    .map(|more| draw("d.png", more))
    .into();
    let all: Vec<&Vec<u8>> = [&rest, &mode].into_iter().chain(&different).collect();
    for i in 0..all.len() {
        assert!(all[..i].iter().all(|other| *other != all[i]), "picture {i}");
    }
    assert_eq!(place.names("."), ["a.png", "b.png", "bar.cache", "bar.toml", "bar.veg", "c.png", "d.png"]);
}

#[test]
fn the_answer_tells_what_was_drawn() {
    let place = Place::with_bar();
    let answer = place.json(&["render", "bar.toml", "--mode", "1", "-o", "a.png"]);
    assert_eq!(
        keys(&answer),
        [
            "edited",
            "file",
            "fps",
            "frames",
            "frequency",
            "handles",
            "height",
            "kind",
            "mode",
            "output",
            "seconds",
            "triangles",
            "width"
        ]
    );
    assert_eq!(
        (&answer["width"], &answer["height"], &answer["mode"]),
        (&1280.into(), &720.into(), &1.into())
    );
    // The surface of 4 cubes in a row: 18 squares.
    assert_eq!(answer["triangles"], 36);
    assert_eq!(answer["frequency"], place.json(&["prepare", "bar.toml"])["frequencies"][0]);
    assert!(place.done(&["render", "bar.toml", "-o", "a.png"]).starts_with("wrote a.png, 1280 × 720"));
}

#[test]
fn a_skin_is_drawn_instead_of_the_body_and_moves_with_it() {
    let place = Place::with_bar();
    // A triangle inside the bar.
    place.write("skin.obj", "v 0.1 0.2 0.2\nv 3.9 0.2 0.2\nv 3.9 0.8 0.8\nf 1 2 3\n");
    place.write("bar.toml", BAR.replace("mesh =", "skin = \"skin.obj\"\nmesh ="));
    let draw = |more: &[&str]| {
        let answer = place.json(&[&["render", "bar.toml", "--size", "64x64", "-o", "a.png"], more].concat());
        (answer["triangles"].as_u64().unwrap(), place.read("a.png"))
    };
    let (skin, body) = (draw(&[]), draw(&["--tets"]));
    assert_eq!((skin.0, body.0), (1, 36));
    assert!(draw(&["--skin"]) == skin);
    assert!(draw(&["--anchors"]).1 != skin.1 && draw(&["--tets", "--anchors"]) == body);
    assert!(draw(&["--mode", "1"]).1 != draw(&["--mode", "1", "--amplitude", "-0.1"]).1);
}

#[test]
fn meshes_are_drawn_without_a_shot() {
    let place = Place::with_bar();
    place.write("a.obj", "v 0 0 0\nv 1 0 0\nv 0 2 0\nf 1 2 3\n");
    for file in ["a.obj", "bar.veg"] {
        place.done(&["render", file, "--size", "64x48", "-o", "a.png"]);
        assert_eq!(size(&place.read("a.png")), (64, 48));
    }
    let message = place.error(&["render", "bar.veg", "--mode", "1", "-o", "b.png"]);
    assert!(message.starts_with("bar.veg: a mesh has no modes"), "{message}");
    let mut broken = bar();
    broken.positions[7] = broken.positions[0];
    place.write_veg("broken.veg", &broken);
    let message = place.error(&["render", "broken.veg", "-o", "b.png"]);
    assert!(message.contains("broken.veg") && message.contains("supple info"), "{message}");
    assert!(!place.path().join("b.png").exists());
}

#[test]
fn a_picture_that_cannot_be_written_leaves_everything_as_it_was() {
    let place = Place::with_bar();
    let message = place.error(&["render", "bar.toml", "-o", "no/such/a.png"]);
    assert!(message.contains("no/such/a.png") && message.contains("there is no folder no/such"), "{message}");
    place.write("kept.png", "precious");
    let file = place.path().join("kept.png");
    let mut permissions = fs::metadata(&file).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&file, permissions).unwrap();
    assert!(place.error(&["render", "bar.toml", "-o", "kept.png"]).starts_with("cannot write kept.png"));
    assert_eq!(place.read("kept.png"), b"precious");
    assert_eq!(place.names("."), ["bar.toml", "bar.veg", "kept.png"]);
}

#[test]
fn wrong_options_are_wrong_usage() {
    let place = Place::with_bar();
    for (wrong, hint) in [
        (&["-o", "a.jpg"][..], ".png"),
        (&["-o", "a.png", "--size", "big"], "1280x720"),
        (&["-o", "a.png", "--view", "under"], "three-quarter"),
        (&["-o", "a.png", "--mode", "0"], "0"),
        (&["-o", "a.png", "--frames", "9..3"], "9 comes after 3"),
        (&["-o", "a.png", "--eye", "1,2,3"], "--target"),
        (&["-o", "a.png", "--eye", "1,2", "--target", "0,0,0"], "three numbers"),
        (&["-o", "a.png", "--sheet", "--strobe"], "--strobe"),
        (&["-o", "a.png", "--ghost", "--input"], "--input"),
        (&["-o", "a.png", "--tets", "--skin"], "--skin"),
        (&[], "--output"),
    ] {
        let run = place.run(&[&["render", "bar.toml"], wrong].concat());
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{wrong:?}");
        assert!(run.stderr.contains(hint), "{wrong:?}: {}", run.stderr);
    }
    assert!(place.error(&["render", "bar.toml", "--skin", "-o", "a.png"]).contains("has no skin"));
    assert!(
        place.error(&["render", "bar.toml", "--mode", "49", "-o", "a.png"]).contains("48 degrees of freedom")
    );
    assert!(place.error(&["render", "bar.toml", "--size", "99999x1", "-o", "a.png"]).contains("99999"));
}
