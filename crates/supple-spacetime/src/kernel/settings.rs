//! When an edit may happen: frames, time step, window, and what holds at the ends.

use super::{Energy, Oscillator, Reach, reach};
use crate::error::{FrameProblem, Quantity, SpacetimeError};
use supple_model::Instant;

/// What holds where the edit begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// Edit and velocity are zero at the first frame.
    #[default]
    Rest,
    /// They are zero half a frame later. A finite-difference scheme that holds two frames at zero does this;
    /// here for comparing with it.
    RestAtHalf,
    /// Anything, which needs a cost of positions; only at the motion's own first frame. Where it begins costs nothing
    /// by itself, so that fast modes, which are gone after a frame, are as good as any for a handle close to it.
    Free,
    /// Anything that forces make out of rest, long before the first frame, at their cost: needs damping or a cost of
    /// positions; only at the motion's own first frame.
    Arriving,
}

impl Start {
    /// Whether the first frame may be changed.
    pub(super) fn is_open(self) -> bool {
        matches!(self, Self::Free | Self::Arriving)
    }
}

/// What holds where the edit ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum End {
    /// Anything; only at the motion's own last frame.
    #[default]
    Free,
    /// Edit and velocity are zero at the last frame.
    Rest,
    /// They are zero half a frame earlier; see [`Start::RestAtHalf`].
    RestAtHalf,
}

/// What holds at the ends of an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// It has two of them.
    Open {
        /// The first.
        start: Start,
        /// The last.
        end: End,
    },
    /// It has none: frame `period` is frame 0 again.
    Loop {
        /// As many frames as the motion has, or one less if its last frame repeats the first.
        period: usize,
    },
}

impl Default for Ends {
    fn default() -> Self {
        Self::Open { start: Start::default(), end: End::default() }
    }
}

/// What brings slow modes home: least force alone lets them coast on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Home {
    /// Modes whose eigenvalue is at most this come home, 1/s².
    pub below: f64,
    /// What it costs them to be away, in place of what it costs the others.
    pub reach: Reach,
}

/// All that a kernel depends on beside the modes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// T, frames of the motion, counted from 0.
    pub frames: usize,
    /// Seconds of the body's own time per frame: an artistic choice, not 1/fps.
    pub dt: f64,
    /// The first and last frame of the edit; the whole motion if `None`. The edit is zero outside.
    pub window: Option<(usize, usize)>,
    /// What holds at its ends.
    pub ends: Ends,
    /// What an edit costs.
    pub energy: Energy,
    /// How far it reaches in time.
    pub reach: Reach,
    /// How far it reaches in space: mode k may move (λ₁/λ_k)^spread times as easily, λ₁ the first eigenvalue
    /// that is not 0. 0 is what the energy says, more is more global, less more local.
    pub spread: f64,
    /// What brings slow modes home; if `None` they go where the least force takes them.
    pub home: Option<Home>,
}

impl Settings {
    /// The energy of the forces, from rest at frame 0 to a free end.
    #[must_use]
    pub fn new(frames: usize, dt: f64) -> Self {
        Self {
            frames,
            dt,
            window: None,
            ends: Ends::default(),
            energy: Energy::default(),
            reach: Reach::default(),
            spread: 0.0,
            home: None,
        }
    }

    /// What it costs a mode to be away from the input.
    pub(super) fn reach_of(&self, mode: Oscillator) -> Reach {
        self.home.filter(|home| mode.eigenvalue <= home.below).map_or(self.reach, |home| home.reach)
    }

    /// Checks everything that does not depend on the modes; the first and last frame of the edit.
    pub(super) fn range(&self) -> Result<(usize, usize), SpacetimeError> {
        if !(self.dt.is_finite() && self.dt > 0.0) {
            return Err(SpacetimeError::BadNumber { quantity: Quantity::TimeStep, value: self.dt });
        }
        if !self.spread.is_finite() && !matches!(self.energy, Energy::Smooth { .. }) {
            return Err(SpacetimeError::BadNumber { quantity: Quantity::Spread, value: self.spread });
        }
        reach::check(self.energy, self.reach)?;
        if let Some(home) = self.home {
            reach::check(self.energy, home.reach)?;
        }
        match self.ends {
            Ends::Loop { period } => self.loop_range(period),
            Ends::Open { start, end } => self.open_range(start, end),
        }
    }

    fn loop_range(&self, period: usize) -> Result<(usize, usize), SpacetimeError> {
        if self.window.is_some() {
            return Err(SpacetimeError::WindowOfLoop);
        }
        if self.frames == 0 || period == 0 {
            return Err(SpacetimeError::TooShort { frames: self.frames.min(period) });
        }
        if period != self.frames && period + 1 != self.frames {
            return Err(SpacetimeError::BadLoop { period, frames: self.frames });
        }
        Ok((0, self.frames - 1))
    }

    fn open_range(&self, start: Start, end: End) -> Result<(usize, usize), SpacetimeError> {
        let frames = self.frames;
        let (first, last) = self.window.unwrap_or((0, frames.saturating_sub(1)));
        if first > last || last >= frames.max(1) {
            return Err(SpacetimeError::BadWindow { first, last, frames });
        }
        if start.is_open() && first != 0 {
            return Err(SpacetimeError::FreeInside { frame: first });
        }
        if end == End::Free && last + 1 != frames.max(1) {
            return Err(SpacetimeError::FreeInside { frame: last });
        }
        let held = usize::from(!start.is_open()) + usize::from(end != End::Free);
        let there = if frames == 0 { 0 } else { last - first + 1 };
        // Between two half frames of rest there must be some time.
        if there <= held { Err(SpacetimeError::TooShort { frames: there }) } else { Ok((first, last)) }
    }

    /// Whether a time is one of the motion: after the last frame of a loop there is the time until the first comes again.
    pub(super) fn covers(&self, at: Instant) -> bool {
        let (t, frames) = (at.frames(), self.frames as f64);
        match self.ends {
            Ends::Loop { .. } => t >= 0.0 && t < frames,
            Ends::Open { .. } => t >= 0.0 && t <= frames - 1.0,
        }
    }

    /// Whether the edit can be anything but zero at a time; `range` is that of [`Self::range`].
    pub(super) fn movable(&self, range: (usize, usize), at: Instant) -> Result<(), FrameProblem> {
        if !self.covers(at) {
            return Err(FrameProblem::Missing { frame: at, frames: self.frames });
        }
        let Ends::Open { start, end } = self.ends else { return Ok(()) };
        let ((first, last), t) = (range, at.frames());
        let (since, left) = (t - first as f64, last as f64 - t);
        if since < 0.0 || left < 0.0 {
            return Err(FrameProblem::OutsideWindow { frame: at, first, last });
        }
        let is_held = match start {
            Start::Rest => since == 0.0,
            Start::RestAtHalf => since <= 0.5,
            Start::Free | Start::Arriving => false,
        } || match end {
            End::Rest => left == 0.0,
            End::RestAtHalf => left <= 0.5,
            End::Free => false,
        };
        if is_held { Err(FrameProblem::AtRest { frame: at }) } else { Ok(()) }
    }
}
