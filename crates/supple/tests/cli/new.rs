//! `supple new`, and the way from a file to a solved edit and back.

use crate::cli::run::{Place, keys};
use serde_json::json;
use supple_formats::{MotionSettings, SurfaceFile, create_motion, open_scene};
use supple_mesh::{Vec3, shapes};
use supple_model::Frame;

/// `ball.usda`: a ball that flies and swells for six frames from frame 5 on, in centimetres with z up.
pub fn with_ball() -> Place {
    let place = Place::new();
    let mesh = shapes::ball(Vec3::zeros(), 100.0, 3).unwrap();
    let surface = SurfaceFile {
        positions: mesh.positions().iter().map(|p| (*p).into()).collect(),
        triangles: mesh.triangles().iter().map(|t| t.map(|v| v.0)).collect(),
        ..SurfaceFile::default()
    };
    let settings = MotionSettings {
        name: "/set/ball".into(),
        metres_per_unit: Some(0.01),
        up: Some(supple_formats::Up::Z),
        ..MotionSettings::new(surface.positions.len(), Frame(5), 25.0, 6)
    };
    let mut writer = create_motion(place.path().join("ball.usda"), settings, Some(&surface)).unwrap();
    for k in 0..6 {
        let t = f64::from(k);
        let frame: Vec<[f64; 3]> =
            surface.positions.iter().map(|[x, y, z]| [x + 30.0 * t, *y, z * (1.0 + 0.05 * t)]).collect();
        writer.write(&frame).unwrap();
    }
    writer.finish().unwrap();
    place
}

#[test]
fn from_a_file_to_an_edit_and_back_without_touching_the_shot() {
    let place = with_ball();
    let made = place.json(&["new", "ball.usda", "--cells", "5", "-o", "ball.toml"]);
    let expected = [
        "body_elements",
        "body_vertices",
        "branching_edges",
        "copies",
        "element_kind",
        "files",
        "fit",
        "fps",
        "frames",
        "kind",
        "modes",
        "notes",
        "object",
        "open_edges",
        "rest",
        "scenery",
        "seconds",
        "shot",
        "start",
        "still",
        "triangles",
        "unit",
        "up",
        "vertices",
        "warnings",
    ];
    assert_eq!(keys(&made), expected);
    assert_eq!(
        (&made["object"], &made["unit"], &made["up"]),
        (&json!("/set/ball"), &json!(0.01), &json!("z"))
    );
    assert_eq!((&made["start"], &made["frames"], &made["fps"]), (&json!(5), &json!(6), &json!(25.0)));
    assert_eq!((&made["kind"], &made["copies"]), (&json!("solid"), &json!(0)));
    assert_eq!(made["files"], json!(["ball.toml", "ball.skin.obj"]));
    assert!(made["fit"]["max"].as_f64().unwrap() < 0.05, "metres");

    // The pole that points up: in the shot (0, 1.15, 0) + 0.9 x.
    let text = String::from_utf8(place.read("ball.toml")).unwrap();
    place.write("ball.toml", format!("# mine\n{text}"));
    let added = place.json(&["edit", "ball.toml", "--frame", "8", "--near", "0.9,1.15,0", "--by", "0,0.5,0"]);
    let handle = &added["handles"][0];
    let at: Vec<f64> = handle["at"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    assert!((at[0] - 0.9).abs() < 0.3 && (at[1] - 1.15).abs() < 0.1, "{at:?}");
    let after = String::from_utf8(place.read("ball.toml")).unwrap();
    assert!(after.starts_with(&format!("# mine\n{}", text.trim_end())), "{after}");

    let solved = place.json(&["solve", "ball.toml", "-o", "out.usda"]);
    assert_eq!((&solved["points"], &solved["status"]), (&json!("skin"), &json!("settled")));
    let (mut before, mut after) = (
        open_scene(place.path().join("ball.usda")).unwrap(),
        open_scene(place.path().join("out.usda")).unwrap(),
    );
    assert_eq!(
        (after.start, after.fps, after.metres_per_unit),
        (before.start, before.fps, before.metres_per_unit)
    );
    let vertex = handle["vertex"].as_u64().unwrap() as usize;
    let at = |scene: &mut supple_formats::Scene| {
        let mut positions = vec![[0.0; 3]; scene.objects[0].surface.positions.len()];
        scene.objects[0].frames.read(3, &mut positions).unwrap();
        positions[vertex]
    };
    let (from, to) = (at(&mut before), at(&mut after));
    assert!((to[2] - from[2] - 50.0).abs() < 3.0 && (to[0] - from[0]).abs() < 3.0, "{from:?} {to:?}");
    let text = String::from_utf8(place.read("out.usda")).unwrap();
    assert!(text.contains("subLayers"));
    place.done(&["solve", "ball.toml", "-o", "flat.usda", "--flatten"]);
    assert!(!String::from_utf8(place.read("flat.usda")).unwrap().contains("subLayers"));
}

#[test]
fn mistakes_are_named() {
    let place = with_ball();
    let message = place.error(&["new", "ball.usda", "--object", "hat", "-o", "a.toml"]);
    assert!(message.contains("no object \"hat\"") && message.contains("/set/ball"), "{message}");
    let message = place.error(&["new", "gone.fbx", "-o", "a.toml"]);
    assert!(message.starts_with("gone.fbx"), "{message}");
    place.write("ball.toml", "");
    let message = place.error(&["new", "ball.usda", "-o", "ball.toml"]);
    assert!(message.contains("--force"), "{message}");
    assert_eq!(place.run(&["new", "ball.usda", "--unit", "mile", "-o", "a.toml"]).code, Some(2));
    assert_eq!(place.names("."), ["ball.toml", "ball.usda"]);
}
