//! Rows and their derivatives at an edit.

use super::problem::{Penalty, Problem, State};
use crate::constraint::{Read, parts, read, read_limit, seam_rows, seam_spans, span_of, spanning};
use crate::freedoms::Posed;
use rayon::prelude::*;

/// Whose rows they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RowId {
    /// Of a constraint.
    Constraint(usize),
    /// Of a limit.
    Limit(usize),
    /// Of the seam of a loop.
    Seam,
}

/// How firmly rows are asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Firm {
    /// As hard as can be; of what is out of reach only a share of that, so that it drags nothing along.
    Hard(f64),
    /// With this κ.
    Soft(f64),
}

/// A few rows that are weighed together.
#[derive(Clone, Copy, Debug)]
pub struct Rows {
    /// Whose.
    pub id: RowId,
    /// The frame they are at; for rows between frames the one of the range.
    pub frame: usize,
    /// Which part of what is asked there.
    pub part: usize,
    /// How many.
    pub count: usize,
    /// r.
    pub r: [f64; 3],
    /// Whether they are met as well by r < 0.
    pub is_bound: bool,
    /// The place that floats, if any.
    pub place: Option<usize>,
}

impl Rows {
    /// Which of all groups they are.
    #[must_use]
    pub fn key(&self) -> (RowId, usize, usize) {
        (self.id, self.frame, self.part)
    }

    /// How much is missing.
    #[must_use]
    pub fn miss(&self) -> f64 {
        if self.is_bound {
            return self.r[0].max(0.0);
        }
        self.r[..self.count].iter().map(|r| r * r).sum::<f64>().sqrt()
    }

    /// ∂ρ/∂(r²/2), the weight of the rows in a step: κ, less where they give. For bounds, if the step heeds them.
    #[must_use]
    pub fn weight(&self, firm: Firm, penalty: &Penalty) -> f64 {
        let miss = self.miss();
        match firm {
            Firm::Soft(weight) => weight,
            Firm::Hard(share) => share * (penalty.give / miss.max(penalty.give)) / penalty.epsilon,
        }
    }

    /// ρ.
    fn cost(&self, firm: Firm, penalty: &Penalty) -> f64 {
        let (miss, give) = (self.miss(), penalty.give);
        match firm {
            Firm::Soft(weight) => 0.5 * weight * miss * miss,
            Firm::Hard(share) if miss > give => share * give * (miss - 0.5 * give) / penalty.epsilon,
            Firm::Hard(share) => share * 0.5 * miss * miss / penalty.epsilon,
        }
    }
}

/// The rows of a frame.
#[derive(Clone, Debug)]
pub struct FrameRows {
    /// Which.
    pub frame: usize,
    /// Its rows.
    pub rows: Vec<Rows>,
    /// Their J, as long as d each, in that order; empty where it was not asked for.
    pub J: Vec<f64>,
}

/// Rows between frames.
#[derive(Clone, Debug)]
pub struct SpanRows {
    /// The rows.
    pub rows: Rows,
    /// By frame: J, as long as d for each row; empty where it was not asked for.
    pub parts: Vec<(usize, Vec<f64>)>,
}

/// All rows at an edit.
#[derive(Clone, Debug)]
pub struct Evaluated {
    /// Those of single frames.
    pub frames: Vec<FrameRows>,
    /// Those between frames.
    pub spans: Vec<SpanRows>,
}

impl Evaluated {
    /// All groups of rows.
    pub fn all(&self) -> impl Iterator<Item = &Rows> {
        let spans = self.spans.iter().map(|span| &span.rows);
        self.frames.iter().flat_map(|frame| &frame.rows).chain(spans)
    }

    /// How many rows there are.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.all().map(|rows| rows.count).sum()
    }

    /// ½ xᵀ (T ⊗ G) x + Σ ρ, and what places cost that are not where they were.
    #[must_use]
    pub fn merit(&self, problem: &Problem<'_>, state: &State, penalty: &Penalty) -> f64 {
        let Gx = super::assemble::metric_times(problem, &state.x);
        let cost: f64 = 0.5 * state.x.iter().zip(&Gx).map(|(x, y)| x * y).sum::<f64>();
        let places = state.places.iter().zip(&problem.homes);
        let cost = cost
            + places
                .map(|(p, (home, cost))| 0.5 * cost.dot(&(p - home).component_mul(&(p - home))))
                .sum::<f64>();
        cost + self.all().map(|rows| rows.cost(problem.firmness(rows.id), penalty)).sum::<f64>()
    }
}

impl Problem<'_> {
    /// Constraints that are `answered` below keep what they miss there: soft ones, or every layer would take its share of
    /// it, and those that gave way.
    pub fn keep_misses(&mut self, answered: &dyn Fn(usize) -> bool) {
        if !(0..self.constraints.len()).any(answered) {
            return;
        }
        for rows in evaluate(self, &self.start(), false).all() {
            let RowId::Constraint(c) = rows.id else { continue };
            if answered(c) {
                let r = if rows.is_bound { rows.r.map(|r| r.max(0.0)) } else { rows.r };
                self.missed.insert((rows.frame, c, rows.part), r);
            }
        }
    }

    /// How firmly rows are asked for.
    #[must_use]
    pub fn firmness(&self, id: RowId) -> Firm {
        match id {
            RowId::Constraint(c) => self.soft[c].map_or(Firm::Hard(self.shares[c]), Firm::Soft),
            RowId::Limit(_) | RowId::Seam => Firm::Hard(1.0),
        }
    }

    /// Whether rows are hard.
    #[must_use]
    pub fn is_hard(&self, id: RowId) -> bool {
        matches!(self.firmness(id), Firm::Hard(_))
    }
}

/// All rows at an edit, with their derivatives if asked for.
#[must_use]
pub fn evaluate(problem: &Problem<'_>, state: &State, with_derivatives: bool) -> Evaluated {
    let one = |(frame, constraints): &(usize, Vec<usize>)| {
        of_frame(problem, state, *frame, constraints, with_derivatives)
    };
    let frames = problem.frames.par_iter().map(one).collect();
    let mut spans: Vec<SpanRows> = problem
        .spans
        .iter()
        .filter_map(|(c, frame)| of_span(problem, state, *c, *frame, with_derivatives))
        .collect();
    if problem.is_loop {
        spans.extend(of_seam(problem, state, with_derivatives));
    }
    Evaluated { frames, spans }
}

/// A frame under the edit.
fn posed(problem: &Problem<'_>, state: &State, frame: usize) -> Posed {
    let mut d = vec![0.0; problem.freedoms.len()];
    problem.curve.at(frame, &state.x, &mut d);
    problem.freedoms.pose(&problem.figure.skeleton, problem.motion, frame, &d)
}

fn of_frame(
    problem: &Problem<'_>,
    state: &State,
    frame: usize,
    constraints: &[usize],
    derivatives: bool,
) -> FrameRows {
    let skeleton = &problem.figure.skeleton;
    let posed = posed(problem, state, frame);
    let n = problem.freedoms.len();
    let (mut rows, mut J, mut scratch) = (Vec::new(), Vec::new(), vec![0.0; 3 * n]);
    let parts =
        constraints.iter().flat_map(|c| (0..parts(&problem.constraints[*c])).map(move |part| (c, part)));
    for (c, part) in parts {
        let constraint = &problem.constraints[*c];
        let place = problem.floating[*c];
        let slip = || problem.slips.get(&(frame, *c)).copied().unwrap_or_default();
        let floating = place.map(|at| state.places[at] + slip());
        let Some(found) =
            read(skeleton, &posed.world, constraint, (frame, part), floating.as_ref(), problem.scale)
        else {
            continue;
        };
        let Read { rows: count, r, is_bound, .. } = found;
        let r = problem.beyond((frame, *c, part), r);
        rows.push(Rows { id: RowId::Constraint(*c), frame, part, count, r, is_bound, place });
        if derivatives {
            let at = J.len();
            J.resize(at + count * n, 0.0);
            found.jacobian(skeleton, &posed, constraint, &mut scratch, &mut J[at..]);
        }
    }
    for (k, limit) in problem.figure.limits.iter().enumerate() {
        let at = J.len();
        if derivatives {
            J.resize(at + n, 0.0);
        }
        let found = read_limit(skeleton, &posed, limit, problem.scale, derivatives.then_some(&mut J[at..]));
        match found {
            Some(r) => {
                rows.push(Rows {
                    id: RowId::Limit(k),
                    frame,
                    part: 0,
                    count: 1,
                    r: [r, 0.0, 0.0],
                    is_bound: true,
                    place: None,
                });
            }
            None => J.truncate(at),
        }
    }
    FrameRows { frame, rows, J }
}

fn of_span(
    problem: &Problem<'_>,
    state: &State,
    c: usize,
    frame: usize,
    derivatives: bool,
) -> Option<SpanRows> {
    let skeleton = &problem.figure.skeleton;
    let constraint = &problem.constraints[c];
    let span = span_of(constraint, frame, problem.motion.frames())?;
    let (early, late) = (posed(problem, state, span.early), posed(problem, state, span.late));
    let found = spanning(skeleton, &early.world, &late.world, constraint, &span);
    let n = problem.freedoms.len();
    let r = problem.beyond((frame, c, 0), found.r);
    let rows =
        Rows { id: RowId::Constraint(c), frame, part: 0, count: found.rows, r, is_bound: false, place: None };
    let mut parts = Vec::new();
    if derivatives {
        let mut scratch = vec![0.0; 3 * n];
        for (frame, posed, sign) in [(span.early, &early, -1.0), (span.late, &late, 1.0)] {
            let mut J = vec![0.0; found.rows * n];
            found.jacobian(skeleton, posed, constraint, &mut scratch, &mut J);
            J.iter_mut().for_each(|value| *value *= sign);
            parts.push((frame, J));
        }
    }
    Some(SpanRows { rows, parts })
}

fn of_seam(problem: &Problem<'_>, state: &State, derivatives: bool) -> Vec<SpanRows> {
    let at = seam_spans(problem.curve.window());
    let frames = at.map(|frame| posed(problem, state, frame));
    let up = problem.figure.up;
    let seam =
        seam_rows(&problem.figure.skeleton, frames.each_ref(), up, problem.freedoms.len(), problem.scale);
    let n = problem.freedoms.len();
    seam.into_iter()
        .map(|rows| SpanRows {
            rows: Rows {
                id: RowId::Seam,
                frame: at[3],
                part: 0,
                count: rows.rows,
                r: [rows.r.x, rows.r.y, rows.r.z],
                is_bound: false,
                place: None,
            },
            parts: if derivatives {
                at.into_iter()
                    .zip(rows.parts)
                    .map(|(f, mut J)| {
                        J.truncate(rows.rows * n);
                        (f, J)
                    })
                    .collect()
            } else {
                Vec::new()
            },
        })
        .collect()
}
