//! Motion files: positions of the same vertices, frame after frame.
//!
//! | files | bytes | what they know of time |
//! |---|---|---|
//! | PC2 `.pc2` | little-endian, f32 | the scene's number of the first frame, and the step from frame to frame |
//! | MDD `.mdd` | big-endian, f32 | the time of every frame in seconds |
//! | series `name.####.obj`, `.ply` | one mesh per frame, text or bytes, f64 | the scene's number of every frame |
//! | USD `.usda`, glTF `.glb`, `.gltf` | only written here; [`crate::open_scene`] reads them | frames per second, the first frame |
//!
//! Neither PC2 nor MDD has faces: they belong to a mesh with as many vertices in the same order.
//!
//! Motion is never held whole. A reader takes one frame at a time from the disk, in any order. A
//! writer collects what it is given beside the target, out of sight, and puts it in place when it is
//! finished: until then, and when it is dropped unfinished, what was there before stays untouched.
//! Finished early, it leaves a valid motion of the frames it was given.

mod file;
mod info;
mod mdd;
mod mesh_series;
mod pc2;
mod point_cache;
mod point_cache_writer;
mod rate;
mod series_names;
mod settings;
mod staged;

pub use file::{MotionReader, MotionWriter};
pub use info::{MotionFormat, MotionInfo};
pub use mdd::read_mdd;
pub(crate) use mesh_series::{SeriesKind, SeriesReader, SeriesWriter};
pub use pc2::read_pc2;
pub(crate) use point_cache::Layout;
pub use point_cache::PointCache;
pub(crate) use point_cache_writer::{PointCacheWriter, check_frame, shift, unwritable};
pub(crate) use rate::rate_of_times;
pub(crate) use series_names::{SeriesNames, find_series, series_files, what_is_in};
pub use settings::MotionSettings;
pub(crate) use staged::{Staged, folder_of};
