//! Saving shots: nothing is lost, and only what changed changes.

#![expect(clippy::unwrap_used, reason = "the helpers of these tests may panic too")]

use std::fs;
use std::path::Path;
use supple_model::VertexId;
use supple_project::{Anchor, Axis, Body, BodyKind, Law, Material, Region, Shot, ShotError, Skin};

fn bridge(folder: &Path) -> Shot {
    let mut body = Body::new(BodyKind::Solid, "bridge.msh");
    body.skin = Some(Skin { mesh: "fine.obj".into(), embedding: Some("fine.interp".into()) });
    body.material = Material { law: Law::Linear, young: 2e6, poisson: 0.1 + 0.2, density: 1e-12 };
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
    shot.edit.modes = 200;
    shot
}

#[test]
fn a_new_shot_is_written_in_a_stable_readable_order() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bridge.toml");
    bridge(folder.path()).save(&file).unwrap();
    let text = fs::read_to_string(&file).unwrap();
    let expected = r#"[body]
kind = "solid"
mesh = "bridge.msh"
skin = "fine.obj"
embedding = "fine.interp"
material = { law = "linear", young = 2e6, poisson = 0.30000000000000004, density = 1e-12 }
anchors = [
    { below = { axis = "y", at = 0.05 } },
    { above = { axis = "x", at = -1.0 } },
    { vertices = [3, 4294967295] },
    { group = 'the "base"' },
    { box = { min = [-1.0, -1.7976931348623157e308, -0.0], max = [1.0, 1.7976931348623157e308, 2.2250738585072014e-308] } },
    { file = "bridge.bou" },
]
regions = [
    { group = "mast", young = 2e7 },
    { group = "deck", poisson = -0.25, density = 900.0 },
]

[edit]
modes = 200
"#;
    assert_eq!(text, expected);
}

#[test]
fn what_is_saved_is_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bridge.toml");
    let mut shot = bridge(folder.path());
    shot.save(&file).unwrap();
    assert_eq!(Shot::load(&file).unwrap(), shot);

    let mut plain = Shot::new(folder.path(), Body::new(BodyKind::Solid, "a.msh")).unwrap();
    plain.body.anchors = vec![Anchor::Group("base".into())];
    plain.save(&file).unwrap();
    assert_eq!(Shot::load(&file).unwrap(), plain, "over a richer shot");
    shot.save(&file).unwrap();
    assert_eq!(Shot::load(&file).unwrap(), shot, "over a poorer shot");
}

const BY_HAND: &str = r#"# My bridge.

[edit]   # first, for once
modes = 40 # enough

[body]
mesh  = 'bridge.msh'      # from the scanner
kind = "solid"
# as measured
[body.material]
density = 1_000           # wet
young = 2.0e6

[[body.regions]]          # the mast
group = "mast"
young = 2e7
"#;

#[test]
fn saving_without_a_change_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bridge.toml");
    fs::write(&file, BY_HAND).unwrap();
    let mut shot = Shot::load(&file).unwrap();
    shot.save(&file).unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), BY_HAND);
}

#[test]
fn a_change_leaves_comments_and_layout_of_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bridge.toml");
    fs::write(&file, BY_HAND).unwrap();
    let mut shot = Shot::load(&file).unwrap();
    shot.edit.modes = 80;
    shot.body.mesh = "bridge-v2.msh".into();
    shot.body.anchors = vec![Anchor::Group("base".into())];
    shot.save(&file).unwrap();
    let expected = BY_HAND
        .replace("40 # enough", "80 # enough")
        .replace("'bridge.msh' ", "\"bridge-v2.msh\" ")
        .replace("kind = \"solid\"\n", "kind = \"solid\"\nanchors = { group = \"base\" }\n");
    assert_eq!(fs::read_to_string(&file).unwrap(), expected);

    // Tables give way to the one-line form when their own values change.
    shot.body.material.young = 3e6;
    shot.body.regions.clear();
    shot.save(&file).unwrap();
    let text = fs::read_to_string(&file).unwrap();
    assert!(
        text.contains("material = { law = \"stvk\", young = 3e6, poisson = 0.45, density = 1000.0 }"),
        "{text}"
    );
    assert!(text.contains("# from the scanner") && !text.contains("mast"), "{text}");
    assert_eq!(Shot::load(&file).unwrap(), shot);
}

#[test]
fn any_layout_can_be_saved_over() {
    let layouts = [
        BY_HAND,
        "body = { kind = 'solid', mesh = 'a.msh', anchors = { group = 'a' } } # all in one",
        "body.kind = 'solid' # dotted\nbody.mesh = 'a.msh'\nbody.material.young = 5\nedit.modes = 3",
        "body.kind = 'solid'\nbody.mesh = 'a.msh' # kept\n[body.anchors.below]\naxis = 'x'\nat = 1\n[edit]",
        "[body.material] # before its parent\nyoung = 5\n[edit]\n[body]\nkind = 'solid'\nmesh = 'a.msh'",
        "[body]\nkind = 'solid'\nmesh = 'a.msh'\n[[body.anchors]]\ngroup = 'a'\n[[body.anchors]] # b\nfile = 'b.bou'",
        "# no line end, and windows lines\r\n[body]\r\nkind = 'solid'\r\nmesh = 'a.msh'",
    ];
    let changes: [fn(&mut Shot); 8] = [
        |shot| shot.edit.modes += 1,
        |shot| shot.body.mesh = "new.msh".into(),
        |shot| shot.body.skin = Some(Skin { mesh: "new.obj".into(), embedding: None }),
        |shot| shot.body.material.young = 7.0,
        |shot| shot.body.anchors.clear(),
        |shot| shot.body.anchors.push(Anchor::Above { axis: Axis::Z, at: 0.0 }),
        |shot| shot.body.regions.clear(),
        |shot| *shot = bridge(shot.folder()),
    ];
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bridge.toml");
    for layout in layouts {
        for (i, change) in changes.into_iter().enumerate() {
            fs::write(&file, layout).unwrap();
            let mut shot = Shot::load(&file).unwrap();
            change(&mut shot);
            shot.save(&file).unwrap();
            let text = fs::read_to_string(&file).unwrap();
            assert_eq!(Shot::load(&file).unwrap(), shot, "change {i} of\n{layout}\ngave\n{text}");
        }
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
    assert_eq!(shot.body.mesh, Path::new("../bridge.msh"));
    assert_eq!(shot.body.anchors.last(), Some(&Anchor::File("../bridge.bou".into())));
    let skin = Skin { mesh: "fine.obj".into(), embedding: Some("../fine.interp".into()) };
    assert_eq!(shot.body.skin, Some(skin));
    assert_eq!(Shot::load(&deeper.join("bridge.toml")).unwrap(), shot);
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
    let senseless: [fn(&mut Shot); 5] = [
        |shot| shot.edit.modes = 0,
        |shot| shot.body.mesh = "".into(),
        |shot| shot.body.material.young = f64::NAN,
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
    shot.body.mesh = std::ffi::OsStr::from_bytes(b"a\xFF.msh").into();
    let failed = shot.save(&folder.path().join("bridge.toml"));
    assert!(matches!(failed, Err(ShotError::UnwritablePath { .. })), "{failed:?}");
}
