//! `supple info`.

use crate::cli::run::{BAR, HOP, Place, bar, keys};
use serde_json::json;
use supple_formats::{Elements, Group};

#[test]
fn a_shot_tells_about_its_body() {
    let place = Place::with_bar();
    let info = place.json(&["info", "bar.toml"]);
    assert_eq!(info["kind"], "shot");
    let expected = [
        "about",
        "body",
        "body_kind",
        "cache",
        "character",
        "file",
        "frames",
        "kind",
        "material",
        "mesh",
        "method",
        "modes",
        "problem",
        "regions",
        "segments",
        "skin",
    ];
    assert_eq!(keys(&info), expected);
    assert_eq!(
        (&info["method"], &info["frames"], &info["segments"]),
        (&json!("drag"), &json!(null), &json!([]))
    );
    let body = &info["body"];
    assert_eq!((&body["vertices"], &body["elements"], &body["anchors"]), (&json!(20), &json!(24), &json!(4)));
    assert_eq!((&body["degrees_of_freedom"], &body["parts"]), (&json!(48), &json!(1)));
    let close = |value: &serde_json::Value, expected: f64| (value.as_f64().unwrap() - expected).abs() < 1e-9;
    assert!(close(&body["volume"], 2.0) && close(&body["mass"], 2000.0), "{body}");
    // The planes of a cube cut along its diagonal, half as high: x = y and y = 2z among them.
    assert!(close(&body["tets"]["smallest_dihedral"]["degrees"], 0.5_f64.atan().to_degrees()), "{body}");
    assert!(close(&body["tets"]["largest_dihedral"]["degrees"], 90.0), "{body}");

    assert_eq!(info["cache"], json!({ "entries": 0, "bytes": 0 }));
    place.done(&["prepare", "bar.toml"]);
    assert_eq!(place.json(&["info", "bar.toml"])["cache"]["entries"], 1);
    let text = place.done(&["info", "bar.toml"]);
    assert!(text.contains("24 tets") && text.contains("mass") && text.contains("1 entry"), "{text}");
}

/// A bar that hops: what is known of its segments before anything is solved.
#[test]
fn a_chain_shows_its_segments() {
    let place = Place::with_bar();
    place.write("hop.toml", HOP);
    let info = place.json(&["info", "hop.toml"]);
    assert_eq!((&info["method"], info["segments"].as_array().unwrap().len()), (&json!("sparse"), 3));
    let of = |segment: usize, key: &str| info["segments"][segment][key].clone();
    let handles = [0, 1, 2].map(|k| of(k, "handles"));
    assert_eq!(handles, [json!(1), json!(0), json!(0)]);
    assert_eq!([0, 1, 2].map(|k| of(k, "anchors")), [json!(4), json!(0), json!(4)]);
    assert_eq!([0, 1, 2].map(|k| of(k, "flight")), [json!(false), json!(true), json!(false)]);
    // Up with 3 m/s and down again, at 24 fps.
    let flight = of(1, "frames").as_f64().unwrap();
    assert!((flight - 24.0 * 2.0 * 3.0 / 9.81).abs() < 1e-9, "{flight}");
    assert_eq!((of(0, "start"), of(1, "start")), (json!(5.0), json!(17.0)));
    assert!((of(2, "start").as_f64().unwrap() - 17.0 - flight).abs() < 1e-9);
    assert_eq!(info["frames"], (12.0 + flight + 9.5).ceil() as usize + 1);
    let text = place.done(&["info", "hop.toml"]);
    for line in [
        "sparse, 3 segments, about 38 frames",
        "1: from frame 5, 12 frames, 4 vertices anchored, 1 handle",
        "2: from frame 17, about 14.68 frames, flight, 0 handles",
        "3: from frame 31.68, 9.5 frames, 4 vertices anchored, 0 handles",
    ] {
        assert!(text.contains(line), "{line:?} in\n{text}");
    }
    place.write("hop.toml", HOP.replace("frames = 9.5", "frames = 9.5\nanchors = { group = 'tip' }"));
    let text = place.done(&["info", "hop.toml"]);
    assert!(
        text.contains("3: from frame 31.68, 9.5 frames, the anchors: ") && text.contains("\"tip\""),
        "{text}"
    );
}

#[test]
fn a_shot_whose_body_cannot_be_made_is_described_with_the_reason() {
    let place = Place::with_bar();
    place.write("bar.toml", BAR.replace("bar.veg", "rod.veg"));
    let text = place.done(&["info", "bar.toml"]);
    assert!(text.contains("not usable as a body") && text.contains("rod.veg"), "{text}");
    assert!(place.json(&["info", "bar.toml"])["body"].is_null());
}

#[test]
fn an_unusable_mesh_is_described_as_far_as_it_goes() {
    let place = Place::new();
    let mut file = bar();
    file.element_groups = vec![Group { name: "tip".into(), members: vec![22, 23] }];
    let Elements::Tets(tets) = &mut file.elements else { panic!("tets") };
    tets[12].swap(0, 1);
    place.write_veg("bad.veg", &file);
    let text = place.done(&["info", "bad.veg"]);
    assert!(text.contains("not usable as a body: element 12 has negative volume"), "{text}");
    assert!(text.contains("tip (2)"), "{text}");
    let info = place.json(&["info", "bad.veg"]);
    assert_eq!((&info["kind"], &info["elements"]), (&json!("volume"), &json!(24)));
    assert!(info["surface_triangles"].is_null() && info["problem"].is_string());
}

#[test]
fn surfaces_lists_and_embeddings_are_described() {
    let place = Place::new();
    place.write("a.obj", "v 0 0 0\nv 1 0 0\nv 0 2 0\nf 1 2 3\n");
    place.write("a.bou", "2\n4 9\n");
    place.write("a.interp", "0 5 0.25 7 0.75\n");
    let info = place.json(&["info", "a.obj"]);
    assert_eq!(
        (&info["kind"], &info["open_edges"], &info["area"]),
        (&json!("surface"), &json!(3), &json!(1.0))
    );
    let info = place.json(&["info", "a.bou"]);
    assert_eq!(
        info,
        json!({ "file": "a.bou", "kind": "fixed-vertices", "vertices": 2, "first": 4, "last": 9 })
    );
    let info = place.json(&["info", "a.interp"]);
    assert_eq!((&info["kind"], &info["skin_vertices"]), (&json!("embedding"), &json!(1)));
    assert!(place.done(&["info", "a.obj"]).contains("open, 3 edges on the border"));
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let place = Place::new();
    place.write("a.veg", "*VERTICES\n1 3 0 0\n1 0 0 x\n");
    let message = place.error(&["info", "a.veg"]);
    assert!(message.starts_with("a.veg: line 3: ") && message.contains("\"x\""), "{message}");
    assert!(place.error(&["info", "none.obj"]).starts_with("none.obj: cannot be read"));
    let message = place.error(&["info", "film.mov"]);
    assert!(message.starts_with("film.mov: unknown file type") && message.contains(".toml"), "{message}");
}

#[test]
fn a_skeleton_tells_about_its_joints_and_motion() {
    let place = Place::new();
    place.write(
        "walk.bvh",
        "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 4 Xposition Yposition Zposition Yrotation\nJOINT Leg\n{\n\
         OFFSET 0 -4 0\nCHANNELS 1 Xrotation\nEnd Site\n{\nOFFSET 0 -4 0\n}\n}\nJOINT Leg\n{\nOFFSET 0 4 0\n\
         CHANNELS 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: .0083333\n0 9 0 0 10\n0 9 1 0 20\n",
    );
    let info = place.json(&["info", "walk.bvh"]);
    assert_eq!(
        keys(&info),
        [
            "degrees_of_freedom",
            "end_sites",
            "file",
            "fps",
            "frames",
            "height",
            "hinges",
            "joints",
            "kind",
            "notes",
            "unit",
            "unit_from"
        ]
    );
    let of =
        ["kind", "joints", "end_sites", "degrees_of_freedom", "frames", "fps"].map(|key| info[key].clone());
    assert_eq!(of, [json!("skeleton"), json!(3), json!(1), json!(5), json!(2), json!(120.0)]);
    let note = "two joints are named \"Leg\": the second is called \"Leg_2\" here";
    assert_eq!(info["notes"], json!([note]));
    let text = place.done(&["info", "walk.bvh"]);
    assert!(text.contains("3, and 1 end site") && text.contains(note), "{text}");
}
