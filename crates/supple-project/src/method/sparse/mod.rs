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
//! what is asked in a window                       → solved from the changed segment on           [live]
//! what is asked, for the eye                      → parts at their targets, arrows, dots          [moments]
//! ```
//!
//! In flight the centre of mass falls, and all else is about it ([`flight`]).

#![expect(non_snake_case, reason = "matrices keep their capital letters")]

mod asked;
mod chain;
mod entry;
mod error;
mod fit;
mod flight;
mod goal;
mod ground;
mod linear;
mod live;
mod moments;
mod part;
mod piece;
mod placement;
mod report;
mod scene;
mod solving;
mod stretch;
#[cfg(test)]
mod tests;

pub use chain::nominal_lengths;
pub use error::SparseError;
pub(super) use ground::Grounds;
pub(super) use live::open as open_live;

use crate::body::Body;
use crate::contacts::Contacts;
use crate::method::drag::{HandleKey, HandleMark};
use crate::method::error::EditError;
use crate::method::{About, EditedFrame, KeyMoment, Method, Report, Side};
use crate::motion::Moving;
use crate::shot::Shot;
use crate::subject::Subject;
use crate::{Cache, CacheWarning};
use chain::Chain;
use part::Asker;
use scene::Scene;
use std::sync::Arc;
use stretch::Stretch;
use supple_mesh::Vec3;
use supple_model::{Clock, Progress};

/// A motion that is made of keys.
pub struct SparseMethod {
    subject: Arc<dyn Subject>,
    scene: Scene,
    stretches: Vec<Stretch>,
    /// What was found; none before that.
    chain: Option<Arc<Chain>>,
    /// How long it is taken to be before that.
    nominal: Clock,
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
        let scene = Scene::new(shot, body.clone(), first)?;
        for (index, stretch) in stretches.iter().enumerate() {
            solving::check(&scene, stretch, index > 0)?;
        }
        let mut nominal = scene.clock;
        if !shot.edit.segments.is_empty() {
            let length: f64 = nominal_lengths(shot, scene.center).iter().sum();
            nominal.frames = (length - 1e-9).ceil() as usize + 1;
        }
        Ok(Self {
            subject: body,
            scene,
            stretches,
            chain: None,
            nominal,
            contacts: Contacts::default(),
            notes: Vec::new(),
            warnings: grounds.warnings,
        })
    }

    fn body(&self) -> &Body {
        &self.scene.body
    }

    /// Where the vertices are at a time of the scene, found or at rest.
    fn places(&self, index: usize) -> Vec<Vec3> {
        match &self.chain {
            Some(chain) => chain.positions(index as f64),
            None => self.body().positions().to_vec(),
        }
    }
}

impl Method for SparseMethod {
    fn about(&self) -> About<'_> {
        About {
            subject: &self.subject,
            moving: Moving::Body,
            rest: self.body().positions(),
            clock: self.chain.as_ref().map_or(self.nominal, |chain| chain.clock),
            seconds_per_frame: self.scene.dt,
            size: self.scene.size,
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
        if self.chain.is_none() {
            self.chain = Some(Arc::new(Chain::solve(&self.scene, &self.stretches, (None, None), progress)?));
        }
        Ok(())
    }

    fn solve(
        &mut self,
        progress: &Progress,
        each: &mut dyn FnMut(&EditedFrame<'_>) -> Result<(), EditError>,
    ) -> Result<Report, EditError> {
        progress.check()?;
        let known = self.chain.clone();
        let chain = match known {
            Some(chain) => chain,
            None => {
                Arc::new(Chain::solve(&self.scene, &self.stretches, (None, None), &progress.part(0.0, 0.6))?)
            }
        };
        let mut told = report::Watching::new(&self.scene);
        let input = vec![0.0; 3 * self.body().positions().len()];
        let writing = progress.part(0.6, 1.0);
        for index in 0..chain.clock.frames {
            writing.report("making frames", index as f64 / chain.clock.frames as f64)?;
            let places = chain.positions(index as f64);
            told.see(index, &places);
            let positions: Vec<[f64; 3]> = places.iter().map(|place| (*place).into()).collect();
            each(&EditedFrame { index, input: &input, positions: &positions })?;
        }
        let report = told.report(&self.scene, &chain);
        self.chain = Some(chain);
        Ok(report)
    }

    fn marks(&self, index: usize) -> Vec<HandleMark> {
        let Some(chain) = &self.chain else { return Vec::new() };
        let (piece, at) = chain.piece_at(index as f64);
        let mark = |(asker, at, asked)| match asker {
            Asker::Handle(number) => Some(HandleMark { key: HandleKey(number), at, asked }),
            Asker::Pose(_) => None,
        };
        piece.marks(at).into_iter().filter_map(mark).collect()
    }

    fn keys(&self) -> Vec<KeyMoment> {
        let moments = |chain: &Arc<Chain>| moments::moments(&self.scene, &self.stretches, chain);
        self.chain.as_ref().map(moments).unwrap_or_default()
    }
}
