//! The numerical tools of Supple that are not tied to any body or method.
//!
//! | room | holds |
//! |---|---|
//! | [`sparse`] | symmetric block matrices, assembly, factorizations that keep their symbolic part |

pub mod eigen;
pub mod sparse;
