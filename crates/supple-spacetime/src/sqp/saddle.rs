//! Ways down from a saddle.
//!
//! Pushing a straight beam along its axis shortens it and is stationary; bending it aside costs less. At a stationary
//! edit u with multipliers λ, the energy of the edits around it that keep the handles where they are is
//!
//! > ½⟨v, (I − C) v⟩, C v = P (∂J/∂z · v)ᵀ λ, for all v with J v = 0,
//!
//! and a v where that is negative leads down. The same C with R in place of λ tells whether a handle that no step can
//! bring nearer (pulling the tip of a chain of straight links inwards) comes nearer along a curve: there ⟨v, C v⟩ > 0.
//! Few steps of Lanczos's method find such a v, at the cost of one Jacobian each.

use super::reading::linearized;
use super::solve::{Gap, Problem, State, largest};
use super::tangent::Tangent;
use super::vector::Vector;
use nalgebra::{DMatrix, DVector};

/// Steps of Lanczos's method.
const STEPS: usize = 8;
/// Steps after which it may end, where curvatures are above this.
const FEWEST: usize = 3;
const CONVEX: f64 = 0.3;
/// How far J is looked at, as the part of the size that the easiest row moves by.
const NEAR: f64 = 1e-4;
/// Curvatures of the energy above this are as good as positive,
const FLAT: f64 = -0.02;
/// and those of a handle's way, over that of the easiest row.
const STRAIGHT: f64 = -1e-5;
/// How far to go along what was found, as ‖J' − J‖/‖J‖.
const ASIDE: f64 = 0.3;

impl Problem<'_> {
    /// An edit beside a stationary one from which a better one may be found; none if it is a minimum, as far as a few
    /// steps can tell.
    pub fn aside(&self, state: &State, tangent: &Tangent, gap: &Gap) -> Option<Vector> {
        let missing = &gap.residual - tangent.reachable(&gap.residual);
        let is_met = largest(&missing) <= NEAR * self.size;
        let weights = if is_met { tangent.inverse(&tangent.reads(&state.edit.primal)) } else { missing };
        let (easiest, scale) = (tangent.easiest(), weights.norm());
        if easiest <= 0.0 || scale <= 0.0 {
            return None;
        }
        // Without the energy, only the sign of C counts.
        let (weights, metric, least) =
            if is_met { (weights, 1.0, FLAT) } else { (weights / (scale * easiest), 0.0, STRAIGHT) };
        let reach = NEAR * self.size / easiest.sqrt();
        let (curvature, v) = self.lowest(state, tangent, &weights, metric, reach)?;
        if curvature > least {
            return None;
        }
        self.turned(state, tangent, &v, self.size / easiest.sqrt())
    }

    /// The direction of least curvature among those in which no handle moves, and its curvature.
    fn lowest(
        &self,
        state: &State,
        tangent: &Tangent,
        weights: &DVector<f64>,
        metric: f64,
        reach: f64,
    ) -> Option<(f64, Vector)> {
        let mut basis: Vec<Vector> = Vec::new();
        let mut bent: Vec<Vector> = Vec::new();
        let mut next = self.layout.vector(scattered(state.edit.dual.len()));
        for _ in 0..STEPS {
            let before = next.dot(&next).sqrt();
            for _ in 0..2 {
                let moving = tangent.inverse(&tangent.reads(&next.primal));
                tangent.add_pulls(&mut next, -1.0, &moving);
                for v in &basis {
                    next.add(-v.dot(&next), v);
                }
            }
            let size = next.dot(&next).max(0.0).sqrt();
            if !(size > 1e-6 * before && size.is_finite()) || is_convex(&basis, &bent, size, metric) {
                break;
            }
            let mut v = Vector::zero(next.dual.len());
            v.add(1.0 / size, &next);
            next = self.bend(state, tangent, weights, metric, &v, reach)?;
            bent.push(next.clone());
            basis.push(v);
        }
        let (curvature, factors) = lowest_pair(&basis, &bent)?;
        let mut v = Vector::zero(state.edit.dual.len());
        for (factor, b) in factors.iter().zip(&basis) {
            v.add(*factor, b);
        }
        Some((curvature, v))
    }

    /// metric·v − C v, by a difference of J.
    fn bend(
        &self,
        state: &State,
        tangent: &Tangent,
        weights: &DVector<f64>,
        metric: f64,
        v: &Vector,
        reach: f64,
    ) -> Option<Vector> {
        let mut there = state.edit.clone();
        there.add(reach, v);
        let rows = linearized(self.layout, self.readout, &there.primal, Vec::new()).ok()?.rows;
        let mut dual = vec![0.0; v.dual.len()];
        tangent.add_change(&rows, weights, -1.0 / reach, &mut dual);
        let mut bent = self.layout.vector(dual);
        bent.add(metric, v);
        Some(bent)
    }

    /// The state's edit and some of v, so much that the body turns visibly; `far` is a first guess.
    fn turned(&self, state: &State, tangent: &Tangent, v: &Vector, far: f64) -> Option<Vector> {
        let go = |far: f64| {
            let mut edit = state.edit.clone();
            edit.add(far, v);
            edit
        };
        let first = ASIDE * far;
        let turn = tangent.turn(&Tangent::new(self.layout, self.readout, &go(first)).ok()?, self.layout);
        Some(go(first * (ASIDE / turn.max(1e-3 * ASIDE)).clamp(0.05, 20.0)))
    }
}

/// The lowest curvature seen so far, and its direction in terms of `basis`.
fn lowest_pair(basis: &[Vector], bent: &[Vector]) -> Option<(f64, DVector<f64>)> {
    let n = basis.len();
    if n == 0 {
        // Handles take all the freedom there is.
        return None;
    }
    let A = DMatrix::from_fn(n, n, |i, j| 0.5 * (basis[i].dot(&bent[j]) + basis[j].dot(&bent[i])));
    let eigen = A.symmetric_eigen();
    let lowest = (0..n).min_by(|&i, &j| eigen.eigenvalues[i].total_cmp(&eigen.eigenvalues[j]))?;
    Some((eigen.eigenvalues[lowest], eigen.eigenvectors.column(lowest).into_owned()))
}

/// Whether the lowest curvature is positive beyond doubt: by more than it can still change, `next` being what the
/// last direction is bent into that is not in the basis.
fn is_convex(basis: &[Vector], bent: &[Vector], next: f64, metric: f64) -> bool {
    if metric == 0.0 || basis.len() < FEWEST {
        return false;
    }
    lowest_pair(basis, bent).is_some_and(|(lowest, v)| lowest - next * v[basis.len() - 1].abs() > CONVEX)
}

/// Numbers between −1 and 1 that favour no direction, always the same.
fn scattered(length: usize) -> Vec<f64> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    (0..length).map(|_| next()).collect()
}
