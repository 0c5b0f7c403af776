//! Φ(u) = E(u) − fᵀu, whose minimum is the pose: ∂Φ/∂u = R(u) − f.

use crate::newton::{Objective, Value};
use crate::{Evaluator, FreeVertices};
use supple_numerics::sparse::BlockMatrix;

/// The potential of a body under a load.
#[derive(Debug)]
pub(super) struct Potential {
    pub evaluator: Evaluator,
    pub free: FreeVertices,
    /// f on every vertex, zero on held ones.
    pub load: Vec<f64>,
    /// Where fᵀu counts from, so that a body far from rest keeps its digits.
    pub origin: Vec<f64>,
    /// Forces below this are rounding.
    pub rounding: f64,
    /// How far a coordinate may go in one iteration.
    pub longest_step: f64,
    /// Where the load began to grow, and how far from there is lost.
    pub start: Vec<f64>,
    pub reach: f64,
    /// Whether the body has been unstable since.
    pub unstable: bool,
    force: Vec<f64>,
}

impl Potential {
    /// Without a load, from `origin`.
    pub fn new(evaluator: Evaluator, free: FreeVertices, origin: Vec<f64>, rounding: f64) -> Self {
        let room = vec![0.0; origin.len()];
        Self {
            evaluator,
            free,
            load: room.clone(),
            start: origin.clone(),
            origin,
            rounding,
            longest_step: f64::INFINITY,
            reach: f64::INFINITY,
            unstable: false,
            force: room,
        }
    }

    /// R(u) on every vertex.
    pub fn force(&mut self, u: &[f64]) -> &[f64] {
        self.evaluator.force(u, &mut self.force);
        &self.force
    }
}

impl Objective for Potential {
    fn value(&mut self, u: &[f64]) -> Value {
        let work: f64 = self.load.iter().zip(u.iter().zip(&self.origin)).map(|(f, (u, o))| f * (u - o)).sum();
        Value::of(&[self.evaluator.body().energy(u), -work])
    }

    fn gradient(&mut self, u: &[f64], gradient: &mut [f64]) {
        self.evaluator.force(u, &mut self.force);
        for (r, f) in self.force.iter_mut().zip(&self.load) {
            *r -= f;
        }
        self.free.gather(&self.force, gradient);
    }

    fn hessian(&mut self, u: &[f64], hessian: &mut BlockMatrix) {
        self.evaluator.stiffness(u, hessian);
    }

    fn longest_step(&self) -> f64 {
        self.longest_step
    }

    fn runs_away(&self, u: &[f64], shifted: bool) -> bool {
        let far = |(u, start): (&f64, &f64)| (u - start).abs() > self.reach;
        (shifted || self.unstable) && u.iter().zip(&self.start).any(far)
    }
}
