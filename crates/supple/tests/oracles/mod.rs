//! Scenes by other programs go through `supple new`, `edit` and `solve`, and those programs read what comes out.
//!
//! Ignored unless asked for, best by `crates/supple-formats/tests/oracles/run.sh`.
#![expect(clippy::unwrap_used, reason = "a step that fails is a test that fails")]

mod feel;
#[path = "../../../supple-formats/tests/oracles/script.rs"]
mod script;

use crate::cli::run::Place;
use serde_json::json;

/// Makes `scene` with the script, pulls what is nearest to `near` at a frame, solves into `out`, has the script read it.
fn flow(scripts: &str, scene: &str, out: &str, frame: i32, near: &str, by: [f64; 3], in_file: &[&str]) {
    let place = Place::new();
    script::run(scripts, &[place.path()]);
    let new = place.json(&["new", scene, "-o", "shot.toml"]);
    assert_eq!(new["notes"], json!([]), "{new}");
    // The edit begins at nothing, so that the scripts find the vertices again.
    let shot = String::from_utf8(place.read("shot.toml")).unwrap();
    let shot = if shot.contains("[edit]\n") { shot } else { format!("{shot}\n[edit]\n") };
    place.write("shot.toml", shot.replace("[edit]\n", "[edit]\nends = { start = \"clamped\" }\n"));
    let (number, pull) = (frame.to_string(), format!("{},{},{}", by[0], by[1], by[2]));
    let edit = [&["edit", "shot.toml", "--frame", &number, "--near", near, "--by", &pull], in_file].concat();
    let edit = place.json(&edit);
    let solved = place.json(&["solve", "shot.toml", "-o", out]);
    assert_eq!(solved["status"], "settled", "{solved}");
    let handle = &edit["handles"][0];
    let asked = json!({ "frame": frame, "vertex": handle["vertex"], "at": handle["at"], "by": by });
    let told = place.path().join("asked.json");
    std::fs::write(&told, asked.to_string()).unwrap();
    script::run(scripts, &[place.path(), &told]);
}

#[test]
#[ignore = "needs the virtual environment of oracles"]
fn a_scene_of_usd_core_in_centimetres_comes_back_edited() {
    flow("flow_usd.py", "scene.usdc", "edited.usda", 15, "60,0,130", [0.0, 4.0, 8.0], &["--in-file"]);
}

#[test]
#[ignore = "needs the virtual environment of oracles"]
fn a_sheet_of_blender_comes_back_edited() {
    flow("flow_blender.py", "scene.glb", "edited.glb", 9, "1,0,-0.5", [0.0, 0.1, 0.05], &[]);
}
