//! The numerical tools of Supple that are not tied to any body or method.
//!
//! | room | holds |
//! |---|---|
//! | [`sparse`] | symmetric block matrices, assembly, factorizations that keep their symbolic part |
//! | [`banded`] | blocks near the diagonal, with a border |
//! | [`eigen`] | the lowest modes of a symmetric pair, with proof that none is missing |
//! | [`lbfgs`] | what the last steps have shown of a Hessian |
//! | [`nnls`] | least squares with unknowns that are not negative |
//! | [`simd`] | the processor's widest instructions |
//! | [`random`] | seeded random numbers |
//! | [`rotation`] | rotation vectors: exponential and its derivative, logarithm and its branches, polar decomposition |

#![expect(non_snake_case, reason = "matrices keep their capital letters")]

pub mod banded;
pub mod eigen;
pub mod lbfgs;
pub mod nnls;
pub mod random;
pub mod rotation;
pub mod simd;
pub mod sparse;
