//! `import` and `convert`: a shot file, or another motion file, of a motion file, in one call each; and what
//! `supple new --json` and `supple convert --json` print.

use super::character::ImportedCharacter;
use super::convert::Conversion;
use super::error::ImportError;
use super::made::NewShot;
use super::new::{Import, Imported};
use super::skeleton::UnitFrom;
use crate::edit::FeelOptions;
use crate::shot::Motion;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Instant;
use supple_formats::RigClip;
use supple_model::{Clock, Progress};

/// What an import came to.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum ImportAnswer {
    /// Of an animated surface.
    Surface(Box<SurfaceAnswer>),
    /// Of a skeleton.
    Character(Box<CharacterAnswer>),
}

/// What the import of a skeleton came to.
#[derive(Clone, Debug, Serialize)]
pub struct CharacterAnswer {
    /// The shot file.
    pub shot: PathBuf,
    /// The files written: the shot.
    pub files: Vec<PathBuf>,
    /// The kind of body.
    pub kind: &'static str,
    /// How many joints, without the ends of limbs.
    pub joints: usize,
    /// How many ends of limbs.
    pub end_sites: usize,
    /// How many numbers make a pose.
    pub degrees_of_freedom: usize,
    /// The joints that turn about one axis only.
    pub hinges: Vec<String>,
    /// How tall the figure is, m.
    pub height: f64,
    /// Metres in a unit of the file.
    pub unit: f64,
    /// What says so.
    pub unit_from: UnitFrom,
    /// The same in words.
    pub unit_reason: &'static str,
    /// Its axis up.
    pub up: &'static str,
    /// The number of the first frame.
    pub start: i32,
    /// How many frames.
    pub frames: usize,
    /// Frames per second.
    pub fps: f64,
    /// What a person should know.
    pub notes: Vec<String>,
    /// How long it took.
    pub seconds: f64,
}

/// What the import of an animated surface came to.
#[derive(Clone, Debug, Serialize)]
pub struct SurfaceAnswer {
    /// The shot file.
    pub shot: PathBuf,
    /// The files written, the shot first.
    pub files: Vec<PathBuf>,
    /// The object it is of.
    pub object: String,
    /// Its vertices.
    pub vertices: usize,
    /// Its triangles.
    pub triangles: usize,
    /// Edges of one triangle.
    pub open_edges: usize,
    /// Edges of more than two.
    pub branching_edges: usize,
    /// What the rest shape is.
    pub rest: String,
    /// Metres in a unit of the file.
    pub unit: f64,
    /// Its axis up.
    pub up: &'static str,
    /// The number of the first frame.
    pub start: i32,
    /// How many frames.
    pub frames: usize,
    /// Frames per second.
    pub fps: f64,
    /// The kind of body.
    pub kind: &'static str,
    /// Its vertices.
    pub body_vertices: usize,
    /// Its elements.
    pub body_elements: usize,
    /// What they are called.
    pub element_kind: &'static str,
    /// How many vertices of the surface never move, and are held.
    pub still: usize,
    /// How many are copies of others.
    pub copies: usize,
    /// How well the body follows the surface; `None` where it is the surface.
    pub fit: Option<FitAnswer>,
    /// How many modes edits are made of.
    pub modes: usize,
    /// The objects that became scenery.
    pub scenery: Vec<String>,
    /// What a person should know.
    pub notes: Vec<String>,
    /// How long it took.
    pub seconds: f64,
    /// What was wrong with the cache.
    pub warnings: Vec<String>,
}

/// How well a body follows a surface.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct FitAnswer {
    /// Root mean square of the distances, m.
    pub rms: f64,
    /// The largest, m.
    pub max: f64,
    /// When that is.
    pub frame: i32,
    /// Frames that did not converge.
    pub unsettled: usize,
}

/// What a conversion came to.
#[derive(Clone, Debug, Serialize)]
pub struct ConvertAnswer {
    /// The file that was read.
    pub input: PathBuf,
    /// The file that was written.
    pub output: PathBuf,
    /// The object.
    pub object: String,
    /// Its vertices.
    pub vertices: usize,
    /// The joints of a skeleton that stays one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joints: Option<usize>,
    /// How many frames.
    pub frames: usize,
    /// The number of the first.
    pub start: f64,
    /// Frames per second.
    pub fps: f64,
    /// What was passed over.
    pub notes: Vec<String>,
    /// How long it took.
    pub seconds: f64,
}

/// Makes the shot `output` and the files it needs beside it of an animated surface or a skeleton. What is wrong with the cache is told
/// to `progress`, and is in the answer, too.
///
/// # Errors
/// See [`ImportError`].
pub fn import(
    import: &Import,
    output: &Path,
    feel: &FeelOptions,
    progress: &Progress,
) -> Result<ImportAnswer, ImportError> {
    let begin = Instant::now();
    if import.is_of_character() && feel.is_set() {
        import.suits_a_skeleton()?;
        let (file, option) = (import.file.path.clone(), "--feel, --reach and --spread");
        return Err(ImportError::ForSurfaces { file, option });
    }
    let seconds = || begin.elapsed().as_secs_f64();
    match import.make(output, progress)? {
        NewShot::Character(imported) => {
            Ok(ImportAnswer::Character(Box::new(CharacterAnswer::of(output, &imported, seconds()))))
        }
        NewShot::Surface(imported) => {
            imported.warnings.iter().for_each(|warning| progress.warn(warning));
            if feel.is_set() {
                let mut shot = imported.shot.clone();
                feel.apply(&mut shot.edit);
                shot.save(output)?;
            }
            Ok(ImportAnswer::Surface(Box::new(SurfaceAnswer::of(output, *imported, seconds()))))
        }
    }
}

/// Writes a motion to `output`, in the format of its ending.
///
/// # Errors
/// Files that cannot be read or written, several objects of which none is named.
pub fn convert(
    conversion: &Conversion,
    output: &Path,
    progress: &Progress,
) -> Result<ConvertAnswer, ImportError> {
    let begin = Instant::now();
    let done = conversion.write(output, progress)?;
    Ok(ConvertAnswer {
        input: conversion.file.path.clone(),
        output: output.to_path_buf(),
        object: done.object,
        vertices: done.vertices,
        joints: done.joints,
        frames: done.frames,
        start: done.start,
        fps: done.fps,
        notes: done.notes,
        seconds: begin.elapsed().as_secs_f64(),
    })
}

impl CharacterAnswer {
    fn of(output: &Path, imported: &ImportedCharacter, seconds: f64) -> Self {
        let found = &imported.skeleton;
        let [joints, end_sites] = found.joints();
        let clip = found.clip();
        Self {
            shot: output.to_path_buf(),
            files: vec![output.to_path_buf()],
            kind: imported.shot.body.kind.name(),
            joints,
            end_sites,
            degrees_of_freedom: found.rig.file.channel_count(),
            hinges: found.hinges.clone(),
            height: found.height,
            unit: found.space.unit,
            unit_from: found.unit_from,
            unit_reason: found.unit_reason(),
            up: found.space.up.name(),
            start: Motion::START,
            frames: clip.map_or(0, |clip| clip.frames),
            fps: clip.map_or(Motion::FPS, RigClip::fps),
            notes: found.notes(),
            seconds,
        }
    }
}

impl SurfaceAnswer {
    fn of(output: &Path, imported: Imported, seconds: f64) -> Self {
        let Clock { start, frames, fps } = imported.clock;
        let beside = |file: &PathBuf| output.with_file_name(file.file_name().unwrap_or_default());
        Self {
            shot: output.to_path_buf(),
            files: imported.files.iter().map(beside).collect(),
            object: imported.object,
            vertices: imported.surface[0],
            triangles: imported.surface[1],
            open_edges: imported.edges.open,
            branching_edges: imported.edges.branching,
            rest: imported.rest,
            unit: imported.space.unit,
            up: imported.space.up.name(),
            start: start.0,
            frames,
            fps,
            kind: imported.shot.body.kind.name(),
            body_vertices: imported.body[0],
            body_elements: imported.body[1],
            element_kind: imported.elements,
            still: imported.still,
            copies: imported.copies,
            fit: imported.fit.map(|fit| FitAnswer {
                rms: fit.rms,
                max: fit.max,
                frame: fit.frame.0,
                unsettled: fit.unsettled,
            }),
            modes: imported.shot.edit.modes,
            scenery: imported.scenery,
            notes: imported.notes,
            seconds,
            warnings: imported.warnings.iter().map(ToString::to_string).collect(),
        }
    }
}
