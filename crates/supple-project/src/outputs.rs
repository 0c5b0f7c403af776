//! What a command writes is never what its shot reads.
//!
//! A name says little: `./run.pc2`, a link and a hard link may all be the input. So files are told apart by what the file
//! system says they are, and everything a shot reads is asked for: its mesh, skin, motion, tables, all files of a series,
//! the layers of a USD scene, the buffers of a glTF.

use crate::shot::Shot;
use crate::source::MotionFile;
use std::path::{Path, PathBuf};
use supple_formats::{files_of, replaced_files};

/// A file that is to be written is one that is read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{} would overwrite {}, which is needed as input: choose another name",
    output.display(),
    read.display()
)]
pub struct Overwrites {
    /// What was to be written.
    pub output: PathBuf,
    /// What is read.
    pub read: PathBuf,
}

/// Files that are read, and so not written.
#[derive(Clone, Debug, Default)]
pub struct Reads(Vec<PathBuf>);

impl Reads {
    /// Those of a shot.
    #[must_use]
    pub fn of(shot: &Shot) -> Self {
        Self(shot.files().iter().map(|file| shot.resolve(file)).collect())
    }

    /// Those of a motion file.
    #[must_use]
    pub fn of_motion(file: &MotionFile) -> Self {
        Self([Some(&file.path), file.topology.as_ref()].into_iter().flatten().cloned().collect())
    }

    /// And this one.
    #[must_use]
    pub fn and(mut self, file: &Path) -> Self {
        self.0.push(file.to_path_buf());
        self
    }

    /// Checks that none of `outputs` is one of these.
    ///
    /// # Errors
    /// The first that is.
    pub fn spared_by(&self, outputs: &[PathBuf]) -> Result<(), Overwrites> {
        // What is not there yet is nobody's input, and mostly nothing is.
        let there: Vec<(Identity, &PathBuf)> =
            outputs.iter().filter_map(|output| Some((Identity::of(output)?, output))).collect();
        if there.is_empty() {
            return Ok(());
        }
        for read in self.0.iter().flat_map(files_of) {
            let identity = Identity::of(&read);
            if let Some((_, output)) = there.iter().find(|(output, _)| Some(output) == identity.as_ref()) {
                return Err(Overwrites { output: (*output).clone(), read });
            }
        }
        Ok(())
    }

    /// The same for a motion from frame `start` on, and for what is written beside it.
    ///
    /// # Errors
    /// As [`Self::spared_by`].
    pub fn spared_by_motion(&self, path: &Path, start: i32) -> Result<(), Overwrites> {
        let mut outputs = replaced_files(path, start);
        outputs.push(beside(path, ".contacts.csv"));
        self.spared_by(&outputs)
    }
}

/// The file of this ending beside another: `run.pc2.contacts.csv`.
#[must_use]
pub fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// What makes a file the same as another, whatever their names.
#[derive(PartialEq, Eq)]
struct Identity(#[cfg(unix)] [u64; 2], #[cfg(not(unix))] PathBuf);

impl Identity {
    /// That of a file that is there.
    fn of(path: &Path) -> Option<Self> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let metadata = std::fs::metadata(path).ok()?;
            Some(Self([metadata.dev(), metadata.ino()]))
        }
        #[cfg(not(unix))]
        {
            std::fs::canonicalize(path).ok().map(Self)
        }
    }
}
