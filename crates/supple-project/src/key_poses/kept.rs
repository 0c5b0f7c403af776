//! Poses that take long to find, kept in the cache: those under loads and pins, and bodies fitted to a skin.

use super::KeyPoseProblem;
use crate::body::Body;
use crate::shot::{Load, Pin, Push, Shot};
use crate::{Cache, CacheKey, KeyHasher, Kind};

const POSE: Kind = Kind::new("pose", 1);

/// A pose from the cache, three numbers per vertex, or made now and put there. A cache that cannot be used only costs time.
pub(super) fn kept(
    cache: Option<&Cache>,
    key: impl FnOnce() -> Result<CacheKey, KeyPoseProblem>,
    vertices: usize,
    make: impl FnOnce() -> Result<Vec<f64>, KeyPoseProblem>,
) -> Result<Vec<f64>, KeyPoseProblem> {
    let Some(cache) = cache else { return make() };
    let key = key()?;
    if let Ok(Some(mut payload)) = cache.get(POSE, &key)
        && let Ok(pose) = payload.f64s(3 * vertices)
    {
        return Ok(pose);
    }
    let pose = make()?;
    let _ = cache.put(POSE, &key, |payload| payload.f64s(&pose));
    Ok(pose)
}

/// What a pose under loads and pins depends on.
pub(super) fn of_loads(
    shot: &Shot,
    body: &Body,
    loads: &[Load],
    pins: &[Pin],
) -> Result<CacheKey, KeyPoseProblem> {
    let mut hasher = body
        .hashed(KeyHasher::new(POSE), shot)
        .str("loads", &format!("{loads:?}"))
        .str("pins", &format!("{pins:?}"));
    for load in loads {
        if let Push::Track(path) = &load.push {
            let table = supple_formats::load_track(shot.resolve(path))?;
            hasher = hasher.str("track", &format!("{table:?}"));
        }
    }
    Ok(hasher.finish())
}

/// What a body under a skin depends on.
pub(super) fn of_skin(shot: &Shot, body: &Body, skin: &[[f64; 3]]) -> CacheKey {
    let places = skin.as_flattened().iter().copied();
    body.hashed(KeyHasher::new(POSE), shot).f64s("skin places", places).finish()
}
