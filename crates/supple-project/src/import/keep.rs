//! A shot whose meshes and motion are in memory goes to a file, and they to files beside it.

use super::beside::write;
use super::error::ImportError;
use crate::outputs::Reads;
use crate::shot::Shot;
use crate::source::Space;
use serde::Serialize;
use std::path::{Path, PathBuf};
use supple_formats::{MeshFile, MotionSettings, create_motion};
use supple_model::{FrameSource, Progress};

/// What frames are called beside their shot.
const FRAMES: &str = "input.pc2";

/// What was written.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct KeptFiles {
    /// The files, the shot first.
    pub files: Vec<PathBuf>,
    /// By how much the frames were rounded at most, m: their file stores seven digits.
    pub rounding: f64,
}

/// Saves a shot, with all that was given to it in memory in files beside it, which it reads from then on. Without `force`
/// none of them is written over.
///
/// # Errors
/// A file that is there or cannot be written, a frame that cannot be read; the shot is as it was then.
pub fn keep(
    shot: &mut Shot,
    path: &Path,
    force: bool,
    progress: &Progress,
) -> Result<KeptFiles, ImportError> {
    let mut saved = shot.clone();
    let (meshes, motion) = saved.take_given();
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let beside = |name: &str| path.with_file_name(format!("{stem}.{name}"));
    let its = meshes.iter().map(|(name, _)| beside(&ending(name)));
    let files: Vec<PathBuf> = its.chain(motion.iter().map(|_| beside(FRAMES))).collect();
    if !files.is_empty() {
        let there =
            std::iter::once(path).chain(files.iter().map(PathBuf::as_path)).find(|file| file.exists());
        if let Some(file) = there.filter(|_| !force) {
            return Err(ImportError::Exists { file: file.to_path_buf() });
        }
        Reads::of(&saved).spared_by(&files)?;
    }
    let mut kept = KeptFiles { files: vec![path.to_path_buf()], rounding: 0.0 };
    let mut new = |file: PathBuf| {
        kept.files.push(file.clone());
        std::path::absolute(&file).unwrap_or(file)
    };
    let mut written = Vec::new();
    for (name, mesh) in &meshes {
        let MeshFile::Surface(surface) = mesh else { continue };
        let file = new(beside(&ending(name)));
        write(&file, surface, &Reads::default())?;
        saved.relocate(name, &file);
        written.push((surface.positions.len(), file));
    }
    if let Some((name, mut frames)) = motion {
        let file = new(beside(FRAMES));
        let (vertices, clock) = (frames.vertices(), frames.clock);
        let unit = Space::of_shot(shot)?.unit;
        let mut writer =
            create_motion(&file, MotionSettings::new(vertices, clock.start, clock.fps, clock.frames), None)?;
        let mut places = vec![[0.0; 3]; vertices];
        for index in 0..clock.frames {
            progress.report("writing frames", index as f64 / clock.frames as f64)?;
            frames.read(index, &mut places)?;
            let off = places.iter().flatten().map(|x| (x - f64::from(*x as f32)).abs());
            kept.rounding = off.fold(kept.rounding, |most, off| most.max(unit * off));
            writer.write(&places)?;
        }
        writer.finish()?;
        saved.relocate(&name, &file);
        // The faces of the frames are those of the mesh they move.
        let its = written.into_iter().find(|(count, _)| *count == vertices);
        saved.motion.topology = its.map(|(_, file)| file).or(saved.motion.topology.take());
    }
    saved.save(path)?;
    *shot = saved;
    Ok(kept)
}

/// `skin.obj` of `cape.skin.obj`, of the motion `cape`; whatever else a mesh is called, its whole name is its own.
fn ending(name: &Path) -> String {
    let own = name.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let rest = own.split_once('.').map(|(_, rest)| rest).filter(|rest| rest.contains('.'));
    rest.unwrap_or(&own).to_owned()
}
