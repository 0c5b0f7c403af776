//! Why a hard handle is not where it was asked to be.

use super::handles::HeldWish;
use super::limit::Limited;
use super::solver::Settled;
use super::{DragMethod, EditError, HandleKey};
use supple_model::Progress;
use supple_spacetime::{Hold, Status};

/// Handles that are tried alone at most, to tell what hinders them.
const ALONE: usize = 4;

/// Why a hard handle is not where it was asked to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The body does not reach there, or not without being stretched beyond the limit.
    OutOfReach,
    /// Other handles or contacts ask for something else.
    Contradicts,
}

impl DragMethod {
    /// Says in a settled edit which handles are not where they were asked to be, and why.
    pub(super) fn give_reasons(
        &self,
        limited: &[Limited],
        settled: &mut Settled,
        progress: &Progress,
    ) -> Result<(), EditError> {
        for limited in limited.iter().filter(|limited| limited.share < 1.0) {
            if settled.reasons.contains_key(&limited.key) {
                continue;
            }
            let by_handle = limited.by_handle && limited.share < limited.cap;
            let reason = if by_handle { Reason::Contradicts } else { Reason::OutOfReach };
            settled.reasons.insert(limited.key, reason);
            if settled.status == Status::Settled {
                settled.status = Status::Compromise;
            }
        }
        let unmet = self.handles.there.iter().filter(|(key, held)| {
            held.wishes.iter().any(|held| settled.unmet.contains(&held.id))
                && !settled.reasons.contains_key(key)
        });
        let unmet: Vec<HandleKey> = unmet.map(|(key, _)| *key).collect();
        for (number, key) in unmet.into_iter().enumerate() {
            let reason = self.hindrance(key, number, settled, progress)?;
            settled.reasons.insert(key, reason);
        }
        Ok(())
    }

    /// What keeps a handle from being met.
    fn hindrance(
        &self,
        key: HandleKey,
        number: usize,
        settled: &Settled,
        progress: &Progress,
    ) -> Result<Reason, EditError> {
        let is_hard = |held: &HeldWish| held.wish.hold == Hold::Hard;
        let hard = self.handles.there.values().filter(|held| held.wishes.iter().any(is_hard)).count();
        let own: Vec<_> = self.wishes_of(key).map(|held| held.id).collect();
        if hard < 2 {
            let touches = |held: &HeldWish| {
                !self.contacts.at(held.wish.frame).is_empty() || self.pressed.is_at(held.wish.frame)
            };
            let is_touching = self.wishes_of(key).any(touches);
            let is_left_out = own.iter().any(|id| settled.redundant.contains(id));
            let by_contacts = is_touching && is_left_out;
            return Ok(if by_contacts { Reason::Contradicts } else { Reason::OutOfReach });
        }
        let alone = number >= ALONE || progress.is_stopped() || self.solver.is_met_alone(&own, progress)?;
        Ok(if alone { Reason::Contradicts } else { Reason::OutOfReach })
    }
}
