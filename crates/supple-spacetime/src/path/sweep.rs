//! All frames of a path in time proportional to the frames, however many loads there are.
//!
//! With two ends, P(i,j) = L_i Φ^{i−j} P_j for i ≥ j and its transpose otherwise, so
//!
//! ```text
//! forward:  x_i = Φ x_{i−1} + P_i g_i            s_i  = L_i x_i
//! back:     s_i += P_i y_i                       y_{i−1} = Φᵀ (y_i + L_iᵀ g_i)
//! ```
//!
//! In a loop the costate c_i = Φᵀ c_{i+1} + g_i drives the state s_{i+1} = Φ s_i + Q c_{i+1}, both periodic: one
//! round from zero finds what is missing for closure, W = (I − Φᴺ)⁻¹ closes it, another round gives the values.
//!
//! A load between two frames is one on the state after it and one on the costate before it, see
//! [`Link`].
//!
//! Modes are independent: they are cut into chunks of fixed width that run in parallel.

use super::{Load, Placed, States};
use crate::kernel::{Ends, Kernel, Link, Open, Periodic, Shape, Table};
use faer::{Mat, MatMut};
use rayon::prelude::*;
use std::ops::Range;

/// Modes per chunk: their columns of the tables are whole cache lines, and 1000 modes are enough chunks.
pub(super) const CHUNK: usize = 32;

/// The states over `frames`.
pub(super) fn states(kernel: &Kernel, loads: &[Placed<'_>], frames: Range<usize>) -> States {
    let modes = kernel.modes();
    let links: Vec<Option<Link>> = loads.iter().map(|load| kernel.link(load.moment)).collect();
    let mut position = Mat::zeros(modes, frames.len());
    let mut velocity = Mat::zeros(modes, frames.len());
    if !frames.is_empty() {
        let chunks = position.par_row_chunks_mut(CHUNK).zip(velocity.par_row_chunks_mut(CHUNK));
        chunks.enumerate().for_each(|(chunk, (position, velocity))| {
            let out = Out { position, velocity };
            sweep(kernel, (loads, &links), &frames, chunk * CHUNK, out);
        });
    }
    States { position, velocity }
}

/// Rows of the states, some modes by all frames.
pub(super) struct Out<'a> {
    pub position: MatMut<'a, f64>,
    pub velocity: MatMut<'a, f64>,
}

/// One chunk of modes, the first being `from`.
fn sweep(
    kernel: &Kernel,
    (loads, links): (&[Placed<'_>], &[Option<Link>]),
    frames: &Range<usize>,
    from: usize,
    mut out: Out<'_>,
) {
    let (first, last) = kernel.range();
    let length = match kernel.settings().ends {
        Ends::Open { .. } => last - first + 1,
        Ends::Loop { period } => period,
    };
    let width = out.position.nrows();
    let mut chunk = Chunk {
        from,
        width,
        pulls: vec![Vec::new(); length],
        between: vec![Vec::new(); length],
        states: vec![Pair::ZERO; length],
    };
    for (Placed { load, moment }, link) in loads.iter().zip(links) {
        match link {
            Some(link) => chunk.between[moment.frame].push((load, link)),
            None => chunk.pulls[moment.frame].push(load),
        }
    }
    match kernel.shape() {
        Shape::Open(open) => chunk.open(open),
        Shape::Periodic(periodic) => chunk.periodic(periodic),
        Shape::Smooth(_) => {}
    }
    for (column, frame) in frames.clone().enumerate() {
        if (first..=last).contains(&frame) {
            let state = &chunk.states[kernel.local(frame)];
            for k in 0..width {
                out.position[(k, column)] = state.0[0][k];
                out.velocity[(k, column)] = state.0[1][k];
            }
        }
    }
}

/// A 2-vector for every mode of a chunk.
#[derive(Clone, Copy)]
struct Pair([[f64; CHUNK]; 2]);

impl Pair {
    const ZERO: Self = Self([[0.0; CHUNK]; 2]);

    fn add(&mut self, other: &Self) {
        for c in 0..2 {
            for k in 0..CHUNK {
                self.0[c][k] += other.0[c][k];
            }
        }
    }
}

/// The modes `from..from + width` over all local frames.
struct Chunk<'a> {
    from: usize,
    width: usize,
    /// The loads of each local frame; frames that are one and the same in a loop share theirs.
    pulls: Vec<Vec<&'a Load>>,
    /// The loads between each local frame and the next.
    between: Vec<Vec<(&'a Load, &'a Link)>>,
    states: Vec<Pair>,
}

impl Chunk<'_> {
    /// M x with the matrices of `table` at `frame`.
    fn times(&self, table: &Table, frame: usize, x: &Pair) -> Pair {
        self.product(table, frame, x, [(0, 0), (0, 1), (1, 0), (1, 1)])
    }

    /// Mᵀ x.
    fn transposed(&self, table: &Table, frame: usize, x: &Pair) -> Pair {
        self.product(table, frame, x, [(0, 0), (1, 0), (0, 1), (1, 1)])
    }

    fn product(&self, table: &Table, frame: usize, x: &Pair, entries: [(usize, usize); 4]) -> Pair {
        let [m00, m01, m10, m11] =
            entries.map(|(row, column)| &table.entry(frame, row, column)[self.from..][..self.width]);
        let mut y = Pair::ZERO;
        for k in 0..self.width {
            y.0[0][k] = m00[k] * x.0[0][k] + m01[k] * x.0[1][k];
            y.0[1][k] = m10[k] * x.0[0][k] + m11[k] * x.0[1][k];
        }
        y
    }

    /// g at a local frame; `None` where nothing pulls.
    fn pull(&self, frame: usize) -> Option<Pair> {
        let loads = &self.pulls[frame];
        (!loads.is_empty()).then(|| {
            let mut g = Pair::ZERO;
            for load in loads {
                self.add_load(load, &mut g);
            }
            g
        })
    }

    fn add_load(&self, load: &Load, g: &mut Pair) {
        let pull = &load.pull[self.from..][..self.width];
        for (sum, x) in g.0[load.order.index()].iter_mut().zip(pull) {
            *sum += x;
        }
    }

    /// Adds what loads between a local frame and the next do: `table` says to which of the two.
    fn add_between(&self, frame: usize, table: impl Fn(&Link) -> &Table, x: &mut Pair) {
        for (load, link) in &self.between[frame] {
            let mut g = Pair::ZERO;
            self.add_load(load, &mut g);
            x.add(&self.times(table(link), 0, &g));
        }
    }

    /// L_i x, or x where there is no L.
    fn gained(&self, open: &Open, frame: usize, x: &Pair) -> Pair {
        open.gain.as_ref().map_or(*x, |gain| self.times(gain, frame, x))
    }

    fn open(&mut self, open: &Open) {
        let length = self.states.len();
        let mut x = Pair::ZERO;
        for i in 0..length {
            if i > 0 {
                x = self.times(&open.transition, 1, &x);
                self.add_between(i - 1, |link| &link.onward, &mut x);
            }
            if let Some(g) = self.pull(i) {
                x.add(&self.times(&open.prior, i, &g));
            }
            self.states[i] = self.gained(open, i, &x);
        }
        let mut y = Pair::ZERO;
        for i in (0..length).rev() {
            self.add_between(i, |link| &link.back, &mut y);
            let back = self.times(&open.prior, i, &y);
            self.states[i].add(&back);
            if let Some(g) = self.pull(i) {
                y.add(&open.gain.as_ref().map_or(g, |gain| self.transposed(gain, i, &g)));
            }
            if i > 0 {
                y = self.transposed(&open.transition, 1, &y);
            }
        }
    }

    fn periodic(&mut self, periodic: &Periodic) {
        let length = self.states.len();
        let mut costates = vec![Pair::ZERO; length];
        let mut c = Pair::ZERO;
        for round in 0..2 {
            for i in (0..length).rev() {
                c = self.transposed(&periodic.transition, 0, &c);
                self.add_between(i, |link| &link.back, &mut c);
                if let Some(g) = self.pull(i) {
                    c.add(&g);
                }
                costates[i] = c;
            }
            if round == 0 {
                c = self.transposed(&periodic.around, 0, &c);
            }
        }
        let mut s = Pair::ZERO;
        for round in 0..2 {
            for i in 0..length {
                // From frame i to i + 1, the last of which is frame 0 again.
                s = self.times(&periodic.transition, 0, &s);
                s.add(&self.times(&periodic.noise, 0, &costates[(i + 1) % length]));
                self.add_between(i, |link| &link.onward, &mut s);
                self.states[(i + 1) % length] = s;
            }
            if round == 0 {
                s = self.times(&periodic.around, 0, &s);
            }
        }
    }
}
