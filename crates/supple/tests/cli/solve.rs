//! `supple solve`.

use crate::cli::run::{BAR, HOP, Place, bar, keys};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;
use supple_formats::{SurfaceFile, open_motion, write_obj};

/// The vertex at (4, 1, 0.5) of the bar, and where it shall be.
const TIP: usize = 19;
const FRAME: i32 = 12;

/// `edit.toml`: the bar of `bar.toml` at rest for 24 frames from 5 on, its tip lifted at frame 12.
fn lifted(more: &str) -> Place {
    let place = Place::with_bar();
    place.write("edit.toml", shot(24, more));
    place
}

fn shot(frames: usize, more: &str) -> String {
    format!(
        "{BAR}{more}\n[[edit.handle]]\nframe = {FRAME}\nvertex = {TIP}\nby = [0.0, 0.8, 0.0]\n\n[motion]\nframes = \
         {frames}\nstart = 5\n"
    )
}

/// A tip that is pulled below a floor: those who want it so are told how deep it goes, the others find it on the floor.
#[test]
fn what_goes_through_the_floor_is_held_or_told() {
    let place = Place::with_bar();
    let pulled = |contacts: &str| {
        let handle = format!("[[edit.handle]]\nframe = {FRAME}\nvertex = {TIP}\nby = [0.0, -0.8, 0.0]\n");
        let floor = "[simulate]\nfloor = { height = -0.1 }\n";
        place.write(
            "edit.toml",
            format!("{BAR}\n{handle}\n[motion]\nframes = 24\nstart = 5\n\n{floor}{contacts}"),
        );
        let answer = place.json(&["solve", "edit.toml", "-o", "edited.pc2"]);
        let lowest = (0..24).flat_map(|index| frame(&place, "edited.pc2", index)).map(|p| p[1]);
        (answer["penetration"].clone(), lowest.fold(f64::INFINITY, f64::min))
    };
    let (told, lowest) = pulled("\n[contacts]\nnew = \"report\"\n");
    assert!(lowest < -0.5, "{lowest}");
    assert!((told["depth"].as_f64().unwrap() - (-0.1 - lowest)).abs() < 1e-6, "{told}");
    assert!(told["vertex"].is_u64() && told["frame"].is_i64() && told["held"] == 0, "{told}");
    let text = place.done(&["solve", "edit.toml", "-o", "edited.pc2"]);
    assert!(text.contains("GOES THROUGH: vertex "), "{text}");
    let (held, lowest) = pulled("");
    assert!(lowest > -0.1 - 1e-5, "{lowest}");
    assert!(held["vertex"].is_null() && held["held"].as_u64().unwrap() > 0, "{held}");
    assert!(place.done(&["solve", "edit.toml", "-o", "edited.pc2"]).contains("nothing goes deeper"));
}

/// The points of a frame of a motion file.
fn frame(place: &Place, name: &str, index: usize) -> Vec<[f64; 3]> {
    let mut motion = open_motion(place.path().join(name)).unwrap();
    let mut positions = vec![[0.0; 3]; motion.vertices()];
    motion.read(index, &mut positions).unwrap();
    positions
}

#[test]
fn the_edited_motion_and_a_report_are_written() {
    let place = lifted("");
    let text = place.done(&["solve", "edit.toml", "-o", "edited.pc2"]);
    for line in [
        "edited.pc2",
        "24, 5 to 28, 24 fps",
        "20 vertices of the body",
        "1: frame 12, goal 0.8 m from the input: met, ",
        "converged in ",
        "largest at frame ",
        "the edit inverts no element",
    ] {
        assert!(text.contains(line), "{line:?} in\n{text}");
    }
    assert!(!text.contains("contacts") && !text.contains("next shot"), "{text}");
    let tip = frame(&place, "edited.pc2", (FRAME - 5) as usize)[TIP];
    let off = [tip[0] - 4.0, tip[1] - 1.8, tip[2] - 0.5].map(f64::abs);
    assert!(off.iter().all(|x| *x < 1e-6), "{tip:?}");
    assert_eq!(frame(&place, "edited.pc2", 0)[TIP], [4.0, 1.0, 0.5]);
}

/// What scripts read: the keys are a promise.
/// What a handle has in JSON.
const HANDLE: [&str; 15] = [
    "asked",
    "error",
    "frame",
    "handle",
    "of_velocity",
    "over_distance",
    "plant",
    "reason",
    "redundant",
    "relative_error",
    "rms",
    "segment",
    "shortfall",
    "soft",
    "time",
];

#[test]
fn the_report_has_its_keys_and_figures() {
    let answer = lifted("").json(&["solve", "edit.toml", "-o", "again.mdd"]);
    assert_eq!(
        keys(&answer),
        [
            "baked",
            "contacts",
            "energy",
            "force",
            "force_over_time",
            "forces",
            "fps",
            "frames",
            "handles",
            "inverted",
            "iterations",
            "keys",
            "modes",
            "output",
            "penalty",
            "penetration",
            "points",
            "seconds",
            "seconds_per_frame",
            "shot",
            "smoothness",
            "start",
            "starts",
            "stationarity",
            "status",
            "vertices",
            "volume",
            "warnings"
        ]
    );
    assert_eq!(
        (&answer["frames"], &answer["start"], &answer["modes"], &answer["status"]),
        (&24.into(), &5.into(), &10.into(), &"settled".into())
    );
    assert_eq!(answer["points"], "body");
    assert_eq!(keys(&answer["inverted"]), ["count", "frame", "input"]);
    assert_eq!(answer["inverted"]["count"], 0);
    let handle = &answer["handles"][0];
    assert_eq!(keys(handle), HANDLE);
    assert_eq!(handle["reason"], serde_json::Value::Null);
    let first = &answer["starts"][0];
    assert_eq!(keys(first), ["energy", "kept", "start", "status"]);
    assert_eq!((&first["start"], &first["kept"]), (&"zero".into(), &true.into()));
    assert_eq!(first["energy"], answer["energy"]);
    assert_eq!(
        (&handle["handle"], &handle["frame"], &handle["soft"]),
        (&1.into(), &FRAME.into(), &false.into())
    );
    assert!(handle["relative_error"].as_f64().unwrap() <= 1e-6);
    assert!((handle["asked"].as_f64().unwrap() - 0.8).abs() < 1e-12);
    assert_eq!(answer["force_over_time"].as_array().unwrap().len(), 24);
    assert_eq!(keys(&answer["force"]), ["frame", "newtons", "norm", "vertex"]);
    assert_eq!(keys(&answer["volume"]), ["frame", "largest"]);
    assert_eq!(keys(&answer["contacts"]), ["all", "clusters", "drift", "linear_drift", "plants"]);
    assert_eq!(keys(&answer["seconds"]), ["prepare", "solve", "total"]);
}

#[test]
fn a_handle_that_cannot_be_met_is_said_to_be_missed() {
    let place = Place::with_bar();
    let also = format!("\n[[edit.handle]]\nframe = {FRAME}\nvertex = {TIP}\nby = [0.0, -0.5, 0.0]\n");
    place.write("torn.toml", shot(24, &also));
    let text = place.done(&["solve", "torn.toml", "-o", "torn.pc2"]);
    assert!(text.contains("conflicts with other handles or contacts"), "{text}");
    assert!(text.contains("compromise"), "{text}");
    let answer = place.json(&["solve", "torn.toml", "-o", "torn.pc2"]);
    assert_eq!(answer["handles"][1]["reason"], "contradicts");
    place.write("far.toml", shot(24, "").replace("[0.0, 0.8, 0.0]", "[12.0, 0.0, 0.0]"));
    let run = place.run(&["solve", "far.toml", "-o", "far.pc2"]);
    let text = run.stdout.clone();
    assert!(run.code == Some(0) && run.stderr.starts_with("warning: handle 1: dragged 3.0 times"), "{run:?}");
    assert!(
        text.contains("goal 12 m from the input: OUT OF REACH, ") && text.contains(" % short of its goal"),
        "{text}"
    );
    let run = place.run(&["solve", "far.toml", "-o", "far.pc2", "--json"]);
    let answer: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let (handle, status) = (&answer["handles"][0], &answer["status"]);
    assert_eq!((status, &handle["reason"]), (&"compromise".into(), &"out_of_reach".into()));
    assert!(handle["shortfall"].as_f64().is_some_and(|short| short > 80.0 && short < 90.0), "{handle}");
    let warning = "handle 1: dragged 3.0 times as far as its distance to the anchors; out of reach, 85 % of \
                   the drag missing";
    assert_eq!(answer["warnings"], serde_json::json!([warning]));
    place.write("soft.toml", shot(24, "").replace("by = [", "hold = 0.001\nby = ["));
    let text = place.done(&["solve", "soft.toml", "-o", "soft.pc2"]);
    assert!(text.contains("1: frame 12, goal 0.8 m from the input: soft, "), "{text}");
}

#[test]
fn the_next_shot_goes_on_from_the_edited_motion() {
    let place = lifted("");
    let answer = place.json(&["solve", "edit.toml", "-o", "edited.pc2", "--bake", "next.toml"]);
    assert_eq!(answer["baked"], "next.toml");
    let next = String::from_utf8(place.read("next.toml")).unwrap();
    assert!(next.contains("edited.pc2") && !next.contains("[[edit.handle]]"), "{next}");
    let answer = place.json(&["solve", "next.toml", "-o", "same.pc2"]);
    assert_eq!((&answer["handles"], &answer["start"]), (&serde_json::json!([]), &5.into()));
    for index in [0, 7, 23] {
        assert_eq!(frame(&place, "same.pc2", index), frame(&place, "edited.pc2", index));
    }
}

#[test]
fn a_skin_is_written_if_asked_for() {
    let place = lifted("");
    let skin = SurfaceFile {
        positions: vec![[1.0, 0.2, 0.1], [3.0, 0.2, 0.1], [3.0, 0.8, 0.4]],
        triangles: vec![[0, 1, 2]],
        ..SurfaceFile::default()
    };
    let mut bytes = Vec::new();
    write_obj(&skin, &mut bytes).unwrap();
    place.write("skin.obj", bytes);
    // Vertices are those of the skin now.
    let text =
        shot(24, "").replace("mesh =", "skin = \"skin.obj\"\nmesh =").replace("vertex = 19", "vertex = 2");
    place.write("skin.toml", text);
    let answer = place.json(&["solve", "skin.toml", "-o", "skin.pc2", "--skin"]);
    assert_eq!((&answer["points"], &answer["vertices"]), (&"skin".into(), &3.into()));
    let corner = frame(&place, "skin.pc2", (FRAME - 5) as usize)[2];
    let off = [corner[0] - 3.0, corner[1] - 1.6, corner[2] - 0.4].map(f64::abs);
    assert!(off.iter().all(|x| *x < 1e-5), "{corner:?}");
    let message = place.error(&["solve", "skin.toml", "-o", "s.pc2", "--skin", "--bake", "n.toml"]);
    assert_eq!(message, "skin.toml: --bake needs the motion of the body; leave out --skin");
    let message = place.error(&["solve", "edit.toml", "-o", "s.pc2", "--skin"]);
    assert!(message.contains("the body has no skin"), "{message}");
}

#[test]
fn mistakes_are_named_and_leave_no_file() {
    let place = lifted("");
    let message = place.error(&["solve", "edit.toml", "-o", "edited.mov"]);
    assert!(message.starts_with("edited.mov: ") && message.contains(".pc2"), "{message}");
    let message = place.error(&["solve", "edit.toml", "-o", "nowhere/edited.pc2"]);
    assert!(message.contains("there is no folder nowhere"), "{message}");
    place.write("far.toml", shot(24, "").replace("vertex = 19", "vertex = 20"));
    let message = place.error(&["solve", "far.toml", "-o", "edited.pc2"]);
    assert_eq!(
        message,
        "far.toml: handle 1: there is no vertex 20: the body has 20 vertices, counted from 0"
    );
    place.write("held.toml", shot(24, "").replace("vertex = 19", "vertex = 0"));
    let message = place.error(&["solve", "held.toml", "-o", "edited.pc2"]);
    assert!(message.starts_with("held.toml: handle 1: vertex 0 is anchored"), "{message}");
    place.write("nan.toml", shot(24, "").replace("0.8", "nan"));
    assert!(place.error(&["solve", "nan.toml", "-o", "edited.pc2"]).contains("nan.toml"));
    let left: Vec<String> = place.names(".").into_iter().filter(|name| name.contains("edited")).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_solve_leaves_no_file() {
    let place = Place::with_bar();
    // Minutes of work.
    place.write("long.toml", shot(2_000_000, ""));
    let mut child = place.command(&["solve", "long.toml", "-o", "long.pc2"]);
    let child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    sleep(Duration::from_millis(1500));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(stderr, "error: cancelled\n");
    assert!(place.names(".").iter().all(|name| !name.starts_with("long.pc2")), "{:?}", place.names("."));
}

/// A body ten thousand kilometres away came out of a .pc2 as a heap of equal points that did not move, and nothing was said.
#[test]
fn a_format_with_too_few_digits_for_the_place_of_the_body_is_told() {
    let place = lifted("");
    let said = |place: &Place, output: &str| {
        let run = place.run(&["solve", "edit.toml", "-o", output, "--json"]);
        let answer: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        let warnings: Vec<String> = serde_json::from_value(answer["warnings"].clone()).unwrap();
        let told = warnings.iter().map(|warning| format!("warning: {warning}\n")).collect::<String>();
        assert_eq!((run.code, run.stderr), (Some(0), told));
        warnings.into_iter().find(|warning| warning.contains("digits"))
    };
    assert_eq!(said(&place, "near.pc2"), None);
    let mut far = bar();
    far.positions.iter_mut().for_each(|p| p[1] += 1e7);
    place.write_veg("bar.veg", &far);
    let warning = said(&place, "far.pc2").unwrap();
    assert!(warning.starts_with("far.pc2 stores seven digits, so points 1.0e7 m from the"), "{warning}");
    assert!(warning.contains("by up to 0.50 m: write a series of .ply or .obj files"), "{warning}");
    assert!(warning.ends_with("or move the body to the origin"), "{warning}");
    assert!(said(&place, "far.glb").is_some());
    // All digits.
    assert_eq!(said(&place, "far.####.ply"), None);
}

/// A motion that is made of keys is known between its frames, and joints need not be at one.
#[test]
fn a_chain_is_written_at_any_rate_and_with_its_keys() {
    let place = Place::with_bar();
    place.write("hop.toml", HOP);
    let own = place.json(&["solve", "hop.toml", "-o", "own.pc2"]);
    let answer =
        place.json(&["solve", "hop.toml", "-o", "fine.pc2", "--fps", "120", "--write-keys", "new/keys"]);
    let frames = own["frames"].as_u64().unwrap();
    assert_eq!((&own["fps"], &own["keys"]), (&24.0.into(), &serde_json::json!([])));
    assert_eq!((&answer["fps"], &answer["start"]), (&120.0.into(), &5.into()));
    assert_eq!(answer["frames"], 5 * (frames - 1) + 1);
    assert_eq!(open_motion(place.path().join("fine.pc2")).unwrap().frames() as u64, 5 * (frames - 1) + 1);
    for index in [0, 10, 20] {
        assert_eq!(frame(&place, "own.pc2", index), frame(&place, "fine.pc2", 5 * index));
    }
    // Segments and handles are told in frames of the shot.
    assert_eq!((&answer["segments"], &answer["handles"]), (&own["segments"], &own["handles"]));
    let segments = answer["segments"].as_array().unwrap();
    let starts: Vec<f64> = segments.iter().map(|segment| segment["start"].as_f64().unwrap()).collect();
    assert_eq!((starts[0], starts[1]), (5.0, 17.0));
    assert!(starts[2].fract() > 0.0, "{starts:?}");
    let handle = &answer["handles"][0];
    assert_eq!(keys(handle), HANDLE);
    assert_eq!(
        (&handle["segment"], &handle["time"], &handle["frame"]),
        (&1.into(), &17.0.into(), &17.into())
    );
    assert!(handle["rms"].as_f64().unwrap() < 1e-6, "{handle}");
    let key = serde_json::json!({ "segment": 1, "at": "end", "time": 17.0, "pose": "new/keys/key-1-pose.ply",
        "velocity": "new/keys/key-1-velocity.ply" });
    assert_eq!(answer["keys"], serde_json::json!([key]));
    assert_eq!(place.names("new/keys"), ["key-1-pose.ply", "key-1-velocity.ply"]);
    let text = place.done(&["solve", "hop.toml", "-o", "own.pc2", "--write-keys", "new/keys"]);
    for line in [
        "1: segment 1, frame 17, goal 3 m/s from the input: met",
        "segments  1: ground, frames 5 to 17 (12)",
        "2: flight, frames 17 to ",
        "segment 1, frame 17 (at = \"end\")",
        "velocity new/keys/key-1-velocity.ply",
    ] {
        assert!(text.contains(line), "{line:?} in\n{text}");
    }
    for fps in ["0", "-3", "nan", "1e40"] {
        let message = place.error(&["solve", "hop.toml", "-o", "no.pc2", "--fps", fps]);
        assert!(message.starts_with("--fps must be between 1e-6 and 1e9 frames per second"), "{message}");
    }
    for option in [["--fps", "48"], ["--write-keys", "new"]] {
        let message = place.error(&["solve", "bar.toml", "-o", "no.pc2", option[0], option[1]]);
        let expected = format!("bar.toml: {} is for the methods \"sparse\" and \"control\"", option[0]);
        assert!(message.starts_with(&expected), "{message}");
    }
    assert!(!place.names(".").contains(&"no.pc2".to_owned()));
}
