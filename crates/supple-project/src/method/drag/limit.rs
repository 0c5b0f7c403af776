//! Handles out of reach: followed as far as what they pull at can be stretched.
//!
//! The piece that a handle pulls at is the shortest way along the body from its point to what is held there: anchors,
//! the rim of the part that may change, or another hard handle's point at the same frame where that is nearer. The way
//! is found at rest ([`super::web`]); ℓ is its length in the input at the handle's frame, or at rest where it is longer
//! there: what the input has crumpled may unfold. No handle may stretch its piece beyond c ℓ, c = [`DragMethod::limit`]: its target
//! goes back along the straight line from x̄, where the input has the point, to x̄ + s (target − x̄).
//!
//! ```text
//! no solution leads farther from the held end h than c ℓ:  s ≤ max { s ≤ 1 : |x̄ + s (target − x̄) − h| ≤ c ℓ }
//! solve; for every handle:  σ = length of its piece / ℓ
//! while some σ > c, or no solution is found, at most 8 times:
//!   each such s by the false position of σ(s) = c between the nearest s known to be good (0 at first, where σ = 1)
//!   and known to be bad; solve anew
//! ```
//!
//! The first line needs no solution and holds while a handle is dragged, too. A handle has one s for all its frames
//! and points, so that what it asks for keeps its form. Only hard handles on positions of the warped motion are
//! followed like this: soft ones give anyway, and edits that are not warped stretch as they like.

use super::handles::HeldWish;
use super::piece::{NOTHING, Piece, is_limited};
use super::solver::{Input, Settled, Solver};
use super::web;
use super::wish::Wish;
use super::{DragMethod, EditError, HandleKey};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use supple_spacetime::Status;

/// Solutions at most, beside the first.
pub(super) const ROUNDS: usize = 8;
/// Frames of a handle that are looked at.
const LOOKS: usize = 8;
/// A piece this near to the limit is long enough,
const NEAR: f64 = 0.98;
/// and so is a target this near to one that is too far, as a part of the pull.
const FINE: f64 = 0.02;
/// A piece is too long beyond this part of the limit: nobody wants a handle missed for so little.
pub(super) const SLACK: f64 = 1.01;
/// What is aimed at, as a part of the limit, so that a solution is on the good side of it.
const AIM: f64 = 0.993;
/// What is known of a handle that may pull too far.
#[derive(Debug)]
pub(super) struct Limited {
    pub key: HandleKey,
    pieces: Vec<Piece>,
    /// c.
    limit: f64,
    /// s, and what the first line allows.
    pub share: f64,
    pub cap: f64,
    /// The largest s known to be good, and its σ.
    good: (f64, f64),
    /// The smallest s known to be bad, and its σ.
    bad: Option<(f64, f64)>,
    /// Whether the piece that was too long ends at another handle.
    pub by_handle: bool,
}

impl Limited {
    /// Takes the stretch of the solution into account, and whether it is none. Answers whether another s has to be
    /// tried.
    fn learn(&mut self, sigma: f64, is_lost: bool, is_last: bool) -> bool {
        let is_bad = sigma > SLACK * self.limit || is_lost;
        if is_bad {
            self.bad = Some((self.share, sigma));
            if self.good.0 >= self.share {
                self.good = (0.0, 1.0);
            }
        } else {
            self.good = (self.share, sigma);
        }
        let Some(bad) = self.bad.filter(|bad| bad.0 > self.good.0) else { return false };
        if !is_bad && (is_last || sigma >= NEAR * self.limit || bad.0 - self.share <= FINE) {
            return false;
        }
        if is_last {
            // Nothing it does helps if no s is good: it is others that stretch its piece.
            self.share = if self.good.0 > 0.0 { self.good.0 } else { self.cap };
            return true;
        }
        let width = bad.0 - self.good.0;
        let part =
            if bad.1 > self.limit { (AIM * self.limit - self.good.1) / (bad.1 - self.good.1) } else { 0.5 };
        self.share = self.good.0 + width * part.clamp(0.1, 0.9);
        true
    }
}

impl DragMethod {
    /// The handles that may pull too far, their targets where no solution is needed to know that they are.
    pub(super) fn limited(&mut self) -> Result<Vec<Limited>, EditError> {
        let keys: Vec<HandleKey> = self.handles.there.keys().copied().collect();
        if !matches!(self.solver, Solver::Exact { .. }) {
            keys.into_iter().try_for_each(|key| self.hold_back(key, 1.0))?;
            return Ok(Vec::new());
        }
        let mut all = Vec::new();
        for key in keys {
            let mut wishes: Vec<Wish> = self.wishes_of(key).map(|held| held.wish.clone()).collect();
            let cap = self.cap(&mut wishes);
            self.hold_back(key, cap)?;
            let pulled = |wish: &&Wish| self.pull(wish).norm() > NOTHING * self.figure.size;
            let pulled: Vec<&Wish> = wishes.iter().filter(|wish| is_limited(wish)).filter(pulled).collect();
            let every = pulled.len().div_ceil(LOOKS).max(1);
            let looked_at = pulled.iter().step_by(every).chain(pulled.last().filter(|_| every > 1));
            let pieces: Vec<Piece> = looked_at.filter_map(|wish| self.shortest_piece(key, wish)).collect();
            if !pieces.is_empty() {
                let (good, limit) = ((0.0, 1.0), self.limit());
                all.push(Limited { key, pieces, limit, share: cap, cap, good, bad: None, by_handle: false });
            }
        }
        Ok(all)
    }

    /// Looks at the solution, and at how far the handles pull. Those that pull too far are taken back; answers whether
    /// there are any.
    pub(super) fn tighten(
        &mut self,
        limited: &mut [Limited],
        settled: &Settled,
        is_last: bool,
    ) -> Result<bool, EditError> {
        let frames: BTreeSet<usize> =
            limited.iter().flat_map(|limited| &limited.pieces).map(|piece| piece.frame).collect();
        let frames: Vec<usize> = frames.into_iter().collect();
        let shown: BTreeMap<usize, Arc<Vec<f64>>> = self.solver.shown(&frames).into_iter().collect();
        let mut again = Vec::new();
        for limited in limited {
            let stretch = |piece: &Piece| {
                let u = shown.get(&piece.frame)?;
                let length = web::length(&piece.way, &self.figure.positions, Some(u.as_slice()));
                Some((length / piece.length, piece.by_handle))
            };
            let longest = limited.pieces.iter().filter_map(stretch);
            let Some((sigma, by_handle)) = longest.max_by(|a, b| a.0.total_cmp(&b.0)) else { continue };
            if sigma > SLACK * limited.limit {
                limited.by_handle = by_handle;
            }
            if limited.learn(sigma, self.is_lost(limited, settled), is_last) {
                again.push((limited.key, limited.share));
            }
        }
        for (key, share) in &again {
            self.hold_back(*key, *share)?;
        }
        Ok(!again.is_empty())
    }

    /// Whether the solution found no way to a handle that is pulled farther than it is from what holds it.
    fn is_lost(&self, limited: &Limited, settled: &Settled) -> bool {
        let is_unmet = |held: &HeldWish| settled.unmet.contains(&held.id);
        let is_far = |held: &HeldWish| {
            let pull = self.pull(&held.wish).norm() * limited.share;
            limited.pieces.iter().any(|piece| pull > piece.length)
        };
        matches!(settled.status, Status::Unfinished | Status::Stalled)
            && self.wishes_of(limited.key).any(|held| is_unmet(held) && is_far(held))
    }

    /// Gives the wishes of a handle targets at a part of their pulls.
    pub(super) fn hold_back(&mut self, key: HandleKey, share: f64) -> Result<(), EditError> {
        let held: Vec<HeldWish> = self.wishes_of(key).cloned().collect();
        for (number, mut held) in held.into_iter().enumerate() {
            let before = held.wish.short;
            self.take_back(&mut held.wish, share);
            if held.wish.short != before {
                self.retarget(key, number, held.wish)?;
            }
        }
        Ok(())
    }

    /// Puts another wish in the place of one that asks for the same coordinates.
    fn retarget(&mut self, key: HandleKey, number: usize, wish: Wish) -> Result<(), EditError> {
        let input = Input { positions: &self.figure.positions, motion: &self.motion, dt: self.time.dt };
        let held = self.handles.there.get_mut(&key).and_then(|held| held.wishes.get_mut(number));
        let held = held.ok_or(EditError::NoHandle(key))?;
        self.solver.retarget(held.id, &wish, &input)?;
        held.wish = wish;
        Ok(())
    }

    pub(super) fn wishes_of(&self, key: HandleKey) -> impl Iterator<Item = &HeldWish> {
        self.handles.there.get(&key).into_iter().flat_map(|held| &held.wishes)
    }
}
