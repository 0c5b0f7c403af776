//! Characters: skeletons of files, as what moves and what is drawn.
//!
//! | | |
//! |---|---|
//! | [`Rig`] | a rig of a file as a skeleton, and an edited motion as its channels |
//! | [`Character`] | what a shot makes of it: joints that turn otherwise, limits, the input motion |
//! | [`Bones`] | its surface, an octahedron for each bone |

mod bones;
mod error;
mod load;
mod rig;

pub use bones::Bones;
pub use error::CharacterError;
pub use load::{Character, up_of};
pub use rig::{GUESSED_UP, Rig, height, likely_unit, likely_up};
