//! Forces of any reduced body, from those of the whole one.
//!
//! > R = Uᵀ R(q₀ + U z),   K = UᵀK(q₀ + U z) U,
//! > ∂(K λ)/∂z = dK(z + ελ)/dε, because third derivatives of the energy do not depend on their order:
//! > (8 (K₁ − K₋₁) − (K₂ − K₋₂)) / 12ε with K_k = K(z + kελ).
//!
//! ε strains no element by more than [`STRAIN`]: the rule's error is of fourth order in that, and its rounding that of K
//! over it. Springs, cloth and all laws of solids have no closed form here; polynomials up to the fourth degree (whose K is
//! of second) are exact but for rounding.
//!
//! States are worked on side by side, each with its own room and its own sums.

mod sandwich;

use super::KeyBasis;
use crate::{ElasticBody, Evaluator};
use rayon::prelude::*;
use sandwich::Sandwich;
use std::sync::{Arc, Mutex, PoisonError};
use supple_mesh::Vec3;
use supple_model::ReducedDynamics;
use supple_numerics::sparse::{BlockMatrix, BlockPattern};

/// How far differences strain an element.
const STRAIN: f64 = 1e-3;

/// R, K and their derivative by projection.
#[derive(Debug)]
pub struct ProjectedForces {
    body: Arc<ElasticBody>,
    basis: KeyBasis,
    sandwich: Sandwich,
    /// How far every column of U strains an element at most.
    strains: Vec<f64>,
    rooms: Mutex<Vec<Room>>,
}

/// What one state needs.
#[derive(Debug)]
struct Room {
    evaluator: Evaluator,
    matrix: BlockMatrix,
    pose: Vec<f64>,
    force: Vec<f64>,
    free_force: Vec<f64>,
}

impl ProjectedForces {
    /// The forces of a body in a basis.
    ///
    /// # Panics
    /// When the basis is of another body.
    #[must_use]
    pub fn new(body: Arc<ElasticBody>, basis: KeyBasis) -> Self {
        assert_eq!(basis.start().len(), 3 * body.positions().len(), "a basis of this body");
        let room = Room::new(&body, &basis);
        let pattern = room.matrix.pattern().clone();
        let sandwich = Sandwich::new(basis.basis().shapes(), &pattern);
        let strains = strains(&body, &basis, &pattern);
        Self { body, basis, sandwich, strains, rooms: Mutex::new(vec![room]) }
    }

    /// R of one state, and K where there is room for it.
    fn evaluate(&self, z: &[f64], force: &mut [f64], stiffness: Option<&mut [f64]>) {
        let known = self.rooms.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut room = known.unwrap_or_else(|| Room::new(&self.body, &self.basis));
        self.basis.poses(z, &mut room.pose);
        room.evaluator.force(&room.pose, &mut room.force);
        self.basis.basis().free().gather(&room.force, &mut room.free_force);
        self.sandwich.force(&room.free_force, force);
        if let Some(stiffness) = stiffness {
            room.evaluator.stiffness(&room.pose, &mut room.matrix);
            self.sandwich.stiffness(&room.matrix, stiffness);
        }
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner).push(room);
    }

    /// ∂(K λ)/∂z of one state.
    fn bend(&self, z: &[f64], lambda: &[f64], curvature: &mut [f64]) {
        curvature.fill(0.0);
        let strain: f64 = lambda.iter().zip(&self.strains).map(|(l, strain)| l.abs() * strain).sum();
        if strain == 0.0 {
            return;
        }
        let step = STRAIN / strain;
        let (mut force, mut K) = (vec![0.0; z.len()], vec![0.0; curvature.len()]);
        for (k, weight) in [(1.0, 8.0), (-1.0, -8.0), (2.0, -1.0), (-2.0, 1.0)] {
            let moved: Vec<f64> = z.iter().zip(lambda).map(|(z, l)| z + k * step * l).collect();
            self.evaluate(&moved, &mut force, Some(&mut K));
            for (out, K) in curvature.iter_mut().zip(&K) {
                *out += weight / (12.0 * step) * K;
            }
        }
    }
}

impl Room {
    fn new(body: &Arc<ElasticBody>, basis: &KeyBasis) -> Self {
        let free = basis.basis().free();
        let evaluator = Evaluator::new(body.clone(), free);
        let matrix = evaluator.zeros();
        let whole = vec![0.0; basis.start().len()];
        let free_force = vec![0.0; 3 * free.vertices().len()];
        Self { evaluator, matrix, pose: whole.clone(), force: whole, free_force }
    }
}

/// The largest change of the difference of two vertices that share an element, over their distance, for every column of U.
fn strains(body: &ElasticBody, basis: &KeyBasis, pattern: &BlockPattern) -> Vec<f64> {
    let place = |k: usize| body.positions()[basis.basis().free().vertices()[k].index()];
    let edges: Vec<(usize, usize, f64)> = (0..pattern.block_rows())
        .flat_map(|j| pattern.rows(j)[1..].iter().map(move |&i| (i, j)))
        .map(|(i, j)| (i, j, (place(i) - place(j)).norm()))
        .filter(|edge| edge.2 > 0.0)
        .collect();
    // One vertex alone between held ones: in sizes of the body.
    let size = body.positions().iter().map(|x| (x - body.positions()[0]).norm()).fold(0.0, f64::max);
    let column = |u: faer::ColRef<'_, f64>| {
        let at = |k: usize| Vec3::new(u[3 * k], u[3 * k + 1], u[3 * k + 2]);
        let alone = (0..pattern.block_rows()).map(|k| at(k).norm() / size.max(f64::MIN_POSITIVE));
        edges.iter().map(|(i, j, length)| (at(*i) - at(*j)).norm() / length).chain(alone).fold(0.0, f64::max)
    };
    basis.basis().shapes().col_iter().map(column).collect()
}

impl ReducedDynamics for ProjectedForces {
    fn coordinates(&self) -> usize {
        self.basis.coordinates()
    }

    fn force(&self, z: &[f64], force: &mut [f64]) {
        let r = self.coordinates();
        assert_eq!(z.len(), force.len(), "a force for every state");
        let states = z.par_chunks_exact(r).zip(force.par_chunks_exact_mut(r));
        states.for_each(|(z, force)| self.evaluate(z, force, None));
    }

    fn stiffness(&self, z: &[f64], force: &mut [f64], stiffness: &mut [f64]) {
        let r = self.coordinates();
        assert!(z.len() == force.len() && stiffness.len() == r * z.len(), "a stiffness for every state");
        let states = z.par_chunks_exact(r).zip(force.par_chunks_exact_mut(r));
        states
            .zip(stiffness.par_chunks_exact_mut(r * r))
            .for_each(|((z, force), stiffness)| self.evaluate(z, force, Some(stiffness)));
    }

    fn curvature(&self, z: &[f64], lambda: &[f64], curvature: &mut [f64]) {
        let r = self.coordinates();
        assert!(z.len() == lambda.len() && curvature.len() == r * z.len(), "a curvature for every state");
        let states = z.par_chunks_exact(r).zip(lambda.par_chunks_exact(r));
        states
            .zip(curvature.par_chunks_exact_mut(r * r))
            .for_each(|((z, lambda), curvature)| self.bend(z, lambda, curvature));
    }
}
