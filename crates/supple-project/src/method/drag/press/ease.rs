//! Handles that press a body into floor or obstacles follow their pulls only as far as the body stands it.

use super::look::Look;
use crate::method::drag::barrier::Barrier;
use crate::method::drag::limit::Limited;
use crate::method::drag::piece::is_limited;
use crate::method::drag::solver::Settled;
use crate::method::drag::wish::{Wish, place};
use crate::method::drag::{DragMethod, EditError, HandleKey, Reason};
use std::collections::BTreeMap;
use supple_mesh::Vec3;
use supple_model::{Status, VertexId};

/// A point inside the body comes no nearer to a surface than this part of what the input has of the body between them,
const SQUASHED: f64 = 0.6;
/// found in so many halvings.
const HALVINGS: usize = 30;
/// What is left of a pull that crushes elements, or that cannot be kept out.
const EASED: f64 = 0.6;

impl DragMethod {
    /// Lets handles that press the body flat against something follow a part of their pull only. Answers whether there
    /// are any.
    pub(super) fn ease(
        &mut self,
        look: &Look,
        is_stubborn: bool,
        limited: &[Limited],
        shares: &mut BTreeMap<HandleKey, f64>,
    ) -> Result<bool, EditError> {
        if look.crushed.is_empty() && !is_stubborn {
            return Ok(false);
        }
        let frames = look.crushed.iter().chain(look.through.keys().filter(|_| is_stubborn));
        let normals: Vec<Vec3> = frames
            .flat_map(|frame| self.pressed.rows.range((*frame, VertexId(0))..=(*frame, VertexId(u32::MAX))))
            .map(|(_, held)| held.plane.normal)
            .collect();
        let presses = |key: &HandleKey| {
            self.wishes_of(*key).filter(|held| is_limited(&held.wish)).any(|held| {
                let pull = held.wish.axes.transpose() * self.pull(&held.wish);
                normals.iter().any(|normal| normal.dot(&pull) < 0.0)
            })
        };
        let keys: Vec<HandleKey> = self.handles.there.keys().filter(|key| presses(key)).copied().collect();
        for key in &keys {
            let reach =
                limited.iter().find(|limited| limited.key == *key).map_or(1.0, |limited| limited.share);
            let share = shares.entry(*key).or_insert(1.0);
            *share *= EASED;
            let share = *share * reach;
            self.hold_back(*key, share)?;
        }
        Ok(!keys.is_empty())
    }

    /// Lets handles follow their pulls no farther than floor and obstacles allow: a point goes no deeper than onto their
    /// surface, and one inside the body no nearer to it than [`SQUASHED`] of what the input has of the body between
    /// the two. Answers the part that is left of every pull that is cut.
    pub(super) fn keep_out(
        &mut self,
        barrier: &Barrier,
        limited: &[Limited],
    ) -> Result<BTreeMap<HandleKey, f64>, EditError> {
        let mut shares = BTreeMap::new();
        for key in self.handles.there.keys().copied().collect::<Vec<_>>() {
            let reach =
                limited.iter().find(|limited| limited.key == key).map_or(1.0, |limited| limited.share);
            let wishes = self.wishes_of(key).filter(|held| is_limited(&held.wish));
            let share = wishes.map(|held| self.way_to(barrier, &held.wish, reach)).fold(1.0, f64::min);
            if share < 1.0 {
                shares.insert(key, share);
                self.hold_back(key, share * reach)?;
            }
        }
        Ok(shares)
    }

    /// The part of a wish's pull, of which `reach` can be followed at all, that leads to no surface.
    fn way_to(&self, barrier: &Barrier, wish: &Wish, reach: f64) -> f64 {
        let u = self.motion.frame(wish.frame).displacement();
        let from = place(&wish.point, &self.figure.positions, u) + wish.beside_input();
        let pull = wish.axes.transpose() * self.pull(wish) * reach;
        let Some((normal, before)) = barrier.faces(&from, &(from + pull)) else { return 1.0 };
        let moved = self.figure.positions.iter().zip(u.chunks_exact(3));
        let below =
            moved.map(|(x, u)| normal.dot(&(from - x - Vec3::from_column_slice(u)))).fold(0.0, f64::max);
        let least = before.min(SQUASHED * below);
        let (mut good, mut bad) = (0.0, 1.0);
        if barrier.distance(&(from + pull)) >= least {
            return 1.0;
        }
        for _ in 0..HALVINGS {
            let middle = 0.5 * (good + bad);
            if barrier.distance(&(from + pull * middle)) >= least { good = middle } else { bad = middle }
        }
        good
    }

    /// Says that handles were let go before their ends.
    pub(super) fn say_eased(&self, shares: &BTreeMap<HandleKey, f64>, settled: &mut Settled) {
        for key in shares.keys() {
            settled.reasons.insert(*key, Reason::Contradicts);
            if settled.status == Status::Settled {
                settled.status = Status::Compromise;
            }
        }
    }
}
