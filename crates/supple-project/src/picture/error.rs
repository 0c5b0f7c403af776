//! What keeps a picture from being made.

use std::io;
use std::path::PathBuf;
use supple_render::RenderError;

/// Why a picture was not made.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// It could not be drawn or encoded.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// It could not be written; what was there before is untouched.
    #[error("cannot write {}: {source}", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Its folder is not there.
    #[error("cannot write {}: there is no folder {}", file.display(), folder.display())]
    NoFolder {
        /// The file.
        file: PathBuf,
        /// Its folder.
        folder: PathBuf,
    },
    /// Only ffmpeg writes this kind of file, and it is not there.
    #[error("cannot write {}: ffmpeg was not found; install it (Debian: apt-get install ffmpeg), or write a \
             .gif", file.display())]
    NoFfmpeg {
        /// The file.
        file: PathBuf,
    },
    /// ffmpeg did not write it.
    #[error("cannot write {}: ffmpeg failed: {said}", file.display())]
    Ffmpeg {
        /// The file.
        file: PathBuf,
        /// What it said.
        said: String,
    },
}
