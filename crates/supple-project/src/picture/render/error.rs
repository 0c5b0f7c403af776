//! What keeps a file from being drawn, each naming the file and the way out.

use crate::body::BodyError;
use crate::open::{InShot, OpenError};
use crate::picture::{FilmError, PictureError};
use crate::prepare::ModesFailed;
use crate::simulate::SimulateError;
use std::path::{Path, PathBuf};
use supple_model::Cancelled;
use supple_render::RenderError;

/// Why a file was not drawn.
#[derive(Debug, thiserror::Error)]
pub enum RenderFailed {
    /// The shot cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// What was asked for cannot be drawn of this file, or not written to it.
    #[error("{}: {problem}", file.display())]
    Refused {
        /// The file that is read or written.
        file: PathBuf,
        /// Why not.
        problem: Refusal,
    },
    /// No mesh can be drawn of the file.
    #[error("{problem}; run `supple info {}` to see what is in the file", file.display())]
    Mesh {
        /// The file.
        file: PathBuf,
        /// Why not.
        problem: Box<BodyError>,
    },
    /// The modes of the body were not found.
    #[error(transparent)]
    Modes(#[from] ModesFailed),
    /// The motion of a shot, or a frame of it, is not there.
    #[error(transparent)]
    OfShot(#[from] InShot<FilmError>),
    /// A motion file cannot be read.
    #[error(transparent)]
    Film(Box<FilmError>),
    /// What stands around cannot be read.
    #[error(transparent)]
    Scenery(#[from] SimulateError),
    /// The frames cannot be looked over.
    #[error(transparent)]
    Staged(#[from] InShot<Self>),
    /// The picture cannot be written.
    #[error(transparent)]
    Picture(#[from] PictureError),
    /// The picture cannot be drawn.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// There is nothing to draw.
    #[error("no frames")]
    NoFrames,
    /// Stopped by its owner.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl From<FilmError> for RenderFailed {
    fn from(error: FilmError) -> Self {
        Self::Film(Box::new(error))
    }
}

/// Why something cannot be drawn of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// A sheet as a video.
    #[error("a sheet is a still picture; write a .png, or leave out --sheet")]
    SheetMoves,
    /// A strobe as a video.
    #[error("a strobe is a still picture; write a .png, or leave out --strobe")]
    StrobeMoves,
    /// Keys as a video.
    #[error("keys are a still picture; write a .png, or leave out --keys")]
    KeysMove,
    /// One frame as a video.
    #[error(
        "--frame gives a still picture; write a .png, orbit the camera with --turntable, or use --frames"
    )]
    FrameMoves,
    /// A turntable as a still picture.
    #[error("a turntable is a video; write a .gif or .mp4")]
    TurntableStands,
    /// A mode of a motion file.
    #[error("a motion has no modes; make a shot with `supple new` and render that")]
    MotionMode,
    /// The body of a motion file.
    #[error("a motion has no body; leave out --tets, or make a shot with `supple new`")]
    MotionBody,
    /// The skin of a body without one.
    #[error("the body has no skin; add one with `skin` in [body]")]
    NoSkin,
    /// The bones of something else than a character.
    #[error("there are no bones: only a character has them; leave out --body bones")]
    NoBones,
    /// Frames of a shot at rest.
    #[error("the shot has no motion; set `input` in [motion]")]
    NoMotion,
    /// What only an edit has.
    #[error("the shot has no edits, so {option} has nothing to show; add a handle with `supple edit`")]
    NoEdits {
        /// What was asked for.
        option: &'static str,
    },
    /// The keys of a motion that is not made of them.
    #[error(
        "--keys needs a shot of the method \"sparse\" or \"control\"; see the handles of a frame with --frame N --handles"
    )]
    NoKeys,
    /// The spline of a motion that has no poses.
    #[error("--spline needs a shot of the method \"control\" with its edit; leave it out")]
    NoSpline,
    /// The colours of an edit that is not there.
    #[error("the shot has no edits to colour; use --colour displacement or --colour strain")]
    NoEditColours,
    /// The colours of a body at rest.
    #[error("a body at rest has nothing to colour; choose --frame, --frames or --mode")]
    RestColours,
    /// Frames of a mesh.
    #[error("a mesh has no frames; render a shot or a motion")]
    MeshFrames,
    /// Modes of a mesh.
    #[error("a mesh has no modes; make a shot with a material and render that")]
    MeshModes,
    /// Colours of a mesh.
    #[error("a mesh has nothing to colour; render a shot or a motion")]
    MeshColours,
    /// A video of a mesh.
    #[error("a mesh does not move; orbit the camera with --turntable, or write a .png")]
    MeshMoves,
}

impl Refusal {
    /// The error that names the file.
    pub(super) fn of(self, file: &Path) -> RenderFailed {
        RenderFailed::Refused { file: file.to_path_buf(), problem: self }
    }
}
