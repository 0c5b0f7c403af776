//! The equations of motion as rows: the force that three frames after one another need.
//!
//! Newmark's method (¼, ½), the trapezoidal rule for positions and velocities, with h₋ and h₊ the steps before and after a
//! frame, h̄ their mean and σ their shares of h₋ + h₊. The rule of two steps without its velocities is
//!
//! > w = ((z₊ − z)/h₊ − (z − z₋)/h₋)/h̄ + α (z₊ − z₋)/2h̄ + ½(σ₋R₋ + R + σ₊R₊) + β (R₊ − R₋)/2h̄ − f,
//!
//! where the velocity of D = αM + βK is taken as β K ż = β Ṙ, so that derivatives by z need K alone:
//!
//! > ∂w_e/∂z_f = p I + q K_f.
//!
//! With one step h these are the usual (z₊ − 2z + z₋)/h², (z₊ − z₋)/2h, ¼(R₋ + 2R + R₊) and (R₊ − R₋)/2h. Of steps that
//! differ the force belongs to (h₊ − h₋)/2 after its frame: still of second order where steps change smoothly, or at a few
//! frames alone.
//!
//! Frames are counted from the one before the first: row e is of the frames e, e + 1 and e + 2.

use super::small::{add, add_product};
use super::task::ControlTask;

/// One row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Equation {
    /// What multiplies z₋, z and z₊.
    pub p: [f64; 3],
    /// What multiplies R₋, R and R₊.
    pub q: [f64; 3],
    /// h̄, the time it stands for.
    pub span: f64,
    /// ½σ₋, ½ and ½σ₊.
    shares: [f64; 3],
}

impl Equation {
    fn new((before, after): (f64, f64), mass: f64, stiffness: f64) -> Self {
        let both = before + after;
        let span = 0.5 * both;
        let (left, right) = (1.0 / (before * span), 1.0 / (after * span));
        let shares = [0.5 * before / both, 0.5, 0.5 * after / both];
        Self {
            p: [left - mass / both, -left - right, right + mass / both],
            q: [shares[0] - stiffness / both, shares[1], shares[2] + stiffness / both],
            span,
            shares,
        }
    }

    /// The same with a spring k and a damper d in every coordinate, and what multiplies the frames of the path that both
    /// pull to.
    pub fn pulled(self, k: f64, d: f64) -> (Self, [f64; 3]) {
        let rate = 0.5 * d / self.span;
        let [left, middle, right] = self.shares.map(|share| k * share);
        let pull = [left - rate, middle, right + rate];
        let p = [self.p[0] + pull[0], self.p[1] + pull[1], self.p[2] + pull[2]];
        (Self { p, ..self }, pull)
    }
}

/// All rows of a motion.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    /// r.
    pub size: usize,
    /// In the order of time.
    pub equations: Vec<Equation>,
    /// f, r numbers of each row.
    pub loads: Vec<f64>,
    /// Seconds from each frame to the next, from the frame before the first.
    pub steps: Vec<f64>,
}

impl Rows {
    pub fn new(task: &ControlTask, size: usize) -> Self {
        let steps: Vec<f64> = [task.time.before].into_iter().chain(task.time.steps.iter().copied()).collect();
        let (mass, stiffness) = (task.damping.mass, task.damping.stiffness);
        let row = |pair: &[f64]| Equation::new((pair[0], pair[1]), mass, stiffness);
        let equations: Vec<Equation> = steps.windows(2).map(row).collect();
        let mut loads = vec![0.0; equations.len() * size];
        for (at, load) in loads.iter_mut().enumerate() {
            *load = task.load.get(at % size).copied().unwrap_or_default()
                + task.pushes.get(at).copied().unwrap_or_default();
        }
        Self { size, equations, loads, steps }
    }

    /// How many frames there are, with the one before the first.
    pub fn frames(&self) -> usize {
        self.equations.len() + 2
    }

    /// w of every row; R of every frame is given.
    pub fn forces(&self, z: &[f64], R: &[f64]) -> Vec<f64> {
        let r = self.size;
        let mut w = vec![0.0; self.loads.len()];
        for (e, (own, equation)) in w.chunks_exact_mut(r).zip(&self.equations).enumerate() {
            // The two differences first: they are small where the terms of z are large.
            let [before, now, after] = [e, e + 1, e + 2].map(|f| &z[f * r..][..r]);
            for k in 0..r {
                own[k] = equation.p[2] * (after[k] - now[k]) + equation.p[0] * (before[k] - now[k]);
            }
            for (j, q) in equation.q.iter().enumerate() {
                add(own, *q, &R[(e + j) * r..][..r]);
            }
            add(own, -1.0, &self.loads[e * r..][..r]);
        }
        w
    }

    /// J d: how w changes with all frames.
    pub fn changes(&self, K: &[f64], d: &[f64]) -> Vec<f64> {
        let r = self.size;
        let mut Kd = vec![0.0; d.len()];
        for (f, own) in Kd.chunks_exact_mut(r).enumerate() {
            add_product(own, 1.0, &K[f * r * r..][..r * r], &d[f * r..][..r]);
        }
        let mut out = vec![0.0; self.loads.len()];
        for (e, (own, equation)) in out.chunks_exact_mut(r).zip(&self.equations).enumerate() {
            for j in 0..3 {
                let at = (e + j) * r..(e + j + 1) * r;
                add(own, equation.p[j], &d[at.clone()]);
                add(own, equation.q[j], &Kd[at]);
            }
        }
        out
    }

    /// Σ_e s h̄_e q_ef v_e of every frame: what R of the frame has to do with forces.
    pub fn multipliers(&self, s: f64, v: &[f64]) -> Vec<f64> {
        self.gathered(s, v, |equation| equation.q)
    }

    /// s Jᵀ h̄ v in all frames.
    pub fn pulled_back(&self, K: &[f64], s: f64, v: &[f64]) -> Vec<f64> {
        let r = self.size;
        let lambda = self.multipliers(s, v);
        let mut out = self.gathered(s, v, |equation| equation.p);
        for (f, own) in out.chunks_exact_mut(r).enumerate() {
            add_product(own, 1.0, &K[f * r * r..][..r * r], &lambda[f * r..][..r]);
        }
        out
    }

    fn gathered(&self, s: f64, v: &[f64], weights: impl Fn(&Equation) -> [f64; 3]) -> Vec<f64> {
        let r = self.size;
        let mut out = vec![0.0; self.frames() * r];
        for (e, equation) in self.equations.iter().enumerate() {
            for (j, weight) in weights(equation).into_iter().enumerate() {
                let own = &mut out[(e + j) * r..][..r];
                add(own, s * equation.span * weight, &v[e * r..][..r]);
            }
        }
        out
    }

    /// What multiplies I, K_f, K_g and K_f K_g in block (f, g) of s Jᵀ h̄ J, f ≤ g.
    pub fn squares(&self, f: usize, g: usize, s: f64) -> [f64; 4] {
        let mut out = [0.0; 4];
        let last = f.min(self.equations.len() - 1);
        for e in g.saturating_sub(2)..=last {
            let equation = &self.equations[e];
            let (i, j, s) = (f - e, g - e, s * equation.span);
            out[0] += s * equation.p[i] * equation.p[j];
            out[1] += s * equation.q[i] * equation.p[j];
            out[2] += s * equation.p[i] * equation.q[j];
            out[3] += s * equation.q[i] * equation.q[j];
        }
        out
    }
}
