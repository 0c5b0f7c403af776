//! Li, Huang, de Goes, Jin, Bao and Desbrun, Space-Time Editing of Elastic Motion through Material Optimization and Reduction
//! (2014): edits and poses; what the figures have in common is in `found`.

pub mod circle;
pub mod flap;
mod found;
pub mod jump;
pub mod modes;
pub mod one;
pub mod ride;
pub mod steps;
pub mod table;
