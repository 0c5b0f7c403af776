//! A motion that is found anew from what is asked at a few frames, in the window: what all such methods do alike.
//!
//! ```text
//! ask      → what it takes is made ready; what is asked again is answered as before           [KeyMotion::prepare]
//! settle   → the motion is found, and every motion on the way can be looked at                  [KeyMotion::solve]
//! points   → rest, and how far the motion that is shown is from there                    [KeyMotion::displacement]
//! ```

use super::error::EditError;
use super::live::{Iterate, Live, LiveError, Play, Shove};
use super::player::drawn;
use super::report::Report;
use super::stage::{Points, Stage};
use super::way::Way;
use crate::Cache;
use crate::body::Body;
use crate::motion::Moving;
use crate::scenery::Scenery;
use crate::shot::{Edit, Goal, Handle, Shot};
use std::sync::Arc;
use supple_mesh::Vec3;
use supple_model::{Clock, Progress, VertexId};

/// Frames that tell where a motion goes.
const LOOKS: usize = 12;

/// What is wrong with each handle.
pub(super) type Problems = Vec<Option<String>>;

/// How a method finds such a motion.
pub(super) trait KeyMotion: Send + Sized + 'static {
    /// Makes ready what is asked; answers what is wrong with each handle.
    fn prepare(&mut self, scene: &Scene, edit: &Edit, progress: &Progress) -> Result<Problems, EditError>;

    /// Finds the motion that was made ready, and [shows](KeyLive::show) it.
    fn solve(
        live: &mut KeyLive<Self>,
        progress: &Progress,
        look: &mut dyn FnMut(&mut dyn Live),
    ) -> Result<(), LiveError>;

    /// When the frames are of the motion that is shown, and the times at which its parts meet if it has several; none at rest.
    fn span(&self) -> Option<(Clock, Vec<f64>)>;

    /// How far vertices are from rest in a frame of it, three numbers each; none at rest.
    fn displacement(&self, scene: &Scene, frame: usize) -> Option<Vec<f64>>;

    /// What the motion that was found comes to; none before there is one.
    fn report(
        live: &mut KeyLive<Self>,
        progress: &Progress,
        between: &mut dyn FnMut(&mut dyn Play),
    ) -> Option<Result<Report, LiveError>>;

    /// How far the motion is that is shown.
    fn iterate(&self) -> Option<Iterate> {
        None
    }

    /// Takes a handle in the hand, and what it asked for until now.
    fn grab(&mut self, handle: usize, asked: Option<&Handle>) -> Result<(), LiveError>;

    /// The goal of what is in the hand, moved.
    fn moved(&self, _shift: [f64; 3]) -> Option<Goal> {
        None
    }

    /// Follows the hand.
    fn follow_hand(_live: &mut KeyLive<Self>, _goal: Goal, _progress: &Progress) -> Result<f64, LiveError> {
        Err(LiveError::NothingDragged)
    }

    /// How far vertices of the motion are from rest in a frame, pushed since the last one that was asked for.
    fn push(_live: &mut KeyLive<Self>, _frame: usize, _shove: Option<&Shove>) -> Result<Vec<f64>, LiveError> {
        Err(LiveError::NotPushed)
    }

    /// Whether a hand is followed at all.
    fn has_hand() -> bool {
        false
    }

    /// Opens the hand.
    fn put_down(&mut self) {}
}

/// What a motion is of.
pub(super) struct Scene {
    pub shot: Shot,
    pub body: Arc<Body>,
    pub cache: Cache,
}

/// A motion of keys that is being edited.
pub(super) struct KeyLive<M> {
    pub scene: Scene,
    pub own: M,
    stage: Arc<Stage>,
    rest: Arc<Points>,
    /// What was asked last, and the answer; nothing when that has to be done again.
    asked: Option<(Edit, Result<Problems, LiveError>)>,
}

impl<M: KeyMotion> KeyLive<M> {
    /// Nothing is asked yet: it rests.
    pub fn new(scene: Scene, modes: usize, own: M) -> Self {
        let Scene { shot, body, .. } = &scene;
        let rest = Arc::new(drawn(body, &vec![0.0; 3 * body.positions().len()]));
        let stage = Stage {
            clock: shot.motion.clock(),
            modes,
            wanted_modes: modes,
            way: Way::of(1, 1, |_| rest.clone()),
            ..Stage::of_body(body.clone(), Moving::Body, Scenery::around(shot, body))
        };
        Self { scene, own, stage: Arc::new(stage), rest, asked: None }
    }

    /// Says what there is to see of the motion that is shown now.
    pub fn show(&mut self) {
        let Some((clock, joints)) = self.own.span() else { return };
        if self.stage.clock != clock || self.stage.joints != joints {
            self.stage = Arc::new(Stage { clock, joints, ..Stage::clone(&self.stage) });
        }
    }

    fn displacement(&self, frame: usize) -> Vec<f64> {
        let moved = self.own.displacement(&self.scene, frame);
        moved.unwrap_or_else(|| vec![0.0; 3 * self.scene.body.positions().len()])
    }
}

impl<M: KeyMotion> Play for KeyLive<M> {
    fn points(&mut self, frame: usize) -> Points {
        drawn(&self.scene.body, &self.displacement(frame))
    }

    fn input(&mut self, _: usize) -> Arc<Points> {
        self.rest.clone()
    }
}

impl<M: KeyMotion> Live for KeyLive<M> {
    fn stage(&self) -> &Arc<Stage> {
        &self.stage
    }

    fn ask(&mut self, edit: &Edit, progress: &Progress) -> Result<Problems, LiveError> {
        if let Some((asked, answer)) = &self.asked
            && asked == edit
        {
            return answer.clone();
        }
        self.asked = None;
        let answer = self.own.prepare(&self.scene, edit, progress).map_err(|error| LiveError::of(&error));
        // What was cancelled is done again when it is asked again.
        if answer != Err(LiveError::Cancelled) {
            self.asked = Some((edit.clone(), answer.clone()));
        }
        answer
    }

    fn grab(&mut self, handle: usize, _: usize, _: &Progress) -> Result<(), LiveError> {
        let problem = match &self.asked {
            Some((_, Ok(problems))) => problems.get(handle).cloned().flatten(),
            _ => None,
        };
        if let Some(problem) = problem {
            return Err(LiveError::Said(problem));
        }
        self.own.grab(handle, self.asked.as_ref().and_then(|(edit, _)| edit.handle(handle)))
    }

    fn drag(&mut self, shift: [f64; 3], progress: &Progress) -> Result<f64, LiveError> {
        let goal = self.own.moved(shift).ok_or(LiveError::NothingDragged)?;
        M::follow_hand(self, goal, progress)
    }

    fn can_retarget(&self) -> bool {
        M::has_hand()
    }

    fn retarget(&mut self, goal: &Goal, progress: &Progress) -> Result<f64, LiveError> {
        M::follow_hand(self, goal.clone(), progress)
    }

    fn push(&mut self, frame: usize, shove: Option<&Shove>) -> Result<Points, LiveError> {
        let u = M::push(self, frame, shove)?;
        Ok(drawn(&self.scene.body, &u))
    }

    fn refresh(&mut self, _: &Progress) -> Result<(), LiveError> {
        Ok(())
    }

    fn put_down(&mut self) {
        self.own.put_down();
        self.asked = None;
    }

    fn settle(&mut self, progress: &Progress) -> Result<(), LiveError> {
        self.settle_watched(progress, &mut |_| {})
    }

    fn settle_watched(
        &mut self,
        progress: &Progress,
        look: &mut dyn FnMut(&mut dyn Live),
    ) -> Result<(), LiveError> {
        if let Some((_, Err(trouble))) = &self.asked {
            return Err(trouble.clone());
        }
        M::solve(self, progress, look)?;
        let frames = self.stage.clock.frames;
        let way = Way::of(frames, LOOKS, |frame| Arc::new(self.points(frame)));
        self.stage = Arc::new(Stage { way, ..Stage::clone(&self.stage) });
        Ok(())
    }

    fn iterate(&self) -> Option<Iterate> {
        self.own.iterate()
    }

    fn report(
        &mut self,
        progress: &Progress,
        between: &mut dyn FnMut(&mut dyn Play),
    ) -> Result<Report, LiveError> {
        match M::report(self, progress, between) {
            Some(report) => report,
            None => {
                self.settle(progress)?;
                M::report(self, progress, between)
                    .unwrap_or_else(|| Ok(Report::of_status(supple_model::Status::Settled)))
            }
        }
    }

    fn force_at(&mut self, _: u32) -> Vec<f64> {
        Vec::new()
    }

    fn moved_by(&mut self, vertex: u32, frame: usize) -> [f64; 3] {
        let u = self.displacement(frame);
        let of = |v: VertexId| Vec3::from_column_slice(&u[3 * v.index()..][..3]);
        let Some(skin) = &self.scene.body.skin else { return of(VertexId(vertex)).into() };
        let row = skin.embedding.rows().nth(vertex as usize);
        let sum = row.map_or(Vec3::zeros(), |(corners, weights)| {
            corners.iter().zip(weights).map(|(v, weight)| of(*v) * *weight).sum()
        });
        sum.into()
    }
}
