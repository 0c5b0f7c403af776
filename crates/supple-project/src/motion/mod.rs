//! The input motion of a shot: from a file, from a simulation kept in the cache, or the body at rest.
//!
//! A file moves the body, or its skin. Frames of the skin are edited as they are, or carried to the body: read off where every
//! vertex of the body has one of the skin on it ([`direct`]), [`fitted`] otherwise. What the body cannot hold is kept as a
//! detail of the skin ([`detail`]). On the way back whatever an edit leaves alone is the file's own, to the bit ([`original`]).
//!
//! Frames are read one at a time; nothing here holds a motion whole, except where no cache can.

mod detail;
mod direct;
mod error;
mod fitted;
mod original;
mod partial_simulation;
mod places;
mod rest;
mod simulated;
mod stored;
mod surface;

pub use detail::Detail;
pub(crate) use detail::PointDetail;
pub use error::MotionError;
pub use fitted::FitSummary;
pub(crate) use original::{Original, displaced, displacement_over};
pub use places::handle_places;
pub(crate) use surface::surface_at;

use crate::body::{Body, OtherBody};
use crate::shot::{Input, Motion, Shot};
use crate::source::frames_of;
use crate::{Cache, CacheWarning};
use rest::AtRest;
use supple_model::{Clock, Contact, Frame, FrameError, FrameSource, Progress};

/// The frames of a shot before any edit.
pub struct InputMotion {
    /// The frames, counted from 0.
    source: Box<dyn FrameSource>,
    /// When they are.
    pub clock: Clock,
    /// What moves.
    pub of: Moving,
    /// What touches something, as far as it was recorded.
    pub contacts: Vec<Contact>,
    /// Whether a simulation or a fit was read rather than computed.
    pub from_cache: bool,
    /// How well the body follows its skin, where it was fitted to it.
    pub fit: Option<FitSummary>,
    /// What was wrong with the cache on the way, if anything.
    pub warnings: Vec<CacheWarning>,
}

/// What the points of a motion are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moving {
    /// The vertices of the body.
    Body,
    /// The vertices of its skin.
    Skin,
}

impl InputMotion {
    /// The input motion of a shot. A simulation is computed and put into the cache unless it is there.
    ///
    /// # Errors
    /// A file that cannot be read or is of another body, more frames asked for than there are, a
    /// simulation that fails; a cache that cannot be used is only a warning.
    pub fn open(shot: &Shot, body: &Body, cache: &Cache, progress: &Progress) -> Result<Self, MotionError> {
        Self::open_watched(shot, body, cache, progress, &mut |_| {})
    }

    /// [`Self::open`], with something to look at where that takes long: frames of a simulation as they come, or of the
    /// skin a body is fitted to.
    ///
    /// # Errors
    /// As there.
    pub fn open_watched(
        shot: &Shot,
        body: &Body,
        cache: &Cache,
        progress: &Progress,
        watch: &mut dyn FnMut(Self),
    ) -> Result<Self, MotionError> {
        match &shot.motion.input {
            Input::Rest => Ok(Self::of_body(shot, Box::new(AtRest::of(body, shot)))),
            Input::Simulate => simulated::open(shot, body, cache, progress, watch),
            Input::File(_) => {
                let motion = Self::of_file(shot, body)?;
                if (motion.of, shot.motion.is_fitted()) != (Moving::Skin, true) {
                    return Ok(motion);
                }
                if let Some(sources) = direct::sources(body) {
                    return Ok(direct::read_off(motion, sources));
                }
                watch(Self::of_file(shot, body)?);
                fitted::open(motion, body, cache, progress)
            }
        }
    }

    /// A motion that begins where the shot says.
    fn of_body(shot: &Shot, source: Box<dyn FrameSource>) -> Self {
        Self {
            clock: Clock { frames: source.frames(), ..shot.motion.clock() },
            of: Moving::Body,
            contacts: Vec::new(),
            from_cache: false,
            fit: None,
            warnings: Vec::new(),
            source,
        }
    }

    fn of_file(shot: &Shot, body: &Body) -> Result<Self, MotionError> {
        let (file, source, start, fps) = frames_of(shot)?.ok_or(MotionError::NoFile)?;
        let (vertices, available) = (source.vertices(), source.frames());
        let of_skin = body.skin.as_ref().map(|skin| skin.mesh.positions().len());
        let of = match vertices {
            count if Some(count) == of_skin && shot.motion.is_fitted() => Moving::Skin,
            count if count == body.positions().len() => Moving::Body,
            count if Some(count) == of_skin => Moving::Skin,
            found => {
                let body = body.positions().len();
                return Err(OtherBody { file, found, body, skin: of_skin }.into());
            }
        };
        let frames = shot.motion.frames.unwrap_or(available);
        if frames > available {
            return Err(MotionError::TooFewFrames { file, found: available, asked: frames });
        }
        let given = shot.motion.start.map(Frame);
        let clock = Clock {
            start: given.or(start.filter(|start| Motion::is_start(start.0))).unwrap_or(Frame(Motion::START)),
            frames,
            fps: shot.motion.fps.or(fps).unwrap_or(Motion::FPS),
        };
        Ok(Self { clock, of, ..Self::of_body(shot, Box::new(source)) })
    }

    /// How many points each frame has.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.source.vertices()
    }

    /// Overwrites `positions` with the points of the frame at `index`, counted from 0.
    ///
    /// # Errors
    /// When it cannot be read.
    ///
    /// # Panics
    /// When there is no such frame, or `positions` has not [`Self::vertices`] entries.
    pub fn read(&mut self, index: usize, positions: &mut [[f64; 3]]) -> Result<(), FrameError> {
        assert!(index < self.clock.frames, "frame {index} of {}", self.clock.frames);
        self.source.read(index, positions)
    }
}

impl std::fmt::Debug for InputMotion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("InputMotion")
            .field("clock", &self.clock)
            .field("vertices", &self.vertices())
            .finish_non_exhaustive()
    }
}
