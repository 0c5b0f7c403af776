//! Handles that hold on the warped motion, while they are dragged and after.
//!
//! The problem is that of [`crate::sqp`]: the least costly edit whose warped positions are where handles ask them to be.
//! An event of a drag goes on from where the last one ended, with the curvature learnt there: two iterations follow the
//! cursor. Letting go starts from nothing, so that what results depends on the handles there are and not on the way they
//! were dragged, makes sure that it ends in no saddle, and tries other starts where the edit found costs more than it
//! should ([`release`], [`starts`]).
//!
//! While a handle is in the hand ([`Drag::grab`], [`Drag::live_step`]) even two iterations are too much for a body with
//! many vertices and modes; then the edit moves along directions fixed when it was taken ([`broyden`]).
//!
//! Handles over many frames are solved for by products alone ([`wide`]): nothing grows with the square of the frames.

mod broyden;
mod release;
mod report;
mod settings;
mod starts;
mod wide;

pub use broyden::{LiveReport, LiveView};
pub use report::{DragReport, StartReport};
pub use settings::DragSettings;
pub use starts::StartPoint;
use supple_model::Status;

use crate::HandleId;
use crate::error::SpacetimeError;
use crate::kernel::MeanPath;
use crate::path::Path;
use crate::rows::Constraints;
use crate::sqp::{Grip, KnownEdit, Layout, Prior, Problem, State, Tangent, Vector, linearized};
use broyden::Broyden;
use release::Release;
use std::collections::BTreeMap;
use std::sync::Arc;
use supple_model::{Instant, Progress, Readout};
use wide::Wide;

/// Handles on a warped motion, and the edit that grants them.
///
/// The readout is handed in with every call and must stay the same one: sites may be added to it, those there are
/// must not change.
#[derive(Clone, Debug)]
pub struct Drag {
    prior: Prior,
    settings: DragSettings,
    handles: BTreeMap<HandleId, Grip>,
    layout: Arc<Layout>,
    state: State,
    /// Whether handles came or went since `layout` was made.
    is_stale: bool,
    /// Whether releases go on from where the edit is.
    goes_on: bool,
    /// The handles that are in the hand.
    hand: Vec<HandleId>,
    /// What a drag of these goes along, while it serves.
    live: Option<Broyden>,
}

impl Drag {
    /// No handles; kernel and contacts are those of `constraints`, whose own handles are not taken over.
    ///
    /// # Errors
    /// When the size or a tolerance is not positive.
    pub fn new(constraints: &Constraints, settings: DragSettings) -> Result<Self, SpacetimeError> {
        Self::over(constraints, None, settings)
    }

    /// The same of a motion that begins, ends and is loaded as `mean` says: handles are held by z̄ + u, u the least costly
    /// of all. Contacts are those of rows that were put [`Row::beside`](crate::Row::beside) it; what is reported as energy
    /// is what u costs.
    ///
    /// # Errors
    /// As [`Self::new`].
    ///
    /// # Panics
    /// When the two have not one kernel.
    pub fn beside(
        mean: MeanPath,
        constraints: &Constraints,
        settings: DragSettings,
    ) -> Result<Self, SpacetimeError> {
        assert!(Arc::ptr_eq(mean.kernel(), constraints.kernel()), "one kernel");
        Self::over(constraints, Some(Arc::new(mean)), settings)
    }

    fn over(
        constraints: &Constraints,
        mean: Option<Arc<MeanPath>>,
        settings: DragSettings,
    ) -> Result<Self, SpacetimeError> {
        settings.check()?;
        let (kernel, contacts) = (constraints.kernel().clone(), constraints.contacts().clone());
        let prior = Prior { kernel, contacts, mean };
        let handles = BTreeMap::new();
        let layout = Arc::new(Layout::new(prior.clone(), Vec::new(), settings.wide_from));
        let state = State::at(Vector::zero(layout.length()));
        let hand = Vec::new();
        Ok(Self {
            prior,
            settings,
            handles,
            layout,
            state,
            is_stale: false,
            goes_on: false,
            hand,
            live: None,
        })
    }

    /// The handles there are, in the order of their ids.
    pub fn handles(&self) -> impl Iterator<Item = (HandleId, &Grip)> {
        self.handles.iter().map(|(id, grip)| (*id, grip))
    }

    /// Adds a handle. The edit stays as it is until the next [`Self::step`] or [`Self::release`].
    ///
    /// # Errors
    /// When the id is taken, the frame is outside the window or at rest, or a number is not finite.
    pub fn add(&mut self, id: HandleId, grip: Grip) -> Result<(), SpacetimeError> {
        if self.handles.contains_key(&id) {
            return Err(SpacetimeError::HandleTaken(id));
        }
        grip.check(&self.prior.kernel, id)?;
        self.handles.insert(id, grip);
        (self.is_stale, self.live) = (true, None);
        Ok(())
    }

    /// Gives a handle another target; the coordinates asked for may be others, too.
    ///
    /// # Errors
    /// When there is no such handle, no coordinate is asked for, or a target is not finite.
    pub fn set_target(&mut self, id: HandleId, target: [Option<f64>; 3]) -> Result<(), SpacetimeError> {
        let grip = self.handles.get_mut(&id).ok_or(SpacetimeError::NoHandle(id))?;
        let moved = Grip { target, ..*grip };
        moved.check(&self.prior.kernel, id)?;
        if !moved.same_rows(grip) {
            (self.is_stale, self.live) = (true, None);
        }
        *grip = moved;
        if !self.is_stale {
            Arc::make_mut(&mut self.layout).retarget(id, target);
        }
        Ok(())
    }

    /// Removes a handle. The edit stays as it is until the next [`Self::step`] or [`Self::release`].
    ///
    /// # Errors
    /// When there is no such handle.
    pub fn remove(&mut self, id: HandleId) -> Result<(), SpacetimeError> {
        self.handles.remove(&id).ok_or(SpacetimeError::NoHandle(id))?;
        (self.is_stale, self.live) = (true, None);
        Ok(())
    }

    /// A few iterations from where the last ones ended: what one event of a drag asks for.
    ///
    /// # Errors
    /// When the readout has other modes, lacks a site or is not finite, or the caller cancels; then nothing changes.
    pub fn step(&mut self, readout: &dyn Readout, progress: &Progress) -> Result<DragReport, SpacetimeError> {
        self.iterate(self.settings.drag_iterations, readout, progress)
    }

    /// At most so many iterations from where the last ones ended, to the tolerance of a drag.
    fn iterate(
        &mut self,
        iterations: usize,
        readout: &dyn Readout,
        progress: &Progress,
    ) -> Result<DragReport, SpacetimeError> {
        self.check(readout)?;
        let (layout, mut state) = if self.is_stale {
            let layout = self.fresh_layout();
            let mut state = State::at(layout.adopt(&self.layout, &self.state.edit.dual));
            if let Some(tangent) =
                self.state.tangent.as_ref().filter(|_| !layout.is_wide() && layout.extends(&self.layout))
            {
                // Nothing has moved: only handles that came have to be read.
                let known = tangent.readings(&self.layout, &layout);
                let reading = linearized(&layout, readout, &state.edit.primal, known)?;
                state.tangent = Some(Arc::new(Tangent::of(&layout, reading)));
            }
            (layout, state)
        } else {
            (self.layout.clone(), self.state.clone())
        };
        let tolerance = self.settings.drag;
        let problem = Problem { layout: &layout, readout, size: self.settings.size };
        let report = if layout.is_wide() {
            Wide::new(problem, tolerance, progress).solve(&mut state, iterations)?
        } else {
            let outcome = problem.solve(&mut state, tolerance, iterations, progress)?;
            DragReport::of(&problem, &mut state, outcome, tolerance)?
        };
        self.accept(layout, state);
        Ok(report)
    }

    /// The edit as it is, for another to go on from.
    #[must_use]
    pub fn known(&self) -> KnownEdit {
        KnownEdit { layout: self.layout.clone(), dual: self.state.edit.dual.clone() }
    }

    /// Releases go on from an edit with the same kernel, as far as it has the same handles, until handles come or go or
    /// [`Self::begin_anew`]: that of a problem of whose contacts some are other ones, or whose handles are read otherwise.
    ///
    /// # Panics
    /// When the edit has another number of modes.
    pub fn go_on_from(&mut self, known: &KnownEdit) {
        assert_eq!(known.layout.modes, self.prior.kernel.modes(), "an edit of as many modes");
        let layout = self.fresh_layout();
        let state = State::at(layout.adopt(&known.layout, &known.dual));
        self.accept(layout, state);
        self.goes_on = true;
    }

    /// Releases begin with nothing again.
    pub fn begin_anew(&mut self) {
        self.goes_on = false;
    }

    /// Solves from nothing to the tolerance of a release: the result depends on the handles there are, on kernel,
    /// contacts and readout, and on nothing else but the edit of [`Self::go_on_from`].
    ///
    /// # Errors
    /// As [`Self::step`].
    pub fn release(
        &mut self,
        readout: &dyn Readout,
        progress: &Progress,
    ) -> Result<DragReport, SpacetimeError> {
        self.check(readout)?;
        let goes_on = self.goes_on && !self.is_stale;
        let layout = if goes_on { self.layout.clone() } else { self.fresh_layout() };
        let problem = Problem { layout: &layout, readout, size: self.settings.size };
        let begin = || if goes_on { self.state.edit.clone() } else { Vector::zero(layout.length()) };
        let (state, report) = if layout.is_wide() {
            let mut state = State::at(begin());
            let wide = Wide::new(problem, self.settings.release, progress);
            let report = wide.solve(&mut state, self.settings.release_iterations)?;
            (state, report)
        } else {
            let release = Release { problem, settings: &self.settings };
            if goes_on { release.go_on(begin(), progress)? } else { release.solve(progress)? }
        };
        self.accept(layout, state);
        Ok(report)
    }

    /// Takes handles in the hand: a [`Self::step`], and then what [`Self::live_step`] goes along is prepared, which is a
    /// pass over all modes. Moving other handles than these is less exact when there are many.
    ///
    /// # Errors
    /// When there is no such handle, and as [`Self::step`].
    pub fn grab(
        &mut self,
        hand: &[HandleId],
        readout: &dyn Readout,
        progress: &Progress,
    ) -> Result<DragReport, SpacetimeError> {
        if let Some(id) = hand.iter().find(|id| !self.handles.contains_key(id)) {
            return Err(SpacetimeError::NoHandle(*id));
        }
        self.take(hand, self.settings.drag_iterations, readout, progress)
    }

    /// Iterates, and prepares what live steps go along.
    fn take(
        &mut self,
        hand: &[HandleId],
        iterations: usize,
        readout: &dyn Readout,
        progress: &Progress,
    ) -> Result<DragReport, SpacetimeError> {
        self.hand = hand.to_vec();
        let report = self.iterate(iterations, readout, progress)?;
        if self.layout.is_wide() {
            // Directions of all rows would be as many as there are frames, each over all of them.
            return Ok(report);
        }
        let problem = Problem { layout: &self.layout, readout, size: self.settings.size };
        let tangent = problem.tangent(&mut self.state)?;
        self.live = Broyden::new(self.layout.clone(), readout, &self.state, &tangent, hand);
        Ok(report)
    }

    /// What one event of a drag asks for after [`Self::grab`], without a pass over all modes: handles are held as
    /// exactly as by [`Self::step`], at a cost that grows as the body turns away from where it was grabbed. Where
    /// that is too far the step is a full one and the handles are grabbed again.
    ///
    /// # Errors
    /// As [`Self::step`].
    pub fn live_step(
        &mut self,
        readout: &dyn Readout,
        progress: &Progress,
    ) -> Result<LiveReport, SpacetimeError> {
        progress.check()?;
        self.check(readout)?;
        let mut looks = 0;
        let before = (self.state.clone(), self.live.clone());
        if let Some(live) = self.live.clone() {
            let (report, serves) = self.follow(live, readout);
            if serves {
                return Ok(report);
            }
            looks = report.looks;
        }
        let hand: Vec<HandleId> =
            self.hand.iter().copied().filter(|id| self.handles.contains_key(id)).collect();
        let iterations = self.settings.refresh_iterations;
        let full = self.take(&hand, iterations, readout, progress);
        let full = full.inspect_err(|_| (self.state, self.live) = before)?;
        let (errors, energy) = (full.errors.clone(), full.energy);
        let mut report = LiveReport { errors, looks: 0, bend: 0.0, energy, is_worn: false, refreshed: None };
        if let Some(live) = self.live.clone().filter(|_| full.status == Status::Unfinished) {
            report = self.follow(live, readout).0;
        }
        report.looks += looks;
        report.refreshed = Some(full);
        Ok(report)
    }

    /// Goes along what was prepared. Answers also whether that led to the targets.
    fn follow(&mut self, mut live: Broyden, readout: &dyn Readout) -> (LiveReport, bool) {
        let problem = Problem { layout: &self.layout, readout, size: self.settings.size };
        let followed = live.follow(&problem, self.settings.drag.position * self.settings.size);
        let report = live.report(&self.layout, followed.looks);
        (self.state.edit, self.state.tangent) = (live.edit(), None);
        let serves = followed.is_met && !live.is_worn_out();
        self.live = Some(live);
        (report, serves)
    }

    /// How a frame, or what is between two, moves while handles are dragged: it is at z + D α, α the [`Self::amounts`]. None unless something
    /// is grabbed.
    ///
    /// # Panics
    /// When there is no such time.
    #[must_use]
    pub fn live_view(&self, at: impl Into<Instant>) -> Option<LiveView> {
        self.live.as_ref().map(|live| live.view(at.into()))
    }

    /// α, one number for each coordinate that a handle asks for; none unless something is grabbed.
    #[must_use]
    pub fn amounts(&self) -> Option<&[f64]> {
        self.live.as_ref().map(|live| live.alpha.as_slice())
    }

    /// The edit as it is, all frames and contacts included.
    #[must_use]
    pub fn path(&self) -> Path {
        self.layout.path(&self.state.edit.dual)
    }

    /// The edit's modal coordinates at a time where some handle reads it; as [`Self::path`] has them but for rounding.
    #[must_use]
    pub fn edit_at(&self, at: impl Into<Instant>) -> Option<Vec<f64>> {
        self.layout.state_at(at.into(), &self.state.edit.primal)
    }

    /// What each contact row pulls with to be met, in the order they were given: > 0 where it has to be raised.
    #[must_use]
    pub fn contact_multipliers(&self) -> Vec<f64> {
        self.layout.contact_multipliers(&self.state.edit.dual)
    }

    fn accept(&mut self, layout: Arc<Layout>, state: State) {
        (self.layout, self.state, self.is_stale, self.live) = (layout, state, false, None);
    }

    fn fresh_layout(&self) -> Arc<Layout> {
        let goals = self.handles.iter().map(|(&id, grip)| grip.goal(id)).collect();
        Arc::new(Layout::new(self.prior.clone(), goals, self.settings.wide_from))
    }

    /// Whether the readout fits the kernel and the handles.
    fn check(&self, readout: &dyn Readout) -> Result<(), SpacetimeError> {
        let (found, modes) = (readout.modes(), self.prior.kernel.modes());
        if found != modes {
            return Err(SpacetimeError::ReadoutModes { found, modes });
        }
        let sites = readout.sites();
        for (&id, grip) in &self.handles {
            if grip.site >= sites {
                return Err(SpacetimeError::NoSite { id, site: grip.site, sites });
            }
        }
        Ok(())
    }
}
