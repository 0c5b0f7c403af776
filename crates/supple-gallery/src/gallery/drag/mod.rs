//! Barbič, Sin and Grinspun, Interactive Editing of Deformable Simulations (2012).

pub mod bends;
pub mod bridge;
pub mod convergence;
pub mod costs;
pub mod dragon;
pub mod limits;
pub mod spline;
pub mod timestep;
