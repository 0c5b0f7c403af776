//! Motions as large as those of a film: how long they take, and how much memory. Ignored unless asked for, as
//! they write gigabytes and their times mean something only in a release build:
//! `cargo test --release -p supple-formats --test tests large:: -- --ignored --nocapture --test-threads 1`
//! A million vertices are also tried with normals, by `NORMALS=1`, and with fewer frames, by `FRAMES=20`.
#![expect(clippy::unwrap_used, reason = "helpers of tests, in which a failure may panic")]

use std::path::Path;
use std::time::Instant;
use supple_formats::{MotionSettings, SurfaceFile, create_motion, open_motion, open_scene};
use supple_model::{Frame, FrameSource};

fn grid(side: usize) -> SurfaceFile {
    let positions =
        (0..side * side).map(|v| [(v % side) as f64 * 0.01, (v / side) as f64 * 0.01, 0.0]).collect();
    let mut file = SurfaceFile { positions, ..SurfaceFile::default() };
    for j in 0..side - 1 {
        for i in 0..side - 1 {
            let a = (j * side + i) as u32;
            let side = side as u32;
            file.triangles.extend([[a, a + 1, a + 1 + side], [a, a + 1 + side, a + side]]);
        }
    }
    file
}

/// The same with a normal for each vertex.
fn smooth(side: usize) -> SurfaceFile {
    let file = grid(side);
    SurfaceFile {
        normals: vec![[0.0, 0.0, 1.0]; file.positions.len()],
        triangle_normals: file.triangles.iter().copied().map(Some).collect(),
        ..file
    }
}

fn bend(rest: &[[f64; 3]], frame: usize, points: &mut [[f64; 3]]) {
    for (point, [x, y, _]) in points.iter_mut().zip(rest) {
        *point = [*x, *y, 0.3 * (3.0 * x + 0.1 * frame as f64).sin() * y];
    }
}

fn write(path: &Path, surface: &SurfaceFile, frames: usize) -> f64 {
    let vertices = surface.positions.len();
    let settings = MotionSettings::new(vertices, Frame(1), 24.0, frames);
    let begin = Instant::now();
    let mut writer = create_motion(path, settings, Some(surface)).unwrap();
    let mut points = surface.positions.clone();
    for frame in 0..frames {
        bend(&surface.positions, frame, &mut points);
        writer.write(&points).unwrap();
    }
    writer.finish().unwrap();
    begin.elapsed().as_secs_f64()
}

fn read(source: &mut dyn FrameSource, surface: &SurfaceFile) -> f64 {
    let begin = Instant::now();
    let mut points = surface.positions.clone();
    let mut expected = surface.positions.clone();
    for frame in 0..source.frames() {
        source.read(frame, &mut points).unwrap();
        if frame % 60 == 1 {
            bend(&surface.positions, frame, &mut expected);
            let off = |(a, b): (&[f64; 3], &[f64; 3])| (0..3).any(|i| (a[i] - b[i]).abs() > 1e-5);
            assert!(!points.iter().zip(&expected).any(off), "frame {frame}");
        }
    }
    begin.elapsed().as_secs_f64()
}

/// The most memory this process has had, in MiB, where the system says.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_ascii_whitespace().nth(1)?.parse::<u64>().ok()? / 1024)
}

#[test]
#[ignore = "writes gigabytes"]
fn a_hundred_thousand_vertices_for_ten_seconds() {
    let (convert, read_glb) = convert_and_read(&grid(317));
    assert!(convert <= 10.0 && read_glb <= 3.0, "as fast as promised");
}

#[test]
#[ignore = "writes gigabytes"]
fn a_hundred_thousand_vertices_with_normals() {
    let (convert, read_glb) = convert_and_read(&smooth(317));
    assert!(convert <= 20.0 && read_glb <= 3.0, "twice as much is written, and no more is read");
}

/// How long it takes to convert a motion from PC2 to USD, and to read it as GLB.
fn convert_and_read(surface: &SurfaceFile) -> (f64, f64) {
    let folder = tempfile::tempdir().unwrap();
    let frames = 240;
    let pc2 = folder.path().join("a.pc2");
    let write_pc2 = write(&pc2, surface, frames);
    let usda = folder.path().join("a.usda");
    let begin = Instant::now();
    let mut motion = open_motion(&pc2).unwrap();
    let settings = MotionSettings::like(motion.info(), 24.0);
    let mut writer = create_motion(&usda, settings, Some(surface)).unwrap();
    let mut points = surface.positions.clone();
    for frame in 0..frames {
        motion.read(frame, &mut points).unwrap();
        writer.write(&points).unwrap();
    }
    writer.finish().unwrap();
    let convert = begin.elapsed().as_secs_f64();
    let glb = folder.path().join("a.glb");
    let write_glb = write(&glb, surface, frames);
    let begin = Instant::now();
    let mut scene = open_scene(&glb).unwrap();
    let open_glb = begin.elapsed().as_secs_f64();
    let read_glb = open_glb + read(&mut *scene.objects[0].frames, surface);
    let begin = Instant::now();
    let mut scene = open_scene(&usda).unwrap();
    let open_usda = begin.elapsed().as_secs_f64();
    let read_usda = open_usda + read(&mut *scene.objects[0].frames, surface);
    println!(
        "write pc2 {write_pc2:.2} s, pc2 to usda {convert:.2} s ({} MB), write glb {write_glb:.2} s, read glb {read_glb:.2} s, \
         read usda {read_usda:.2} s (open {open_usda:.2}), peak {:?} MiB",
        std::fs::metadata(&usda).unwrap().len() / 1_000_000,
        peak()
    );
    (convert, read_glb)
}

#[test]
#[ignore = "writes gigabytes"]
fn a_million_vertices_fit_into_a_gibibyte() {
    let frames = std::env::var("FRAMES").map_or(240, |frames| frames.parse().unwrap());
    let surface = if std::env::var("NORMALS").is_ok() { smooth(1000) } else { grid(1000) };
    for name in ["a.usda", "a.glb", "a.gltf", "a.pc2"] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        let written = write(&path, &surface, frames);
        let read = match open_motion(&path) {
            Ok(mut motion) => read(&mut *motion, &surface),
            Err(_) => read(&mut *open_scene(&path).unwrap().objects[0].frames, &surface),
        };
        println!(
            "{name}: {frames} frames, written in {written:.1} s, read in {read:.1} s, peak {:?} MiB",
            peak()
        );
    }
    assert!(peak().is_none_or(|peak| peak < 1024), "within 1 GiB");
}
