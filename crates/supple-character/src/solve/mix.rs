//! Steps that remember: what the last few of them had in common is taken out of the next.
//!
//! > min over γ of ‖Δ_k − Σ γ_j (Δ_{j+1} − Δ_j)‖,  x_{k+1} = x_k + Δ_k − Σ γ_j (x_{j+1} − x_j + Δ_{j+1} − Δ_j)
//!
//! (Anderson's mixing). A step knows how rows bend only to first order, and where a hard pull bends the figure far it goes
//! back and forth across a valley; the mix goes along it.

use super::problem::State;
use nalgebra::{DMatrix, DVector, Vector3};
use std::collections::VecDeque;

/// Steps that are remembered.
const MEMORY: usize = 6;

/// The last states and the steps from them.
#[derive(Clone, Debug, Default)]
pub struct Mix {
    past: VecDeque<(Vec<f64>, Vec<f64>)>,
    /// How many of the numbers are coefficients; the rest are places.
    coefficients: usize,
}

impl Mix {
    /// Remembers a state and its step.
    pub fn remember(&mut self, state: &State, change: &State) {
        self.coefficients = state.x.len();
        if self.past.len() == MEMORY {
            self.past.pop_front();
        }
        self.past.push_back((flat(state), flat(change)));
    }

    /// The mixed step from the last state; none where there is nothing to mix.
    pub fn step(&self) -> Option<State> {
        let (_, last) = self.past.back()?;
        let pairs: Vec<_> = self.past.iter().zip(self.past.iter().skip(1)).collect();
        if pairs.is_empty() {
            return None;
        }
        let differ = |k: usize, j: usize| pairs[j].1.1[k] - pairs[j].0.1[k];
        let dot = |a: &dyn Fn(usize) -> f64, b: &dyn Fn(usize) -> f64| -> f64 {
            (0..last.len()).map(|k| a(k) * b(k)).sum()
        };
        let count = pairs.len();
        let mut normal = DMatrix::from_fn(count, count, |i, j| dot(&|k| differ(k, i), &|k| differ(k, j)));
        let right = DVector::from_fn(count, |j, _| dot(&|k| differ(k, j), &|k| last[k]));
        // Steps that hardly differ say nothing.
        let least = 1e-10 * normal.diagonal().max();
        (0..count).for_each(|j| normal[(j, j)] += least);
        let shares = normal.cholesky()?.solve(&right);
        let mut mixed = last.clone();
        for (j, (before, after)) in pairs.iter().enumerate() {
            for (k, value) in mixed.iter_mut().enumerate() {
                *value -= shares[j] * (after.0[k] - before.0[k] + after.1[k] - before.1[k]);
            }
        }
        mixed.iter().all(|value| value.is_finite()).then(|| State {
            x: mixed[..self.coefficients].to_vec(),
            places: mixed[self.coefficients..].chunks_exact(3).map(Vector3::from_column_slice).collect(),
        })
    }
}

fn flat(state: &State) -> Vec<f64> {
    state.x.iter().copied().chain(state.places.iter().flat_map(|p| [p.x, p.y, p.z])).collect()
}
