//! The reduced warp that a material is chosen over: few shapes and few elements stand for the whole warp, so that where a
//! handle is costs microseconds. Kept by content; made from the modes and the input alone, whatever is asked of them.
//!
//! Where it misses more than 3 % of the changes it was not made for, the whole warp is read instead, and that is said.

use super::ground::Ground;
use crate::body::Body;
use crate::method::drag::Levels;
use crate::method::error::EditError;
use crate::method::report::{CUBATURE_BY_PLACE, Curve};
use crate::shot::Shot;
use crate::{Cache, CacheKey, KeyHasher, Kind, Payload};
use faer::Mat;
use serde::Serialize;
use std::io;
use std::sync::Arc;
use std::time::Instant;
use supple_elastic::{
    Basis, Cubature, CubatureError, ReducedBasis, ReducedError, ReducedSettings, ReducedWarp, WarpedMotion,
};
use supple_model::{Progress, text::number};

const REDUCED: Kind = Kind::new("reduced", 1);

/// The reduced warp of a shot.
#[derive(Clone, Debug)]
pub(super) struct Reduced {
    pub warp: Arc<ReducedWarp>,
    /// How many elements are looked at.
    pub elements: usize,
    from_cache: bool,
    seconds: f64,
}

/// A reduced warp: what `supple prepare --json` prints as `material`.
#[derive(Clone, Debug, Serialize)]
pub struct Prepared {
    /// Modes whose edits it is for.
    pub modes: usize,
    /// Shapes that changes are made of.
    pub basis: usize,
    /// Elements that are looked at.
    pub elements: usize,
    /// What it misses of the changes it was made for, root of the mean square.
    pub cubature_error: f64,
    /// What it misses of others.
    pub held_out: f64,
    /// Whether the material is chosen over it; otherwise over the whole warp, because it misses more than 3 %.
    pub is_close: bool,
    /// How the error fell: after each element.
    pub curve: Vec<PreparedError>,
    /// Whether it was read, not computed.
    pub from_cache: bool,
    /// How long it took.
    pub seconds: f64,
}

/// Makes the reduced warp of a shot, or finds it in the cache; none of a body whose shape no edit changes.
///
/// # Errors
/// Names the part of the shot to blame.
pub fn prepare(
    shot: &Shot,
    body: Arc<Body>,
    cache: &Cache,
    progress: &Progress,
) -> Result<Option<Prepared>, EditError> {
    let mut bare = shot.clone();
    bare.edit.handles.clear();
    bare.edit.poses.clear();
    let ground = Ground::new(&bare, body, &mut Levels::default(), cache, &progress.part(0.0, 0.4))?;
    Ok(ground.reduced(&progress.part(0.4, 1.0))?.map(Reduced::told))
}

/// What so many places miss.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PreparedError {
    /// Places that are looked at: one in a tet or a triangle, up to eight in a voxel.
    pub places: usize,
    /// Over the changes they were chosen for.
    pub training: f64,
    /// Over others.
    pub held_out: f64,
}

impl Reduced {
    /// That of a shot, from the cache or computed and put there; none of a body whose shape no edit changes. A cache that
    /// cannot be used only costs time.
    pub fn of(ground: &Ground, cache: &Cache, progress: &Progress) -> Result<Option<Self>, EditError> {
        let start = Instant::now();
        let (moved, frames) = (&ground.prepared.moved, &ground.prepared.frames);
        let motion = WarpedMotion::new(moved.warp.clone(), ground.basis.clone(), frames.to_vec());
        let settings = ReducedSettings::default();
        let key = key(ground, &settings);
        let known =
            cache.get(REDUCED, &key).ok().flatten().and_then(|payload| read(payload, &ground.basis).ok());
        let made = |basis, cubature| {
            ReducedWarp::new(moved.warp.clone(), &ground.basis, basis, cubature).map(Arc::new)
        };
        let known = known.and_then(|(basis, cubature)| made(basis, cubature).ok());
        let from_cache = known.is_some();
        let warp = match known {
            Some(warp) => warp,
            None => {
                let weights = &moved.figure.weights;
                match ReducedWarp::of_motion(&motion, &ground.eigenvalues, weights, &settings, progress) {
                    Ok(warp) => Arc::new(warp),
                    Err(ReducedError::Cancelled(cancelled)) => return Err(cancelled.into()),
                    Err(_) => return Ok(None),
                }
            }
        };
        if !from_cache {
            let _ = cache.put(REDUCED, &key, |payload| write(&warp, payload));
        }
        let elements = warp.cubature().elements(&moved.warp).len();
        Ok(Some(Self { warp, elements, from_cache, seconds: start.elapsed().as_secs_f64() }))
    }

    /// What it misses of changes it was not made for.
    pub fn error(&self) -> f64 {
        self.warp.cubature().held_out()
    }

    /// Why it is not read; none where it is.
    pub fn note(&self) -> Option<String> {
        (!self.warp.cubature().is_close()).then(|| {
            format!(
                "few elements stand for the body to {} % only; the material is chosen over all of them, which takes longer",
                number(100.0 * self.error())
            )
        })
    }

    /// What it misses of other changes, after each place that was chosen.
    pub fn curve(&self) -> Curve {
        let values = self.warp.cubature().curve.iter().map(|error| error.held_out).collect();
        Curve { key: CUBATURE_BY_PLACE, title: "Error by element", unit: "", values }
    }

    /// What is told of it.
    pub fn told(&self) -> Prepared {
        let cubature = self.warp.cubature();
        let error = |error: &CubatureError| PreparedError {
            places: error.places,
            training: error.training,
            held_out: error.held_out,
        };
        Prepared {
            modes: self.warp.modes(),
            basis: self.warp.basis().size(),
            elements: self.elements,
            cubature_error: cubature.error(),
            held_out: cubature.held_out(),
            is_close: cubature.is_close(),
            curve: cubature.curve.iter().map(error).collect(),
            from_cache: self.from_cache,
            seconds: self.seconds,
        }
    }
}

fn key(ground: &Ground, settings: &ReducedSettings) -> CacheKey {
    let (figure, basis) = (&ground.prepared.moved.figure, &ground.basis);
    let columns: Vec<f64> =
        basis.shapes().col_iter().flat_map(|column| column.iter().copied().collect::<Vec<_>>()).collect();
    let inputs = ground.prepared.input.displacements.iter().flatten().copied();
    ground
        .body
        .hashed(KeyHasher::new(REDUCED), &ground.shot)
        .str("settings", &format!("{settings:?}"))
        .f64s("figure", figure.positions.iter().flat_map(|p| p.data.0[0]))
        .f64s("weights", figure.weights.iter().copied())
        .u32s("free", figure.free.vertices().iter().map(|v| v.0))
        .f64s("eigenvalues", relative(&ground.eigenvalues))
        .f64s("shapes", columns)
        .f64s("input", inputs)
        .finish()
}

/// Eigenvalues as parts of the last: how stiff the body is as a whole does not matter.
fn relative(eigenvalues: &[f64]) -> Vec<f64> {
    let last = eigenvalues.last().copied().filter(|last| *last > 0.0).unwrap_or(1.0);
    eigenvalues.iter().map(|value| value / last).collect()
}

fn write(warp: &ReducedWarp, payload: &mut crate::PayloadWriter<'_>) -> io::Result<()> {
    let (basis, cubature) = (warp.basis(), warp.cubature());
    let count = |payload: &mut crate::PayloadWriter<'_>, count: usize| payload.u64(count as u64);
    count(payload, basis.size())?;
    payload.f64s(basis.stiffness())?;
    for column in basis.shapes().shapes().col_iter() {
        payload.f64s(&column.iter().copied().collect::<Vec<f64>>())?;
    }
    count(payload, cubature.places.len())?;
    cubature.places.iter().try_for_each(|place| count(payload, *place))?;
    payload.f64s(&cubature.weights)?;
    count(payload, cubature.curve.len())?;
    cubature.curve.iter().try_for_each(|error| {
        count(payload, error.places)?;
        payload.f64s(&[error.training, error.held_out])
    })
}

/// An entry. Its hash was checked; what is left to guard against is an entry that means something else.
fn read(mut payload: Payload, modes: &Basis) -> io::Result<(ReducedBasis, Cubature)> {
    fn count(payload: &mut Payload) -> io::Result<usize> {
        usize::try_from(payload.u64()?).map_err(io::Error::other)
    }
    let size = count(&mut payload)?;
    let stiffness = payload.f64s(size)?;
    let rows = 3 * modes.free().vertices().len();
    let mut shapes = Mat::zeros(rows, size);
    for k in 0..size {
        shapes.col_as_slice_mut(k).copy_from_slice(&payload.f64s(rows)?);
    }
    let basis = ReducedBasis::from_parts(Basis::new(shapes, modes.free().clone()), stiffness);
    let places = count(&mut payload)?;
    let places: Vec<usize> = (0..places).map(|_| count(&mut payload)).collect::<io::Result<_>>()?;
    let weights = payload.f64s(places.len())?;
    let errors = count(&mut payload)?;
    let error = |_| {
        let places = count(&mut payload)?;
        let [training, held_out] = *payload.f64s(2)?.first_chunk().ok_or(io::ErrorKind::InvalidData)?;
        Ok(CubatureError { places, training, held_out })
    };
    let curve = (0..errors).map(error).collect::<io::Result<_>>()?;
    Ok((basis, Cubature { places, weights, curve }))
}
