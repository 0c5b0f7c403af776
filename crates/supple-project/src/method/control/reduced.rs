//! The forces of a body in a basis: polynomials, kept in the cache, where its law has them, else projected.

use crate::body::Body;
use crate::shot::Shot;
use crate::{Cache, KeyHasher, Kind};
use std::sync::Arc;
use supple_elastic::{CubicForces, KeyBasis, ProjectedForces};
use supple_model::{Cancelled, Progress, ReducedDynamics};

const CONTROL: Kind = Kind::new("control", 1);

/// The forces of a body in a basis. A cache that cannot be used only costs time.
pub(super) fn forces(
    shot: &Shot,
    body: &Body,
    basis: &KeyBasis,
    cache: &Cache,
    progress: &Progress,
) -> Result<Arc<dyn ReducedDynamics>, Cancelled> {
    if !CubicForces::fits(&body.elastic) {
        return Ok(Arc::new(ProjectedForces::new(body.elastic.clone(), basis.clone())));
    }
    let key = hashed(body.hashed(KeyHasher::new(CONTROL), shot), basis).finish();
    let r = basis.coordinates();
    if let Ok(Some(mut payload)) = cache.get(CONTROL, &key)
        && let Ok(count) = payload.u64()
        && let Ok(coefficients) = payload.f64s(usize::try_from(count).unwrap_or(0))
        && let Some(known) = CubicForces::from_coefficients(r, coefficients)
    {
        return Ok(Arc::new(known));
    }
    let Some(made) = CubicForces::new(&body.elastic, basis, progress)? else {
        return Ok(Arc::new(ProjectedForces::new(body.elastic.clone(), basis.clone())));
    };
    let _ = cache.put(CONTROL, &key, |payload| {
        payload.u64(made.coefficients().len() as u64)?;
        payload.f64s(made.coefficients())
    });
    Ok(Arc::new(made))
}

/// Adds q₀ and U.
pub(super) fn hashed(hasher: KeyHasher, basis: &KeyBasis) -> KeyHasher {
    let shapes = basis.basis().shapes();
    let columns: Vec<f64> =
        shapes.col_iter().flat_map(|column| column.iter().copied().collect::<Vec<_>>()).collect();
    hasher
        .f64s("start", basis.start().iter().copied())
        .u64("coordinates", basis.coordinates() as u64)
        .u32s("free", basis.basis().free().vertices().iter().map(|v| v.0))
        .f64s("shapes", columns)
}
