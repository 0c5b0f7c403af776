//! From a skeleton to a skeleton: the same text, unless its rate is to be another.

use super::convert::{Conversion, Converted};
use super::error::ImportError;
use crate::atomic;
use crate::outputs::Reads;
use std::path::Path;
use supple_formats::{FormatError, Problem, RigClip, load_rig, read_file, rewrite_bvh, write_bvh};
use supple_model::Progress;

impl Conversion {
    /// Writes the skeleton of a file to another, whole or not at all.
    pub(super) fn write_skeleton(&self, out: &Path, progress: &Progress) -> Result<Converted, ImportError> {
        let path = &self.file.path;
        let asked =
            [self.start.map(|_| "--start"), self.file.unit.map(|_| "--unit"), self.file.up.map(|_| "--up")];
        if let Some(option) = asked.into_iter().flatten().next() {
            return Err(ImportError::NoRoom { file: out.to_path_buf(), option });
        }
        Reads::of_motion(&self.file).spared_by(&[out.to_path_buf()])?;
        progress.report("converting", 0.0)?;
        let named = |error: FormatError| if error.path.is_some() { error } else { error.in_file(path) };
        let mut file = load_rig(path)?;
        let mut bytes = Vec::new();
        match (self.fps, file.clips.first_mut()) {
            (Some(fps), Some(clip)) => {
                clip.seconds_per_frame = fps.recip();
                let clip = clip.clone();
                write_bvh(&file, &clip, &mut bytes).map_err(named)?;
            }
            _ => {
                let unread = |error| FormatError {
                    path: Some(path.clone()),
                    place: None,
                    problem: Problem::Unreadable(error),
                };
                let original = read_file(path).map_err(unread)?;
                rewrite_bvh(&original, &mut |_, _| None, &mut bytes).map_err(named)?;
            }
        }
        atomic::replace(out, &bytes)
            .map_err(|source| ImportError::Write { file: out.to_path_buf(), source })?;
        let clip = file.clips.first();
        Ok(Converted {
            object: clip.map_or_else(String::new, |clip| clip.name.clone()),
            vertices: 0,
            joints: Some(file.joints.iter().filter(|joint| !joint.end).count()),
            frames: clip.map_or(0, |clip| clip.frames),
            start: f64::from(crate::shot::Motion::START),
            fps: clip.map_or(crate::shot::Motion::FPS, RigClip::fps),
            notes: file.notes,
        })
    }
}
