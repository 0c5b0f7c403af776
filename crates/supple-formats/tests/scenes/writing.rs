//! What is written is read again, with all it carries.

use crate::scenes::{assert_near, folder, frame, message, names, samples};
use std::fs::File;
use supple_formats::{Group, MotionSettings, Placement, SurfaceFile, Up};
use supple_formats::{create_motion, create_over, open_scene, read_usd, write_glb};
use supple_model::Frame;

/// Two quads and a triangle with a seam of texture coordinates, two materials, colours and a group.
fn surface() -> SurfaceFile {
    SurfaceFile {
        positions: points(0),
        triangles: vec![[0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4], [3, 4, 6]],
        polygons: vec![4, 4, 3],
        uvs: (0..11).map(|i| [f64::from(i) / 16.0, f64::from(i * i) / 128.0]).collect(),
        triangle_uvs: vec![
            Some([0, 1, 2]),
            Some([0, 2, 3]),
            Some([4, 5, 6]),
            Some([4, 6, 7]),
            Some([8, 9, 10]),
        ],
        colours: (0..7).map(|i| [f64::from(i) / 8.0, 0.5, 1.0]).collect(),
        materials: vec!["red".to_owned(), "blue".to_owned()],
        triangle_materials: vec![Some(0), Some(0), Some(1), Some(1), Some(0)],
        vertex_groups: vec![Group { name: "pins".to_owned(), members: vec![0, 6] }],
        ..SurfaceFile::default()
    }
}

fn points(frame: usize) -> Vec<[f64; 3]> {
    let t = frame as f64;
    let at = [[0, 0], [1, 0], [2, 0], [0, 1], [1, 1], [2, 1], [0, 2]];
    at.map(|[x, y]| [f64::from(x) + 0.1 * t, f64::from(y), (f64::from(x) + 0.5 * t).sin()]).into()
}

fn settings() -> MotionSettings {
    let settings = MotionSettings::new(7, Frame(101), 30.0, 4);
    MotionSettings { name: "/root/cape".to_owned(), ..settings }
}

#[test]
fn scenes_come_back_with_all_they_carry() {
    for name in ["a.usda", "a.glb", "a.gltf"] {
        let folder = folder(&[]);
        let path = folder.path().join(name);
        let mut writer = create_motion(&path, settings(), Some(&surface())).unwrap();
        (0..4).for_each(|frame| writer.write(&points(frame)).unwrap());
        writer.finish().unwrap();
        let mut scene = open_scene(&path).unwrap();
        assert_eq!(
            (names(&scene), scene.frames, scene.start),
            (vec!["/root/cape"], 4, Some(Frame(101))),
            "{name}"
        );
        assert_eq!(scene.fps, Some(30.0), "{name}");
        for index in 0..4 {
            assert_near(&frame(&mut scene.objects[0], index), &points(index), name);
        }
        let (found, expected) = (&scene.objects[0].surface, surface());
        // What joins the corners of a triangle: vertices, and values of texture coordinates.
        let corners = |file: &SurfaceFile| {
            let mut all: Vec<_> = (0..file.triangles.len())
                .map(|t| {
                    let uvs = file.triangle_uvs[t]
                        .unwrap()
                        .map(|uv| file.uvs[uv as usize].map(|x| (x * 1e6).round() as i64));
                    let material = file.materials[file.triangle_materials[t].unwrap() as usize].clone();
                    (file.triangles[t], uvs, material)
                })
                .collect();
            all.sort();
            all
        };
        assert_eq!(corners(found), corners(&expected), "{name}");
        assert_near(&found.colours, &expected.colours, name);
        if name == "a.usda" {
            assert_eq!((&found.polygons, &found.triangles), (&expected.polygons, &expected.triangles));
            let pins = found.vertex_groups.iter().find(|group| group.name == "pins").unwrap();
            assert_eq!(pins.members, [0, 6]);
        }
    }
}

#[test]
fn gltf_is_turned_up_and_scaled_to_metres() {
    let folder = folder(&[]);
    let path = folder.path().join("a.glb");
    let settings = MotionSettings { up: Some(Up::Z), metres_per_unit: Some(0.01), ..settings() };
    let mut writer = create_motion(&path, settings, Some(&surface())).unwrap();
    writer.write(&points(1)).unwrap();
    writer.finish().unwrap();
    let mut scene = open_scene(&path).unwrap();
    let expected: Vec<[f64; 3]> =
        points(1).iter().map(|[x, y, z]| [x / 100.0, z / 100.0, -y / 100.0]).collect();
    assert_near(&frame(&mut scene.objects[0], 0), &expected, "y up, in metres");
}

#[test]
fn a_still_mesh_as_glb() {
    let folder = folder(&[]);
    let path = folder.path().join("still.glb");
    let mut file = surface();
    file.normals = vec![[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]];
    file.triangle_normals = vec![Some([0; 3]), Some([0; 3]), Some([1; 3]), Some([1; 3]), None];
    write_glb(&file, "cape", File::create(&path).unwrap()).unwrap();
    let scene = open_scene(&path).unwrap();
    let found = &scene.objects[0];
    assert_eq!((found.name.as_str(), scene.frames, found.animated), ("/cape", 1, false));
    assert_near(&found.surface.positions, &file.positions, "positions");
    let blue = found.surface.triangles.iter().position(|triangle| *triangle == [1, 2, 5]).unwrap();
    let normals = found.surface.triangle_normals[blue].unwrap();
    assert_eq!(found.surface.normals[normals[0] as usize], [1.0, 0.0, 0.0]);
}

#[test]
fn a_layer_over_the_original_changes_one_object() {
    let two = format!(
        "{}def Mesh \"floor\" {{ int[] faceVertexCounts = [3]\n int[] faceVertexIndices = [0, 1, 2]\n point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)] }}\n",
        samples::USDA
    );
    let folder = folder(&[("a.usda", two.as_bytes())]);
    let (original, path) = (folder.path().join("a.usda"), folder.path().join("edited.usda"));
    let mut scene = open_scene(&original).unwrap();
    assert!(matches!(scene.objects[0].placement, Placement::Moving(_)));
    let mut writer = create_over(&path, &original, &scene, 0).unwrap();
    let moved: Vec<Vec<[f64; 3]>> = (0..3)
        .map(|index| {
            frame(&mut scene.objects[0], index).iter().map(|[x, y, z]| [x + 1.0, y * 2.0, *z]).collect()
        })
        .collect();
    moved.iter().for_each(|points| writer.write(points).unwrap());
    writer.finish().unwrap();
    let mut edited = open_scene(&path).unwrap();
    assert_eq!((names(&edited), edited.start, edited.frames), (names(&scene), scene.start, 3));
    assert_eq!((edited.up, edited.metres_per_unit, edited.fps), (scene.up, scene.metres_per_unit, scene.fps));
    for (index, points) in moved.iter().enumerate() {
        assert_near(&frame(&mut edited.objects[0], index), points, "new points");
    }
    assert_eq!(edited.objects[1].surface, scene.objects[1].surface);
    assert_eq!(edited.objects[0].surface.vertex_groups, scene.objects[0].surface.vertex_groups);
    assert_eq!(edited.objects[0].derived, ["normals"]);
    assert_eq!(edited.objects[0].surface.triangle_normals, scene.objects[0].surface.triangle_normals);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("@./a.usda@") && !text.contains("faceVertexCounts"), "{text}");

    let itself = message(create_over(&original, &original, &scene, 0), folder.path());
    assert!(itself.starts_with("a.usda: a layer with the name of the file below it"), "{itself}");
    assert!(create_over(&path, &original, &scene, 9).is_err());
}

#[test]
fn flat_transforms_cannot_be_undone() {
    let text = samples::USDA
        .replace("float3 xformOp:rotateXYZ = (10, 0, 0)", "float3 xformOp:scale = (1, 0, 1)")
        .replace("xformOp:rotateXYZ", "xformOp:scale");
    let folder = folder(&[("a.usda", text.as_bytes())]);
    let original = folder.path().join("a.usda");
    let scene = open_scene(&original).unwrap();
    let mut writer = create_over(folder.path().join("b.usda"), &original, &scene, 0).unwrap();
    let error = writer.write(&[[0.0; 3]; 5]).unwrap_err().to_string();
    assert!(
        error.ends_with("transform flattens it in frame 1, so points cannot be converted back"),
        "{error}"
    );
}

#[test]
fn instances_are_parted_where_one_is_edited() {
    let text = format!("{}def \"copy\" ( references = </root>\n instanceable = true ) {{}}\n", samples::USDA);
    let folder = folder(&[("a.usda", text.as_bytes())]);
    let scene = open_scene(folder.path().join("a.usda")).unwrap();
    assert_eq!(
        (names(&scene), &scene.objects[1].instances),
        (vec!["/root/cape", "/copy/cape"], &vec!["/copy".to_owned()])
    );
    let path = folder.path().join("b.usda");
    let mut writer = create_over(&path, folder.path().join("a.usda"), &scene, 1).unwrap();
    (0..3).for_each(|_| writer.write(&[[1.0; 3]; 5]).unwrap());
    writer.finish().unwrap();
    assert!(std::fs::read_to_string(&path).unwrap().contains("instanceable = false"));
    assert!(read_usd(&std::fs::read(&path).unwrap()).is_err(), "alone it has no mesh");
}
