//! A controlled motion in the window: poses are asked for, the motion is solved from the changed segment on, and every
//! motion on the way can be looked at.

use super::chain::{Chain, Known, Shown};
use super::error::ControlError;
use super::pushed::Pushed;
use super::report::Watching;
use super::setup::Setup;
use super::stretch::{Stretch, stretches};
use crate::Cache;
use crate::body::Body;
use crate::method::error::EditError;
use crate::method::key_live::{KeyLive, KeyMotion, Problems, Scene};
use crate::method::live::{Iterate, Live, LiveError, Play, Shove};
use crate::method::report::Report;
use crate::shot::{Edit, Handle, Shot};
use std::sync::Arc;
use supple_model::{Clock, Progress};

/// Opens a shot for the window.
pub(in crate::method) fn open(
    shot: &Shot,
    body: &Arc<Body>,
    cache: &Cache,
    deliver: &mut dyn FnMut(Box<dyn Live>),
) -> Result<(), LiveError> {
    let settings = shot.edit.control_settings().map_err(|error| LiveError::said(&error))?;
    let scene = Scene { shot: shot.clone(), body: body.clone(), cache: cache.clone() };
    // Those of the basis are known when it is made; the motion can be edited before.
    deliver(Box::new(KeyLive::new(scene, settings.basis.modes.max(1), Steering::default())));
    Ok(())
}

/// A controlled motion that is being edited.
#[derive(Default)]
struct Steering {
    ready: Option<(Setup, Vec<Stretch>)>,
    /// The motion that was found, and what it was found for.
    settled: Option<Known>,
    /// The motion that is shown.
    shown: Option<Shown>,
    /// The motion that was found, while it is pushed.
    pushed: Option<Pushed>,
}

impl KeyMotion for Steering {
    /// Finds the poses that are asked for; handles are asked for in vain.
    fn prepare(&mut self, scene: &Scene, edit: &Edit, progress: &Progress) -> Result<Problems, EditError> {
        self.ready = None;
        let mut shot = scene.shot.clone();
        shot.edit = edit.clone();
        shot.edit.handles.clear();
        shot.edit.segments.iter_mut().for_each(|segment| segment.handles.clear());
        let setup = Setup::new(&shot, &scene.body, &scene.cache, &progress.part(0.0, 0.2))?;
        let stretches = stretches(&shot, &scene.body, &scene.cache, &progress.part(0.2, 1.0))?;
        self.ready = Some((setup, stretches));
        let handles = 1..=edit.all_handles().count();
        Ok(handles.map(|handle| Some(ControlError::Handle { handle }.to_string())).collect())
    }

    /// Solves, and shows every motion on the way; a motion without poses rests.
    fn solve(
        live: &mut KeyLive<Self>,
        progress: &Progress,
        look: &mut dyn FnMut(&mut dyn Live),
    ) -> Result<(), LiveError> {
        let (setup, stretches) = live.own.ready.clone().ok_or(LiveError::NotYet)?;
        let known = live.own.settled.take();
        live.own.pushed = None;
        if stretches.iter().all(|stretch| stretch.poses.is_empty()) {
            live.own.shown = None;
            return Ok(());
        }
        let before = live.own.shown.clone();
        let chain = Chain::solve(&setup, &stretches, known.as_ref(), progress, &mut |shown| {
            live.own.shown = Some(shown.clone());
            live.show();
            look(live);
        });
        let chain = match chain {
            Ok(chain) => Arc::new(chain),
            Err(error) => {
                // Cancelled, nothing changes.
                (live.own.shown, live.own.settled) = (before, known);
                live.show();
                return Err(LiveError::of(&error));
            }
        };
        live.own.shown = Some(chain.shown.clone());
        live.own.settled = Some(Known { setup, stretches, chain });
        live.show();
        Ok(())
    }

    fn span(&self) -> Option<(Clock, Vec<f64>)> {
        let shown = self.shown.as_ref()?;
        let ends = shown.parts.iter().map(|part| (part.begin + part.frames()) as f64);
        let is_chain = shown.parts.len() > 1;
        Some((shown.clock, if is_chain { std::iter::once(0.0).chain(ends).collect() } else { Vec::new() }))
    }

    fn displacement(&self, _: &Scene, frame: usize) -> Option<Vec<f64>> {
        let shown = self.shown.as_ref()?;
        Some(shown.displacement(frame.min(shown.clock.frames - 1) as f64))
    }

    fn report(
        live: &mut KeyLive<Self>,
        progress: &Progress,
        between: &mut dyn FnMut(&mut dyn Play),
    ) -> Option<Result<Report, LiveError>> {
        let Known { setup, chain, .. } = live.own.settled.as_ref()?;
        let (setup, chain) = (setup.clone(), chain.clone());
        let mut told = Watching::new(&setup, &chain);
        for index in 0..chain.shown.clock.frames {
            if let Err(cancelled) = progress.check() {
                return Some(Err(cancelled.into()));
            }
            told.see(index, &chain.shown.displacement(index as f64));
            between(live);
        }
        Some(Ok(told.report(&chain)))
    }

    fn iterate(&self) -> Option<Iterate> {
        self.shown.as_ref()?.iterate
    }

    fn push(live: &mut KeyLive<Self>, frame: usize, shove: Option<&Shove>) -> Result<Vec<f64>, LiveError> {
        let own = &mut live.own;
        let known = own.settled.as_ref().ok_or(LiveError::NotYet)?;
        let pushed = own.pushed.get_or_insert_with(|| Pushed::begin(&known.chain, &live.scene.body, frame));
        if frame < pushed.frame() {
            pushed.rewind(frame);
        }
        pushed.go_on(frame, shove).map_err(|error| LiveError::of(&error))
    }

    fn grab(&mut self, handle: usize, _: Option<&Handle>) -> Result<(), LiveError> {
        Err(LiveError::said(&ControlError::Handle { handle: handle + 1 }))
    }
}
