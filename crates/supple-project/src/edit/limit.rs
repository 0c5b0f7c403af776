//! Handles out of reach: followed as far as what they pull at can be stretched.
//!
//! The piece that a handle pulls at is the shortest way along the body from its point to what is held there: anchors,
//! the rim of the part that may change, or another hard handle's point at the same frame where that is nearer. The way
//! is found at rest ([`super::web`]); ℓ is its length in the input at the handle's frame. No handle may stretch its
//! piece beyond c ℓ, c the `limit` of the shot, [`Expert::LIMIT`] if it says none: its target goes back along the straight line from x̄, where the input has the point,
//! to x̄ + s (target − x̄).
//!
//! ```text
//! no solution leads farther from the held end h than c ℓ:  s ≤ max { s ≤ 1 : |x̄ + s (target − x̄) − h| ≤ c ℓ }
//! solve; for every handle:  σ = length of its piece / ℓ
//! while some σ > c, at most 8 times:  each such s by the false position of σ(s) = c between the nearest s known to be
//! good (0 at first, where σ = 1) and known to be bad; solve anew
//! ```
//!
//! The first line needs no solution and holds while a handle is dragged, too. A handle has one s for all its frames
//! and points, so that what it asks for keeps its form. Only hard handles on positions of the warped motion are
//! followed like this: soft ones give anyway, and edits that are not warped stretch as they like.

use super::answer::{Answer, Input};
use super::handles::HeldWish;
use super::web::{self, Web};
use super::wish::{Wish, place};
use super::{EditError, Editor, HandleKey};
use crate::shot::Expert;
use std::collections::BTreeMap;
use supple_mesh::Vec3;
use supple_model::VertexId;
use supple_spacetime::{Hold, Order};

/// Solutions at most, beside the first.
pub(super) const ROUNDS: usize = 8;
/// Frames of a handle that are looked at.
const LOOKS: usize = 8;
/// A piece this near to the limit is long enough,
const NEAR: f64 = 0.98;
/// and so is a target this near to one that is too far, as a part of the pull.
const FINE: f64 = 0.02;
/// What is aimed at, as a part of the limit, so that a solution is on the good side of it.
const AIM: f64 = 0.993;
/// Lengths below this part of the size are none.
const NOTHING: f64 = 1e-9;

/// The piece that a handle pulls at, at one frame.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    frame: usize,
    way: Vec<VertexId>,
    /// ℓ.
    length: f64,
    /// Whether another handle holds its end.
    by_handle: bool,
}

/// What is known of a handle that may pull too far.
#[derive(Debug)]
pub(super) struct Limited {
    pub key: HandleKey,
    pieces: Vec<Piece>,
    /// s, and what the first line allows.
    pub share: f64,
    pub cap: f64,
    /// The largest s known to be good, and its σ.
    good: (f64, f64),
    /// The smallest s known to be bad, and its σ.
    bad: Option<(f64, f64)>,
    /// Whether the piece that was too long ends at another handle.
    pub by_handle: bool,
    /// c.
    limit: f64,
}

impl Limited {
    /// Takes the stretch of the solution into account. Answers whether another s has to be tried.
    fn learn(&mut self, sigma: f64, is_last: bool) -> bool {
        let is_bad = sigma > self.limit;
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
        let part = (AIM * self.limit - self.good.1) / (bad.1 - self.good.1).max(NOTHING);
        self.share = self.good.0 + width * part.clamp(0.1, 0.9);
        true
    }
}

impl Editor {
    /// Lets targets that no solution can reach go back to where one may, for wishes of one handle.
    pub(super) fn cap(&self, wishes: &mut [Wish]) -> f64 {
        let mut share: f64 = 1.0;
        if matches!(self.answer, Answer::Exact { .. }) {
            for wish in wishes.iter() {
                if let Some(piece) = self.held_piece(wish) {
                    share = share.min(self.farthest(wish, &piece));
                }
            }
        }
        for wish in wishes {
            self.take_back(wish, share);
        }
        share
    }

    /// How many times as long as in the input a pulled piece may become.
    fn limit(&self) -> f64 {
        self.shot.edit.expert().limit.unwrap_or(Expert::LIMIT)
    }

    /// The largest s ≤ 1 at which a target is not farther from the held end than its piece may be long.
    fn farthest(&self, wish: &Wish, piece: &Piece) -> f64 {
        let u = self.motion.frame(wish.frame).displacement();
        let at = |v: VertexId| place(&vec![(v, 1.0)], &self.figure.positions, u);
        let (Some(first), Some(last)) = (piece.way.first(), piece.way.last()) else { return 1.0 };
        let from = wish.axes * (at(*first) - at(*last));
        let asked =
            |x: Vec3| Vec3::from_fn(|axis, _| if wish.target[axis].is_some() { x[axis] } else { 0.0 });
        // |a + s b| = c ℓ, of the coordinates asked for; |a| ≤ ℓ.
        let (a, b, most) = (asked(from), self.pull(wish), self.limit() * piece.length);
        let (aa, ab, bb) = (a.norm_squared() - most * most, a.dot(&b), b.norm_squared());
        if bb == 0.0 || aa >= 0.0 {
            return 1.0;
        }
        ((-ab + (ab * ab - aa * bb).sqrt()) / bb).min(1.0)
    }

    /// target − x̄, coordinate by coordinate as they are asked for; zero where nothing is.
    fn pull(&self, wish: &Wish) -> Vec3 {
        let u = self.motion.frame(wish.frame).displacement();
        let input = wish.axes * (place(&wish.point, &self.figure.positions, u) + wish.detail.input);
        Vec3::from_fn(|axis, _| wish.target[axis].map_or(0.0, |target| target - input[axis]))
    }

    /// Lets the target of a wish go back to the part `share` of its pull.
    fn take_back(&self, wish: &mut Wish, share: f64) {
        let short = if share < 1.0 { self.pull(wish) * (1.0 - share) } else { Vec3::zeros() };
        wish.short = short;
    }

    /// The piece that a wish pulls at, to what is held.
    fn held_piece(&self, wish: &Wish) -> Option<Piece> {
        let free = &self.figure.free;
        if !is_limited(wish) || free.vertices().len() == free.body_vertices() {
            return None;
        }
        let way = self.web().way(self.vertex_of(wish)?)?;
        self.piece(wish, way, false)
    }

    fn piece(&self, wish: &Wish, way: Vec<VertexId>, by_handle: bool) -> Option<Piece> {
        let u = self.motion.frame(wish.frame).displacement();
        let length = web::length(&way, &self.figure.positions, u);
        (length > NOTHING * self.figure.size).then_some(Piece { frame: wish.frame, way, length, by_handle })
    }

    /// The vertex that stands for a wish: that of its point's which is nearest to it at rest, of those that move.
    fn vertex_of(&self, wish: &Wish) -> Option<VertexId> {
        let rest = |v: VertexId| self.figure.positions[v.index()];
        let point: Vec3 = wish.point.iter().map(|(v, weight)| rest(*v) * *weight).sum();
        let free =
            wish.point.iter().filter(|(v, weight)| *weight != 0.0 && self.figure.free.index(*v).is_some());
        let off = |v: VertexId| (rest(v) - point).norm();
        free.map(|(v, _)| *v).min_by(|a, b| off(*a).total_cmp(&off(*b)))
    }

    fn web(&self) -> &Web {
        self.handles.web.get_or_init(|| Web::new(&self.body, &self.figure))
    }

    /// How many times its distance to what is held every handle is pulled by; those that nothing holds are left out.
    pub(super) fn pulls_over_distance(&self) -> BTreeMap<HandleKey, f64> {
        let mut all = BTreeMap::new();
        for (key, held) in &self.handles.there {
            let ratio = |held: &HeldWish| {
                let piece = self.held_piece(&held.wish)?;
                Some(self.pull(&held.wish).norm() / piece.length)
            };
            if let Some(most) = held.wishes.iter().filter_map(ratio).max_by(f64::total_cmp) {
                all.insert(*key, most);
            }
        }
        all
    }

    /// The handles that may pull too far, their targets where no solution is needed to know that they are.
    pub(super) fn limited(&mut self) -> Result<Vec<Limited>, EditError> {
        if !matches!(self.answer, Answer::Exact { .. }) {
            return Ok(Vec::new());
        }
        let keys: Vec<HandleKey> = self.handles.there.keys().copied().collect();
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
                let good = (0.0, 1.0);
                let limit = self.limit();
                all.push(Limited { key, pieces, share: cap, cap, good, bad: None, by_handle: false, limit });
            }
        }
        Ok(all)
    }

    /// The piece that a wish pulls at, to what is held or to another hard handle at the same frame.
    fn shortest_piece(&self, key: HandleKey, wish: &Wish) -> Option<Piece> {
        let others = self.handles.there.iter().filter(|(other, _)| **other != key);
        let others: Vec<VertexId> = others
            .flat_map(|(_, held)| &held.wishes)
            .filter(|held| held.wish.frame == wish.frame && is_limited(&held.wish))
            .filter_map(|held| self.vertex_of(&held.wish))
            .collect();
        let vertex = self.vertex_of(wish)?;
        let nearer = (!others.is_empty() && !others.contains(&vertex))
            .then(|| self.web().way_to(vertex, &others, &self.figure.positions))
            .flatten();
        match nearer {
            Some(way) => self.piece(wish, way, true),
            None => self.held_piece(wish),
        }
    }

    /// Looks at the solution, and at how far the handles pull. Those that pull too far are taken back; answers whether
    /// there are any.
    pub(super) fn tighten(&mut self, limited: &mut [Limited], is_last: bool) -> Result<bool, EditError> {
        let path = self.path();
        let mut shown: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        for piece in limited.iter().flat_map(|limited| &limited.pieces) {
            shown.entry(piece.frame).or_insert_with(|| {
                let mut u = vec![0.0; 3 * self.figure.positions.len()];
                self.show(&path, piece.frame, piece.frame, &mut u);
                u
            });
        }
        let mut again = Vec::new();
        for limited in limited {
            let stretch = |piece: &Piece| {
                web::length(&piece.way, &self.figure.positions, &shown[&piece.frame]) / piece.length
            };
            let longest = limited.pieces.iter().map(|piece| (stretch(piece), piece.by_handle));
            let Some((sigma, by_handle)) = longest.max_by(|a, b| a.0.total_cmp(&b.0)) else { continue };
            if sigma > limited.limit {
                limited.by_handle = by_handle;
            }
            if limited.learn(sigma, is_last) {
                again.push((limited.key, limited.share));
            }
        }
        for (key, share) in &again {
            self.hold_back(*key, *share)?;
        }
        Ok(!again.is_empty())
    }

    /// Gives the wishes of a handle targets at a part of their pulls.
    fn hold_back(&mut self, key: HandleKey, share: f64) -> Result<(), EditError> {
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
        let input = Input { positions: &self.figure.positions, motion: &self.motion, dt: self.clock.dt };
        let held = self.handles.there.get_mut(&key).and_then(|held| held.wishes.get_mut(number));
        let held = held.ok_or(EditError::NoHandle(key))?;
        self.answer.retarget(held.id, &wish, &input)?;
        held.wish = wish;
        Ok(())
    }

    pub(super) fn wishes_of(&self, key: HandleKey) -> impl Iterator<Item = &HeldWish> {
        self.handles.there.get(&key).into_iter().flat_map(|held| &held.wishes)
    }
}

/// Whether a wish is one that may pull too far: a hard one on the position of a point.
fn is_limited(wish: &Wish) -> bool {
    let whole: f64 = wish.point.iter().map(|(_, weight)| weight).sum();
    wish.order == Order::Position && wish.hold == Hold::Hard && (whole - 1.0).abs() < 1e-6
}
