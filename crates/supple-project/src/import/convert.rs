//! From one motion format to another, a frame at a time.
//!
//! Points stay in the unit and axes of the file they come from, and the new file says which these are, where its
//! format can.

use super::bones;
use super::error::ImportError;
use super::new::Import;
use crate::atomic;
use crate::outputs::Reads;
use crate::source::{MotionFile, Source};
use std::path::{Path, PathBuf};
use supple_formats::is_rig_path;
use supple_formats::{
    MotionSettings, SurfaceFile, create_motion, is_motion_path, name_of, open_motion, write_obj, write_ply,
    write_stl,
};
use supple_model::{FrameSource, Progress};

/// What to convert, and what the file does not say itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conversion {
    /// The motion.
    pub file: MotionFile,
    /// The number of the first frame, instead of the file's.
    pub start: Option<i32>,
    /// Frames per second, instead of the file's.
    pub fps: Option<f64>,
}

/// Frames, and what a file says about them.
type Points = (Box<dyn FrameSource>, MotionSettings);

/// What was converted.
#[derive(Clone, Debug, PartialEq)]
pub struct Converted {
    /// The object.
    pub object: String,
    /// Its vertices.
    pub vertices: usize,
    /// The joints of a skeleton that stays one.
    pub joints: Option<usize>,
    /// How many frames.
    pub frames: usize,
    /// The number of the first.
    pub start: f64,
    /// Frames per second.
    pub fps: f64,
    /// What was passed over.
    pub notes: Vec<String>,
}

impl Conversion {
    /// Writes the motion to `out`, in the format of its ending. A single frame may also become a mesh.
    ///
    /// # Errors
    /// Files that cannot be read or written, several objects of which none is named.
    pub fn write(&self, out: &Path, progress: &Progress) -> Result<Converted, ImportError> {
        if is_rig_path(&self.file.path) {
            self.suits_a_skeleton()?;
            if is_rig_path(out) {
                return self.write_skeleton(out, progress);
            }
        } else if is_rig_path(out) {
            return Err(ImportError::NoJoints { file: self.file.path.clone() });
        }
        if let Some(points) = self.bare_points()? {
            return self.copy(points, None, Vec::new(), out, progress);
        }
        let mut source = self.source()?;
        let mut settings = MotionSettings::of_scene(&source.scene, source.object());
        if self.file.unit.is_some() || self.file.up.is_some() {
            settings.metres_per_unit = Some(source.space.unit);
            settings.up = Some(source.space.up_axis());
        }
        let (notes, frames) = (source.scene.notes.clone(), source.scene.frames);
        let object = source.scene.objects.swap_remove(source.object);
        if frames == 1
            && let Some(kind) = MeshKind::of(out)
        {
            Reads::of_motion(&self.file).spared_by(&[out.to_path_buf()])?;
            kind.write(out, &object.surface)?;
            let (object, vertices) = (settings.name, settings.vertices);
            let (start, fps) = (settings.start, settings.fps);
            return Ok(Converted { object, vertices, joints: None, frames, start, fps, notes });
        }
        self.copy((object.frames, settings), Some(&object.surface), notes, out, progress)
    }

    /// The object that is meant; of a skeleton, its bones.
    fn source(&self) -> Result<Source, ImportError> {
        if !is_rig_path(&self.file.path) {
            return Ok(Source::open(&self.file)?);
        }
        let import = Import { file: self.file.clone(), ..Import::default() };
        let found = import.skeleton()?;
        Ok(Source { scene: bones::scene(&found, &self.file.path)?, object: 0, space: found.space })
    }

    /// Nothing is asked that only a surface can be.
    fn suits_a_skeleton(&self) -> Result<(), ImportError> {
        Import { file: self.file.clone(), ..Import::default() }.suits_a_skeleton()
    }

    /// The points of a cache that has no faces and gets none.
    fn bare_points(&self) -> Result<Option<Points>, ImportError> {
        if self.file.topology.is_some() || !is_motion_path(&self.file.path) {
            return Ok(None);
        }
        let motion = open_motion(&self.file.path)?;
        if motion.topology().is_some() {
            return Ok(None);
        }
        let mut settings = MotionSettings::like(motion.info(), crate::shot::Motion::FPS);
        settings.metres_per_unit = self.file.unit;
        settings.name = name_of(&self.file.path, true);
        Ok(Some((motion, settings)))
    }

    fn copy(
        &self,
        (mut frames, mut settings): Points,
        surface: Option<&SurfaceFile>,
        notes: Vec<String>,
        out: &Path,
        progress: &Progress,
    ) -> Result<Converted, ImportError> {
        if let Some(start) = self.start {
            settings.start = f64::from(start);
            settings.times.clear();
        }
        if let Some(fps) = self.fps {
            settings.fps = fps;
            settings.times.clear();
        }
        let (object, start, fps) = (settings.name.clone(), settings.start, settings.fps);
        let (vertices, count) = (frames.vertices(), frames.frames());
        Reads::of_motion(&self.file).spared_by_motion(out, start as i32)?;
        let mut writer = create_motion(out, settings, surface)?;
        let mut positions = vec![[0.0; 3]; vertices];
        for index in 0..count {
            progress.report("converting", index as f64 / count as f64)?;
            frames.read(index, &mut positions)?;
            writer.write(&positions)?;
        }
        writer.finish()?;
        Ok(Converted { object, vertices, joints: None, frames: count, start, fps, notes })
    }
}

/// The formats of meshes that are written. A name with a pattern is a series, whatever its length.
#[derive(Clone, Copy)]
enum MeshKind {
    Obj,
    Ply,
    Stl,
}

impl MeshKind {
    fn of(path: &Path) -> Option<Self> {
        if path.file_name()?.to_string_lossy().contains('#') {
            return None;
        }
        match path.extension()?.to_ascii_lowercase().to_str()? {
            "obj" => Some(Self::Obj),
            "ply" => Some(Self::Ply),
            "stl" => Some(Self::Stl),
            _ => None,
        }
    }

    fn write(self, path: &Path, surface: &SurfaceFile) -> Result<(), ImportError> {
        let mut bytes = Vec::new();
        let written = match self {
            Self::Obj => write_obj(surface, &mut bytes),
            Self::Ply => write_ply(surface, &mut bytes),
            Self::Stl => write_stl(surface, &mut bytes),
        };
        let file = PathBuf::from(path);
        written
            .and_then(|()| atomic::replace(path, &bytes))
            .map_err(|source| ImportError::Write { file, source })
    }
}
