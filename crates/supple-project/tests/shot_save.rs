//! Saving shots: nothing is lost, and nothing is written that could not be read.

#![expect(clippy::unwrap_used, reason = "the helpers of these tests may panic too")]

use std::fs;
use std::path::Path;
use supple_model::VertexId;
use supple_project::ShotError;
use supple_project::shot::{
    Anchor, Axis, Body, BodyKind, ContactKind, Contacts, Damping, Edit, End, Ends, Expert, Fill, FillMethod,
    Floor, Goal, Handle, Hold, Input, Law, Load, Material, Method, Motion, Obstacle, ObstacleShape, Pose,
    Push, Region, SecondsPerFrame, Shape, Shot, Simulate, Site, Skin, Substeps, When,
};

/// A shot that says everything there is to say.
fn bridge(folder: &Path) -> Shot {
    let mut body = Body::new(BodyKind::Solid, "bridge.msh");
    body.skin = Some(Skin { mesh: "fine.obj".into(), embedding: Some("fine.interp".into()) });
    body.material = Some(Material {
        law: Law::Linear,
        young: 2e6,
        poisson: 0.1 + 0.2,
        density: 1e-12,
        thickness: Some(0.002),
    });
    body.anchors = vec![
        Anchor::Below { axis: Axis::Y, at: 0.05 },
        Anchor::Above { axis: Axis::X, at: -1.0 },
        Anchor::Vertices(vec![VertexId(3), VertexId(u32::MAX)]),
        Anchor::Group("the \"base\"".into()),
        Anchor::Box { min: [-1.0, f64::MIN, -0.0], max: [1.0, f64::MAX, f64::MIN_POSITIVE] },
        Anchor::File("bridge.bou".into()),
    ];
    body.regions = vec![
        Region { group: "mast".into(), young: Some(2e7), poisson: None, density: None },
        Region { group: "deck".into(), young: None, poisson: Some(-0.25), density: Some(900.0) },
    ];
    let mut shot = Shot::new(folder, body).unwrap();
    shot.motion = Motion {
        start: Some(1),
        input: Input::File("sim.pc2".into()),
        frames: Some(240),
        fps: Some(23.976),
        seconds_per_frame: SecondsPerFrame::Seconds(0.02),
        object: Some("/root/bridge".into()),
        topology: Some("shapes/bridge.obj".into()),
        unit: Some(0.01),
        up: Some(Axis::Z),
        fit: Some(true),
    };
    shot.edit = Edit {
        method: Method::Control,
        damping: Some(Damping { mass: 0.0, stiffness: 0.01 }),
        ends: Ends::Apart { start: Some(End::Clamped), end: Some(End::Clamped) },
        window: Some(-5..=180),
        gravity: Some([0.0, 0.0, -9.81]),
        weight: None,
        expert: Some(Expert { fade: Some(8.0), space: Some(-0.5), wiggle_free: Some(1.0), limit: None }),
        handles: handles(),
        poses: vec![Pose::of_file(90, "crouch.obj")],
        ..Edit::default()
    };
    shot.simulate = Simulate {
        substeps: Substeps::Count(2),
        gravity: [0.0, 0.0, -9.81],
        floor: Some(Floor { height: 0.0, friction: 0.4 }),
        obstacles: vec![Obstacle {
            shape: ObstacleShape::Mesh("stairs.obj".into()),
            object: None,
            friction: None,
        }],
        anchors_motion: Some("deck.csv".into()),
        ..Simulate::default()
    };
    shot.loads = vec![
        Load {
            site: Site::Group("mast".into()),
            push: Push::Force([0.0, 0.0, 50.0]),
            frames: Some(1..=20),
            stage: None,
        },
        Load { site: Site::Group("deck".into()), push: Push::Force([0.0; 3]), frames: None, stage: Some(2) },
    ];
    shot.contacts = Some(Contacts { kind: Some(ContactKind::Slide), ..Contacts::of_file("contacts.csv") });
    shot
}

fn handles() -> Vec<Handle> {
    [
        (When::Frame(60), Site::Vertex(VertexId(12)), Goal::To([1.2, 3.4, 0.0]), Hold::Hard),
        (When::Frames(7..=7), Site::BodyVertex(VertexId(0)), Goal::By([0.0; 3]), Hold::Soft(0.5)),
        (When::Frames(-9..=9), Site::Vertices(vec![VertexId(1)]), Goal::Velocity([1e9; 3]), Hold::Hard),
        (When::Frame(i32::MIN), Site::Group("tip".into()), Goal::Path("tip.csv".into()), Hold::Hard),
        (
            When::Frame(2),
            Site::Near([0.5; 3]),
            Goal::Plane { point: [0.0; 3], normal: [0.0, 1.0, 0.0] },
            Hold::Hard,
        ),
        (When::Frame(3), Site::joint("Hand"), Goal::To([0.0; 3]), Hold::Hard),
        (When::Frame(4), Site::CenterOfMass, Goal::To([0.0; 3]), Hold::Hard),
    ]
    .into_iter()
    .map(|(when, site, goal, hold)| Handle { hold: Some(hold), ..Handle::new(when, site, goal) })
    .collect()
}

#[test]
fn a_new_shot_is_written_in_a_stable_readable_order() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bridge.toml");
    bridge(folder.path()).save(&file).unwrap();
    let text = fs::read_to_string(&file).unwrap();
    assert_eq!(text, include_str!("shot_saved.toml"));
}

#[test]
fn a_new_shot_has_no_sections_nobody_touched() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("plain.toml");
    let mut plain = Shot::new(folder.path(), Body::new(BodyKind::Cloth, "a.obj")).unwrap();
    plain.save(&file).unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), "[body]\nkind = \"cloth\"\nmesh = \"a.obj\"\n");
    // A file named like a word is told apart from it.
    plain.motion.input = Input::File("rest".into());
    plain.save(&file).unwrap();
    assert_eq!(plain.motion.input, Input::File("./rest".into()));
    assert_eq!(Shot::load(&file).unwrap(), plain);
}

#[test]
fn what_is_saved_is_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bridge.toml");
    let mut shot = bridge(folder.path());
    shot.save(&file).unwrap();
    assert_eq!(Shot::load(&file).unwrap(), shot);

    let mut plain = Shot::new(folder.path(), Body::new(BodyKind::Solid, "a.msh")).unwrap();
    let fill = Some(Fill { method: FillMethod::Tets, cells: 60 });
    plain.body.shape = Shape::Surface { surface: "a.obj".into(), fill };
    plain.body.anchors = vec![Anchor::Group("base".into())];
    plain.save(&file).unwrap();
    assert_eq!(Shot::load(&file).unwrap(), plain, "over a richer shot");
    shot.save(&file).unwrap();
    assert_eq!(Shot::load(&file).unwrap(), shot, "over a poorer shot");
}

/// A shot that an editor of Windows had written came back with other ends of lines, all of them changed for version control.
#[test]
fn marks_of_windows_stay() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shot.toml");
    for (mark, end) in [("", "\n"), ("", "\r\n"), ("\u{feff}", "\r\n"), ("\u{feff}", "\n")] {
        let lines = [
            "# A shot.",
            "[body]",
            "kind = \"solid\"",
            "mesh = \"a.msh\" # of it",
            "",
            "[motion]",
            "frames = 3",
            "",
        ];
        fs::write(&path, format!("{mark}{}", lines.join(end))).unwrap();
        let mut shot = Shot::load(&path).unwrap();
        shot.motion.frames = Some(7);
        shot.save(&path).unwrap();
        let wanted = format!("{mark}{}", lines.join(end).replace("= 3", "= 7"));
        assert_eq!(fs::read_to_string(&path).unwrap(), wanted);
        assert_eq!(Shot::load(&path).unwrap(), shot);
    }
}

#[test]
fn a_file_that_is_no_shot_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bridge.toml");
    let mut shot = bridge(folder.path());
    for other in [&b"not toml ["[..], b"[package]\nname = 'x'\n", b"\xFF"] {
        fs::write(&file, other).unwrap();
        shot.save(&file).unwrap();
        assert_eq!(Shot::load(&file).unwrap(), shot);
    }
}

#[test]
fn paths_follow_when_the_shot_moves() {
    let folder = tempfile::tempdir().unwrap();
    let deeper = folder.path().join("v2");
    fs::create_dir(&deeper).unwrap();
    let mut shot = bridge(folder.path());
    shot.body.skin.as_mut().unwrap().mesh = deeper.join("fine.obj");
    shot.save(&deeper.join("bridge.toml")).unwrap();

    assert_eq!(shot.folder(), deeper);
    assert_eq!(shot.body.shape, Shape::Mesh("../bridge.msh".into()));
    assert_eq!(shot.body.anchors.last(), Some(&Anchor::File("../bridge.bou".into())));
    let skin = Skin { mesh: "fine.obj".into(), embedding: Some("../fine.interp".into()) };
    assert_eq!(shot.body.skin, Some(skin));
    assert_eq!(shot.motion.input, Input::File("../sim.pc2".into()));
    assert_eq!(shot.edit.handles[3].goal, Goal::Path("../tip.csv".into()));
    assert_eq!(shot.edit.poses[0].file.as_deref(), Some(Path::new("../crouch.obj")));
    let stairs = ObstacleShape::Mesh("../stairs.obj".into());
    assert_eq!(shot.simulate.obstacles[0].shape, stairs);
    assert_eq!(shot.simulate.anchors_motion.as_deref(), Some(Path::new("../deck.csv")));
    assert_eq!(shot.contacts.as_ref().unwrap().file, Some("../contacts.csv".into()));
    assert_eq!(Shot::load(&deeper.join("bridge.toml")).unwrap(), shot);

    shot.body.shape = Shape::Surface { surface: "../bridge.obj".into(), fill: None };
    shot.save(&folder.path().join("bridge.toml")).unwrap();
    assert_eq!(shot.body.shape, Shape::Surface { surface: "bridge.obj".into(), fill: None });
}

#[test]
fn a_failed_save_changes_neither_file_nor_shot() {
    let folder = tempfile::tempdir().unwrap();
    let before = bridge(folder.path());
    let mut shot = before.clone();
    let failed = shot.save(&folder.path().join("no/such/folder/bridge.toml"));
    assert!(matches!(failed, Err(ShotError::Write { .. })), "{failed:?}");
    assert_eq!(shot, before);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn nothing_is_saved_that_could_not_be_loaded() {
    let senseless: [fn(&mut Shot); 13] = [
        |shot| shot.edit.poses[0].every = Some(0),
        |shot| shot.edit.poses[0].hold = Hold::Soft(0.0),
        |shot| shot.edit.window = Some(std::ops::RangeInclusive::new(2, 1)),
        |shot| shot.edit.handles[0].site = Site::Vertices(vec![]),
        |shot| shot.edit.handles[0].hold = Some(Hold::Soft(-1.0)),
        |shot| shot.motion.fps = Some(0.0),
        |shot| shot.motion.seconds_per_frame = SecondsPerFrame::Seconds(f64::NAN),
        |shot| shot.simulate.gravity[1] = f64::INFINITY,
        |shot| shot.loads[0].site = Site::Group(String::new()),
        |shot| shot.body.shape = Shape::Mesh("".into()),
        |shot| shot.body.material = Some(Material { young: f64::NAN, ..Material::default() }),
        |shot| shot.body.anchors = vec![Anchor::Vertices(vec![])],
        |shot| shot.body.regions[0].young = None,
    ];
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bridge.toml");
    let before = bridge(folder.path());
    before.clone().save(&file).unwrap();
    for (i, change) in senseless.into_iter().enumerate() {
        let mut shot = before.clone();
        change(&mut shot);
        let failed = shot.save(&file);
        assert!(matches!(failed, Err(ShotError::BadValue { .. })), "{i}: {failed:?}");
        assert_eq!(Shot::load(&file).unwrap(), before, "{i}");
    }
}

#[cfg(unix)]
#[test]
fn a_path_that_is_not_text_is_an_error() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let mut shot = bridge(folder.path());
    shot.body.shape = Shape::Mesh(std::ffi::OsStr::from_bytes(b"a\xFF.msh").into());
    let failed = shot.save(&folder.path().join("bridge.toml"));
    assert!(matches!(failed, Err(ShotError::UnwritablePath { .. })), "{failed:?}");
}
