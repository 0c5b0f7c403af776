//! Work that got lost: motions written over what they are made from, edits that overtook each other, leftovers of kills.

use crate::cli::new::with_ball;
use crate::cli::run::{BAR, Place};
use std::fs;
use std::process::Stdio;

/// `ball.toml`, of the ball in `ball.usda`, and that ball as `ball.pc2` and as a series of `.obj`.
fn with_shots() -> Place {
    let place = with_ball();
    place.done(&["new", "ball.usda", "--cells", "4", "-o", "ball.toml"]);
    place.done(&["convert", "ball.usda", "ball.pc2"]);
    place.done(&["convert", "ball.usda", "run.####.obj"]);
    let text = String::from_utf8(place.read("ball.toml")).unwrap();
    place.write("cache.toml", text.replace("ball.usda", "ball.pc2"));
    place.write("series.toml", text.replace("ball.usda", "run.####.obj"));
    place
}

/// Checks that a command is refused with the names of both files, and changes nothing.
fn is_refused(place: &Place, args: &[&str], output: &str, read: &str) {
    let before = place.read(read);
    let message = place.error(args);
    assert!(message.contains(output) && message.contains(read), "{args:?}: {message}");
    assert!(message.contains("choose another name"), "{args:?}: {message}");
    assert_eq!(place.read(read), before, "{args:?}");
    assert!(place.names(".").iter().all(|name| !name.starts_with(".supple")), "{:?}", place.names("."));
}

/// `solve -o` wrote over the shot's own input: a `.pc2`, a series, a `.usda` with `--flatten`, under any name of it.
#[test]
fn solve_never_writes_over_what_the_shot_reads() {
    let place = with_shots();
    fs::create_dir(place.path().join("sub")).unwrap();
    is_refused(&place, &["solve", "cache.toml", "-o", "ball.pc2"], "ball.pc2", "ball.pc2");
    is_refused(&place, &["solve", "cache.toml", "-o", "./sub/../ball.pc2"], "./sub/../ball.pc2", "ball.pc2");
    is_refused(&place, &["solve", "series.toml", "-o", "run.####.obj"], "run.0005.obj", "run.0005.obj");
    is_refused(&place, &["solve", "series.toml", "-o", "run.obj"], "run.0005.obj", "run.0005.obj");
    is_refused(&place, &["solve", "ball.toml", "-o", "ball.usda", "--flatten"], "ball.usda", "ball.usda");
    is_refused(&place, &["solve", "ball.toml", "-o", "ball.usda"], "ball.usda", "ball.usda");
    let bake = ["solve", "ball.toml", "-o", "out.pc2", "--bake", "ball.skin.obj"];
    is_refused(&place, &bake, "ball.skin.obj", "ball.skin.obj");
    // The shot itself is what the baked one is made from: its handles would be gone.
    is_refused(
        &place,
        &["solve", "ball.toml", "-o", "out.pc2", "--bake", "ball.toml"],
        "ball.toml",
        "ball.toml",
    );
    is_refused(
        &place,
        &["solve", "ball.toml", "-o", "o.pc2", "--bake", "sub/../ball.toml"],
        "sub/../ball.toml",
        "ball.toml",
    );
    // Another motion of the same name as the shot is none of its files.
    place.done(&["solve", "ball.toml", "-o", "ball.pc2"]);
    place.done(&["solve", "ball.toml", "-o", "ball.pc2"]);
}

/// Links were followed to the input, which was then written over.
#[cfg(unix)]
#[test]
fn no_link_leads_to_what_the_shot_reads() {
    let place = with_shots();
    std::os::unix::fs::symlink("ball.pc2", place.path().join("soft.pc2")).unwrap();
    fs::hard_link(place.path().join("ball.pc2"), place.path().join("hard.pc2")).unwrap();
    is_refused(&place, &["solve", "cache.toml", "-o", "soft.pc2"], "soft.pc2", "ball.pc2");
    is_refused(&place, &["solve", "cache.toml", "-o", "hard.pc2"], "hard.pc2", "ball.pc2");
    // The series that a skin is the first file of.
    std::os::unix::fs::symlink("ball.skin.obj", place.path().join("out.0005.obj")).unwrap();
    is_refused(&place, &["solve", "cache.toml", "-o", "out.####.obj"], "out.0005.obj", "ball.skin.obj");
}

/// A scene is made of all its layers: `convert` and `solve` wrote over those it refers to.
#[test]
fn layers_and_buffers_are_read_too() {
    let place = with_shots();
    place.write("over.usda", "#usda 1.0\n(\n    subLayers = [ @./ball.usda@ ]\n)\n");
    is_refused(&place, &["convert", "over.usda", "ball.usda"], "ball.usda", "ball.usda");
    is_refused(&place, &["convert", "ball.usda", "ball.usda"], "ball.usda", "ball.usda");
    place.done(&["convert", "ball.usda", "ball.gltf"]);
    is_refused(&place, &["convert", "ball.gltf", "ball.gltf"], "ball.gltf", "ball.gltf");
    fs::rename(place.path().join("ball.gltf"), place.path().join("other.gltf")).unwrap();
    is_refused(&place, &["convert", "other.gltf", "ball.gltf"], "ball.bin", "ball.bin");
    is_refused(&place, &["convert", "run.0007.obj", "run.####.obj"], "run.0007.obj", "run.0007.obj");
    let topology = ["convert", "ball.pc2", "run.####.obj", "--topology", "run.0007.obj", "--start", "5"];
    is_refused(&place, &topology, "run.0007.obj", "run.0007.obj");
}

/// `simulate`, `pose` and `new` did the same to meshes, inputs and tables.
#[test]
fn other_commands_spare_their_inputs_as_well() {
    let place = Place::with_bar();
    place.write("sim.toml", format!("{BAR}\n[motion]\ninput = \"simulate\"\nframes = 3\n"));
    place.done(&["simulate", "sim.toml", "-o", "sim.pc2"]);
    place.done(&["simulate", "sim.toml", "-o", "sim.pc2"]);
    place.write(
        "again.toml",
        format!("{BAR}\n[motion]\ninput = \"sim.pc2\"\n[contacts]\nfile = \"other.pc2.contacts.csv\"\n"),
    );
    place.write("other.pc2.contacts.csv", place.read("sim.pc2.contacts.csv"));
    is_refused(&place, &["simulate", "again.toml", "--frames", "3", "-o", "sim.pc2"], "sim.pc2", "sim.pc2");
    let beside = "other.pc2.contacts.csv";
    is_refused(&place, &["simulate", "again.toml", "--frames", "3", "-o", "other.pc2"], beside, beside);
    place.write("skin.obj", "v 0 0 0\nv 4 0 0\nv 0 1 0\nf 1 2 3\n");
    let skinned = BAR.replace("mesh = \"bar.veg\"", "mesh = \"bar.veg\"\nskin = \"skin.obj\"");
    place.write("skinned.toml", skinned);
    is_refused(&place, &["pose", "skinned.toml", "--weight", "-o", "skin.obj"], "skin.obj", "skin.obj");

    let place = with_ball();
    place.done(&["convert", "ball.usda", "ball.pc2"]);
    place.done(&["new", "ball.usda", "--cells", "3", "-o", "ball.toml"]);
    let skin = ["new", "ball.pc2", "--topology", "ball.skin.obj", "-o", "ball.toml", "--force"];
    is_refused(&place, &skin, "ball.skin.obj", "ball.skin.obj");
    is_refused(&place, &["new", "ball.usda", "-o", "ball.usda", "--force"], "ball.usda", "ball.usda");
}

/// Eight `supple edit` at once all said "added", and one of the eight handles was in the shot.
#[test]
fn edits_at_the_same_time_are_all_kept() {
    let place = Place::with_bar();
    // As a command that was killed leaves it.
    place.write(".bar.toml.lock", "");
    let frames: Vec<String> = (1..=8).map(|k| (10 * k).to_string()).collect();
    let mut running: Vec<_> = frames
        .iter()
        .map(|frame| {
            let args = ["edit", "bar.toml", "--frame", frame, "--vertex", "19", "--by", "0,0.1,0"];
            place.command(&args).stdout(Stdio::null()).spawn().unwrap()
        })
        .collect();
    assert!(running.iter_mut().all(|child| child.wait().unwrap().success()));
    let listed = place.json(&["edit", "bar.toml", "--list"]);
    let mut kept: Vec<i64> = listed["handles"]
        .as_array()
        .unwrap()
        .iter()
        .map(|handle| handle["frame"].as_i64().unwrap())
        .collect();
    kept.sort_unstable();
    assert_eq!(kept, [10, 20, 30, 40, 50, 60, 70, 80]);
    assert!(!place.names(".").contains(&".bar.toml.lock".to_owned()), "{:?}", place.names("."));
}

/// A program that was killed left `.supple-unfinished-*` beside the shot for ever.
#[cfg(target_os = "linux")]
#[test]
fn what_a_killed_program_leaves_is_swept() {
    let place = Place::with_bar();
    place.write("long.toml", format!("{BAR}\n[motion]\ninput = \"simulate\"\nframes = 100000\n"));
    let mut child =
        place.command(&["simulate", "long.toml", "-o", "long.pc2"]).stderr(Stdio::null()).spawn().unwrap();
    let left = || place.names(".").into_iter().filter(|name| name.starts_with(".supple-unfinished-")).count();
    while left() == 0 {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    // Somebody else may write here as long as he lives.
    place.done(&["edit", "bar.toml", "--reach", "12"]);
    assert_eq!(left(), 1, "{:?}", place.names("."));
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(left(), 1, "{:?}", place.names("."));
    place.done(&["edit", "bar.toml", "--reach", "14"]);
    assert_eq!(left(), 0, "{:?}", place.names("."));
}
