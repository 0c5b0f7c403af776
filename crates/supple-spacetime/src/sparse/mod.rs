//! Motion from a few partial keys (Schulz, von Tycowicz, Seidel and Hildebrandt 2014).
//!
//! At some times something is asked of the body's shape or of its velocity, softly or hard. Of all motions the one is
//! wanted that does it with the least force,
//!
//! > minimise ½ Σ_k ∫ (z̈_k + 2δ_k ż_k + λ_k z_k − F_k)² dt + Σ_i E_i(z(t_i), ż(t_i)),
//!
//! E_i any function: the body is behind a [`Goal`]. Between its keys the motion that does this is known (their Theorem 2:
//! it is a wiggly spline), so that only what the keys read is unknown. With y_k the numbers that are read of mode k, z and
//! ż at the key times, and P_k their covariance under the [`Kernel`],
//!
//! > y_k = ȳ_k + C_k η_k, P_k = C_k C_kᵀ,  minimise ½|η|² + Σ_i E_i,
//!
//! one to two unknowns per mode and key and no time step ([`unknowns`]). A whole pose that is given hard is conditioned on, mode by
//! mode, and is no unknown. Newton's method with a trust region ([`newton`]) solves it; what is hard holds by multipliers
//! ([`solve`]); what is asked for is approached in stages, because a half turn at once ends in a saddle.

mod cost;
mod goal;
mod newton;
mod settings;
mod solve;
mod unknowns;

pub use goal::{Cost, Goal, KeyState};
pub use settings::{Solver, SparseReport, SparseSettings};
pub use solve::{Pin, SparseKey, SparseProblem, SparseSolution};
