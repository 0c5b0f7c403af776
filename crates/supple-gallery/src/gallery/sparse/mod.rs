//! The figures of Schulz, von Tycowicz, Seidel and Hildebrandt, Animating Deformable Objects Using Sparse Spacetime
//! Constraints (2014), one file each; what they have in common is in `motion` and `row`.

pub mod buddha;
pub mod cactus_jump;
pub mod handspring;
pub mod keys;
pub mod motion;
pub mod row;
pub mod tilt;
pub mod triple_jump;
pub mod twist;
pub mod walk;
pub mod x_jump;
