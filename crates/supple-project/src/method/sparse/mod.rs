//! A motion from a few partial keys (Schulz, von Tycowicz, Seidel and Hildebrandt 2014).
//!
//! ```text
//! segments of the shot, or all of it as one       → stretches, each with its anchors and modes   [stretch, ground]
//! the state before, where keys sent the anchors   → placement, z, ż, what is left and fades      [entry, placement, fit]
//! handles, poses                                  → parts of keys, seen from the rest shape      [asked, part]
//! parts                                           → costs with derivatives                       [goal, linear]
//! costs, loads, ends                              → the least costly motion of that stretch      [solving]
//! that motion                                     → places at any time, the state after          [piece]
//! one after the other                             → the chain: frames, report                    [chain, report]
//! what is asked in a window                       → solved from the changed segment on           [keying]
//! what is asked, for the eye                      → parts at their targets, arrows, dots          [moments]
//! ```
//!
//! In flight the centre of mass falls, and all else is about it (`flight`).

#![expect(non_snake_case, reason = "matrices keep their capital letters")]

mod asked;
mod chain;
mod entry;
mod error;
mod figure;
mod fit;
mod flight;
mod goal;
mod ground;
mod keying;
mod linear;
mod moments;
mod part;
mod piece;
mod placement;
mod report;
mod setup;
mod solving;
mod stretch;
#[cfg(test)]
mod tests;

pub(crate) use chain::nominal_frames;
pub use chain::nominal_lengths;
pub use error::SparseError;
pub(super) use ground::Grounds;
pub(crate) use ground::center_at_rest;
pub(super) use keying::open as open_live;
pub(crate) use stretch::held;

use crate::body::Body;
use crate::contacts::Contacts;
use crate::method::drag::{HandleKey, HandleMark};
use crate::method::error::EditError;
use crate::method::{About, EditedFrame, KeyMoment, Keyed, Method, Report, Side, WholeKey};
use crate::motion::Moving;
use crate::shot::Shot;
use crate::subject::Subject;
use crate::{Cache, CacheWarning};
use chain::Chain;
use part::Asker;
use setup::Setup;
use std::sync::Arc;
use stretch::Stretch;
use supple_mesh::Vec3;
use supple_model::{Clock, Progress};

/// A motion that is made of keys.
pub struct SparseMethod {
    subject: Arc<dyn Subject>,
    setup: Setup,
    stretches: Vec<Stretch>,
    /// What was found; none before that.
    chain: Option<Arc<Chain>>,
    /// How long it is taken to be before that.
    nominal: Clock,
    /// Frames per second that are asked for, where they are not those of the shot.
    fps: Option<f64>,
    contacts: Contacts,
    notes: Vec<String>,
    warnings: Vec<CacheWarning>,
}

impl SparseMethod {
    /// Prepares the modes of all segments of a shot.
    ///
    /// # Errors
    /// Names the part of the shot to blame.
    pub fn open(shot: &Shot, body: Arc<Body>, cache: &Cache, progress: &Progress) -> Result<Self, EditError> {
        let mut grounds = Grounds::default();
        let stretches = stretch::stretches(shot, &body, &mut grounds, cache, progress)?;
        let first = stretches.first().map_or(&[][..], |first| &first.ground.eigenvalues);
        let setup = Setup::new(shot, body.clone(), first)?;
        for (index, stretch) in stretches.iter().enumerate() {
            solving::check(&setup, stretch, index > 0)?;
        }
        let nominal = Clock { frames: nominal_frames(shot, setup.center), ..setup.clock };
        Ok(Self {
            subject: body,
            setup,
            stretches,
            chain: None,
            nominal,
            fps: None,
            contacts: Contacts::default(),
            notes: notes(shot),
            warnings: grounds.warnings,
        })
    }

    fn body(&self) -> &Body {
        &self.setup.body
    }

    /// The motion, found now if it was not.
    fn found(&mut self, progress: &Progress) -> Result<Arc<Chain>, EditError> {
        if let Some(chain) = &self.chain {
            return Ok(chain.clone());
        }
        let chain = Arc::new(Chain::solve(&self.setup, &self.stretches, (None, None), progress)?);
        self.chain = Some(chain.clone());
        Ok(chain)
    }

    /// When its frames are: over the same seconds, whatever their rate.
    fn clock(&self) -> Clock {
        let (own, length) = match &self.chain {
            Some(chain) => (chain.clock, chain.length),
            None => (self.nominal, self.nominal.frames as f64 - 1.0),
        };
        match self.fps {
            None => own,
            Some(fps) => Clock { fps, frames: (length / own.fps * fps + 1e-9).floor() as usize + 1, ..own },
        }
    }

    /// The time of a frame, in frames of the shot from the first.
    fn time(&self, index: usize) -> f64 {
        index as f64 * self.frame_step()
    }

    /// Frames of the shot from one frame to the next.
    fn frame_step(&self) -> f64 {
        self.fps.map_or(1.0, |fps| self.nominal.fps / fps)
    }

    /// Where the vertices are in a frame, found or at rest.
    fn places(&self, index: usize) -> Vec<Vec3> {
        match &self.chain {
            Some(chain) => chain.positions(self.time(index)),
            None => self.body().positions().to_vec(),
        }
    }
}

/// What of a shot has no effect.
fn notes(shot: &Shot) -> Vec<String> {
    let has_gravity = shot.edit.gravity.is_some_and(|gravity| gravity != [0.0; 3]);
    let is_idle = shot.edit.weight == Some(true) && !has_gravity;
    is_idle.then(|| "`weight` has no effect without `gravity` in [edit]".to_owned()).into_iter().collect()
}

impl Method for SparseMethod {
    fn about(&self) -> About<'_> {
        About {
            subject: &self.subject,
            moving: Moving::Body,
            rest: self.body().positions(),
            clock: self.clock(),
            seconds_per_frame: self.setup.dt * self.frame_step(),
            size: self.setup.size,
            modes: self.stretches.iter().map(|stretch| stretch.ground.eigenvalues.len()).max().unwrap_or(0),
            contacts: &self.contacts,
            notes: &self.notes,
            warnings: &self.warnings,
        }
    }

    fn frame(&self, side: Side, index: usize, positions: &mut [[f64; 3]]) {
        let places = match side {
            Side::Input => self.body().positions().to_vec(),
            Side::Output => self.places(index),
        };
        positions.iter_mut().zip(places).for_each(|(out, place)| *out = place.into());
    }

    fn settle(&mut self, progress: &Progress) -> Result<(), EditError> {
        self.found(progress).map(drop)
    }

    fn solve(
        &mut self,
        progress: &Progress,
        each: &mut dyn FnMut(&EditedFrame<'_>) -> Result<(), EditError>,
    ) -> Result<Report, EditError> {
        let chain = self.found(&progress.part(0.0, 0.6))?;
        progress.check()?;
        let mut told = report::Watching::new(&self.setup);
        let input = vec![0.0; 3 * self.body().positions().len()];
        let (writing, frames) = (progress.part(0.6, 1.0), self.clock().frames);
        for index in 0..frames {
            writing.report("making frames", index as f64 / frames as f64)?;
            let (time, places) = (self.time(index), self.places(index));
            told.see(time, &places);
            let positions: Vec<[f64; 3]> = places.iter().map(|place| (*place).into()).collect();
            each(&EditedFrame { index, input: &input, positions: &positions })?;
        }
        Ok(told.report(&self.setup, &chain))
    }

    fn keyed(&mut self) -> Option<&mut dyn Keyed> {
        Some(self)
    }

    fn marks(&self, index: usize) -> Vec<HandleMark> {
        let Some(chain) = &self.chain else { return Vec::new() };
        let (piece, at) = chain.piece_at(self.time(index));
        let mark = |(asker, at, asked)| match asker {
            Asker::Handle(number) => Some(HandleMark { key: HandleKey(number), at, asked }),
            Asker::Pose(_) => None,
        };
        piece.marks(at).into_iter().filter_map(mark).collect()
    }

    fn key_moments(&self) -> Vec<KeyMoment> {
        let moments = |chain: &Arc<Chain>| moments::moments(&self.setup, &self.stretches, chain);
        self.chain.as_ref().map(moments).unwrap_or_default()
    }
}

impl Keyed for SparseMethod {
    fn resample(&mut self, fps: f64) {
        self.fps = Some(fps);
    }

    fn keys(&self) -> Vec<WholeKey> {
        self.chain.as_ref().map_or_else(Vec::new, |chain| chain.keys(&self.setup))
    }
}
