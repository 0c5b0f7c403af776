//! What an export will write, known before it begins: files, frames, about how many bytes, in which space.
//!
//! Sizes are those of the formats: 12 bytes a point in PC2, MDD and glTF, about [`USD_POINT`] in the text of USD, and so
//! on; normals and texture coordinates of an original count where its format carries them.

use crate::method::{Points, Stage};
use crate::motion::MotionError;
use crate::shot::Shot;
use crate::source::{MotionFile, Source, Space};
use std::ops::Range;
use std::path::{Path, PathBuf};
use supple_formats::{FormatError, MotionFormat, SceneFormat, motion_files};
use supple_model::{Clock, Frame};

/// Bytes of a point in text.
const USD_POINT: f64 = 35.0;
const OBJ_POINT: f64 = 58.0;
/// Bytes of a point and of a triangle in a binary PLY, and of a triangle in the text of an OBJ.
const PLY_POINT: f64 = 24.0;
const PLY_TRIANGLE: f64 = 13.0;
const OBJ_TRIANGLE: f64 = 18.0;

/// How to export.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExportOptions {
    /// The vertices of the skin instead of those of the body, as is done anyway where the skin came with the motion.
    pub skin: bool,
    /// A .usda that stands for itself, not a layer over the original.
    pub flat: bool,
    /// The first and the last frame, the scene's numbers; all of them without.
    pub frames: Option<[i32; 2]>,
}

impl ExportOptions {
    /// The frames that are exported, counted from 0.
    ///
    /// # Errors
    /// [`ExportError::Frames`] when the motion does not have them.
    pub fn range(&self, clock: Clock) -> Result<Range<usize>, ExportError> {
        let Some([from, to]) = self.frames else { return Ok(0..clock.frames) };
        match [from, to].map(|frame| clock.index(Frame(frame))) {
            [Some(from), Some(to)] if from <= to => Ok(from..to + 1),
            _ => Err(ExportError::Frames { from, to, first: clock.span().0, last: clock.span().1 }),
        }
    }
}

/// What a shot's input says of the file an export goes back to. It reads that file, so it is found beside the window.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportOriginal {
    space: Space,
    /// The file, its vertices, its first frame, whether it is in USD, and how many normals it has.
    file: Option<OriginalFile>,
}

#[derive(Clone, Debug, PartialEq)]
struct OriginalFile {
    path: PathBuf,
    vertices: usize,
    start: i32,
    is_usd: bool,
    normals: usize,
}

impl ExportOriginal {
    /// That of a shot.
    ///
    /// # Errors
    /// When the file cannot be opened.
    pub fn of(shot: &Shot) -> Result<Self, MotionError> {
        let space = Space::of_shot(shot)?;
        let Some(file) = MotionFile::of_shot(shot) else { return Ok(Self { space, file: None }) };
        // A point cache without a mesh has nothing to go back to.
        let Ok(source) = Source::open(&file) else { return Ok(Self { space, file: None }) };
        let file = OriginalFile {
            path: file.path,
            vertices: source.vertices(),
            start: source.start().0,
            is_usd: source.scene.format == SceneFormat::Usd,
            normals: source.object().surface.normals.len(),
        };
        Ok(Self { space, file: Some(file) })
    }
}

/// What an export will write.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportPlan {
    /// The format.
    pub format: &'static str,
    /// The files, in the order of their frames where there is one for each.
    pub files: Vec<PathBuf>,
    /// The first and the last frame, the scene's numbers.
    pub frames: [i32; 2],
    /// How many vertices a frame has.
    pub vertices: usize,
    /// Whether those are the skin's.
    pub is_skin: bool,
    /// About how many bytes there will be.
    pub bytes: u64,
    /// Metres in a unit and the axis up of what is written.
    pub space: Space,
    /// The file it is a layer over.
    pub over: Option<PathBuf>,
    /// The first of the files that is there already.
    pub replaces: Option<PathBuf>,
}

/// Why nothing can be exported so.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// No path.
    #[error("Enter a path")]
    NoPath,
    /// An ending that is no motion's.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// A folder that is not there.
    #[error("there is no folder {}", .0.display())]
    NoFolder(PathBuf),
    /// A path that is a folder.
    #[error("{} is a folder; add a file name", .0.display())]
    Folder(PathBuf),
    /// A skin is asked for where there is none.
    #[error("the body has no skin; export the body instead")]
    NoSkin,
    /// Frames that do not exist.
    #[error("frames {from} to {to} are outside the motion, which has frames {first} to {last}")]
    Frames {
        /// The first that is asked for.
        from: i32,
        /// The last.
        to: i32,
        /// The first there is.
        first: i32,
        /// The last.
        last: i32,
    },
}

impl ExportPlan {
    /// What exporting a shot to a path will do, of which `points` on a stage are a frame. Looks for files that are there,
    /// and reads none.
    ///
    /// # Errors
    /// Whatever can be known to be wrong beforehand: see [`ExportError`].
    pub fn of(
        path: &Path,
        stage: &Stage,
        points: &Points,
        shot: &Shot,
        options: ExportOptions,
        original: &ExportOriginal,
    ) -> Result<Self, ExportError> {
        if path.as_os_str().is_empty() {
            return Err(ExportError::NoPath);
        }
        let range = options.range(stage.clock)?;
        let first = stage.clock.number(range.start);
        let (format, files) = motion_files(path, first, range.len())?;
        if path.is_dir() {
            return Err(ExportError::Folder(path.to_path_buf()));
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            return Err(ExportError::NoFolder(folder.to_path_buf()));
        }
        let (is_skin, [vertices, triangles]) = sizes(stage, points, shot, options)?;
        let back = original.file.as_ref().filter(|file| file.vertices == vertices);
        let is_text = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("usda"));
        let over = back.filter(|file| {
            is_text
                && file.is_usd
                && !options.flat
                && range.len() == stage.clock.frames
                && file.start == first
        });
        let normals = back.map_or(0, |file| file.normals);
        Ok(Self {
            format: format.name(),
            frames: [first, first.saturating_add_unsigned(range.len().saturating_sub(1) as u32)],
            vertices,
            is_skin,
            bytes: bytes(format, range.len(), [vertices, triangles, normals]),
            space: original.space,
            over: over.map(|file| file.path.clone()),
            replaces: files.iter().find(|file| file.exists()).cloned(),
            files,
        })
    }

    /// How many frames there will be.
    #[must_use]
    pub fn count(&self) -> usize {
        self.frames[0].abs_diff(self.frames[1]) as usize + 1
    }
}

/// Whether the skin is written, and the vertices and triangles of what is.
fn sizes(
    stage: &Stage,
    points: &Points,
    shot: &Shot,
    options: ExportOptions,
) -> Result<(bool, [usize; 2]), ExportError> {
    let drawn = [stage.rest.len(), stage.triangles.len()];
    let Some(body) = &stage.body else { return Ok((false, drawn)) };
    if body.skin.is_none() {
        return if options.skin { Err(ExportError::NoSkin) } else { Ok((false, drawn)) };
    }
    if options.skin || shot.motion.is_fitted() || points.body.is_none() {
        return Ok((true, drawn));
    }
    Ok((false, [body.positions().len(), body.surface.len()]))
}

fn bytes(format: MotionFormat, frames: usize, [vertices, triangles, normals]: [usize; 3]) -> u64 {
    let (f, v, t, n) = (frames as f64, vertices as f64, triangles as f64, normals as f64);
    let bytes = match format {
        MotionFormat::Pc2 => 32.0 + 12.0 * v * f,
        MotionFormat::Mdd => 8.0 + 4.0 * f + 12.0 * v * f,
        MotionFormat::Usd => 1000.0 + USD_POINT * (v + n) * f + 12.0 * t,
        // Every frame has a weight for every other one, and words about its arrays.
        MotionFormat::Gltf => {
            9000.0 + 12.0 * v.max(n) * f * if n > 0.0 { 2.0 } else { 1.0 } + 12.0 * t + (4.0 * f + 340.0) * f
        }
        MotionFormat::ObjSeries => f * (OBJ_POINT * (v + n) + OBJ_TRIANGLE * t),
        MotionFormat::PlySeries => f * (200.0 + PLY_POINT * (v + n) + PLY_TRIANGLE * t),
    };
    bytes as u64
}
