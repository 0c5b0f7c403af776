//! Motions through poses, from the command line: solved, written with their forces, replayed, pushed and drawn.

use super::run::{Place, bar_body, keys};

/// A bar whose tip is pulled up, then aside.
const SHOT: &str = concat!(
    bar_body!(),
    r#"
[motion]
frames = 25
seconds_per_frame = 0.03

[edit]
method = "control"

[edit.control]
basis = { modes = 3 }

[[edit.pose]]
frame = 13
loads = [{ near = [4, 1, 0], force = [0, 900, 0] }]

[[edit.pose]]
frame = 25
loads = [{ near = [4, 1, 0], force = [0, 0, 300] }]
"#
);

fn place() -> Place {
    let place = Place::with_bar();
    place.write("poses.toml", SHOT);
    place
}

#[test]
fn poses_become_a_motion_and_its_forces() {
    let place = place();
    let answer = place.json(&["solve", "poses.toml", "-o", "out.pc2", "--forces", "forces.csv"]);
    assert_eq!((&answer["status"], &answer["forces"]), (&"settled".into(), &"forces.csv".into()));
    let poses = answer["poses"].as_array().unwrap();
    let names = ["asked", "error", "farthest", "frame", "pose", "relative_error", "segment", "soft"];
    assert_eq!((poses.len(), keys(&poses[0])), (2, names.to_vec()));
    assert!(poses.iter().all(|pose| pose["relative_error"].as_f64().unwrap() < 1e-8), "{poses:?}");
    assert!(answer["effort"].as_f64().unwrap() > 0.0 && answer["energy"].as_f64().unwrap() > 0.0);
    assert!(answer["volume"]["change"].is_number() && answer["spline_volume"]["change"].is_number());
    assert_eq!(answer["control_force"].as_array().unwrap().len(), 25);
    let text = String::from_utf8(place.read("forces.csv")).unwrap();
    assert!(text.starts_with("# control forces, basis ") && text.lines().count() == 2 + 24, "{text}");

    let again = place.json(&["simulate", "poses.toml", "--forces", "forces.csv", "-o", "again.pc2"]);
    assert_eq!((&again["frames"], &again["steps"]), (&25.into(), &24.into()));
    assert_eq!(place.read("out.pc2"), place.read("again.pc2"), "a file has single precision");
    place.done(&["solve", "poses.toml", "-o", "out.pc2", "--forces", "newtons.pc2"]);
    assert_eq!(place.read("newtons.pc2").len(), place.read("out.pc2").len());
    // Pushed, and held.
    let push = "\n[[load]]\nnear = [4, 1, 0]\nforce = [0, 0, 400]\nframes = [3, 6]\n";
    place.write("pushed.toml", format!("{SHOT}{push}"));
    for (options, out) in [(&[][..], "open.pc2"), (&["--track"][..], "held.pc2")] {
        let args = ["simulate", "pushed.toml", "--forces", "forces.csv", "-o", out];
        place.done(&[&args[..], options].concat());
        assert_ne!(place.read(out), place.read("out.pc2"), "{out}");
    }
}

#[test]
fn poses_are_prepared_drawn_baked_and_written() {
    let place = place();
    let prepared = place.json(&["prepare", "poses.toml"]);
    assert_eq!((&prepared["control"]["poses"], &prepared["modes"]), (&2.into(), &3.into()));
    place.done(&["render", "poses.toml", "--keys", "-o", "keys.png"]);
    place.done(&[
        "render",
        "poses.toml",
        "--frame",
        "7",
        "--spline",
        "-o",
        "spline.png",
        "--size",
        "320x200",
    ]);
    place.done(&["render", "poses.toml", "--frame", "7", "-o", "plain.png", "--size", "320x200"]);
    assert_ne!(place.read("spline.png"), place.read("plain.png"));
    let args = ["solve", "poses.toml", "-o", "out.pc2", "--bake", "next.toml", "--write-keys", "poses"];
    let answer = place.json(&[&args[..], &["--fps", "48"]].concat());
    assert_eq!((&answer["frames"], answer["keys"].as_array().unwrap().len()), (&49.into(), 2));
    // A smooth edit has no use for the seconds per frame, which are left out.
    let run = place.run(&["solve", "next.toml", "-o", "next.pc2", "--json"]);
    assert!(run.code == Some(0) && !run.stderr.contains("no effect"), "{run:?}");
    let next: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((&next["status"], &next["frames"]), (&"settled".into(), &49.into()));
}

#[test]
fn what_cannot_be_is_named() {
    let place = place();
    place.done(&["solve", "poses.toml", "-o", "out.pc2", "--forces", "forces.csv"]);
    place.write("other.toml", SHOT.replace("modes = 3", "modes = 2"));
    let said = place.error(&["simulate", "other.toml", "--forces", "forces.csv", "-o", "no.pc2"]);
    assert!(said.starts_with("other.toml: forces.csv: these forces are of another basis"), "{said}");
    place.write("empty.toml", SHOT.split("[[edit.pose]]").next().unwrap());
    let said = place.error(&["solve", "empty.toml", "-o", "no.pc2"]);
    assert_eq!(said, "empty.toml: the motion has no key pose to go to; add [[edit.pose]]");
    let said = place.error(&["simulate", "poses.toml", "--track", "-o", "no.pc2"]);
    assert_eq!(said, "--track needs --forces");
    let said = place.error(&["simulate", "bar.toml", "--forces", "forces.csv", "-o", "no.pc2"]);
    assert!(said.starts_with("bar.toml: --forces is for the method \"control\""), "{said}");
    let said = place.error(&["solve", "bar.toml", "--forces", "forces.csv", "-o", "no.pc2"]);
    assert!(said.starts_with("bar.toml: --forces is for the method \"control\""), "{said}");
    let said = place.error(&["render", "bar.toml", "--mode", "1", "--spline", "-o", "no.png"]);
    assert!(!said.is_empty());
    assert!(!place.names(".").contains(&"no.pc2".to_owned()));
}
