//! What an import will be of, before it begins.

use crate::import::files::{Place, Settings, ball, file, tumbling};
use crate::import::shots::PARTY;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use supple_project::shot::Axis;
use supple_project::{
    Import, ImportField, ImportPreview, ImportWrong, MotionFile, PreviewState, RestShape, Space,
};

/// Waits until a preview is as it should be.
fn until(preview: &ImportPreview, what: &str, done: impl Fn(&PreviewState) -> bool) -> PreviewState {
    let begin = Instant::now();
    loop {
        let seen = preview.seen();
        if done(&seen) {
            return seen;
        }
        assert!(begin.elapsed() < Duration::from_secs(60), "{what}: {seen:?}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// What comes of checking an import.
fn check(preview: &ImportPreview, import: &Import) -> Result<supple_project::ImportChecked, ImportWrong> {
    preview.check(import);
    let is_of = |seen: &PreviewState| {
        seen.checked.as_ref().is_some_and(|(of, _)| {
            (&of.rest, &of.groups, &of.file.object) == (&import.rest, &import.groups, &import.file.object)
        })
    };
    let (_, result) = until(preview, "checked", is_of).checked.unwrap();
    result.map(|checked| (*checked).clone())
}

fn import(path: impl AsRef<Path>) -> Import {
    Import { file: file(path.as_ref()), ..Import::default() }
}

#[test]
fn a_scene_is_seen_whole_with_its_motion_and_its_rest_shape() {
    let place = Place::new();
    let party = import(place.write("party.usda", PARTY));
    let preview = ImportPreview::of(&party, || {});
    let seen = until(&preview, "all of it", |seen| seen.doing.is_none() && seen.checked.is_some());
    let scene = seen.scene.unwrap();
    assert_eq!((scene.frames, scene.start, scene.fps), (2, 1, 24.0));
    let names: Vec<&str> = scene.objects.iter().map(|object| object.name.as_str()).collect();
    assert_eq!(names, ["/root/floor", "/root/tent"]);
    assert_eq!(scene.objects.iter().map(|object| object.animated).collect::<Vec<_>>(), [false, true]);
    assert_eq!(scene.objects[0].bounds, [[-5.0, 0.0, -5.0], [5.0, 0.0, 5.0]]);
    assert_eq!(seen.frames.iter().map(|frame| frame.index).collect::<Vec<_>>(), [0, 1]);
    assert_eq!([0, 1].map(|k| seen.frames[k].objects[1][3]), [[0.0, 2.0, 0.0], [1.0, 2.0, 0.0]]);
    let checked = seen.checked.unwrap().1.unwrap();
    assert_eq!((checked.object, checked.rest[3]), (1, [0.0, 1.0, 0.0]), "the file has a rest shape");
    assert_eq!(checked.kind, supple_project::ImportKind::Solid);
    let of_frame = Import { rest: Some(RestShape::Frame(2)), ..party.clone() };
    assert_eq!(check(&preview, &of_frame).unwrap().rest[3], [1.0, 2.0, 0.0]);
    let other = Import { file: MotionFile { object: Some("floor".into()), ..party.file.clone() }, ..party };
    assert_eq!(check(&preview, &other).unwrap().object, 0);
    let space = Space { unit: 0.01, up: Axis::Z };
    assert_eq!(space.inside(scene.objects[0].bounds[1]), [0.05, 0.05, -0.0], "another unit needs no file");
}

#[test]
fn what_is_wrong_is_said_of_its_field() {
    let place = Place::new();
    let party = import(place.write("party.usda", PARTY));
    let preview = ImportPreview::of(&party, || {});
    let groups = |text: &str, name: &str| Import { groups: Some(place.write(name, text)), ..party.clone() };
    let tip = check(&preview, &groups("name,index\ntip,3\n", "tip.csv")).unwrap();
    assert!(tip.groups.contains(&("tip".to_owned(), 1)), "{:?}", tip.groups);
    let mesh = place.write("other.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let named = |name: &str| MotionFile { object: Some(name.into()), ..party.file.clone() };
    let wrong = [
        (groups("name,index\ntip,9\n", "far.csv"), ImportField::Groups, "vertex 9"),
        (groups("what,is\nthis,1\n", "odd.csv"), ImportField::Groups, "odd.csv"),
        (Import { rest: Some(RestShape::Frame(7)), ..party.clone() }, ImportField::Rest, "frame 7"),
        (Import { rest: Some(RestShape::File(mesh)), ..party.clone() }, ImportField::Rest, "3 vertices"),
        (Import { file: named("tree"), ..party.clone() }, ImportField::Object, "tree"),
    ];
    for (import, field, words) in wrong {
        let wrong = check(&preview, &import).unwrap_err();
        assert!(wrong.field == field && wrong.text.contains(words), "{wrong:?}");
    }
    let problem = |import: &Import| {
        let preview = ImportPreview::of(import, || {});
        until(&preview, "a problem", |seen| seen.problem.is_some()).problem.unwrap()
    };
    let none = problem(&import(place.path("none.glb")));
    assert!(none.field == ImportField::Path && none.text.contains("none.glb"), "{none:?}");
    let mut points = b"POINTCACHE2\0".to_vec();
    points.extend([1_i32, 1, 0, 0, 1].iter().flat_map(|x| x.to_le_bytes()));
    points[20..28].copy_from_slice(&[0, 0, 128, 63, 0, 0, 128, 63]);
    points.extend([0; 12]);
    std::fs::write(place.path("one.pc2"), points).unwrap();
    let bare = problem(&import(place.path("one.pc2")));
    assert!(bare.field == ImportField::Topology && bare.text.contains("no faces"), "{bare:?}");
    let other = MotionFile { topology: Some(place.path("other.obj")), ..file(&place.path("one.pc2")) };
    let other = problem(&Import { file: other, ..Import::default() });
    assert!(other.field == ImportField::Topology && other.text.contains('3'), "{other:?}");
}

#[test]
fn a_large_file_is_held_in_little_memory() {
    let place = Place::new();
    let side = 300_u32;
    let at = |v: u32| format!("v {} {} 0\n", v % side, v / side);
    let square = |k: u32| {
        let a = k / (side - 1) * side + k % (side - 1) + 1;
        format!("f {a} {} {} {}\n", a + 1, a + side + 1, a + side)
    };
    let points: String = (0..side * side).map(at).collect();
    let faces: String = (0..(side - 1) * (side - 1)).map(square).collect();
    let preview = ImportPreview::of(&import(place.write("sheet.obj", &(points + &faces))), || {});
    let seen = until(&preview, "all of it", |seen| seen.doing.is_none());
    let object = &seen.scene.unwrap().objects[0];
    assert_eq!((object.vertices, object.triangles), (90_000, 178_802));
    assert!((5_000..=20_000).contains(&object.drawn.len()), "{}", object.drawn.len());
    assert!(seen.frames[0].objects[0].len() < 15_000, "{}", seen.frames[0].objects[0].len());
}

#[test]
fn reading_is_stopped_and_what_is_known_stays() {
    let place = Place::new();
    let surface = ball();
    let path = place.motion("ball.usda", &surface, &tumbling(&surface, 40), Settings::default());
    let import = import(path);
    // The thread waits with its first word until it was told to stop.
    let is_told = Arc::new(AtomicBool::new(false));
    let told = is_told.clone();
    let preview = ImportPreview::of(&import, move || {
        while !told.load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
    });
    preview.cancel();
    is_told.store(true, Ordering::Relaxed);
    let seen = until(&preview, "the end of it", |seen| seen.doing.is_none());
    assert_eq!(seen.frames.len(), 1, "the first frame is there with the file");
    let of_frame = Import { rest: Some(RestShape::Frame(50)), ..import.clone() };
    assert_eq!(check(&preview, &of_frame).unwrap().rest_name, "frame 50", "and questions are answered");
    let all = until(&ImportPreview::of(&import, || {}), "all of it", |seen| seen.doing.is_none());
    assert_eq!(all.frames.len(), 40);
}

/// A skeleton is seen by its bones, in the unit that its height tells.
#[test]
fn a_skeleton_is_seen_by_its_bones() {
    let place = Place::new();
    let text = "HIERARCHY\r\nROOT Hips\r\n{\r\nOFFSET 0 0 0\r\nCHANNELS 3 Xposition Yposition Zrotation\r\nJOINT Head\r\n{\r\n\
                OFFSET 0 170 0\r\nCHANNELS 1 Zrotation\r\n}\r\n}\r\nMOTION\r\nFrames: 2\r\nFrame Time: 0.04\r\n0 0 0 0\r\n\
                5 0 90 0\r\n";
    let walk = import(place.write("walk.bvh", text));
    let preview = ImportPreview::of(&walk, || {});
    let seen = until(&preview, "all of it", |seen| seen.doing.is_none() && seen.checked.is_some());
    let scene = seen.scene.unwrap();
    assert_eq!((scene.frames, scene.start, scene.fps, scene.unit), (2, 1, 25.0, Some(0.01)));
    assert_eq!(scene.objects.len(), 1);
    // The last corner of the bone is the head, which the hips turn by a quarter.
    let head = |frame: usize| seen.frames[frame].objects[0][5];
    assert_eq!(head(0), [0.0, 170.0, 0.0]);
    let [x, y, z] = head(1);
    assert!((x + 165.0).abs() < 1e-4 && y.abs() < 1e-4 && z == 0.0, "{:?}", head(1));
    assert_eq!(seen.checked.unwrap().1.unwrap().kind, supple_project::ImportKind::Character);
    let wrong = check(&preview, &Import { rest: Some(RestShape::Frame(2)), ..walk }).unwrap_err();
    assert!(wrong.field == ImportField::Rest && wrong.text.contains("skeleton"), "{wrong:?}");
}
