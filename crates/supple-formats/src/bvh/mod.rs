//! BVH, Biovision's motion of skeletons: a tree of joints, then one line of numbers for each frame.
//! ```text
//! HIERARCHY
//! ROOT Hips
//! {
//!     OFFSET 0 0 0                  from the parent, in any unit
//!     CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
//!     JOINT LeftLeg                 as many as there are, inside of each other
//!     {
//!         OFFSET 0 -4.5 0
//!         CHANNELS 1 Xrotation      0 to 6, each at most once, in any order; degrees
//!         End Site                  where a limb ends; without OFFSET it is where its joint is
//!         {
//!             OFFSET 0 -4.5 0
//!         }
//!     }
//! }
//! MOTION
//! Frames: 2
//! Frame Time: 0.0083333             seconds
//! 0 9 0 0 0 0 12.5                  the channels of all joints, in the order of the file
//! 0 9 0.1 0 0 0 12.75
//! ```
//! - Keywords and channels are read in any case; colons, tabs, blank lines and ends of lines in any way that is in use.
//! - A joint may have a name with blanks. OFFSET and CHANNELS, in either order, come before its children.
//! - An end site is a joint named after the one it ends: `LeftLeg_end`, then `LeftLeg_end2`, and so on.
//! - Of joints that share a name the first keeps it; the next ones are `Bone_2`, `Bone_3`, passing over names that are in
//!   the file, and a note says so. The file keeps its own names when it is [rewritten](rewrite_bvh).
//! - Two roots, no frames, more or fewer rows than announced are errors, and so are more than
//!   [`MOST_JOINTS`](skeleton::MOST_JOINTS) joints or [`DEEPEST`](skeleton::DEEPEST) inside of each other.

mod motion;
mod names;
mod read;
mod rewrite;
mod skeleton;
mod words;
mod write;

pub use read::read_bvh;
pub use rewrite::rewrite_bvh;
pub use write::write_bvh;
