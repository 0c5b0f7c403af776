//! A motion as a numbered series of meshes, `.obj` or `.ply`, one for each frame, all with the same faces.
//!
//! The number in a file's name is the scene's number of its frame. The first file gives the faces;
//! the others are compared with it as they are read.

mod read;
mod write;

use super::MotionFormat;
use crate::{FormatError, SurfaceFile, read_obj, read_ply};

pub(crate) use read::SeriesReader;
pub(crate) use write::SeriesWriter;

/// Which meshes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SeriesKind {
    Obj,
    Ply,
}

impl SeriesKind {
    fn format(self) -> MotionFormat {
        match self {
            Self::Obj => MotionFormat::ObjSeries,
            Self::Ply => MotionFormat::PlySeries,
        }
    }

    fn read(self, bytes: &[u8]) -> Result<SurfaceFile, FormatError> {
        match self {
            Self::Obj => read_obj(bytes),
            Self::Ply => read_ply(bytes),
        }
    }
}
