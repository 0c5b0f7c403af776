//! When an edit may happen and what it costs: the shot's words, as the kernel of spacetime knows them.
//!
//! | in the shot, `feel = "smooth"` | in the kernel |
//! |---|---|
//! | `reach = N`, one second where nothing is said | a pull has faded to 5 % after N frames |
//! | `spread` | the variances of the modes, see [`super::feel`] |
//! | no `ends` | free at the ends of the motion, clamped at those of a window inside |
//!
//! | in the shot, `feel = "lively"` | in the kernel |
//! |---|---|
//! | `seconds_per_frame`, `damping` | see [`crate::method::time`] |
//! | `expert.fade = N` | ε = (N h)⁻⁴: what is not stiff dies away over about N frames |
//! | `expert.space = s` | mode k moves (λ₁/λ_k)ˢ times as easily |
//! | `expert.wiggle_free = w` | the energy ½∫z̈² + wλ₁λz² |
//! | no `ends` | clamped at the start; free at the end of the motion, but what hardly swings comes home |
//!
//! What hardly swings are modes slower than two lengths of the motion, rigid ones among them. Least force alone would
//! let them coast on; only a written `end = "free"` lets them go.
//!
//! A start that is free costs the forces that bring the body there, from rest long before. It, and a loop of a body that
//! can drift, need ε > 0; where the shot says nothing they get that of the motion's whole length.

use super::EditError;
use crate::method::time::{self, first_stiff};
use crate::shot::{self, Feel, SecondsPerFrame, Shot};
use std::f64::consts::PI;
use std::ops::{Deref, RangeInclusive};
use supple_model::{Clock, Frame};
use supple_spacetime::{End, Ends, Energy, Home, Reach, Settings, Start};

/// Over how many seconds what hardly swings comes home: 5 % are left after one.
const HOME: f64 = 1.0 / 2.93;

/// When the frames of a motion are, for the playback and for the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Time {
    pub clock: Clock,
    /// h, physical seconds per frame.
    pub dt: f64,
}

impl Deref for Time {
    type Target = Clock;

    fn deref(&self) -> &Clock {
        &self.clock
    }
}

impl Time {
    /// Seconds of the body's own time in a second of the playback.
    pub fn pace(&self) -> f64 {
        self.clock.fps * self.dt
    }
}

/// h of a shot. A smooth edit knows no other time than that of the playback.
pub(super) fn seconds_per_frame(shot: &Shot, eigenvalues: &[f64], fps: f64) -> f64 {
    match shot.edit.feel {
        Feel::Smooth => 1.0 / fps,
        Feel::Lively => time::seconds_per_frame(shot.motion.seconds_per_frame, eigenvalues, fps),
    }
}

/// The reach of a smooth edit in frames: no more than the motion has.
pub(super) fn reach(edit: &shot::Edit, time: &Time) -> f64 {
    edit.reach.map_or(time.fps, |reach| reach.0).min(time.frames.max(1) as f64)
}

/// What of a shot has no effect, or another one than written.
pub(super) fn notes(shot: &Shot, time: &Time) -> Vec<String> {
    let edit = &shot.edit;
    let mut notes = Vec::new();
    if edit.feel == Feel::Lively {
        if edit.reach.is_some() || edit.spread.is_some() {
            notes.push(
                "`reach` and `spread` have no effect on a lively edit; use the keys of [edit.expert]"
                    .to_owned(),
            );
        }
        return notes;
    }
    if let Some(shot::Reach(frames)) = edit.reach.filter(|reach| reach.0 > time.frames as f64) {
        let length = time.frames;
        notes.push(format!("`reach = {frames}` is longer than the motion; using {length} frames"));
    }
    let mut idle = Vec::new();
    idle.extend(edit.damping.map(|_| "`damping`".to_owned()));
    if shot.motion.seconds_per_frame != SecondsPerFrame::Auto {
        idle.push("`seconds_per_frame`".to_owned());
    }
    idle.extend(edit.expert().lively().map(|key| format!("`{key}` of [edit.expert]")));
    if !idle.is_empty() {
        let (have, them) = if idle.len() > 1 { ("have", "them") } else { ("has", "it") };
        let idle = idle.join(" and ");
        notes
            .push(format!("{idle} {have} no effect on a smooth edit; set `feel = \"lively\"` to use {them}"));
    }
    notes
}

/// The kernel's settings. `closes` says whether the last frame of the input repeats the first.
pub(super) fn settings(
    edit: &shot::Edit,
    time: &Time,
    eigenvalues: &[f64],
    closes: bool,
) -> Result<Settings, EditError> {
    let window = edit.window.as_ref().map(|window| inside(window, time)).transpose()?;
    let ends = ends(edit, time, window, closes)?;
    let settings = Settings { window, ends, ..Settings::new(time.frames, time.dt) };
    Ok(match edit.feel {
        Feel::Smooth => Settings { energy: Energy::Smooth { reach: reach(edit, time) }, ..settings },
        Feel::Lively => lively(edit, time, eigenvalues, settings),
    })
}

fn lively(edit: &shot::Edit, time: &Time, eigenvalues: &[f64], settings: Settings) -> Settings {
    let drifts = eigenvalues.first().is_some_and(|lambda| *lambda == 0.0);
    let needs_hold = match settings.ends {
        Ends::Loop { .. } => drifts,
        Ends::Open { start, .. } => start == Start::Arriving,
    };
    let expert = edit.expert();
    let cost = |frames: f64| Reach { position: (frames * time.dt).powi(-4), velocity: 0.0 };
    let frames = expert.fade.or(needs_hold.then_some(time.frames as f64));
    let lambda = first_stiff(eigenvalues).unwrap_or(1.0);
    let lets_go = matches!(edit.ends, shot::Ends::Apart { end: Some(_), .. } | shot::Ends::Loop);
    let slowest = (PI / (time.frames.max(1) as f64 * time.dt)).powi(2);
    let home = Home { below: slowest, reach: cost(HOME * time.fps) };
    Settings {
        energy: match expert.wiggle_free {
            None => Energy::Force,
            Some(weight) => Energy::WiggleFree { smoothness: weight * lambda },
        },
        reach: frames.map_or(Reach::default(), cost),
        spread: expert.space.unwrap_or(0.0),
        home: (!lets_go && frames.is_none()).then_some(home),
        ..settings
    }
}

/// A range of scene frames as places in the motion.
fn inside(window: &RangeInclusive<i32>, time: &Time) -> Result<(usize, usize), EditError> {
    let (first, last) = time.span();
    match (time.index(Frame(*window.start())), time.index(Frame(*window.end()))) {
        (Some(from), Some(to)) => Ok((from, to)),
        _ => Err(EditError::Window { window: window.clone(), first, last }),
    }
}

fn ends(
    edit: &shot::Edit,
    time: &Time,
    window: Option<(usize, usize)>,
    closes: bool,
) -> Result<Ends, EditError> {
    let shot::Ends::Apart { start, end } = edit.ends else {
        if edit.window.is_some() {
            return Err(EditError::WindowOfLoop);
        }
        return Ok(Ends::Loop { period: time.frames - usize::from(closes && time.frames > 1) });
    };
    let (from, to) = window.unwrap_or((0, time.frames.saturating_sub(1)));
    let ends_there = to + 1 >= time.frames;
    if start == Some(shot::End::Free) && from > 0 {
        return Err(EditError::FreeInside {
            end: "start",
            frame: time.number(from),
            of_motion: time.number(0),
        });
    }
    if end == Some(shot::End::Free) && !ends_there {
        let of_motion = time.span().1;
        return Err(EditError::FreeInside { end: "end", frame: time.number(to), of_motion });
    }
    let is_free = end.map_or(ends_there, |end| end == shot::End::Free);
    let begins_free = start.map_or(edit.feel == Feel::Smooth && from == 0, |start| start == shot::End::Free);
    Ok(Ends::Open {
        start: if begins_free { Start::Arriving } else { Start::Rest },
        end: if is_free { End::Free } else { End::Rest },
    })
}
