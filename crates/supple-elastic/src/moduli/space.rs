//! Where a body of some moduli can be: as its lowest modes Φ move it, everything else giving way.
//!
//! Noise of the vertices strains elements far more than it moves them; in the place of a frame u one takes
//!
//! > û = argmin E(û) where ΦᵀM(û − u) = 0,
//!
//! E the strain energy. What swings in Φ feels inertia M Φ q̈, which does not act on the rest; so the motion of the true
//! body stays as it is, however far it bends, and of the noise only its share of some tens of shapes is left. It begins with
//! the warp of Φ ([`crate::ModalWarp`]) and goes on by Newton's method,
//!
//! > K w + R = M Φ μ,   ΦᵀM w = ΦᵀM(u − û),   û ← û + w.
//!
//! Φ and E are those of moduli that are looked for: frames and moduli are found in turns. As v are modes of the same body, rows
//! of the weak form are off by the square of what moduli are off by, so that turns come to rest at the true ones.

use super::ModuliProblem;
use crate::elements::Batch;
use crate::reduction::orthonormal::dot;
use crate::{Basis, ModalWarp};
use faer::Mat;
use nalgebra::{DMatrix, DVector};
use std::sync::Arc;
use supple_model::{Progress, VertexId};
use supple_numerics::eigen::EigenError;
use supple_numerics::sparse::{Assembly, BlockMatrix, Cholesky, FactorError, Symbolic};

/// Modes.
const MODES: usize = 24;
/// Those that rows are of. More would be as noisy as they are high.
const TESTS: usize = 12;
/// Steps of a fit of the warp at most, and the part of a frame at which it is near enough.
const FITS: usize = 20;
const FITTED: f64 = 1e-4;

/// Where a body of some moduli can be.
#[derive(Debug)]
pub(super) struct Space<'a> {
    matter: Matter<'a>,
    /// Φ, mass-orthonormal.
    shapes: Vec<Vec<f64>>,
    warp: ModalWarp,
    /// λ₁: what is added to K, times M, where what floats would be moved as a whole.
    first: f64,
    /// Test modes in the measure of their energy: see [`Self::new`].
    pub tests: Vec<Vec<f64>>,
}

/// A body of some moduli.
#[derive(Debug)]
struct Matter<'a> {
    problem: &'a ModuliProblem<'a>,
    batch: &'a dyn Batch,
    young: &'a [f64],
    assembly: Assembly,
    symbolic: Arc<Symbolic>,
    /// M, three numbers a vertex.
    masses: Vec<f64>,
}

impl<'a> Space<'a> {
    /// That of a body of these moduli. Of a mode v, vᵀK v is the same as of all: noise of the vertices is as λ in its rows,
    /// and what tells regions apart is in those of high modes; between the two neither drowns the other.
    pub fn new(
        problem: &'a ModuliProblem<'a>,
        batch: &'a dyn Batch,
        young: &'a [f64],
        progress: &Progress,
    ) -> Result<Self, EigenError> {
        let matter = Matter::new(problem, batch, young)?;
        let stiffness = matter.stiffness(&vec![0.0; matter.masses.len()]);
        let floats = problem.free.body_vertices() == problem.free.vertices().len();
        let count = (MODES + if floats { 6 } else { 0 }).min(stiffness.dim());
        let modes = problem.body.modes_of(&stiffness, problem.free, count, progress)?;
        let rigid = modes.rigid();
        let shapes: Vec<Vec<f64>> = (0..modes.count()).map(|k| modes.displacement(k)).collect();
        let lambda = &modes.eigenvalues()[rigid..];
        let first = lambda.first().copied().unwrap_or(1.0);
        let scaled = |(shape, lambda): (&Vec<f64>, &f64)| -> Vec<f64> {
            shape.iter().map(|v| v * (first / lambda).sqrt()).collect()
        };
        let tests = shapes[rigid..].iter().zip(lambda).take(TESTS).map(scaled).collect();
        let warp = ModalWarp::new(problem.warp.clone(), &Basis::of(modes));
        Ok(Self { matter, shapes, warp, first, tests })
    }

    /// ΦᵀM u.
    fn seen(&self, u: &[f64]) -> Vec<f64> {
        self.shapes.iter().map(|shape| dot(&self.matter.masses, shape, u)).collect()
    }

    /// The warp of Φ that is where a frame is.
    pub fn warped(&self, u: &[f64]) -> Vec<f64> {
        let norm = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
        let (mut x, mut placed) = (vec![0.0; self.shapes.len()], vec![0.0; u.len()]);
        let goal = self.seen(u);
        let mut last = f64::INFINITY;
        for _ in 0..FITS {
            let there = self.seen(&placed);
            let step: Vec<f64> = goal.iter().zip(&there).map(|(goal, there)| goal - there).collect();
            let left = norm(&step);
            if left <= FITTED * norm(&goal) || left >= last {
                break;
            }
            last = left;
            x.iter_mut().zip(&step).for_each(|(x, step)| *x += step);
            self.warp.displacement(&self.warp.shape(&x, None), &mut placed);
        }
        placed
    }

    /// A step of Newton's method from `placed` on; there, where K is not positive definite.
    pub fn relaxed(&self, u: &[f64], placed: &[f64]) -> Vec<f64> {
        let left: Vec<f64> = u.iter().zip(placed).map(|(u, placed)| u - placed).collect();
        let w = self.matter.step(placed, &self.shapes, &self.seen(&left), self.first);
        match w {
            Some(w) => placed.iter().zip(&w).map(|(placed, w)| placed + w).collect(),
            None => placed.to_vec(),
        }
    }
}

impl<'a> Matter<'a> {
    fn new(
        problem: &'a ModuliProblem<'a>,
        batch: &'a dyn Batch,
        young: &'a [f64],
    ) -> Result<Self, FactorError> {
        let assembly = problem.body.assembly(problem.free);
        let place = |v: &VertexId| problem.body.positions()[v.index()].into();
        let positions: Vec<[f64; 3]> = problem.free.vertices().iter().map(place).collect();
        let symbolic = Arc::new(Symbolic::new(assembly.pattern(), Some(&positions))?);
        let masses = problem.body.masses().iter().flat_map(|m| [*m; 3]).collect();
        Ok(Self { problem, batch, young, assembly, symbolic, masses })
    }

    /// K(u) = Σ_g E_g K_g(u).
    fn stiffness(&self, u: &[f64]) -> BlockMatrix {
        let elements = self.problem.body.elements();
        let mut blocks = elements.block_room();
        elements.blocks(u, &mut blocks);
        let each = (blocks.len() / self.batch.elements().max(1)).max(1);
        for (blocks, g) in blocks.chunks_exact_mut(each).zip(self.problem.regions) {
            blocks.iter_mut().flatten().flatten().for_each(|x| *x *= self.young[*g]);
        }
        let mut matrix = self.assembly.zeros();
        self.assembly.sum(&blocks, &mut matrix);
        matrix
    }

    /// R(u) = Σ_g E_g R_g(u).
    fn force(&self, u: &[f64]) -> Vec<f64> {
        let corners = self.batch.corners();
        let each = self.batch.corners_per_element();
        let (mut sum, mut forces) = (vec![0.0; u.len()], vec![[0.0; 3]; corners.len()]);
        self.batch.forces(u, &mut forces);
        let elements = corners.chunks_exact(each).zip(forces.chunks_exact(each));
        for (g, (corners, forces)) in self.problem.regions.iter().zip(elements) {
            for (vertex, force) in corners.iter().zip(forces) {
                (0..3).for_each(|c| sum[3 * vertex.index() + c] += self.young[*g] * force[c]);
            }
        }
        sum
    }

    /// w of K w + R = M Φ μ, ΦᵀM w = `by`; none where K + `shift` M is not positive definite.
    fn step(&self, u: &[f64], shapes: &[Vec<f64>], by: &[f64], shift: f64) -> Option<Vec<f64>> {
        let (free, count) = (self.problem.free, shapes.len());
        let mut K = self.stiffness(u);
        let mut inertia = vec![0.0; K.dim()];
        free.gather(&self.masses, &mut inertia);
        inertia.iter_mut().for_each(|m| *m *= shift);
        K.add_diagonal(&inertia);
        let factor = Cholesky::new(self.symbolic.clone(), &K).ok()?;
        // K⁻¹MΦ, then K⁻¹R.
        let mut solved = Mat::zeros(K.dim(), count + 1);
        for (k, shape) in shapes.iter().enumerate() {
            let pushed: Vec<f64> = shape.iter().zip(&self.masses).map(|(s, m)| s * m).collect();
            free.gather(&pushed, solved.col_as_slice_mut(k));
        }
        free.gather(&self.force(u), solved.col_as_slice_mut(count));
        let pushes = solved.subcols(0, count).to_owned();
        factor.solve(solved.as_mut());
        let seen = |k: usize, j: usize| -> f64 {
            pushes.col_as_slice(k).iter().zip(solved.col_as_slice(j)).map(|(a, b)| a * b).sum()
        };
        let G = DMatrix::from_fn(count, count, |k, l| seen(k.max(l), k.min(l)));
        let mu = G.cholesky()?.solve(&DVector::from_fn(count, |k, _| by[k] + seen(k, count)));
        let w: Vec<f64> = (0..K.dim())
            .map(|i| (0..count).map(|k| mu[k] * solved[(i, k)]).sum::<f64>() - solved[(i, count)])
            .collect();
        let mut moved = vec![0.0; u.len()];
        free.scatter(&w, &mut moved);
        Some(moved)
    }
}
