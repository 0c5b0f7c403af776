//! A controlled motion in the window: poses are asked for, the motion is solved from the changed segment on, and every
//! motion on the way can be looked at.

use super::chain::{Chain, Known, Shown};
use super::error::ControlError;
use super::report::Watching;
use super::setup::Setup;
use super::stretch::{Stretch, stretches};
use crate::Cache;
use crate::body::Body;
use crate::method::error::EditError;
use crate::method::live::{Iterate, Live, LiveError, Play};
use crate::method::player::drawn;
use crate::method::report::Report;
use crate::method::stage::{Points, Scenery, Stage};
use crate::method::way::Way;
use crate::motion::Moving;
use crate::shot::{Edit, Handle, Shot};
use std::sync::Arc;
use supple_mesh::Vec3;
use supple_model::{Progress, VertexId};

/// Frames that tell where a motion goes.
const LOOKS: usize = 12;

/// Opens a shot for the window.
pub(in crate::method) fn open(
    shot: &Shot,
    body: &Arc<Body>,
    cache: &Cache,
    deliver: &mut dyn FnMut(Box<dyn Live>),
) -> Result<(), LiveError> {
    let settings = shot.edit.control_settings().map_err(|error| LiveError::said(&error))?;
    let stage = Stage {
        clock: shot.motion.clock(),
        // Those of the basis are known when it is made; the motion can be edited before.
        modes: settings.basis.modes.max(1),
        wanted_modes: settings.basis.modes.max(1),
        ..Stage::of_body(body.clone(), Moving::Body, Scenery::around(shot, body))
    };
    let rest = Arc::new(drawn(body, &vec![0.0; 3 * body.positions().len()]));
    let stage = Stage { way: Way::of(1, 1, |_| rest.clone()), ..stage };
    deliver(Box::new(Steering {
        stage: Arc::new(stage),
        shot: shot.clone(),
        body: body.clone(),
        cache: cache.clone(),
        asked: None,
        handles: 0,
        trouble: None,
        ready: None,
        settled: None,
        shown: None,
        rest,
    }));
    Ok(())
}

/// A controlled motion that is being edited.
struct Steering {
    stage: Arc<Stage>,
    shot: Shot,
    body: Arc<Body>,
    cache: Cache,
    /// What was asked last.
    asked: Option<Edit>,
    /// How many handles were asked for, each of them in vain.
    handles: usize,
    /// What is wrong with all of it.
    trouble: Option<LiveError>,
    ready: Option<(Setup, Vec<Stretch>)>,
    /// The motion that was found, and what it was found for.
    settled: Option<Known>,
    /// The motion that is shown.
    shown: Option<Shown>,
    rest: Arc<Points>,
}

impl Steering {
    /// Finds the poses that are asked for; a motion without any rests.
    fn prepare(&mut self, edit: &Edit) -> Result<(), EditError> {
        let mut shot = self.shot.clone();
        shot.edit = edit.clone();
        shot.edit.handles.clear();
        shot.edit.segments.iter_mut().for_each(|segment| segment.handles.clear());
        let silent = Progress::silent();
        let setup = Setup::new(&shot, &self.body, &self.cache, &silent)?;
        let stretches = stretches(&shot, &self.body, &self.cache, &silent)?;
        self.ready = Some((setup, stretches));
        Ok(())
    }

    /// Shows a motion.
    fn show(&mut self, shown: Shown) {
        let is_chain = shown.parts.len() > 1;
        let ends = shown.parts.iter().map(|part| (part.begin + part.frames()) as f64);
        let joints = if is_chain { std::iter::once(0.0).chain(ends).collect() } else { Vec::new() };
        if self.stage.clock != shown.clock || self.stage.joints != joints {
            let mut stage = Stage::clone(&self.stage);
            (stage.clock, stage.joints) = (shown.clock, joints);
            self.stage = Arc::new(stage);
        }
        self.shown = Some(shown);
    }

    fn displacement(&self, frame: usize) -> Vec<f64> {
        match &self.shown {
            Some(shown) => shown.displacement(frame.min(shown.clock.frames - 1) as f64),
            None => vec![0.0; 3 * self.body.positions().len()],
        }
    }

    /// Solves, and shows every motion on the way.
    fn solve(&mut self, progress: &Progress, look: &mut dyn FnMut(&mut dyn Live)) -> Result<(), LiveError> {
        if let Some(trouble) = &self.trouble {
            return Err(trouble.clone());
        }
        let (setup, stretches) = self.ready.take().ok_or(LiveError::NotYet)?;
        let known = self.settled.take();
        if stretches.iter().all(|stretch| stretch.poses.is_empty()) {
            // Nothing is asked for: it rests.
            (self.shown, self.ready) = (None, Some((setup, stretches)));
            return Ok(());
        }
        let before = self.shown.clone();
        let chain = Chain::solve(&setup, &stretches, known.as_ref(), progress, &mut |shown| {
            self.show(shown.clone());
            look(self);
        });
        self.ready = Some((setup.clone(), stretches.clone()));
        let chain = match chain {
            Ok(chain) => Arc::new(chain),
            Err(error) => {
                // Cancelled, nothing changes.
                (self.shown, self.settled) = (before, known);
                return Err(told(&error));
            }
        };
        self.show(chain.shown.clone());
        self.settled = Some(Known { setup, stretches, chain });
        let frames = self.stage.clock.frames;
        let way = Way::of(frames, LOOKS, |frame| Arc::new(self.points(frame)));
        self.stage = Arc::new(Stage { way, ..Stage::clone(&self.stage) });
        Ok(())
    }
}

impl Play for Steering {
    fn points(&mut self, frame: usize) -> Points {
        drawn(&self.body, &self.displacement(frame))
    }

    fn input(&mut self, _: usize) -> Arc<Points> {
        self.rest.clone()
    }
}

impl Live for Steering {
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
            if let Err(error) = self.prepare(edit) {
                (self.trouble, self.ready) = (Some(told(&error)), None);
            }
            self.handles = edit.all_handles().count();
            self.asked = Some(edit.clone());
        }
        (1..=self.handles).map(|handle| Some(ControlError::Handle { handle }.to_string())).collect()
    }

    fn grab(&mut self, handle: usize, _: usize, _: &Progress) -> Result<(), LiveError> {
        Err(LiveError::said(&ControlError::Handle { handle: handle + 1 }))
    }

    fn drag(&mut self, _: [f64; 3], _: &Progress) -> Result<f64, LiveError> {
        Err(LiveError::NothingDragged)
    }

    fn refresh(&mut self, _: &Progress) -> Result<(), LiveError> {
        Ok(())
    }

    fn put_down(&mut self) {
        self.asked = None;
    }

    fn settle(&mut self, progress: &Progress) -> Result<(), LiveError> {
        self.solve(progress, &mut |_| {})
    }

    fn settle_watched(
        &mut self,
        progress: &Progress,
        look: &mut dyn FnMut(&mut dyn Live),
    ) -> Result<(), LiveError> {
        self.solve(progress, look)
    }

    fn iterate(&self) -> Option<Iterate> {
        self.shown.as_ref()?.iterate
    }

    fn report(
        &mut self,
        progress: &Progress,
        between: &mut dyn FnMut(&mut dyn Play),
    ) -> Result<Report, LiveError> {
        if self.settled.is_none() {
            self.settle(progress)?;
        }
        let Some(Known { setup, chain, .. }) = &self.settled else {
            return Ok(Report::of_status(supple_model::Status::Settled));
        };
        let (setup, chain) = (setup.clone(), chain.clone());
        let mut told = Watching::new(&setup, &chain);
        for index in 0..chain.shown.clock.frames {
            progress.check()?;
            told.see(index, &chain.shown.displacement(index as f64));
            between(self);
        }
        Ok(told.report(&chain))
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

/// What an error is to a window.
fn told(error: &EditError) -> LiveError {
    match error {
        EditError::Cancelled(_) => LiveError::Cancelled,
        error => LiveError::said(error),
    }
}
