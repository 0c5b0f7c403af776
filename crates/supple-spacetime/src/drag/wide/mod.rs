//! Handles over many frames, without anything that grows with the square of them.
//!
//! A vertex that is held over a range, a foot that stands, is q rows on F frames. P Jᵀ of all rows are q·F·r
//! numbers and S is q², which is why few handles are solved by [`super::solve`] and many are solved here: the same
//! problem and the same steps, with products only.
//!
//! ```text
//! P g              a sweep over the frames, and one more where contacts answer              [Layout::apply]
//! S η = J P Jᵀ η   loads Jᵀη, a sweep, and what the rows read of it                          [rows]
//! S⁻¹ b            conjugate gradients from the multipliers of the last step,                [conjugate]
//!                  preconditioned by what rows of a frame have in common times
//!                  what frames have                                                          [precondition]
//! repeat:
//!   J, R at u;  stop if |R| < tol·L and ‖u − P Jᵀ λ‖ < stol·‖u‖, S λ = J u
//!   η = (J B⁻¹ Jᵀ + μ)⁻¹ (R + J B⁻¹ u),  d = B⁻¹ (Jᵀη − u), B learnt from few pairs          [step]
//!   u += s d, corrected for what curved away, if that lowers E + ν √(Rᵀ S̃⁻¹ R)
//! ```
//!
//! Frames are many to the reach of an edit, so rows nearly repeat each other and S is as good as singular: what no
//! row needs moved is not solved for. Iterations end as soon as all rows are where they are asked to be, and what is
//! smooth in time comes first.
//!
//! | per iteration | cost |
//! |---|---|
//! | readout | one Jacobian and one to three values per handle, in batches that bound memory |
//! | a product with S | 2 q·r + r·T |
//! | the preconditioner | q·F and, once, F³/3; F² numbers |

mod conjugate;
mod precondition;
mod rows;
mod step;

use super::layout::Layout;
use super::report::DragReport;
use super::settings::Tolerance;
use super::solve::{Ending, Gap, Outcome, Problem, State, largest};
use super::tangent::Tangent;
use super::vector::Vector;
use crate::error::SpacetimeError;
use conjugate::{Inverse, Solved};
use nalgebra::DVector;
use precondition::Preconditioner;
use rows::Rows;
use std::sync::Arc;
use supple_model::Progress;

/// How much handles give at first when their targets are a body's size away, as a part of the easiest row's S.
const GIVE: f64 = 1e-2;
/// Handles farther than this part of the size may be out of reach;
const FAR: f64 = 1e-3;
/// they are, if they give this much less than when they last came nearer,
const HOPELESS: f64 = 1e-4;
/// by at least this factor; or if so many iterations brought nothing nearer.
const NEARER: f64 = 0.9;
const PATIENCE: usize = 8;
/// Steps that turn the body by less than this are as good as linear.
const LITTLE: f64 = 0.2;
/// A preconditioner is made anew when the body has turned by this.
const OLD: f64 = 0.004;
/// Tries of one iteration.
const ATTEMPTS: usize = 8;
/// The part of a residual to which a linear system is solved,
const FORCING: f64 = 0.03;
/// the part of the tolerance below which nothing is gained,
const ENOUGH: f64 = 0.2;
/// and iterations of conjugate gradients at most.
const LINEAR: usize = 150;
/// Iterations with all handles met after which the edit may be this far from the least costly one.
const POLISH: usize = 5;
const POLISHED: f64 = 1e-3;
/// Bytes of the pairs that are learnt.
const PAIRS: usize = 64 << 20;

/// An edit and what is known there.
struct Here {
    edit: Vector,
    rows: Rows,
    /// R.
    residual: DVector<f64>,
    /// The multipliers that led here.
    multipliers: DVector<f64>,
}

/// One solution over many frames.
pub(super) struct Wide<'a> {
    problem: Problem<'a>,
    tolerance: Tolerance,
    progress: &'a Progress,
    /// K(p,p) of every place p, r numbers each.
    variances: Vec<f64>,
}

/// The nearest edit so far.
struct Nearest {
    distance: f64,
    count: usize,
    give: f64,
    edit: Vector,
}

impl<'a> Wide<'a> {
    pub fn new(problem: Problem<'a>, tolerance: Tolerance, progress: &'a Progress) -> Self {
        let layout = problem.layout;
        let mut variances = vec![0.0; layout.places.len() * layout.modes];
        for (place, out) in layout.places.iter().zip(variances.chunks_exact_mut(layout.modes.max(1))) {
            layout.kernel().covariance(*place, *place, out);
        }
        Self { problem, tolerance, progress, variances }
    }

    /// At most so many iterations from a state.
    ///
    /// # Errors
    /// When the readout is not finite where the solution starts, or the caller cancels.
    pub fn solve(&self, state: &mut State, iterations: usize) -> Result<DragReport, SpacetimeError> {
        let length = self.layout().length().max(1);
        state.curvature.limit((PAIRS / (32 * length)).clamp(2, 40));
        let (outcome, here) = self.iterate(state, iterations)?;
        state.edit = here.edit;
        // The report needs what was read, and no more.
        state.tangent = Some(Arc::new(Tangent::read(self.layout(), here.rows.value)));
        let report = self.problem.report(state, outcome, self.tolerance);
        state.tangent = None;
        report
    }

    fn layout(&self) -> &'a Layout {
        self.problem.layout
    }

    fn close(&self) -> f64 {
        self.tolerance.position * self.problem.settings.size
    }

    fn iterate(&self, state: &mut State, iterations: usize) -> Result<(Outcome, Here), SpacetimeError> {
        let size = self.problem.settings.size;
        let mut here = self.look(state.edit.clone(), DVector::zeros(self.layout().rows))?;
        let mut nearest = Nearest { distance: f64::INFINITY, count: 0, give: 0.0, edit: here.edit.clone() };
        let mut preconditioner = Preconditioner::new(self.layout(), &here.rows, 0.0);
        let (mut turned, mut met) = (0.0, 0);
        let (mut is_plain, mut turn, mut count) = (true, 0.0, 0);
        loop {
            self.progress.report("holding handles", count as f64 / (iterations + 1) as f64)?;
            if turned > OLD {
                (preconditioner, turned) = (Preconditioner::new(self.layout(), &here.rows, 0.0), 0.0);
            }
            let mut known = None;
            let missing = largest(&preconditioner.kept(&here.residual));
            if missing <= self.close() || count == iterations {
                let gap = self.gap(&mut here, &preconditioner)?;
                met += 1;
                if self.is_settled(&gap, &here.rows, met) {
                    return Ok((Outcome { ending: Ending::Settled, iterations: count, gap }, here));
                }
                if count == iterations {
                    return Ok((Outcome { ending: Ending::Unfinished, iterations: count, gap }, here));
                }
                known = Some(gap);
            }
            let distance = preconditioner.kept(&here.residual).norm();
            if is_plain {
                state.give = GIVE * (missing / size).min(1.0).powi(2);
            }
            if distance < NEARER * nearest.distance {
                nearest = Nearest { distance, count, give: state.give, edit: here.edit.clone() };
            }
            let (mut taken, mut reachable) = (None, missing);
            if turn < LITTLE {
                let step = self.step(state, &here, &preconditioner, 0.0)?;
                reachable = step.reachable().map_or(reachable, |moved| moved.min(reachable));
                if reachable <= self.close() && known.is_none() {
                    // What is left of the residual is what rows contradict each other about.
                    let gap = Gap { reachable, ..self.gap(&mut here, &preconditioner)? };
                    met += 1;
                    if self.is_settled(&gap, &here.rows, met) {
                        return Ok((Outcome { ending: Ending::Settled, iterations: count, gap }, here));
                    }
                }
                taken = self.attempt(&here, &step, &preconditioner, 1.0)?.filter(|found| found.turn < LITTLE);
            }
            is_plain = is_plain && taken.is_some();
            let is_far = reachable > FAR * size;
            let is_hopeless =
                is_far && (state.give < HOPELESS * nearest.give || count > nearest.count + PATIENCE);
            if taken.is_none() && !is_hopeless {
                taken = self.advance(state, &here)?;
            }
            let Some(found) = taken else {
                let ending = if is_far { Ending::OutOfReach } else { Ending::Stalled };
                if is_far {
                    here = self.look(nearest.edit, here.multipliers)?;
                }
                let gap = self.gap(&mut here, &preconditioner)?;
                return Ok((Outcome { ending, iterations: count, gap }, here));
            };
            turn = found.turn;
            turned += turn;
            here = self.learn(state, here, found);
            count += 1;
        }
    }

    /// Reads the body at an edit.
    fn look(&self, edit: Vector, multipliers: DVector<f64>) -> Result<Here, SpacetimeError> {
        let rows = Rows::at(self.layout(), self.problem.readout, &edit.primal)?;
        let residual = self.problem.residual(&rows.value, &edit);
        Ok(Here { edit, rows, residual, multipliers })
    }

    /// S x.
    fn product(&self, rows: &Rows, x: &DVector<f64>) -> DVector<f64> {
        rows.reads(&self.layout().apply(&rows.pulls(self.layout(), x)))
    }

    /// S⁻¹ b for the rows here.
    fn solved(
        &self,
        here: &Here,
        preconditioner: &Preconditioner,
        b: &DVector<f64>,
        start: DVector<f64>,
        (enough, iterations): (f64, usize),
    ) -> Result<Solved, SpacetimeError> {
        let A = |x: &DVector<f64>| self.product(&here.rows, x);
        Ok(conjugate::solve(&A, preconditioner, b, start, (enough, iterations), self.progress)?)
    }

    /// How far from the solution it is here.
    fn gap(&self, here: &mut Here, preconditioner: &Preconditioner) -> Result<Gap, SpacetimeError> {
        let read = here.rows.reads(&here.edit.primal);
        let start = std::mem::replace(&mut here.multipliers, DVector::zeros(0));
        let enough = (0.1 * ENOUGH * self.close(), LINEAR);
        let solved = self.solved(here, preconditioner, &read, start, enough)?;
        let mut rest = here.edit.clone();
        let pulled = self.layout().vector(here.rows.pulls(self.layout(), &solved.eta));
        rest.add(-1.0, &pulled);
        here.multipliers = solved.eta;
        let gradient = rest.dot(&rest).max(0.0).sqrt();
        let size = here.edit.dot(&here.edit).max(0.0).sqrt();
        let reachable = largest(&preconditioner.kept(&here.residual));
        Ok(Gap { residual: here.residual.clone(), reachable, gradient, size })
    }

    /// Whether all handles that can be are where they should be, for the `met`th time, and the edit is the least costly.
    fn is_settled(&self, gap: &Gap, rows: &Rows, met: usize) -> bool {
        let easiest = self.easiest(rows);
        let floor = if easiest > 0.0 { self.close() / easiest.sqrt() } else { 0.0 };
        // Every frame bends in its own way, which few pairs are slow to learn and no one sees.
        let least = if met > POLISH {
            self.tolerance.stationarity.max(POLISHED)
        } else {
            self.tolerance.stationarity
        };
        gap.reachable <= self.close() && gap.gradient <= least * gap.size.max(floor)
    }
}
