//! One spring.
//!
//! With d = x_j − x_i, l = |d|, n = d/l:
//!
//! > E = ½ k (l − L)², R_j = −R_i = k (l − L) n, K_jj = −K_ij = k (n nᵀ + (1 − L/l)(I − n nᵀ)).
//!
//! The stretch is computed as l − L = (2 D + δ)·δ / (l + L) from the rest vector D and its change δ, so that
//! small displacements keep their digits. Towards l = 0 the crosswise stiffness tends to −∞ and at l = 0 a
//! spring has no direction. Shorter than [`COLLAPSED`] times its rest length it therefore keeps the direction
//! it has at rest and no crosswise stiffness: it pushes its ends apart again.

use crate::elements::{Block, Element, displacement, rows};
use nalgebra::Matrix3;
use supple_mesh::Vec3;
use supple_model::VertexId;

/// The part of its rest length below which a spring has no direction of its own.
const COLLAPSED: f64 = 1e-9;

/// A spring at rest.
#[derive(Debug)]
pub(super) struct Spring {
    ends: [VertexId; 2],
    /// D, from the first end to the second.
    along: Vec3,
    /// L.
    length: f64,
    /// k.
    stiffness: f64,
}

/// A spring, displaced.
struct Stretched {
    /// n.
    direction: Vec3,
    /// l − L.
    by: f64,
    /// 1 − L/l.
    crosswise: f64,
}

impl Spring {
    pub fn new(ends: [VertexId; 2], along: Vec3, stiffness: f64) -> Self {
        Self { ends, along, length: along.norm(), stiffness }
    }

    #[inline]
    fn stretched(&self, u: &[f64]) -> Stretched {
        let [u_i, u_j] = self.ends.map(|v| displacement(u, v));
        let change = u_j - u_i;
        let d = self.along + change;
        let l = d.norm();
        let by = (self.along * 2.0 + change).dot(&change) / (l + self.length);
        if l > COLLAPSED * self.length {
            Stretched { direction: d / l, by, crosswise: by / l }
        } else {
            Stretched { direction: self.along / self.length, by, crosswise: 0.0 }
        }
    }
}

impl Element for Spring {
    const CORNERS: usize = 2;

    fn corners(&self) -> &[VertexId] {
        &self.ends
    }

    fn tension(&self, out: &mut [f64]) -> Option<()> {
        out.copy_from_slice(&[self.stiffness, -self.stiffness, self.stiffness]);
        Some(())
    }

    #[inline]
    fn energy(&self, u: &[f64]) -> f64 {
        let stretch = self.stretched(u).by;
        0.5 * self.stiffness * stretch * stretch
    }

    #[inline]
    fn forces(&self, u: &[f64], out: &mut [[f64; 3]]) {
        let Stretched { direction, by, .. } = self.stretched(u);
        let pull = direction * (self.stiffness * by);
        out.copy_from_slice(&[-pull, pull].map(Into::into));
    }

    #[inline]
    fn blocks(&self, u: &[f64], out: &mut [Block]) {
        let Stretched { direction, crosswise, .. } = self.stretched(u);
        let along = direction * direction.transpose() * (1.0 - crosswise);
        let K = (along + Matrix3::from_diagonal_element(crosswise)) * self.stiffness;
        out.copy_from_slice(&[K, -K, K].map(rows));
    }
}
