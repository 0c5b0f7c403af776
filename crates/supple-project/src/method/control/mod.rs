//! A body that meets key poses with the least force (Barbič, da Silva and Popović 2009).
//!
//! ```text
//! segments of the shot, or all of it as one          → stretches, each with its anchors and poses      [stretch]
//! start, recorded shapes, a path that is scripted     → what all of them share                          [setup]
//! poses                                              → seconds per frame (Eq. 10)                      [timing]
//! the state before                                   → displacement and velocity, or rigid and own     [entry]
//! poses, tangents, modes                             → a basis, and the forces of the body in it       [basis, reduced]
//! poses in the basis, damping, weight                → the problem, solved; a guess of balanced arcs   [piece, arcs]
//! z, the rigid motion                                → places at any time                              [moves]
//! one after the other                                → the chain: frames, forces, report       [chain, forces, report]
//! forces from a file, loads                          → the motion they make                            [replay]
//! what is asked in a window                          → solved from the changed segment on              [steering]
//! a hand that pushes while it plays                  → the motion, simulated and held                      [pushed]
//! ```
//!
//! A spline through the poses is known for comparison (`spline`), and how both keep the volume (`volume`). The first part
//! can be gone through step by step, to be timed (`part`).

#![expect(non_snake_case, reason = "matrices keep their capital letters")]

mod arcs;
mod basis;
mod chain;
mod entry;
mod error;
mod forces;
mod moves;
mod part;
mod piece;
mod prepare;
mod pushed;
mod reduced;
mod replay;
mod report;
mod setup;
mod spline;
mod steering;
mod stretch;
mod timing;
mod volume;

pub use error::{ControlError, ForcesProblem};
pub use part::{ControlPart, Optimised, solve_all};
pub use prepare::{Prepared, prepare};
pub use replay::{Replayed, replay};
pub(super) use steering::open as open_live;

use crate::body::Body;
use crate::contacts::Contacts;
use crate::method::drag::HandleMark;
use crate::method::error::EditError;
use crate::method::{About, Asked, EditedFrame, KeyMoment, Keyed, Method, Report, Side, WholeKey};
use crate::motion::Moving;
use crate::shot::{At, Shot, When};
use crate::subject::Subject;
use crate::{Cache, CacheWarning};
use chain::Chain;
use nalgebra::Vector3;
use setup::Setup;
use spline::Spline;
use std::path::Path;
use std::sync::Arc;
use stretch::Stretch;
use supple_model::{Clock, Progress, VertexId};

/// A motion through key poses.
pub struct ControlMethod {
    subject: Arc<dyn Subject>,
    setup: Setup,
    stretches: Vec<Stretch>,
    /// What was found; none before that.
    chain: Option<Arc<Chain>>,
    /// Frames per second that are asked for, where they are not those of the shot.
    fps: Option<f64>,
    contacts: Contacts,
    notes: Vec<String>,
    warnings: Vec<CacheWarning>,
}

impl ControlMethod {
    /// Finds the poses of a shot.
    ///
    /// # Errors
    /// Names the part of the shot to blame.
    pub fn open(shot: &Shot, body: Arc<Body>, cache: &Cache, progress: &Progress) -> Result<Self, EditError> {
        let setup = Setup::new(shot, &body, cache, &progress.part(0.0, 0.2))?;
        let stretches = stretch::stretches(shot, &body, cache, &progress.part(0.2, 1.0))?;
        if let Some(empty) = stretches.iter().find(|stretch| stretch.poses.is_empty()) {
            return Err(ControlError::NoPose { segment: empty.segment }.into());
        }
        Ok(Self {
            subject: body,
            setup,
            stretches,
            chain: None,
            fps: None,
            contacts: Contacts::default(),
            notes: notes(shot),
            warnings: Vec::new(),
        })
    }

    /// The motion, found now if it was not.
    fn found(&mut self, progress: &Progress) -> Result<Arc<Chain>, EditError> {
        if let Some(chain) = &self.chain {
            return Ok(chain.clone());
        }
        let chain = Arc::new(Chain::solve(&self.setup, &self.stretches, None, progress, &mut |_| {})?);
        self.chain = Some(chain.clone());
        Ok(chain)
    }

    /// When its frames are: over the same seconds, whatever their rate.
    fn clock(&self) -> Clock {
        let own = chain::clock(&self.setup, &self.stretches);
        match self.fps {
            None => own,
            Some(fps) => {
                let seconds = (own.frames as f64 - 1.0) / own.fps;
                Clock { fps, frames: (seconds * fps + 1e-9).floor() as usize + 1, ..own }
            }
        }
    }

    /// Frames of the shot from one frame to the next.
    fn frame_step(&self) -> f64 {
        self.fps.map_or(1.0, |fps| self.setup.clock.fps / fps)
    }

    /// How far the vertices are from rest in a frame, found or at rest.
    fn displacement(&self, index: usize) -> Vec<f64> {
        match &self.chain {
            Some(chain) => chain.shown.displacement(index as f64 * self.frame_step()),
            None => vec![0.0; 3 * self.setup.body.positions().len()],
        }
    }
}

/// What of a shot has no effect.
fn notes(shot: &Shot) -> Vec<String> {
    let has_gravity = shot.edit.gravity.is_some_and(|gravity| gravity != [0.0; 3]);
    let weighs = shot.edit.weight == Some(true);
    let mut notes = Vec::new();
    if weighs && !has_gravity {
        notes.push("`weight` has no effect without `gravity` in [edit]".to_owned());
    }
    if has_gravity && !weighs {
        notes.push("`gravity` has no effect without `weight = true` in [edit]".to_owned());
    }
    notes
}

impl Method for ControlMethod {
    fn about(&self) -> About<'_> {
        let seconds = self.chain.as_ref().map_or(0.0, |chain| chain.timing.mean);
        let basis = |chain: &Arc<Chain>| {
            chain.pieces.iter().map(|piece| piece.ready.basis.coordinates()).max().unwrap_or(0)
        };
        About {
            subject: &self.subject,
            moving: Moving::Body,
            rest: self.setup.body.positions(),
            clock: self.clock(),
            seconds_per_frame: seconds * self.frame_step(),
            size: self.setup.size,
            modes: self.chain.as_ref().map_or(0, basis),
            contacts: &self.contacts,
            notes: &self.notes,
            warnings: &self.warnings,
        }
    }

    fn frame(&self, side: Side, index: usize, positions: &mut [[f64; 3]]) {
        let u = match side {
            Side::Input => vec![0.0; 3 * positions.len()],
            Side::Output => self.displacement(index),
        };
        let places = self.setup.body.displaced(&u);
        positions.copy_from_slice(&places);
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
        let mut told = report::Watching::new(&self.setup, &chain);
        let input = vec![0.0; 3 * self.setup.body.positions().len()];
        let (writing, frames) = (progress.part(0.6, 1.0), self.clock().frames);
        for index in 0..frames {
            writing.report("making frames", index as f64 / frames as f64)?;
            let u = self.displacement(index);
            if self.fps.is_none() {
                told.see(index, &u);
            }
            let positions = self.setup.body.displaced(&u);
            each(&EditedFrame { index, input: &input, positions: &positions })?;
        }
        // At another rate, what is told is still that of the shot's own frames.
        for index in (0..chain.shown.clock.frames).filter(|_| self.fps.is_some()) {
            told.see(index, &chain.shown.displacement(index as f64));
        }
        Ok(told.report(&chain))
    }

    fn keyed(&mut self) -> Option<&mut dyn Keyed> {
        Some(self)
    }

    fn write_forces(&self, path: &Path) -> Option<Result<(), EditError>> {
        self.chain.as_ref().map(|chain| forces::write(path, &self.setup, chain))
    }

    fn spline(&self, index: usize) -> Option<Vec<[f64; 3]>> {
        let chain = self.chain.as_ref()?;
        let u = Spline::through(chain).displacement(index as f64 * self.frame_step());
        Some(self.setup.body.displaced(&u))
    }

    fn marks(&self, _: usize) -> Vec<HandleMark> {
        Vec::new()
    }

    fn key_moments(&self) -> Vec<KeyMoment> {
        let Some(chain) = &self.chain else { return Vec::new() };
        let body = &self.setup.body;
        let moment = |(piece, frame): (&piece::Piece, usize)| {
            let there = piece.moves.displacement(frame as f64);
            let poses = piece.ready.stretch.poses.iter().filter(|(at, _)| *at == frame);
            let asked = poses.map(|(_, pose)| {
                let places = body.displaced(&piece.asked(pose, frame, &there));
                let all: Vec<VertexId>;
                let vertices = match &pose.vertices {
                    Some(vertices) => vertices,
                    None => {
                        all = (0..places.len()).map(VertexId::new).collect();
                        &all
                    }
                };
                Asked::Places(vertices.iter().map(|v| (*v, Vector3::from(places[v.index()]))).collect())
            });
            KeyMoment {
                time: f64::from(chain.shown.clock.number(piece.ready.begin + frame)),
                segment: piece.ready.stretch.segment,
                asked: asked.collect(),
                positions: body.displaced(&there),
            }
        };
        keys(chain).map(moment).collect()
    }
}

/// The frames of all poses, with the part they are in and counted from where it begins; each once.
fn keys(chain: &Chain) -> impl Iterator<Item = (&piece::Piece, usize)> {
    chain.pieces.iter().flat_map(|piece| {
        let mut frames: Vec<usize> = piece.ready.stretch.poses.iter().map(|(frame, _)| *frame).collect();
        frames.dedup();
        frames.into_iter().map(move |frame| (piece.as_ref(), frame))
    })
}

impl Keyed for ControlMethod {
    fn resample(&mut self, fps: f64) {
        self.fps = Some(fps);
    }

    fn keys(&self) -> Vec<WholeKey> {
        let Some(chain) = &self.chain else { return Vec::new() };
        let pace = self.setup.clock.fps * chain.timing.mean;
        let key = |(piece, frame): (&piece::Piece, usize)| {
            let segment = piece.ready.stretch.segment;
            let time = f64::from(chain.shown.clock.number(piece.ready.begin + frame));
            let when = match segment {
                Some(_) if frame == piece.moves.frames() => When::At(At::End),
                Some(_) => When::At(At::Frames(frame as f64)),
                None => When::at_time(time),
            };
            let velocities = piece.moves.velocity(frame);
            WholeKey {
                segment,
                when,
                time,
                positions: self.setup.body.displaced(&piece.moves.displacement(frame as f64)),
                velocities: velocities
                    .chunks_exact(3)
                    .map(|v| [v[0] * pace, v[1] * pace, v[2] * pace])
                    .collect(),
            }
        };
        keys(chain).map(key).collect()
    }
}
