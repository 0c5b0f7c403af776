//! Strain as a polynomial of z, scaled so that the energy is half its square.
//!
//! At a place with F = F₀ + Σ z_i H_i, F₀ = I + ∇q₀ and H_i = ∇U_i,
//!
//! > E = e₀ + Σ a_i z_i + ½ Σ β_ij z_i z_j,   e₀ = sym ∇q₀ + ½⟨∇q₀, ∇q₀⟩,   a_i = ⟨F₀, H_i⟩,   β_ij = ⟨H_i, H_j⟩,
//!
//! with ⟨X, Y⟩ = ½ (XᵀY + YᵀX). Small strain leaves out what is of second order: e₀ = sym ∇q₀, a_i = sym H_i, β = 0.
//!
//! Of the six numbers of E the diagonal becomes √V (√(2μ) E_pp + c tr E), 3c = √(2μ + 3λ) − √(2μ), the others √(4μV) E_pq:
//! half the sum of their squares is V Ψ. Columns of the matrix of all rows are e₀; a_i; β_ij, j ≤ i, row by row.

use super::packed;
use crate::elements::Batch;
use crate::{ElasticBody, KeyBasis, Law};
use faer::MatRef;
use std::ops::Range;
use supple_mesh::Vec3;
use supple_model::VertexId;
use supple_numerics::simd;

/// Places that are worked on side by side: a band of six times as many rows.
pub(super) const PLACES: usize = 128;

/// A number for each place of a band.
type Lanes = [f64; PLACES];

/// What makes rows.
#[derive(Debug)]
pub(super) struct Rows<'a> {
    batch: &'a dyn Batch,
    corners: Vec<VertexId>,
    law: Law,
    /// For every coordinate of the body q₀ and its row of U.
    fields: Vec<f64>,
    /// r.
    coordinates: usize,
}

/// The law of a body under which rows are what is said above.
pub(super) fn law(body: &ElasticBody) -> Option<Law> {
    let batch = body.elements().only_batch()?;
    let mut gradients = vec![Vec3::zeros(); batch.corners_per_element()];
    let law = batch.strain_place(0, &mut gradients)?.law;
    matches!(law, Law::Linear | Law::StVenantKirchhoff).then_some(law)
}

impl<'a> Rows<'a> {
    /// The rows of a body in a basis; `None` when it has none.
    pub fn new(body: &'a ElasticBody, basis: &KeyBasis) -> Option<Self> {
        let law = law(body)?;
        let batch = body.elements().only_batch()?;
        let (U, r) = (basis.basis(), basis.coordinates());
        let mut fields = vec![0.0; basis.start().len() * (r + 1)];
        for (field, q) in fields.chunks_exact_mut(r + 1).zip(basis.start()) {
            field[0] = *q;
        }
        for (k, v) in U.free().vertices().iter().enumerate() {
            for c in 0..3 {
                let row = &mut fields[(3 * v.index() + c) * (r + 1)..][1..=r];
                for (i, out) in row.iter_mut().enumerate() {
                    *out = U.shapes()[(3 * k + c, i)];
                }
            }
        }
        Some(Self { batch, corners: batch.corners(), law, fields, coordinates: r })
    }

    /// How many bands there are.
    pub fn bands(&self) -> usize {
        (self.batch.elements() * self.batch.places_per_element()).div_ceil(PLACES)
    }

    /// How many columns there are.
    pub fn width(&self) -> usize {
        let r = self.coordinates;
        1 + r + if self.law == Law::Linear { 0 } else { packed::pairs(r) }
    }

    /// Overwrites `room` with the rows of a band.
    pub fn fill<'b>(&self, band: usize, room: &'b mut Room) -> MatRef<'b, f64> {
        let r = self.coordinates;
        room.scale = Scale::zeros();
        room.gradients.resize(9 * (r + 1), [0.0; PLACES]);
        room.gradients.fill([0.0; PLACES]);
        room.rows.resize(6 * self.width(), [0.0; PLACES]);
        let places = self.batch.elements() * self.batch.places_per_element();
        self.measure(band * PLACES..places.min((band + 1) * PLACES), room);
        let Room { gradients, rows, scale } = room;
        let of = |i: usize| 9 * i..9 * (i + 1);
        let row = |i: usize| 6 * i..6 * (i + 1);
        simd::widest(
            #[inline(always)]
            || {
                scale.write(&start_strain(&gradients[of(0)], self.law), &mut rows[row(0)]);
                // From here on the gradient of q₀ is F₀; small strain does not see what is beside I.
                let identity = [0, 4, 8];
                for (c, lanes) in gradients[of(0)].iter_mut().enumerate() {
                    let one = f64::from(u8::from(identity.contains(&c)));
                    lanes.iter_mut().for_each(|x| *x = if self.law == Law::Linear { one } else { *x + one });
                }
                let pairs = (1..=r).map(|i| (i, 0));
                let squares = (1..=r).flat_map(|i| (1..=i).map(move |j| (i, j)));
                for (column, (i, j)) in (1..self.width()).zip(pairs.chain(squares)) {
                    let strain = product(&gradients[of(i)], &gradients[of(j)]);
                    scale.write(&strain, &mut rows[row(column)]);
                }
            },
        );
        MatRef::from_column_major_slice(rows.as_flattened(), 6 * PLACES, self.width())
    }

    /// The gradients and scales of some places.
    fn measure(&self, places: Range<usize>, room: &mut Room) {
        let count = self.batch.corners_per_element();
        let stride = self.coordinates + 1;
        let mut g = vec![Vec3::zeros(); count];
        let mut H: [Vec<f64>; 9] = std::array::from_fn(|_| vec![0.0; stride]);
        for (lane, place) in places.enumerate() {
            let Some(at) = self.batch.strain_place(place, &mut g) else { continue };
            room.scale.set(lane, at.lame.mu, at.lame.lambda, at.volume);
            let element = place / self.batch.places_per_element();
            let corners = &self.corners[element * count..][..count];
            H.iter_mut().for_each(|H| H.fill(0.0));
            let field = |v: VertexId, p: usize| &self.fields[(3 * v.index() + p) * stride..][..stride];
            for (corner, g) in corners.iter().zip(&g).skip(1) {
                for p in 0..3 {
                    let (own, first) = (field(*corner, p), field(corners[0], p));
                    for q in 0..3 {
                        for (H, (u, u0)) in H[3 * p + q].iter_mut().zip(own.iter().zip(first)) {
                            *H += (u - u0) * g[q];
                        }
                    }
                }
            }
            for (c, H) in H.iter().enumerate() {
                for (i, H) in H.iter().enumerate() {
                    room.gradients[9 * i + c][lane] = *H;
                }
            }
        }
    }
}

/// Room for the rows of a band.
#[derive(Debug)]
pub(super) struct Room {
    /// Nine numbers of ∇q₀, then of every H_i.
    gradients: Vec<Lanes>,
    rows: Vec<Lanes>,
    scale: Scale,
}

impl Room {
    pub fn new() -> Self {
        Self { gradients: Vec::new(), rows: Vec::new(), scale: Scale::zeros() }
    }
}

/// √V √(2μ), √V c and √(4μV).
#[derive(Debug)]
struct Scale {
    own: Lanes,
    trace: Lanes,
    shear: Lanes,
}

impl Scale {
    fn zeros() -> Self {
        Self { own: [0.0; PLACES], trace: [0.0; PLACES], shear: [0.0; PLACES] }
    }

    fn set(&mut self, lane: usize, mu: f64, lambda: f64, volume: f64) {
        let own = (2.0 * mu).sqrt();
        self.own[lane] = volume.sqrt() * own;
        self.trace[lane] = volume.sqrt() * ((2.0 * mu + 3.0 * lambda).sqrt() - own) / 3.0;
        self.shear[lane] = (4.0 * mu * volume).sqrt();
    }

    /// Writes the six rows of a strain: xx, yy, zz, xy, xz, yz.
    #[inline(always)]
    fn write(&self, strain: &[Lanes; 6], rows: &mut [Lanes]) {
        for lane in 0..PLACES {
            let trace = (strain[0][lane] + strain[1][lane] + strain[2][lane]) * self.trace[lane];
            for c in 0..3 {
                rows[c][lane] = strain[c][lane] * self.own[lane] + trace;
            }
        }
        for c in 3..6 {
            for lane in 0..PLACES {
                rows[c][lane] = strain[c][lane] * self.shear[lane];
            }
        }
    }
}

/// The entries of a symmetric matrix, in the order of rows.
const ENTRIES: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];

/// ⟨X, Y⟩.
#[inline(always)]
fn product(X: &[Lanes], Y: &[Lanes]) -> [Lanes; 6] {
    let mut out = [[0.0; PLACES]; 6];
    for (out, (p, q)) in out.iter_mut().zip(ENTRIES) {
        let (xp, xq) = ([&X[p], &X[3 + p], &X[6 + p]], [&X[q], &X[3 + q], &X[6 + q]]);
        let (yp, yq) = ([&Y[p], &Y[3 + p], &Y[6 + p]], [&Y[q], &Y[3 + q], &Y[6 + q]]);
        for lane in 0..PLACES {
            let mut sum = 0.0;
            for k in 0..3 {
                sum += xp[k][lane] * yq[k][lane] + yp[k][lane] * xq[k][lane];
            }
            out[lane] = 0.5 * sum;
        }
    }
    out
}

/// e₀ of ∇q₀.
#[inline(always)]
fn start_strain(H: &[Lanes], law: Law) -> [Lanes; 6] {
    let mut out = if law == Law::Linear { [[0.0; PLACES]; 6] } else { product(H, H) };
    for (out, (p, q)) in out.iter_mut().zip(ENTRIES) {
        for lane in 0..PLACES {
            out[lane] = 0.5 * (out[lane] + (H[3 * p + q][lane] + H[3 * q + p][lane]));
        }
    }
    out
}
