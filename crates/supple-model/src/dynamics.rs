//! A body in few coordinates, as methods that steer it see it: the door between bodies and nonlinear control.
//!
//! A body moves as q = q₀ + U z with the columns of U orthonormal in its mass, so that M is the identity in z:
//!
//! > z̈ + (α + β K(z)) ż + R(z) = w,   K = ∂R/∂z.
//!
//! Methods see R, K and their derivative alone. Several states are asked for at once, one after the other: r numbers each,
//! and r×r for a matrix, column by column. For a reduced StVK body all of them together are one product of matrices.

use std::fmt::Debug;

/// Internal forces of a body in few coordinates, with derivatives.
///
/// The answers of a state are the same bits whatever else is asked with it, on any number of threads. Where the law of the
/// body has no force (an element turned inside out under a law that forbids it) they are not finite. Slices that do not
/// fit are a panic.
pub trait ReducedDynamics: Debug + Send + Sync {
    /// r, how many coordinates there are.
    fn coordinates(&self) -> usize;

    /// Overwrites `force` with R(z) of every state.
    fn force(&self, z: &[f64], force: &mut [f64]);

    /// Overwrites `force` with R(z) and `stiffness` with K(z) = ∂R/∂z, symmetric, of every state.
    fn stiffness(&self, z: &[f64], force: &mut [f64], stiffness: &mut [f64]);

    /// Overwrites `curvature` with ∂(K(z) λ)/∂z, symmetric, of every state with its own λ.
    fn curvature(&self, z: &[f64], lambda: &[f64], curvature: &mut [f64]);
}
