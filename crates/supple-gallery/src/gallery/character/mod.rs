//! The figures of Gleicher, Motion Editing with Spacetime Constraints (1997), one file each; what they have in common is in
//! `motion` and `figure`.

pub mod displacement;
mod figure;
pub mod jump;
mod motion;
pub mod no_feet;
pub mod slide;
pub mod step;
pub mod thief;
pub mod walk;
