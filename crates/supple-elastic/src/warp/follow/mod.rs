//! The motion of a body from that of its skin, frame by frame.
//!
//! > u = argmin Σ_s w_s |(A u)_s − ū_s|² + β Σ_q V_q |I + G_q u − R_q|², R_q the rotations nearest to I + G_q u:
//!
//! near the skin, and as rigid as that allows (Sorkine and Alexa, As-Rigid-As-Possible Surface Modeling, 2007).
//!
//! | symbol | name | shape |
//! |---|---|---|
//! | A | rows of the [`Embedding`] | skin vertices × body vertices |
//! | ū | target, displacements of the skin | 3 per skin vertex |
//! | w | weights, as areas, made to sum to 1 | 1 per skin vertex |
//! | β | [`FollowSettings::rigidity`] · ρ² / Σ V, ρ the radius of the body | |
//!
//! Two steps take turns, neither of which can raise the sum:
//!
//! ```text
//! local:   R_q ← rotation of I + G_q u
//! global:  (AᵀWA + β L) u = AᵀW ū + β Gᵀ V (R − I)
//! ```
//!
//! The matrix is the same in all frames and coordinates, so it is factored once. Turns alone would be many: a round
//! is a slow iteration u ← G(u), made quick by [`anderson`]. The first u is the global step's
//! with R = I, the smoothest displacement near the skin: it takes rotations of any angle inside, and makes every
//! frame independent of the others. Frames are solved eight at a time, as in [`apply`](super::apply).

mod anderson;
mod rotations;

pub use rotations::ElementRotations;

use super::cells::Cells;
use super::error::WarpError;
use super::factor::ScalarFactor;
use super::incidence::Incidence;
use super::{COLUMNS_PER_SOLVE, Warpable};
use anderson::Anderson;
use faer::sparse::Triplet;
use nalgebra::Matrix3;
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use supple_mesh::{Aabb, Embedding, Vec3};
use supple_model::{Cancelled, Progress, VertexId};

/// Frames solved together.
const FRAMES_PER_BLOCK: usize = COLUMNS_PER_SOLVE / 3;

/// How a body follows its skin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FollowSettings {
    /// How much rigidity counts against the skin; at 1 a stretch of all of the body costs about as much in one as
    /// in the other.
    pub rigidity: f64,
    /// It is done when no vertex moves farther than this part of the body's size in a round.
    pub tolerance: f64,
    /// Rounds at most.
    pub rounds: usize,
}

impl Default for FollowSettings {
    fn default() -> Self {
        Self { rigidity: 1e-3, tolerance: 1e-5, rounds: 24 }
    }
}

/// A frame of the body.
#[derive(Clone, Debug, PartialEq)]
pub struct Followed {
    /// u: the displacement of every vertex of the body.
    pub pose: Vec<f64>,
    /// Rounds it took.
    pub rounds: usize,
    /// Whether the last round changed next to nothing.
    pub settled: bool,
    /// The root of the weighted mean of the squared distance to the skin.
    pub skin_rms: f64,
    /// The largest distance to the skin.
    pub skin_max: f64,
}

/// Finds the motion of a body whose skin is known to move.
#[derive(Debug)]
pub struct Follower {
    cells: Box<dyn Cells>,
    incidence: Incidence,
    embedding: Embedding,
    /// w, together 1.
    weights: Vec<f64>,
    beta: f64,
    factor: ScalarFactor,
    vertices: usize,
    size: f64,
    settings: FollowSettings,
}

impl Follower {
    /// Of a body whose skin rides on it by `embedding`, with a weight for every skin vertex.
    ///
    /// # Errors
    /// A mesh too large or with elements too thin, a piece of it that no weight holds: see [`WarpError`].
    ///
    /// # Panics
    /// When there is not one weight per skin vertex.
    pub fn new(
        mesh: &impl Warpable,
        embedding: &Embedding,
        weights: &[f64],
        settings: FollowSettings,
    ) -> Result<Self, WarpError> {
        let parts = mesh.parts();
        let vertices = parts.positions.len();
        assert_eq!(weights.len(), embedding.elements().len(), "a weight for every skin vertex");
        let total: f64 = weights.iter().sum();
        let weights: Vec<f64> = weights.iter().map(|w| w / total).collect();
        let size = Aabb::around(&parts.positions).size().norm();
        let beta = settings.rigidity * 0.25 * size * size / parts.cells.volume();
        let mut entries = Vec::new();
        parts.cells.laplacian(&mut |a, b, value| entries.push(lower(a, b, beta * value)));
        for ((corners, blends), w) in embedding.rows().zip(&weights) {
            for (a, x) in corners.iter().zip(blends) {
                for (b, y) in corners.iter().zip(blends).filter(|(b, _)| *b <= a) {
                    entries.push(lower(*a, *b, w * x * y));
                }
            }
        }
        Ok(Self {
            incidence: Incidence::new(vertices, &parts.cells.corners()),
            factor: ScalarFactor::new(vertices, &entries)?,
            cells: parts.cells,
            embedding: embedding.clone(),
            weights,
            beta,
            vertices,
            size,
            settings,
        })
    }

    /// The body in every frame, from the displacements of its skin there, on all threads. A stage of the progress is called
    /// `stage`.
    ///
    /// # Errors
    /// When the caller cancels.
    ///
    /// # Panics
    /// When a frame has not three numbers per skin vertex.
    pub fn follow(
        &self,
        frames: &[Vec<f64>],
        stage: &str,
        progress: &Progress,
    ) -> Result<Vec<Followed>, Cancelled> {
        let at_rest = AtomicUsize::new(0);
        let tell = |stopped: usize| {
            let done = at_rest.fetch_add(stopped, Ordering::Relaxed) + stopped;
            progress.report(stage, done as f64 / frames.len() as f64)
        };
        let blocks = frames.par_chunks(FRAMES_PER_BLOCK).map(|block| self.block(block, &tell));
        Ok(blocks.collect::<Result<Vec<_>, Cancelled>>()?.concat())
    }

    /// So many frames together; `tell` hears in every round how many of them moved for the last time.
    fn block(
        &self,
        targets: &[Vec<f64>],
        tell: &(impl Fn(usize) -> Result<(), Cancelled> + Sync),
    ) -> Result<Vec<Followed>, Cancelled> {
        let n = self.vertices;
        let mut pulls = vec![0.0; 3 * n * targets.len()];
        for (target, columns) in targets.iter().zip(pulls.chunks_exact_mut(3 * n)) {
            self.pull(target, columns);
        }
        let mut columns = pulls.clone();
        self.factor.solve(&mut columns, 3 * targets.len());
        let mut frames: Vec<InWork> = columns.chunks_exact(3 * n).map(InWork::begin).collect();
        let mut room = (
            vec![Matrix3::zeros(); self.cells.cells() * self.cells.places_per_cell()],
            vec![[0.0; 3]; self.incidence.corners()],
        );
        let tolerance = self.settings.tolerance * self.size;
        let mut moved = frames.len();
        for _ in 0..self.settings.rounds {
            let moving: Vec<usize> = (0..frames.len()).filter(|k| frames[*k].change > tolerance).collect();
            tell(moved - moving.len())?;
            moved = moving.len();
            if moving.is_empty() {
                break;
            }
            columns.truncate(3 * n * moving.len());
            for (k, columns) in moving.iter().zip(columns.chunks_exact_mut(3 * n)) {
                columns.copy_from_slice(&pulls[3 * n * k..][..3 * n]);
                self.turn(&frames[*k].pose, &mut room, columns);
            }
            self.factor.solve(&mut columns, 3 * moving.len());
            for (k, next) in moving.iter().zip(columns.chunks_exact(3 * n)) {
                frames[*k].step(interleaved(next), tolerance);
            }
        }
        let frames = frames.into_iter().zip(targets);
        Ok(frames.map(|(frame, target)| self.followed(frame, target, tolerance)).collect())
    }

    /// The local step: adds β Gᵀ V (R − I) to three columns, R the rotations of a pose.
    fn turn(
        &self,
        pose: &[f64],
        (rotations, forces): &mut (Vec<Matrix3<f64>>, Vec<[f64; 3]>),
        columns: &mut [f64],
    ) {
        self.cells.rotations(pose, rotations);
        self.cells.turning(rotations, forces);
        for v in 0..self.vertices {
            let force = self.incidence.sum(v, forces);
            (0..3).for_each(|c| columns[c * self.vertices + v] += self.beta * force[c]);
        }
    }

    /// Overwrites three columns with AᵀW ū.
    fn pull(&self, target: &[f64], columns: &mut [f64]) {
        assert_eq!(target.len(), 3 * self.weights.len(), "three numbers per skin vertex");
        let rows = self.embedding.rows().zip(&self.weights);
        for (((corners, blends), w), target) in rows.zip(target.chunks_exact(3)) {
            for (v, blend) in corners.iter().zip(blends) {
                for c in 0..3 {
                    columns[c * self.vertices + v.index()] += w * blend * target[c];
                }
            }
        }
    }

    fn followed(&self, frame: InWork, target: &[f64], tolerance: f64) -> Followed {
        let InWork { pose, rounds, change, .. } = frame;
        let body: Vec<Vec3> = pose.chunks_exact(3).map(Vec3::from_column_slice).collect();
        let mut skin = vec![Vec3::zeros(); self.weights.len()];
        self.embedding.apply(&body, &mut skin);
        let (mut sum, mut largest) = (0.0, 0.0_f64);
        for ((p, target), w) in skin.iter().zip(target.chunks_exact(3)).zip(&self.weights) {
            let square = (p - Vec3::from_column_slice(target)).norm_squared();
            sum += w * square;
            largest = largest.max(square);
        }
        Followed {
            pose,
            rounds,
            settled: change <= tolerance,
            skin_rms: sum.sqrt(),
            skin_max: largest.sqrt(),
        }
    }
}

/// A frame whose rounds are not over.
struct InWork {
    pose: Vec<f64>,
    memory: Anderson,
    rounds: usize,
    /// The largest change of the last round.
    change: f64,
}

impl InWork {
    fn begin(columns: &[f64]) -> Self {
        Self { pose: interleaved(columns), memory: Anderson::default(), rounds: 0, change: f64::INFINITY }
    }

    /// Takes what a round makes of the pose: as it is where it changes next to nothing, accelerated otherwise.
    fn step(&mut self, next: Vec<f64>, tolerance: f64) {
        let pairs = self.pose.iter().zip(&next);
        self.change = pairs.fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
        self.rounds += 1;
        if self.change <= tolerance {
            self.pose = next;
        } else {
            self.memory.step(&mut self.pose, next);
        }
    }
}

fn lower(a: VertexId, b: VertexId, value: f64) -> Triplet<usize, usize, f64> {
    Triplet::new(a.max(b).index(), a.min(b).index(), value)
}

/// Three columns as numbers of vertex after vertex.
fn interleaved(columns: &[f64]) -> Vec<f64> {
    let n = columns.len() / 3;
    (0..columns.len()).map(|k| columns[(k % 3) * n + k / 3]).collect()
}
