//! What a controlled motion needs before it is solved, put into the cache: poses, modes, the forces of its first basis.

use super::chain::beginning;
use super::piece::Ready;
use super::setup::Setup;
use super::stretch::stretches;
use crate::Cache;
use crate::body::Body;
use crate::method::error::EditError;
use crate::shot::Shot;
use serde::Serialize;
use std::sync::Arc;
use supple_model::Progress;

/// What was prepared for a controlled motion.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Prepared {
    /// Poses.
    pub poses: usize,
    /// Segments; 1 without any.
    pub segments: usize,
    /// Shapes of the first basis. Those of later segments depend on how the ones before end.
    pub basis: usize,
    /// Seconds of physical time per frame.
    pub seconds_per_frame: f64,
}

/// Prepares all of a shot that can be before it is solved.
///
/// # Errors
/// Names the part of the shot to blame.
pub fn prepare(
    shot: &Shot,
    body: &Arc<Body>,
    cache: &Cache,
    progress: &Progress,
) -> Result<Prepared, EditError> {
    let setup = Setup::new(shot, body, cache, &progress.part(0.0, 0.2))?;
    let all = stretches(shot, body, cache, &progress.part(0.2, 0.6))?;
    let (entry, own, timing) = beginning(&setup, &all, &progress.part(0.6, 0.7))?;
    let poses = all.iter().map(|stretch| stretch.poses.len()).sum();
    let first = own
        .first()
        .map(|stretch| Ready::new(&setup, stretch, timing, (&entry, stretch.lead), &progress.part(0.7, 1.0)));
    let basis = first.transpose()?.map_or(0, |ready| ready.basis.coordinates());
    Ok(Prepared { poses, segments: own.len(), basis, seconds_per_frame: timing.mean })
}
