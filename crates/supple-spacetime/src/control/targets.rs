//! Keys as few orthogonal rows: what is asked of one frame, or of the velocity of three.
//!
//! > cost ½ω‖Σ_j c_j A z_{f+j} − b‖² + ½ω·rest²
//!
//! A of a key that is met exactly has orthonormal rows, so that AᵀA is the projection on what is fixed.

use super::keys::{ControlAsked, ControlKey};
use super::small::{add_product, dot, norm};
use crate::rows::Hold;
use faer::Mat;
use std::ops::Range;

/// Rows of a key whose singular value is below this part of the largest ask for nothing.
const SINGULAR: f64 = 1e-9;

/// What one key asks of positions or of velocities.
#[derive(Clone, Debug)]
pub(super) struct Target {
    /// The first frame it reads, counted from the one before the first.
    pub first: usize,
    /// c, one number or three.
    pub parts: Vec<f64>,
    /// A, r numbers for each row, row by row: Aᵀ by columns.
    pub rows: Vec<f64>,
    /// b.
    pub goal: Vec<f64>,
    /// ω; of hard keys what multiplies the weight they are given.
    pub weight: f64,
    pub is_hard: bool,
    /// Whether it stands for forces, those that lead to a free start.
    pub is_force: bool,
    /// What no z can meet.
    rest: f64,
}

/// A with few rows, b in them, and what is left of b.
struct Reduced {
    rows: Vec<f64>,
    goal: Vec<f64>,
    rest: f64,
}

impl Target {
    /// The targets of a key; τ is the time from key to key, `steps` the seconds from frame to frame.
    pub fn of(key: &ControlKey, r: usize, tau: f64, steps: &[f64]) -> Vec<Self> {
        let (weight, is_hard) = match key.hold {
            Hold::Hard => (1.0, true),
            Hold::Soft(weight) => (weight, false),
        };
        let frame = key.frame + 1;
        let target = |(first, parts): (usize, Vec<f64>), goal: &[f64], weight: f64| {
            let Reduced { rows, goal, rest } = reduced(&key.asked, goal, r, is_hard);
            Self { first, parts, rows, goal, weight, is_hard, is_force: false, rest }
        };
        let mut targets = vec![target((frame, vec![1.0]), &key.target, weight)];
        if let Some(velocity) = &key.velocity {
            // To be somewhere and to be as fast there cost a free body alike.
            targets.push(target(velocity_parts(frame, steps), velocity, weight * tau * tau / 3.0));
        }
        targets
    }

    /// One of the first frames that stands for forces.
    pub fn of_forces(parts: Vec<f64>, rows: Vec<f64>, goal: Vec<f64>) -> Self {
        Self { first: 0, parts, rows, goal, weight: 1.0, is_hard: false, is_force: true, rest: 0.0 }
    }

    /// Whether it fixes coordinates of one frame.
    pub fn fixes(&self) -> bool {
        self.is_hard && self.parts.len() == 1
    }

    /// Whether it is hard, and of several frames.
    pub fn binds(&self) -> bool {
        self.is_hard && self.parts.len() > 1
    }

    /// The frames it reads.
    pub fn frames(&self) -> Range<usize> {
        self.first..self.first + self.parts.len()
    }

    /// Σ c A z − b.
    pub fn gap(&self, z: &[f64], r: usize) -> Vec<f64> {
        let mut gap: Vec<f64> = self.goal.iter().map(|b| -b).collect();
        for (frame, c) in self.frames().zip(&self.parts) {
            let z = &z[frame * r..][..r];
            gap.iter_mut().zip(self.rows.chunks_exact(r)).for_each(|(gap, row)| *gap += c * dot(row, z));
        }
        gap
    }

    /// ½‖gap‖², with what cannot be met.
    pub fn miss(&self, z: &[f64], r: usize) -> f64 {
        0.5 * (norm(&self.gap(z, r)).powi(2) + self.rest * self.rest)
    }

    /// Adds s cᵀAᵀ gap to all frames it reads.
    pub fn add_pull(&self, s: f64, gap: &[f64], to: &mut [f64], r: usize) {
        for (frame, c) in self.frames().zip(&self.parts) {
            add_product(&mut to[frame * r..][..r], s * c, &self.rows, gap);
        }
    }

    /// AᵀA, r×r.
    pub fn square(&self, r: usize) -> Vec<f64> {
        let mut square = vec![0.0; r * r];
        for row in self.rows.chunks_exact(r) {
            for (column, s) in square.chunks_exact_mut(r).zip(row) {
                column.iter_mut().zip(row).for_each(|(entry, a)| *entry += s * a);
            }
        }
        square
    }

    /// The pose nearest to one that meets it, of a target of one frame.
    pub fn meet(&self, pose: &mut [f64]) {
        for (row, b) in self.rows.chunks_exact(pose.len()).zip(&self.goal) {
            // Rows are orthogonal.
            let s = (b - dot(row, pose)) / dot(row, row);
            pose.iter_mut().zip(row).for_each(|(z, a)| *z += s * a);
        }
    }

    /// Moves its frame to where it holds, of a hard key of one frame; nothing of others.
    pub fn hold(&self, z: &mut [f64], r: usize) {
        if self.fixes() {
            let gap = self.gap(z, r);
            self.add_pull(-1.0, &gap, z, r);
        }
    }
}

/// The velocity at a frame from three: second order, about the frame where there is one after it.
pub(super) fn velocity_parts(frame: usize, steps: &[f64]) -> (usize, Vec<f64>) {
    if frame < steps.len() {
        let (before, after) = (steps[frame - 1], steps[frame]);
        let both = before + after;
        let parts = [-after / (before * both), (after - before) / (before * after), before / (after * both)];
        return (frame - 1, parts.to_vec());
    }
    let (first, second) = (steps[frame - 2], steps[frame - 1]);
    let both = first + second;
    let parts = [second / (first * both), -both / (first * second), (second + both) / (second * both)];
    (frame - 2, parts.to_vec())
}

fn reduced(asked: &ControlAsked, goal: &[f64], r: usize, is_hard: bool) -> Reduced {
    let unit = |k: usize, s: f64| (0..r).map(move |l| if l == k { s } else { 0.0 });
    let weighted = |weights: &[f64]| {
        let counts: Vec<(usize, f64)> =
            (0..r).filter(|k| weights[*k] > 0.0).map(|k| (k, weights[k])).collect();
        let scale = |weight: f64| if is_hard { 1.0 } else { weight.sqrt() };
        let rows = counts.iter().flat_map(|(k, weight)| unit(*k, scale(*weight))).collect();
        let goal = counts.iter().map(|(k, weight)| scale(*weight) * goal[*k]).collect();
        Reduced { rows, goal, rest: 0.0 }
    };
    match asked {
        ControlAsked::Whole => weighted(&vec![1.0; r]),
        ControlAsked::Components(weights) => weighted(weights),
        ControlAsked::Rows(rows) => reduced_rows(rows, goal, r, is_hard),
    }
}

/// By the singular value decomposition A = U S Vᵀ: the rows S Vᵀ, or Vᵀ of hard ones.
fn reduced_rows(rows: &[f64], goal: &[f64], r: usize, is_hard: bool) -> Reduced {
    let A = Mat::from_fn(goal.len(), r, |i, k| rows[i * r + k]);
    let Ok(svd) = A.thin_svd() else {
        return Reduced { rows: rows.to_vec(), goal: goal.to_vec(), rest: 0.0 };
    };
    let (U, S, V) = (svd.U(), svd.S().column_vector(), svd.V());
    let mut out = Reduced { rows: Vec::new(), goal: Vec::new(), rest: 0.0 };
    let mut rest = goal.to_vec();
    for k in 0..S.nrows() {
        if S[k] <= SINGULAR * S[0] {
            break;
        }
        let along: f64 = goal.iter().enumerate().map(|(i, b)| U[(i, k)] * b).sum();
        rest.iter_mut().enumerate().for_each(|(i, rest)| *rest -= along * U[(i, k)]);
        let scale = if is_hard { 1.0 } else { S[k] };
        out.rows.extend((0..r).map(|l| scale * V[(l, k)]));
        out.goal.push(along * scale / S[k]);
    }
    out.rest = norm(&rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Many rows that contradict each other cost what they cost one by one.
    #[test]
    fn many_rows_cost_as_few() {
        let (r, m) = (3, 7);
        let rows: Vec<f64> = (0..r * m).map(|k| (1.3 * (k * k) as f64).sin()).collect();
        let goal: Vec<f64> = (0..m).map(|k| (0.7 * k as f64).cos()).collect();
        let z = [0.3, -0.8, 0.5];
        let direct: f64 =
            rows.chunks_exact(r).zip(&goal).map(|(row, b)| 0.5 * (dot(row, &z) - b).powi(2)).sum();
        let key = ControlKey::soft(0, goal, 1.0).of(ControlAsked::Rows(rows));
        let target = &Target::of(&key, r, 1.0, &[1.0, 1.0])[0];
        let frames = [[9.0; 3], z].concat();
        assert_eq!(target.goal.len(), 3);
        assert!((target.miss(&frames, r) - direct).abs() < 1e-14 * direct);
    }

    /// t² has the velocity 2t at any steps, at the last frame too.
    #[test]
    fn velocities_are_exact_for_parabolas() {
        let steps = [0.3, 0.2, 0.5];
        let times = [0.0, 0.3, 0.5, 1.0];
        for frame in 1..4 {
            let (first, parts) = velocity_parts(frame, &steps);
            let rate: f64 = parts.iter().zip(first..).map(|(c, f)| c * (times[f] * times[f] + 3.0)).sum();
            assert!((rate - 2.0 * times[frame]).abs() < 1e-13, "{frame}: {rate}");
        }
    }
}
