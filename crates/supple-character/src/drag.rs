//! A motion that follows a hand: one step for each of its moves.
//!
//! A fresh curve with few keys lies on top of the settled motion, so that nothing jumps when a point is taken. Rows are
//! read every [`SAMPLED`](crate::SAMPLED) seconds, at the frame of the hand and at both ends of every range; ε is not small,
//! so a step is safe wherever the hand goes. Every move factors anew: a stale factor under the penalty diverges.

use crate::constraint::{Goal, Targets};
use crate::curve::Curve;
use crate::motion::{Motion, World};
use crate::release::{Edit, apply, asked};
use crate::solve::{self, Problem, State};
use nalgebra::Vector3;

/// ε while dragging.
const EPSILON: f64 = 1e-4;
/// Where rows give while dragging, as a part of where they do otherwise: ε is smaller than that of a layer with few keys, so
/// that the hand is followed closely, and what is out of reach shall not be pulled much harder for that.
const GIVE: f64 = 0.5;

/// A constraint in the hand.
#[derive(Clone, Debug)]
pub struct Drag {
    edit: Edit,
    below: Motion,
    curve: Curve,
    state: Option<State>,
    dragged: usize,
    rows: usize,
}

impl Drag {
    /// Takes a constraint of an edit in the hand, on top of a motion.
    ///
    /// # Panics
    /// When there is no such constraint, or no layer.
    #[must_use]
    pub fn new(edit: Edit, below: Motion, dragged: usize) -> Self {
        let layer = edit.layers[edit.constraints[dragged].layer];
        let curve = edit.curve(&layer);
        Self { edit, below, curve, state: None, dragged, rows: 0 }
    }

    /// How many rows a step has.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// What is in the hand, as it is asked for now.
    #[must_use]
    pub fn goal(&self) -> &Goal {
        &self.edit.constraints[self.dragged].goal
    }

    /// One step towards another goal; answers what is still missing of it, in metres.
    pub fn step(&mut self, goal: Goal) -> f64 {
        self.edit.constraints[self.dragged].goal = goal;
        let counts = |_: usize| true;
        let mut problem =
            Problem::new(&asked(&self.edit, &self.below, &self.curve, &counts, self.edit.every()));
        let soft = |c: usize| self.edit.constraints[c].hold.is_some();
        problem.keep_misses(&|c| c != self.dragged && soft(c));
        if problem.is_empty() {
            return 0.0;
        }
        let fresh = problem.start();
        // A goal that has begun to float, or no longer does, has other places.
        let mut state =
            self.state.take().filter(|state| state.places.len() == fresh.places.len()).unwrap_or(fresh);
        let mut penalty = self.edit.penalty(EPSILON);
        penalty.give *= GIVE;
        solve::step_once(&problem, &mut state, &penalty);
        let found = solve::evaluate(&problem, &state, false);
        self.rows = found.rows();
        let own = found.all().filter(|rows| rows.id == solve::RowId::Constraint(self.dragged));
        let miss = own.map(solve::Rows::miss).fold(0.0, f64::max);
        self.state = Some(state);
        miss
    }

    /// Where the joints are in a frame.
    #[must_use]
    pub fn world(&self, frame: usize) -> World {
        let skeleton = &self.edit.figure.skeleton;
        let Some(state) = &self.state else { return self.below.world(skeleton, frame) };
        let counts = |_: usize| true;
        let freedoms = solve::freedoms_of(&asked(&self.edit, &self.below, &self.curve, &counts, 1));
        let mut d = vec![0.0; freedoms.len()];
        self.curve.at(frame, &state.x, &mut d);
        freedoms.world(skeleton, &self.below, frame, &d)
    }

    /// The whole motion as it is now.
    #[must_use]
    pub fn motion(&self) -> Motion {
        let mut motion = self.below.clone();
        if let Some(state) = &self.state {
            let counts = |_: usize| true;
            let problem =
                Problem::new(&asked(&self.edit, &self.below, &self.curve, &counts, self.edit.every()));
            apply(&problem, state, &mut motion);
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
        Goal::Inside(region) => Goal::Inside(region.moved(by)),
        Goal::Outside(region) => Goal::Outside(region.moved(by)),
        other => other.clone(),
    }
}
