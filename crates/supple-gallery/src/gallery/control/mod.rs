//! Barbič, da Silva and Popović, Deformable Object Animation Using Reduced Optimal Control (2009); what the figures have in
//! common is in `bar` and `posed`.

pub mod arcs;
mod bar;
pub mod costs;
pub mod elephant;
pub mod fish;
pub mod pansy;
mod posed;
pub mod poses;
pub mod solvers;
pub mod spring_bridge;
pub mod tangents;
pub mod volume;
pub mod walk;
