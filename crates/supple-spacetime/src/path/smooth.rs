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
//! of which position and velocity are wanted. A load at a time t between the frames i and n adds Φ(n−t) P∞ E g to x_n and
//! Φ(t−i)ᵀ E g to y_i. In a loop a first round finds what comes in from all rounds before, by
//! (I − Φᴺ)⁻¹. What ends at rest take away is Σ_j w_j g_j, four numbers per mode. Modes are cut into chunks of
//! fixed width that run in parallel.

use super::sweep::{CHUNK, Out};
use super::{Placed, States};
use crate::kernel::{Ends, Kernel, Known, Moment, Order, Smooth, sorted, stages};
use faer::Mat;
use nalgebra::Matrix4;
use rayon::prelude::*;
use std::ops::Range;
use supple_numerics::simd;

/// Loads that a product serves; more are carried along.
const FEW: usize = 24;

/// The states over `frames`.
pub(super) fn states(kernel: &Kernel, smooth: &Smooth, loads: &[Placed<'_>], frames: Range<usize>) -> States {
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
    loads: &'a [Placed<'a>],
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

    /// w g, of positions and velocities.
    fn known(&self, w: &Known, rate: f64) -> Self {
        let mut sums = Self::ZERO;
        for c in 0..4 {
            for k in 0..CHUNK {
                sums.0[c][k] += w[0][c] * self.0[0][k] + w[1][c] / rate * self.0[1][k];
            }
        }
        sums
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

/// What pulls where, E g; nothing at most frames.
struct Pulls {
    /// At each local frame.
    at: Vec<Option<Box<Quad>>>,
    /// What loads between frames add to the state at the frame after them,
    onward: Vec<Option<Box<Quad>>>,
    /// and to the costate at the frame before them.
    back: Vec<Option<Box<Quad>>>,
    /// What ends at rest know of these loads, Σ w g.
    known: Quad,
}

/// An entry, made when it is first asked for.
fn at(pulls: &mut [Option<Box<Quad>>], frame: usize) -> &mut Quad {
    pulls[frame].get_or_insert_with(|| Box::new(Quad::ZERO))
}

impl Pulls {
    fn new(length: usize) -> Self {
        let none = vec![None; length];
        Self { at: none.clone(), onward: none.clone(), back: none, known: Quad::ZERO }
    }

    /// Adds a load between two frames.
    fn add_between(&mut self, smooth: &Smooth, moment: &Moment, own: &Quad) {
        let (since, until) = (smooth.step * moment.since(), smooth.step * moment.until());
        // After the last frame of a loop comes its first.
        let next = (moment.frame + 1) % self.at.len();
        let onward = own.times(&(stages::transition(until) * stages::STEADY));
        at(&mut self.onward, next).add(&onward);
        at(&mut self.back, moment.frame).add(&own.times(&stages::transition(since).transpose()));
        if let Some(w) = smooth.known(moment) {
            self.known.add(&own.known(w, smooth.rate));
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
            let here = self.kernel.moment(frame.into());
            if here.is_outside {
                continue;
            }
            for (order, out) in [(Order::Position, &mut out.position), (Order::Velocity, &mut out.velocity)] {
                let mut sums = [0.0; CHUNK];
                for Placed { load, moment } in self.loads {
                    let [later, earlier] = sorted((&here, order), (moment, load.order));
                    let kappa = self.smooth.profile(later, earlier);
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
        let mut pulls = Pulls::new(length);
        for Placed { load, moment } in self.loads {
            let order = load.order.index();
            let unit = if order == 0 { 1.0 } else { rate };
            let mut own = Quad::ZERO;
            let pull = if moment.is_between() { &mut own } else { at(&mut pulls.at, moment.frame) };
            for (sum, g) in pull.0[order].iter_mut().zip(&load.pull[from..][..width]) {
                *sum += unit * g;
            }
            if moment.is_between() {
                pulls.add_between(self.smooth, moment, &own);
            }
        }
        let mut states = vec![[[0.0; CHUNK]; 2]; length];
        let span = if is_loop { 0..length } else { self.span(&pulls) };
        self.sweep(&pulls, span, is_loop, &mut states);
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
    fn span(&self, pulls: &Pulls) -> Range<usize> {
        let (first, last) = self.kernel.range();
        let asked = self.frames.start.max(first)..self.frames.end.min(last + 1);
        let mut span = if asked.is_empty() {
            pulls.at.len()..0
        } else {
            self.kernel.local(asked.start)..self.kernel.local(asked.end - 1) + 1
        };
        for pulls in [&pulls.at, &pulls.onward, &pulls.back] {
            for (frame, _) in pulls.iter().enumerate().filter(|(_, pull)| pull.is_some()) {
                span = span.start.min(frame)..span.end.max(frame + 1);
            }
        }
        span.start.min(span.end)..span.end
    }

    /// Adds the stationary states, z and z', of a span of frames.
    #[inline(always)]
    fn sweep(&self, pulls: &Pulls, span: Range<usize>, is_loop: bool, states: &mut [[[f64; CHUNK]; 2]]) {
        let Phi = stages::transition(self.smooth.step);
        let transposed = Phi.transpose();
        let round = stages::transition(self.smooth.step * span.len() as f64);
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
            for i in span.clone() {
                if let Some(moved) = &pulls.onward[i] {
                    x.add(moved);
                }
                if let Some(g) = &pulls.at[i] {
                    x.add(&g.times(&stages::STEADY));
                }
                see(i, &x);
                x = x.times(&Phi);
            }
            x
        };
        let backward = |start: Quad, see: &mut dyn FnMut(usize, &Quad)| {
            let mut y = start;
            for i in span.clone().rev() {
                if let Some(back) = &pulls.back[i] {
                    y.add(back);
                }
                see(i, &y);
                if let Some(g) = &pulls.at[i] {
                    y.add(g);
                }
                y = y.times(&transposed);
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
    fn take_known(&self, pulls: &Pulls, states: &mut [[[f64; CHUNK]; 2]]) {
        let rate = self.smooth.rate;
        let mut sums = pulls.known;
        for (frame, pull) in pulls.at.iter().enumerate() {
            if let (Some(g), Some(w)) = (pull, self.smooth.known_of(frame)) {
                sums.add(&g.known(w, rate));
            }
        }
        for (frame, state) in states.iter_mut().enumerate() {
            let Some(w) = self.smooth.known_of(frame) else { break };
            if self.smooth.holds(frame) {
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
