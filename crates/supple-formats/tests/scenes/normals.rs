//! Normals go with a surface that moves: in every frame those of its shape, smooth where the file is smooth and hard
//! where it is hard.

use crate::scenes::{folder, frame};
use serde_json::Value;
use std::collections::HashMap;
use std::path::Path;
use supple_formats::{MotionSettings, Scene, SurfaceFile, Up};
use supple_formats::{create_motion, create_over, open_motion, open_scene, read_obj, read_ply};
use supple_model::Frame;

type Point = [f64; 3];

const FRAMES: usize = 4;

/// A ball whose vertices have one normal each: an octahedron, each triangle of which became four several times.
fn ball() -> SurfaceFile {
    let (x, y, z) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
    let mut points: Vec<Point> = vec![x, y, z, x.map(|x| -x), y.map(|x| -x), z.map(|x| -x)];
    let mut triangles: Vec<[u32; 3]> =
        vec![[0, 1, 2], [1, 3, 2], [3, 4, 2], [4, 0, 2], [1, 0, 5], [3, 1, 5], [4, 3, 5], [0, 4, 5]];
    for _ in 0..4 {
        let mut between: HashMap<[u32; 2], u32> = HashMap::new();
        let mut middle = |a: u32, b: u32| {
            *between.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                let (p, q) = (points[a as usize], points[b as usize]);
                points.push(unit([0, 1, 2].map(|i| p[i] + q[i])));
                points.len() as u32 - 1
            })
        };
        let parts = |[a, b, c]: [u32; 3]| {
            let [d, e, f] = [middle(a, b), middle(b, c), middle(c, a)];
            [[a, d, f], [d, b, e], [f, e, c], [d, e, f]]
        };
        triangles = triangles.into_iter().flat_map(parts).collect();
    }
    SurfaceFile {
        normals: points.clone(),
        triangle_normals: triangles.iter().copied().map(Some).collect(),
        positions: points,
        triangles,
        ..SurfaceFile::default()
    }
}

/// The corners of the faces of a cube from -1 to 1, vertex 4x + 2y + z, seen from outside, and their normals.
const SIDES: [([u32; 4], Point); 6] = [
    ([0, 1, 3, 2], [-1.0, 0.0, 0.0]),
    ([4, 6, 7, 5], [1.0, 0.0, 0.0]),
    ([0, 4, 5, 1], [0.0, -1.0, 0.0]),
    ([2, 3, 7, 6], [0.0, 1.0, 0.0]),
    ([0, 2, 6, 4], [0.0, 0.0, -1.0]),
    ([1, 5, 7, 3], [0.0, 0.0, 1.0]),
];

/// A cube of quads with hard edges, as programs write it: six normals.
fn cube() -> SurfaceFile {
    let mut file = SurfaceFile {
        positions: (0..8).map(|v| [v / 4, v / 2 % 2, v % 2].map(|x| f64::from(2 * x - 1))).collect(),
        normals: SIDES.map(|(_, normal)| normal).into(),
        polygons: vec![4; 6],
        ..SurfaceFile::default()
    };
    for (side, ([a, b, c, d], _)) in SIDES.iter().enumerate() {
        file.triangles.extend([[*a, *b, *c], [*a, *c, *d]]);
        file.triangle_normals.extend([Some([side as u32; 3]); 2]);
    }
    file
}

/// A turn about (1, 1, 1) by a few degrees more each frame.
fn turned(point: &Point, index: usize) -> Point {
    let (sin, cos) = (0.4 * index as f64).sin_cos();
    let [x, y, z] = *point;
    let along = (x + y + z) / 3.0 * (1.0 - cos);
    let s = sin / 3.0_f64.sqrt();
    [cos * x + s * (z - y) + along, cos * y + s * (x - z) + along, cos * z + s * (y - x) + along]
}

/// The axes of an ellipsoid that a ball becomes.
fn axes(index: usize) -> Point {
    let t = index as f64 / 3.0;
    [1.0 + 0.8 * t, 1.0 - 0.4 * t, 1.0 + 0.3 * t]
}

fn unit(v: Point) -> Point {
    let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    v.map(|x| x / length)
}

fn distance(a: Point, b: Point) -> f64 {
    (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt()
}

#[track_caller]
fn assert_along(found: Point, expected: Point, off: f64, what: &str) {
    assert!(distance(found, expected) < off, "{what}: {found:?}, not {expected:?}");
}

fn write(path: &Path, surface: &SurfaceFile, at: impl Fn(&Point, usize) -> Point) {
    let settings = MotionSettings::new(surface.positions.len(), Frame(5), 24.0, FRAMES);
    let mut writer = create_motion(path, settings, Some(surface)).unwrap();
    for index in 0..FRAMES {
        let points: Vec<Point> = surface.positions.iter().map(|p| at(p, index)).collect();
        writer.write(&points).unwrap();
    }
    writer.finish().unwrap();
}

/// Vertex and normal of every corner of the triangles in a frame, in their order.
fn corners_of(file: &SurfaceFile) -> Vec<(u32, Point)> {
    let pairs = file.triangles.iter().zip(&file.triangle_normals);
    pairs
        .flat_map(|(triangle, normals)| {
            [0, 1, 2].map(|i| (triangle[i], file.normals[normals.unwrap()[i] as usize]))
        })
        .collect()
}

fn corners_at(path: &Path, index: usize) -> Vec<(u32, Point)> {
    let number = format!("{:04}", 5 + index);
    let bytes = || std::fs::read(path.to_str().unwrap().replace("####", &number)).unwrap();
    match path.extension().unwrap().to_str().unwrap() {
        "obj" => corners_of(&read_obj(&bytes()).unwrap()),
        "ply" => corners_of(&read_ply(&bytes()).unwrap()),
        "gltf" => corners_of_gltf(path, index),
        _ => corners_of_usda(path, index),
    }
}

/// What a viewer makes of the file: the base, and the one morph target of the frame.
fn corners_of_gltf(path: &Path, index: usize) -> Vec<(u32, Point)> {
    let json: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let bytes = std::fs::read(path.with_extension("bin")).unwrap();
    let words = |accessor: &Value, width: usize| -> Vec<[u8; 4]> {
        let accessor = &json["accessors"][accessor.as_u64().unwrap() as usize];
        let view = &json["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
        let number = |value: &Value| value.as_u64().unwrap() as usize;
        let at = number(&view["byteOffset"]) + number(&accessor["byteOffset"]);
        let end = at + 4 * width * number(&accessor["count"]);
        assert!(end <= number(&view["byteOffset"]) + number(&view["byteLength"]));
        bytes[at..end].as_chunks::<4>().0.to_vec()
    };
    let floats = |accessor: &Value, width: usize| -> Vec<f64> {
        words(accessor, width).into_iter().map(|word| f64::from(f32::from_le_bytes(word))).collect()
    };
    let primitive = &json["meshes"][0]["primitives"][0];
    let mut normals = floats(&primitive["attributes"]["NORMAL"], 3);
    if index > 0 {
        let moved = floats(&primitive["targets"][index - 1]["NORMAL"], 3);
        normals.iter_mut().zip(moved).for_each(|(normal, d)| *normal += d);
    }
    let sources = primitive["attributes"].get("_VERTEX").map(|sources| floats(sources, 1));
    let corner = |word: [u8; 4]| {
        let v = u32::from_le_bytes(word) as usize;
        let vertex = sources.as_ref().map_or(v as u32, |sources| sources[v] as u32);
        (vertex, [normals[3 * v], normals[3 * v + 1], normals[3 * v + 2]])
    };
    words(&primitive["indices"], 1).into_iter().map(corner).collect()
}

fn corners_of_usda(path: &Path, index: usize) -> Vec<(u32, Point)> {
    let text = std::fs::read_to_string(path).unwrap();
    let numbers = |after: &str| -> Vec<f64> {
        let rest = text.split_once(after).unwrap_or_else(|| panic!("no {after}")).1.trim_start();
        let list = rest.split_once(']').unwrap().0;
        list.split(['[', '(', ')', ',', ' ']).filter_map(|word| word.parse().ok()).collect()
    };
    let vertices = numbers("faceVertexIndices = ");
    let samples = text.split_once("normals.timeSamples = {").unwrap().1.split_once('}').unwrap().0;
    let line = samples.lines().find(|line| line.trim().starts_with(&format!("{}: ", 5 + index))).unwrap();
    let words = line.split_once(": ").unwrap().1.split(['[', '(', ')', ']', ',', ' ']);
    let normals: Vec<f64> = words.filter_map(|word| word.parse().ok()).collect();
    let of_corner = if text.contains("interpolation = \"faceVarying\"") {
        numbers("primvars:normals:indices = ")
    } else {
        assert!(text.contains("interpolation = \"vertex\""));
        vertices.clone()
    };
    let corners = numbers("faceVertexCounts = ")[0] as usize;
    let corner = |c: usize| {
        let n = 3 * of_corner[c] as usize;
        (vertices[c] as u32, [normals[n], normals[n + 1], normals[n + 2]])
    };
    let fan = |f: usize| (1..corners - 1).flat_map(move |i| [0, i, i + 1].map(|i| f * corners + i));
    (0..vertices.len() / corners).flat_map(fan).map(corner).collect()
}

#[test]
fn normals_turn_with_a_rigid_body_and_edges_stay_hard() {
    for name in ["a.usda", "a.gltf", "a.####.obj"] {
        let folder = folder(&[]);
        let path = folder.path().join(name);
        write(&path, &cube(), turned);
        for index in 0..FRAMES {
            let corners = corners_at(&path, index);
            assert_eq!(corners.len(), 36, "{name}");
            for (c, (vertex, normal)) in corners.into_iter().enumerate() {
                let (quad, side) = SIDES[c / 6];
                assert_eq!(vertex, quad[[0, 1, 2, 0, 2, 3][c % 6]], "{name}");
                assert_along(normal, turned(&side, index), 1e-6, name);
            }
        }
    }
}

#[test]
fn a_smooth_ball_becomes_a_smooth_ellipsoid() {
    for name in ["a.usda", "a.gltf", "a.####.obj", "a.####.ply"] {
        let folder = folder(&[]);
        let path = folder.path().join(name);
        let ball = ball();
        write(&path, &ball, |p, index| [0, 1, 2].map(|i| axes(index)[i] * p[i]));
        for index in 0..FRAMES {
            let corners = corners_at(&path, index);
            assert_eq!(corners.len(), 3 * ball.triangles.len(), "{name}");
            let far = |(vertex, normal): &(u32, Point)| {
                let (p, axes) = (ball.positions[*vertex as usize], axes(index));
                distance(*normal, unit([0, 1, 2].map(|i| p[i] / axes[i])))
            };
            // The corners of the octahedron are still to be seen in the sizes of the triangles, and so in the sums.
            let (most, sum) =
                corners.iter().map(far).fold((0.0_f64, 0.0), |(m, s), far| (m.max(far), s + far));
            let mean = sum / corners.len() as f64;
            assert!(most < 0.06 && mean < 0.01, "{name}, frame {index}: {most} and {mean} in the mean");
        }
    }
}

#[test]
fn from_format_to_format_they_come_along() {
    let folder = folder(&[]);
    let names = ["a.usda", "b.glb", "c.####.obj", "d.####.ply", "e.gltf", "f.usda"];
    write(&folder.path().join(names[0]), &ball(), turned);
    for pair in names.windows(2) {
        let mut scene = open_scene(folder.path().join(pair[0])).unwrap();
        let settings = MotionSettings { start: 5.0, ..MotionSettings::of_scene(&scene, &scene.objects[0]) };
        let object = &mut scene.objects[0];
        let mut writer = create_motion(folder.path().join(pair[1]), settings, Some(&object.surface)).unwrap();
        (0..FRAMES).for_each(|index| writer.write(&frame(object, index)).unwrap());
        writer.finish().unwrap();
        for (vertex, normal) in corners_of(&object.surface) {
            assert_along(normal, unit(object.surface.positions[vertex as usize]), 0.03, pair[0]);
        }
    }
    for (vertex, normal) in corners_at(&folder.path().join("f.usda"), 3) {
        assert_along(normal, turned(&ball().positions[vertex as usize], 3), 0.03, "f.usda");
    }
    let split = folder.path().join("cube.####.obj");
    write(&split, &cube(), turned);
    let motion = open_motion(&split).unwrap();
    write(&folder.path().join("cube.gltf"), motion.topology().unwrap(), turned);
    for (c, (_, normal)) in corners_at(&folder.path().join("cube.gltf"), 2).into_iter().enumerate() {
        assert_along(normal, turned(&SIDES[c / 6].1, 2), 1e-6, "cube.gltf");
    }
}

#[test]
fn normals_are_read_where_the_object_stands() {
    let folder = folder(&[]);
    let path = folder.path().join("a.glb");
    let settings = MotionSettings {
        up: Some(Up::Z),
        metres_per_unit: Some(0.01),
        ..MotionSettings::new(8, Frame(1), 24.0, 2)
    };
    let mut writer = create_motion(&path, settings, Some(&cube())).unwrap();
    (0..2).for_each(|_| writer.write(&cube().positions).unwrap());
    writer.finish().unwrap();
    let corners = corners_of(&open_scene(&path).unwrap().objects[0].surface);
    for (c, (_, normal)) in corners.into_iter().enumerate() {
        let [x, y, z] = SIDES[c / 6].1;
        assert_along(normal, [x, z, -y], 1e-6, "y up");
    }
}

#[test]
fn surfaces_without_normals_get_none() {
    let plain = SurfaceFile { normals: Vec::new(), triangle_normals: Vec::new(), ..cube() };
    for name in ["a.usda", "a.gltf", "a.####.obj"] {
        let folder = folder(&[]);
        let path = folder.path().join(name);
        write(&path, &plain, turned);
        let file = path.to_str().unwrap().replace("####", "0005");
        let text = std::fs::read_to_string(file).unwrap();
        assert!(!text.to_lowercase().contains("normal") && !text.contains("vn "), "{text}");
    }
}

/// A cube as USD with hard edges, wound the other way, mirrored and stretched by its transform.
fn usd_cube(more_counts: &str, more_corners: &str) -> String {
    let file = cube();
    let points: Vec<String> = file.positions.iter().map(|[x, y, z]| format!("({x}, {y}, {z})")).collect();
    let corners = SIDES.map(|([a, b, c, d], _)| format!("{a}, {d}, {c}, {b}")).join(", ");
    let normals = SIDES.map(|(_, [x, y, z])| format!("({x}, {y}, {z})"));
    format!(
        "#usda 1.0\n(\n    startTimeCode = 5\n    endTimeCode = 8\n)\ndef Mesh \"cube\" {{\n\
         double3 xformOp:scale = (1, -1, 2)\nuniform token[] xformOpOrder = [\"xformOp:scale\"]\n\
         uniform token orientation = \"leftHanded\"\n\
         int[] faceVertexCounts = [4, 4, 4, 4, 4, 4{more_counts}]\nint[] faceVertexIndices = [{corners}{more_corners}]\n\
         normal3f[] normals = [{}] (interpolation = \"uniform\")\n\
         point3f[] points.timeSamples = {{ 5: [{points}], 8: [{points}] }}\n}}\n",
        normals.join(", "),
        points = points.join(", "),
    )
}

fn write_over(original: &Path, path: &Path, scene: &mut Scene) {
    let mut writer = create_over(path, original, scene, 0).unwrap();
    for index in 0..FRAMES {
        let points = frame(&mut scene.objects[0], index);
        // Sheared and stretched in the world: the sides are no longer square to each other.
        let moved: Vec<Point> = points.iter().map(|[x, y, z]| [x + 0.5 * y, *y, 3.0 * z]).collect();
        writer.write(&moved).unwrap();
    }
    writer.finish().unwrap();
}

#[test]
fn a_layer_renews_the_normals_of_the_original() {
    let folder = folder(&[("a.usda", usd_cube("", "").as_bytes())]);
    let (original, path) = (folder.path().join("a.usda"), folder.path().join("b.usda"));
    write_over(&original, &path, &mut open_scene(&original).unwrap());
    let edited = &open_scene(&path).unwrap().objects[0];
    assert_eq!(edited.derived, ["primvars:normals"], "and the old ones are blocked");
    let surface = &edited.surface;
    assert_eq!(surface.triangles.len(), 12);
    for (triangle, normals) in surface.triangles.iter().zip(&surface.triangle_normals) {
        let [a, b, c] = triangle.map(|vertex| surface.positions[vertex as usize]);
        let (u, v) = ([0, 1, 2].map(|i| b[i] - a[i]), [0, 1, 2].map(|i| c[i] - a[i]));
        let cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        // Outside, which the mirror has turned around.
        let out = if (0..3).map(|i| cross[i] * a[i]).sum::<f64>() < 0.0 { cross.map(|x| -x) } else { cross };
        for normal in normals.unwrap() {
            assert_along(surface.normals[normal as usize], unit(out), 1e-6, "b.usda");
        }
    }
}

#[test]
fn normals_that_cannot_be_renewed_are_blocked() {
    let folder = folder(&[("a.usda", usd_cube(", 2", ", 0, 1").as_bytes())]);
    let (original, path) = (folder.path().join("a.usda"), folder.path().join("b.usda"));
    write_over(&original, &path, &mut open_scene(&original).unwrap());
    assert!(std::fs::read_to_string(&path).unwrap().contains("normal3f[] normals = None"));
    assert!(open_scene(&path).unwrap().objects[0].surface.normals.is_empty());
}
