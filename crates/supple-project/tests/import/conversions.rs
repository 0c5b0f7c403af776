//! From every format to every other.

use crate::import::files::{Place, Settings, all, apart, ball, file, tumbling};
use supple_formats::{open_motion, open_scene};
use supple_model::Progress;
use supple_project::{Conversion, MotionFile};

#[test]
fn every_pair_keeps_points_faces_and_names() {
    let (place, surface) = (Place::new(), ball());
    let frames = tumbling(&surface, 3);
    let mut text = Vec::new();
    supple_formats::write_obj(&surface, &mut text).unwrap();
    let topology = Some(place.write("faces.obj", &String::from_utf8(text).unwrap()));
    let formats = ["usda", "glb", "gltf", "pc2", "mdd", "####.obj", "####.ply"];
    for from in formats {
        let path = place.motion(&format!("from.{from}"), &surface, &frames, Settings::default());
        for to in formats {
            let out = place.path(&format!("{}-to.{to}", from.replace('#', "")));
            let source = MotionFile { topology: topology.clone(), ..file(&path) };
            let done = Conversion { file: source, ..Conversion::default() }
                .write(&out, &Progress::silent())
                .unwrap();
            assert_eq!((done.vertices, done.frames), (162, 3), "{from} to {to}");
            let got = if to == "pc2" || to == "mdd" {
                all(open_motion(&out).unwrap().as_mut())
            } else {
                let mut scene = open_scene(&out).unwrap();
                assert_eq!(scene.objects[0].surface.triangles, surface.triangles, "{from} to {to}");
                let has_names = |format: &str| format.starts_with("us") || format.starts_with("gl");
                if has_names(from) && has_names(to) {
                    assert_eq!(scene.objects[0].name, "/root/ball", "{from} to {to}");
                }
                all(scene.objects[0].frames.as_mut())
            };
            assert!(apart(&got, &frames) < 2e-6, "{from} to {to}: {}", apart(&got, &frames));
        }
    }
}

#[test]
fn a_single_frame_becomes_a_mesh_and_points_need_no_faces() {
    let (place, surface) = (Place::new(), ball());
    let frames = tumbling(&surface, 3);
    let still = place.motion("still.usda", &surface, &frames[..1], Settings::default());
    let convert = |from: &std::path::Path, to: &str| {
        let conversion = Conversion { file: file(from), ..Conversion::default() };
        conversion.write(&place.path(to), &Progress::silent())
    };
    convert(&still, "still.stl").unwrap();
    assert!(supple_formats::load_mesh(place.path("still.stl")).is_ok());
    let cache = place.motion("a.pc2", &surface, &frames, Settings::default());
    convert(&cache, "b.mdd").unwrap();
    let mut motion = open_motion(place.path("b.mdd")).unwrap();
    assert_eq!(motion.info().start, Some(11.0));
    assert_eq!(all(motion.as_mut()), frames);
    let error = convert(&cache, "b.usda").unwrap_err().to_string();
    assert!(error.contains("b.usda"), "{error}");
}
