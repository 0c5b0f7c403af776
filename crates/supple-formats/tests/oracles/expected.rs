//! What a file should hold, as the scripts say it.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use supple_formats::{Scene, SceneObject, open_scene};

#[derive(Deserialize)]
struct File {
    file: String,
    objects: Vec<Object>,
    start: Option<i32>,
    fps: Option<f64>,
    up: Option<char>,
    unit: Option<f64>,
    /// Whether there may be other objects too.
    #[serde(default)]
    some: bool,
    /// How far points may be off, as a part of the largest coordinate.
    #[serde(default = "round_off")]
    tolerance: f64,
}

fn round_off() -> f64 {
    4.0 * f64::from(f32::EPSILON)
}

#[derive(Deserialize)]
struct Object {
    name: String,
    frames: Vec<Vec<f64>>,
    counts: Option<Vec<u32>>,
    corners: Option<Vec<u32>>,
    #[serde(default)]
    groups: BTreeMap<String, Vec<u32>>,
    #[serde(default)]
    materials: Vec<String>,
    #[serde(default)]
    uvs: bool,
    #[serde(default)]
    colours: bool,
    #[serde(default)]
    rest: bool,
    /// Whether vertices may come in another order, or several times.
    #[serde(default)]
    nearest: bool,
    /// Whether the name is only a part of the path.
    #[serde(default)]
    suffix: bool,
}

/// Reads every file of the list in `folder` and compares it. How many there were.
pub fn check_folder(folder: &Path) -> usize {
    let text = std::fs::read_to_string(folder.join("expected.json")).unwrap();
    let files: Vec<File> = serde_json::from_str(&text).unwrap();
    for file in &files {
        let scene = open_scene(folder.join(&file.file)).unwrap_or_else(|error| panic!("{error}"));
        check_file(file, scene);
    }
    files.len()
}

fn check_file(file: &File, mut scene: Scene) {
    let name = &file.file;
    let names: Vec<&str> = scene.objects.iter().map(|object| object.name.as_str()).collect();
    assert!(
        file.some || scene.objects.len() == file.objects.len(),
        "{name}: {names:?}, notes {:?}",
        scene.notes
    );
    if let Some(start) = file.start {
        assert_eq!(scene.start.map(|start| start.0), Some(start), "the first frame of {name}");
    }
    if let Some(fps) = file.fps {
        assert!((scene.fps.unwrap() - fps).abs() < 1e-9, "{name} at {:?}", scene.fps);
    }
    assert!(
        file.up.is_none() || scene.up.map(supple_formats::Up::letter) == file.up,
        "{name} up {:?}",
        scene.up
    );
    assert!(file.unit.is_none() || scene.metres_per_unit == file.unit, "{name}: {:?}", scene.metres_per_unit);
    let all: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    for expected in &file.objects {
        let is_named = |object: &&mut SceneObject| match expected.suffix {
            true => object.name.split('/').any(|name| name == expected.name),
            false => object.name == expected.name,
        };
        let found = scene.objects.iter_mut().find(is_named);
        let found = found.unwrap_or_else(|| panic!("{name} has no {}, only {all:?}", expected.name));
        check_object(name, expected, found, file.tolerance);
    }
}

/// Which of the expected vertices each one found is.
fn order(expected: &Object, found: &SceneObject) -> Vec<usize> {
    let (points, _) = expected.frames[0].as_chunks::<3>();
    if !expected.nearest {
        return (0..points.len()).collect();
    }
    let distance = |a: &[f64; 3], b: &[f64; 3]| (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>();
    let nearest = |p: &[f64; 3]| {
        (0..points.len()).min_by(|a, b| distance(p, &points[*a]).total_cmp(&distance(p, &points[*b])))
    };
    let order: Vec<usize> = found.surface.positions.iter().map(|p| nearest(p).unwrap()).collect();
    assert!((0..points.len()).all(|v| order.contains(&v)), "{} lacks vertices", expected.name);
    order
}

fn check_object(file: &str, expected: &Object, found: &mut SceneObject, tolerance: f64) {
    let name = format!("{} of {file}", expected.name);
    assert_eq!(found.frames.frames(), expected.frames.len(), "frames of {name}");
    let vertices = found.frames.vertices();
    let order = order(expected, found);
    assert_eq!(order.len(), vertices, "vertices of {name}");
    let size = expected.frames.iter().flatten().fold(0.0_f64, |size, x| size.max(x.abs()));
    let mut points = vec![[0.0; 3]; vertices];
    for (index, frame) in expected.frames.iter().enumerate() {
        found.frames.read(index, &mut points).unwrap();
        let (frame, _) = frame.as_chunks::<3>();
        let pairs = points.iter().zip(&order).map(|(point, at)| (point, frame[*at]));
        let worst = pairs.flat_map(|(a, b)| [0, 1, 2].map(|i| (a[i] - b[i]).abs())).fold(0.0, f64::max);
        assert!(worst <= tolerance * size, "{name} is off by {worst:e} of {size} in frame {index}");
    }
    let surface = &found.surface;
    if let (Some(counts), Some(corners)) = (&expected.counts, &expected.corners) {
        let mut triangles = Vec::new();
        let mut at = 0;
        for count in counts {
            let face = &corners[at..at + *count as usize];
            triangles.extend((1..face.len() - 1).map(|i| [face[0], face[i], face[i + 1]]));
            at += *count as usize;
        }
        assert_eq!(surface.triangles, triangles, "faces of {name}");
        let polygons = if counts.iter().all(|count| *count == 3) { &Vec::new() } else { counts };
        assert_eq!(surface.polygons, *polygons, "polygons of {name}");
    }
    for (group, members) in &expected.groups {
        let found = surface.vertex_groups.iter().find(|found| found.name == *group);
        let names: Vec<&String> = surface.vertex_groups.iter().map(|found| &found.name).collect();
        let found = found.unwrap_or_else(|| panic!("{name} has no group {group}, only {names:?}"));
        assert_eq!(found.members, *members, "group {group} of {name}");
    }
    for material in &expected.materials {
        assert!(
            surface.materials.contains(material),
            "{name} has no material {material}: {:?}",
            surface.materials
        );
    }
    assert!(!expected.uvs || surface.triangle_uvs.iter().all(Option::is_some), "uvs of {name}");
    assert!(!expected.uvs || !surface.triangle_uvs.is_empty(), "uvs of {name}");
    assert!(!expected.colours || surface.colours.len() == vertices, "colours of {name}");
    assert!(!expected.rest || found.rest.is_some(), "rest shape of {name}");
}
