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
    /// How much ∂(Kλ)/∂z counts, and what it is in all frames.
    pub curvature: Option<(f64, &'a [f64])>,
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
        let matrix = BlockBanded::in_order(frames - first, size, 2);
        let mut normal = Self { matrix, border: Border::new(size), size, frames, first };
        normal.add_squares(model, point, shape.balance.effort);
        normal.add_targets(model, shape.balance);
        if let Some((share, curvature)) = shape.curvature {
            for f in first..frames {
                let own = &curvature[f * size * size..][..size * size];
                add(normal.block(f, f), share, own);
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

#[cfg(test)]
mod tests {
    use super::super::keys::{ControlAsked, ControlKey};
    use super::super::small::norm;
    use super::super::task::{ControlDamping, ControlStart, ControlTask};
    use super::super::time::ControlTime;
    use super::*;
    use std::sync::Arc;
    use supple_model::{Progress, ReducedDynamics};

    /// R = λz + (|z|² + a·z) z + ½|z|² a, the derivative of ½Σλz² + ¼|z|⁴ + ½|z|² a·z.
    #[derive(Debug)]
    struct Hardening;

    const A: [f64; 3] = [1.0, -2.0, 0.5];
    const LAMBDA: [f64; 3] = [5.0, 20.0, 60.0];

    impl ReducedDynamics for Hardening {
        fn coordinates(&self) -> usize {
            3
        }

        fn force(&self, z: &[f64], force: &mut [f64]) {
            for (z, R) in z.chunks(3).zip(force.chunks_mut(3)) {
                let (square, along) = (dot(z, z), dot(z, &A));
                (0..3).for_each(|k| R[k] = (LAMBDA[k] + square + along) * z[k] + 0.5 * square * A[k]);
            }
        }

        fn stiffness(&self, z: &[f64], force: &mut [f64], stiffness: &mut [f64]) {
            self.force(z, force);
            for (z, K) in z.chunks(3).zip(stiffness.chunks_mut(9)) {
                let (square, along) = (dot(z, z), dot(z, &A));
                for i in 0..3 {
                    for j in 0..3 {
                        let own = if i == j { LAMBDA[i] + square + along } else { 0.0 };
                        K[3 * j + i] = own + 2.0 * z[i] * z[j] + z[i] * A[j] + A[i] * z[j];
                    }
                }
            }
        }

        fn curvature(&self, z: &[f64], lambda: &[f64], curvature: &mut [f64]) {
            let pieces = z.chunks(3).zip(lambda.chunks(3)).zip(curvature.chunks_mut(9));
            for ((z, l), C) in pieces {
                let (zl, al) = (dot(z, l), dot(&A, l));
                for i in 0..3 {
                    for j in 0..3 {
                        let own = if i == j { 2.0 * zl + al } else { 0.0 };
                        C[3 * j + i] = own + 2.0 * (l[i] * z[j] + z[i] * l[j]) + l[i] * A[j] + A[i] * l[j];
                    }
                }
            }
        }
    }

    fn model(keys: Vec<ControlKey>, start: ControlStart) -> Model {
        let time = ControlTime::arcs(&[(4, 0.1), (3, 0.16), (2, 0.08)]);
        let damping = ControlDamping { mass: 0.2, stiffness: 0.03 };
        Model::new(Arc::new(Hardening), &ControlTask { damping, start, ..ControlTask::new(time, 3, keys) })
    }

    fn keys() -> Vec<ControlKey> {
        let rows = ControlAsked::Rows(vec![1.0, 0.3, -0.2]);
        vec![
            ControlKey::soft(3, vec![0.2, -0.1, 0.3], 40.0).moving(vec![0.1, 0.2, 0.0]),
            ControlKey::hard(6, vec![0.4]).of(rows).moving(vec![1.0]),
            ControlKey::soft(9, vec![0.1, 0.1, -0.3], 60.0).moving(vec![0.0, -0.3, 0.0]),
        ]
    }

    fn wave(count: usize, s: f64) -> Vec<f64> {
        (0..count).map(|k| s * (1.7 * k as f64).sin()).collect()
    }

    /// Newton's matrix takes a change of the motion to the change of the gradient.
    #[test]
    fn the_hessian_is_the_gradients_derivative() {
        let rest = ControlStart::rest(vec![0.0; 3]);
        for start in [rest, ControlStart::Free] {
            let (model, progress) = (model(keys(), start), Progress::silent());
            let balance = Balance { effort: 0.01, hard: 30.0 };
            let z = model.started(wave(33, 0.05));
            let point = model.point(z.clone(), &progress).unwrap();
            let lambda = model.rows.multipliers(balance.effort, &point.w);
            let curvature = model.curvature(&z, &lambda, &progress).unwrap();
            let shape =
                Shape { balance, curvature: Some((1.0, &curvature)), holds: false, damping: 0.0, every: 0.0 };
            let normal = Normal::new(&model, &point, &shape).unwrap();
            let mut d = wave(33, 1.0);
            d[..model.first() * 3].fill(0.0);
            let gradient = |s: f64| {
                let moved: Vec<f64> = z.iter().zip(&d).map(|(z, d)| z + s * d).collect();
                model.gradient(&model.point(moved, &progress).unwrap(), balance)
            };
            let h = 1e-4;
            let (plus, minus, far, near) = (gradient(h), gradient(-h), gradient(2.0 * h), gradient(-2.0 * h));
            let Hd: Vec<f64> =
                (0..33).map(|k| (8.0 * (plus[k] - minus[k]) - (far[k] - near[k])) / (12.0 * h)).collect();
            // −H⁻¹ H d.
            let back = normal.step(&Hd, &[]);
            let off: Vec<f64> = back.iter().zip(&d).map(|(back, d)| back + d).collect();
            assert!(norm(&off) < 1e-7 * norm(&d), "{}", norm(&off));
        }
    }

    /// With hard rows the step keeps them, makes good what velocities are off, and changes the gradient to what only hard
    /// rows can balance.
    #[test]
    fn a_step_keeps_what_is_hard() {
        let model = model(keys(), ControlStart::rest(vec![0.0; 3]));
        let progress = Progress::silent();
        let balance = Balance { effort: 0.01, hard: 0.0 };
        let point = model.point(model.started(wave(33, 0.05)), &progress).unwrap();
        let gradient = model.released(model.gradient(&point, balance));
        let shape = Shape { balance, curvature: None, holds: true, damping: 0.0, every: 0.0 };
        let normal = Normal::new(&model, &point, &shape).unwrap();
        let gaps = model.gaps(&point.z);
        let step = normal.step(&gradient, &gaps);
        let moved: Vec<f64> = point.z.iter().zip(&step).map(|(z, d)| z + d).collect();
        let held = model.targets.iter().find(|target| target.fixes()).unwrap();
        assert!((held.gap(&moved, 3)[0] - held.gap(&point.z, 3)[0]).abs() < 1e-12);
        assert!(norm(&gaps) > 0.1 && norm(&model.gaps(&moved)) < 1e-10);
        // J and keys are linear in the step: the gradient of the model at its end.
        let mut w = point.w.clone();
        w.iter_mut().zip(model.rows.changes(&point.K, &step)).for_each(|(w, change)| *w += change);
        let mut left = model.released(model.gradient_with(&point.K, &moved, &w, balance));
        let velocity = model.targets.iter().find(|target| target.binds()).unwrap();
        let mut row = vec![0.0; 33];
        velocity.add_pull(1.0, &[1.0], &mut row, 3);
        let row = model.released(row);
        let along = dot(&left, &row) / dot(&row, &row);
        left.iter_mut().zip(&row).for_each(|(left, row)| *left -= along * row);
        assert!(norm(&left) < 1e-9 * norm(&gradient), "{} {}", norm(&left), norm(&gradient));
    }
}
