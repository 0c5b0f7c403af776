//! The Hessian of the objective, block pentadiagonal, and its factor.
//!
//! > H = ε Jᵀ h̄ J + Σ ω c cᵀ AᵀA (+ ∂(K_f λ_f)/∂z on the diagonal, λ_f = ε Σ_e h̄_e q_ef w_e: Newton's)
//!
//! J_ef = p I + q K_f, so that of all products K_f K_f, K_f K_{f+1} and K_f K_{f+2} are enough. Frames stand in the matrix
//! from the last one backwards: what is eliminated first are later frames, and the second half of solving is a policy that
//! goes forward in time ([`super::policy`]).
//!
//! A hard key fixes its rows of a frame: with the projection P = I − AᵀA the step is looked for in P's range, by P H P
//! and a multiple of I − P. A hard velocity, of three frames, is a column of the border with its multiplier.

use super::model::{Balance, Model, Point};
use super::small::dot;
use super::targets::Target;
use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use supple_numerics::banded::{BlockBanded, Border};

/// What the multiplier of a velocity gives way, beside what its row does: rows that contradict others are missed by what
/// they must.
const GIVES_WAY: f64 = 1e-13;

/// How the Hessian is made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape<'a> {
    pub balance: Balance,
    /// ∂(Kλ)/∂z of all frames, if that counts.
    pub curvature: Option<&'a [f64]>,
    /// Whether hard keys hold.
    pub holds: bool,
    /// By what part the diagonal grows.
    pub damping: f64,
    /// How much every frame is held where it is, for each second.
    pub every: f64,
}

/// The factor of the Hessian.
#[derive(Clone, Debug)]
pub(super) struct Normal {
    matrix: BlockBanded,
    border: Border,
    /// r.
    size: usize,
    /// All frames.
    frames: usize,
    /// The first one that is not given.
    first: usize,
}

impl Normal {
    /// The factor at a motion; none where the Hessian is not positive definite.
    pub fn new(model: &Model, point: &Point, shape: &Shape<'_>) -> Option<Self> {
        let (size, frames, first) = (model.size(), model.frames(), model.first());
        let matrix = BlockBanded::new(frames - first, size, 2);
        let mut normal = Self { matrix, border: Border::new(size), size, frames, first };
        normal.add_squares(model, point, shape.balance.effort);
        normal.add_targets(model, shape.balance);
        if let Some(curvature) = shape.curvature {
            for f in first..frames {
                let own = &curvature[f * size * size..][..size * size];
                add(normal.block(f, f), 1.0, own);
            }
        }
        if shape.every > 0.0 {
            for f in first.max(1)..frames {
                let weight = shape.every * model.rows.steps[f - 1];
                let block = normal.block(f, f);
                (0..size).for_each(|k| block[k * (size + 1)] += weight);
            }
        }
        if shape.damping > 0.0 {
            for f in first..frames {
                let block = normal.block(f, f);
                (0..size).for_each(|k| block[k * (size + 1)] *= 1.0 + shape.damping);
            }
        }
        if shape.holds {
            let hard = model.targets.iter().filter(|target| target.fixes());
            hard.for_each(|target| normal.fix(target));
            normal.bind(model);
        }
        normal.matrix.factor().ok()?;
        normal.border.factor(&normal.matrix);
        Some(normal)
    }

    /// Where a frame stands.
    fn at(&self, frame: usize) -> usize {
        self.frames - 1 - frame
    }

    /// Block (f, g), f ≤ g.
    fn block(&mut self, f: usize, g: usize) -> &mut [f64] {
        let (i, j) = (self.at(f), self.at(g));
        self.matrix.block_values(i, j)
    }

    fn add_squares(&mut self, model: &Model, point: &Point, effort: f64) {
        let r = self.size;
        let K = |f: usize| &point.K[f * r * r..][..r * r];
        for f in self.first..self.frames {
            for g in f..(f + 3).min(self.frames) {
                let [unit, left, right, both] = model.rows.squares(f, g, effort);
                let (Kf, Kg) = (K(f), K(g));
                let block = self.block(f, g);
                for ((block, a), b) in block.iter_mut().zip(Kf).zip(Kg) {
                    *block = left * a + right * b;
                }
                (0..r).for_each(|k| block[k * (r + 1)] += unit);
                let of = |K| MatRef::from_column_major_slice(K, r, r);
                let out = MatMut::from_column_major_slice_mut(block, r, r);
                matmul(out, Accum::Add, of(Kf), of(Kg), both, Par::Seq);
            }
        }
    }

    fn add_targets(&mut self, model: &Model, balance: Balance) {
        for (weight, target) in model.weighted(balance) {
            let square = target.square(self.size);
            for (f, c) in target.frames().zip(&target.parts) {
                for (g, d) in target.frames().zip(&target.parts) {
                    if f >= self.first && g >= f {
                        add(self.block(f, g), weight * c * d, &square);
                    }
                }
            }
        }
    }

    /// P H P, and (I − P) times the mean of the diagonal.
    fn fix(&mut self, target: &Target) {
        let (r, f) = (self.size, target.first);
        let held = MatRef::from_row_major_slice(&target.rows, target.goal.len(), r);
        let diagonal = self.block(f, f);
        let mean = (0..r).map(|k| diagonal[k * (r + 1)].abs()).sum::<f64>() / r as f64;
        for g in f..(f + 3).min(self.frames) {
            project_rows(MatMut::from_column_major_slice_mut(self.block(f, g), r, r), held);
        }
        for e in f.saturating_sub(2).max(self.first)..=f {
            let block = MatMut::from_column_major_slice_mut(self.block(e, f), r, r);
            project_rows(block.transpose_mut(), held);
        }
        let diagonal = MatMut::from_column_major_slice_mut(self.block(f, f), r, r);
        matmul(diagonal, Accum::Add, held.transpose(), held, mean, Par::Seq);
    }

    /// The border of hard velocities.
    fn bind(&mut self, model: &Model) {
        let r = self.size;
        for target in model.targets.iter().filter(|target| target.binds()) {
            let rows = target.goal.len();
            let group = self.border.add(rows);
            let start = self.border.start(group);
            let mut gives_way = 0.0;
            let first = self.first;
            for (f, c) in target.frames().zip(&target.parts).filter(|(f, _)| *f >= first) {
                let diagonal = self.block(f, f);
                let mean = (0..r).map(|k| diagonal[k * (r + 1)].abs()).sum::<f64>() / r as f64;
                gives_way += GIVES_WAY * c * c / mean;
                let mut column: Vec<f64> = target.rows.iter().map(|a| c * a).collect();
                for held in model.targets.iter().filter(|held| held.fixes() && held.first == f) {
                    let held = MatRef::from_row_major_slice(&held.rows, held.goal.len(), r);
                    project_rows(MatMut::from_column_major_slice_mut(&mut column, r, rows), held);
                }
                let block = self.at(f);
                let column = MatRef::from_column_major_slice(&column, r, rows);
                self.border.block_mut(group, block).copy_from(column);
            }
            let mut corner = self.border.corner_mut();
            (0..rows).for_each(|k| corner[(start + k, start + k)] = -gives_way);
        }
    }

    /// The step −H⁻¹ g in all frames, 0 in those given; `gaps` are what hard velocities are still off, and what the step
    /// makes good. What is fixed of a frame must be 0 in g.
    pub fn step(&self, g: &[f64], gaps: &[f64]) -> Vec<f64> {
        let mut x = self.turned(g);
        x.iter_mut().for_each(|x| *x = -*x);
        let mut multipliers: Vec<f64> = gaps.iter().map(|gap| -gap).collect();
        self.border.solve(&self.matrix, &mut x, &mut multipliers);
        self.returned(&x)
    }

    /// L⁻¹ (−g), and half its square: what the step of −H⁻¹ g gains. Without hard velocities.
    pub fn forward(&self, g: &[f64]) -> (Vec<f64>, f64) {
        let mut x = self.turned(g);
        x.iter_mut().for_each(|x| *x = -*x);
        self.matrix.forward(&mut x);
        let gain = 0.5 * dot(&x, &x);
        (x, gain)
    }

    /// Block (f, g) of the factor, g the later frame: by columns, those of g.
    pub fn factor(&self, f: usize, g: usize) -> &[f64] {
        self.matrix.values(self.at(f), self.at(g))
    }

    /// Frames from the last one backwards, those given left out.
    fn turned(&self, of: &[f64]) -> Vec<f64> {
        of[self.first * self.size..].chunks_exact(self.size).rev().flatten().copied().collect()
    }

    fn returned(&self, x: &[f64]) -> Vec<f64> {
        let given = vec![0.0; self.first * self.size];
        given.into_iter().chain(x.chunks_exact(self.size).rev().flatten().copied()).collect()
    }
}

fn add(block: &mut [f64], s: f64, values: &[f64]) {
    block.iter_mut().zip(values).for_each(|(block, value)| *block += s * value);
}

/// (I − AᵀA) B in the place of B, A with orthonormal rows.
fn project_rows(mut block: MatMut<'_, f64>, held: MatRef<'_, f64>) {
    if held.nrows() == held.ncols() {
        return block.fill(0.0);
    }
    let along = held * block.as_ref();
    matmul(block.as_mut(), Accum::Add, held.transpose(), along, -1.0, Par::Seq);
}
