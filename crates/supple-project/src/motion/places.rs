//! Where the vertices that a handle names are in the input.

use super::detail::carried;
use super::{InputMotion, MotionError, Moving};
use crate::Cache;
use crate::body::Body;
use crate::shot::Shot;
use supple_mesh::Vec3;
use supple_model::{Frame, Progress};

/// Where the vertices that a handle's `vertex` counts are at a frame of the input: those of the skin where the body
/// has one, those of the body otherwise.
///
/// # Errors
/// An input that cannot be read, a frame it does not have.
pub fn handle_places(
    shot: &Shot,
    body: &Body,
    frame: Frame,
    cache: &Cache,
    progress: &Progress,
) -> Result<Vec<[f64; 3]>, MotionError> {
    // Of a body that follows its skin, the skin is known without it.
    let mut input = match shot.motion.is_fitted() {
        true => InputMotion::of_file(shot, body)?,
        false => InputMotion::open(shot, body, cache, progress)?,
    };
    let (first, last) = (input.start.0, input.start.0.saturating_add_unsigned(input.frames as u32 - 1));
    let index = input.index(frame).ok_or(MotionError::NoFrame { frame, first, last })?;
    let mut places = vec![[0.0; 3]; input.vertices()];
    input.read(index, &mut places)?;
    match (&body.skin, input.of) {
        (Some(skin), Moving::Body) => {
            let moved = places.iter().zip(body.positions());
            let u: Vec<f64> = moved.flat_map(|(p, x)| <[f64; 3]>::from(Vec3::from(*p) - x)).collect();
            let skin_places = skin.mesh.positions().iter().zip(carried(skin, &u));
            Ok(skin_places.map(|(x, u)| (x + u).into()).collect())
        }
        _ => Ok(places),
    }
}
