//! A motion that is pushed while it goes on, and finds back to itself: the reduced body, simulated frame by frame under the
//! forces of the motion, the feedback that holds it, and the push.
//!
//! > w = w_e + G δ + G₋ δ₋ + Uᵀ f,   f = k s,   k = 3 / tr(W (K − G − G₋)⁻¹ Wᵀ)
//!
//! s is how far the point is drawn; K and the rows W of the point are those of where it is taken, G and G₋ the tracker's, so that
//! the body, held as it is, gives way by about s once it rests.

use super::chain::Chain;
use super::entry::Entry;
use super::error::ControlError;
use super::piece::{Piece, named};
use crate::body::Body;
use crate::method::error::EditError;
use crate::method::live::Shove;
use crate::shot::Site;
use crate::site::Points;
use nalgebra::{Cholesky, DMatrix};
use std::sync::Arc;
use supple_model::{Progress, VertexId};
use supple_spacetime::{ControlSimulation, TrackSettings, Tracker};

/// How much of a push is tried.
const SHARES: [f64; 4] = [1.0, 0.5, 0.25, 0.1];

/// A motion that goes on while it is pushed.
pub(super) struct Pushed {
    chain: Arc<Chain>,
    body: Arc<Body>,
    /// The frame it is in, counted from 0.
    frame: usize,
    /// The part that frame is in, and the body in it.
    part: usize,
    simulation: ControlSimulation,
    /// What holds each part, as far as it was needed.
    trackers: Vec<Option<Tracker>>,
    taken: Option<Taken>,
}

/// A point that is pushed.
struct Taken {
    vertex: u32,
    points: Points,
    /// k, newtons per metre.
    firmness: f64,
}

impl Pushed {
    /// A motion from a frame on, counted from 0.
    pub fn begin(chain: &Arc<Chain>, body: &Arc<Body>, frame: usize) -> Self {
        let (part, simulation) = at(chain, frame);
        let (chain, body, trackers) = (chain.clone(), body.clone(), vec![None; chain.pieces.len()]);
        Self { chain, body, frame, part, simulation, trackers, taken: None }
    }

    /// Goes back to the motion in a frame, as if nothing had been pushed.
    pub fn rewind(&mut self, frame: usize) {
        (self.part, self.simulation) = at(&self.chain, frame);
        (self.frame, self.taken) = (frame, None);
    }

    /// The frame it is in, counted from 0.
    pub fn frame(&self) -> usize {
        self.frame
    }

    /// Goes on to a frame under a push; how far vertices are from rest then, three numbers each.
    pub fn go_on(&mut self, frame: usize, shove: Option<&Shove>) -> Result<Vec<f64>, EditError> {
        while self.frame < frame {
            self.step(shove)?;
        }
        Ok(self.now())
    }

    fn piece(&self) -> &Piece {
        &self.chain.pieces[self.part]
    }

    fn now(&self) -> Vec<f64> {
        self.piece().moves.displaced(self.simulation.now(), self.simulation.frame() as f64)
    }

    fn step(&mut self, shove: Option<&Shove>) -> Result<(), EditError> {
        if self.simulation.is_over() && self.part + 1 < self.chain.pieces.len() {
            self.enter_next()?;
        }
        // Before the first part and after the last one it holds still.
        if self.frame >= self.piece().ready.begin && !self.simulation.is_over() {
            let mut force = vec![0.0; self.piece().ready.basis.coordinates()];
            let (tracker, simulation) =
                (tracker(&mut self.trackers, &self.chain, self.part)?, &self.simulation);
            tracker.force(simulation.frame(), simulation.before(), simulation.now(), &mut force);
            let push = shove.map(|shove| self.push(shove)).transpose()?;
            self.advance(&force, push.as_deref())?;
        }
        self.frame += 1;
        Ok(())
    }

    /// A step under the forces that hold it and a push; of one that is harder than the body bears as much as it does.
    fn advance(&mut self, held: &[f64], push: Option<&[f64]>) -> Result<(), EditError> {
        let stretch = &self.chain.pieces[self.part].ready.stretch;
        for share in push.map_or(&[][..], |_| &SHARES) {
            let pushed = held.iter().zip(push.unwrap_or_default()).map(|(w, push)| w + share * push);
            if self.simulation.advance(&pushed.collect::<Vec<f64>>()).is_ok() {
                return Ok(());
            }
        }
        self.simulation.advance(held).map_err(|error| named(stretch, error))
    }

    /// Begins the next part as this one ends.
    fn enter_next(&mut self) -> Result<(), EditError> {
        let moves = &self.piece().moves;
        let last = moves.frames();
        let step = moves.time.steps[last - 1];
        let (now, before) = (self.now(), moves.displaced(self.simulation.before(), last as f64 - 1.0));
        let velocity = now.iter().zip(before).map(|(now, before)| (now - before) / step).collect();
        let entry = Entry { displacement: now, velocity, step: Some(step) };
        self.part += 1;
        let piece = &self.chain.pieces[self.part];
        let ready = &piece.ready;
        let (deformation, rate) = if ready.stretch.floats() {
            let afloat = entry.afloat(&self.body);
            (afloat.deformation, afloat.rate)
        } else {
            (entry.displacement, entry.velocity)
        };
        let first = ready.basis.coordinates_of(&deformation).0;
        let speed = ready.basis.velocity_of(&rate).0;
        let before: Vec<f64> =
            first.iter().zip(speed).map(|(z, v)| z - v * piece.moves.time.before).collect();
        self.simulation =
            ready.problem.simulation(&before, &first).map_err(|error| named(&ready.stretch, error))?;
        self.taken = None;
        Ok(())
    }

    /// A push in the coordinates.
    fn push(&mut self, shove: &Shove) -> Result<Vec<f64>, EditError> {
        let taken = match self.taken.take().filter(|taken| taken.vertex == shove.vertex) {
            Some(taken) => taken,
            None => {
                let points = Points::of(&Site::Vertex(VertexId(shove.vertex)), &self.body)
                    .map_err(|problem| ControlError::Pushed { problem })?;
                Taken { vertex: shove.vertex, firmness: self.firmness(&points), points }
            }
        };
        let push = self.gathered(&taken.points, shove.by.map(|by| taken.firmness * by));
        self.taken = Some(taken);
        Ok(push)
    }

    /// A force on a point in the coordinates.
    fn gathered(&self, points: &Points, force: [f64; 3]) -> Vec<f64> {
        let mut forces = vec![0.0; 3 * self.body.positions().len()];
        points.push(force, &mut forces);
        self.piece().moves.gathered(&forces, self.simulation.frame() as f64)
    }

    /// How firm the body is at a point as it is now, and held as it is; where it gives way, as firm as it is across that.
    fn firmness(&self, points: &Points) -> f64 {
        let dynamics = &self.piece().ready.dynamics;
        let r = dynamics.coordinates();
        let (mut R, mut K) = (vec![0.0; r], vec![0.0; r * r]);
        dynamics.stiffness(self.simulation.now(), &mut R, &mut K);
        if let Some(tracker) = &self.trackers[self.part] {
            tracker.add_hold(self.simulation.frame(), &mut K);
        }
        let K = DMatrix::from_column_slice(r, r, &K);
        let K = (&K + K.transpose()) * 0.5;
        let mut shift = 0.0;
        let factor = loop {
            if let Some(factor) = Cholesky::new(&K + DMatrix::identity(r, r) * shift) {
                break factor;
            }
            shift = (10.0 * shift).max(1e-6 * K.amax().max(f64::MIN_POSITIVE));
        };
        let along = |c: usize| {
            let force = self.gathered(points, std::array::from_fn(|k| f64::from(u8::from(k == c))));
            let force = nalgebra::DVector::from_vec(force);
            force.dot(&factor.solve(&force))
        };
        let compliance: f64 = (0..3).map(along).sum();
        if compliance > 0.0 { 3.0 / compliance } else { 0.0 }
    }
}

/// The part a frame is in, and the motion there.
fn at(chain: &Chain, frame: usize) -> (usize, ControlSimulation) {
    let part = chain.pieces.iter().rposition(|piece| piece.ready.begin <= frame).unwrap_or(0);
    let piece = &chain.pieces[part];
    let at = frame.saturating_sub(piece.ready.begin).min(piece.moves.frames());
    (part, piece.ready.problem.simulation_from(&piece.solution.path, at))
}

/// What holds a part.
fn tracker<'a>(
    trackers: &'a mut [Option<Tracker>],
    chain: &Chain,
    part: usize,
) -> Result<&'a Tracker, EditError> {
    let made = match trackers[part].take() {
        Some(known) => known,
        None => {
            let piece = &chain.pieces[part];
            let (settings, silent) = (TrackSettings::default(), Progress::silent());
            let made = piece.ready.problem.tracker(&piece.solution, &settings, &silent);
            made.map_err(|error| named(&piece.ready.stretch, error))?
        }
    };
    Ok(trackers[part].insert(made))
}
