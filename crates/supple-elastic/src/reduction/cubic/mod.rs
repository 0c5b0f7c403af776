//! Forces of a reduced body whose energy is a polynomial of fourth degree (Barbič and James 2005): tets and voxels under
//! the St. Venant–Kirchhoff law; under the linear one the degree is two.
//!
//! > K₁ = c₁ z,   K₂ = c₂ (z⊗z),   K = K₀ + K₁ + K₂,   R = R₀ + (K₀ + ½ K₁ + ⅓ K₂) z,
//! > ∂(Kλ)/∂z = c₁ λ + c₂ (z⊗λ + λ⊗z).
//!
//! ```text
//! once:    rows of strain as polynomials of z, six per place in an element      [rows]
//!          their products with each other, one product of matrices              [coefficients]
//! a state: two products of matrices with z and z⊗z, both as lower triangles     [product]
//! ```
//!
//! | symbol | shape |
//! |---|---|
//! | R₀ | r |
//! | K₀, K₁, K₂ | r(r + 1)/2, lower triangles |
//! | c₁ | r(r + 1)/2 × r |
//! | c₂ | r(r + 1)/2 × r(r + 1)/2 |

mod coefficients;
mod packed;
mod product;
mod rows;

use super::KeyBasis;
use crate::ElasticBody;
use packed::{pairs, products};
use product::Tiles;
use rayon::prelude::*;
use rows::Rows;
use supple_model::{Cancelled, Progress, ReducedDynamics};

/// States that are one task.
const STATES_PER_TASK: usize = 16;

/// R, K and their derivative as polynomials of z.
#[derive(Clone, Debug)]
pub struct CubicForces {
    coordinates: usize,
    coefficients: Vec<f64>,
    /// c₁ and c₂; none under the linear law.
    higher: Option<[Tiles; 2]>,
}

impl CubicForces {
    /// Whether the forces of a body are such polynomials.
    #[must_use]
    pub fn fits(body: &ElasticBody) -> bool {
        rows::law(body).is_some()
    }

    /// The polynomials of a body in a basis; `None` when it has none, see [`Self::fits`].
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn new(body: &ElasticBody, basis: &KeyBasis, progress: &Progress) -> Result<Option<Self>, Cancelled> {
        progress.report("reduced forces", 0.0)?;
        let Some(rows) = Rows::new(body, basis) else { return Ok(None) };
        let gram = coefficients::gram(&rows, progress)?;
        progress.report("reduced forces", 0.9)?;
        let r = basis.coordinates();
        Ok(Some(Self::of(r, coefficients::of_gram(r, &gram))))
    }

    /// All coefficients, to be kept somewhere.
    #[must_use]
    pub fn coefficients(&self) -> &[f64] {
        &self.coefficients
    }

    /// Polynomials kept earlier; `None` when there are not as many finite coefficients as `coordinates` take.
    #[must_use]
    pub fn from_coefficients(coordinates: usize, coefficients: Vec<f64>) -> Option<Self> {
        let fits = coefficients::lengths(coordinates).contains(&coefficients.len());
        let finite = coefficients.iter().all(|c| c.is_finite());
        (fits && finite && coordinates > 0).then(|| Self::of(coordinates, coefficients))
    }

    fn of(r: usize, coefficients: Vec<f64>) -> Self {
        let [second, all] = coefficients::lengths(r);
        let higher = (coefficients.len() == all).then(|| {
            let (c1, c2) = coefficients[second..].split_at(r * pairs(r));
            [Tiles::new(pairs(r), r, c1), Tiles::new(pairs(r), pairs(r), c2)]
        });
        Self { coordinates: r, coefficients, higher }
    }

    /// R, and K where it is asked for, of one state from its K₁ and K₂.
    fn compose(&self, z: &[f64], parts: [&[f64]; 2], force: &mut [f64], mut stiffness: Option<&mut [f64]>) {
        let r = self.coordinates;
        let (R0, K0) = self.coefficients[..r + pairs(r)].split_at(r);
        let [K1, K2] = parts;
        force.copy_from_slice(R0);
        let mut at = 0;
        for i in 0..r {
            for j in 0..=i {
                let (first, second) = (K1[at], K2[at]);
                let secant = K0[at] + (0.5 * first + second / 3.0);
                force[i] += secant * z[j];
                if i != j {
                    force[j] += secant * z[i];
                }
                if let Some(K) = &mut stiffness {
                    let entry = K0[at] + (first + second);
                    (K[i * r + j], K[j * r + i]) = (entry, entry);
                }
                at += 1;
            }
        }
    }

    /// [`ReducedDynamics::stiffness`] of a few states, without `stiffness` when that is empty.
    fn evaluate(&self, z: &[f64], force: &mut [f64], stiffness: &mut [f64]) {
        let r = self.coordinates;
        let mut room = Room::new(r);
        let mut stiffness = stiffness.chunks_exact_mut(r * r);
        for (z, force) in z.chunks_exact(r).zip(force.chunks_exact_mut(r)) {
            if let Some(higher) = &self.higher {
                // The diagonal of z⊗z counts once, what is beside it twice.
                products(z, z, 1.0, &mut room.squares);
                room.multiply(higher, z);
            }
            self.compose(z, [&room.first, &room.second], force, stiffness.next());
        }
    }

    /// [`ReducedDynamics::curvature`] of a few states.
    fn bend(&self, z: &[f64], lambda: &[f64], curvature: &mut [f64]) {
        let r = self.coordinates;
        let Some(higher) = &self.higher else {
            curvature.fill(0.0);
            return;
        };
        let mut room = Room::new(r);
        let states = z.chunks_exact(r).zip(lambda.chunks_exact(r));
        for ((z, lambda), out) in states.zip(curvature.chunks_exact_mut(r * r)) {
            products(z, lambda, 2.0, &mut room.squares);
            room.multiply(higher, lambda);
            unpack(r, |at| room.first[at] + room.second[at], out);
        }
    }
}

impl ReducedDynamics for CubicForces {
    fn coordinates(&self) -> usize {
        self.coordinates
    }

    fn force(&self, z: &[f64], force: &mut [f64]) {
        let task = STATES_PER_TASK * self.coordinates;
        assert_eq!(z.len(), force.len(), "a force for every state");
        if z.len() <= task {
            self.evaluate(z, force, &mut []);
        } else {
            let tasks = z.par_chunks(task).zip(force.par_chunks_mut(task));
            tasks.for_each(|(z, force)| self.evaluate(z, force, &mut []));
        }
    }

    fn stiffness(&self, z: &[f64], force: &mut [f64], stiffness: &mut [f64]) {
        let (r, task) = (self.coordinates, STATES_PER_TASK * self.coordinates);
        assert!(z.len() == force.len() && stiffness.len() == r * z.len(), "a stiffness for every state");
        if z.len() <= task {
            self.evaluate(z, force, stiffness);
        } else {
            let forces = z.par_chunks(task).zip(force.par_chunks_mut(task));
            forces
                .zip(stiffness.par_chunks_mut(r * task))
                .for_each(|((z, force), stiffness)| self.evaluate(z, force, stiffness));
        }
    }

    fn curvature(&self, z: &[f64], lambda: &[f64], curvature: &mut [f64]) {
        let (r, task) = (self.coordinates, STATES_PER_TASK * self.coordinates);
        assert!(z.len() == lambda.len() && curvature.len() == r * z.len(), "a curvature for every state");
        let tasks = z.par_chunks(task).zip(lambda.par_chunks(task));
        tasks
            .zip(curvature.par_chunks_mut(r * task))
            .for_each(|((z, lambda), curvature)| self.bend(z, lambda, curvature));
    }
}

/// What a state needs: z⊗z, K₁ and K₂.
#[derive(Debug)]
struct Room {
    squares: Vec<f64>,
    first: Vec<f64>,
    second: Vec<f64>,
}

impl Room {
    fn new(r: usize) -> Self {
        let room = vec![0.0; pairs(r)];
        Self { squares: room.clone(), first: room.clone(), second: room }
    }

    fn multiply(&mut self, [c1, c2]: &[Tiles; 2], z: &[f64]) {
        c1.multiply(z, &mut self.first);
        c2.multiply(&self.squares, &mut self.second);
    }
}

/// Writes a whole matrix from its lower triangle.
fn unpack(r: usize, entry: impl Fn(usize) -> f64, out: &mut [f64]) {
    let mut at = 0;
    for i in 0..r {
        for j in 0..=i {
            (out[i * r + j], out[j * r + i]) = (entry(at), entry(at));
            at += 1;
        }
    }
}
