//! Nonlinear bodies that meet key poses with the least force (Barbič, da Silva and Popović 2009).
//!
//! A body moves in few coordinates z, its elastic forces R(z) and their stiffness K(z) = ∂R/∂z known to a
//! [`ReducedDynamics`](supple_model::ReducedDynamics). Of all its motions the one is wanted that comes near its keys
//! with little force,
//!
//! > minimise E = ½ Σ_k ω_k‖A_k z(t_k) − b_k‖² + ½ ε Σ_i h_i‖w_i‖².

mod adjoint;
mod cg;
mod error;
mod feedback;
mod guess;
mod keys;
mod model;
mod newton;
mod normal;
mod policy;
mod problem;
mod report;
mod rollout;
mod rows;
mod saddle;
mod search;
mod settings;
mod simulation;
mod small;
mod stepper;
mod targets;
mod task;
mod time;
mod track;
mod watch;

pub use error::{ControlError, ControlGiven, ControlQuantity};
pub use keys::{ControlAsked, ControlKey};
pub use problem::ControlProblem;
pub use report::{
    ControlCost, ControlIterate, ControlKeyReport, ControlPath, ControlReport, ControlSolution, ControlStage,
};
pub use settings::{ControlGuess, ControlSettings, ControlSolver, TrackSettings};
pub use simulation::ControlSimulation;
pub use task::{ControlDamping, ControlStart, ControlTask};
pub use time::ControlTime;
pub use track::Tracker;
