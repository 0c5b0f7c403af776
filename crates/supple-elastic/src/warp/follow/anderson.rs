//! Anderson's acceleration of an iteration u ← G(u) that converges slowly.
//!
//! > f_k = G(u_k) − u_k,  γ = argmin |f_k − Σ_j γ_j Δf_j|,  u_{k+1} = G(u_k) − Σ_j γ_j ΔG_j
//!
//! with Δf_j and ΔG_j the differences of successive f and G, the last few of them (Walker and Ni, Anderson
//! Acceleration for Fixed-Point Iterations, 2011; for steps that take turns: Peng et al., Anderson Acceleration for
//! Geometry Optimization and Physics Simulation, 2018). Where f grows, what was learnt is forgotten and G itself is
//! taken, which never goes up.

use nalgebra::{DMatrix, DVector};
use std::collections::VecDeque;

/// Differences remembered.
const WINDOW: usize = 6;
/// f may grow by this much before all is forgotten.
const GROWTH: f64 = 1.2;
/// How much of the differences' own size keeps γ small where they are nearly dependent.
const DAMPING: f64 = 1e-10;

/// What an iteration has learnt of itself.
#[derive(Debug, Default)]
pub(super) struct Anderson {
    /// Δf and ΔG, oldest first.
    differences: VecDeque<[Vec<f64>; 2]>,
    /// f and G of the round before.
    last: Option<[Vec<f64>; 2]>,
}

impl Anderson {
    /// Takes u_k and G(u_k), and overwrites u with u_{k+1}.
    pub fn step(&mut self, u: &mut [f64], g: Vec<f64>) {
        let f = minus(&g, u.to_vec());
        if let Some([before, g_before]) = self.last.take() {
            if dot(&f, &f) > GROWTH * GROWTH * dot(&before, &before) {
                self.differences.clear();
            } else {
                if self.differences.len() == WINDOW {
                    self.differences.pop_front();
                }
                self.differences.push_back([minus(&f, before), minus(&g, g_before)]);
            }
        }
        u.copy_from_slice(&g);
        if let Some(gamma) = self.combination(&f) {
            for (gamma, [_, difference]) in gamma.iter().zip(&self.differences) {
                u.iter_mut().zip(difference).for_each(|(u, d)| *u -= gamma * d);
            }
        }
        self.last = Some([f, g]);
    }

    /// γ, by the normal equations.
    fn combination(&self, f: &[f64]) -> Option<DVector<f64>> {
        let count = self.differences.len();
        let column = |j: usize| &self.differences[j][0];
        let mut products = DMatrix::from_fn(count, count, |i, j| dot(column(i.max(j)), column(i.min(j))));
        let damping = DAMPING * products.trace();
        (0..count).for_each(|i| products[(i, i)] += damping);
        let sides = DVector::from_fn(count, |i, _| dot(column(i), f));
        products.cholesky().map(|factor| factor.solve(&sides))
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// a − b, in the room of b.
fn minus(a: &[f64], mut b: Vec<f64>) -> Vec<f64> {
    b.iter_mut().zip(a).for_each(|(b, a)| *b = a - *b);
    b
}

#[cfg(test)]
mod tests {
    use super::*;

    /// u ← u − D (u − 1) with D between 0.02 and 1: by itself it needs hundreds of rounds.
    fn rounds(accelerated: bool) -> usize {
        let rate = |k: usize| 0.02 + 0.98 * (k as f64 / 9.0).powi(3);
        let mut u = vec![0.0; 10];
        let mut memory = Anderson::default();
        for round in 1..=2000 {
            let g: Vec<f64> = u.iter().enumerate().map(|(k, u)| u - rate(k) * (u - 1.0)).collect();
            let change = g.iter().zip(&u).fold(0.0, |most: f64, (g, u)| most.max((g - u).abs()));
            if accelerated {
                memory.step(&mut u, g);
            } else {
                u = g;
            }
            if change < 1e-9 {
                assert!(u.iter().all(|u| (u - 1.0).abs() < 1e-7), "{u:?}");
                return round;
            }
        }
        panic!("not found")
    }

    #[test]
    fn a_slow_iteration_becomes_a_fast_one() {
        let (slow, fast) = (rounds(false), rounds(true));
        assert!(slow > 500 && fast < 60, "{slow} {fast}");
    }
}
