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
use crate::method::live::{Live, LiveError, Play};
use crate::method::player::drawn;
use crate::method::report::Report;
use crate::method::stage::{Points, Scenery, Stage};
use crate::method::way::Way;
use crate::motion::Moving;
use crate::shot::{Edit, Goal, Handle, Shot};
use std::sync::{Arc, Mutex, PoisonError};
use supple_mesh::Vec3;
use supple_model::{Progress, VertexId};

/// Frames that tell where a motion goes.
const LOOKS: usize = 12;
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
    let mut keying = Keying::new(&bare, body.clone(), grounds.clone(), cache);
    keying.prepare(&bare.edit, progress).map_err(|error| told(&error))?;
    deliver(Box::new(keying));
    Ok(())
}

/// A motion of keys that is being edited.
struct Keying {
    stage: Arc<Stage>,
    shot: Shot,
    body: Arc<Body>,
    grounds: Arc<Mutex<Grounds>>,
    cache: Cache,
    /// What was asked last; nothing when that has to be done again.
    asked: Option<Edit>,
    /// What is wrong with each handle.
    problems: Vec<Option<String>>,
    /// What is wrong with all of it.
    trouble: Option<LiveError>,
    ready: Option<(Setup, Vec<Stretch>)>,
    /// The motion that was found, and what it was found for.
    settled: Option<Known>,
    /// The motion that is shown.
    shown: Option<Arc<Chain>>,
    hand: Option<Dragged>,
    rest: Arc<Points>,
}

/// A handle in the hand.
struct Dragged {
    /// Its place in the file, the first 0.
    place: usize,
    /// What it asked for when it was taken.
    taken: Goal,
}

impl Keying {
    fn new(shot: &Shot, body: Arc<Body>, grounds: Arc<Mutex<Grounds>>, cache: &Cache) -> Self {
        let stage = Stage {
            clock: shot.motion.clock(),
            modes: shot.edit.modes,
            wanted_modes: shot.edit.modes,
            ..Stage::of_body(body.clone(), Moving::Body, Scenery::around(shot, &body))
        };
        let rest = Arc::new(drawn(&body, &vec![0.0; 3 * body.positions().len()]));
        let mut stage = stage;
        stage.way = Way::of(1, 1, |_| rest.clone());
        Self {
            stage: Arc::new(stage),
            shot: shot.clone(),
            body,
            grounds,
            cache: cache.clone(),
            asked: None,
            problems: Vec::new(),
            trouble: None,
            ready: None,
            settled: None,
            shown: None,
            hand: None,
            rest,
        }
    }

    /// Prepares modes and what they are asked for; handles that cannot be are told, and left out.
    fn prepare(&mut self, edit: &Edit, progress: &Progress) -> Result<(), EditError> {
        let mut shot = self.shot.clone();
        shot.edit = edit.clone();
        self.problems = vec![None; edit.all_handles().count()];
        let mut grounds = self.grounds.lock().unwrap_or_else(PoisonError::into_inner);
        let mut stretches = stretches(&shot, &self.body, &mut grounds, &self.cache, progress)?;
        drop(grounds);
        let first = stretches.first().map_or(&[][..], |first| &first.ground.eigenvalues);
        let setup = Setup::new(&shot, self.body.clone(), first)?;
        for (index, stretch) in stretches.iter_mut().enumerate() {
            while let Err(error) = solving::check(&setup, stretch, index > 0) {
                let (number, problem) = match &error {
                    EditError::Handle { handle, problem } => (number_of(handle), problem.to_string()),
                    _ => return Err(error),
                };
                let Some(number) = number else { return Err(error) };
                self.problems[number as usize - 1] = Some(problem);
                stretch.handles.retain(|(other, _)| *other != number);
            }
        }
        self.ready = Some((setup, stretches));
        Ok(())
    }

    /// Shows a motion.
    fn show(&mut self, chain: Arc<Chain>) {
        let is_chain = chain.pieces.len() > 1;
        let ends = chain.begins.iter().zip(&chain.pieces).map(|(begin, piece)| begin + piece.length);
        let joints = if is_chain { std::iter::once(0.0).chain(ends).collect() } else { Vec::new() };
        if self.stage.clock != chain.clock || self.stage.joints != joints {
            let mut stage = Stage::clone(&self.stage);
            (stage.clock, stage.joints) = (chain.clock, joints);
            self.stage = Arc::new(stage);
        }
        self.shown = Some(chain);
    }

    /// Solves for the handle in the hand with another goal.
    fn follow_hand(&mut self, goal: Goal, progress: &Progress) -> Result<f64, LiveError> {
        let place = self.hand.as_ref().ok_or(LiveError::NothingDragged)?.place;
        let number = place as u32 + 1;
        let (setup, stretches) = self.ready.as_mut().ok_or(LiveError::NotYet)?;
        for stretch in &mut *stretches {
            for (_, handle) in stretch.handles.iter_mut().filter(|(other, _)| *other == number) {
                handle.goal = goal.clone();
            }
        }
        let mut quick = setup.clone();
        quick.settings.iterations = STEPS_PER_MOVE;
        let chain = Chain::solve(&quick, stretches, (self.settled.as_ref(), self.shown.as_deref()), progress);
        let chain = Arc::new(chain.map_err(|error| told(&error))?);
        let of_hand = |outcome: &super::piece::PartOutcome| outcome.asker == Asker::Handle(number);
        let outcomes = chain.pieces.iter().flat_map(|piece| piece.outcomes());
        let error = outcomes.filter(of_hand).map(|outcome| outcome.error).fold(0.0, f64::max) / setup.size;
        self.show(chain);
        Ok(error)
    }

    fn displacement(&self, frame: usize) -> Vec<f64> {
        let rest = self.body.positions();
        match &self.shown {
            Some(chain) => {
                let places = chain.positions(frame.min(chain.clock.frames - 1) as f64);
                places.iter().zip(rest).flat_map(|(x, rest)| (x - rest).data.0[0]).collect()
            }
            None => vec![0.0; 3 * rest.len()],
        }
    }
}

impl Play for Keying {
    fn points(&mut self, frame: usize) -> Points {
        drawn(&self.body, &self.displacement(frame))
    }

    fn input(&mut self, _: usize) -> Arc<Points> {
        self.rest.clone()
    }
}

impl Live for Keying {
    fn stage(&self) -> &Arc<Stage> {
        &self.stage
    }

    fn follow(&mut self, handles: &[Handle]) -> Vec<Option<String>> {
        let edit = Edit { handles: handles.to_vec(), ..self.shot.edit.clone() };
        self.ask(&edit)
    }

    fn ask(&mut self, edit: &Edit) -> Vec<Option<String>> {
        if self.asked.as_ref() != Some(edit) {
            self.trouble = None;
            if let Err(error) = self.prepare(edit, &Progress::silent()) {
                (self.trouble, self.ready) = (Some(told(&error)), None);
            }
            self.asked = Some(edit.clone());
        }
        self.problems.clone()
    }

    fn grab(&mut self, handle: usize, _: usize, _: &Progress) -> Result<(), LiveError> {
        if self.hand.is_some() {
            return Ok(());
        }
        let asked = self.asked.as_ref().and_then(|edit| edit.handle(handle)).ok_or(LiveError::NoHandle)?;
        if let Some(problem) = self.problems.get(handle).and_then(Clone::clone) {
            return Err(LiveError::Said(problem));
        }
        self.hand = Some(Dragged { place: handle, taken: asked.goal.clone() });
        Ok(())
    }

    fn drag(&mut self, shift: [f64; 3], progress: &Progress) -> Result<f64, LiveError> {
        let taken = self.hand.as_ref().ok_or(LiveError::NothingDragged)?.taken.clone();
        let goal = taken.shifted(shift).ok_or(LiveError::NothingDragged)?;
        self.follow_hand(goal, progress)
    }

    fn can_retarget(&self) -> bool {
        true
    }

    fn retarget(&mut self, goal: &Goal, progress: &Progress) -> Result<f64, LiveError> {
        self.follow_hand(goal.clone(), progress)
    }

    fn refresh(&mut self, _: &Progress) -> Result<(), LiveError> {
        Ok(())
    }

    fn put_down(&mut self) {
        self.hand = None;
        self.asked = None;
    }

    fn settle(&mut self, progress: &Progress) -> Result<(), LiveError> {
        if let Some(trouble) = &self.trouble {
            return Err(trouble.clone());
        }
        let (setup, stretches) = self.ready.as_ref().ok_or(LiveError::NotYet)?;
        let chain = Chain::solve(setup, stretches, (self.settled.as_ref(), None), progress);
        let chain = Arc::new(chain.map_err(|error| told(&error))?);
        self.settled =
            Some(Known { setup: setup.clone(), stretches: stretches.clone(), chain: chain.clone() });
        self.show(chain);
        let frames = self.stage.clock.frames;
        let way = Way::of(frames, LOOKS, |frame| Arc::new(self.points(frame)));
        self.stage = Arc::new(Stage { way, ..Stage::clone(&self.stage) });
        Ok(())
    }

    fn report(
        &mut self,
        progress: &Progress,
        between: &mut dyn FnMut(&mut dyn Play),
    ) -> Result<Report, LiveError> {
        if self.settled.is_none() {
            self.settle(progress)?;
        }
        let Some(Known { setup, chain, .. }) = &self.settled else { return Err(LiveError::NotYet) };
        let (setup, chain) = (setup.clone(), chain.clone());
        let mut told = Watching::new(&setup);
        for index in 0..chain.clock.frames {
            progress.check()?;
            told.see(index as f64, &chain.positions(index as f64));
            between(self);
        }
        Ok(told.report(&setup, &chain))
    }

    fn force_at(&mut self, _: u32) -> Vec<f64> {
        Vec::new()
    }

    fn moved_by(&mut self, vertex: u32, frame: usize) -> [f64; 3] {
        let u = self.displacement(frame);
        let of = |v: VertexId| Vec3::from_column_slice(&u[3 * v.index()..][..3]);
        let Some(skin) = &self.body.skin else { return of(VertexId(vertex)).into() };
        let row = skin.embedding.rows().nth(vertex as usize);
        let sum = row.map_or(Vec3::zeros(), |(corners, weights)| {
            corners.iter().zip(weights).map(|(v, weight)| of(*v) * *weight).sum()
        });
        sum.into()
    }
}

/// The number in the name of a handle.
fn number_of(handle: &str) -> Option<u32> {
    handle.strip_prefix("handle ")?.parse().ok()
}

/// What an error is to a window.
fn told(error: &EditError) -> LiveError {
    match error {
        EditError::Cancelled(_) => LiveError::Cancelled,
        error => LiveError::said(error),
    }
}
