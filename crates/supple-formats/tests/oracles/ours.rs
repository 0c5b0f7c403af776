//! What we write, they read.

use crate::oracles::run;
use serde_json::{Value, json};
use std::fs::File;
use std::path::Path;
use supple_formats::{Group, MotionSettings, SurfaceFile, Up, create_motion, create_over, open_scene};
use supple_formats::{write_glb, write_obj, write_ply};
use supple_model::Frame;

const FRAMES: usize = 5;
const START: i32 = 10;

/// A bent grid with everything a surface can carry: polygons, texture coordinates with a seam, two materials,
/// colours and a group.
fn surface() -> SurfaceFile {
    let (columns, rows) = (5_u32, 4_u32);
    let mut file = SurfaceFile {
        positions: points(0),
        materials: vec!["red".to_owned(), "blue".to_owned()],
        vertex_groups: vec![Group { name: "pins".to_owned(), members: vec![0, 1, 2, 19] }],
        ..SurfaceFile::default()
    };
    file.colours = (0..columns * rows).map(|v| [f64::from(v * 5) / 255.0, 0.0, 1.0]).collect();
    for j in 0..rows - 1 {
        for i in 0..columns - 1 {
            let a = j * columns + i;
            let corners = [a, a + 1, a + 1 + columns, a + columns];
            let first = file.uvs.len() as u32;
            // The left column of faces has texture coordinates of its own.
            let shift = if i == 0 { 2.0 } else { 0.0 };
            file.uvs.extend(
                corners.map(|v| [f64::from(v % columns) / 8.0 + shift, f64::from(v / columns) / 8.0]),
            );
            let uvs = [first, first + 1, first + 2, first + 3];
            let material = (i + j) % 2;
            file.polygons.push(4);
            for k in 1..3 {
                file.triangles.push([corners[0], corners[k], corners[k + 1]]);
                file.triangle_uvs.push(Some([uvs[0], uvs[k], uvs[k + 1]]));
                file.triangle_materials.push(Some(material));
            }
        }
    }
    file
}

/// The same with normals, of which nothing but their equality counts: those of the first row of faces are others,
/// so that the edge between the rows is hard. Without it every vertex has one.
fn shaded(is_creased: bool) -> SurfaceFile {
    let mut file = surface();
    file.normals = vec![[0.0, 0.0, 1.0], [0.0, 0.1, 0.9]];
    file.triangle_normals =
        (0..file.triangles.len()).map(|t| Some([u32::from(is_creased && t < 8); 3])).collect();
    file
}

fn points(frame: usize) -> Vec<[f64; 3]> {
    let point = |v: u32| {
        let (x, y, t) = (f64::from(v % 5), f64::from(v / 5), frame as f64);
        [x * (1.0 + 0.01 * t), y + 0.1 * (x + t).sin(), 0.05 * f64::from(v) + 0.3 * (0.7 * t + x).sin()]
    };
    (0..20).map(point).collect()
}

fn settings() -> MotionSettings {
    let settings = MotionSettings::new(20, Frame(START), 25.0, FRAMES);
    MotionSettings { name: "/root/cape".to_owned(), ..settings }
}

fn write_motion(path: &Path, settings: MotionSettings) {
    write_motion_of(path, settings, &surface());
}

fn write_motion_of(path: &Path, settings: MotionSettings, surface: &SurfaceFile) {
    let mut writer = create_motion(path, settings, Some(surface)).unwrap();
    for frame in 0..FRAMES {
        writer.write(&points(frame)).unwrap();
    }
    writer.finish().unwrap();
}

/// What the scripts are to find: the points of all frames, the faces, names.
fn expected() -> Value {
    let file = surface();
    let corners: Vec<u32> =
        file.triangles.chunks(2).flat_map(|t| [t[0][0], t[0][1], t[0][2], t[1][2]]).collect();
    let materials: Vec<u32> = file.triangle_materials.iter().step_by(2).flatten().copied().collect();
    let frames: Vec<_> = (0..FRAMES).map(points).collect();
    json!({ "start": START, "fps": 25, "frames": frames, "corners": corners, "face_materials": materials,
            "materials": file.materials, "colours": file.colours, "pins": file.vertex_groups[0].members })
}

fn save_expected(folder: &Path, value: &Value) {
    std::fs::write(folder.join("ours.json"), value.to_string()).unwrap();
}

#[test]
#[ignore = "needs the virtual environment of oracles"]
fn usd_core_reads_usd() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let scaled = MotionSettings { up: Some(Up::Z), metres_per_unit: Some(0.01), ..settings() };
    write_motion(&folder.join("whole.usda"), scaled);
    write_motion_of(&folder.join("creased.usda"), settings(), &shaded(true));
    write_motion_of(&folder.join("smooth.usda"), settings(), &shaded(false));
    // Layers over what they wrote: everything moves by (0.5, -1, 2) in the world.
    run("make_usd.py", &[folder]);
    let mut overs = Vec::new();
    for (original, object) in [
        ("scene.usdc", "/root/cape"),
        ("composed.usda", "/world/two/cape"),
        ("packed.usdz", "/world/one/cape"),
    ] {
        let mut scene = open_scene(folder.join(original)).unwrap();
        let index = scene.objects.iter().position(|found| found.name == object).unwrap();
        let name = format!("over-{}.usda", original.replace('.', "-"));
        let mut writer = create_over(folder.join(&name), folder.join(original), &scene, index).unwrap();
        let vertices = scene.objects[index].surface.positions.len();
        let mut frame = vec![[0.0; 3]; vertices];
        for number in 0..scene.frames {
            scene.objects[index].frames.read(number, &mut frame).unwrap();
            let moved: Vec<[f64; 3]> = frame.iter().map(|[x, y, z]| [x + 0.5, y - 1.0, z + 2.0]).collect();
            writer.write(&moved).unwrap();
        }
        writer.finish().unwrap();
        overs.push(
            json!({ "file": name, "original": original, "object": object, "start": scene.start.unwrap().0,
                           "frames": scene.frames, "by": [0.5, -1.0, 2.0] }),
        );
    }
    let mut value = expected();
    value["overs"] = overs.into();
    save_expected(folder, &value);
    run("check_usd.py", &[folder]);
}

#[test]
#[ignore = "needs the virtual environment of oracles"]
fn trimesh_and_meshio_read_meshes() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let file = surface();
    write_glb(&file, "cape", File::create(folder.join("still.glb")).unwrap()).unwrap();
    write_ply(&file, File::create(folder.join("still.ply")).unwrap()).unwrap();
    write_obj(&file, File::create(folder.join("still.obj")).unwrap()).unwrap();
    write_motion(&folder.join("series.####.ply"), settings());
    // meshio knows neither colours in .obj nor texture coordinates that are not one for each vertex.
    let plain = SurfaceFile { uvs: Vec::new(), triangle_uvs: Vec::new(), colours: Vec::new(), ..surface() };
    write_motion_of(&folder.join("series.####.obj"), settings(), &plain);
    write_motion_of(&folder.join("smooth.####.ply"), settings(), &shaded(false));
    write_motion_of(&folder.join("creased.gltf"), settings(), &shaded(true));
    write_motion(&folder.join("motion.glb"), settings());
    write_motion(&folder.join("motion.gltf"), settings());
    save_expected(folder, &expected());
    run("check_meshes.py", &[folder]);
}

#[test]
#[ignore = "needs the virtual environment of oracles"]
fn blender_reads_motions() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for name in ["motion.usda", "motion.glb", "motion.gltf", "motion.pc2", "motion.mdd"] {
        write_motion(&folder.join(name), settings());
    }
    let turned = MotionSettings { up: Some(Up::Z), metres_per_unit: Some(0.5), ..settings() };
    write_motion(&folder.join("turned.glb"), turned);
    write_motion_of(&folder.join("creased.usda"), settings(), &shaded(true));
    write_motion_of(&folder.join("creased.glb"), settings(), &shaded(true));
    write_obj(&surface(), File::create(folder.join("still.obj")).unwrap()).unwrap();
    write_ply(&surface(), File::create(folder.join("still.ply")).unwrap()).unwrap();
    save_expected(folder, &expected());
    run("check_blender.py", &[folder]);
}
