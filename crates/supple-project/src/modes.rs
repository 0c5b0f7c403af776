//! Modes of a shot's body, computed once and kept in the cache.
//!
//! The key is the content the modes depend on: stiffness, masses and positions of the free vertices. The
//! stiffness is that of the body at rest, or the one that smooth edits are made with. How many modes were computed is not part of it: an entry with more than asked for serves,
//! one with fewer is replaced.

use crate::body::Body;
use crate::motion::MotionError;
use crate::shot::Feel;
use crate::{Cache, CacheKey, CacheWarning, KeyHasher, Kind, Payload};
use faer::Mat;
use std::io;
use supple_elastic::{BlockMatrix, Certificate, EigenError, FreeVertices, Modes};
use supple_formats::check_memory;
use supple_model::Progress;

const MODES: Kind = Kind::new("modes", 1);

/// Modes, and how they were come by.
#[derive(Debug)]
pub struct PreparedModes {
    /// The modes.
    pub modes: Modes,
    /// Whether they were read, not computed.
    pub from_cache: bool,
    /// What was wrong with the cache on the way, if anything; the modes are right all the same.
    pub warnings: Vec<CacheWarning>,
}

/// Checks that `count` modes of a body fit into this machine: as they are found, as they are kept, and as edits read them.
///
/// # Errors
/// With the sum, when they do not.
pub fn check_modes(body: &Body, count: usize) -> Result<(), MotionError> {
    let vertices = body.positions().len();
    // More than there are is an error of its own.
    let count = count.min(3 * vertices);
    check_memory(count as u64, 72 * vertices as u64, || format!("{count} modes of {vertices} vertices"))
        .map_err(|problem| MotionError::Memory { problem, way_out: "lower `modes` in [edit]" })
}

/// The lowest `count` modes of `body`, from the cache or computed and put there.
///
/// # Errors
/// Those of [`supple_elastic::ElasticBody::modes`]; a cache that cannot be used is only a warning.
pub fn prepare_modes(
    body: &Body,
    count: usize,
    cache: &Cache,
    progress: &Progress,
) -> Result<PreparedModes, EigenError> {
    prepare_modes_of(body, &body.free, Feel::Lively, count, cache, progress)
}

/// The modes that edits of `feel` are made of, for the part of a body whose vertices are `free`, all others being held
/// where they are: those it vibrates in, or those of its editing stiffness.
///
/// # Errors
/// As [`prepare_modes`].
pub fn prepare_modes_of(
    body: &Body,
    free: &FreeVertices,
    feel: Feel,
    count: usize,
    cache: &Cache,
    progress: &Progress,
) -> Result<PreparedModes, EigenError> {
    progress.check()?;
    let own = match feel {
        Feel::Lively if *free == body.free => None,
        Feel::Lively => Some(body.stiffness_of(free)),
        Feel::Smooth => Some(body.elastic.editing_stiffness(free)),
    };
    progress.check()?;
    let stiffness = own.as_ref().unwrap_or_else(|| body.stiffness());
    let key = key(body, free, stiffness);
    let mut warnings = Vec::new();
    let found = cache.get(MODES, &key).unwrap_or_else(|warning| {
        warnings.push(warning);
        None
    });
    if let Some(modes) = found.and_then(|payload| read(payload, free, count).ok().flatten()) {
        return Ok(PreparedModes { modes, from_cache: true, warnings });
    }
    progress.check()?;
    let modes = body.elastic.modes_of(stiffness, free, count, progress)?;
    if let Err(warning) = cache.put(MODES, &key, |payload| {
        let certificate = modes.certificate();
        payload.u64(modes.count() as u64)?;
        payload.f64s(&[certificate.orthonormality, certificate.count_shift])?;
        payload.u64(certificate.found as u64)?;
        payload.f64s(modes.eigenvalues())?;
        payload.f64s(&certificate.residuals)?;
        (0..modes.count()).try_for_each(|k| payload.f64s(modes.shape(k)))
    }) {
        warnings.push(warning);
    }
    Ok(PreparedModes { modes, from_cache: false, warnings })
}

fn key(body: &Body, free: &FreeVertices, stiffness: &BlockMatrix) -> CacheKey {
    let elastic = &body.elastic;
    let free = free.vertices();
    let coordinates = free.iter().flat_map(|v| body.positions()[v.index()].data.0[0]);
    let pattern = stiffness.pattern();
    let couplings = (0..pattern.block_rows()).flat_map(|j| pattern.rows(j));
    KeyHasher::new(MODES)
        .f64s("positions", coordinates)
        .f64s("masses", free.iter().map(|v| elastic.masses()[v.index()]))
        .u32s("couplings", couplings.map(|&i| i as u32))
        .f64s("stiffness", stiffness.values().iter().copied())
        .finish()
}

/// The first `count` modes of an entry, `None` when it has fewer. The entry's hash was checked; what is
/// left to guard against is an entry that means something else.
fn read(mut payload: Payload, free: &FreeVertices, count: usize) -> io::Result<Option<Modes>> {
    let stored = usize::try_from(payload.u64()?).unwrap_or(0);
    if stored < count || count == 0 {
        return Ok(None);
    }
    let numbers = payload.f64s(2)?;
    let counted = usize::try_from(payload.u64()?).unwrap_or(0);
    let mut eigenvalues = payload.f64s(stored)?;
    let mut residuals = payload.f64s(stored)?;
    eigenvalues.truncate(count);
    residuals.truncate(count);
    let rows = 3 * free.vertices().len();
    let mut shapes = Mat::zeros(rows, count);
    for k in 0..count {
        shapes.col_as_slice_mut(k).copy_from_slice(&payload.f64s(rows)?);
    }
    let certificate = Certificate {
        residuals,
        orthonormality: numbers[0],
        count_shift: numbers[1],
        found: counted,
        counted,
    };
    Ok(Modes::from_parts(eigenvalues, shapes, free.clone(), certificate))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::ASSEMBLED;
    use crate::motion::InputMotion;
    use crate::shot::{Input, Shot};
    use crate::{Body, Sample};

    /// A simulated input and its modes each assembled the stiffness, to look whether they were in the cache.
    #[test]
    fn the_stiffness_of_a_body_is_assembled_once() {
        let folder = tempfile::tempdir().unwrap();
        let file = Sample::named("beam").unwrap().write(folder.path()).unwrap();
        let mut shot = Shot::load(&file).unwrap();
        (shot.motion.input, shot.motion.frames) = (Input::Simulate, Some(2));
        let (cache, progress) = (Cache::of_shot(&file), Progress::silent());
        let mut of = Vec::new();
        for _ in 0..2 {
            // Nothing is in the cache, then all of it.
            let body = Body::load(&shot).unwrap();
            ASSEMBLED.set(0);
            let motion = InputMotion::open(&shot, &body, &cache, &progress).unwrap();
            let modes = prepare_modes(&body, 5, &cache, &progress).unwrap();
            of.push((motion.from_cache, modes.from_cache, ASSEMBLED.get()));
        }
        assert_eq!(of, [(false, false, 1), (true, true, 1)]);
        let body = Body::load(&shot).unwrap();
        let part = FreeVertices::except(body.positions().len(), &[body.free.vertices()[0]]).unwrap();
        ASSEMBLED.set(0);
        prepare_modes_of(&body, &part, Feel::Lively, 5, &cache, &progress).unwrap();
        prepare_modes(&body, 5, &cache, &progress).unwrap();
        assert_eq!(ASSEMBLED.get(), 2, "other vertices, another stiffness");
    }
}
