//! The motion of a body from that of its skin, found once and kept in the cache.
//!
//! An entry is the frames, then three numbers about each: the mean and the largest distance to the skin, and whether
//! it has settled. Its key is the body at rest, how the skin rides on it, and the points of all frames.

use super::stored::Stored;
use super::{InputMotion, MotionError, Moving};
use crate::body::{Body, RestMesh, Skin};
use crate::{Cache, CacheKey, KeyHasher, Kind};
use std::io;
use supple_elastic::{FollowSettings, Followed, Follower, WarpError, vertex_areas};
use supple_mesh::{Aabb, Vec3, displacement};
use supple_model::{Clock, Frame, FrameError, FrameSource, Progress};

const FIT: Kind = Kind::new("fit", 2);

/// Frames read and fitted at a time.
const FRAMES_AT_ONCE: usize = 32;

/// What finding the motion is called where it is told how far it is.
const STAGE: &str = "fitting the body";

/// A skin vertex whose carried point is farther off than this part of the size is outside of the body.
const OUTSIDE: f64 = 1e-6;

/// How well a body follows its skin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitSummary {
    /// The root of the mean squared distance of the body's skin to that of the file, over all frames; metres. What is
    /// left is kept as a detail of the skin.
    pub rms: f64,
    /// The largest such distance.
    pub max: f64,
    /// The frame it is at.
    pub frame: Frame,
    /// How many frames were still changing when the rounds ran out.
    pub unsettled: usize,
}

/// The motion of the body, from the cache or found and put there.
pub(super) fn open(
    mut skin: InputMotion,
    body: &Body,
    cache: &Cache,
    progress: &Progress,
) -> Result<InputMotion, MotionError> {
    let key = key(&mut skin, body, &progress.part(0.0, 0.1))?;
    let mut warnings = Vec::new();
    let (vertices, frames) = (body.positions().len(), skin.clock.frames);
    let look = |warnings: &mut Vec<_>| {
        let found = cache.get(FIT, &key).unwrap_or_else(|warning| {
            warnings.push(warning);
            None
        });
        let mut stored = Stored::open(found?, vertices, frames).ok().flatten()?;
        let about = stored.rest().and_then(|payload| payload.f64s(3 * frames)).ok()?;
        Some((stored, about))
    };
    let of_body = |skin: InputMotion, source: Box<dyn FrameSource>, about: &[f64]| InputMotion {
        fit: Some(FitSummary::of(about, &skin.clock)),
        of: Moving::Body,
        source,
        ..skin
    };
    if let Some((stored, about)) = look(&mut warnings) {
        let motion = of_body(skin, Box::new(stored), &about);
        return Ok(InputMotion { from_cache: true, warnings, ..motion });
    }
    let mut fitting = Fitting::new(body)?;
    let mut failure = None;
    let put = cache.put(FIT, &key, |payload| {
        Stored::begin(payload, vertices, frames)?;
        let mut about = Vec::with_capacity(3 * frames);
        let mut disk = None;
        let result = fitting.run(&mut skin, &progress.part(0.1, 1.0), |followed, positions| {
            about.extend(numbers(followed));
            payload.f64s(positions.as_flattened()).map_err(|error| {
                disk = Some(error);
                MotionError::from(FrameError(Box::new(io::Error::other("the cache"))))
            })
        });
        match (disk, result) {
            (Some(error), _) => Err(error),
            (None, Err(error)) => {
                let text = error.to_string();
                failure = Some(error);
                Err(io::Error::other(text))
            }
            (None, Ok(())) => payload.f64s(&about),
        }
    });
    if let Some(error) = failure {
        return Err(error);
    }
    if let Err(warning) = put {
        warnings.push(warning);
    } else if let Some((stored, about)) = look(&mut warnings) {
        return Ok(InputMotion { warnings, ..of_body(skin, Box::new(stored), &about) });
    }
    // No cache takes it: memory has to.
    let (mut kept, mut about) = (Vec::new(), Vec::new());
    fitting.run(&mut skin, &progress.part(0.1, 1.0), |followed, positions| {
        about.extend(numbers(followed));
        kept.push(positions.to_vec());
        Ok(())
    })?;
    Ok(InputMotion { warnings, ..of_body(skin, Box::new(kept), &about) })
}

fn numbers(followed: &Followed) -> [f64; 3] {
    [followed.skin_rms, followed.skin_max, f64::from(u8::from(followed.settled))]
}

impl FitSummary {
    fn of(about: &[f64], clock: &Clock) -> Self {
        let frames = about.as_chunks::<3>().0;
        let mut summary = Self { rms: 0.0, max: 0.0, frame: clock.start, unsettled: 0 };
        for (index, [rms, max, settled]) in frames.iter().enumerate() {
            summary.rms += rms * rms / frames.len() as f64;
            if *max > summary.max {
                (summary.max, summary.frame) = (*max, Frame(clock.number(index)));
            }
            summary.unsettled += usize::from(*settled == 0.0);
        }
        Self { rms: summary.rms.sqrt(), ..summary }
    }
}

/// A body on the way of its skin.
struct Fitting<'a> {
    body: &'a Body,
    skin: &'a Skin,
    follower: Follower,
}

impl<'a> Fitting<'a> {
    fn new(body: &'a Body) -> Result<Self, MotionError> {
        let skin = body.skin.as_ref().ok_or(MotionError::NoSkin)?;
        Ok(Self { body, skin, follower: follower(&body.rest, skin)? })
    }

    fn run(
        &mut self,
        input: &mut InputMotion,
        progress: &Progress,
        mut each: impl FnMut(&Followed, &[[f64; 3]]) -> Result<(), MotionError>,
    ) -> Result<(), MotionError> {
        let rest = self.skin.mesh.positions();
        let mut places = vec![[0.0; 3]; rest.len()];
        let frames = input.clock.frames;
        for first in (0..frames).step_by(FRAMES_AT_ONCE) {
            let end = frames.min(first + FRAMES_AT_ONCE);
            let part = progress.part(first as f64 / frames as f64, end as f64 / frames as f64);
            let mut targets = Vec::with_capacity(FRAMES_AT_ONCE);
            for index in first..end {
                part.report(STAGE, 0.0)?;
                input.read(index, &mut places)?;
                targets.push(displacement(&places, rest));
            }
            for followed in self.follower.follow(&targets, STAGE, &part)? {
                progress.check()?;
                each(&followed, &self.body.displaced(&followed.pose))?;
            }
        }
        Ok(())
    }
}

fn follower(rest: &RestMesh, skin: &Skin) -> Result<Follower, WarpError> {
    let (areas, settings) = (pulls(rest, skin), FollowSettings::default());
    match rest {
        RestMesh::Tets(mesh) => Follower::new(mesh, &skin.embedding, &areas, settings),
        RestMesh::Voxels(mesh) => Follower::new(mesh, &skin.embedding, &areas, settings),
        RestMesh::Triangles(mesh) => Follower::new(mesh, &skin.embedding, &areas, settings),
    }
}

/// How much every skin vertex pulls: by its area, and not at all where it is so far outside of a volume that another point
/// is carried in its place.
fn pulls(rest: &RestMesh, skin: &Skin) -> Vec<f64> {
    let areas = vertex_areas(&skin.mesh);
    if matches!(rest, RestMesh::Triangles(_)) {
        return areas;
    }
    let mut carried = vec![Vec3::zeros(); areas.len()];
    skin.embedding.apply(rest.positions(), &mut carried);
    let near = OUTSIDE * Aabb::around(skin.mesh.positions()).size().norm();
    let places = carried.iter().zip(skin.mesh.positions());
    let inside = places.zip(&areas).map(|((b, x), area)| if (b - x).norm() <= near { *area } else { 0.0 });
    let inside: Vec<f64> = inside.collect();
    if inside.iter().any(|area| *area > 0.0) { inside } else { areas }
}

fn key(input: &mut InputMotion, body: &Body, progress: &Progress) -> Result<CacheKey, MotionError> {
    let skin = body.skin.as_ref().ok_or(MotionError::NoSkin)?;
    let rows = || skin.embedding.rows();
    let settings = format!("{:?}", FollowSettings::default());
    let mut hasher = KeyHasher::new(FIT)
        .str("settings", &settings)
        .f64s("positions", body.positions().iter().flat_map(|p| p.data.0[0]))
        .u32s("surface", body.surface.iter().flatten().map(|v| v.0))
        .f64s("skin", skin.mesh.positions().iter().flat_map(|p| p.data.0[0]))
        .u32s("hosts", rows().flat_map(|(vertices, _)| vertices.iter().map(|v| v.0)).collect::<Vec<_>>());
    let mut places = vec![[0.0; 3]; input.vertices()];
    for index in 0..input.clock.frames {
        progress.report("reading frames", index as f64 / input.clock.frames as f64)?;
        input.read(index, &mut places)?;
        hasher = hasher.f64s("frame", places.as_flattened().iter().copied());
    }
    Ok(hasher.finish())
}
