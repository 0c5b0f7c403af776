//! A motion of keys in the window: what is asked changes, and the motion is solved from the changed segment on.
//!
//! A handle in the hand is solved for from where the motion is, a few steps for every move; let go, the motion is found
//! anew, so that it depends on nothing but what is asked.

use super::chain::{Chain, Known};
use super::ground::Grounds;
use super::part::Asker;
use super::report::Watching;
use super::setup::Setup;
use super::solving;
use super::stretch::{Stretch, stretches};
use crate::Cache;
use crate::body::Body;
use crate::method::error::EditError;
use crate::method::key_live::{KeyLive, KeyMotion, Problems, Scene};
use crate::method::live::{Live, LiveError, Play};
use crate::method::report::Report;
use crate::shot::{Edit, Goal, Handle, Shot};
use std::sync::{Arc, Mutex, PoisonError};
use supple_model::{Clock, Progress};

/// Steps of the solver for a move of the hand.
const STEPS_PER_MOVE: usize = 6;

/// Opens a shot for a hand.
pub(in crate::method) fn open(
    shot: &Shot,
    body: &Arc<Body>,
    grounds: &Arc<Mutex<Grounds>>,
    cache: &Cache,
    progress: &Progress,
    deliver: &mut dyn FnMut(Box<dyn Live>),
) -> Result<(), LiveError> {
    let mut bare = shot.clone();
    bare.edit.handles.clear();
    bare.edit.poses.clear();
    bare.edit.segments.clear();
    let edit = bare.edit.clone();
    let scene = Scene { shot: bare, body: body.clone(), cache: cache.clone() };
    let mut own = Keying { grounds: grounds.clone(), ready: None, settled: None, shown: None, hand: None };
    own.prepare(&scene, &edit, progress).map_err(|error| LiveError::of(&error))?;
    deliver(Box::new(KeyLive::new(scene, edit.modes, own)));
    Ok(())
}

/// A motion of keys that is being edited.
struct Keying {
    grounds: Arc<Mutex<Grounds>>,
    ready: Option<(Setup, Vec<Stretch>)>,
    /// The motion that was found, and what it was found for.
    settled: Option<Known>,
    /// The motion that is shown.
    shown: Option<Arc<Chain>>,
    hand: Option<Dragged>,
}

/// A handle in the hand.
struct Dragged {
    /// Its place in the file, the first 0.
    place: usize,
    /// What it asked for when it was taken.
    taken: Goal,
}

impl KeyMotion for Keying {
    /// Prepares modes and what they are asked for; handles that cannot be are told, and left out.
    fn prepare(&mut self, scene: &Scene, edit: &Edit, progress: &Progress) -> Result<Problems, EditError> {
        self.ready = None;
        let mut shot = scene.shot.clone();
        shot.edit = edit.clone();
        let mut problems = vec![None; edit.all_handles().count()];
        let mut grounds = self.grounds.lock().unwrap_or_else(PoisonError::into_inner);
        let mut stretches = stretches(&shot, &scene.body, &mut grounds, &scene.cache, progress)?;
        drop(grounds);
        let first = stretches.first().map_or(&[][..], |first| &first.ground.eigenvalues);
        let setup = Setup::new(&shot, scene.body.clone(), first)?;
        for (index, stretch) in stretches.iter_mut().enumerate() {
            while let Err(error) = solving::check(&setup, stretch, index > 0) {
                let (number, problem) = match &error {
                    EditError::Handle { handle, problem } => (number_of(handle), problem.to_string()),
                    _ => return Err(error),
                };
                let Some(number) = number else { return Err(error) };
                problems[number as usize - 1] = Some(problem);
                stretch.handles.retain(|(other, _)| *other != number);
            }
        }
        self.ready = Some((setup, stretches));
        Ok(problems)
    }

    fn solve(
        live: &mut KeyLive<Self>,
        progress: &Progress,
        _: &mut dyn FnMut(&mut dyn Live),
    ) -> Result<(), LiveError> {
        let (setup, stretches) = live.own.ready.as_ref().ok_or(LiveError::NotYet)?;
        let chain = Chain::solve(setup, stretches, (live.own.settled.as_ref(), None), progress);
        let chain = Arc::new(chain.map_err(|error| LiveError::of(&error))?);
        live.own.settled =
            Some(Known { setup: setup.clone(), stretches: stretches.clone(), chain: chain.clone() });
        live.own.shown = Some(chain);
        live.show();
        Ok(())
    }

    fn span(&self) -> Option<(Clock, Vec<f64>)> {
        let chain = self.shown.as_ref()?;
        let ends = chain.begins.iter().zip(&chain.pieces).map(|(begin, piece)| begin + piece.length);
        let is_chain = chain.pieces.len() > 1;
        Some((chain.clock, if is_chain { std::iter::once(0.0).chain(ends).collect() } else { Vec::new() }))
    }

    fn displacement(&self, scene: &Scene, frame: usize) -> Option<Vec<f64>> {
        let chain = self.shown.as_ref()?;
        let places = chain.positions(frame.min(chain.clock.frames - 1) as f64);
        Some(places.iter().zip(scene.body.positions()).flat_map(|(x, rest)| (x - rest).data.0[0]).collect())
    }

    fn report(
        live: &mut KeyLive<Self>,
        progress: &Progress,
        between: &mut dyn FnMut(&mut dyn Play),
    ) -> Option<Result<Report, LiveError>> {
        let Known { setup, chain, .. } = live.own.settled.as_ref()?;
        let (setup, chain) = (setup.clone(), chain.clone());
        let mut told = Watching::new(&setup);
        for index in 0..chain.clock.frames {
            if let Err(cancelled) = progress.check() {
                return Some(Err(cancelled.into()));
            }
            told.see(index as f64, &chain.positions(index as f64));
            between(live);
        }
        Some(Ok(told.report(&setup, &chain)))
    }

    fn grab(&mut self, handle: usize, asked: Option<&Handle>) -> Result<(), LiveError> {
        if self.hand.is_none() {
            let asked = asked.ok_or(LiveError::NoHandle)?;
            self.hand = Some(Dragged { place: handle, taken: asked.goal.clone() });
        }
        Ok(())
    }

    fn moved(&self, shift: [f64; 3]) -> Option<Goal> {
        self.hand.as_ref()?.taken.shifted(shift)
    }

    /// Solves for the handle in the hand with another goal.
    fn follow_hand(live: &mut KeyLive<Self>, goal: Goal, progress: &Progress) -> Result<f64, LiveError> {
        let own = &mut live.own;
        let number = own.hand.as_ref().ok_or(LiveError::NothingDragged)?.place as u32 + 1;
        let (setup, stretches) = own.ready.as_mut().ok_or(LiveError::NotYet)?;
        for stretch in &mut *stretches {
            for (_, handle) in stretch.handles.iter_mut().filter(|(other, _)| *other == number) {
                handle.goal = goal.clone();
            }
        }
        let mut quick = setup.clone();
        quick.settings.iterations = STEPS_PER_MOVE;
        let chain = Chain::solve(&quick, stretches, (own.settled.as_ref(), own.shown.as_deref()), progress);
        let chain = Arc::new(chain.map_err(|error| LiveError::of(&error))?);
        let of_hand = |outcome: &super::piece::PartOutcome| outcome.asker == Asker::Handle(number);
        let outcomes = chain.pieces.iter().flat_map(|piece| piece.outcomes());
        let error = outcomes.filter(of_hand).map(|outcome| outcome.error).fold(0.0, f64::max) / setup.size;
        own.shown = Some(chain);
        live.show();
        Ok(error)
    }

    fn has_hand() -> bool {
        true
    }

    fn put_down(&mut self) {
        self.hand = None;
    }
}

/// The number in the name of a handle.
fn number_of(handle: &str) -> Option<u32> {
    handle.strip_prefix("handle ")?.parse().ok()
}
