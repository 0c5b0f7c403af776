//! Handles that hold on the warped motion.
//!
//! A body may add an edit to its input by a warp, so that a vertex is at W(z), not linear in the modal coordinates z.
//! Barbič 2012 solves for rows of U and warps afterwards, and the vertex leaves the cursor on large edits. Here the
//! warped position is what is held,
//!
//! > minimise ½⟨z,z⟩ subject to W_a(z(i_a)) = target_a,
//!
//! ⟨·,·⟩ the metric K⁻¹ of [`Kernel`], contacts included. At the solution z = Σ_a P(·,i_a) J_aᵀ λ_a with
//! J_a = ∂W_a/∂z there: loads at the handles' frames, all frames by [`Path`]. The unknowns are z at those frames.
//! The rows bend more than the energy does (J changes along the step by more than its size), and plain Gauss–Newton
//! steps cycle; so the curvature of the Lagrangian is learnt as the solution goes on:
//!
//! ```text
//! z = K g, ⟨a,b⟩ = aᵀK⁻¹b = g_aᵀ b; K is conditioned on the contacts and never inverted    [layout, vector]
//! J = J(z); R = target − W(z); S = J K Jᵀ, near repetitions left out; λ = S⁺ J z           [reading, tangent]
//! repeat:                                                                                  [solve]
//!   stop if |R| < tol·L and ‖z − K Jᵀ λ‖ < stol·‖z‖
//!   B = damped BFGS of the last 40 pairs, B₀ = K⁻¹                                         [curvature]
//!   d = argmin ⟨z,d⟩ + ½⟨d,Bd⟩ + ‖R − J d‖²/2μ; μ = 0 first, if J hardly changes along d   [direction]
//!   s = min(1, ¼L / max|J d|), a part of the way for far targets
//!   z' = z + s·d;  up to twice: z' += K Jᵀ (S + μ)⁺ (what W curved away by), unless it does not help
//!   halve s until the merit falls (or all residuals are ≤ 10⁻⁵·L) and ‖J' − J‖ < 0.7 ‖J‖
//!   J' = J(z'), λ' = S'⁺ J' z';  learn the pair (z' − z, K⁻¹(z' − z) − (J' − J)ᵀ λ')
//!   the less J changed, the more μ is reduced; where steps are short it grows
//! ```
//!
//! μ, how much handles give, starts at 10⁻² (|R|/L)² of the easiest row's S and makes far targets be reached along
//! the cheap way, where hard rows would fold the body; targets out of reach are noticed when neither less of it nor 25
//! iterations bring anything nearer. An event of a drag goes on from where the last one ended, with the pairs learnt
//! there: two iterations follow the cursor. Letting go starts from nothing, so that what results depends on the handles
//! there are and not on the way they were dragged, makes sure that it ends in no saddle ([`saddle`]), and tries other
//! starts where the edit found costs more than it should ([`release`], [`starts`]).
//!
//! While a handle is in the hand ([`Drag::grab`], [`Drag::live_step`]) even that is too much for a body with many
//! vertices and modes; then the edit moves along directions fixed when it was taken ([`live`]). A full iteration looks
//! at the body along one direction at a time, which it prepares ([`probe`]).
//!
//! Handles over many frames are solved for by products alone ([`wide`]): nothing grows with the square of the frames.
//!
//! | per iteration | cost |
//! |---|---|
//! | readout | one Jacobian and one to three values per handle, more where a step is tried again |
//! | kernel, F frames of handles with q rows | r·F·q, and the contacts' factor times q |
//! | curvature | 80 r·F products per row |

mod asked;
mod curvature;
mod direction;
mod grip;
mod layout;
mod linear;
mod live;
mod probe;
mod reading;
mod release;
mod report;
mod saddle;
mod settings;
mod solve;
mod starts;
mod sweep;
mod tangent;
mod vector;
mod wide;

pub use grip::Grip;
pub use linear::{LinearReadout, LinearSite};
pub use live::{LiveReport, LiveView};
pub use report::{DragReport, HandleError, StartReport};
pub use settings::{DragSettings, Tolerance};
pub use starts::StartPoint;
use supple_model::Status;

use crate::HandleId;
use crate::error::SpacetimeError;
use crate::kernel::Kernel;
use crate::path::Path;
use crate::rows::{Constraints, Contacts};
use layout::Layout;
use live::Live;
use solve::{Problem, State};
use std::collections::BTreeMap;
use std::sync::Arc;
use supple_model::{Progress, Readout};
use tangent::Tangent;
use vector::Vector;
use wide::Wide;

/// Handles on a warped motion, and the edit that grants them.
///
/// The readout is handed in with every call and must stay the same one: sites may be added to it, those there are
/// must not change.
#[derive(Clone, Debug)]
pub struct Drag {
    kernel: Arc<Kernel>,
    contacts: Arc<Contacts>,
    settings: DragSettings,
    handles: BTreeMap<HandleId, Grip>,
    layout: Arc<Layout>,
    state: State,
    /// Whether handles came or went since `layout` was made.
    is_stale: bool,
    /// The handles that are in the hand.
    hand: Vec<HandleId>,
    /// What a drag of these goes along, while it serves.
    live: Option<Live>,
}

impl Drag {
    /// No handles; kernel and contacts are those of `constraints`, whose own handles are not taken over.
    ///
    /// # Errors
    /// When the size or a tolerance is not positive.
    pub fn new(constraints: &Constraints, settings: DragSettings) -> Result<Self, SpacetimeError> {
        settings.check()?;
        let (kernel, contacts) = (constraints.kernel().clone(), constraints.contacts().clone());
        let handles = BTreeMap::new();
        let layout = Arc::new(Layout::new(kernel.clone(), contacts.clone(), &handles, settings.wide_from));
        let state = State::at(Vector::zero(layout.length()));
        let hand = Vec::new();
        Ok(Self { kernel, contacts, settings, handles, layout, state, is_stale: false, hand, live: None })
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
        grip.check(&self.kernel, id)?;
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
        moved.check(&self.kernel, id)?;
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
                let reading = reading::linearized(&layout, readout, &state.edit.primal, known)?;
                state.tangent = Some(Arc::new(Tangent::of(&layout, reading)));
            }
            (layout, state)
        } else {
            (self.layout.clone(), self.state.clone())
        };
        let tolerance = self.settings.drag;
        let problem = Problem { layout: &layout, readout, settings: &self.settings };
        let report = if layout.is_wide() {
            Wide::new(problem, tolerance, progress).solve(&mut state, iterations)?
        } else {
            let outcome = problem.solve(&mut state, tolerance, iterations, progress)?;
            problem.report(&mut state, outcome, tolerance)?
        };
        self.accept(layout, state);
        Ok(report)
    }

    /// Solves from nothing to the tolerance of a release: the result depends on the handles there are, on kernel,
    /// contacts and readout, and on nothing else.
    ///
    /// # Errors
    /// As [`Self::step`].
    pub fn release(
        &mut self,
        readout: &dyn Readout,
        progress: &Progress,
    ) -> Result<DragReport, SpacetimeError> {
        self.check(readout)?;
        let layout = self.fresh_layout();
        let problem = Problem { layout: &layout, readout, settings: &self.settings };
        let (state, report) = if layout.is_wide() {
            let mut state = State::at(Vector::zero(layout.length()));
            let wide = Wide::new(problem, self.settings.release, progress);
            let report = wide.solve(&mut state, self.settings.release_iterations)?;
            (state, report)
        } else {
            problem.release(progress)?
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
        let problem = Problem { layout: &self.layout, readout, settings: &self.settings };
        let tangent = problem.tangent(&mut self.state)?;
        self.live = Live::new(self.layout.clone(), readout, &self.state, &tangent, hand);
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
    fn follow(&mut self, mut live: Live, readout: &dyn Readout) -> (LiveReport, bool) {
        let problem = Problem { layout: &self.layout, readout, settings: &self.settings };
        let followed = live.follow(&problem);
        let report = live.report(&self.layout, followed.looks);
        (self.state.edit, self.state.tangent) = (live.edit(), None);
        let serves = followed.is_met && !live.is_worn_out();
        self.live = Some(live);
        (report, serves)
    }

    /// How a frame moves while handles are dragged: it is at z + D α, α the [`Self::amounts`]. None unless something
    /// is grabbed.
    ///
    /// # Panics
    /// When there is no such frame.
    #[must_use]
    pub fn live_view(&self, frame: usize) -> Option<LiveView> {
        self.live.as_ref().map(|live| live.view(frame))
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

    /// What each contact row pulls with to be met, in the order they were given: > 0 where it has to be raised.
    #[must_use]
    pub fn contact_multipliers(&self) -> Vec<f64> {
        self.layout.contact_multipliers(&self.state.edit.dual)
    }

    fn accept(&mut self, layout: Arc<Layout>, state: State) {
        (self.layout, self.state, self.is_stale, self.live) = (layout, state, false, None);
    }

    fn fresh_layout(&self) -> Arc<Layout> {
        let (kernel, contacts) = (self.kernel.clone(), self.contacts.clone());
        Arc::new(Layout::new(kernel, contacts, &self.handles, self.settings.wide_from))
    }

    /// Whether the readout fits the kernel and the handles.
    fn check(&self, readout: &dyn Readout) -> Result<(), SpacetimeError> {
        let (found, modes) = (readout.modes(), self.kernel.modes());
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
