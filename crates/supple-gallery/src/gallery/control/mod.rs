//! Barbič, da Silva and Popović, Deformable Object Animation Using Reduced Optimal Control (2009): its poses.

pub mod poses;
