//! What a handle pulls at: the way along the body from its point to what holds it, and how far its point may go.
//!
//! The equations are those of [`super::limit`].

use super::figure::movable;
use super::handles::HeldWish;
use super::limit::SLACK;
use super::solver::Solver;
use super::web::{self, Web};
use super::wish::{Wish, place};
use super::{DragMethod, HandleKey};
use crate::shot::Expert;
use std::collections::BTreeMap;
use supple_mesh::Vec3;
use supple_model::VertexId;
use supple_spacetime::{Hold, Order};

/// Lengths below this part of the size are none.
pub(super) const NOTHING: f64 = 1e-9;

/// The piece that a handle pulls at, at one frame.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub frame: usize,
    pub way: Vec<VertexId>,
    /// ℓ.
    pub length: f64,
    /// Whether another handle holds its end.
    pub by_handle: bool,
}

impl DragMethod {
    /// c: how many times as long as in the input a pulled piece may become.
    pub(super) fn limit(&self) -> f64 {
        self.shot.edit.expert().limit.unwrap_or(Expert::LIMIT)
    }

    /// Lets targets that no solution can reach go back to where one may, for wishes of one handle.
    pub(super) fn cap(&self, wishes: &mut [Wish]) -> f64 {
        supple_model::passing!();
        let mut share: f64 = 1.0;
        if matches!(self.solver, Solver::Exact { .. }) {
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

    /// The largest s ≤ 1 at which a target is not farther from the held end than its piece may be long.
    fn farthest(&self, wish: &Wish, piece: &Piece) -> f64 {
        let u = self.motion.frame(wish.frame).displacement();
        let at = |v: VertexId| place(&vec![(v, 1.0)], &self.figure.positions, u);
        let (Some(first), Some(last)) = (piece.way.first(), piece.way.last()) else { return 1.0 };
        let from = wish.axes * (at(*first) - at(*last));
        let asked =
            |x: Vec3| Vec3::from_fn(|axis, _| if wish.target[axis].is_some() { x[axis] } else { 0.0 });
        // |a + s b| = c ℓ, of the coordinates asked for; |a| ≤ ℓ.
        let (a, b, most) = (asked(from), self.pull(wish), SLACK * self.limit() * piece.length);
        let (aa, ab, bb) = (a.norm_squared() - most * most, a.dot(&b), b.norm_squared());
        if bb == 0.0 || aa >= 0.0 {
            return 1.0;
        }
        ((-ab + (ab * ab - aa * bb).sqrt()) / bb).min(1.0)
    }

    /// target − x̄, coordinate by coordinate as they are asked for; zero where nothing is.
    pub(super) fn pull(&self, wish: &Wish) -> Vec3 {
        let u = self.motion.frame(wish.frame).displacement();
        let input = wish.axes * (place(&wish.point, &self.figure.positions, u) + wish.beside_input());
        Vec3::from_fn(|axis, _| wish.target[axis].map_or(0.0, |target| target - input[axis]))
    }

    /// Lets the target of a wish go back to the part `share` of its pull.
    pub(super) fn take_back(&self, wish: &mut Wish, share: f64) {
        let short = if share < 1.0 { self.pull(wish) * (1.0 - share) } else { Vec3::zeros() };
        wish.short = short;
    }

    /// The piece that a wish pulls at, to what is held.
    fn held_piece(&self, wish: &Wish) -> Option<Piece> {
        let is_held = self.shot.edit.part.is_some() || !self.body.anchors.is_empty();
        if !is_limited(wish) || !is_held {
            return None;
        }
        let way = self.web().way(self.vertex_of(wish)?)?;
        self.piece(wish, way, false)
    }

    fn piece(&self, wish: &Wish, way: Vec<VertexId>, by_handle: bool) -> Option<Piece> {
        let u = self.motion.frame(wish.frame).displacement();
        let measured = |u: Option<&[f64]>| web::length(&way, &self.figure.positions, u);
        // What the input has crumpled may unfold.
        let length = measured(Some(u)).max(measured(None));
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
        self.handles.web.get_or_init(|| {
            // What was movable when the editor was made still is.
            let free = movable(&self.body, self.shot.edit.part.as_deref());
            Web::new(&self.body, &self.figure, free.as_ref().unwrap_or(&self.body.free))
        })
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

    /// The piece that a wish pulls at, to what is held or to another hard handle at the same frame.
    pub(super) fn shortest_piece(&self, key: HandleKey, wish: &Wish) -> Option<Piece> {
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
}

/// Whether a wish is one that may pull too far: a hard one on the position of a point.
pub(super) fn is_limited(wish: &Wish) -> bool {
    let whole: f64 = wish.point.iter().map(|(_, weight)| weight).sum();
    wish.order == Order::Position && wish.hold == Hold::Hard && (whole - 1.0).abs() < 1e-6
}
