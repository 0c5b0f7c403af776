//! The curvature of the Lagrangian, learnt from the steps taken: damped BFGS in the metric of the kernel.
//!
//! With steps s_j and changes y_j of the Lagrangian's gradient, b = (s₁, y₁, s₂, y₂, …), the operator is
//! B = I + b M bᵀ, where ᵀ is the kernel's scalar product and M small:
//!
//! ```text
//! M = 0;  for every pair:  M += y yᵀ/⟨s,y⟩ − (Bs)(Bs)ᵀ/⟨s,Bs⟩     (s, y, Bs as coefficients of b)
//! B⁻¹ = I + b N bᵀ,  N = −M (I + Γ M)⁻¹,  Γ = bᵀb
//! ```
//!
//! so no more than Γ and products bᵀx are needed, whatever the number of modes. Constraints bend more than the energy
//! does, and ⟨s,y⟩ may be negative; y is then moved towards Bs until B stays positive (Powell's damping).

use super::vector::Vector;
use nalgebra::{DMatrix, DVector};
use std::sync::Arc;

/// Pairs that are kept where nothing else is said.
const MEMORY: usize = 40;
/// ⟨s,y⟩ is kept above this part of ⟨s,Bs⟩.
const DAMPING: f64 = 0.2;

/// B, as pairs.
#[derive(Clone, Debug)]
pub(crate) struct Curvature {
    /// s₁, y₁, s₂, y₂, …
    basis: Vec<Arc<Vector>>,
    gram: DMatrix<f64>,
    /// M.
    M: DMatrix<f64>,
    /// N.
    pub N: DMatrix<f64>,
    /// Pairs that are kept.
    memory: usize,
}

impl Curvature {
    /// B = I.
    pub fn none() -> Self {
        let empty = DMatrix::zeros(0, 0);
        Self { basis: Vec::new(), gram: empty.clone(), M: empty.clone(), N: empty, memory: MEMORY }
    }

    /// Keeps no more than so many pairs.
    pub fn limit(&mut self, memory: usize) {
        self.memory = memory.max(1);
        if self.basis.len() > 2 * self.memory {
            self.forget();
        }
    }

    /// Forgets all pairs.
    pub fn forget(&mut self) {
        *self = Self { memory: self.memory, ..Self::none() };
    }

    pub fn is_none(&self) -> bool {
        self.basis.is_empty()
    }

    /// b.
    pub fn basis(&self) -> &[Arc<Vector>] {
        &self.basis
    }

    /// bᵀ x.
    pub fn reads(&self, x: &Vector) -> DVector<f64> {
        DVector::from_fn(self.basis.len(), |i, _| self.basis[i].dot(x))
    }

    /// Learns from a step and the change of gradient along it.
    pub fn push(&mut self, step: Vector, mut change: Vector) {
        let size = step.dot(&step);
        if !(size > 0.0 && size.is_finite() && change.dot(&change).is_finite()) {
            return;
        }
        if self.basis.len() == 2 * self.memory {
            self.basis.drain(..2);
            self.gram = self.gram.clone().remove_rows(0, 2).remove_columns(0, 2);
            self.refresh();
        }
        let seen = self.reads(&step);
        let own = &self.M * &seen;
        let curved = size + seen.dot(&own);
        let found = step.dot(&change);
        if found < DAMPING * curved {
            let theta = (1.0 - DAMPING) * curved / (curved - found);
            change.dual.iter_mut().chain(&mut change.primal).for_each(|x| *x *= theta);
            change.add(1.0 - theta, &step);
            for (b, factor) in self.basis.iter().zip(own.iter()) {
                change.add((1.0 - theta) * factor, b);
            }
        }
        self.append(step);
        self.append(change);
        self.refresh();
    }

    fn append(&mut self, vector: Vector) {
        let n = self.basis.len();
        let products = self.reads(&vector);
        let mut gram = self.gram.clone().resize(n + 1, n + 1, 0.0);
        for i in 0..n {
            gram[(i, n)] = products[i];
            gram[(n, i)] = products[i];
        }
        gram[(n, n)] = vector.dot(&vector);
        self.gram = gram;
        self.basis.push(Arc::new(vector));
    }

    /// M and N from Γ.
    fn refresh(&mut self) {
        let n = self.basis.len();
        let mut M = DMatrix::zeros(n, n);
        for s in (0..n).step_by(2) {
            let column = self.gram.column(s);
            let mut bent = &M * column;
            bent[s] += 1.0;
            let (curved, found) = (bent.dot(&column), self.gram[(s, s + 1)]);
            if curved > 0.0 && found > 0.0 {
                M.ger(-1.0 / curved, &bent, &bent, 1.0);
                M[(s + 1, s + 1)] += 1.0 / found;
            }
        }
        let system = DMatrix::identity(n, n) + &M * &self.gram;
        // (I + MΓ)⁻¹ M = M (I + ΓM)⁻¹.
        match system.lu().solve(&M) {
            Some(N) if N.iter().all(|x| x.is_finite()) => {
                self.N = (&N + N.transpose()) * -0.5;
                self.M = M;
            }
            _ => self.forget(),
        }
    }
}
