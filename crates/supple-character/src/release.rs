//! The motion that answers a document: a function of what is asked and of nothing else.
//!
//! Layer by layer, each a curve with few keys on top of the motion below it, under its own constraints and those of the
//! layers below (Gleicher 1997, §4.1: the edit is as smooth as its keys). What few keys cannot meet is met by a last
//! layer with a key on every frame, which costs d² + ℓ⁴ d̈² with ℓ = [`SMOOTHING`] seconds: less than half a millimetre to a
//! few centimetres that fade within a tenth of a second, then restored to the last digit.
//!
//! What is out of reach gives way in the layers with few keys, where the whole figure leans towards it smoothly; the last
//! layer leaves it there. Soft constraints are answered once, too: those above keep what they miss.

use crate::constraint::{Constraint, Goal};
use crate::curve::{Curve, CurveKind, CurveSettings};
use crate::figure::Figure;
use crate::freedoms::Freedoms;
use crate::metric::Metric;
use crate::motion::Motion;
use crate::skeleton::Skeleton;
use crate::solve::{self, Asked, Penalty, Problem, RowId, State};
use std::collections::BTreeSet;
use supple_model::{Cancelled, Progress};

/// ℓ of the last layer, seconds.
pub const SMOOTHING: f64 = 0.07;
/// Seconds between frames that have rows while keys are few.
pub const SAMPLED: f64 = 0.05;
/// Where rows give, as a part of the figure's size: 5 mm of a grown person.
const GIVE: f64 = 0.005 / 1.7;
/// ε of layers with few keys: the first, and harder ones where something gives way.
const KEYED: [f64; 3] = [3e-4, 3e-5, 3e-6];
/// Steps at those, at most: what is in reach gets there soon.
const HARDER: usize = 12;
/// Times that what is out of reach is made to pull less hard, at most.
const WEAKER: usize = 5;
/// What misses more than so many times [`GIVE`] has given way.
const GIVEN: f64 = 10.0;
/// ε of the last layer.
const FRAMED: f64 = 3e-6;
/// Steps of a layer, at most.
const STEPS: usize = 30;
/// Restoration steps, at most.
const RESTORED: usize = 16;

/// How many keys a layer has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Keys {
    /// So many.
    Count(usize),
    /// One every so many seconds.
    Seconds(f64),
}

/// A displacement curve as a document has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layer {
    /// What it is made of.
    pub curve: CurveKind,
    /// Its keys.
    pub keys: Keys,
    /// Its first and last frame.
    pub window: (usize, usize),
    /// Whether the edit vanishes at them.
    pub clamped: [bool; 2],
    /// ℓ of its cost, in seconds.
    pub smoothing: f64,
}

/// What is asked of a motion.
#[derive(Clone, Debug)]
pub struct Edit {
    /// What moves.
    pub figure: Figure,
    /// What is asked.
    pub constraints: Vec<Constraint>,
    /// Its layers, at least one.
    pub layers: Vec<Layer>,
    /// Whether the last frame repeats the first.
    pub is_loop: bool,
    /// Seconds per frame.
    pub frame_seconds: f64,
    /// Which entries of the metric count.
    pub metric: Metric,
}

/// A motion that answers, and how well.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The edited motion.
    pub motion: Motion,
    /// By constraint: the largest part of it that is missing, in metres.
    pub misses: Vec<f64>,
    /// By limit: how far it is passed, in radians.
    pub passed: Vec<f64>,
    /// What is missing at the seam of a loop, in metres.
    pub seam: f64,
    /// Steps that were taken.
    pub steps: usize,
    /// Rows that were asked, all frames.
    pub rows: usize,
    /// Whether every layer came to its end.
    pub is_settled: bool,
    /// Whether the best so far was asked for before that.
    pub is_stopped: bool,
}

impl Edit {
    /// How rows are weighed at an ε.
    #[must_use]
    pub fn penalty(&self, epsilon: f64) -> Penalty {
        Penalty { epsilon, give: GIVE * self.figure.size }
    }

    /// Frames between those that have rows while keys are few.
    #[must_use]
    pub fn every(&self) -> usize {
        ((SAMPLED / self.frame_seconds).round() as usize).max(1)
    }

    /// The curve of a layer.
    #[must_use]
    pub fn curve(&self, layer: &Layer) -> Curve {
        let frames = layer.window.1 - layer.window.0;
        let keys = match layer.keys {
            Keys::Count(keys) => keys,
            Keys::Seconds(seconds) => {
                // As many as are that far apart; a B-spline has three more than pieces.
                let pieces =
                    (frames as f64 * self.frame_seconds / seconds.max(1e-6)).round().min(frames as f64);
                pieces as usize
                    + if matches!(layer.curve, CurveKind::Linear | CurveKind::Cubic) { 1 } else { 3 }
            }
        };
        Curve::new(&CurveSettings {
            kind: layer.curve,
            window: layer.window,
            keys: keys.max(1),
            clamped: layer.clamped,
            smoothing: layer.smoothing / self.frame_seconds,
        })
    }

    /// The last layer: a key on every frame that some layer may change.
    #[must_use]
    pub fn last_layer(&self) -> Layer {
        let first = self.layers.iter().min_by_key(|layer| layer.window.0);
        let last = self.layers.iter().max_by_key(|layer| layer.window.1);
        let (first, last) = (
            first.map_or((0, false), |l| (l.window.0, l.clamped[0])),
            last.map_or((0, false), |l| (l.window.1, l.clamped[1])),
        );
        Layer {
            curve: CurveKind::Frames,
            keys: Keys::Count(0),
            window: (first.0, last.0),
            clamped: [first.1, last.1],
            smoothing: SMOOTHING,
        }
    }
}

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

/// A curve with few keys. Where something gives way it is pulled harder: what costs much is reached then. What is out of
/// reach is left as it was, and pulls less and less hard until it drags nothing else along.
fn keyed(
    edit: &Edit,
    problem: &mut Problem<'_>,
    state: &mut State,
    solution: &mut Solution,
    progress: &Progress,
) -> Result<(), Cancelled> {
    let rounds = (KEYED.len() + WEAKER) as f64;
    let part = |k: usize| progress.part(k as f64 / rounds, (k + 1) as f64 / rounds);
    let mut best: Option<(usize, State, bool)> = None;
    let mut trial = state.clone();
    for (k, epsilon) in KEYED.into_iter().enumerate() {
        let most = if k == 0 { STEPS } else { HARDER };
        let descent = solve::descend(problem, &mut trial, &edit.penalty(epsilon), most, &part(k))?;
        solution.steps += descent.steps;
        let count = given(edit, problem, &trial).len();
        if best.as_ref().is_none_or(|(least, ..)| count < *least) {
            // Harder is over when nothing gives way; what is left is for the last layer.
            let is_over = descent.is_settled || k > 0 && count == 0 && !progress.is_stopped();
            best = Some((count, trial.clone(), is_over));
        }
        if count == 0 || progress.is_stopped() {
            break;
        }
    }
    let Some((_, found, mut is_settled)) = best else { return Ok(()) };
    *state = found;
    for k in 0..WEAKER {
        let hopeless = hopeless(edit, problem, state);
        if hopeless.is_empty() || progress.is_stopped() {
            break;
        }
        hopeless.into_iter().for_each(|c| problem.weaken(c, 0.3));
        let penalty = edit.penalty(KEYED[0]);
        let descent = solve::descend(problem, state, &penalty, STEPS, &part(KEYED.len() + k))?;
        solution.steps += descent.steps;
        is_settled = descent.is_settled;
    }
    solution.is_settled &= is_settled;
    Ok(())
}

/// Constraints that give way farthest, where they drag others along that could hold.
fn hopeless(edit: &Edit, problem: &Problem<'_>, state: &State) -> BTreeSet<usize> {
    let give = GIVE * edit.figure.size;
    let mut misses = vec![0.0_f64; edit.constraints.len()];
    for rows in solve::evaluate(problem, state, false).all().filter(|rows| problem.is_hard(rows.id)) {
        if let RowId::Constraint(c) = rows.id {
            misses[c] = misses[c].max(rows.miss());
        }
    }
    let worst = misses.iter().copied().fold(0.0, f64::max);
    let is_far = |miss: f64| miss > GIVEN * give && miss > 0.5 * worst;
    if !misses.iter().any(|miss| *miss > give && !is_far(*miss)) {
        return BTreeSet::new();
    }
    (0..misses.len()).filter(|c| is_far(misses[*c])).collect()
}

/// Constraints that give way.
fn given(edit: &Edit, problem: &Problem<'_>, state: &State) -> BTreeSet<usize> {
    let most = GIVEN * GIVE * edit.figure.size;
    let found = solve::evaluate(problem, state, false);
    let far = found.all().filter(|rows| rows.miss() > most && problem.is_hard(rows.id));
    far.filter_map(|rows| if let RowId::Constraint(c) = rows.id { Some(c) } else { None }).collect()
}

/// Whose rows they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowsOf {
    /// A curve with few keys: what only stays slips as it did.
    FewKeys,
    /// One that is to meet all that is asked, or a motion that is measured.
    All,
}

/// What is asked of one curve on top of a motion.
pub(crate) fn asked<'a>(
    edit: &'a Edit,
    below: &'a Motion,
    curve: &'a Curve,
    counts: &'a dyn Fn(usize) -> bool,
    every: usize,
    rows: RowsOf,
) -> Asked<'a> {
    Asked {
        figure: &edit.figure,
        motion: below,
        curve,
        constraints: &edit.constraints,
        counts,
        is_loop: edit.is_loop,
        every,
        keeps_slips: rows == RowsOf::FewKeys,
        metric: edit.metric,
    }
}

/// Writes the frames of a curve.
pub(crate) fn apply(
    skeleton: &Skeleton,
    curve: &Curve,
    freedoms: &Freedoms,
    state: &State,
    motion: &mut Motion,
) {
    let mut d = vec![0.0; freedoms.len()];
    let (first, last) = curve.window();
    for frame in first..=last {
        curve.at(frame, &state.x, &mut d);
        freedoms.apply(skeleton, motion, frame, &d);
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
