//! Handles over many frames, without anything that grows with the square of them.
//!
//! A vertex that is held over a range, a foot that stands, is q rows on F frames. P Jᵀ of all rows are q·F·r
//! numbers and S is q², which is why few handles are solved by `crate::sqp` and many are solved here: the same
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

use super::report::DragReport;
use crate::error::SpacetimeError;
use crate::sqp::{
    Ending, FAR, GIVE, Gap, HOPELESS, LITTLE, Layout, NEARER, Outcome, Problem, State, Tangent, Tolerance,
    Vector, largest,
};
use conjugate::{Inverse, Solved};
use nalgebra::DVector;
use precondition::Preconditioner;
use rows::Rows;
use std::sync::Arc;
use step::{Found, SMALL};
use supple_model::Progress;

/// Iterations that may bring nothing nearer: fewer than with few handles, as each costs more.
const PATIENCE: usize = 8;
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
/// The part of what repeating rows miss to which the others are met.
const REPEATING: f64 = 0.25;
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

impl Nearest {
    /// Whether neither less give nor more iterations brought anything nearer.
    fn is_hopeless(&self, give: f64, count: usize) -> bool {
        give < HOPELESS * self.give || count > self.count + PATIENCE
    }
}

/// What became of an iteration in which handles give nothing.
enum Plain {
    /// There is nothing left to do.
    Settled(Gap),
    /// A step, if a good one was found, and how far rows can still be moved.
    Tried(Option<Found>, f64),
}

/// How far iterations have come.
struct Course {
    here: Here,
    preconditioner: Preconditioner,
    nearest: Nearest,
    /// The largest residual of rows that are not left out.
    missing: f64,
    /// How small that has to become.
    close: f64,
    /// How much the body turned in the last step,
    turn: f64,
    /// and since the preconditioner was made.
    turned: f64,
    /// How often all handles were met.
    met: usize,
    /// Whether handles never had to give.
    is_plain: bool,
}

impl Course {
    fn new(wide: &Wide<'_>, state: &State) -> Result<Self, SpacetimeError> {
        let here = wide.look(state.edit.clone(), DVector::zeros(wide.layout().rows))?;
        let preconditioner = Preconditioner::new(wide.layout(), &here.rows, 0.0);
        let nearest = Nearest { distance: f64::INFINITY, count: 0, give: 0.0, edit: here.edit.clone() };
        let (missing, close, turn, turned, met, is_plain) = (f64::INFINITY, 0.0, 0.0, 0.0, 0, true);
        Ok(Self { here, preconditioner, nearest, missing, close, turn, turned, met, is_plain })
    }

    /// Looks at where the last step led.
    fn renew(&mut self, wide: &Wide<'_>, state: &mut State, count: usize) {
        if self.turned > OLD {
            self.preconditioner = Preconditioner::new(wide.layout(), &self.here.rows, 0.0);
            self.turned = 0.0;
        }
        let residual = self.preconditioner.kept(&self.here.residual);
        self.missing = largest(&residual);
        self.close = wide.close(&self.here.residual, &self.preconditioner);
        if self.is_plain {
            state.give = GIVE * (self.missing / wide.problem.size).min(1.0).powi(2);
        }
        let distance = residual.norm();
        if distance < NEARER * self.nearest.distance {
            self.nearest = Nearest { distance, count, give: state.give, edit: self.here.edit.clone() };
        }
    }

    fn end(self, ending: Ending, iterations: usize, gap: Gap) -> (Outcome, Here) {
        (Outcome { ending, iterations, gap }, self.here)
    }
}

impl<'a> Wide<'a> {
    pub fn new(problem: Problem<'a>, tolerance: Tolerance, progress: &'a Progress) -> Self {
        let layout = problem.layout;
        let mut variances = vec![0.0; layout.place_count() * layout.modes];
        for (place, out) in variances.chunks_exact_mut(layout.modes.max(1)).enumerate() {
            layout.look_up(place, place, out);
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
        let report = DragReport::of(&self.problem, state, outcome, self.tolerance);
        state.tangent = None;
        report
    }

    fn layout(&self) -> &'a Layout {
        self.problem.layout
    }

    /// How near to their targets rows have to be. What rows that repeat others miss cannot be mended, so the others
    /// need not be met much better.
    fn close(&self, residual: &DVector<f64>, preconditioner: &Preconditioner) -> f64 {
        let close = self.tolerance.position * self.problem.size;
        close.max(REPEATING * preconditioner.left_out(residual))
    }

    fn iterate(&self, state: &mut State, iterations: usize) -> Result<(Outcome, Here), SpacetimeError> {
        let mut course = Course::new(self, state)?;
        let mut count = 0;
        loop {
            self.progress.report("solving", count as f64 / (iterations + 1) as f64)?;
            course.renew(self, state, count);
            if course.missing <= course.close || count == iterations {
                let gap = self.gap(&mut course.here, &course.preconditioner)?;
                course.met += 1;
                if self.is_settled(&gap, &course) {
                    return Ok(course.end(Ending::Settled, count, gap));
                }
                if count == iterations {
                    return Ok(course.end(Ending::Unfinished, count, gap));
                }
            }
            if count > 0 && self.progress.is_stopped() {
                let gap = self.gap(&mut course.here, &course.preconditioner)?;
                return Ok(course.end(Ending::Stopped, count, gap));
            }
            let (found, reachable) = match self.advance_plainly(state, &mut course)? {
                Plain::Settled(gap) => return Ok(course.end(Ending::Settled, count, gap)),
                Plain::Tried(found, reachable) => (found, reachable),
            };
            course.is_plain = course.is_plain && found.is_some();
            let is_far = reachable > FAR * self.problem.size;
            let is_hopeless = is_far && course.nearest.is_hopeless(state.give, count);
            let found = match found {
                None if !is_hopeless => self.advance(state, &course.here)?,
                found => found,
            };
            let Some(found) = found else {
                if is_far {
                    course.here = self.look(course.nearest.edit.clone(), course.here.multipliers)?;
                }
                let gap = self.gap(&mut course.here, &course.preconditioner)?;
                return Ok(course.end(if is_far { Ending::OutOfReach } else { Ending::Stalled }, count, gap));
            };
            course.turn = found.turn;
            course.turned += found.turn;
            course.here = self.learn(state, course.here, found);
            count += 1;
        }
    }

    /// An iteration in which handles give nothing, where the body hardly turns; and how far rows can still be moved.
    fn advance_plainly(&self, state: &State, course: &mut Course) -> Result<Plain, SpacetimeError> {
        if course.turn >= LITTLE {
            return Ok(Plain::Tried(None, course.missing));
        }
        let step = self.step(state, &course.here, &course.preconditioner, 0.0)?;
        let reachable = step.reachable().map_or(course.missing, |moved| moved.min(course.missing));
        if reachable <= course.close && course.missing > course.close {
            // What is left of the residual is what rows contradict each other about.
            let gap = Gap { reachable, ..self.gap(&mut course.here, &course.preconditioner)? };
            course.met += 1;
            if self.is_settled(&gap, course) {
                return Ok(Plain::Settled(gap));
            }
        }
        let is_small = course.missing <= SMALL * self.problem.size;
        if !step.is_found && is_small && course.missing > course.close {
            // S is as good as singular where many neighbours are held over many frames. What is left is round-off.
            let gap = self.gap(&mut course.here, &course.preconditioner)?;
            if gap.gradient <= POLISHED * gap.size {
                return Ok(Plain::Settled(gap));
            }
        }
        let found = self.attempt(&course.here, &step, &course.preconditioner, 1.0)?;
        Ok(Plain::Tried(found.filter(|found| found.turn < LITTLE), reachable))
    }

    /// Reads the body at an edit.
    fn look(&self, edit: Vector, multipliers: DVector<f64>) -> Result<Here, SpacetimeError> {
        let rows = Rows::at(self.layout(), self.problem.readout, &edit.primal)?;
        let residual = self.problem.residual(&rows.value, &edit);
        Ok(Here { edit, rows, residual, multipliers })
    }

    /// S x, of rows that are not left out.
    fn product(&self, rows: &Rows, preconditioner: &Preconditioner, x: &DVector<f64>) -> DVector<f64> {
        let moved = self.layout().apply(&rows.pulls(self.layout(), x));
        rows.reads_where(&moved, |row| preconditioner.keeps(row))
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
        let A = |x: &DVector<f64>| self.product(&here.rows, preconditioner, x);
        Ok(conjugate::solve(&A, preconditioner, b, start, (enough, iterations), self.progress)?)
    }

    /// How far from the solution it is here.
    fn gap(&self, here: &mut Here, preconditioner: &Preconditioner) -> Result<Gap, SpacetimeError> {
        let read = here.rows.reads(&here.edit.primal);
        let start = std::mem::replace(&mut here.multipliers, DVector::zeros(0));
        let missing = largest(&preconditioner.kept(&here.residual));
        let close = self.close(&here.residual, preconditioner).max(ENOUGH * missing);
        let enough = (0.1 * ENOUGH * close, LINEAR);
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

    /// Whether all handles that can be are where they should be, and the edit is the least costly one.
    fn is_settled(&self, gap: &Gap, course: &Course) -> bool {
        let easiest = self.easiest(&course.here.rows);
        let floor = if easiest > 0.0 { course.close / easiest.sqrt() } else { 0.0 };
        // Every frame bends in its own way, which few pairs are slow to learn and no one sees.
        let least = if course.met > POLISH {
            self.tolerance.stationarity.max(POLISHED)
        } else {
            self.tolerance.stationarity
        };
        gap.reachable <= course.close && gap.gradient <= least * gap.size.max(floor)
    }
}
