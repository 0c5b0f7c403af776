//! Fewer coordinates than vertices: u = U z with z of a few hundred modes, or q = q₀ + U z with a few tens of shapes
//! made from key poses.
//!
//! - [`Basis`], [`DisplayBasis`]: U as a matrix over vertices, whatever it is made of;
//! - [`KeyBasis`]: the U of a motion through key poses;
//! - [`CubicForces`], [`ProjectedForces`], [`reduced_forces`]: the forces of a body in these coordinates;
//! - [`RigidMotion`], [`RigidPath`]: the motion of a body that floats, apart from its deformation.

mod basis;
mod cubic;
mod display;
mod key_basis;
pub(crate) mod orthonormal;
mod product;
mod projected;
mod rigid;

pub use basis::Basis;
pub use cubic::CubicForces;
pub use display::DisplayBasis;
pub use key_basis::{
    ArcReport, KeyBasis, KeyBasisError, KeyBasisReport, KeyBasisSettings, KeyPose, Origin, OriginReport,
    PoseOfBasis,
};
pub use projected::ProjectedForces;
pub use rigid::{RigidMotion, RigidPath, RigidState};

use crate::ElasticBody;
use std::sync::Arc;
use supple_model::{Cancelled, Progress, ReducedDynamics};

/// The forces of a body in a basis: polynomials where it has any, projections of the whole body otherwise.
///
/// # Errors
/// [`Cancelled`].
///
/// # Panics
/// When the basis is of another body.
pub fn reduced_forces(
    body: &Arc<ElasticBody>,
    basis: &KeyBasis,
    progress: &Progress,
) -> Result<Arc<dyn ReducedDynamics>, Cancelled> {
    Ok(match CubicForces::new(body, basis, progress)? {
        Some(cubic) => Arc::new(cubic),
        None => Arc::new(ProjectedForces::new(body.clone(), basis.clone())),
    })
}
