//! Characters: skeletons of files, as what moves and what is drawn.

mod rig;

pub use rig::{Rig, height, likely_unit};
