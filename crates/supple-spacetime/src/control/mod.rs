//! Nonlinear bodies that meet key poses with the least force (Barbič, da Silva and Popović 2009).
//!
//! A body moves in r coordinates z whose mass is the identity, its elastic forces R(z) and their stiffness K(z) = ∂R/∂z
//! known to a [`ReducedDynamics`](supple_model::ReducedDynamics). Of all its motions the one is wanted that comes near its
//! keys with little force w beside what it is loaded with, f:
//!
//! > z̈ + (α + βK) ż + R(z) = f + w
//! > minimise E = ½ Σ_k ω_k‖A_k z(t_k) − b_k‖² + ½ ε Σ_i h_i‖w_i‖²
//!
//! | symbol | name | shape |
//! |---|---|---|
//! | z | [`ControlPath`] | r for each frame, and the one before the first |
//! | w | [`ControlSolution::forces`] | r for each frame but the last: around it, leading to the next |
//! | A, b, ω | [`ControlKey`] | m × r, m, 1 |
//! | ε | [`ControlSettings::effort`] | in s³ |
//! | α, β | [`ControlDamping`] | in 1/s, in s |
//!
//! Time goes by Newmark's method (¼, ½) without its velocities ([`rows`]): w is a function of three frames, and the frames
//! are the unknowns, not the forces. A start is two frames; at rest they are equal, which is to rest half a frame before the
//! first. ω has no unit and ε that of s³: what moves freely needs 3d²/2τ³ of ½∫w² to go d in the time τ, so that with
//! ε = 1e-4·τ³ and ω = 1 it misses a few parts in ten thousand of the way, in whatever units of mass and length.
//!
//! ```text
//! guess:   no control, a controller that pulls along straight lines, or a motion                      (guess)
//! first:   Gauss and Newton's matrix of all frames, eliminated from the last frame back,              (normal)
//!          is a feedback policy; the body is simulated under it, until that gains less than 1 % of E  (policy, rollout, feedback)
//! then:    Newton's method on all frames at once, hard keys fixed, to the tolerance                   (newton, saddle)
//! or:      conjugate gradients over w by the adjoint method, as published                             (adjoint, cg)
//! ```
//!
//! A minimum that is found is a local one. What is eliminated is a regulator, too: [`Tracker`] holds the motion against
//! pushes.

mod adjoint;
mod arrival;
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
