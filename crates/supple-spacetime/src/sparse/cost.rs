//! The cost of the force and of all keys as a function of η: ½|η|² + Σ_i E_i(w_i), w_i read at y_i = ȳ_i + C_i η.

use super::goal::Cost;
use super::newton::{Function, Local, norm};
use super::solve::SparseProblem;
use super::unknowns::seen;
use faer::Mat;
use rayon::prelude::*;

/// What a stage asks for.
pub(super) struct Asked<'a> {
    pub problem: &'a SparseProblem,
    /// How much of the way.
    pub part: f64,
    /// λ of every key.
    pub multipliers: &'a [Vec<f64>],
    /// What keys cost counts so much.
    pub firmness: f64,
}

/// A key around a point.
pub(super) struct KeyRows {
    /// w.
    read: Vec<f64>,
    /// ∂w/∂(z, ż).
    rows: Vec<f64>,
}

impl Asked<'_> {
    fn cost(&self, key: usize, read: &[f64]) -> Cost {
        let mut cost = self.problem.keys[key].goal.cost(read, self.part, &self.multipliers[key]);
        cost.cost *= self.firmness;
        cost.forces.iter_mut().for_each(|force| *force *= self.firmness);
        cost
    }

    /// The cost, and the gradient as rows that were made have it.
    fn sum(&self, eta: &[f64], reads: &[&[f64]], rows: &[&[f64]]) -> (f64, Vec<f64>, f64) {
        let problem = self.problem;
        let mut pulled = vec![0.0; eta.len()];
        let mut cost = 0.5 * norm(eta).powi(2);
        for (k, (read, rows)) in reads.iter().zip(rows).enumerate() {
            let own = self.cost(k, read);
            cost += own.cost;
            let gradient = transposed(rows, &own.forces);
            problem.unknowns.add_gradient(problem.places[k], &gradient, &mut pulled);
        }
        let scale = norm(eta).max(norm(&pulled));
        let gradient = eta.iter().zip(&pulled).map(|(eta, pulled)| eta + pulled).collect();
        (cost, gradient, scale)
    }

    /// What something makes of every key and its state.
    fn each<T: Send>(&self, eta: &[f64], of: impl Fn(usize, &(Vec<f64>, Vec<f64>)) -> T + Sync) -> Vec<T> {
        let problem = self.problem;
        let of = |k: usize| of(k, &problem.unknowns.state(eta, problem.places[k]));
        (0..problem.keys.len()).into_par_iter().map(of).collect()
    }
}

impl Function for Asked<'_> {
    type Rows = Vec<KeyRows>;

    fn around(&self, eta: &[f64]) -> Local<Vec<KeyRows>> {
        let keys = self.each(eta, |k, state| {
            let goal = &self.problem.keys[k].goal;
            KeyRows { read: goal.read(seen(state)), rows: goal.rows(seen(state)) }
        });
        let reads: Vec<&[f64]> = keys.iter().map(|key| &*key.read).collect();
        let rows: Vec<&[f64]> = keys.iter().map(|key| &*key.rows).collect();
        let (cost, gradient, scale) = self.sum(eta, &reads, &rows);
        Local { cost, gradient, scale, rows: keys }
    }

    fn nearby(&self, local: &Local<Vec<KeyRows>>, eta: &[f64]) -> (f64, Vec<f64>) {
        let reads = self.each(eta, |k, state| self.problem.keys[k].goal.read(seen(state)));
        let reads: Vec<&[f64]> = reads.iter().map(|read| &**read).collect();
        let rows: Vec<&[f64]> = local.rows.iter().map(|key| &*key.rows).collect();
        let (cost, gradient, _) = self.sum(eta, &reads, &rows);
        (cost, gradient)
    }

    fn squares(&self, local: &Local<Vec<KeyRows>>) -> Mat<f64> {
        let problem = self.problem;
        let squares = |k: usize| problem.keys[k].goal.squares(&local.rows[k].rows);
        let squares: Vec<Mat<f64>> = (0..problem.keys.len()).into_par_iter().map(squares).collect();
        let mut H = Mat::identity(local.gradient.len(), local.gradient.len());
        for (squares, places) in squares.iter().zip(&problem.places) {
            problem.unknowns.add_hessian(*places, &(squares * faer::Scale(self.firmness)), &mut H);
        }
        H
    }

    fn add_curvature(&self, local: &Local<Vec<KeyRows>>, eta: &[f64], step: &[f64], to: &mut Mat<f64>) {
        let problem = self.problem;
        let bends = self.each(eta, |k, state| {
            let (key, goal) = (&local.rows[k], &problem.keys[k].goal);
            let moved = problem.unknowns.moved(step, problem.places[k]);
            let led_to: Vec<f64> = (key.read.iter().zip(key.rows.chunks_exact(moved.len().max(1))))
                .map(|(w, row)| w + row.iter().zip(&moved).map(|(j, y)| j * y).sum::<f64>())
                .collect();
            goal.curvature(seen(state), &self.cost(k, &led_to).forces)
        });
        for (bend, places) in bends.iter().zip(&problem.places) {
            if let Some(bend) = bend {
                problem.unknowns.add_hessian(*places, bend, to);
            }
        }
    }
}

/// Jᵀ f.
fn transposed(rows: &[f64], forces: &[f64]) -> Vec<f64> {
    let width = if forces.is_empty() { 0 } else { rows.len() / forces.len() };
    let mut gradient = vec![0.0; width];
    for (force, row) in forces.iter().zip(rows.chunks_exact(width.max(1))) {
        gradient.iter_mut().zip(row).for_each(|(g, j)| *g += force * j);
    }
    gradient
}
