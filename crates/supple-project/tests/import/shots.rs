//! What a shot is made of.

use crate::import::files::{Place, Settings, all, ball, file, sheet, single, tumbling};
use supple_formats::SurfaceFile;
use supple_mesh::Vec3;
use supple_model::{Progress, VertexId};
use supple_project::method::{Numerics, RealNumerics};
use supple_project::shot::{
    BodyKind, Contacts, FillMethod, Goal, Handle, Input, NewContacts, ObstacleShape, Shape, Shot, Site, When,
};
use supple_project::{Cache, Import, ImportKind, MotionFile, RestShape};

/// Two meshes, one of which moves and has a rest shape.
pub const PARTY: &str = include_str!("party.usda");

#[test]
fn of_several_objects_the_one_that_moves_is_taken_and_the_others_stand_around() {
    let place = Place::new();
    let path = place.write("party.usda", PARTY);
    let imported = place.import(file(&path)).unwrap();
    assert_eq!(
        (imported.object.as_str(), imported.scenery.as_slice()),
        ("/root/tent", &["/root/floor".to_owned()][..])
    );
    assert_eq!(imported.rest, "from the file");
    assert_eq!((imported.still, imported.clock.frames), (3, 2));
    let shot = Shot::load(&place.path("shot.toml")).unwrap();
    assert_eq!(shot, imported.shot);
    assert_eq!(shot.motion.input, Input::File("party.usda".into()));
    assert_eq!(shot.motion.object.as_deref(), Some("/root/tent"));
    let obstacle = &shot.simulate.obstacles[0].shape;
    assert_eq!(*obstacle, ObstacleShape::Mesh("shot.root-floor.obj".into()));
    assert!(place.path("shot.root-floor.obj").exists());
    let supple_formats::MeshFile::Surface(skin) =
        supple_formats::load_mesh(place.path("shot.skin.obj")).unwrap()
    else {
        panic!("a surface")
    };
    assert_eq!(skin.positions[3], [0.0, 1.0, 0.0]);
    assert!(skin.vertex_groups.iter().any(|group| group.name == "still" && group.members == [0, 1, 2]));
}

/// The ball on a trampoline was drawn where it is in the first frame, and the sheet sank without it.
#[test]
fn scenery_that_moves_is_drawn_where_it_is_and_edits_pass_through_it() {
    let place = Place::new();
    let tent = PARTY.find("    def Mesh \"tent\"").unwrap();
    let ball = "    def Mesh \"ball\"\n    {\n        int[] faceVertexCounts = [3]\n        int[] faceVertexIndices = [0, 1, 2]
        point3f[] points.timeSamples = {
            1: [(0, 0, 3), (0, 0, 4), (0, 1, 3)],
            2: [(7, 0, 3), (7, 0, 4), (7, 1, 3)],
        }\n    }\n";
    let path = place.write("party.usda", &format!("{}{ball}{}", &PARTY[..tent], &PARTY[tent..]));
    let asked = MotionFile { object: Some("tent".into()), ..file(&path) };
    let imported = place.import(asked).unwrap();
    let told = "/root/ball is animated: it is drawn where it moves, and edits pass through it";
    assert!(imported.notes.iter().any(|note| note == told), "{:?}", imported.notes);
    let mut shot = Shot::load(&place.path("shot.toml")).unwrap();
    assert_eq!(shot, imported.shot);
    let objects: Vec<Option<&str>> = shot.simulate.obstacles.iter().map(|o| o.object.as_deref()).collect();
    assert_eq!(objects, [None, Some("/root/ball")]);

    // However firmly obstacles are kept: the tent is pulled through where the ball is in the first frame.
    shot.contacts = Some(Contacts { new: Some(NewContacts::Hold), ..Contacts::default() });
    let by = Goal::By([0.0, 0.0, 3.5]);
    shot.edit.handles = vec![Handle::new(When::Frame(1), Site::Vertex(VertexId(3)), by)];
    let (mut delivered, silent) = (Vec::new(), Progress::silent());
    let cache = Cache::of_shot(&place.path("shot.toml"));
    RealNumerics::default().open(&shot, &cache, &silent, &mut |live| delivered.push(live)).unwrap();
    assert!(delivered.len() > 1, "to look at, and to edit");
    for live in &mut delivered {
        let scenery = &live.stage().scenery;
        assert!(scenery[0].at(1).is_none(), "the floor stands still");
        let corners = |frame: usize| scenery[1].at(frame).unwrap().iter().map(|p| p[0]).collect::<Vec<f32>>();
        assert_eq!((corners(0), corners(1)), (vec![0.0; 3], vec![7.0; 3]));
        assert_eq!(corners(9), [7.0; 3], "the last frame stays");
    }
    let live = delivered.last_mut().unwrap();
    live.ask(&shot.edit, &silent).unwrap();
    let report = live.report(&silent, &mut |_| {}).unwrap();
    assert!(report.number("penetration", "depth").is_none_or(|depth| depth == 0.0), "{report:?}");
}

/// A set of three thousand props became three thousand files beside the shot.
#[test]
fn many_other_objects_share_a_file_in_which_each_is_a_group() {
    let place = Place::new();
    let stone = |k: i32| {
        format!(
            "    def Mesh \"stone{k}\"\n    {{\n        int[] faceVertexCounts = [3]\n        int[] faceVertexIndices = \
             [0, 1, 2]\n        point3f[] points = [({k}, 0, 3), ({k}, 0, 4), ({k}, 1, 3)]\n    }}\n"
        )
    };
    let stones: String = (0..20).map(stone).collect();
    let tent = PARTY.find("    def Mesh \"tent\"").unwrap();
    let path = place.write("party.usda", &format!("{}{stones}{}", &PARTY[..tent], &PARTY[tent..]));
    let imported = place.import(file(&path)).unwrap();
    assert_eq!((imported.scenery.len(), imported.files.len()), (21, 3), "{:?}", imported.files);
    let shot = Shot::load(&place.path("shot.toml")).unwrap();
    let obstacles: Vec<&ObstacleShape> = shot.simulate.obstacles.iter().map(|o| &o.shape).collect();
    assert_eq!(obstacles, [&ObstacleShape::Mesh("shot.scenery.obj".into())]);
    let supple_formats::MeshFile::Surface(all) =
        supple_formats::load_mesh(place.path("shot.scenery.obj")).unwrap()
    else {
        panic!("a surface")
    };
    let names: Vec<&str> = all.vertex_groups.iter().map(|group| group.name.as_str()).collect();
    assert_eq!(names, imported.scenery);
    let last = &all.vertex_groups[20].members;
    assert_eq!((all.positions.len(), all.triangles.len(), last.as_slice()), (64, 22, &[61, 62, 63][..]));
    assert_eq!(all.positions[61], [19.0, 0.0, 3.0]);
}

#[test]
fn a_rest_shape_is_asked_for_found_or_the_first_frame() {
    let place = Place::new();
    let path = place.write("party.usda", PARTY);
    let own =
        place.write("own.obj", "v 0 0 0\nv 3 0 0\nv 0 0 1\nv 0 1 0\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n");
    let tip = |rest: Option<RestShape>| {
        let import = Import { file: file(&path), rest, cells: Some(6), force: true, ..Import::default() };
        let imported = place.import_as(import).unwrap();
        let supple_formats::MeshFile::Surface(skin) =
            supple_formats::load_mesh(place.path("shot.skin.obj")).unwrap()
        else {
            panic!("a surface")
        };
        (imported.rest, skin.positions[1][0], skin.positions[3])
    };
    assert_eq!(tip(Some(RestShape::Frame(2))), ("frame 2".into(), 1.0, [1.0, 2.0, 0.0]));
    let (name, x, _) = tip(Some(RestShape::File(own)));
    assert!(name.ends_with("own.obj") && x == 3.0);
    let surface = ball();
    let other = place.motion("b.glb", &surface, &tumbling(&surface, 3), Settings::default());
    let import = Import { file: file(&other), cells: Some(5), force: true, ..Import::default() };
    assert_eq!(place.import_as(import).unwrap().rest, "the first frame, 11 (the file has no rest shape)");
}

#[test]
fn bodies_suit_their_surfaces() {
    let made = |surface: &SurfaceFile| {
        let place = Place::new();
        let path = place.motion("a.####.ply", surface, &tumbling(surface, 3), Settings::default());
        let imported = place.import_as(Import { file: file(&path), ..Import::default() }).unwrap();
        assert_eq!(imported.shot.edit.modes, 20);
        let fill = match imported.shot.body.shape {
            Shape::Surface { fill, .. } => fill.map(|fill| fill.method),
            Shape::Mesh(_) | Shape::Skeleton(_) => None,
        };
        (imported.shot.body.kind, fill, imported.fit.is_some(), imported.body[0])
    };
    let (body, fill, fit, vertices) = made(&ball());
    assert_eq!((body, fill, fit), (BodyKind::Solid, Some(FillMethod::Tets), true));
    assert!((400..=1200).contains(&vertices), "{vertices}");
    // Few vertices bend badly: voxels around them, as around several pieces.
    let (body, fill, fit, vertices) = made(&sheet());
    assert_eq!((body, fill, fit), (BodyKind::Voxels, Some(FillMethod::Voxels), true));
    assert!((400..=1200).contains(&vertices), "{vertices}");
    let mut two = ball();
    let shifted = two.positions.iter().map(|[x, y, z]| [x + 1.9, *y, *z]).collect::<Vec<_>>();
    two.triangles.extend(ball().triangles.iter().map(|t| t.map(|v| v + 162)));
    two.positions.extend(shifted);
    assert_eq!(made(&two).0, BodyKind::Voxels);
    // A sheet is itself, with three wings at one edge too.
    let sheet = fine_sheet();
    let (body, fill, fit, vertices) = made(&sheet);
    assert_eq!((body, fill, fit, vertices), (BodyKind::Cloth, None, false, 144));
    let mut wings = sheet.clone();
    wings.positions.extend((0..12).map(|k| [1.0, 0.7, f64::from(k) / 4.0]));
    wings.triangles.extend((0..11).flat_map(|k| {
        let (a, b) = (4 + 12 * k, 144 + k);
        [[a, a + 12, b], [b, a + 12, b + 1]]
    }));
    assert_eq!(made(&wings).0, BodyKind::Cloth);
    // Vertices that nothing uses and triangles that are none are no part of it; one without area makes it no cloth.
    let mut untidy = sheet.clone();
    untidy.positions.push([0.5; 3]);
    untidy.triangles.push([0, 1, 1]);
    let (body, _, _, vertices) = made(&untidy);
    assert_eq!((body, vertices), (BodyKind::Cloth, 144));
    let mut broken = sheet;
    broken.triangles.push([0, 1, 2]);
    assert_eq!(made(&broken).0, BodyKind::Voxels);
}

/// An open sheet of 144 vertices.
fn fine_sheet() -> SurfaceFile {
    let at = |k: u32| [f64::from(k % 12) / 4.0, 0.0, f64::from(k / 12) / 4.0];
    let squares = (0..121_u32).map(|k| k % 11 + 12 * (k / 11));
    SurfaceFile {
        positions: (0..144).map(at).collect(),
        triangles: squares.flat_map(|k| [[k, k + 12, k + 13], [k, k + 13, k + 1]]).collect(),
        ..SurfaceFile::default()
    }
}

#[test]
fn tiles_of_texture_are_groups() {
    let place = Place::new();
    let text = "v 0 0 0\nv 1 0 0\nv 0 0 1\nv 0 1 0\nvt 0.5 0.5\nvt 1.5 0.5\nf 1/1 3/1 2/1\nf 1/1 2/1 4/1\nf 2/2 3/2 4/2\nf 1/2 \
                4/2 3/2\n";
    for frame in 1..4 {
        place.write(&format!("a.{frame}.obj"), text);
    }
    let imported = place.import(file(&place.path("a.#.obj"))).unwrap();
    let body = supple_project::Body::load(&imported.shot).unwrap();
    assert!(body.groups.get("udim:1001").is_ok() && body.groups.get("udim:1002").is_ok());
}

#[test]
fn two_pins_hold_a_cloth() {
    let (place, surface) = (Place::new(), sheet());
    let pins = [0, 8];
    let frame = |k: u32| -> Vec<[f64; 3]> {
        let sag = |p: &[f64; 3], pin: u32| {
            let at = surface.positions[pin as usize];
            (p[0] - at[0]).hypot(p[2] - at[2])
        };
        let place = |p: &[f64; 3]| {
            let free = sag(p, pins[0]).min(sag(p, pins[1]));
            single([p[0], -0.1 * f64::from(k) * free, p[2]])
        };
        surface.positions.iter().map(place).collect()
    };
    let frames: Vec<_> = (0..4).map(frame).collect();
    let path = place.motion("a.glb", &surface, &frames, Settings::default());
    for kind in [ImportKind::Auto, ImportKind::Cloth] {
        let import = Import { file: file(&path), kind, cells: Some(4), force: true, ..Import::default() };
        let imported = place.import_as(import).unwrap();
        assert_eq!(imported.still, 2);
        let body = supple_project::Body::load(&imported.shot).unwrap();
        assert!(!body.anchors.is_empty() && body.anchors.len() <= 8, "{:?}", body.anchors);
        let middle = Handle::new(When::Frame(13), Site::Vertex(VertexId(76)), Goal::By([0.0, 0.4, 0.0]));
        let mut edited = supple_formats::open_scene(place.solve(&[middle], "out.glb", true)).unwrap();
        let edited = all(edited.objects[0].frames.as_mut());
        let moved = |v: usize| (Vec3::from(edited[2][v]) - Vec3::from(frames[2][v])).norm();
        assert!(
            moved(76) > 0.39 && pins.iter().all(|pin| moved(*pin as usize) < 0.1),
            "{kind:?} {}",
            moved(0)
        );
    }
}

#[test]
fn groups_come_from_a_table_too() {
    let (place, surface) = (Place::new(), ball());
    let path = place.motion("a.glb", &surface, &tumbling(&surface, 3), Settings::default());
    let import = |table: &str| {
        let groups = Some(place.write("groups.csv", table));
        place.import_as(Import {
            file: file(&path),
            groups,
            cells: Some(5),
            force: true,
            ..Import::default()
        })
    };
    let imported = import("name,index\nnose,7\nnose,9\n").unwrap();
    let body = supple_project::Body::load(&imported.shot).unwrap();
    assert!(body.groups.get("nose").is_ok());
    let supple_formats::MeshFile::Surface(skin) =
        supple_formats::load_mesh(place.path("shot.skin.obj")).unwrap()
    else {
        panic!("a surface")
    };
    let nose = skin.vertex_groups.iter().find(|group| group.name == "nose").unwrap();
    assert_eq!(nose.members, [7, 9]);
    let error = import("name,index\nnose,162\n").unwrap_err().to_string();
    assert!(
        error.contains("groups.csv") && error.contains("vertex 162") && error.contains("162 vertices"),
        "{error}"
    );
}

#[test]
fn a_shot_is_not_written_over_unless_that_is_asked_for() {
    let place = Place::new();
    let path = place.write("party.usda", PARTY);
    place.import(MotionFile { object: Some("tent".into()), ..file(&path) }).unwrap();
    let error = place.import(file(&path)).unwrap_err().to_string();
    assert!(error.contains("shot.toml already exists") && error.contains("--force"), "{error}");
    place.import_as(Import { file: file(&path), cells: Some(6), force: true, ..Import::default() }).unwrap();
}
