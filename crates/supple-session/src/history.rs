//! What a document was, step by step: one owner of undo.
//!
//! A state is a whole shot behind an `Arc`, so that going back is to show another one, the same to the last bit. A
//! state keeps its [`Generation`] for life: what was computed for it is right again when undo comes back to it.

use std::collections::VecDeque;
use std::fmt::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use supple_project::Shot;

/// The most states that are kept.
const MOST_STATES: usize = 1000;
/// The most characters that all states together may have, printed.
const MOST_TEXT: usize = 64 << 20;

/// The name of one state of a document; no two states of any documents ever share one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Generation(pub u64);

impl Generation {
    /// A name no state has: a picture or a job of another document never passes for one of this.
    pub(crate) fn fresh() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

#[derive(Debug)]
struct State {
    /// What led here from the state before.
    step: String,
    shot: Arc<Shot>,
    generation: Generation,
    weight: usize,
}

/// States of a document, the current one among them.
#[derive(Debug)]
pub(crate) struct History {
    states: VecDeque<State>,
    at: usize,
    saved: Option<Generation>,
}

impl History {
    /// A history that begins with `shot`, as it is in a file unless `saved` is false.
    pub fn new(shot: Shot, saved: bool) -> Self {
        let generation = Generation::fresh();
        let state = State { step: String::new(), weight: weight(&shot), shot: Arc::new(shot), generation };
        Self { states: VecDeque::from([state]), at: 0, saved: saved.then_some(generation) }
    }

    pub fn shot(&self) -> &Arc<Shot> {
        &self.states[self.at].shot
    }

    pub fn generation(&self) -> Generation {
        self.states[self.at].generation
    }

    /// Goes on to a new state; what was undone is forgotten.
    pub fn push(&mut self, step: String, shot: Arc<Shot>, generation: Generation) {
        self.states.truncate(self.at + 1);
        self.states.push_back(State { step, weight: weight(&shot), shot, generation });
        self.at += 1;
        let mut total: usize = self.states.iter().map(|state| state.weight).sum();
        while self.at > 0 && (self.states.len() > MOST_STATES || total > MOST_TEXT) {
            total -= self.states.pop_front().map_or(0, |state| state.weight);
            self.at -= 1;
        }
    }

    pub fn undo(&mut self) -> bool {
        let can = self.at > 0;
        self.at -= usize::from(can);
        can
    }

    pub fn redo(&mut self) -> bool {
        let can = self.at + 1 < self.states.len();
        self.at += usize::from(can);
        can
    }

    /// The steps that can be undone, the last first.
    pub fn undoable(&self) -> impl Iterator<Item = &str> {
        self.states.iter().take(self.at + 1).skip(1).rev().map(|state| state.step.as_str())
    }

    /// The steps that can be done again, the next first.
    pub fn redoable(&self) -> impl Iterator<Item = &str> {
        self.states.iter().skip(self.at + 1).map(|state| state.step.as_str())
    }

    pub fn is_saved(&self) -> bool {
        self.saved == Some(self.generation())
    }

    /// The current state is in a file now, where it reads `shot`.
    pub fn mark_saved(&mut self, shot: Shot) {
        self.saved = Some(self.generation());
        self.states[self.at].shot = Arc::new(shot);
    }

    /// Makes another shot of every state, or of none if that fails for one.
    pub fn map<E>(&mut self, each: impl Fn(&Shot) -> Result<Shot, E>) -> Result<(), E> {
        let mapped: Vec<Shot> =
            self.states.iter().map(|state| each(&state.shot)).collect::<Result<_, E>>()?;
        for (state, shot) in self.states.iter_mut().zip(mapped) {
            state.shot = Arc::new(shot);
        }
        Ok(())
    }
}

/// How much room a shot takes, about: the characters it is printed with.
fn weight(shot: &Shot) -> usize {
    struct Count(usize);
    impl Write for Count {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0 += text.len();
            Ok(())
        }
    }
    let mut count = Count(0);
    // Counting cannot fail.
    let _ = write!(count, "{shot:?}");
    count.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use supple_model::VertexId;
    use supple_project::shot::{Anchor, Body, BodyKind};

    fn shot(vertices: u32) -> Shot {
        let mut body = Body::new(BodyKind::Solid, "a.msh");
        body.anchors = vec![Anchor::Vertices((0..vertices).map(VertexId).collect())];
        Shot::new(std::path::Path::new("/p"), body).unwrap()
    }

    #[test]
    fn memory_is_bounded_and_the_newest_stay() {
        let mut history = History::new(shot(0), true);
        for k in 0..2 * MOST_STATES {
            let generation = Generation::fresh();
            history.push(format!("{k}"), Arc::new(shot(1)), generation);
        }
        assert_eq!(history.undoable().count(), MOST_STATES - 1);
        assert_eq!(history.undoable().next(), Some("1999"));
        while history.undo() {}
        assert!(!history.is_saved(), "what was saved is forgotten");
        let large = weight(&shot(1 << 20));
        let mut history = History::new(shot(0), true);
        for _ in 0..20 {
            let generation = Generation::fresh();
            history.push("large".into(), Arc::new(shot(1 << 20)), generation);
        }
        assert!(large > MOST_TEXT / 20, "{large}");
        assert!(history.states.len() * large <= MOST_TEXT + large, "{}", history.states.len());
    }
}
