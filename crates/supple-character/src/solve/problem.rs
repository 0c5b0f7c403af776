//! The rows of one curve, and its unknowns.

use super::assemble::Memory;
use crate::constraint::{Constraint, Goal, Point, Scale, hangs_below, place, span_of};
use crate::curve::Curve;
use crate::figure::Figure;
use crate::freedoms::Freedoms;
use crate::metric::{Metric, metric};
use crate::motion::Motion;
use faer::Mat;
use nalgebra::Vector3;
use std::collections::BTreeMap;

/// What it costs a place that floats to rise, compared with the whole figure.
const RISE: f64 = 100.0;

/// How rows are weighed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Penalty {
    /// ε of hard rows.
    pub epsilon: f64,
    /// Where a row begins to give, in metres.
    pub give: f64,
}

/// One curve on top of a motion, and what is asked of it.
pub struct Problem<'a> {
    /// What moves.
    pub figure: &'a Figure,
    /// The motion under the curve.
    pub motion: &'a Motion,
    /// The curve.
    pub curve: &'a Curve,
    /// All that is asked of the motion.
    pub constraints: &'a [Constraint],
    /// Whether the last frame repeats the first.
    pub is_loop: bool,
    /// What may change in a frame.
    pub freedoms: Freedoms,
    /// G.
    pub metric: Mat<f64>,
    /// What rows are measured by.
    pub scale: Scale,
    /// Frames with rows, in their order, and the constraints that have some there.
    pub(super) frames: Vec<(usize, Vec<usize>)>,
    /// Constraints that span frames, with the frames of their ranges.
    pub(super) spans: Vec<(usize, usize)>,
    /// Constraints whose place floats: which of the places is theirs.
    pub(super) floating: Vec<Option<usize>>,
    /// κ of soft constraints.
    pub(super) soft: Vec<Option<f64>>,
    /// How much of its force a hard constraint has.
    pub(super) shares: Vec<f64>,
    /// Room for the matrix of a step.
    pub(super) memory: Memory,
    /// By place that floats: where it was, and what it costs to be elsewhere.
    pub(super) homes: Vec<(Vector3<f64>, Vector3<f64>)>,
    /// By frame with rows, and constraint in it whose place floats: how far from its place the motion has it.
    pub(super) slips: BTreeMap<(usize, usize), Vector3<f64>>,
    /// By frame of the range, constraint that is answered below, and its part: what it misses there.
    pub(super) missed: BTreeMap<(usize, usize, usize), [f64; 3]>,
}

/// The unknowns.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Coefficients of the curve, a number per freedom for each key.
    pub x: Vec<f64>,
    /// Places that float.
    pub places: Vec<Vector3<f64>>,
}

/// What all problems over the same motion share: what may change in a frame, and what that costs.
#[derive(Clone, Debug)]
pub struct Ground {
    freedoms: Freedoms,
    metric: Mat<f64>,
}

impl Ground {
    /// The freedoms that rows touch, and their metric.
    #[must_use]
    pub fn new(asked: &Asked<'_>) -> Self {
        let freedoms = freedoms_of(asked);
        let metric = metric(asked.figure, asked.motion, asked.curve.window(), &freedoms, asked.metric);
        Self { freedoms, metric }
    }

    /// What may change in a frame.
    #[must_use]
    pub fn freedoms(&self) -> &Freedoms {
        &self.freedoms
    }
}

/// What a problem is made from.
pub struct Asked<'a> {
    /// What moves.
    pub figure: &'a Figure,
    /// The motion under the curve.
    pub motion: &'a Motion,
    /// The curve.
    pub curve: &'a Curve,
    /// All that is asked of the motion.
    pub constraints: &'a [Constraint],
    /// Which of it counts here.
    pub counts: &'a dyn Fn(usize) -> bool,
    /// Whether the last frame repeats the first.
    pub is_loop: bool,
    /// Of frames in a range every so many has rows.
    pub every: usize,
    /// Whether points that stay may slip as they do in the motion: few keys would bend it to stop that.
    pub keeps_slips: bool,
    /// Which entries of the metric count.
    pub metric: Metric,
}

impl<'a> Problem<'a> {
    /// The rows of a curve.
    #[must_use]
    pub fn new(asked: &Asked<'a>) -> Self {
        Self::on(asked, &Ground::new(asked))
    }

    /// The rows of a curve; the same points as when the ground was made, whatever they are asked for now.
    #[must_use]
    pub fn on(asked: &Asked<'a>, ground: &Ground) -> Self {
        let Asked { figure, motion, curve, constraints, is_loop, .. } = *asked;
        let window = curve.window();
        let mut frames: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let mut spans = Vec::new();
        let mut floating = vec![None; constraints.len()];
        let mut places = 0;
        for (c, constraint) in constraints.iter().enumerate().filter(|(c, _)| (asked.counts)(*c)) {
            let rows = sampled(constraint.frames, asked.every).filter(|f| (window.0..=window.1).contains(f));
            for frame in rows {
                match constraint.goal {
                    Goal::SameAs(_) | Goal::Velocity(_) => {
                        if span_of(constraint, frame, motion.frames()).is_some() {
                            spans.push((c, frame));
                        }
                    }
                    _ => frames.entry(frame).or_default().push(c),
                }
            }
            if constraint.goal == Goal::Stay {
                floating[c] = Some(places);
                places += 1;
            }
        }
        if !figure.limits.is_empty() {
            for frame in sampled(window, asked.every) {
                frames.entry(frame).or_default();
            }
        }
        let Ground { freedoms, metric } = ground.clone();
        let mut problem = Self {
            figure,
            motion,
            curve,
            constraints,
            is_loop: is_loop && window.1 >= window.0 + 3,
            freedoms,
            metric,
            scale: figure.scale(),
            frames: frames.into_iter().collect(),
            spans,
            floating,
            soft: vec![None; constraints.len()],
            shares: vec![1.0; constraints.len()],
            memory: Memory::default(),
            homes: Vec::new(),
            slips: BTreeMap::new(),
            missed: BTreeMap::new(),
        };
        problem.soft = problem.soft_weights();
        problem.homes = problem.homes_of(asked.every);
        if asked.keeps_slips {
            problem.slips = problem.slips_of(&problem.start());
        }
        problem
    }

    /// Nothing changed yet; places that float are where their points are on average.
    #[must_use]
    pub fn start(&self) -> State {
        let mut sums = vec![(0.0, Vector3::zeros()); self.floating.iter().flatten().count()];
        self.each_floating(&mut |_, _, at, p| sums[at] = (sums[at].0 + 1.0, sums[at].1 + p));
        let mean = |(count, sum): &(f64, Vector3<f64>)| sum / count.max(1.0);
        State {
            x: vec![0.0; self.curve.keys() * self.freedoms.len()],
            places: sums.iter().map(mean).collect(),
        }
    }

    /// What it costs a place that floats to be elsewhere. Across the way up as much as to move what hangs on its joint in its
    /// frames: steps become longer where the hips go on. Up and down [`RISE`] times as much as the whole figure: what is stood on
    /// does not rise, and is no way out for all else; but toes and heels of one foot agree on where they are.
    fn homes_of(&self, every: usize) -> Vec<(Vector3<f64>, Vector3<f64>)> {
        let skeleton = &self.figure.skeleton;
        let joints = skeleton.joints().len();
        let of = |constraint: &Constraint| {
            let below = (0..joints).filter(|j| hangs_below(skeleton, &constraint.point, *j)).count();
            let mut cost = Vector3::repeat(below as f64 / joints as f64);
            cost[self.figure.up] = RISE;
            cost * every as f64
        };
        let each: Vec<Vector3<f64>> = self.constraints.iter().map(of).collect();
        let mut costs = vec![Vector3::zeros(); self.floating.iter().flatten().count()];
        self.each_floating(&mut |_, c, at, _| costs[at] += each[c]);
        self.start().places.into_iter().zip(costs).collect()
    }

    fn slips_of(&self, start: &State) -> BTreeMap<(usize, usize), Vector3<f64>> {
        let mut slips = BTreeMap::new();
        self.each_floating(&mut |frame, c, at, p| {
            slips.insert((frame, c), p - start.places[at]);
        });
        slips
    }

    /// What is missing beyond what was missed below.
    pub(super) fn beyond(&self, rows: (usize, usize, usize), r: [f64; 3]) -> [f64; 3] {
        self.missed.get(&rows).map_or(r, |missed| std::array::from_fn(|k| r[k] - missed[k]))
    }

    /// Calls with the frame, the constraint, its place, and where the motion has its point.
    fn each_floating(&self, call: &mut dyn FnMut(usize, usize, usize, Vector3<f64>)) {
        for (frame, constraints) in &self.frames {
            let mut world = None;
            for c in constraints {
                let Some(at) = self.floating[*c] else { continue };
                let world = world.get_or_insert_with(|| self.motion.world(&self.figure.skeleton, *frame));
                let constraint = &self.constraints[*c];
                let seen = |point: &Point| place(&self.figure.skeleton, world, point);
                let from = constraint.seen_from.as_ref().map_or_else(Vector3::zeros, seen);
                call(*frame, *c, at, seen(&constraint.point) - from);
            }
        }
    }

    /// Makes a constraint pull less hard.
    pub fn weaken(&mut self, constraint: usize, factor: f64) {
        self.shares[constraint] *= factor;
    }

    /// Whether nothing is asked.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.freedoms.is_empty()
            || self.curve.keys() == 0
            || self.frames.is_empty() && self.spans.is_empty() && !self.is_loop
    }

    /// κ of soft constraints, so that alone each misses 1/(1 + h) of what it asks: h over the variance of what it reads, which
    /// frames of a range share as far as one moves the other.
    fn soft_weights(&self) -> Vec<Option<f64>> {
        let mut counts: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (frame, constraints) in &self.frames {
            for c in constraints.iter().filter(|c| self.constraints[**c].hold.is_some()) {
                counts.entry(*c).or_default().push(*frame);
            }
        }
        for (c, frame) in self.spans.iter().filter(|(c, _)| self.constraints[*c].hold.is_some()) {
            counts.entry(*c).or_default().push(*frame);
        }
        let mut weights = vec![None; self.constraints.len()];
        if counts.is_empty() {
            return weights;
        }
        let time = super::assemble::TimeKernel::new(self.curve);
        for (c, frames) in counts {
            let middle = frames[frames.len() / 2];
            let kernel: f64 = frames.iter().map(|f| time.between(middle, *f)).sum();
            let variance = kernel * super::assemble::variance(self, c, middle);
            weights[c] = self.constraints[c].hold.map(|hold| hold / variance.max(f64::MIN_POSITIVE));
        }
        weights
    }
}

/// Frames of a range, every so many and always the last.
fn sampled((first, last): (usize, usize), every: usize) -> impl Iterator<Item = usize> {
    let end = (last > first && !(last - first).is_multiple_of(every)).then_some(last);
    (first..=last).step_by(every).chain(end)
}

/// The freedoms that rows touch.
fn freedoms_of(asked: &Asked<'_>) -> Freedoms {
    let skeleton = &asked.figure.skeleton;
    let mut wanted = vec![asked.is_loop; skeleton.joints().len()];
    for (_, constraint) in asked.constraints.iter().enumerate().filter(|(c, _)| (asked.counts)(*c)) {
        let turns = matches!(constraint.goal, Goal::Orientation(_));
        for point in std::iter::once(&constraint.point).chain(&constraint.seen_from) {
            match point {
                Point::CenterOfMass => wanted.fill(true),
                Point::Joint { joint, offset } => {
                    // A joint is where it is however it is turned; only the root moves by itself.
                    let is_placed = !turns && *offset == Vector3::zeros();
                    let stays =
                        |j: usize| is_placed && j == *joint && skeleton.joints()[j].moves == [false; 3];
                    skeleton.chain(*joint).filter(|j| !stays(*j)).for_each(|j| wanted[j] = true);
                }
            }
        }
    }
    for limit in &asked.figure.limits {
        wanted[limit.joint] = true;
    }
    Freedoms::new(skeleton, |j| wanted[j])
}
