//! Li, Huang, de Goes, Jin, Bao and Desbrun, Space-Time Editing of Elastic Motion through Material Optimization and Reduction
//! (2014): edits, poses, the warp in few numbers, and the material of a motion; what the figures of edits have in common is in `found`.

pub mod circle;
pub mod cubature;
pub mod flap;
mod found;
pub mod jump;
pub mod modes;
pub mod one;
pub mod recovery;
pub mod ride;
pub mod steps;
pub mod table;
