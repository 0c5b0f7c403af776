//! What never moves in the input does not move in the output, to the bit.

use crate::import::files::{Place, Settings, all, file, single};
use std::sync::Arc;
use supple_formats::{SurfaceFile, Up, open_scene};
use supple_mesh::shapes;
use supple_model::{Progress, VertexId};
use supple_project::shot::{Goal, Handle, Shot, Site, When};
use supple_project::{Body, Cache, DragMethod, Import, ImportKind, Imported, MotionFile};

const SIDE: u32 = 12;

/// A sheet that hangs from its top row.
fn curtain() -> SurfaceFile {
    let at = |k: u32| [f64::from(k % SIDE) / 11.0, -f64::from(k / SIDE) / 11.0, 0.013];
    let squares = (0..(SIDE - 1) * (SIDE - 1)).map(|k| k % (SIDE - 1) + SIDE * (k / (SIDE - 1)));
    SurfaceFile {
        positions: (0..SIDE * SIDE).map(at).collect(),
        triangles: squares.flat_map(|k| [[k, k + SIDE, k + SIDE + 1], [k, k + SIDE + 1, k + 1]]).collect(),
        ..SurfaceFile::default()
    }
}

fn flying(surface: &SurfaceFile, frames: usize) -> Vec<Vec<[f64; 3]>> {
    let frame = |k: usize| {
        let t = 0.7 * k as f64;
        let place = |p: &[f64; 3]| {
            single([p[0] - 0.1 * p[1] * t.cos(), p[1], p[2] - 0.3 * p[1] * (t + 3.0 * p[0]).sin()])
        };
        surface.positions.iter().map(place).collect()
    };
    (0..frames).map(frame).collect()
}

fn read(path: &std::path::Path) -> Vec<Vec<[f64; 3]>> {
    all(open_scene(path).unwrap().objects[0].frames.as_mut())
}

fn bits(point: &[f64; 3]) -> [u64; 3] {
    point.map(f64::to_bits)
}

fn pull(vertex: u32, by: [f64; 3]) -> Handle {
    Handle::new(When::Frame(14), Site::Vertex(VertexId(vertex)), Goal::By(by))
}

#[test]
fn a_pinned_sheet_keeps_its_pins_in_every_kind_format_and_space() {
    let surface = curtain();
    let cases = [
        (ImportKind::Auto, "a.glb", None, None),
        (ImportKind::Auto, "a.usda", Some(0.01), Some(Up::Z)),
        (ImportKind::Auto, "a.####.obj", None, None),
        (ImportKind::Voxels, "a.glb", None, None),
        (ImportKind::Voxels, "a.usda", Some(0.0254), Some(Up::Z)),
        (ImportKind::Voxels, "a.####.obj", None, None),
    ];
    for (kind, name, unit, up) in cases {
        let outside = |p: [f64; 3]| match unit {
            Some(unit) => single([p[0] / unit, -p[2] / unit, p[1] / unit]),
            None => p,
        };
        let frames = flying(&surface, 6).into_iter().map(|frame| frame.into_iter().map(outside).collect());
        let frames: Vec<Vec<[f64; 3]>> = frames.collect();
        let place = Place::new();
        let path = place.motion(name, &surface, &frames, Settings { unit, up, ..Settings::default() });
        let imported = place.import_as(Import { file: file(&path), kind, ..Import::default() }).unwrap();
        assert_eq!(imported.still, SIDE as usize, "{kind:?} {name}");
        let inputs = read(&path);
        let none = read(&place.solve(&[], &format!("none{}", &name[1..]), true));
        let edited = read(&place.solve(&[pull(138, [0.05, 0.1, 0.1])], &format!("out{}", &name[1..]), true));
        let metres = unit.unwrap_or(1.0);
        let moved = [0, 1, 2].map(|c| metres * (edited[3][138][c] - inputs[3][138][c])).map(f64::abs);
        assert!(moved.iter().sum::<f64>() > 0.2, "{kind:?} {name}: {moved:?}");
        for (k, input) in inputs.iter().enumerate() {
            assert!(none[k].iter().zip(input).all(|(a, b)| bits(a) == bits(b)), "{kind:?} {name}: no edit");
            for v in 0..SIDE as usize {
                assert_eq!(bits(&edited[k][v]), bits(&input[v]), "{kind:?} {name}: vertex {v} at frame {k}");
            }
        }
    }
}

fn opened(place: &Place, handle: Handle) -> Result<DragMethod, supple_project::EditError> {
    let file = place.path("shot.toml");
    let mut shot = Shot::load(&file).unwrap();
    shot.edit.handles = vec![handle];
    let body = Arc::new(Body::load(&shot).unwrap());
    DragMethod::open(&shot, body, &Cache::of_shot(&file), &Progress::silent())
}

#[test]
fn a_handle_on_a_pin_says_how_to_release_it() {
    let surface = curtain();
    for kind in [ImportKind::Cloth, ImportKind::Voxels] {
        let place = Place::new();
        let path = place.motion("a.glb", &surface, &flying(&surface, 5), Settings::default());
        let mut imported = place.import_as(Import { file: file(&path), kind, ..Import::default() }).unwrap();
        let error = opened(&place, pull(3, [0.0, 0.0, 0.1])).unwrap_err().to_string();
        for word in ["handle 1", "vertex 3", "never move", "anchors", "group", "[body]"] {
            assert!(error.contains(word), "{kind:?}: {word} in {error}");
        }
        let several = Site::Vertices(vec![VertexId(5), VertexId(6)]);
        let error = opened(&place, Handle { site: several, ..pull(5, [0.0, 0.0, 0.1]) }).unwrap_err();
        assert!(error.to_string().contains("vertex 5"), "{kind:?}: {error}");
        // The way out.
        imported.shot.body.anchors.clear();
        imported.shot.save(&place.path("shot.toml")).unwrap();
        assert!(opened(&place, pull(3, [0.0, 0.0, 0.1])).is_ok(), "{kind:?}");
    }
}

/// A ball whose vertices all move but some.
fn nearly(still: &[usize], density: usize) -> (Place, Imported) {
    let mesh = shapes::ball(supple_mesh::Vec3::zeros(), 1.0, density).unwrap();
    let surface = SurfaceFile {
        positions: mesh.positions().iter().map(|p| (*p).into()).collect(),
        triangles: mesh.triangles().iter().map(|t| t.map(|v| v.0)).collect(),
        ..SurfaceFile::default()
    };
    let frame = |k: usize| {
        let at = |(v, p): (usize, &[f64; 3])| {
            let way = if still.contains(&v) { 0.0 } else { 0.05 * k as f64 };
            single([p[0], p[1] + way, p[2] - 0.5 * way])
        };
        surface.positions.iter().enumerate().map(at).collect()
    };
    let place = Place::new();
    let frames: Vec<_> = (0..3).map(frame).collect();
    let path = place.motion("a.glb", &surface, &frames, Settings::default());
    let imported = place.import_as(Import { file: file(&path), ..Import::default() }).unwrap();
    (place, imported)
}

#[test]
fn one_or_two_of_many_vertices_that_stand_still_are_no_anchors() {
    let (_, one) = nearly(&[7], 8);
    assert!(one.surface[0] > 600 && one.still == 0 && one.shot.body.anchors.is_empty());
    let note = one.notes.iter().find(|note| note.contains("1 vertex never moves")).unwrap();
    assert!(note.contains("anchors = { group = \"still\" }"), "{note}");
    let (place, mut two) = nearly(&[7, 100], 8);
    assert!(two.still == 0 && two.notes.iter().any(|note| note.contains("2 vertices never move")));
    // What the note says holds them.
    two.shot.body.anchors = vec![supple_project::shot::Anchor::Group("still".into())];
    two.shot.save(&place.path("shot.toml")).unwrap();
    let held = Body::load(&two.shot).unwrap().skin.unwrap().held;
    assert!(held[7] && held[100]);
    let (_, three) = nearly(&[7, 100, 200], 8);
    assert!(three.still == 3 && !three.shot.body.anchors.is_empty());
    let (_, few) = nearly(&[7], 4);
    assert_eq!((few.surface[0], few.still), (162, 1), "half a percent of few is less than one");
}

#[test]
fn what_stands_still_as_a_whole_is_free() {
    let all: Vec<usize> = (0..162).collect();
    let (place, imported) = nearly(&all, 4);
    assert!(imported.still == 0 && imported.shot.body.anchors.is_empty());
    let note = imported.notes.iter().find(|note| note.contains("no vertex of")).unwrap();
    assert!(
        note.contains("moves in any of its 3 frames") && note.contains("export it with its animation"),
        "{note}"
    );
    let edited = read(&place.solve(
        &[Handle::new(When::Frame(12), Site::Vertex(VertexId(3)), Goal::By([0.0, 0.2, 0.0]))],
        "out.glb",
        true,
    ));
    let mesh = shapes::ball(supple_mesh::Vec3::zeros(), 1.0, 4).unwrap();
    assert!((edited[1][3][1] - mesh.positions()[3].y - 0.2).abs() < 1e-5);
}

#[test]
fn a_statue_beside_a_runner_is_named_and_the_runner_too() {
    let place = Place::new();
    let points = |x: f64| format!("[({x}, 0, 0), ({}, 0, 0), ({x}, 1, 0), ({x}, 0, 1)]", x + 1.0);
    let mesh = |name: &str, points: &str| {
        format!(
            "def Mesh \"{name}\"\n{{\n    int[] faceVertexCounts = [3, 3, 3, 3]\n    int[] faceVertexIndices = \
             [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]\n    point3f[] points{points}\n}}\n"
        )
    };
    let runs = format!(".timeSamples = {{\n        1: {},\n        2: {}\n    }}", points(3.0), points(3.5));
    let statue = mesh("statue", &format!(" = {}", points(0.0)));
    let text = format!(
        "#usda 1.0\n(\n    startTimeCode = 1\n    endTimeCode = 2\n)\n{statue}{}",
        mesh("runner", &runs)
    );
    let path = place.write("two.usda", &text);
    let imported = place.import(MotionFile { object: Some("statue".into()), ..file(&path) }).unwrap();
    let note = imported.notes.iter().find(|note| note.contains("no vertex of /statue moves")).unwrap();
    assert!(note.ends_with("what moves is chosen with --object: /runner"), "{note}");
}
