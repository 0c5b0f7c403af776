//! From a path to what moves there, the format chosen by the ending: [`scene`] for files that hold meshes by name,
//! [`motion`] for positions alone.

mod motion;
mod scene;

pub use motion::{
    create_motion, is_motion_path, is_single_precision, motion_files, open_motion, replaced_files,
};
pub use scene::{name_of, open_scene};
