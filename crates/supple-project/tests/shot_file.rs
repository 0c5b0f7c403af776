//! Reading shot files: what `[body]` may say, and how mistakes are reported.

#![expect(clippy::unwrap_used, reason = "the helpers of these tests may panic too")]

use std::fs;
use std::path::Path;
use supple_model::VertexId;
use supple_project::ShotError;
use supple_project::shot::{
    Anchor, Axis, Body, BodyKind, Fill, FillMethod, Law, Material, Region, Shape, Shot, Skin,
};

const FULL: &str = include_str!("shot_full.toml");

fn parse(text: &str) -> Result<Shot, ShotError> {
    Shot::parse(Path::new("film/bridge.toml"), text)
}

fn error(text: &str) -> String {
    parse(text).unwrap_err().to_string()
}

/// The message for `[body]` with this one line wrong, on line 4 of the file.
fn body_error(line: &str) -> String {
    error(&format!("[body]\nkind = \"solid\"\nmesh = \"a.msh\"\n{line}\n"))
}

#[test]
fn every_key_of_the_body_is_read() {
    let body = parse(FULL).unwrap().body;
    assert_eq!(body.kind, BodyKind::Solid);
    assert_eq!(body.shape, Shape::Mesh("bridge.msh".into()));
    let skin = Skin { mesh: "skins/bridge-fine.obj".into(), embedding: Some("bridge.interp".into()) };
    assert_eq!(body.skin, Some(skin));
    let material =
        Material { law: Law::NeoHookean, young: 2e6, poisson: 0.45, density: 1200.0, thickness: None };
    assert_eq!(body.material, Some(material));
    let anchors = [
        Anchor::Below { axis: Axis::Y, at: 0.05 },
        Anchor::Above { axis: Axis::Z, at: -1.0 },
        Anchor::Vertices([0, 7, u32::MAX].map(VertexId).to_vec()),
        Anchor::Group("base".into()),
        Anchor::Box { min: [-1.0; 3], max: [1.0, 1.5, 1.0] },
        Anchor::File("bridge.bou".into()),
    ];
    assert_eq!(body.anchors, anchors);
    let regions = [
        Region { group: "mast".into(), young: Some(2e7), poisson: None, density: None },
        Region { group: "deck".into(), young: None, poisson: Some(0.3), density: Some(900.0) },
    ];
    assert_eq!(body.regions, regions);
}

#[test]
fn only_kind_and_mesh_are_required() {
    let shot = parse("[body]\nkind = 'solid'\nmesh = 'a.msh'\n").unwrap();
    let plain = Shot::new(Path::new("film"), Body::new(BodyKind::Solid, "a.msh")).unwrap();
    assert_eq!(shot, plain);

    assert_eq!(error("[edit]\n"), "film/bridge.toml:1:1: the shot needs the key `body`");
    assert_eq!(
        error("\n[body]\nkind = 'solid'\n"),
        "film/bridge.toml:2:1: `body` takes one of mesh or surface, found none"
    );
}

#[test]
fn a_surface_is_filled() {
    let shape = |line: &str| {
        parse(&format!("[body]\nkind = 'voxels'\n{line}"))
            .map(|shot| shot.body.shape)
            .map_err(|e| e.to_string())
    };
    let filled = Shape::Surface {
        surface: "a.obj".into(),
        fill: Some(Fill { method: FillMethod::Voxels, cells: 60 }),
    };
    assert_eq!(shape("surface = 'a.obj'\nfill = { method = 'voxels', cells = 60 }"), Ok(filled));
    assert_eq!(shape("surface = 'a.obj'"), Ok(Shape::Surface { surface: "a.obj".into(), fill: None }));
    for (lines, expected) in [
        ("surface = 'a'\nmesh = 'b'", ":1:1: `body` takes one of mesh or surface, found mesh and surface"),
        ("mesh = 'b'\nfill = {}", ":4:8: `body.fill` is for a `surface`; a `mesh` is already filled"),
        ("surface = 'a'\nfill = { cells = 3 }", ":4:8: [body.fill] needs the key `method`"),
        (
            "surface = 'a'\nfill = { method = 'tets', cells = 0 }",
            ":4:35: `body.fill.cells` must be at least 1, got 0",
        ),
        (
            "surface = 'a'\nfill = { method = 'tet', cells = 1 }",
            ":4:19: `body.fill.method` cannot be \"tet\"; did you mean `tets`?",
        ),
    ] {
        assert_eq!(shape(lines), Err(format!("film/bridge.toml{expected}")));
    }
}

#[test]
fn every_kind_of_body_has_its_word() {
    for kind in [BodyKind::Solid, BodyKind::Voxels, BodyKind::Cloth, BodyKind::Springs, BodyKind::Character] {
        let shape = if kind == BodyKind::Character { "skeleton = 'a.bvh'" } else { "mesh = 'a.msh'" };
        let text = format!("[body]\nkind = '{}'\n{shape}", kind.name());
        assert_eq!(parse(&text).unwrap().body.kind, kind);
    }
    assert_eq!(
        error("[body]\nkind = 'cloths'\nmesh = 'a'"),
        "film/bridge.toml:2:8: `body.kind` cannot be \"cloths\"; did you mean `cloth`?"
    );
}

#[test]
fn toml_has_other_spellings_of_the_same_shot() {
    let spelled_out = r#"
body.kind = "solid"
body.mesh = "a.msh"
[body.material]
young = 5
[body.anchors.below]
axis = "x"
at = 1
[[body.regions]]
group = "mast"
density = 1
"#;
    let inline = r#"body = { kind = "solid", mesh = "a.msh", material = { young = 5.0 }, anchors = [{ below = { axis = "x", at = 1.0 } }], regions = [{ group = "mast", density = 1.0 }] }"#;
    assert_eq!(parse(spelled_out).unwrap(), parse(inline).unwrap());
}

#[test]
fn paths_lead_from_the_folder_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bridge.toml");
    fs::write(&file, FULL).unwrap();
    let shot = Shot::load(&file).unwrap();
    assert_eq!(shot.folder(), folder.path());
    assert_eq!(shot.resolve(Path::new("bridge.msh")), folder.path().join("bridge.msh"));
    assert_eq!(shot.resolve(Path::new("/elsewhere/a.msh")), Path::new("/elsewhere/a.msh"));
}

#[test]
fn unknown_keys_name_the_nearest_known_one_in_every_table() {
    let at = "film/bridge.toml";
    assert_eq!(error("[bdoy]\n"), format!("{at}:1:2: unknown key `bdoy` in the shot; did you mean `body`?"));
    for (line, expected) in [
        ("ancors = {}", ":4:1: unknown key `ancors` in [body]; did you mean `anchors`?"),
        ("material = { yung = 2e6 }", ":4:14: unknown key `yung` in [body.material]; did you mean `young`?"),
        (
            "[body.material]\n  dens = 1",
            ":5:3: unknown key `dens` in [body.material]; did you mean `density`?",
        ),
        (
            "anchors = { belo = { axis = 'y', at = 0 } }",
            ":4:13: unknown key `belo` in [body.anchors]; did you mean `below`?",
        ),
        (
            "anchors = [{ group = 'a' }, { below = { axes = 'y', at = 0 } }]",
            ":4:41: unknown key `axes` in [body.anchors[1].below]; did you mean `axis`?",
        ),
        (
            "anchors = { box = { mim = [0, 0, 0] } }",
            ":4:21: unknown key `mim` in [body.anchors.box]; did you mean `min`?",
        ),
        (
            "regions = [{ group = 'é', yuong = 1 }]",
            ":4:27: unknown key `yuong` in [body.regions[0]]; did you mean `young`?",
        ),
        (
            "[[body.regions]]\ngruop = 'a'",
            ":5:1: unknown key `gruop` in [body.regions[0]]; did you mean `group`?",
        ),
    ] {
        assert_eq!(body_error(line), format!("{at}{expected}"));
    }
}

#[test]
fn wrong_types_say_what_was_expected_and_found() {
    for (line, expected) in [
        ("skin = 3", ":4:8: `body.skin` takes a string, found a whole number"),
        ("material = 'rubber'", ":4:12: `body.material` takes a table, found a string"),
        ("material = { young = '2e6' }", ":4:22: `body.material.young` takes a number, found a string"),
        ("material = { young = 2024-01-01 }", ":4:22: `body.material.young` takes a number, found a date"),
        ("anchors = true", ":4:11: `body.anchors` takes a table, found true or false"),
        ("anchors = [1]", ":4:12: `body.anchors[0]` takes a table, found a whole number"),
        (
            "anchors = { vertices = [1, 2.5] }",
            ":4:28: `body.anchors.vertices[1]` takes a whole number, found a number",
        ),
        (
            "anchors = { vertices = 1 }",
            ":4:24: `body.anchors.vertices` takes a list of vertex numbers, found a whole number",
        ),
        (
            "anchors = { box = { min = 0, max = 1 } }",
            ":4:27: `body.anchors.box.min` takes three numbers [x, y, z], found a whole number",
        ),
        ("regions = { group = 'a' }", ":4:11: `body.regions` takes a list of tables, found a table"),
        ("[[edit]]", ":4:1: `edit` takes a table, found a list"),
    ] {
        assert_eq!(body_error(line), format!("film/bridge.toml{expected}"));
    }
}

#[test]
fn senseless_values_are_refused() {
    for (line, expected) in [
        ("skin = ''", ":4:8: `body.skin` is empty"),
        ("skin = \"a\\u0000b\"", ":4:8: `body.skin` is not a path: it contains a zero byte"),
        (
            "embedding = 'a.interp'",
            ":4:13: `body.embedding` places the skin on the body, but there is no `skin`",
        ),
        ("material = { young = nan }", ":4:22: `body.material.young` must be a finite number, got nan"),
        ("material = { young = 0 }", ":4:22: `body.material.young` must be greater than 0, got 0"),
        (
            "material = { poisson = 0.5 }",
            ":4:24: `body.material.poisson` must be between -1 and 0.5, got 0.5",
        ),
        ("material = { density = -inf }", ":4:24: `body.material.density` must be a finite number, got -inf"),
        (
            "material = { law = 'neohookean' }",
            ":4:20: `body.material.law` cannot be \"neohookean\"; did you mean `neo-hookean`?",
        ),
        (
            "anchors = { vertices = [] }",
            ":4:24: `body.anchors.vertices` is empty; leave out `anchors` for a free body",
        ),
        (
            "anchors = { vertices = [-1] }",
            ":4:25: `body.anchors.vertices[0]` must be between 0 and 4294967295, got -1",
        ),
        (
            "anchors = { below = { axis = 'w', at = 0 } }",
            ":4:30: `body.anchors.below.axis` cannot be \"w\"; known: `x`, `y`, `z`",
        ),
        (
            "anchors = { box = { min = [0, 2, 0], max = [1, 1, 1] } }",
            ":4:19: `body.anchors.box` is empty: along y, min 2 is greater than max 1",
        ),
        (
            "anchors = { box = { min = [0, 2], max = [1, 1, 1] } }",
            ":4:27: `body.anchors.box.min` takes three numbers [x, y, z], found 2",
        ),
        (
            "regions = [{ group = 'a', density = -1 }]",
            ":4:37: `body.regions[0].density` must be greater than 0, got -1",
        ),
        (
            "regions = [{ group = 'a' }]",
            ":4:12: `body.regions[0]` changes nothing: set young, poisson or density",
        ),
    ] {
        assert_eq!(body_error(line), format!("film/bridge.toml{expected}"));
    }
    let several = body_error("anchors = { group = 'a', vertices = [1] }");
    assert!(several.contains("found vertices and group; for several write a list"), "{several}");
    assert!(body_error("anchors = {}").contains("found none"));
}

#[test]
fn text_that_is_not_toml_says_where() {
    let message = body_error("skin = ");
    assert!(message.starts_with("film/bridge.toml:4:8: ") && !message.contains('\n'), "{message}");
    let message = body_error("mesh = 'twice'");
    assert!(message.starts_with("film/bridge.toml:4:1: ") && message.contains("duplicate"), "{message}");
    let message = body_error("material = { young = 1e999 }");
    assert!(message.starts_with("film/bridge.toml:4:22: "), "{message}");
    // Deeper than any parser may recurse.
    let message = body_error(&format!("anchors = {}", "[".repeat(100_000)));
    assert!(message.starts_with("film/bridge.toml:4:"), "{message}");
}

#[test]
fn files_that_are_no_shots_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.toml");
    assert!(matches!(Shot::load(&file), Err(ShotError::Read { .. })));
    assert!(matches!(Shot::load(folder.path()), Err(ShotError::Read { .. })));

    fs::write(&file, b"[body]\nkind = \"\xC3\xA9\xFF\"").unwrap();
    let message = Shot::load(&file).unwrap_err().to_string();
    assert!(message.contains("a.toml:2:10: not UTF-8"), "{message}");

    // Sparse: takes no space on disk.
    fs::File::create(&file).unwrap().set_len((64 << 20) + 1).unwrap();
    assert!(matches!(Shot::load(&file), Err(ShotError::TooLarge { .. })));
}
