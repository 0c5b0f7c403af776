//! A motion as a numbered series of `.obj` files, one for each frame, all with the same faces.
//!
//! The number in a file's name is the scene's number of its frame. The first file gives the faces;
//! the others are compared with it as they are read.

mod read;
mod write;

pub(super) use read::ObjSeriesReader;
pub(super) use write::ObjSeriesWriter;
