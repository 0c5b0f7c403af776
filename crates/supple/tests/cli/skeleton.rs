//! Skeletons: `supple new`, `info` and `convert` of a `.bvh`, and `info` of the shot.

use crate::cli::run::{Place, keys};
use serde_json::{Value, json};

/// A figure `tall` units tall, with ends of lines as Windows has them: the knee has three channels and turns about one axis,
/// the head about two. The first frame is a pose of its own if that is `posed`.
fn figure(tall: f64, posed: bool) -> String {
    let part = |share: f64| share * tall;
    let mut rows = Vec::new();
    if posed {
        rows.push(format!("0 {} 0 90 0 0 0 0 0 0 0 0", part(0.5)));
    }
    for k in 0..8 {
        let t = f64::from(k);
        rows.push(format!(
            "{} {} 0 0 0 0 0 0 {} {} {} 0",
            part(0.01 * t),
            part(0.5),
            2.0 * t,
            3.0 * (t * 1.3).sin(),
            4.0 * (t * 0.9).cos()
        ));
    }
    let text = format!(
        "HIERARCHY\nROOT Hips\n{{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation\n\
         JOINT Knee\n{{\nOFFSET 0 {down} 0\nCHANNELS 3 Zrotation Yrotation Xrotation\nEnd Site\n{{\nOFFSET 0 {down} 0\n}}\n}}\n\
         JOINT Head\n{{\nOFFSET 0 {up} 0\nCHANNELS 3 Zrotation Yrotation Xrotation\n}}\n}}\nMOTION\nFrames: {frames}\n\
         Frame Time: 0.0083333\n{rows}\n",
        down = part(-0.25),
        up = part(0.5),
        frames = rows.len(),
        rows = rows.join("\n")
    );
    text.replace('\n', "\r\n")
}

/// A figure in a plane, in metres: a root that moves and turns there, a leg that swings.
const PLANAR: &str = "HIERARCHY\nROOT Body\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zrotation\nJOINT Leg\n{\n\
                      OFFSET 0 -0.2 0\nCHANNELS 1 Zrotation\nEnd Site\n{\nOFFSET 0 -1.4 0\n}\n}\n}\nMOTION\nFrames: 3\n\
                      Frame Time: 0.0416667\n0 1.6 0 0\n0.1 1.6 1 2\n0.2 1.6 0 4\n";

fn place() -> Place {
    let place = Place::new();
    place.write("walk.bvh", figure(30.0, false));
    place.write("flat.bvh", PLANAR);
    place
}

fn close(value: &Value, expected: f64, within: f64) -> bool {
    value.as_f64().is_some_and(|value| (value - expected).abs() < within)
}

#[test]
fn a_shot_is_made_of_a_skeleton_and_its_unit_is_told_by_its_height() {
    let place = place();
    for (tall, unit) in [(1.7, 1.0), (171.0, 0.01), (66.0, 0.0254), (30.0, 0.056_444)] {
        place.write("walk.bvh", figure(tall, false));
        let made = place.json(&["new", "walk.bvh", "-o", "walk.toml", "--force"]);
        assert_eq!((&made["unit"], &made["unit_from"]), (&json!(unit), &json!("height")), "{tall}");
        assert!(close(&made["height"], tall * unit, 0.02), "{tall}: {made}");
        let shot = String::from_utf8(place.read("walk.toml")).unwrap();
        let lines = ["kind = \"character\"", "skeleton = \"walk.bvh\"", "input = \"walk.bvh\""];
        assert!(lines.iter().all(|line| shot.contains(line)), "{shot}");
        assert!(shot.contains(&format!("unit = {unit}")) && !shot.contains("method"), "{shot}");
    }
    let made = place.json(&["new", "walk.bvh", "-o", "walk.toml", "--force", "--kind", "character"]);
    let expected = [
        "degrees_of_freedom",
        "end_sites",
        "files",
        "fps",
        "frames",
        "height",
        "hinges",
        "joints",
        "kind",
        "notes",
        "seconds",
        "shot",
        "start",
        "unit",
        "unit_from",
        "unit_reason",
        "up",
    ];
    assert_eq!(keys(&made), expected);
    let of =
        ["kind", "joints", "end_sites", "degrees_of_freedom", "start", "frames", "fps", "hinges", "notes"];
    assert_eq!(
        of.map(|key| made[key].clone()),
        [
            json!("character"),
            json!(3),
            json!(1),
            json!(12),
            json!(1),
            json!(8),
            json!(120.0),
            json!(["Knee"]),
            json!([])
        ]
    );
    let text = place.done(&["new", "walk.bvh", "-o", "again.toml"]);
    let said = ["3 joints and 1 end site", "1 unit = 0.056444 m", "1.7 m tall", "--unit", "--joint", "Knee"];
    assert!(said.iter().all(|said| text.contains(said)), "{text}");
}

#[test]
fn a_person_knows_the_unit_and_the_axis_up_better() {
    let place = place();
    let made = place.json(&["new", "walk.bvh", "-o", "walk.toml", "--unit", "cm"]);
    assert_eq!((&made["unit"], &made["unit_from"]), (&json!(0.01), &json!("option")));
    assert!(close(&made["height"], 0.3, 0.01), "{made}");
    // Lying on its back, it is as tall as its bent knee is deep.
    let made = place.json(&["new", "walk.bvh", "-o", "z.toml", "--unit", "cm", "--up", "z"]);
    assert!(made["up"] == "z" && made["height"].as_f64().unwrap() < 0.05, "{made}");
    let shot = String::from_utf8(place.read("z.toml")).unwrap();
    assert!(shot.contains("up = \"z\"") && shot.contains("unit = 0.01"), "{shot}");
}

/// Programs with z up write BVH without a word of it: figures lay on their backs, in another unit. What is long and crawls on
/// the ground does not stand along its length.
#[test]
fn the_axis_up_is_told_by_what_stands() {
    let limbs = |limbs: &[[f64; 3]], way: &str| {
        let limb = |(k, [x, y, z]): (usize, &[f64; 3])| {
            format!(
                "JOINT L{k}\n{{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Yrotation Xrotation\nEnd Site\n{{\nOFFSET {x} {y} {z}\n}}\n}}\n"
            )
        };
        let limbs: String = limbs.iter().enumerate().map(limb).collect();
        let row = |k: i32| {
            let far = format!("{}", 4 * k);
            let turns = (0..3 * limbs.matches("JOINT").count()).map(|j| format!(" {}", (j as i32 * k) % 3));
            way.replace('t', &far) + " 0 0 0" + &turns.collect::<String>() + "\n"
        };
        let rows: String = (0..24).map(row).collect();
        format!(
            "HIERARCHY\nROOT Hips\n{{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation\n\
             {limbs}}}\nMOTION\nFrames: 24\nFrame Time: 0.0333333\n{rows}"
        )
    };
    let place = place();
    let up = |name: &str, text: String| {
        place.write(name, text);
        place.json(&["new", name, "-o", &name.replace("bvh", "toml")])["up"].clone()
    };
    // Legs, a head and arms, on the way along y and in place; the same with y up.
    let person =
        [[-9.0, 0.0, -90.0], [9.0, 0.0, -90.0], [0.0, 0.0, 80.0], [-70.0, 0.0, 50.0], [70.0, 0.0, 50.0]];
    assert_eq!(up("walks.bvh", limbs(&person, "0 t 90")), "z");
    assert_eq!(up("waits.bvh", limbs(&person, "0 0 90")), "z");
    let upright = person.map(|[x, y, z]| [x, z, -y]);
    assert_eq!(up("upright.bvh", limbs(&upright, "0 90 t")), "y");
    // A nose, a tail and short legs.
    let crawls = [[0.0, 0.0, 90.0], [0.0, 0.0, -120.0], [-20.0, -20.0, 30.0], [20.0, -20.0, -30.0]];
    assert_eq!(up("crawls.bvh", limbs(&crawls, "0 20 t")), "y");
    // A person knows better.
    let made = place.json(&["new", "waits.bvh", "--up", "y", "-o", "lies.toml"]);
    assert_eq!(made["up"], "y");
    assert!(String::from_utf8(place.read("lies.toml")).unwrap().contains("up = \"y\""));
    let noted = place.json(&["info", "waits.bvh"]);
    assert!(noted["notes"].to_string().contains("z is taken for the axis up"), "{noted}");
}

#[test]
fn a_figure_in_a_plane_has_hinges() {
    let place = place();
    let made = place.json(&["new", "flat.bvh", "-o", "flat.toml"]);
    let of = ["joints", "degrees_of_freedom", "frames", "fps", "hinges", "unit"].map(|key| made[key].clone());
    assert_eq!(of, [json!(2), json!(4), json!(3), json!(24.0), json!(["Leg"]), json!(1.0)]);
    // From the root to the foot, swung by two degrees against a body that leans by one.
    let [lean, swing] = [1.0_f64, 3.0].map(f64::to_radians);
    let tall = 0.2 * lean.cos() + 1.4 * swing.cos();
    assert!(close(&made["height"], tall, 0.002), "{made}: {tall}");
}

#[test]
fn a_first_frame_that_is_a_pose_of_its_own_is_said() {
    let place = place();
    place.write("posed.bvh", figure(30.0, true));
    let made = place.json(&["new", "posed.bvh", "-o", "posed.toml"]);
    assert_eq!((&made["frames"], &made["hinges"]), (&json!(9), &json!(["Knee"])));
    assert!(made["notes"][0].as_str().unwrap().starts_with("the first frame is a reference pose"), "{made}");
    assert_eq!(place.json(&["info", "posed.bvh"])["notes"], made["notes"]);
}

#[test]
fn what_only_surfaces_can_be_is_refused() {
    let place = place();
    for (option, value) in
        [("--kind", "cloth"), ("--cells", "5"), ("--object", "a"), ("--rest", "1"), ("--topology", "a.obj")]
    {
        let error = place.error(&["new", "walk.bvh", "-o", "x.toml", option, value]);
        assert!(error.starts_with("walk.bvh: this file is a skeleton") && error.contains(option), "{error}");
    }
    let error = place.error(&["new", "walk.bvh", "-o", "x.toml", "--feel", "lively"]);
    assert!(error.contains("skeleton") && error.contains("--feel"), "{error}");
    place.write("tent.0001.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let error = place.error(&["new", "tent.0001.obj", "-o", "x.toml", "--kind", "character"]);
    assert!(error.starts_with("tent.0001.obj: a character is made of a skeleton"), "{error}");
    place.write("cut.bvh", &figure(30.0, false).as_bytes()[..400]);
    let error = place.error(&["new", "cut.bvh", "-o", "x.toml"]);
    assert!(error.starts_with("cut.bvh"), "{error}");
    assert!(!place.names(".").contains(&"x.toml".to_owned()));
    place.done(&["new", "walk.bvh", "-o", "walk.toml"]);
    assert!(place.error(&["new", "walk.bvh", "-o", "walk.toml"]).contains("--force"));
    let error = place.error(&["new", "walk.bvh", "-o", "walk.bvh", "--force"]);
    assert!(error.contains("overwrite"), "{error}");
}

#[test]
fn a_file_and_a_shot_tell_about_their_skeleton() {
    let place = place();
    let info = place.json(&["info", "walk.bvh"]);
    assert_eq!((&info["unit"], &info["hinges"]), (&json!(0.056_444), &json!(["Knee"])));
    assert!(close(&info["height"], 1.69, 0.02), "{info}");
    let text = place.done(&["info", "walk.bvh"]);
    assert!(text.contains("where 1 unit = 0.056444 m") && text.contains("Knee"), "{text}");
    place.done(&["new", "walk.bvh", "-o", "walk.toml"]);
    let mut shot = String::from_utf8(place.read("walk.toml")).unwrap();
    shot += "\n[[edit.layer]]\nname = \"nods\"\nmuted = true\n\n[[edit.handle]]\njoint = \"Head\"\nframe = 3\n\
             by = [0, 0.1, 0]\nlayer = \"nods\"\n\n[[edit.handle]]\njoint = \"Knee\"\nframe = 4\nby = [0, 0.1, 0]\n";
    place.write("walk.toml", shot);
    let info = place.json(&["info", "walk.toml"]);
    let of = ["kind", "body_kind", "method", "frames", "body", "problem"].map(|key| info[key].clone());
    let none = Value::Null;
    assert_eq!(of, [json!("shot"), json!("character"), json!("character"), json!(8), none.clone(), none]);
    let character = &info["character"];
    let of =
        ["joints", "end_sites", "degrees_of_freedom", "fps", "handles"].map(|key| character[key].clone());
    assert_eq!(of, [json!(3), json!(1), json!(12), json!(120.0), json!(2)]);
    assert_eq!(character["layers"], json!([{ "name": "nods", "handles": 1, "muted": true }]));
    let text = place.done(&["info", "walk.toml"]);
    let said = [
        "shot of a character",
        "walk.bvh",
        "3, and 1 end site",
        "nods, 1 handle, muted",
        "character, 8 frames",
    ];
    assert!(said.iter().all(|said| text.contains(said)), "{text}");
    std::fs::remove_file(place.path().join("walk.bvh")).unwrap();
    let info = place.json(&["info", "walk.toml"]);
    assert!(info["problem"].as_str().unwrap().contains("walk.bvh") && info["character"].is_null(), "{info}");
}

#[test]
fn a_skeleton_is_converted_to_the_same_text_and_to_bones() {
    let place = place();
    let done = place.json(&["convert", "walk.bvh", "same.bvh"]);
    let of = ["object", "joints", "vertices", "frames", "fps"].map(|key| done[key].clone());
    assert_eq!(of, [json!("walk"), json!(3), json!(0), json!(8), json!(120.0)]);
    assert_eq!(place.read("same.bvh"), place.read("walk.bvh"));
    place.done(&["convert", "walk.bvh", "slow.bvh", "--fps", "25"]);
    assert_eq!(place.json(&["info", "slow.bvh"])["fps"], json!(25.0));
    assert!(place.error(&["convert", "walk.bvh", "x.bvh", "--up", "z"]).contains("leave out --up"));
    assert!(place.error(&["convert", "walk.bvh", "walk.bvh"]).contains("overwrite"));
    // Three bones of six corners; the last of each is where its joint is.
    let done = place.json(&["convert", "flat.bvh", "flat.####.obj"]);
    assert_eq!((&done["vertices"], &done["frames"]), (&json!(12), &json!(3)));
    let last = supple_formats::load_mesh(place.path().join("flat.0003.obj")).unwrap();
    let supple_formats::MeshFile::Surface(last) = last else { panic!("a surface") };
    let swing = 4.0_f64.to_radians();
    let foot = [0.2 + 1.4 * swing.sin(), 1.4 - 1.4 * swing.cos(), 0.0];
    for (found, expected) in [(last.positions[5], [0.2, 1.4, 0.0]), (last.positions[11], foot)] {
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?} {expected:?}");
    }
    let error = place.error(&["convert", "flat.0003.obj", "x.bvh"]);
    assert!(error.starts_with("flat.0003.obj: this file has no joints"), "{error}");
}
