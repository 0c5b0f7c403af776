//! `supple convert`, and `supple info` of what it writes.

use crate::cli::new::with_ball;
use serde_json::json;
use supple_mesh::{Vec3, shapes};

#[test]
fn every_format_is_written_and_described() {
    let place = with_ball();
    for (out, kind, format) in [
        ("a.glb", "scene", "gltf"),
        ("b.usda", "scene", "usd"),
        ("a.pc2", "motion", "pc2"),
        ("a.mdd", "motion", "mdd"),
        ("a.####.obj", "motion", "obj series"),
        ("b.####.ply", "motion", "ply series"),
    ] {
        let done = place.json(&["convert", "ball.usda", out]);
        assert_eq!(
            (&done["vertices"], &done["frames"], &done["start"]),
            (&json!(92), &json!(6), &json!(5.0)),
            "{out}"
        );
        let info = place.json(&["info", &out.replace("####", "0005")]);
        assert_eq!(
            (&info["kind"], &info["format"], &info["frames"]),
            (&json!(kind), &json!(format), &json!(6)),
            "{out}"
        );
    }
    let info = place.json(&["info", "b.usda"]);
    assert_eq!(
        (&info["unit"], &info["up"], &info["fps"], &info["start"]),
        (&json!(0.01), &json!("z"), &json!(25.0), &json!(5))
    );
    let object = &info["objects"][0];
    assert_eq!(
        (&object["name"], &object["animated"], &object["triangles"]),
        (&json!("/set/ball"), &json!(true), &json!(180))
    );
    let ball = shapes::ball(Vec3::zeros(), 100.0, 3).unwrap();
    let right = 150.0 + ball.positions().iter().map(|p| p.x).fold(0.0, f64::max);
    assert!((object["bounds"]["max"][0].as_f64().unwrap() - right).abs() < 1e-3);
    let text = place.done(&["info", "a.glb"]);
    assert!(text.contains("scene, gltf") && text.contains("ball") && text.contains("animated"), "{text}");
    // And back, with the faces that the cache has not.
    place.json(&[
        "convert",
        "a.pc2",
        "again.usda",
        "--topology",
        "a.0005.obj",
        "--fps",
        "25",
        "--unit",
        "cm",
        "--up",
        "z",
    ]);
    let again = place.json(&["info", "again.usda"]);
    assert_eq!((&again["unit"], &again["up"], &again["start"]), (&json!(0.01), &json!("z"), &json!(5)));
    assert_eq!(again["objects"][0]["bounds"], object["bounds"]);
}

#[test]
fn mistakes_are_named() {
    let place = with_ball();
    let message = place.error(&["convert", "ball.usda", "ball.mov"]);
    assert!(message.starts_with("ball.mov"), "{message}");
    place.done(&["convert", "ball.usda", "a.pc2"]);
    let message = place.error(&["convert", "a.pc2", "a.glb"]);
    assert!(message.contains("a.glb") || message.contains("--topology"), "{message}");
}
