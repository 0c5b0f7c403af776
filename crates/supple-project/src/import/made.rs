//! A shot of any file that moves: of a surface, or of a skeleton.

use super::character::ImportedCharacter;
use super::error::ImportError;
use super::new::{Import, Imported};
use crate::shot::Shot;
use std::fmt::{self, Display, Formatter};
use std::path::Path;
use supple_formats::RigClip;
use supple_model::Progress;
use supple_model::text::{counted, number};

/// A shot that was made of a file.
#[derive(Debug)]
pub enum NewShot {
    /// Of an animated surface.
    Surface(Box<Imported>),
    /// Of a skeleton.
    Character(Box<ImportedCharacter>),
}

impl Import {
    /// Writes the shot `path` and the files it needs beside it, of whatever the file holds.
    ///
    /// # Errors
    /// Those of [`Self::write`] and [`Self::write_character`].
    pub fn make(&self, path: &Path, progress: &Progress) -> Result<NewShot, ImportError> {
        Ok(if self.is_of_character() {
            NewShot::Character(Box::new(self.write_character(path, progress)?))
        } else {
            NewShot::Surface(Box::new(self.write(path, progress)?))
        })
    }
}

impl NewShot {
    /// The shot, as saved.
    #[must_use]
    pub fn shot(&self) -> &Shot {
        match self {
            Self::Surface(imported) => &imported.shot,
            Self::Character(imported) => &imported.shot,
        }
    }
}

/// In a line.
impl Display for NewShot {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let notes = match self {
            Self::Surface(imported) => {
                write!(f, "{} frames, rest shape {}", imported.clock.frames, imported.rest)?;
                imported.notes.clone()
            }
            Self::Character(imported) => {
                let found = &imported.skeleton;
                let frames = found.clip().map_or(0, |clip: &RigClip| clip.frames);
                let joints = counted(found.joints()[0], "joint", "joints");
                let (tall, unit, why) = (number(found.height), found.space.unit, found.unit_reason());
                write!(f, "{frames} frames, {joints}, {tall} m tall; 1 unit = {unit} m: {why}")?;
                found.notes()
            }
        };
        notes.iter().try_for_each(|note| write!(f, "; {note}"))
    }
}
