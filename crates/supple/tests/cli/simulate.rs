//! `supple simulate`.

use crate::cli::run::{Place, keys};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// The bar of `bar.toml` free above a floor.
fn falling(frames: usize) -> Place {
    let place = Place::with_bar();
    let shot = String::from_utf8(place.read("bar.toml")).unwrap();
    let shot = shot.replace("anchors = { below = { axis = \"x\", at = 0.0 } }\n", "");
    let more = format!(
        "\n[motion]\nframes = {frames}\nstart = 5\n\n[simulate]\nfloor = {{ height = -0.1, friction = 0.3 }}\n"
    );
    place.write("fall.toml", shot + &more);
    place
}

#[test]
fn a_motion_and_its_contacts_are_written_in_every_format() {
    let place = falling(12);
    let answer = place.json(&["simulate", "fall.toml", "-o", "fall.pc2"]);
    assert_eq!(
        keys(&answer),
        [
            "cage",
            "contacts",
            "contacts_file",
            "cuts",
            "damped",
            "factorizations",
            "fps",
            "frames",
            "iterations",
            "output",
            "pieces",
            "points",
            "seconds",
            "shot",
            "simulated_vertices",
            "start",
            "steps",
            "unsolved",
            "vertices"
        ]
    );
    assert_eq!(
        (&answer["frames"], &answer["start"], &answer["vertices"]),
        (&12.into(), &5.into(), &20.into())
    );
    assert!(answer["contacts"].as_u64().unwrap() > 0);
    let contacts = String::from_utf8(place.read("fall.pc2.contacts.csv")).unwrap();
    assert_eq!(contacts.lines().next(), Some("frame,vertex,nx,ny,nz,kind"));
    assert_eq!(contacts.lines().count() as u64, 1 + answer["contacts"].as_u64().unwrap());

    let info = place.json(&["info", "fall.pc2"]);
    assert_eq!(
        (&info["kind"], &info["format"], &info["start"]),
        (&"motion".into(), &"pc2".into(), &5.0.into())
    );
    place.done(&["simulate", "fall.toml", "-o", "fall.mdd"]);
    place.done(&["simulate", "fall.toml", "-o", "fall.####.obj"]);
    for (file, format) in [("fall.mdd", "mdd"), ("fall.0005.obj", "obj series")] {
        let other = place.json(&["info", file]);
        assert_eq!((&other["format"], &other["frames"]), (&format.into(), &12.into()));
        let difference = other["largest_step"].as_f64().unwrap() - info["largest_step"].as_f64().unwrap();
        assert!(difference.abs() < 1e-6);
    }
    let table = place.json(&["info", "fall.pc2.contacts.csv"]);
    assert_eq!((&table["kind"], &table["rows"]), (&"contacts".into(), &answer["contacts"]));
}

#[test]
fn the_same_bits_come_from_any_number_of_threads() {
    let place = falling(12);
    place.done(&["simulate", "fall.toml", "-o", "one.pc2", "--threads", "1"]);
    place.done(&["simulate", "fall.toml", "-o", "three.pc2", "--threads", "3"]);
    assert!(place.read("one.pc2") == place.read("three.pc2"));
    assert_eq!(place.read("one.pc2.contacts.csv"), place.read("three.pc2.contacts.csv"));
}

#[test]
fn what_is_simulated_can_be_the_input_of_another_shot() {
    let place = falling(3);
    place.done(&["simulate", "fall.toml", "-o", "fall.pc2"]);
    place.write(
        "again.toml",
        String::from_utf8(place.read("bar.toml")).unwrap() + "\n[motion]\ninput = \"fall.pc2\"\n",
    );
    place.done(&["render", "again.toml", "--frame", "7", "-o", "seven.png", "--size", "160x90"]);
    let message = place.error(&["render", "again.toml", "--frame", "8", "-o", "eight.png"]);
    assert!(message.ends_with("there is no frame 8; the motion has frames 5 to 7"), "{message}");
}

#[test]
fn mistakes_are_named() {
    let place = falling(3);
    let message = place.error(&["simulate", "fall.toml", "-o", "fall.mov"]);
    assert!(message.starts_with("fall.mov: ") && message.contains(".pc2"), "{message}");
    let message = place.error(&["simulate", "fall.toml", "-o", "nowhere/fall.pc2"]);
    assert!(message.contains("nowhere"), "{message}");
    let message = place.error(&["simulate", "fall.toml", "-o", "fall.pc2", "--skin"]);
    assert!(message.contains("the body has no skin"), "{message}");
    let run = place.run(&["simulate", "fall.toml", "-o", "fall.pc2", "--frames", "0"]);
    assert_eq!(run.code, Some(2));
    place.write("bad.pc2", b"POINTCACHE2\0\x01\0\0\0\x01\0\0\0\0\0\0\0\0\0\x80\x3f\0\0\0\0");
    let message = place.error(&["info", "bad.pc2"]);
    assert!(message.starts_with("bad.pc2"), "{message}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_a_valid_file_of_the_frames_done() {
    let place = falling(100_000);
    let mut child = place.command(&["simulate", "fall.toml", "-o", "fall.mdd"]);
    let child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    sleep(Duration::from_millis(1500));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr.contains("of 100000 frames are done and saved in fall.mdd"), "{stderr}");
    assert!(stderr.ends_with("error: cancelled\n"), "{stderr}");
    let info = place.json(&["info", "fall.mdd"]);
    let frames = info["frames"].as_u64().unwrap();
    assert!((1..100_000).contains(&frames));
    assert_eq!(place.names("."), ["bar.toml", "bar.veg", "fall.mdd", "fall.mdd.contacts.csv", "fall.toml"]);
}
