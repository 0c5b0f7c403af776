//! Where the vertices that a handle names are in the input.

use super::{InputMotion, MotionError, Moving};
use crate::Cache;
use crate::body::{Body, Skin};
use crate::shot::Shot;
use supple_mesh::{Vec3, displacement};
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
    let (first, last) = input.clock.span();
    let index = input.clock.index(frame).ok_or(MotionError::NoFrame { frame, first, last })?;
    let mut places = vec![[0.0; 3]; input.vertices()];
    input.read(index, &mut places)?;
    match (&body.skin, input.of) {
        (Some(skin), Moving::Body) => Ok(skin.on_body(body.positions(), &places)),
        _ => Ok(places),
    }
}

impl Skin {
    /// Where the skin is when the vertices of its body are at `positions`. It goes by displacements, so that a body at
    /// rest leaves its skin where it is to the last bit.
    pub(crate) fn on_body(&self, rest: &[Vec3], positions: &[[f64; 3]]) -> Vec<[f64; 3]> {
        let mut places = vec![Vec3::zeros(); self.mesh.positions().len()];
        self.follow(&displacement(positions, rest), &mut places);
        places.into_iter().map(Into::into).collect()
    }
}
