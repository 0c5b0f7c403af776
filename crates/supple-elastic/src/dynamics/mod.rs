//! Forward simulation: how a body moves under loads, on moving anchors, among obstacles.
//!
//! > M ü + D u̇ + R(u) = f + c, D = α M + β K(u),
//!
//! with c the forces of contact. A step of h is implicit: it finds the displacement at its end as the minimum
//! of an energy Φ by Newton's method, so steps may be long and materials stiff, and an inverted element is an
//! energy like any other:
//!
//! ```text
//! ũ, û ← where the body goes without acceleration, and without velocity       scheme.rs
//! D ← α M + β K(u_n)                                                          damping.rs
//! rounds of contact:                                                          contact/
//!   what touches, and how hard, roughly                                       settle.rs
//!   u ← argmin 1/(2βh²) ‖u − ũ‖²_M + E(u) − fᵀu + γ/(2βh) ‖u − û‖²_D + κ/β V(u)     objective.rs
//! v, a ← from u; obstacles stop what would be thrown back                     motion.rs
//! a step of Newmark's method that gains energy, or loses what nothing takes, is cut in halves; what still gains is
//! damped by a share of implicit Euler                                        balance.rs
//! a step without a minimum that could be found is cut in halves               step.rs
//! ```
//!
//! Newmark's method (the trapezoidal rule; Barbič and Popović 2009, Appendix A, use it too) and implicit Euler
//! differ in coefficients only.

mod balance;
mod contact;
mod damping;
mod error;
mod motion;
mod objective;
mod report;
mod scheme;
mod settings;
mod settle;
mod simulation;
mod state;
mod step;

pub use error::SimulationError;
pub use report::{Energies, Momentum, StepContact, StepReport};
pub use settings::{Damping, Integrator, SimulationSettings};
pub use simulation::Simulation;
