//! A motion that follows a hand: one step for each of its moves.
//!
//! A fresh curve with few keys lies on top of the settled motion, so that nothing jumps when a point is taken. Rows are
//! read every [`SAMPLED`](crate::SAMPLED) seconds, at the frame of the hand and at both ends of every range; ε is not small,
//! so a step is safe wherever the hand goes. Every move factors anew: a stale factor under the penalty diverges. Freedoms
//! and metric are those of the motion below, and so the same for all moves.

use crate::constraint::{Goal, Targets};
use crate::curve::Curve;
use crate::edit::{Edit, RowsOf, apply, asked};
use crate::motion::{Motion, World};
use crate::solve::{self, Ground, Problem, RowId, State};
use nalgebra::Vector3;

/// ε while dragging.
const EPSILON: f64 = 4e-5;
/// Where rows give while dragging, as a part of where they do otherwise: ε is smaller than that of a layer with few keys, so
/// that the hand is followed closely, and what is out of reach shall not be pulled much harder for that.
const GIVE: f64 = 0.5;

/// Constraints in the hand, which are moved as one.
#[derive(Clone, Debug)]
pub struct Drag {
    edit: Edit,
    below: Motion,
    curve: Curve,
    ground: Ground,
    state: Option<State>,
    /// What is in the hand, and what it asked for when it was taken.
    taken: Vec<(usize, Goal)>,
    rows: usize,
}

impl Drag {
    /// Takes constraints of an edit in the hand, on top of a motion. The curve is that of the first one's layer.
    ///
    /// # Panics
    /// When there is none of these constraints, or no layer.
    #[must_use]
    pub fn new(edit: Edit, below: Motion, taken: &[usize]) -> Self {
        let layer = edit.layers[edit.constraints[taken[0]].layer];
        let curve = edit.curve(&layer);
        let ground = Ground::new(&asked(&edit, &below, &curve, &|_| true, 1, RowsOf::FewKeys));
        let taken = taken.iter().map(|c| (*c, edit.constraints[*c].goal.clone())).collect();
        Self { edit, below, curve, ground, state: None, taken, rows: 0 }
    }

    /// How many rows a step has.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// One step towards where all that is in the hand is so far from where it was taken; answers what is still missing of it,
    /// in metres.
    pub fn step(&mut self, shift: &Vector3<f64>) -> f64 {
        for (c, goal) in &self.taken {
            self.edit.constraints[*c].goal = moved(goal, shift);
        }
        self.go_on()
    }

    /// One more step to where the hand is.
    pub fn go_on(&mut self) -> f64 {
        let counts = |_: usize| true;
        let asked = asked(&self.edit, &self.below, &self.curve, &counts, self.edit.every(), RowsOf::FewKeys);
        let mut problem = Problem::on(&asked, &self.ground);
        let is_taken = |c: usize| self.taken.iter().any(|(own, _)| *own == c);
        let soft = |c: usize| self.edit.constraints[c].hold.is_some();
        problem.keep_misses(&|c| !is_taken(c) && soft(c));
        if problem.is_empty() {
            return 0.0;
        }
        let fresh = problem.start();
        // A goal that has begun to float, or no longer does, has other places.
        let mut state =
            self.state.take().filter(|state| state.places.len() == fresh.places.len()).unwrap_or(fresh);
        let mut penalty = self.edit.penalty(EPSILON);
        penalty.give *= GIVE;
        let found = solve::step_once(&problem, &mut state, &penalty);
        self.rows = found.rows();
        let own = found.all().filter(|rows| matches!(rows.id, RowId::Constraint(c) if is_taken(c)));
        let miss = own.map(solve::Rows::miss).fold(0.0, f64::max);
        self.state = Some(state);
        miss
    }

    /// Where the joints are in a frame.
    #[must_use]
    pub fn world(&self, frame: usize) -> World {
        let skeleton = &self.edit.figure.skeleton;
        let Some(state) = &self.state else { return self.below.world(skeleton, frame) };
        let freedoms = self.ground.freedoms();
        let mut d = vec![0.0; freedoms.len()];
        self.curve.at(frame, &state.x, &mut d);
        freedoms.world(skeleton, &self.below, frame, &d)
    }

    /// The whole motion as it is now.
    #[must_use]
    pub fn motion(&self) -> Motion {
        let mut motion = self.below.clone();
        if let Some(state) = &self.state {
            apply(&self.edit.figure.skeleton, &self.curve, self.ground.freedoms(), state, &mut motion);
        }
        motion
    }
}

/// A goal moved by this.
#[must_use]
pub fn moved(goal: &Goal, by: &Vector3<f64>) -> Goal {
    match goal {
        Goal::At(Targets::One(target)) => Goal::At(Targets::One(target + by)),
        Goal::At(Targets::Each(targets)) => {
            Goal::At(Targets::Each(targets.iter().map(|target| target.map(|target| target + by)).collect()))
        }
        Goal::Plane { point, normal } => Goal::Plane { point: point + by, normal: *normal },
        Goal::Along(line) => Goal::Along(line.iter().map(|point| point + by).collect()),
        Goal::Velocity(velocity) => Goal::Velocity(velocity + by),
        Goal::Inside(region) => Goal::Inside(region.moved(by)),
        Goal::Outside(region) => Goal::Outside(region.moved(by)),
        other => other.clone(),
    }
}
