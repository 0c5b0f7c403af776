//! A shot from an animated surface: a cloth waves in a point cache as any program writes it, and becomes a body that
//! can be edited. `supple new` does the same.

use std::error::Error;
use std::path::Path;
use supple_formats::{MotionSettings, SurfaceFile, create_motion, write_obj};
use supple_model::{Clock, Frame, Progress};
use supple_project::{Import, MotionFile};

const SIDE: u32 = 16;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let [mesh, cache] = ["flag.obj", "flag.pc2"].map(|name| folder.path().join(name));
    write_flag(&mesh, &cache)?;

    let file = MotionFile { path: cache, topology: Some(mesh), ..MotionFile::default() };
    let import = Import { file, ..Import::default() };
    let imported = import.write(&folder.path().join("flag.toml"), &Progress::silent())?;
    let ([vertices, elements], Clock { start, frames, fps }) = (imported.body, imported.clock);
    println!("{}: a body of {vertices} vertices and {elements} {}", imported.object, imported.elements);
    println!("{frames} frames from {} on, {fps} a second; its rest shape is {}", start.0, imported.rest);
    println!("{} vertices never move and are held", imported.still);
    println!("{}", std::fs::read_to_string(&imported.files[0])?);
    Ok(())
}

/// A square of cloth, held along one side, and two seconds of waves.
fn write_flag(mesh: &Path, cache: &Path) -> Result<(), Box<dyn Error>> {
    let grid = |i: u32| [f64::from(i % SIDE), f64::from(i / SIDE)].map(|k| k / f64::from(SIDE - 1));
    let quads = (0..SIDE - 1).flat_map(|y| (0..SIDE - 1).map(move |x| y * SIDE + x));
    let triangles = quads.flat_map(|i| [[i, i + 1, i + SIDE], [i + 1, i + SIDE + 1, i + SIDE]]).collect();
    let positions: Vec<[f64; 3]> = (0..SIDE * SIDE).map(grid).map(|[x, y]| [x, y, 0.0]).collect();
    let flag = SurfaceFile { positions, triangles, ..SurfaceFile::default() };
    write_obj(&flag, &mut std::fs::File::create(mesh)?)?;

    let mut writer =
        create_motion(cache, MotionSettings::new(flag.positions.len(), Frame(1), 24.0, 48), None)?;
    for frame in 0..48 {
        let wave = |x: f64| 0.2 * x * (6.0 * x - 0.3 * f64::from(frame)).sin();
        let places: Vec<[f64; 3]> = flag.positions.iter().map(|&[x, y, _]| [x, y, wave(x)]).collect();
        writer.write(&places)?;
    }
    Ok(writer.finish()?)
}
