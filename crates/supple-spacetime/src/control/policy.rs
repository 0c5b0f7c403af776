//! What was eliminated, forward in time: each frame as an affine function of the two before it.
//!
//! With L Lᵀ = H, later frames eliminated first, and y = L⁻¹(−g), a step s of the way is
//!
//! > δ_f = L_ff⁻ᵀ (s y_f − L_{f−1,f}ᵀ δ_{f−1} − L_{f−2,f}ᵀ δ_{f−2}),
//!
//! the best answer to any two frames before, not to those of the step alone: a feedback policy. Its force is what the
//! equations of motion around the path say that δ_f needs,
//!
//! > w'_e = w_e + Σ_j (p_j I + q_j K_{e+j}) δ_{e+j}.

use super::model::{Model, Point};
use super::normal::Normal;
use super::small::{add, add_product, add_transposed, backward};

/// Feedback around a motion.
pub(super) struct Policy<'a> {
    normal: &'a Normal,
    /// L⁻¹(−g), frames from the last one backwards.
    ahead: &'a [f64],
    /// r.
    size: usize,
}

impl<'a> Policy<'a> {
    /// Of [`Normal::forward`].
    pub fn new(normal: &'a Normal, ahead: &'a [f64], size: usize) -> Self {
        Self { normal, ahead, size }
    }

    /// Overwrites δ_f, from δ of the frames before it, all of them in a row; those given are 0.
    pub fn predict(&self, model: &Model, frame: usize, s: f64, before: &[f64], delta: &mut [f64]) {
        let r = self.size;
        let at = (model.frames() - 1 - frame) * r;
        delta.iter_mut().zip(&self.ahead[at..at + r]).for_each(|(delta, y)| *delta = s * y);
        for f in frame.saturating_sub(2).max(model.first())..frame {
            add_transposed(delta, -1.0, self.normal.factor(f, frame), &before[f * r..][..r]);
        }
        backward(self.normal.factor(frame, frame), delta);
    }
}

/// What deviations of three frames add to the force of their row: `delta` of all frames up to the last of them, and the
/// same multiplied by their stiffness.
pub(super) fn add_feedback(model: &Model, row: usize, delta: &[f64], stiff: &[f64], force: &mut [f64]) {
    let (r, equation) = (model.size(), &model.rows.equations[row]);
    for j in 0..3 {
        let at = (row + j) * r..(row + j + 1) * r;
        add(force, equation.p[j], &delta[at.clone()]);
        add(force, equation.q[j], &stiff[at]);
    }
}

/// K δ of one frame.
pub(super) fn stiff(point: &Point, frame: usize, delta: &[f64], out: &mut [f64]) {
    let r = out.len();
    out.fill(0.0);
    add_product(out, 1.0, &point.K[frame * r * r..][..r * r], delta);
}
