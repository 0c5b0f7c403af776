//! An edited motion goes back where it came from: format, space, time, names, groups.

use crate::import::files::{Place, Settings, all, apart, ball, file, sheet, single, tumbling, waving};
use std::path::{Path, PathBuf};
use supple_formats::{Scene, SurfaceFile, Up, open_motion, open_scene};
use supple_model::{Frame, VertexId};
use supple_project::shot::{Axis, Goal, Handle, Site, When};
use supple_project::{Import, ImportKind, MotionFile};

const FORMATS: [&str; 7] = ["a.usda", "a.glb", "a.gltf", "a.pc2", "a.mdd", "a.####.obj", "a.####.ply"];

/// The file as `new` takes it: point caches with their faces.
fn with_topology(place: &Place, path: PathBuf, surface: &SurfaceFile) -> MotionFile {
    let mut text = Vec::new();
    supple_formats::write_obj(surface, &mut text).unwrap();
    let topology = place.write("faces.obj", &String::from_utf8(text).unwrap());
    let is_cache = path.extension().is_some_and(|ending| ending == "pc2" || ending == "mdd");
    MotionFile { topology: is_cache.then_some(topology), ..file(&path) }
}

fn open(path: &Path, surface: &SurfaceFile) -> Scene {
    if path.extension().is_some_and(|ending| ending == "pc2" || ending == "mdd") {
        return Scene::of_motion(open_motion(path).unwrap(), Some(surface.clone()), path).unwrap();
    }
    open_scene(path).unwrap()
}

#[test]
fn no_edit_returns_the_points_of_the_file_in_every_format() {
    let surface = ball();
    let frames = tumbling(&surface, 5);
    for name in FORMATS {
        let place = Place::new();
        let path = place.motion(name, &surface, &frames, Settings::default());
        let imported = place.import(with_topology(&place, path, &surface)).unwrap();
        assert!(imported.fit.unwrap().max > 1e-3, "there is detail to lose");
        let out = place.solve(&[], &format!("out{}", &name[1..]), true);
        let mut scene = open(&out, &surface);
        let got = all(scene.objects[0].frames.as_mut());
        // glTF holds each frame as its difference to the first: two roundings.
        let off = apart(&got, &frames);
        assert!(off < 3.0 * f64::from(f32::EPSILON) * 4.0, "{name}: {off:e}");
        assert_eq!(scene.objects[0].surface.triangles, surface.triangles, "{name}");
        if !name.ends_with("pc2") && !name.ends_with("mdd") {
            assert_eq!(scene.start, Some(Frame(11)), "{name}");
        }
        if name.ends_with("usda") || name.ends_with("obj") {
            let groups = &scene.objects[0].surface.vertex_groups;
            assert_eq!(groups[0], surface.vertex_groups[0], "{name}");
        }
        if name.contains(".usd") || name.contains(".gl") {
            assert_eq!(scene.objects[0].name, "/root/ball", "{name}");
            assert_eq!(scene.fps, Some(30.0), "{name}");
        }
    }
}

/// Points of a skin on a body that tumbles freely came back rounded from frames that no edit touches: they are the file's
/// own, to the bit, in every format.
#[test]
fn frames_outside_of_the_window_are_the_file_s_own_to_the_bit() {
    const FRAMES: usize = 12;
    let surface = ball();
    let frames = tumbling(&surface, FRAMES);
    let top = surface.positions.iter().position(|p| p[1] > 0.99).unwrap();
    let handle = Handle::new(When::Frame(17), Site::Vertex(VertexId::new(top)), Goal::By([0.0, 0.4, 0.0]));
    for name in FORMATS {
        let place = Place::new();
        let path = place.motion(name, &surface, &frames, Settings::default());
        place.import(with_topology(&place, path.clone(), &surface)).unwrap();
        let before = all(open(&path, &surface).objects[0].frames.as_mut());
        let none = place.solve(&[], &format!("none{}", &name[1..]), true);
        assert!(all(open(&none, &surface).objects[0].frames.as_mut()) == before, "{name}, without handles");
        let mut shot = supple_project::Shot::load(&place.path("shot.toml")).unwrap();
        shot.edit.window = Some(14..=20);
        shot.save(&place.path("shot.toml")).unwrap();
        let some = place.solve(std::slice::from_ref(&handle), &format!("some{}", &name[1..]), true);
        let after = all(open(&some, &surface).objects[0].frames.as_mut());
        assert!((0..FRAMES).filter(|i| !(4..9).contains(i)).all(|i| after[i] == before[i]), "{name}");
        assert_ne!(after[6], before[6], "{name}");
    }
}

#[test]
fn a_layer_over_the_original_holds_the_new_points_alone() {
    let place = Place::new();
    let surface = ball();
    let path = place.motion("a.usda", &surface, &tumbling(&surface, 5), Settings::default());
    place.import(file(&path)).unwrap();
    let vertex = surface.positions.iter().position(|p| p[1] > 0.99).unwrap();
    let handle = Handle::new(When::Frame(14), Site::Vertex(VertexId::new(vertex)), Goal::By([0.0, 0.4, 0.0]));
    let out = place.solve(&[handle], "out.usda", false);
    let text = std::fs::read_to_string(&out).unwrap();
    assert!(
        text.contains("subLayers") && text.contains("over \"ball\"") && !text.contains("faceVertexIndices")
    );
    let (mut before, mut after) = (open_scene(&path).unwrap(), open_scene(&out).unwrap());
    assert_eq!(after.objects[0].surface.vertex_groups, before.objects[0].surface.vertex_groups);
    let (before, after) = (all(before.objects[0].frames.as_mut()), all(after.objects[0].frames.as_mut()));
    assert_ne!(before[0], after[0], "an edit may begin at the first frame");
    // The vertex is where it was asked to be, its detail included.
    let moved = [0, 1, 2].map(|c| after[3][vertex][c] - before[3][vertex][c]);
    assert!(apart(&[vec![moved]], &[vec![[0.0, 0.4, 0.0]]]) < 2e-6, "{moved:?}");
}

#[test]
fn handles_hold_the_points_of_the_file_not_those_of_the_body_under_them() {
    let place = Place::new();
    let surface = ball();
    let path = place.motion("a.glb", &surface, &tumbling(&surface, 5), Settings::default());
    assert!(place.import(file(&path)).unwrap().fit.unwrap().max > 1e-3, "there is detail");
    let top = surface.positions.iter().position(|p| p[1] > 0.99).unwrap();
    let side = surface.positions.iter().position(|p| p[0] > 0.99).unwrap();
    let before = all(open_scene(&path).unwrap().objects[0].frames.as_mut());
    let at = |vertex: usize| Site::Vertex(VertexId::new(vertex));
    let to = [before[3][top][0] + 0.2, before[3][top][1] + 0.3, before[3][top][2]];
    let apart_by = [0, 1, 2].map(|c| before[4][side][c] - before[4][top][c] + 0.1);
    let between = Handle::new(When::Frame(15), at(side), Goal::To(apart_by));
    let handles = [
        Handle::new(When::Frame(14), at(top), Goal::To(to)),
        Handle { relative_to: Some(at(top)), ..between },
    ];
    let out = place.solve(&handles, "out.glb", true);
    let after = all(open_scene(&out).unwrap().objects[0].frames.as_mut());
    assert!(apart(&[vec![after[3][top]]], &[vec![to]]) < 2e-6, "{:?} {to:?}", after[3][top]);
    let found = [0, 1, 2].map(|c| after[4][side][c] - after[4][top][c]);
    assert!(apart(&[vec![found]], &[vec![apart_by]]) < 2e-6, "{found:?} {apart_by:?}");
}

/// How far a handle was asked to move was measured from the body under the skin, not from the skin: off by the detail that
/// the body cannot hold.
#[test]
fn a_handle_is_asked_to_move_from_where_the_file_has_its_vertex() {
    let place = Place::new();
    let surface = ball();
    let path = place.motion("a.glb", &surface, &tumbling(&surface, 5), Settings::default());
    let imported =
        place.import_as(Import { file: file(&path), cells: Some(2), ..Import::default() }).unwrap();
    assert!(imported.fit.unwrap().max > 0.02, "the detail is large: {:?}", imported.fit);
    let at = Site::Vertex(VertexId::new(surface.positions.iter().position(|p| p[1] > 0.99).unwrap()));
    let before = all(open_scene(&path).unwrap().objects[0].frames.as_mut());
    let Site::Vertex(vertex) = at else { panic!("a vertex") };
    let stays = Goal::To(before[3][vertex.index()]);
    for (goal, asked) in [(Goal::By([0.0, 0.3, 0.0]), 0.3), (stays, 0.0)] {
        let mut shot = supple_project::Shot::load(&place.path("shot.toml")).unwrap();
        shot.edit.handles = vec![Handle::new(When::Frame(14), at.clone(), goal)];
        let body = std::sync::Arc::new(supple_project::Body::load(&shot).unwrap());
        let (cache, progress) =
            (supple_project::Cache::of_shot(&place.path("shot.toml")), supple_model::Progress::silent());
        let mut editor = supple_project::DragMethod::open(&shot, body, &cache, &progress).unwrap();
        let report = editor.release(&progress).unwrap();
        assert!((report.handles[0].asked - asked).abs() < 1e-6, "{:?}, not {asked}", report.handles[0]);
    }
}

/// The velocity of the body under a skin is not that of the skin.
#[test]
fn a_velocity_is_that_of_the_vertex_of_the_file() {
    let place = Place::new();
    let surface = ball();
    let path = place.motion("a.glb", &surface, &tumbling(&surface, 9), Settings::default());
    let imported =
        place.import_as(Import { file: file(&path), cells: Some(2), ..Import::default() }).unwrap();
    assert!(imported.fit.unwrap().max > 0.02, "the detail is large: {:?}", imported.fit);
    let top = surface.positions.iter().position(|p| p[1] > 0.99).unwrap();
    let velocity = [1.0, 2.0, -1.0];
    let handle = Handle::new(When::Frame(14), Site::Vertex(VertexId::new(top)), Goal::Velocity(velocity));
    let out = place.solve(&[handle], "out.glb", true);
    let after = all(open_scene(&out).unwrap().objects[0].frames.as_mut());
    let fps = supple_project::Shot::load(&place.path("shot.toml")).unwrap().motion.fps.unwrap();
    let found = [0, 1, 2].map(|c| (after[4][top][c] - after[2][top][c]) * fps / 2.0);
    assert!(apart(&[vec![found]], &[vec![velocity]]) < 2e-4, "{found:?}");
}

#[test]
fn centimetres_and_another_axis_up_go_in_and_come_out_again() {
    let surface = ball();
    let inside = tumbling(&surface, 4);
    // The same motion as Blender has it in centimetres: (x, y, z) is (x, −z, y).
    let blender = |[x, y, z]: &[f64; 3]| single([100.0 * x, -100.0 * z, 100.0 * y]);
    let frames: Vec<Vec<[f64; 3]>> = inside.iter().map(|f| f.iter().map(blender).collect()).collect();
    let outside = SurfaceFile { positions: frames[0].clone(), ..surface.clone() };
    let settings = Settings { unit: Some(0.01), up: Some(Up::Z), ..Settings::default() };
    for (name, said) in [("a.usda", true), ("a.pc2", false)] {
        let place = Place::new();
        let path = place.motion(name, &outside, &frames, settings);
        let mut source = with_topology(&place, path, &outside);
        if !said {
            (source.unit, source.up) = (Some(0.01), Some(Axis::Z));
        }
        let imported = place.import(source).unwrap();
        assert_eq!((imported.space.unit, imported.space.up), (0.01, Axis::Z));
        // Inside it is a ball of a metre.
        let skin = supple_formats::load_mesh(place.path("shot.skin.obj")).unwrap();
        let supple_formats::MeshFile::Surface(skin) = skin else { panic!("a surface") };
        assert!(apart(&[skin.positions], std::slice::from_ref(&surface.positions)) < 1e-6);
        let mut scene = open(&place.solve(&[], &format!("out{}", &name[1..]), true), &outside);
        assert!(apart(&all(scene.objects[0].frames.as_mut()), &frames) < 1e-4, "{name}");
        if said {
            assert_eq!((scene.metres_per_unit, scene.up), (Some(0.01), Some(Up::Z)));
        }
        // To a format with metres and y up of its own.
        let mut glb = open(&place.solve(&[], "out.glb", true), &outside);
        assert!(apart(&all(glb.objects[0].frames.as_mut()), &inside) < 1e-5, "{name}");
    }
}

#[test]
fn an_open_surface_is_edited_itself_and_comes_back_whole() {
    let surface = sheet();
    let frames = waving(&surface, 5);
    for (kind, in_body) in [(ImportKind::Auto, false), (ImportKind::Cloth, true)] {
        let place = Place::new();
        let path = place.motion("a.glb", &surface, &frames, Settings::default());
        let imported =
            place.import_as(Import { kind, cells: Some(8), file: file(&path), ..Import::default() }).unwrap();
        assert_eq!(imported.fit.is_none(), in_body);
        assert_eq!(imported.still, 9, "the edge that hangs");
        let handle = Handle::new(When::Frame(13), Site::Vertex(VertexId(44)), Goal::By([0.0, 0.3, 0.1]));
        let mut none = open_scene(place.solve(&[], "none.glb", true)).unwrap();
        let mut some = open_scene(place.solve(&[handle], "some.glb", true)).unwrap();
        let (none, some) = (all(none.objects[0].frames.as_mut()), all(some.objects[0].frames.as_mut()));
        assert!(apart(&none, &frames) < 1e-6, "{kind:?}");
        let moved = [0, 1, 2].map(|c| some[2][44][c] - none[2][44][c]);
        assert!(apart(&[vec![moved]], &[vec![[0.0, 0.3, 0.1]]]) < 1e-5, "{kind:?} {moved:?}");
        assert_eq!(some[2][0], none[2][0], "what hangs stays");
    }
}
