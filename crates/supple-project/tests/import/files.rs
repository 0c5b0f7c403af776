//! Small animated surfaces, written to files and read again.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use supple_formats::{Group, MotionSettings, SurfaceFile, Up, create_motion};
use supple_mesh::{Vec3, shapes};
use supple_model::{Frame, FrameSource, Progress};
use supple_project::shot::Handle;
use supple_project::{
    Body, Cache, Import, ImportError, Imported, MotionFile, Shot, WriteOptions, method, solve_into,
};
use tempfile::TempDir;

/// A folder for the files of a test.
pub struct Place(pub TempDir);

impl Place {
    pub fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        std::fs::write(self.path(name), text).unwrap();
        self.path(name)
    }

    /// Writes frames of a surface in the format of the name.
    pub fn motion(
        &self,
        name: &str,
        surface: &SurfaceFile,
        frames: &[Vec<[f64; 3]>],
        settings: Settings,
    ) -> PathBuf {
        let path = self.path(name);
        let settings = MotionSettings {
            name: settings.name.into(),
            metres_per_unit: settings.unit,
            up: settings.up,
            ..MotionSettings::new(surface.positions.len(), Frame(settings.start), settings.fps, frames.len())
        };
        let mut writer = create_motion(&path, settings, Some(surface)).unwrap();
        frames.iter().for_each(|frame| writer.write(frame).unwrap());
        writer.finish().unwrap();
        path
    }

    /// Makes the shot `shot.toml` with few cells and modes.
    pub fn import(&self, file: MotionFile) -> Result<Imported, ImportError> {
        self.import_as(Import { file, cells: Some(5), ..Import::default() })
    }

    pub fn import_as(&self, import: Import) -> Result<Imported, ImportError> {
        let mut imported = import.write(&self.path("shot.toml"), &Progress::silent())?;
        imported.shot.edit.modes = imported.shot.edit.modes.min(20);
        imported.shot.save(&self.path("shot.toml")).unwrap();
        Ok(imported)
    }

    /// Solves `shot.toml` with these handles, into a file.
    pub fn solve(&self, handles: &[Handle], out: &str, flat: bool) -> PathBuf {
        let (shot_file, out) = (self.path("shot.toml"), self.path(out));
        let mut shot = Shot::load(&shot_file).unwrap();
        shot.edit.handles = handles.to_vec();
        let body = Arc::new(Body::load(&shot).unwrap());
        let progress = Progress::silent();
        let mut method = method::open(&shot, body, &Cache::of_shot(&shot_file), &progress).unwrap();
        let how = WriteOptions { flat, ..WriteOptions::default() };
        solve_into(&out, &shot, method.as_mut(), &how, &progress).unwrap();
        out
    }
}

/// What a file says about itself.
#[derive(Clone, Copy)]
pub struct Settings {
    pub name: &'static str,
    pub start: i32,
    pub fps: f64,
    pub unit: Option<f64>,
    pub up: Option<Up>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { name: "/root/ball", start: 11, fps: 30.0, unit: None, up: None }
    }
}

pub fn file(path: &Path) -> MotionFile {
    MotionFile { path: path.to_path_buf(), ..MotionFile::default() }
}

/// A closed ball of 162 vertices, with a group.
pub fn ball() -> SurfaceFile {
    let mesh = shapes::ball(Vec3::zeros(), 1.0, 4).unwrap();
    let top = mesh.positions().iter().enumerate().filter(|(_, p)| p.y > 0.3).map(|(v, _)| v as u32);
    SurfaceFile {
        positions: mesh.positions().iter().map(|p| (*p).into()).collect(),
        triangles: mesh.triangles().iter().map(|t| t.map(|v| v.0)).collect(),
        vertex_groups: vec![Group { name: "top".into(), members: top.collect() }],
        ..SurfaceFile::default()
    }
}

/// A square sheet of 81 vertices, open.
pub fn sheet() -> SurfaceFile {
    let at = |k: u32| [f64::from(k % 9) / 4.0, 0.0, f64::from(k / 9) / 4.0];
    let squares = (0..64_u32).map(|k| k % 8 + 9 * (k / 8));
    SurfaceFile {
        positions: (0..81).map(at).collect(),
        triangles: squares.flat_map(|k| [[k, k + 9, k + 10], [k, k + 10, k + 1]]).collect(),
        ..SurfaceFile::default()
    }
}

/// Frames of a surface that tumbles, flies, swells and ripples; the first is the surface itself.
pub fn tumbling(surface: &SurfaceFile, frames: usize) -> Vec<Vec<[f64; 3]>> {
    let frame = |k: usize| {
        let t = k as f64 / (frames - 1) as f64;
        let turn = nalgebra::Rotation3::new(Vec3::new(1.0, 2.0, -0.5) * t);
        let place = |(v, p): (usize, &[f64; 3])| {
            let swollen = Vec3::new(p[0], p[1] * (1.0 + 0.3 * t), p[2] * (1.0 - 0.1 * t));
            let ripple = 1.0 + 0.02 * t * (7.0 * v as f64).sin();
            single((turn * (swollen * ripple) + Vec3::new(3.0, 1.0, 0.2) * t).into())
        };
        surface.positions.iter().enumerate().map(place).collect()
    };
    (0..frames).map(frame).collect()
}

/// Frames of a surface that waves, its edge at x = 0 standing still.
pub fn waving(surface: &SurfaceFile, frames: usize) -> Vec<Vec<[f64; 3]>> {
    let frame = |k: usize| {
        let t = 6.0 * k as f64 / frames as f64;
        surface.positions.iter().map(|[x, y, z]| single([*x, y + 0.2 * x * (t + z).sin(), *z])).collect()
    };
    (0..frames).map(frame).collect()
}

/// What a file of f32 makes of a point.
pub fn single(point: [f64; 3]) -> [f64; 3] {
    point.map(|x| f64::from(x as f32))
}

/// All frames of a source.
pub fn all(frames: &mut dyn FrameSource) -> Vec<Vec<[f64; 3]>> {
    let count = frames.frames();
    let mut read = |index| {
        let mut positions = vec![[0.0; 3]; frames.vertices()];
        frames.read(index, &mut positions).unwrap();
        positions
    };
    (0..count).map(&mut read).collect()
}

/// The largest distance along an axis of two motions.
pub fn apart(a: &[Vec<[f64; 3]>], b: &[Vec<[f64; 3]>]) -> f64 {
    assert_eq!(a.len(), b.len(), "as many frames");
    let pairs = a.iter().zip(b).flat_map(|(a, b)| {
        assert_eq!(a.len(), b.len(), "as many vertices");
        a.as_flattened().iter().zip(b.as_flattened())
    });
    pairs.fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()))
}
