//! A shot of a character, from the file of its skeleton and motion.

use super::beside::{folder_of, whole};
use super::error::ImportError;
use super::new::Import;
use super::shape::ImportKind;
use super::skeleton::FoundSkeleton;
use crate::outputs::Reads;
use crate::shot::{Axis, Body, Input, Motion, Shot};
use std::path::Path;
use supple_formats::load_rig;
use supple_model::Progress;

/// A character that was made.
#[derive(Clone, Debug)]
pub struct ImportedCharacter {
    /// The shot, as saved.
    pub shot: Shot,
    /// What it is of.
    pub skeleton: FoundSkeleton,
}

impl Import {
    /// Whether the file is of a skeleton, or the body has to be of one.
    #[must_use]
    pub fn is_of_character(&self) -> bool {
        self.kind == ImportKind::Character || supple_formats::is_rig_path(&self.file.path)
    }

    /// Writes the shot `path` of a character; the file of its skeleton stays where it is.
    ///
    /// # Errors
    /// A file that cannot be read, or is no skeleton; what is asked of surfaces only; a shot that is there already.
    pub fn write_character(
        &self,
        path: &Path,
        progress: &Progress,
    ) -> Result<ImportedCharacter, ImportError> {
        self.suits_a_skeleton()?;
        if path.exists() && !self.force {
            return Err(ImportError::Exists { file: path.to_path_buf() });
        }
        Reads::of_motion(&self.file).spared_by(&[path.to_path_buf()])?;
        progress.report("reading the file", 0.0)?;
        let skeleton = self.skeleton()?;
        progress.report("writing the shot", 0.9)?;
        let file = whole(&self.file.path)?;
        let mut shot = Shot::new(&folder_of(path), Body::character(&file))?;
        let space = skeleton.space;
        shot.motion = Motion {
            input: Input::File(file),
            unit: Some(space.unit),
            up: (space.up != Axis::Y || skeleton.likely_up != Axis::Y).then_some(space.up),
            ..Motion::default()
        };
        shot.save(path)?;
        Ok(ImportedCharacter { shot, skeleton })
    }

    /// The skeleton in the file.
    pub(super) fn skeleton(&self) -> Result<FoundSkeleton, ImportError> {
        let file = load_rig(&self.file.path)?;
        FoundSkeleton::of(file, self.file.unit, self.file.up)
            .map_err(|source| ImportError::Skeleton { file: self.file.path.clone(), source })
    }

    /// Nothing is asked that only a surface can be.
    pub(super) fn suits_a_skeleton(&self) -> Result<(), ImportError> {
        let file = || self.file.path.clone();
        if !supple_formats::is_rig_path(&self.file.path) {
            return Err(ImportError::NoSkeleton { file: file() });
        }
        let kind = match self.kind {
            ImportKind::Auto | ImportKind::Character => None,
            ImportKind::Solid => Some("--kind solid"),
            ImportKind::Voxels => Some("--kind voxels"),
            ImportKind::Cloth => Some("--kind cloth"),
        };
        let asked = [
            kind,
            self.file.topology.as_ref().map(|_| "--topology"),
            self.file.object.as_ref().map(|_| "--object"),
            self.rest.as_ref().map(|_| "--rest"),
            self.groups.as_ref().map(|_| "--groups"),
            self.cells.map(|_| "--cells"),
        ];
        match asked.into_iter().flatten().next() {
            Some(option) => Err(ImportError::ForSurfaces { file: file(), option }),
            None => Ok(()),
        }
    }
}
