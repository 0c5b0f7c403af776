//! From files to bodies: what a shot says is what one gets, and what is wrong is named.
#![expect(clippy::unwrap_used, reason = "a step that fails is a test that fails")]

use std::fs;
use std::path::Path;
use supple_mesh::shapes::BodyMesh;
use supple_model::VertexId;
use supple_project::{Body, Matter, Sample, Shot};

/// Two tets in a file with two materials, and a skin of one triangle.
const VEG: &str = "*VERTICES\n5 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n\
    *ELEMENTS\nTET\n2 4 0\n1 1 2 3 4\n2 2 3 4 5\n\
    *MATERIAL soft\nENU, 100, 1e5, 0.3\n*MATERIAL heavy\nENU, 700, 1e7, 0.4\n\
    *SET top\n2,\n*REGION\nallElements, soft\n*REGION\ntop, heavy\n";

fn shot(folder: &Path, body: &str) -> Shot {
    fs::write(folder.join("two.veg"), VEG).unwrap();
    fs::write(folder.join("skin.obj"), "v 0.1 0.1 0.1\nv 0.2 0.1 0.1\nv 0.1 0.2 0.1\nf 1 2 3\n").unwrap();
    let text = format!("[body]\nkind = \"solid\"\n{body}\n");
    Shot::parse(&folder.join("shot.toml"), &text).unwrap()
}

fn error(folder: &Path, body: &str) -> String {
    let message = Body::load(&shot(folder, body)).unwrap_err().to_string();
    message.replace(&format!("{}/", folder.display()), "")
}

#[test]
fn a_file_brings_its_materials_unless_the_shot_says_otherwise() {
    let folder = tempfile::tempdir().unwrap();
    let (small, large) = (1.0 / 6.0, 1.0 / 3.0);
    let mass =
        |body: &str| -> f64 { Body::load(&shot(folder.path(), body)).unwrap().elastic.masses().iter().sum() };
    assert!((mass("mesh = 'two.veg'") - (100.0 * small + 700.0 * large)).abs() < 1e-9);
    let one = "mesh = 'two.veg'\nmaterial = { young = 1.0, poisson = 0.1, density = 10.0 }";
    assert!((mass(one) - 10.0 * (small + large)).abs() < 1e-9);
    let region = format!("{one}\nregions = [{{ group = 'top', density = 20.0 }}]");
    assert!((mass(&region) - (10.0 * small + 20.0 * large)).abs() < 1e-9);
}

#[test]
fn anchors_of_every_kind_are_joined() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("two.bou"), "1\n4\n").unwrap();
    let anchors = |text: &str| {
        let body = Body::load(&shot(folder.path(), &format!("mesh = 'two.veg'\nanchors = {text}"))).unwrap();
        assert_eq!(body.free.vertices().len() + body.anchors.len(), 5);
        body.anchors.iter().map(|v| v.0).collect::<Vec<_>>()
    };
    assert_eq!(anchors("{ vertices = [3, 0] }"), [0, 3]);
    assert_eq!(anchors("{ below = { axis = 'y', at = 0.5 } }"), [0, 1, 3]);
    assert_eq!(anchors("{ above = { axis = 'z', at = 1.0 } }"), [3, 4]);
    assert_eq!(anchors("{ box = { min = [0.5, 0.0, 0.0], max = [1.0, 0.5, 0.5] } }"), [1]);
    assert_eq!(anchors("[{ file = 'two.bou' }, { vertices = [0, 4] }]"), [0, 4]);
}

#[test]
fn a_file_that_is_inside_out_as_a_whole_is_turned_over() {
    let folder = tempfile::tempdir().unwrap();
    let shot = shot(folder.path(), "mesh = 'turned.veg'");
    let turned = VEG.replace("1 1 2 3 4\n2 2 3 4 5", "1 1 3 2 4\n2 3 2 4 5");
    fs::write(folder.path().join("turned.veg"), turned).unwrap();
    let Matter::Solid(solid) = Body::load(&shot).unwrap().matter else { panic!("not a solid") };
    let mesh = solid.mesh();
    assert_eq!(mesh.tets()[0], [0, 2, 3, 1].map(VertexId));
    // One of two is no convention but a mistake.
    fs::write(folder.path().join("turned.veg"), VEG.replace("1 1 2 3 4", "1 1 3 2 4")).unwrap();
    let message = Body::load(&shot).unwrap_err().to_string();
    assert!(message.contains("turned.veg: element 0 has negative volume"), "{message}");
}

#[test]
fn a_skin_rides_along() {
    let folder = tempfile::tempdir().unwrap();
    let row = |v: usize| format!("{v} 0 0.7 1 0.1 2 0.1 3 0.1\n");
    fs::write(folder.path().join("skin.interp"), row(0) + &row(1) + &row(2)).unwrap();
    let body = Body::load(&shot(folder.path(), "mesh = 'two.veg'\nskin = 'skin.obj'")).unwrap();
    let skin = body.skin.as_ref().unwrap();
    let mut moved = skin.mesh.positions().to_vec();
    skin.embedding.apply(body.positions(), &mut moved);
    assert!(moved.iter().zip(skin.mesh.positions()).all(|(a, b)| (a - b).norm() < 1e-12));
    let given = "mesh = 'two.veg'\nskin = 'skin.obj'\nembedding = 'skin.interp'";
    let skin = Body::load(&shot(folder.path(), given)).unwrap().skin.unwrap();
    skin.embedding.apply(body.positions(), &mut moved);
    assert!((moved[2] - moved[0]).norm() < 1e-12, "the file says all are at one place");
}

/// A closed box as a surface file, its floor a group.
const BOX: &str = "v 0 0 0\nv 2 0 0\nv 2 0 1\nv 0 0 1\nv 0 1 0\nv 2 1 0\nv 2 1 1\nv 0 1 1\n\
    g floor\nf 1 2 3 4\ng\nf 5 8 7 6\nf 1 5 6 2\nf 2 6 7 3\nf 3 7 8 4\nf 4 8 5 1\n";

#[test]
fn bodies_of_every_kind_come_from_one_surface() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("box.obj"), BOX).unwrap();
    let load = |kind: &str, rest: &str| {
        let text = format!("[body]\nkind = '{kind}'\nsurface = 'box.obj'\n{rest}");
        Body::load(&Shot::parse(&folder.path().join("s.toml"), &text).unwrap()).unwrap()
    };
    let solid = load("solid", "fill = { method = 'tets', cells = 8 }\nanchors = { group = 'floor' }");
    assert!(matches!(solid.matter, Matter::Solid(_)));
    assert_eq!(solid.skin.as_ref().unwrap().mesh.positions().len(), 8, "the surface rides on what fills it");
    assert!(!solid.anchors.is_empty() && solid.anchors.iter().all(|v| solid.positions()[v.index()].y < 0.6));
    let mass: f64 = solid.elastic.masses().iter().sum();
    assert!((mass / 2000.0 - 1.0).abs() < 0.15, "{mass} kg of two cubic metres");
    let voxels = load("voxels", "fill = { method = 'voxels', cells = 8 }");
    assert!(matches!(voxels.matter, Matter::Voxels(_)) && voxels.matter.elements() >= 8 * 4 * 4);
    let cloth = load("cloth", "material = { young = 1e5, thickness = 0.01 }");
    assert!(matches!(cloth.matter, Matter::Cloth(_)) && cloth.surface.len() == 12);
    let mass: f64 = cloth.elastic.masses().iter().sum();
    assert!((mass - 1000.0 * 0.01 * 10.0).abs() < 1e-9, "ten square metres, a centimetre thick");
    let springs = load("springs", "");
    assert!(matches!(springs.matter, Matter::Springs(_)) && springs.matter.elements() == 18);
    for body in [solid, voxels, cloth, springs] {
        let modes = body.elastic.modes(&body.free, 8, &supple_model::Progress::silent()).unwrap();
        assert!(body.anchors.is_empty() == (modes.rigid() >= 6), "{:?}", modes.eigenvalues());
    }
}

#[test]
fn what_is_wrong_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("short.interp"), "0 0 0.7 1 0.1 2 0.1 3 0.1\n").unwrap();
    let cases = [
        ("mesh = 'none.veg'", "none.veg"),
        ("mesh = 'skin.obj'", "skin.obj: this is a surface, but a body of kind \"solid\" needs tets"),
        ("surface = 'skin.obj'", "skin.obj: "),
        ("surface = 'two.veg'", "two.veg: this is a volume, but `surface` names a surface to fill"),
        (
            "surface = 'skin.obj'\nfill = { method = 'voxels', cells = 4 }",
            "`fill` makes voxels, but the body is of kind \"solid\"",
        ),
        ("mesh = 'two.veg'\nskin = 'two.veg'", "two.veg: this is a volume, but a skin is a surface"),
        ("mesh = 'two.veg'\nanchors = { group = 'base' }", "the anchors: there is no group \"base\""),
        ("mesh = 'two.veg'\nanchors = { vertices = [9] }", "the anchors: there is no vertex 9"),
        (
            "mesh = 'two.veg'\nanchors = { below = { axis = 'x', at = 9 } }",
            "all 5 vertices are anchored, so nothing can move; remove some anchors",
        ),
        (
            "mesh = 'two.veg'\nregions = [{ group = 'x', young = 1.0 }]",
            "region \"x\": there is no group \"x\"",
        ),
        (
            "mesh = 'two.veg'\nskin = 'skin.obj'\nembedding = 'short.interp'",
            "short.interp: the number of rows does not match the skin's vertices",
        ),
    ];
    for (body, expected) in cases {
        let message = error(folder, body);
        assert!(message.contains(expected), "{body}\n{message}");
    }
    let of_kind = |kind: &str| {
        let shape = if kind == "character" { "skeleton" } else { "mesh" };
        let text = format!("[body]\nkind = '{kind}'\n{shape} = 'two.veg'");
        Body::load(&Shot::parse(&folder.join("s.toml"), &text).unwrap()).unwrap_err().to_string()
    };
    assert!(of_kind("cloth").contains("the elements are tets, but a body of kind \"cloth\" needs a surface"));
    assert!(of_kind("voxels").contains("needs hexahedra"));
    assert!(of_kind("character").contains("a character is a skeleton without soft matter"));
}

#[test]
fn samples_load_as_they_were_made_and_are_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let sample = Sample::named("bar").unwrap();
    let path = sample.write(&folder.path().join("new/bar")).unwrap();
    let body = Body::load(&Shot::load(&path).unwrap()).unwrap();
    let made = supple_mesh::shapes::beam().unwrap();
    let Matter::Solid(solid) = &body.matter else { panic!("not a solid") };
    assert_eq!(BodyMesh::Tets(solid.mesh().clone()), made.body);
    assert_eq!(body.groups, made.groups);
    assert_eq!(body.skin.unwrap().mesh, made.skin.unwrap());
    assert_eq!(body.anchors, made.groups.get("left").unwrap());
    let again = sample.write(&folder.path().join("new/bar")).unwrap_err().to_string();
    assert!(again.contains("bar.inp already exists"), "{again}");
    let unknown = Sample::named("brige").unwrap_err().to_string();
    assert_eq!(
        unknown,
        "there is no sample \"brige\"; choose one of bar, beam, beam-recovery, biped-walk, bird, bird-flap, block, \
         block-stretch, block-tilt, block-twist, bridge, buddha, cactus-jump, cactus-triple-jump, cloth, curtain, \
         dinosaur, dinosaur-recovery, dragon, elephant, fish, flower, flower-circle, flower-near, jump-2d, pansy, \
         skateboard, slide-2d, slide-3d, spring-bridge, t-rex, t-rex-jump, thief, walk-2d, walk-3d, walk-3d-no-feet, \
         x-handspring, x-jump, x-walk"
    );
}
