//! Materials: a body of which stiffness, damping and shapes are chosen so that its motion needs little force (Li, Huang,
//! de Goes, Jin, Bao and Desbrun 2014).
//!
//! Handles hold points of a body in place. With little force beside what moves it by itself they cannot, if the body is not
//! made for that motion: then it jerks at every handle. So its material is found with the motion,
//!
//! > minimise ½ Σ_k ∫ (z̈_k + d_k ż_k + λ_k z_k)² dt + what soft handles and poses lack, over z, λ, d and S
//! > subject to W_a(Ŵ S z(t_a)) = target_a, SᵀS = I, λ in a box, d ≥ α + βλ.
//!
//! | symbol | name | shape |
//! |---|---|---|
//! | Ŵ = U C | the body's modes, mode j times c_j = (λ₁/λ_j)^{s/2} | 3n×R |
//! | S | [`Material::mixing`], new shapes made of them | R×r |
//! | λ, d = 2δ | [`Material::modes`] | r |
//! | z | [`MaterialEdit::path`] | r at any time |
//! | x = C S z | [`Material::coordinates`], the body's own modal coordinates | R |
//! | W(x) | [`Readout`](supple_model::Readout) over R modes: it knows no S, ∂W/∂S = Jᵀzᵀ | |
//!
//! ```text
//! start: S = (I 0)ᵀ, the first mode swings once in `period` frames, d = α + βλ              [start]
//! z: the least costly motion of the material, by the solver that all methods share          [asked]
//! S: where poses are asked for, their own directions are the first shapes; then z           [carried]
//! repeat, until a round gains < 10⁻³ of V(λ, d, S) = min over z:
//!   λ, d: least squares in a box for the path as it is; then z                              [fit, rounds]
//!   S: L-BFGS on the Stiefel manifold, rows linear: ∂V/∂S = −Σ_a J_aᵀ μ_a z(t_a)ᵀ; then z    [linear, shapes, stiefel]
//!   each is taken if V falls and handles stay held; else a part of the step
//! ```
//!
//! Where this leaves the paper: S is a step on V and not on what handles lack with z as it is, which stalls on firm handles and
//! does nothing on hard ones; SᵀS = I in place of a penalty leaves no scale open; λ stays near its start and d above
//! the body's own damping, or both go to zero. What was found are local minima.
//!
//! Forces of different materials are compared as ‖Ŵ S f‖ in the mass ([`Material::forces`]): ‖f‖ is bought by scaling.
//!
//! Poses are asked for as x̄, a number for each of the body's modes; SᵀS = I makes of each a row for every shape
//! ([`poses`]). Rigid modes stay as they are.
//!
//! The other way round, [`recover`] finds the material of a given motion.

mod asked;
mod carried;
mod edit;
mod error;
mod fit;
mod linear;
mod matter;
mod mixed;
mod poses;
mod recover;
mod report;
mod rounds;
mod settings;
mod shapes;
mod start;
mod stiefel;
#[cfg(test)]
mod tests;

pub use edit::MaterialEdit;
pub use error::{MaterialError, MaterialPart, MaterialQuantity};
pub use matter::Material;
pub use mixed::MixedReadout;
pub use poses::MaterialPose;
pub use recover::{
    GivenMotion, Recovered, RecoveredPath, RecoveryError, RecoverySettings, RecoveryStart, recover,
    unoptimised,
};
pub use report::{MaterialIterate, MaterialReport, MaterialStage, MaterialStep, PoseReport};
pub use settings::{MaterialSettings, Optimise};
