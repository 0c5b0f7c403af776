//! Files of which no shot can be made say why.

use crate::import::files::{Place, Settings, ball, file, tumbling};
use supple_project::{Import, MotionFile, RestShape};

#[test]
fn other_numbers_of_vertices_are_named() {
    let (place, surface) = (Place::new(), ball());
    let path = place.motion("a.pc2", &surface, &tumbling(&surface, 3), Settings::default());
    let error = place.import(file(&path)).unwrap_err().to_string();
    assert!(error.contains("a.pc2") && error.contains("--topology"), "{error}");
    let topology = Some(place.write("tri.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"));
    let error =
        place.import(MotionFile { topology: topology.clone(), ..file(&path) }).unwrap_err().to_string();
    assert!(error.contains('3') && error.contains("162"), "{error}");
    let glb = place.motion("a.glb", &surface, &tumbling(&surface, 3), Settings::default());
    let rest = topology.map(RestShape::File);
    let error =
        place.import_as(Import { file: file(&glb), rest, ..Import::default() }).unwrap_err().to_string();
    assert!(error.contains("3 vertices") && error.contains("162"), "{error}");
    let rest = Some(RestShape::Frame(99));
    let error =
        place.import_as(Import { file: file(&glb), rest, ..Import::default() }).unwrap_err().to_string();
    assert!(error.contains("there is no frame 99; the file has frames 11 to 13"), "{error}");
}

#[test]
fn a_topology_that_changes_names_the_frame() {
    let place = Place::new();
    let text = "v 0 0 0\nv 1 0 0\nv 0 0 1\nv 0 1 0\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
    place.write("a.1.obj", text);
    place.write("a.2.obj", text);
    place.write("a.3.obj", &format!("{text}v 7 7 7\n"));
    let error = place.import(file(&place.path("a.#.obj"))).unwrap_err().to_string();
    assert!(error.contains("a.3.obj") && error.contains('5') && error.contains('4'), "{error}");
}

#[test]
fn objects_are_listed() {
    let place = Place::new();
    let mesh = |name: &str| {
        format!(
            "def Mesh \"{name}\"\n{{\n    int[] faceVertexCounts = [3]\n    int[] faceVertexIndices = [0, 1, 2]\n    point3f[] \
             points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]\n}}\n"
        )
    };
    let path = place.write("two.usda", &format!("#usda 1.0\n{}{}", mesh("cape"), mesh("hat")));
    let error = place.import(file(&path)).unwrap_err().to_string();
    assert!(error.contains("2 objects") && error.contains("--object"), "{error}");
    assert!(error.contains("/cape (3 vertices, static)") && error.contains("/hat"), "{error}");
    let error =
        place.import(MotionFile { object: Some("shoe".into()), ..file(&path) }).unwrap_err().to_string();
    assert!(
        error.contains("no object \"shoe\"") && error.contains("/cape") && error.contains("/hat"),
        "{error}"
    );
}

#[test]
fn a_file_that_is_gone_is_named_when_the_motion_goes_back() {
    let (place, surface) = (Place::new(), ball());
    let path = place.motion("a.glb", &surface, &tumbling(&surface, 3), Settings::default());
    let imported = place.import(file(&path)).unwrap();
    std::fs::remove_file(&path).unwrap();
    let body = supple_project::Body::load(&imported.shot).unwrap();
    let error = supple_project::Detail::of(&imported.shot, &body).unwrap_err().to_string();
    assert!(error.contains("a.glb"), "{error}");
}
