//! The force that drives a path, and when it is largest.
//!
//! Between two frames nothing pulls, or they are parted where something does; so the path from state s_i to s_{i+1} in
//! time h is the least costly one, whose force is known: with y = Q(h)⁻¹ (s_{i+1} − Φ(h) s_i), at time τ after frame i
//!
//! > f'(τ) = Bᵀ Φ(h−τ)ᵀ y, s(τ) = Φ(τ) s_i + Q(τ) Φ(h−τ)ᵀ y.
//!
//! Φ and Q are those of the oscillator (λ', δ') of the energy (see `kernel::reach`); the force of the equations of
//! motion, or z̈ in the energy without oscillations, is f = f' − 2(δ' − δ) ż − (λ' − λ) z. Under a load F (see
//! `kernel::mean`), with F' and the response c(τ) to a unit force, s_{i+1} and s(τ) have F' c(h) and F' c(τ) in them, f' has
//! F', and F is taken away from f: what is told is the force beside the load.

use super::{Path, States};
use crate::kernel::{End, Ends, Factored, Order, Start, inverse};
use nalgebra::{Matrix2, Vector2};
use rayon::prelude::*;
use supple_model::Instant;

/// Moments looked at in every frame, at both of its ends among them.
const SAMPLES: usize = 9;
/// Parts of a frame shorter than this are left out: round-off is all that is seen of the force in them.
const SHORTEST: f64 = 1e-3;
/// Modes whose forces are added up as one task.
const MODES_PER_TASK: usize = 32;

/// The largest force on a mode, looked for at frames and eighths of frames.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Peak {
    /// The force, with its sign.
    pub force: f64,
    /// When, in frames.
    pub frame: f64,
}

/// The force that drives a path, over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Forces {
    /// ‖f‖ over all modes, its largest value between each frame and the next; the last frame has none. For modes
    /// that are orthonormal in the mass this is the norm of the force in the inverse mass.
    pub norms: Vec<f64>,
    /// When it is largest, in frames.
    pub peak_frame: f64,
    /// f of every mode there.
    pub peak: Vec<f64>,
}

/// A stretch of time in which nothing pulls.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    /// The frame it belongs to.
    frame: usize,
    /// Where it begins, in frames.
    at: f64,
    /// How long it is, in frames.
    pub length: f64,
    /// The columns of the states at its ends; at rest without.
    pub ends: [Option<usize>; 2],
}

/// The stretches of a path, and the states at their ends.
pub(super) struct Pieces {
    pub spans: Vec<Span>,
    /// Those of all frames, and then those between frames where something pulls.
    pub states: States,
}

impl Path {
    /// The largest force on every mode over time; none under a kernel without forces.
    #[must_use]
    pub fn peak_forces(&self) -> Option<Vec<Peak>> {
        if !self.kernel.has_forces() {
            return None;
        }
        let Pieces { spans, states } = self.pieces();
        let search = |k: usize| {
            let mut peak = Peak::default();
            self.each_force(k, &states, &spans, |span, share, force| {
                if force.abs() > peak.force.abs() {
                    peak = Peak { force, frame: span.at + share * span.length };
                }
            });
            peak
        };
        Some((0..self.kernel.modes()).into_par_iter().map(search).collect())
    }

    /// The force on all modes together over time; none under a kernel without forces.
    #[must_use]
    pub fn forces(&self) -> Option<Forces> {
        self.forces_measured(&[])
    }

    /// The same with ‖C f‖ as its size, for rows of C with an entry per mode: what the norm in the inverse mass is where
    /// modes are not orthonormal in the mass. Without rows C is the identity.
    ///
    /// # Panics
    /// When a row has not one entry per mode.
    #[must_use]
    pub fn forces_measured(&self, rows: &[Vec<f64>]) -> Option<Forces> {
        assert!(rows.iter().all(|row| row.len() == self.kernel.modes()), "an entry per mode");
        if !self.kernel.has_forces() {
            return None;
        }
        let Pieces { spans, states } = self.pieces();
        let modes = self.kernel.modes();
        let norms: Vec<f64> = if rows.is_empty() {
            let squares = self.sum_over_modes(&states, &spans, 1, |_, force, sum| sum[0] += force * force);
            squares.iter().map(|square| square.sqrt()).collect()
        } else {
            self.sizes_seen(&states, &spans, rows)
        };
        let mut highest = (0, 0.0);
        for (sample, norm) in norms.iter().enumerate() {
            if *norm > highest.1 {
                highest = (sample, *norm);
            }
        }
        let norms = self.largest_of_frames(&spans, &norms);
        let Some(span) = spans.get(highest.0 / SAMPLES).copied() else { return Some(Forces::default()) };
        let at = highest.0 % SAMPLES;
        let force_of = |k: usize| {
            let (mut seen, mut found) = (0, 0.0);
            self.each_force(k, &states, &[span], |_, _, force| {
                if seen == at {
                    found = force;
                }
                seen += 1;
            });
            found
        };
        Some(Forces {
            norms,
            peak_frame: span.at + span.length * at as f64 / (SAMPLES - 1) as f64,
            peak: (0..modes).into_par_iter().map(force_of).collect(),
        })
    }

    /// ‖C f‖, its largest value between each frame and the next, for rows of C with an entry per mode: with the rows
    /// U_v of a point's three coordinates, the force on it per unit of mass. None under a kernel without forces.
    ///
    /// # Panics
    /// When a row has not one entry per mode.
    #[must_use]
    pub fn forces_seen(&self, rows: &[Vec<f64>]) -> Option<Vec<f64>> {
        assert!(rows.iter().all(|row| row.len() == self.kernel.modes()), "an entry per mode");
        if !self.kernel.has_forces() {
            return None;
        }
        if rows.is_empty() {
            return Some(vec![0.0; self.kernel.settings().frames]);
        }
        let Pieces { spans, states } = self.pieces();
        let norms = self.sizes_seen(&states, &spans, rows);
        Some(self.largest_of_frames(&spans, &norms))
    }

    /// ‖C f‖ of every sample.
    fn sizes_seen(&self, states: &States, spans: &[Span], rows: &[Vec<f64>]) -> Vec<f64> {
        let seen = self.sum_over_modes(states, spans, rows.len(), |k, force, sums| {
            sums.iter_mut().zip(rows).for_each(|(sum, row)| *sum += row[k] * force);
        });
        let norm = |seen: &[f64]| seen.iter().map(|x| x * x).sum::<f64>().sqrt();
        seen.chunks_exact(rows.len()).map(norm).collect()
    }

    /// `width` sums over all modes for every sample of every span; `add(k, f, sums)` adds what mode k has to say.
    fn sum_over_modes(
        &self,
        states: &States,
        spans: &[Span],
        width: usize,
        add: impl Fn(usize, f64, &mut [f64]) + Sync,
    ) -> Vec<f64> {
        let modes = self.kernel.modes();
        let tasks = (0..modes).into_par_iter().step_by(MODES_PER_TASK).map(|first| {
            let mut sums = vec![0.0; spans.len() * SAMPLES * width];
            for k in first..modes.min(first + MODES_PER_TASK) {
                let mut samples = sums.chunks_exact_mut(width);
                self.each_force(k, states, spans, |_, _, force| {
                    if let Some(sums) = samples.next() {
                        add(k, force, sums);
                    }
                });
            }
            sums
        });
        let tasks: Vec<Vec<f64>> = tasks.collect();
        let all = spans.len() * SAMPLES * width;
        (0..all).map(|place| tasks.iter().map(|task| task[place]).sum()).collect()
    }

    /// The largest of the samples of each frame.
    fn largest_of_frames(&self, spans: &[Span], samples: &[f64]) -> Vec<f64> {
        let mut largest = vec![0.0; self.kernel.settings().frames];
        for (span, samples) in spans.iter().zip(samples.chunks_exact(SAMPLES)) {
            let of_frame: &mut f64 = &mut largest[span.frame];
            *of_frame = samples.iter().copied().fold(*of_frame, f64::max);
        }
        largest
    }

    /// The stretches of the path in which nothing pulls.
    pub(super) fn pieces(&self) -> Pieces {
        let frames = self.kernel.settings().frames;
        let mut states = self.states(0..frames);
        let cuts = self.cuts();
        let mut column = vec![0.0; self.kernel.modes()];
        for (states, order) in
            [(&mut states.position, Order::Position), (&mut states.velocity, Order::Velocity)]
        {
            states.resize_with(column.len(), frames + cuts.len(), |_, _| 0.0);
            for (index, cut) in cuts.iter().enumerate() {
                self.at(*cut, order, &mut column);
                states.col_mut(frames + index).iter_mut().zip(&column).for_each(|(x, z)| *x = *z);
            }
        }
        let spans = self.spans().into_iter().flat_map(|span| parts(span, &cuts, frames)).collect();
        Pieces { spans, states }
    }

    /// The times between frames at which something pulls, in order.
    fn cuts(&self) -> Vec<Instant> {
        let first =
            if let Ends::Open { .. } = self.kernel.settings().ends { self.kernel.range().0 } else { 0 };
        let between = self.placed().filter(|placed| placed.moment.is_between());
        let mut cuts: Vec<Instant> =
            between.map(|placed| Instant::new(first as f64 + placed.moment.time.frames())).collect();
        cuts.sort_unstable();
        cuts.dedup();
        cuts
    }

    /// The stretches between the frames of the edit.
    fn spans(&self) -> Vec<Span> {
        let (first, last) = self.kernel.range();
        let whole = |frame: usize, next: usize| Span {
            frame,
            at: frame as f64,
            length: 1.0,
            ends: [Some(frame), Some(next)],
        };
        match self.kernel.settings().ends {
            Ends::Loop { period } => (0..period).map(|i| whole(i, (i + 1) % period)).collect(),
            Ends::Open { start, end } => (first..last)
                .map(|i| {
                    if i == first && start == Start::RestAtHalf {
                        Span { frame: i, at: i as f64 + 0.5, length: 0.5, ends: [None, Some(i + 1)] }
                    } else if i + 1 == last && end == End::RestAtHalf {
                        Span { frame: i, at: i as f64, length: 0.5, ends: [Some(i), None] }
                    } else {
                        whole(i, i + 1)
                    }
                })
                .collect(),
        }
    }

    /// The force on mode `k` at every sample of every span, with the share of the span.
    fn each_force(&self, k: usize, states: &States, spans: &[Span], mut see: impl FnMut(&Span, f64, f64)) {
        let mode = &self.kernel.factored()[k];
        let state = |frame: Option<usize>| {
            frame.map_or(Vector2::zeros(), |i| Vector2::new(states.position[(k, i)], states.velocity[(k, i)]))
        };
        let dt = self.kernel.settings().dt;
        let load = self.mean.as_ref().map_or((0.0, 0.0), |mean| mean.load(k));
        let (whole, half) = (Interval::new(mode, dt), Interval::new(mode, 0.5 * dt));
        for span in spans {
            let other: Interval;
            let interval = if span.length == 1.0 {
                &whole
            } else if span.length == 0.5 {
                &half
            } else {
                other = Interval::new(mode, span.length * dt);
                &other
            };
            for (share, force) in interval.forces(mode, load, state(span.ends[0]), state(span.ends[1])) {
                see(span, share, force);
            }
        }
    }
}

/// A span, parted at the cuts within; their states come after those of all `frames`.
fn parts(span: Span, cuts: &[Instant], frames: usize) -> Vec<Span> {
    let end = span.at + span.length;
    let (mut parts, mut rest) = (Vec::new(), span);
    let inside = cuts.iter().enumerate().filter(|(_, cut)| span.at < cut.frames() && cut.frames() < end);
    for (index, cut) in inside {
        let (at, there) = (cut.frames(), Some(frames + index));
        parts.push(Span { length: at - rest.at, ends: [rest.ends[0], there], ..rest });
        rest = Span { at, length: end - at, ends: [there, rest.ends[1]], ..rest };
    }
    parts.push(rest);
    parts.retain(|part| part.length > SHORTEST);
    parts
}

/// Transitions and noise over parts of one time step of a mode.
struct Interval {
    transition: Matrix2<f64>,
    information: Matrix2<f64>,
    /// c(h).
    response: Vector2<f64>,
    samples: [Sample; SAMPLES],
}

/// One of the times looked at.
struct Sample {
    /// Φ(τ).
    transition: Matrix2<f64>,
    /// c(τ).
    response: Vector2<f64>,
    /// Q(τ)Φ(h−τ)ᵀ.
    reached: Matrix2<f64>,
    /// BᵀΦ(h−τ)ᵀ.
    pull: Vector2<f64>,
}

impl Interval {
    fn new(mode: &Factored, duration: f64) -> Self {
        let oscillator = mode.oscillator;
        let samples = std::array::from_fn(|sample| {
            let t = duration * sample as f64 / (SAMPLES - 1) as f64;
            let left = oscillator.transition(duration - t).transpose();
            Sample {
                transition: oscillator.transition(t),
                response: oscillator.response(t),
                reached: oscillator.noise(t) * left,
                pull: Vector2::new(left[(1, 0)], left[(1, 1)]),
            }
        });
        Self {
            transition: oscillator.transition(duration),
            information: inverse(&oscillator.noise(duration)),
            response: oscillator.response(duration),
            samples,
        }
    }

    /// When, as a share of the interval, and f beside the load, of which F' and F are given.
    fn forces(
        &self,
        mode: &Factored,
        (inner, load): (f64, f64),
        from: Vector2<f64>,
        to: Vector2<f64>,
    ) -> impl Iterator<Item = (f64, f64)> {
        let y = self.information * (to - self.transition * from - self.response * inner);
        self.samples.iter().enumerate().map(move |(index, sample)| {
            let s = sample.transition * from + sample.reached * y + sample.response * inner;
            let force = sample.pull.dot(&y) - 2.0 * mode.delta_gain * s[1] - mode.eigenvalue_gain * s[0];
            (index as f64 / (SAMPLES - 1) as f64, force + (inner - load))
        })
    }
}
