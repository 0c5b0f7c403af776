//! Where factors of the stiffness are made, on whichever thread has time.

use super::{Poser, places};
use crate::Evaluator;
use crate::newton::{Factored, Gauge, Shift, Shifted};
use std::sync::Arc;
use supple_mesh::Vec3;
use supple_numerics::sparse::BlockMatrix;

/// All that making a factor takes, so that another thread can.
#[derive(Debug)]
pub(super) struct Workshop {
    evaluator: Evaluator,
    matrix: BlockMatrix,
    pub factored: Factored,
    gauge: Option<Arc<Gauge>>,
    by: Shift,
    /// The shape of the last factor, and whether it succeeded.
    pub shape: Vec<Vec3>,
    pub good: bool,
}

impl Workshop {
    /// Without a factor yet.
    pub fn new(poser: &Poser) -> Self {
        let mut evaluator = Evaluator::new(poser.body.clone(), poser.newton.free());
        let mut matrix = evaluator.zeros();
        evaluator.stiffness(&vec![0.0; poser.pose.len()], &mut matrix);
        Self {
            by: Shift::new(&matrix),
            matrix,
            evaluator,
            factored: Factored::new(poser.newton.symbolic().clone()),
            gauge: poser.gauge.clone(),
            shape: Vec::new(),
            good: false,
        }
    }

    /// Factors K at `pose`, shifted as far as it needs.
    pub fn make(&mut self, pose: &[f64]) {
        self.evaluator.stiffness(pose, &mut self.matrix);
        self.shape = places(self.evaluator.body(), pose);
        let mut shifted = Shifted::new(&mut self.matrix, self.gauge.as_deref(), Some(&self.by));
        self.good = shifted.factor(&mut self.matrix, &mut self.factored, &mut 0.0).is_some();
    }
}
