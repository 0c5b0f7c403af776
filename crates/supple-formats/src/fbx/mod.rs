//! FBX, Autodesk's exchange format, through the library `ufbx`: meshes, with blend shapes, skins and the
//! movement of nodes baked to points.
//!
//! The library is C: it gets the file as bytes with bounds on the memory it may take, and whatever it refuses
//! is an error. Files that an FBX refers to, as geometry caches, are not opened.

mod frames;
mod read;
mod surface;

pub(crate) use read::open_fbx;
pub use read::read_fbx;
