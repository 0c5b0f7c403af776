//! What keys read of every mode, and the numbers η it is made of: y = ȳ + C η with CCᵀ the covariance of y.

use super::goal::KeyState;
use crate::error::SpacetimeError;
use crate::kernel::{Kernel, MeanPath, Moment, Order};
use faer::Mat;
use supple_model::Instant;

/// A pivot below this part of its variance is none: what is read there follows from what was read before.
const NO_PIVOT: f64 = 1e-13;

/// One number that is read of every mode.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    pub at: Instant,
    pub order: Order,
}

/// The places of a key's numbers among those that are read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places {
    pub position: usize,
    pub velocity: Option<usize>,
}

/// C and ȳ of every mode.
#[derive(Clone, Debug)]
pub(super) struct Unknowns {
    pub slots: Vec<Slot>,
    /// So many of them are given, first.
    pinned: usize,
    modes: usize,
    /// The factor of every mode, row after row; the rows of pinned slots first.
    factors: Vec<f64>,
    /// √P of each slot, by which rows are scaled in the factor.
    scales: Vec<f64>,
    /// ȳ and what pins add to it, slot by slot of every mode.
    base: Vec<f64>,
    /// What pins are made of: C⁻¹ (given − ȳ).
    given: Vec<f64>,
}

impl Unknowns {
    /// `given` has, for each of the first slots, the numbers that are to hold.
    pub fn new(
        kernel: &Kernel,
        mean: &MeanPath,
        slots: Vec<Slot>,
        given: &[Vec<f64>],
    ) -> Result<Self, SpacetimeError> {
        let (modes, count, pinned) = (kernel.modes(), slots.len(), given.len());
        for slot in &slots {
            kernel.movable(slot.at).map_err(SpacetimeError::KeyTime)?;
        }
        let moments: Vec<Moment> = slots.iter().map(|slot| kernel.moment(slot.at)).collect();
        let mut P = vec![0.0; modes * count * count];
        let mut entry = vec![0.0; modes];
        for a in 0..count {
            for b in 0..=a {
                kernel.between((&moments[a], slots[a].order), (&moments[b], slots[b].order), &mut entry);
                for (k, value) in entry.iter().enumerate() {
                    P[(k * count + a) * count + b] = *value;
                }
            }
        }
        let mut base = vec![0.0; modes * count];
        for (a, slot) in slots.iter().enumerate() {
            mean.at(slot.at, slot.order, &mut entry);
            for (k, value) in entry.iter().enumerate() {
                base[k * count + a] = *value;
            }
        }
        let mut scales = vec![0.0; modes * count];
        for (P, scales) in
            P.chunks_exact_mut((count * count).max(1)).zip(scales.chunks_exact_mut(count.max(1)))
        {
            factor(P, scales, count);
        }
        let mut unknowns =
            Self { slots, pinned, modes, factors: P, scales, base, given: vec![0.0; modes * pinned] };
        unknowns.pin(given);
        Ok(unknowns)
    }

    fn pin(&mut self, given: &[Vec<f64>]) {
        for k in 0..self.modes {
            for a in 0..self.pinned {
                let known: f64 = (0..a).map(|b| self.entry(k, a, b) * self.given[k * self.pinned + b]).sum();
                let pivot = self.entry(k, a, a);
                let missing = given[a][k] - self.base[k * self.slots.len() + a] - known;
                self.given[k * self.pinned + a] = if pivot > 0.0 { missing / pivot } else { 0.0 };
            }
            for a in 0..self.slots.len() {
                let added: f64 = (0..self.pinned.min(a + 1))
                    .map(|b| self.entry(k, a, b) * self.given[k * self.pinned + b])
                    .sum();
                self.base[k * self.slots.len() + a] += added;
            }
        }
    }

    /// What pins cost: ½ of the squares they are made of.
    pub fn cost_of_pins(&self) -> f64 {
        0.5 * self.given.iter().map(|given| given * given).sum::<f64>()
    }

    /// C of a mode.
    #[inline]
    fn entry(&self, mode: usize, row: usize, column: usize) -> f64 {
        let count = self.slots.len();
        self.scales[mode * count + row] * self.factors[(mode * count + row) * count + column]
    }

    /// How many unknowns each mode has.
    fn free(&self) -> usize {
        self.slots.len() - self.pinned
    }

    /// How many unknowns there are.
    pub fn count(&self) -> usize {
        self.modes * self.free()
    }

    /// One slot of every mode.
    pub fn read(&self, eta: &[f64], slot: usize) -> Vec<f64> {
        let free = self.free();
        let of = |k: usize| {
            let own = &eta[k * free..(k + 1) * free];
            let added: f64 =
                (self.pinned..=slot).map(|b| self.entry(k, slot, b) * own[b - self.pinned]).sum();
            self.base[k * self.slots.len() + slot] + added
        };
        (0..self.modes).map(of).collect()
    }

    /// The state of a key.
    pub fn state(&self, eta: &[f64], places: Places) -> (Vec<f64>, Vec<f64>) {
        let velocity = places.velocity.map_or(Vec::new(), |slot| self.read(eta, slot));
        (self.read(eta, places.position), velocity)
    }

    /// C times a step, what of it a key reads: positions, then velocities.
    pub fn moved(&self, step: &[f64], places: Places) -> Vec<f64> {
        let free = self.free();
        let of = |(slot, k): (usize, usize)| -> f64 {
            (self.pinned..=slot).map(|b| self.entry(k, slot, b) * step[k * free + b - self.pinned]).sum()
        };
        slots_of(places).flat_map(|slot| (0..self.modes).map(move |k| (slot, k))).map(of).collect()
    }

    /// Adds Cᵀ times the gradient of a key's cost.
    pub fn add_gradient(&self, places: Places, gradient: &[f64], out: &mut [f64]) {
        let free = self.free();
        for (slot, gradient) in slots_of(places).zip(gradient.chunks_exact(self.modes)) {
            for (k, g) in gradient.iter().enumerate() {
                for b in self.pinned..=slot {
                    out[k * free + b - self.pinned] += self.entry(k, slot, b) * g;
                }
            }
        }
    }

    /// Adds Cᵀ H C of a key's Hessian.
    pub fn add_hessian(&self, places: Places, H: &Mat<f64>, out: &mut Mat<f64>) {
        let (free, r) = (self.free(), self.modes);
        let slots: Vec<usize> = slots_of(places).collect();
        for k in 0..r {
            for l in 0..r {
                for (i, a) in slots.iter().enumerate() {
                    for (j, b) in slots.iter().enumerate() {
                        let h = H[(i * r + k, j * r + l)];
                        for c in self.pinned..=*a {
                            let scaled = h * self.entry(k, *a, c);
                            let row = k * free + c - self.pinned;
                            for d in self.pinned..=*b {
                                out[(row, l * free + d - self.pinned)] += scaled * self.entry(l, *b, d);
                            }
                        }
                    }
                }
            }
        }
    }

    /// What every slot pulls with, P⁻¹(y − ȳ) = C⁻ᵀ η, mode by mode.
    pub fn pulls(&self, eta: &[f64]) -> Vec<Vec<f64>> {
        let (count, free) = (self.slots.len(), self.free());
        let mut pulls = vec![vec![0.0; self.modes]; count];
        for k in 0..self.modes {
            for a in (0..count).rev() {
                let own = if a < self.pinned {
                    self.given[k * self.pinned + a]
                } else {
                    eta[k * free + a - self.pinned]
                };
                let later: f64 = (a + 1..count).map(|b| self.entry(k, b, a) * pulls[b][k]).sum();
                let pivot = self.entry(k, a, a);
                pulls[a][k] = if pivot > 0.0 { (own - later) / pivot } else { 0.0 };
            }
        }
        pulls
    }
}

fn slots_of(places: Places) -> impl Iterator<Item = usize> {
    [Some(places.position), places.velocity].into_iter().flatten()
}

/// The state of a key as goals see it.
pub(super) fn seen<'a>((position, velocity): &'a (Vec<f64>, Vec<f64>)) -> KeyState<'a> {
    KeyState { position, velocity }
}

/// The Cholesky factor of P, scaled to a unit diagonal; what follows from rows before has no pivot of its own.
fn factor(P: &mut [f64], scales: &mut [f64], count: usize) {
    for a in 0..count {
        scales[a] = P[a * count + a].max(0.0).sqrt();
    }
    for a in 0..count {
        for b in 0..=a {
            let scale = scales[a] * scales[b];
            P[a * count + b] = if scale > 0.0 { P[a * count + b] / scale } else { 0.0 };
        }
    }
    for b in 0..count {
        let known: f64 = P[b * count..b * count + b].iter().map(|x| x * x).sum();
        let pivot = P[b * count + b] - known;
        if pivot <= NO_PIVOT {
            (b..count).for_each(|a| P[a * count + b] = 0.0);
            continue;
        }
        let pivot = pivot.sqrt();
        P[b * count + b] = pivot;
        for a in b + 1..count {
            let known: f64 = (0..b).map(|c| P[a * count + c] * P[b * count + c]).sum();
            P[a * count + b] = (P[a * count + b] - known) / pivot;
        }
    }
    for a in 0..count {
        P[a * count + a + 1..(a + 1) * count].fill(0.0);
    }
}

/// All that is read, given first, then by time.
pub(super) fn slots_for(
    pins: impl Iterator<Item = Slot>,
    keys: &[(Instant, bool)],
) -> (Vec<Slot>, Vec<Places>) {
    let mut slots: Vec<Slot> = pins.collect();
    let mut places = Vec::with_capacity(keys.len());
    for (at, reads_velocity) in keys {
        let mut place = |order: Order| {
            let known = slots.iter().position(|slot| slot.at == *at && slot.order == order);
            known.unwrap_or_else(|| {
                slots.push(Slot { at: *at, order });
                slots.len() - 1
            })
        };
        let position = place(Order::Position);
        places.push(Places { position, velocity: reads_velocity.then(|| place(Order::Velocity)) });
    }
    (slots, places)
}
