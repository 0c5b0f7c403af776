//! When an edit may happen and what it costs: the shot's words, as the kernel of spacetime knows them.
//!
//! | in the shot | in the kernel |
//! |---|---|
//! | `seconds_per_frame = "auto"` | h = 2π / (24 √λ₁): the first mode that is not rigid swings once in 24 frames |
//! | no `damping` | β = 0.5 · 2h/π, α = 0: modes as fast as the frames are half critically damped |
//! | `reach.frames = N` | ε = (N h)⁻⁴: what is not stiff dies away over about N frames |
//! | `reach.space = s` | mode k moves (λ₁/λ_k)ˢ times as easily |
//! | `wiggle_free = w` | the energy ½∫z̈² + wλ₁λz² |
//!
//! A start that is free costs the forces that bring the body there, from rest long before. It, and a loop of a body that
//! can drift, need ε > 0; where the shot says nothing they get that of the motion's whole length.

use super::EditError;
use crate::shot::{self, SecondsPerFrame, Shot};
use std::f64::consts::{PI, TAU};
use std::ops::RangeInclusive;
use supple_model::Frame;
use supple_spacetime::{End, Ends, Energy, Oscillator, Reach, Settings, Start};

/// Frames in which the first mode swings once, if the time between frames is chosen for it.
const SWING: f64 = 24.0;
/// The default damping, as a part of that which damps modes at the frames' own rate critically.
const LIVELINESS: f64 = 0.5;

/// When the frames of a motion are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Clock {
    /// The scene's number of the first.
    pub start: Frame,
    /// How many there are.
    pub frames: usize,
    /// Frames per second of the playback.
    pub fps: f64,
    /// h, physical seconds per frame.
    pub dt: f64,
}

impl Clock {
    /// The scene's number of a frame.
    pub fn number(&self, index: usize) -> i32 {
        self.start.0.saturating_add(i32::try_from(index).unwrap_or(i32::MAX))
    }

    /// The place of a frame in the motion; `None` outside of it.
    pub fn index(&self, frame: i32) -> Option<usize> {
        let index = i64::from(frame) - i64::from(self.start.0);
        usize::try_from(index).ok().filter(|index| *index < self.frames)
    }

    /// The scene's numbers of the first and the last frame.
    pub fn span(&self) -> (i32, i32) {
        (self.start.0, self.number(self.frames.saturating_sub(1)))
    }

    /// Seconds of the body's own time in a second of the playback.
    pub fn pace(&self) -> f64 {
        self.fps * self.dt
    }
}

/// λ₁: the first eigenvalue that is not 0.
pub(super) fn first_stiff(eigenvalues: &[f64]) -> Option<f64> {
    eigenvalues.iter().copied().find(|lambda| *lambda > 0.0)
}

/// h of a shot.
pub(super) fn seconds_per_frame(shot: &Shot, eigenvalues: &[f64], fps: f64) -> f64 {
    match shot.motion.seconds_per_frame {
        SecondsPerFrame::Seconds(seconds) => seconds,
        SecondsPerFrame::Auto => {
            first_stiff(eigenvalues).map_or(1.0 / fps, |lambda| TAU / (SWING * lambda.sqrt()))
        }
    }
}

/// λ and δ of every mode.
pub(super) fn oscillators(edit: &shot::Edit, eigenvalues: &[f64], dt: f64) -> Vec<Oscillator> {
    let default = shot::Damping { mass: 0.0, stiffness: LIVELINESS * 2.0 * dt / PI };
    let damping = edit.damping.unwrap_or(default);
    let delta = |lambda: f64| 0.5 * (damping.mass + damping.stiffness * lambda);
    eigenvalues.iter().map(|&eigenvalue| Oscillator { eigenvalue, delta: delta(eigenvalue) }).collect()
}

/// The kernel's settings. `closes` says whether the last frame of the input repeats the first.
pub(super) fn settings(
    edit: &shot::Edit,
    clock: &Clock,
    eigenvalues: &[f64],
    closes: bool,
) -> Result<Settings, EditError> {
    let lambda = first_stiff(eigenvalues).unwrap_or(1.0);
    let window = edit.window.as_ref().map(|window| inside(window, clock)).transpose()?;
    let ends = ends(edit, clock, window, closes)?;
    let drifts = eigenvalues.first().is_some_and(|lambda| *lambda == 0.0);
    let needs_hold = match ends {
        Ends::Loop { .. } => drifts,
        Ends::Open { start, .. } => start == Start::Arriving,
    };
    let spoken = edit.reach.unwrap_or_default();
    let frames = spoken.frames.or(needs_hold.then_some(clock.frames as f64));
    let energy = match edit.wiggle_free {
        None => Energy::Force,
        Some(weight) => Energy::WiggleFree { smoothness: weight * lambda },
    };
    Ok(Settings {
        window,
        ends,
        energy,
        reach: Reach { position: frames.map_or(0.0, |n| (n * clock.dt).powi(-4)), velocity: 0.0 },
        spread: spoken.space,
        ..Settings::new(clock.frames, clock.dt)
    })
}

/// A range of scene frames as places in the motion.
fn inside(window: &RangeInclusive<i32>, clock: &Clock) -> Result<(usize, usize), EditError> {
    let (first, last) = clock.span();
    match (clock.index(*window.start()), clock.index(*window.end())) {
        (Some(from), Some(to)) => Ok((from, to)),
        _ => Err(EditError::Window { window: window.clone(), first, last }),
    }
}

fn ends(
    edit: &shot::Edit,
    clock: &Clock,
    window: Option<(usize, usize)>,
    closes: bool,
) -> Result<Ends, EditError> {
    let shot::Ends::Apart { start, end } = edit.ends else {
        if edit.window.is_some() {
            return Err(EditError::WindowOfLoop);
        }
        return Ok(Ends::Loop { period: clock.frames - usize::from(closes && clock.frames > 1) });
    };
    let (from, to) = window.unwrap_or((0, clock.frames.saturating_sub(1)));
    let ends_there = to + 1 >= clock.frames;
    if start == Some(shot::End::Free) && from > 0 {
        return Err(EditError::FreeInside {
            end: "start",
            frame: clock.number(from),
            of_motion: clock.number(0),
        });
    }
    if end == Some(shot::End::Free) && !ends_there {
        let of_motion = clock.span().1;
        return Err(EditError::FreeInside { end: "end", frame: clock.number(to), of_motion });
    }
    let is_free = end.map_or(ends_there, |end| end == shot::End::Free);
    Ok(Ends::Open {
        start: if start == Some(shot::End::Free) { Start::Arriving } else { Start::Rest },
        end: if is_free { End::Free } else { End::Rest },
    })
}
