//! The motion that answers a document: a function of what is asked and of nothing else.
//!
//! Layer by layer, each a curve with few keys on top of the motion below it, under its own constraints and those of the
//! layers below (Gleicher 1997, §4.1: the edit is as smooth as its keys). What few keys cannot meet is met by a last
//! layer with a key on every frame, which costs d² + ℓ⁴ d̈² with ℓ = [`SMOOTHING`](crate::SMOOTHING) seconds: less than half a millimetre to a
//! few centimetres that fade within a tenth of a second. It leaves what trembles; the least change that meets rows to the last
//! digit takes that out frame by frame.
//!
//! What is out of reach gives way in the layers with few keys, where the whole figure leans towards it smoothly; the last
//! layer leaves it there. Soft constraints are answered once, too: those above keep what they miss.

use crate::constraint::{Constraint, Goal};
use crate::curve::{Curve, CurveKind};
use crate::edit::{Edit, Keys, Layer, RowsOf, Solution, apply, asked};
use crate::keyed::{STEPS, given, keyed};
use crate::motion::Motion;
use crate::solve::{self, Problem, RowId};
use std::collections::BTreeSet;
use supple_model::{Cancelled, Progress};

/// ε of the last layer: a captured foot trembles by a millimetre from frame to frame, and what is stiffer than this bends the
/// whole pose to take that out at less acceleration.
const FRAMED: f64 = 1e-2;
/// ℓ of what restores rows to the last digit, seconds: what trembles is taken out where it is.
const RESTORED_SMOOTHING: f64 = 0.02;
/// Restoration steps, at most.
const RESTORED: usize = 16;

/// Finds the motion that answers.
///
/// # Errors
/// When it is cancelled.
pub fn release(edit: &Edit, motion: &Motion, progress: &Progress) -> Result<Solution, Cancelled> {
    let mut solution = Solution {
        motion: motion.clone(),
        misses: vec![0.0; edit.constraints.len()],
        passed: vec![0.0; edit.figure.limits.len()],
        seam: 0.0,
        steps: 0,
        rows: 0,
        is_settled: true,
        is_stopped: false,
    };
    let count = edit.layers.len() as f64 + 1.0;
    let mut answered = vec![false; edit.constraints.len()];
    for (k, layer) in edit.layers.iter().enumerate() {
        // What only stays where it is drives nothing; that is left to the last layer.
        let drives = |constraint: &Constraint| constraint.layer == k && constraint.goal != Goal::Stay;
        let is_driven = edit.constraints.iter().any(drives) || k == 0 && edit.is_loop;
        if !is_driven {
            continue;
        }
        let part = progress.part(k as f64 / count, (k as f64 + 1.0) / count);
        let counts = |c: usize| edit.constraints[c].layer <= k;
        let below = |c: usize| answered[c];
        // A key on every frame needs rows there.
        let every = if layer.curve == CurveKind::Frames { 1 } else { edit.every() };
        let run =
            Run { edit, curve: &edit.curve(layer), counts: &counts, answered: &below, every, is_last: false };
        let given = run.run(&mut solution, &part)?;
        for (c, constraint) in edit.constraints.iter().enumerate() {
            let (first, last) = constraint.frames;
            let is_there = first <= layer.window.1 && last >= layer.window.0;
            // Few keys let a point that stays slip as it did; the last layer holds it.
            let is_answered =
                constraint.hold.is_some() && counts(c) && is_there && constraint.goal != Goal::Stay;
            answered[c] |= is_answered || given.contains(&c);
        }
    }
    let layer = edit.last_layer();
    let part = progress.part(1.0 - 1.0 / count, 1.0);
    let below = |c: usize| answered[c];
    let curve = edit.curve(&layer);
    let run = Run { edit, curve: &curve, counts: &|_| true, answered: &below, every: 1, is_last: true };
    run.run(&mut solution, &part)?;
    solution.is_stopped = progress.is_stopped() && !solution.is_settled;
    measure(edit, &mut solution);
    Ok(solution)
}

/// One layer on top of the solution so far.
struct Run<'a> {
    edit: &'a Edit,
    curve: &'a Curve,
    /// Which constraints count.
    counts: &'a dyn Fn(usize) -> bool,
    /// Which of them layers below have answered.
    answered: &'a dyn Fn(usize) -> bool,
    /// Frames between those that have rows.
    every: usize,
    /// Whether nothing comes after it.
    is_last: bool,
}

impl Run<'_> {
    /// Answers the constraints that give way.
    fn run(&self, solution: &mut Solution, progress: &Progress) -> Result<BTreeSet<usize>, Cancelled> {
        let Self { edit, curve, .. } = *self;
        let below = solution.motion.clone();
        let rows = if self.is_last { RowsOf::All } else { RowsOf::FewKeys };
        let fine = edit.curve(&Layer { smoothing: RESTORED_SMOOTHING, ..edit.last_layer() });
        let mut problem = Problem::new(&asked(edit, &below, curve, self.counts, self.every, rows));
        problem.keep_misses(self.answered);
        if problem.is_empty() {
            return Ok(BTreeSet::new());
        }
        let mut state = problem.start();
        if self.is_last {
            let penalty = edit.penalty(FRAMED);
            let descent = solve::descend(&problem, &mut state, &penalty, STEPS, &progress.part(0.0, 0.8))?;
            solution.steps += descent.steps;
            solution.is_settled &= descent.is_settled;
            if !progress.is_stopped() {
                problem.curve = &fine;
                solve::restore(&problem, &mut state, &penalty, RESTORED, &progress.part(0.8, 1.0))?;
            }
        } else {
            keyed(edit, &mut problem, &mut state, solution, progress)?;
        }
        let given = given(edit, &problem, &state);
        apply(&edit.figure.skeleton, curve, &problem.freedoms, &state, &mut solution.motion);
        Ok(given)
    }
}

/// What is missing in the motion as it is written, in every frame that is asked for.
fn measure(edit: &Edit, solution: &mut Solution) {
    let frames = solution.motion.frames();
    let whole = Layer {
        curve: CurveKind::Frames,
        keys: Keys::Count(0),
        window: (0, frames - 1),
        clamped: [false; 2],
        smoothing: 0.0,
    };
    let curve = edit.curve(&whole);
    // Limits hold where an edit may be; a loop closes its own window.
    let window = edit.last_layer().window;
    let motion = solution.motion.clone();
    let problem = Problem::new(&asked(edit, &motion, &curve, &|_| true, 1, RowsOf::All));
    let found = solve::evaluate(&problem, &problem.start(), false);
    solution.rows = found.rows();
    for rows in found.all() {
        match rows.id {
            RowId::Constraint(c) => solution.misses[c] = solution.misses[c].max(rows.miss()),
            RowId::Limit(k) if (window.0..=window.1).contains(&rows.frame) => {
                solution.passed[k] = solution.passed[k].max(rows.miss() / problem.scale.arm);
            }
            RowId::Limit(_) | RowId::Seam => {}
        }
    }
    if edit.is_loop {
        let curve = edit.curve(&Layer { window, ..whole });
        let problem = Problem::new(&asked(edit, &motion, &curve, &|_| true, 1, RowsOf::All));
        let found = solve::evaluate(&problem, &problem.start(), false);
        let seam = found.all().filter(|rows| rows.id == RowId::Seam);
        solution.seam = seam.map(solve::Rows::miss).fold(0.0, f64::max);
    }
}
