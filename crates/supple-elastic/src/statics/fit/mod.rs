//! A pose of the body from a deformed skin (Barbič, da Silva and Popović 2009, §4.2, Eq. 5).
//!
//! ```text
//! u = arg min Σ_s w_s |(A u)_s − ū_s|² + β E(u)
//! ```
//!
//! | symbol | name | shape |
//! |---|---|---|
//! | A | rows of the [`Embedding`] | skin vertices × body vertices |
//! | ū | `target`: displacement of every skin vertex | 3 per skin vertex |
//! | w | weights, 1 or areas | 1 per skin vertex |
//! | β | [`Smoothness`] | |
//!
//! The energy smooths what is irregular in the skin and places the elements that hold no skin vertex.
//!
//! Newton's method starts from the smoothest displacement near ū, a linear problem on the same pattern (see
//! [`objective`]): it takes rotations of any angle into the body's inside, where copying the displacement of
//! the nearest skin vertex would tear it. In a sequence the pose before is the start when it is better.

mod objective;
mod skin;

pub use skin::vertex_areas;

use super::error::{StaticsError, check_positive, check_values};
use crate::newton::{Limits, Newton, Objective, Shift, laplacian, norm};
use crate::{ElasticBody, Evaluator, FreeVertices, Status};
use objective::{FitObjective, Start};
use skin::Skin;
use std::sync::Arc;
use supple_mesh::{Embedding, Vec3};
use supple_model::{Progress, VertexId};
use supple_numerics::sparse::BlockMatrix;

/// How smooth the start is, as a relative β: little, to follow the skin.
const START_SMOOTHNESS: f64 = 1e-4;
/// The relative stretch by which a body's stiffness is probed.
const PROBE: f64 = 1e-4;

/// How much strain energy counts against the skin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Smoothness {
    /// Without units: weights are scaled to sum to 1, and the energy is divided by the stiffness
    /// k = 2 E / (ε r)² of the body against being scaled by 1 + ε, r the root of its mean squared distance
    /// from its centre. At 1 a uniform stretch costs half as much in energy as in the skin, whatever the
    /// material, the size and the meshes.
    Relative(f64),
    /// β of Eq. 5 as it is, metres squared per joule (times the unit of the weights, which are not scaled).
    Absolute(f64),
}

/// How to fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitSettings {
    /// How much strain energy counts against the skin.
    pub smoothness: Smoothness,
    /// The gradient left over that counts as none, as a part of that of the skin's term or, where the energy
    /// counts less, of the energy's.
    pub tolerance: f64,
    /// Newton iterations at most.
    pub iterations: usize,
}

impl Default for FitSettings {
    fn default() -> Self {
        Self { smoothness: Smoothness::Relative(1e-3), tolerance: 1e-6, iterations: 40 }
    }
}

/// A fitted pose.
#[derive(Clone, Debug, PartialEq)]
pub struct FitReport {
    /// u: the displacement of every vertex of the body.
    pub pose: Vec<f64>,
    /// `Converged`, or how far it came.
    pub status: Status,
    /// Newton iterations.
    pub iterations: usize,
    /// The norm of the gradient at the end.
    pub residual: f64,
    /// The root of the mean squared distance of the skin to the one asked for, metres.
    pub skin_rms: f64,
    /// The largest such distance, metres.
    pub skin_max: f64,
    /// E(u), joules.
    pub strain_energy: f64,
    /// The objective before the first iteration and after each. It never rises.
    pub values: Vec<f64>,
}

/// Fits poses of one body to a sequence of skins: keeps A, AᵀWA, the elimination order and the last pose.
#[derive(Debug)]
pub struct Fitter {
    newton: Newton,
    objective: FitObjective,
    settings: FitSettings,
    /// Σ w.
    weight: f64,
    /// k, newtons per metre.
    stiffness: f64,
    /// tr(K)/3 at rest.
    laplacian: BlockMatrix,
    pose: Option<Vec<f64>>,
}

impl Fitter {
    /// A fitter of `body` to skins that ride on it by `embedding`. Vertices that are not in `free` stay at
    /// rest.
    ///
    /// # Errors
    /// A setting that is not positive, a skin without vertices, or one that is not of this body.
    ///
    /// # Panics
    /// When `free` is of another body.
    pub fn new(
        body: Arc<ElasticBody>,
        free: FreeVertices,
        embedding: &Embedding,
        settings: FitSettings,
    ) -> Result<Self, StaticsError> {
        check_positive("the tolerance", settings.tolerance)?;
        match settings.smoothness {
            Smoothness::Relative(beta) | Smoothness::Absolute(beta) => {
                check_positive("the smoothness", beta)?;
            }
        }
        let stiffness = scaling_stiffness(&body);
        let rest = vec![0.0; 3 * body.positions().len()];
        let mut evaluator = Evaluator::new(body.clone(), &free);
        let mut K = evaluator.zeros();
        evaluator.stiffness(&rest, &mut K);
        let laplacian = laplacian(&K);
        let skin = Skin::new(embedding, &free, evaluator.zeros())?;
        let shift = Arc::new(Shift::new(&K));
        let mut newton = Newton::new(free.clone(), K, body.positions())?;
        newton.set_shift(shift);
        let objective = FitObjective::new(evaluator, free, skin);
        let mut fitter = Self { newton, objective, settings, weight: 1.0, stiffness, laplacian, pose: None };
        let count = fitter.objective.skin.count();
        fitter.weigh(vec![1.0; count]);
        Ok(fitter)
    }

    /// The same with a weight for every skin vertex, such as [`vertex_areas`].
    ///
    /// # Errors
    /// Names a weight that is negative or not finite; [`StaticsError::NoSkin`] when all are zero.
    pub fn with_weights(mut self, weights: &[f64]) -> Result<Self, StaticsError> {
        let expected = self.objective.skin.count();
        if weights.len() != expected {
            return Err(StaticsError::Weights { found: weights.len(), expected });
        }
        if let Some(s) = weights.iter().position(|w| !(w.is_finite() && *w >= 0.0)) {
            return Err(StaticsError::Weight { vertex: VertexId::new(s), value: weights[s] });
        }
        if weights.iter().all(|&w| w == 0.0) {
            return Err(StaticsError::NoSkin);
        }
        self.weigh(weights.to_vec());
        Ok(self)
    }

    fn weigh(&mut self, mut weights: Vec<f64>) {
        let sum: f64 = weights.iter().sum();
        self.objective.beta = match self.settings.smoothness {
            Smoothness::Relative(beta) => {
                for w in &mut weights {
                    *w /= sum;
                }
                beta / self.stiffness
            }
            Smoothness::Absolute(beta) => beta,
        };
        self.weight = weights.iter().sum();
        self.objective.skin.weigh(weights, self.newton.free());
        self.pose = None;
    }

    /// β as the objective has it, metres squared per joule times the unit of the weights.
    #[must_use]
    pub fn beta(&self) -> f64 {
        self.objective.beta
    }

    /// The pose whose skin is nearest to `target`, the displacement of every skin vertex.
    ///
    /// # Errors
    /// Says which skin vertex has no finite displacement; [`StaticsError::Cancelled`].
    pub fn fit(&mut self, target: &[f64], progress: &Progress) -> Result<FitReport, StaticsError> {
        check_values("the displacement of the skin", target, self.objective.skin.count())?;
        self.objective.target.copy_from_slice(target);
        progress.report("fitting", 0.0)?;
        let mut pose = self.start(progress)?;
        let limits = Limits { gradient: self.gradient_tolerance(), iterations: self.settings.iterations };
        let outcome = self.newton.minimise(&mut self.objective, &mut pose, limits, progress)?;
        let residual = self.objective.residual(&pose);
        let squares: Vec<f64> = residual.chunks_exact(3).map(|r| r.iter().map(|x| x * x).sum()).collect();
        let report = FitReport {
            status: outcome.status,
            iterations: outcome.iterations,
            residual: outcome.residual,
            skin_rms: (squares.iter().sum::<f64>() / squares.len() as f64).sqrt(),
            skin_max: squares.iter().fold(0.0, |m: f64, s| m.max(*s)).sqrt(),
            strain_energy: self.objective.evaluator.body().energy(&pose),
            values: outcome.values,
            pose: pose.clone(),
        };
        self.pose = outcome.status.is_solved().then_some(pose);
        Ok(report)
    }

    /// The smoothest displacement near the skin's, or the pose before when that is better.
    fn start(&mut self, progress: &Progress) -> Result<Vec<f64>, StaticsError> {
        let mut smooth = vec![0.0; 3 * self.newton.free().body_vertices()];
        let mut laplacian = self.laplacian.clone();
        laplacian.multiply(START_SMOOTHNESS * self.weight / self.stiffness);
        let mut start = Start { fit: &mut self.objective, laplacian: &laplacian };
        let limits = Limits { gradient: 0.0, iterations: 1 };
        self.newton.minimise(&mut start, &mut smooth, limits, progress)?;
        let Some(before) = self.pose.take() else {
            return Ok(smooth);
        };
        let better = self.objective.value(&before).sum < self.objective.value(&smooth).sum;
        Ok(if better { before } else { smooth })
    }

    fn gradient_tolerance(&self) -> f64 {
        let target: Vec<f64> = self.objective.target.iter().map(|t| -t).collect();
        let mut full = vec![0.0; 3 * self.newton.free().body_vertices()];
        self.objective.skin.add_gradient(&target, &mut full);
        let energy = (self.objective.beta * self.stiffness / self.weight).min(1.0);
        self.settings.tolerance * energy * norm(&full)
    }
}

/// Fits one pose, with every vertex of the body free: see [`Fitter`].
///
/// # Errors
/// As [`Fitter::new`] and [`Fitter::fit`].
pub fn fit(
    body: Arc<ElasticBody>,
    embedding: &Embedding,
    target: &[f64],
    settings: FitSettings,
    progress: &Progress,
) -> Result<FitReport, StaticsError> {
    let free = FreeVertices::all(body.positions().len());
    Fitter::new(body, free, embedding, settings)?.fit(target, progress)
}

/// k = 2 E(ε (x − c)) / (ε r)², r² the mean of |x − c|² by mass: how the body resists being scaled.
fn scaling_stiffness(body: &ElasticBody) -> f64 {
    let mass: f64 = body.masses().iter().sum();
    let centre = body.masses().iter().zip(body.positions()).map(|(m, x)| x * *m).sum::<Vec3>() / mass;
    let arms: Vec<Vec3> = body.positions().iter().map(|x| x - centre).collect();
    let spread = body.masses().iter().zip(&arms).map(|(m, r)| m * r.norm_squared()).sum::<f64>() / mass;
    let u: Vec<f64> = arms.iter().flat_map(|r| (r * PROBE).data.0[0]).collect();
    2.0 * body.energy(&u) / (PROBE * PROBE * spread)
}
