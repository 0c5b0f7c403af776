//! Why a built-in shot could not be written.

use super::SAMPLES;
use crate::ShotError;
use std::io;
use std::path::PathBuf;
use supple_character::SkeletonError;
use supple_formats::FormatError;
use supple_mesh::{FillError, MeshError};
use supple_model::FrameError;
use supple_render::RenderError;

/// Why a sample could not be written.
#[derive(Debug, thiserror::Error)]
pub enum SampleError {
    /// There is none of this name.
    #[error("there is no sample {name:?}; choose one of {}", names())]
    Unknown {
        /// What was asked for.
        name: String,
    },
    /// A file of the sample is there already, and may be somebody's work.
    #[error("{} already exists; choose another folder with -o, or remove it first", file.display())]
    Exists {
        /// The file.
        file: PathBuf,
    },
    /// The shape could not be made.
    #[error(transparent)]
    Shape(#[from] FillError),
    /// A file could not be written.
    #[error("cannot write {}: {source}", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A pose of it could not be found.
    #[error("a pose of the sample could not be found")]
    NoPose,
    /// A piece of scenery could not be made.
    #[error(transparent)]
    Scenery(#[from] MeshError),
    /// A motion could not be written.
    #[error(transparent)]
    Motion(#[from] FormatError),
    /// A frame of it could not.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// The joints of a character do not fit together.
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
    /// A picture of it could not be drawn.
    #[error(transparent)]
    Picture(#[from] RenderError),
    /// The shot could not be saved.
    #[error(transparent)]
    Shot(#[from] ShotError),
}

fn names() -> String {
    SAMPLES.iter().map(|sample| sample.name).collect::<Vec<_>>().join(", ")
}
