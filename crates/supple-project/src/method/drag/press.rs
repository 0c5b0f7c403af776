//! An edit that would push the body through floor or obstacles is held on their surface.
//!
//! What an edit may not do is one-sided, n · x ≥ s for every vertex that is written and every frame; which of these matter
//! is found in rounds. A few vertices stand for each frame, and are held by rows of the linear edit beside those of the
//! contacts, so that handles cannot argue with them; what is left after that, far less than an eye sees, is taken out by the
//! warp of that frame ([`supple_elastic::WarpContact`]):
//!
//! ```text
//! pulls that lead into a surface end there
//! at most 10 rounds, each a solution under the rows there are, which begins with that of the round before:
//!   look at the frames that come near anything: what is through, how deep, whether elements are crushed  [barrier]
//!   nothing is, and no row pulls                      → done
//!   rows that pull (μ < 0) would glue the body        → let go; twice at most
//!   rows whose vertices are not on the surface        → aim at what they miss
//!   much is through: the deepest vertices of the deepest frames, apart from each other in space and time → rows
//!   little is through: all of it                      → held by the warp
//!   elements are crushed, or far more is through than before → handles that press the body into the surface follow a
//!   part of their pull only, and what was learnt so far is forgotten
//! ```
//!
//! All of it starts from nothing when handles are let go, so that it depends on them alone. While one is in the hand
//! nothing new is held, and the plant it is on is let go ([`super::plant`]).

mod ease;
mod look;

use super::barrier::{Barrier, THROUGH, Through};
use super::limit::Limited;
use super::setup::{contact_rows, hold_frame};
use super::solver::{Settled, Solver};
use super::{DragMethod, EditError, StartReport};
use crate::contacts::ContactPoint;
use crate::site::Row as Point;
use look::{Found, Look};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use supple_elastic::{WarpContact, WarpedMotion};
use supple_mesh::{ContactPlane, Vec3};
use supple_model::{Progress, VertexId};
use supple_spacetime::{Constraints, Hold, Order, Row, Status};

/// Solutions at most, beside the first.
const ROUNDS: usize = 10;
/// In these last ones no row is let go, no handle eased, and what is left is held by the warp, however much: but for a
/// skin, whose body it would turn inside out.
const LAST: usize = 4;
/// Less than this part of the size is little.
const LITTLE: f64 = 2e-3;
/// How far apart vertices are that stand for a frame, as a part of the size,
const APART: f64 = 0.15;
/// how many come in a round,
const FEW: usize = 6;
/// and how many rows there are in all.
const MOST_ROWS: usize = 1500;
/// Vertices that the warp of a frame holds at most.
const MOST_HELD: usize = 400;
/// Vertices of a skin nearer than this, as a part of the size, may ride on one element, which cannot hold them all.
const BESIDE: f64 = 0.02;
/// How often a row is let go before it stays.
const LET_GO: u8 = 2;
/// A row pulls that has less than this part of the largest multiplier, below zero.
const PULLS: f64 = 1e-6;
/// Frames that come in a round are more than so many apart: rows of neighbours are nearly the same, and of too many half
/// would have to pull.
const BETWEEN: usize = 3;
/// What is through and this many times as deep as in the round before cannot be kept out.
const STUBBORN: f64 = 3.0;
/// How far an aim moves in a round, as a part of the size.
const FAR: f64 = 0.1;
/// How much a row gives, as a part of its variance: rows of neighbours are nearly the same and would tear at each other.
/// What they miss is aimed at in the next round.
const GIVES: f64 = 1e-3;

/// What is held out of floor and obstacles, beside contacts.
#[derive(Clone, Debug, Default)]
pub(super) struct Pressed {
    /// Rows, by frame and vertex.
    rows: BTreeMap<(usize, VertexId), Held>,
    /// What the warps of frames hold.
    warps: BTreeMap<usize, Vec<(VertexId, WarpContact)>>,
    /// How far handles move plants.
    pub plants: BTreeMap<usize, Vec3>,
    /// Plants that are let go while a handle on them is in the hand.
    pub loose: BTreeSet<usize>,
}

/// A vertex that stands for others.
#[derive(Clone, Debug)]
struct Held {
    point: Point,
    plane: ContactPlane,
    /// How far it may be behind the plane.
    allowed: f64,
    /// What the linear edit is asked for along the normal.
    aim: f64,
    let_go: u8,
    is_active: bool,
}

impl Pressed {
    /// Nothing is held but plants, moved.
    pub fn of_plants(plants: BTreeMap<usize, Vec3>) -> Self {
        Self { plants, ..Self::default() }
    }

    /// Nothing is held, and these plants are let go.
    pub fn of_loose(loose: BTreeSet<usize>) -> Self {
        Self { loose, ..Self::default() }
    }

    /// Whether nothing is held, moved or let go.
    pub fn is_empty(&self) -> bool {
        self.rows.values().all(|held| !held.is_active)
            && self.warps.is_empty()
            && self.plants.is_empty()
            && self.loose.is_empty()
    }

    /// Whether these plants are let go, and that is all.
    pub fn is_only_loose(&self, plants: &BTreeSet<usize>) -> bool {
        let rest = Self { loose: BTreeSet::new(), ..self.clone() };
        !plants.is_empty() && self.loose == *plants && rest.is_empty()
    }

    /// How many vertices are held, each frame counted.
    pub fn count(&self) -> usize {
        let held = self.rows.iter().filter(|(_, held)| held.is_active).map(|(key, _)| *key);
        let warped = self.warps.iter().flat_map(|(frame, held)| held.iter().map(|(v, _)| (*frame, *v)));
        held.chain(warped).collect::<BTreeSet<_>>().len()
    }

    /// Whether something is held at a frame.
    pub fn is_at(&self, frame: usize) -> bool {
        let rows = (frame, VertexId(0))..=(frame, VertexId(u32::MAX));
        self.rows.range(rows).any(|(_, held)| held.is_active) || self.warps.contains_key(&frame)
    }
}

impl DragMethod {
    /// Takes back what is held out of floor and obstacles.
    pub(super) fn lift(&mut self) -> Result<(), EditError> {
        self.solver.begin_anew();
        if std::mem::take(&mut self.pressed).is_empty() {
            return Ok(());
        }
        self.renew(self.bare.clone(), self.base.clone())?;
        Ok(())
    }

    /// Puts other contacts under the handles there are. Answers who solved before.
    fn renew(&mut self, motion: Arc<WarpedMotion>, constraints: Constraints) -> Result<Solver, EditError> {
        let is_exact = matches!(self.solver, Solver::Exact { .. });
        let mut solver = Solver::new(is_exact, constraints, &motion, self.figure.size)?;
        let input =
            super::solver::Input { positions: &self.figure.positions, motion: &motion, dt: self.time.dt };
        for held in self.handles.there.values_mut().flat_map(|held| &mut held.wishes) {
            held.sites = solver.add(held.id, &held.wish, &input)?;
        }
        self.motion = motion;
        Ok(std::mem::replace(&mut self.solver, solver))
    }

    /// How far a contact is moved: with its plant, where the edit may move anything.
    pub(super) fn shift_of(&self, contact: &ContactPoint) -> Vec3 {
        let shift = contact.plant.and_then(|plant| self.pressed.plants.get(&plant));
        shift.filter(|_| self.kernel.movable(contact.frame).is_ok()).copied().unwrap_or_default()
    }

    /// Holds what goes through, after a first solution without.
    pub(super) fn press(
        &mut self,
        limited: &[Limited],
        settled: &mut Settled,
        progress: &Progress,
    ) -> Result<(), EditError> {
        let barrier = self.barrier.clone().filter(|barrier| barrier.holds && self.hand.is_none());
        let Some(barrier) = barrier else { return Ok(()) };
        let size = self.figure.size;
        let mut shares = self.keep_out(&barrier, limited)?;
        if !shares.is_empty() {
            let iterations = settled.iterations;
            *settled = self.settle_learning(progress)?;
            settled.iterations += iterations;
        }
        let (mut by_warp, mut before) = (false, f64::INFINITY);
        for round in 0..=ROUNDS {
            let progress =
                &progress.part(round as f64 / (ROUNDS + 1) as f64, (round + 1) as f64 / (ROUNDS + 1) as f64);
            let is_late = round + LAST >= ROUNDS;
            let look = self.look_through(&barrier, progress)?;
            let mut pressed = self.pressed.clone();
            let glued = if is_late || by_warp { 0 } else { self.unglue(&mut pressed) };
            let is_stubborn = round > 1 && look.deepest > (STUBBORN * before).max(LITTLE * size);
            before = look.deepest;
            let is_crushed = !is_late && self.ease(&look, is_stubborn, limited, &mut shares)?;
            if look.deepest <= THROUGH * size && glued == 0 && !is_crushed {
                self.say_eased(&shares, settled);
                return Ok(());
            }
            if round == ROUNDS || progress.is_stopped() {
                break;
            }
            by_warp = !self.bare.is_plain()
                && (by_warp
                    || (is_late && !barrier.of_skin)
                    || (look.deepest <= LITTLE * size && glued == 0 && !is_crushed));
            if is_crushed {
                // What was learnt of a body that is pressed flat is of no use.
                let plants = std::mem::take(&mut pressed.plants);
                self.under(Pressed::of_plants(plants), progress)?;
                before = f64::INFINITY;
            } else {
                self.take_in(&barrier, &mut pressed, look, by_warp);
                let before = self.under(pressed, progress)?;
                self.solver.go_on_from(&before);
            }
            let (iterations, starts) = (settled.iterations, std::mem::take(&mut settled.starts));
            *settled = self.settle_learning(progress)?;
            settled.iterations += iterations;
            settled.starts.splice(0..0, starts.into_iter().map(|start| StartReport { kept: false, ..start }));
        }
        if settled.status == Status::Settled {
            settled.status = Status::Compromise;
        }
        self.say_eased(&shares, settled);
        Ok(())
    }

    /// Lets rows go that pull. Answers how many.
    fn unglue(&self, pressed: &mut Pressed) -> usize {
        let multipliers = self.solver.contact_multipliers();
        let active = pressed.rows.values_mut().filter(|held| held.is_active);
        let first = multipliers.len().saturating_sub(self.pressed_rows());
        let own = &multipliers[first..];
        let largest = own.iter().fold(0.0, |most: f64, mu| most.max(mu.abs()));
        let mut count = 0;
        for (held, mu) in active.zip(own) {
            if *mu < -PULLS * largest && held.let_go < LET_GO {
                (held.is_active, held.let_go) = (false, held.let_go + 1);
                count += 1;
            }
        }
        count
    }

    fn pressed_rows(&self) -> usize {
        self.pressed.rows.values().filter(|held| held.is_active).count()
    }

    /// Takes in what a look found: what is through by the warp, or by rows.
    fn take_in(&self, barrier: &Barrier, pressed: &mut Pressed, look: Look, by_warp: bool) {
        let apart = look.frames_apart(BETWEEN);
        for (key, missing) in look.missing {
            if let Some(held) = pressed.rows.get_mut(&key).filter(|held| held.is_active) {
                held.aim += missing.clamp(-FAR * self.figure.size, FAR * self.figure.size);
            }
        }
        let path = self.path();
        let mut z = vec![0.0; self.modes()];
        let mut active = pressed.rows.values().filter(|held| held.is_active).count();
        for (frame, found) in look.through {
            if by_warp {
                self.take_into_warp(barrier, pressed.warps.entry(frame).or_default(), &found);
                continue;
            }
            if !apart.contains(&frame) {
                continue;
            }
            path.at(frame, Order::Position, &mut z);
            for Through { vertex, plane, allowed, lacks, .. } in self.some_of(barrier, &found) {
                if active >= MOST_ROWS {
                    return;
                }
                active += 1;
                let point = self.written_row(barrier, vertex);
                let row = self.bare.edit_row(frame, &point, plane.normal);
                let now: f64 = row.iter().zip(&z).map(|(c, z)| c * z).sum();
                let let_go = pressed.rows.get(&(frame, vertex)).map_or(0, |held| held.let_go);
                let held = Held { point, plane, allowed, aim: now + lacks, let_go, is_active: true };
                pressed.rows.insert((frame, vertex), held);
            }
        }
    }

    /// Some vertices of a frame that are apart from each other, the deepest first.
    fn some_of(&self, barrier: &Barrier, found: &[Found]) -> Vec<Through> {
        let apart = APART * self.figure.size;
        let mut chosen: Vec<(Vec3, Through)> = Vec::new();
        for Found { through, .. } in found {
            let place = self.written_rest(barrier, through.vertex);
            if chosen.iter().all(|(other, _)| (other - place).norm() >= apart) {
                chosen.push((place, *through));
            }
            if chosen.len() == FEW {
                break;
            }
        }
        chosen.into_iter().map(|(_, through)| through).collect()
    }

    /// Makes the warp of a frame hold what is through, beside what it holds.
    fn take_into_warp(&self, barrier: &Barrier, held: &mut Vec<(VertexId, WarpContact)>, found: &[Found]) {
        for Found { through, moved } in found {
            let vertices = self.written_row(barrier, through.vertex);
            let normal = through.plane.normal;
            let contact =
                WarpContact { vertices, normal: Some(normal), shift: normal * (moved + through.lacks) };
            let place = self.written_rest(barrier, through.vertex);
            let is_beside = |(vertex, _): &(VertexId, WarpContact)| {
                let other = self.written_rest(barrier, *vertex);
                barrier.of_skin && (other - place).norm() < BESIDE * self.figure.size
            };
            match held.iter().position(|(vertex, _)| *vertex == through.vertex) {
                Some(place) => held[place].1 = contact,
                None if held.len() >= MOST_HELD => break,
                None if held.iter().any(is_beside) => {}
                None => held.push((through.vertex, contact)),
            }
        }
    }

    /// Puts the rows and warps of `pressed` under the handles. Answers who solved before.
    pub(super) fn under(&mut self, pressed: Pressed, progress: &Progress) -> Result<Solver, EditError> {
        self.pressed = pressed;
        let pressed = &self.pressed;
        let is_loose =
            |contact: &ContactPoint| contact.plant.is_some_and(|plant| pressed.loose.contains(&plant));
        let shift = |contact: &ContactPoint| (!is_loose(contact)).then(|| self.shift_of(contact));
        let clusters = self.contacts.clusters.iter().map(|cluster| &cluster.contact);
        let mut rows: Vec<Row> = clusters
            .filter_map(|contact| Some(contact_rows(&self.bare, contact, shift(contact)?)))
            .flatten()
            .chain(self.made.iter().flat_map(|made| made.rows(&self.kernel)))
            .collect();
        let mut variances = vec![0.0; self.modes()];
        for ((frame, _), held) in pressed.rows.iter().filter(|(_, held)| held.is_active) {
            let weights = self.bare.edit_row(*frame, &held.point, held.plane.normal);
            let place = (*frame, Order::Position);
            self.kernel.covariance(place, place, &mut variances);
            let own: f64 = weights.iter().zip(&variances).map(|(c, p)| c * c * p).sum();
            let hold = if own > 0.0 { Hold::Soft(1.0 / (GIVES * own)) } else { Hold::Hard };
            rows.push(Row { hold, ..Row::position(*frame, weights, held.aim) });
        }
        let constraints = Constraints::with_contacts(self.kernel.clone(), rows, progress)?;
        let mut motion = WarpedMotion::clone(&self.bare);
        let planted = pressed
            .plants
            .keys()
            .chain(&pressed.loose)
            .flat_map(|plant| self.contacts.plants[*plant].frames.clone());
        let mut frames: Vec<usize> = planted.chain(pressed.warps.keys().copied()).collect();
        frames.sort_unstable();
        frames.dedup();
        for frame in frames {
            let held = pressed.warps.get(&frame).into_iter().flatten();
            let more: Vec<WarpContact> = held.map(|(_, contact)| contact.clone()).collect();
            hold_frame(&mut motion, &self.contacts, frame, &more, shift)?;
        }
        self.renew(Arc::new(motion), constraints)
    }
}
