//! All frames of a path under the smooth kernel.
//!
//! One time profile serves all modes, so a few loads are a small product: (modes × loads) · (loads × frames). For many
//! loads the states of [`stages`](crate::kernel::stages) carry them along, Φ and P∞ for one frame and E what a load acts
//! on,
//!
//! ```text
//! forward:  x_i = Φ x_{i−1} + P∞ E g_i             s_i  = x_i
//! back:     s_i += P∞ y_i                          y_{i−1} = Φᵀ (y_i + E g_i)
//! ```
//!
//! of which position and velocity are wanted. In a loop a first round finds what comes in from all rounds before, by
//! (I − Φᴺ)⁻¹. What ends at rest take away is Σ_j w_j g_j, four numbers per mode. Modes are cut into chunks of
//! fixed width that run in parallel.

use super::sweep::{CHUNK, Out};
use super::{Load, States};
use crate::kernel::{Ends, Kernel, Smooth, stages};
use faer::Mat;
use nalgebra::Matrix4;
use rayon::prelude::*;
use std::ops::Range;
use supple_numerics::simd;

/// Loads that a product serves; more are carried along.
const FEW: usize = 24;

/// The states over `frames`.
pub(super) fn states(kernel: &Kernel, smooth: &Smooth, loads: &[Load], frames: Range<usize>) -> States {
    let mut position = Mat::zeros(kernel.modes(), frames.len());
    let mut velocity = Mat::zeros(kernel.modes(), frames.len());
    if !frames.is_empty() && !loads.is_empty() {
        let task = Task { kernel, smooth, loads, frames: &frames };
        let chunks = position.par_row_chunks_mut(CHUNK).zip(velocity.par_row_chunks_mut(CHUNK));
        chunks.enumerate().for_each(|(chunk, (position, velocity))| {
            let out = Out { position, velocity };
            simd::widest(
                #[inline(always)]
                || {
                    if loads.len() <= FEW {
                        task.product(chunk * CHUNK, out);
                    } else {
                        task.carry(chunk * CHUNK, out);
                    }
                },
            );
        });
    }
    States { position, velocity }
}

/// What is wanted.
struct Task<'a> {
    kernel: &'a Kernel,
    smooth: &'a Smooth,
    loads: &'a [Load],
    frames: &'a Range<usize>,
}

/// z, z', z'' and z''' of every mode of a chunk.
#[derive(Clone, Copy)]
struct Quad([[f64; CHUNK]; 4]);

impl Quad {
    const ZERO: Self = Self([[0.0; CHUNK]; 4]);

    /// M x.
    #[inline(always)]
    fn times(&self, M: &Matrix4<f64>) -> Self {
        let mut y = Self::ZERO;
        for row in 0..4 {
            for column in 0..4 {
                let m = M[(row, column)];
                for k in 0..CHUNK {
                    y.0[row][k] += m * self.0[column][k];
                }
            }
        }
        y
    }

    #[inline(always)]
    fn add(&mut self, other: &Self) {
        for c in 0..4 {
            for k in 0..CHUNK {
                self.0[c][k] += other.0[c][k];
            }
        }
    }
}

impl Task<'_> {
    /// One chunk of modes, the first being `from`, load by load.
    #[inline(always)]
    fn product(&self, from: usize, mut out: Out<'_>) {
        let width = out.position.nrows();
        let variances = &self.smooth.variances[from..][..width];
        for (column, frame) in self.frames.clone().enumerate() {
            for (order, out) in [(0, &mut out.position), (1, &mut out.velocity)] {
                let mut sums = [0.0; CHUNK];
                for load in self.loads {
                    let kappa = self.kernel.profile((frame, order), (load.frame, load.order.index()));
                    for (sum, g) in sums.iter_mut().zip(&load.pull[from..][..width]) {
                        *sum += kappa * g;
                    }
                }
                for k in 0..width {
                    out[(k, column)] = variances[k] * sums[k];
                }
            }
        }
    }

    /// One chunk of modes, all loads at once.
    #[inline(always)]
    fn carry(&self, from: usize, mut out: Out<'_>) {
        let width = out.position.nrows();
        let (first, last) = self.kernel.range();
        let (length, is_loop) = match self.kernel.settings().ends {
            Ends::Open { .. } => (last - first + 1, false),
            Ends::Loop { period } => (period, true),
        };
        let rate = self.smooth.rate;
        let mut pulls: Vec<Option<Box<Quad>>> = vec![None; length];
        for load in self.loads {
            let order = load.order.index();
            let unit = if order == 0 { 1.0 } else { rate };
            let pull = pulls[self.kernel.local(load.frame)].get_or_insert_with(|| Box::new(Quad::ZERO));
            for (sum, g) in pull.0[order].iter_mut().zip(&load.pull[from..][..width]) {
                *sum += unit * g;
            }
        }
        let mut states = vec![[[0.0; CHUNK]; 2]; length];
        let span = if is_loop { 0..length } else { self.span(&pulls) };
        self.sweep(&pulls[span.clone()], is_loop, &mut states[span]);
        self.take_known(&pulls, &mut states);
        let variances = &self.smooth.variances[from..][..width];
        for (column, frame) in self.frames.clone().enumerate() {
            if (first..=last).contains(&frame) {
                let state = &states[self.kernel.local(frame)];
                for k in 0..width {
                    out.position[(k, column)] = variances[k] * state[0][k];
                    out.velocity[(k, column)] = variances[k] * (rate * state[1][k]);
                }
            }
        }
    }

    /// From the first frame that is pulled or asked for to the last.
    fn span(&self, pulls: &[Option<Box<Quad>>]) -> Range<usize> {
        let (first, last) = self.kernel.range();
        let asked = self.frames.start.max(first)..self.frames.end.min(last + 1);
        let mut span = if asked.is_empty() {
            pulls.len()..0
        } else {
            self.kernel.local(asked.start)..self.kernel.local(asked.end - 1) + 1
        };
        for (frame, _) in pulls.iter().enumerate().filter(|(_, pull)| pull.is_some()) {
            span = span.start.min(frame)..span.end.max(frame + 1);
        }
        span.start.min(span.end)..span.end
    }

    /// Adds the stationary states, z and z'.
    #[inline(always)]
    fn sweep(&self, pulls: &[Option<Box<Quad>>], is_loop: bool, states: &mut [[[f64; CHUNK]; 2]]) {
        let Phi = stages::transition(self.smooth.step);
        let back = Phi.transpose();
        let round = stages::transition(self.smooth.step * pulls.len() as f64);
        let around = is_loop.then(|| (Matrix4::identity() - round).try_inverse()).flatten();
        let mut add = |frame: usize, x: &Quad| {
            for order in 0..2 {
                for k in 0..CHUNK {
                    states[frame][order][k] += x.0[order][k];
                }
            }
        };
        let forward = |start: Quad, see: &mut dyn FnMut(usize, &Quad)| {
            let mut x = start;
            for (i, pull) in pulls.iter().enumerate() {
                if let Some(g) = pull {
                    x.add(&g.times(&stages::STEADY));
                }
                see(i, &x);
                x = x.times(&Phi);
            }
            x
        };
        let backward = |start: Quad, see: &mut dyn FnMut(usize, &Quad)| {
            let mut y = start;
            for (i, pull) in pulls.iter().enumerate().rev() {
                see(i, &y);
                if let Some(g) = pull {
                    y.add(g);
                }
                y = y.times(&back);
            }
            y
        };
        let (mut ahead, mut behind) = (Quad::ZERO, Quad::ZERO);
        if let Some(around) = around {
            ahead = forward(ahead, &mut |_, _| {}).times(&around);
            behind = backward(behind, &mut |_, _| {}).times(&around.transpose());
        }
        forward(ahead, &mut add);
        backward(behind, &mut |i, y| add(i, &y.times(&stages::STEADY)));
    }

    /// Takes away what ends at rest explain.
    fn take_known(&self, pulls: &[Option<Box<Quad>>], states: &mut [[[f64; CHUNK]; 2]]) {
        let rate = self.smooth.rate;
        let mut sums = Quad::ZERO;
        for (frame, pull) in pulls.iter().enumerate() {
            if let (Some(g), Some(w)) = (pull, self.smooth.known(frame)) {
                for c in 0..4 {
                    for k in 0..CHUNK {
                        sums.0[c][k] += w[0][c] * g.0[0][k] + w[1][c] / rate * g.0[1][k];
                    }
                }
            }
        }
        for (frame, state) in states.iter_mut().enumerate() {
            let Some(w) = self.smooth.known(frame) else { break };
            if self.smooth.is_held(frame) {
                *state = [[0.0; CHUNK]; 2];
                continue;
            }
            for c in 0..4 {
                for k in 0..CHUNK {
                    state[0][k] -= w[0][c] * sums.0[c][k];
                    state[1][k] -= w[1][c] / rate * sums.0[c][k];
                }
            }
        }
    }
}
