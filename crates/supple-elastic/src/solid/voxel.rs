//! One voxel: a hexahedron with trilinear displacements.
//!
//! The integrals over the voxel are sums over its 2×2×2 Gauss points q, each of which has its gradients g_a and H and
//! stands for the volume w, see [`crate::gradient`]:
//!
//! > E = Σ_q w Ψ, R_a = Σ_q w P g_a, K_ab = Σ_q w ∂(P g_a)/∂x_b.
//!
//! Eight points integrate enough that no motion of the corners but the rigid ones is free of energy, and
//! an affine displacement is integrated exactly. In bending a voxel is too stiff, because its straight
//! edges shear where a bent beam does not: the energy of a beam of height h in voxels of length a is
//! raised by the factor 1 + (μ/E)(a/h)².

use super::Cells;
use crate::elements::{Block, Element, StrainPlace};
use crate::gradient::{UNIT_GRADIENTS, VoxelPoint, add_products, differences, gradient, voxel_points};
use crate::law::{Lame, Response};
use nalgebra::Matrix3;
use std::marker::PhantomData;
use supple_mesh::trilinear::{self, gauss_points};
use supple_mesh::{Vec3, VoxelMesh};
use supple_model::{ElementId, VertexId};

/// A voxel at rest, under the law `L`.
#[derive(Debug)]
pub(super) struct Voxel<L> {
    corners: [VertexId; 8],
    points: [VoxelPoint; 8],
    lame: Lame,
    law: PhantomData<L>,
}

impl Cells for VoxelMesh {
    type Corners = [VertexId; 8];
    type Cell<L: Response> = Voxel<L>;

    fn corners_of_cells(&self) -> &[[VertexId; 8]] {
        self.voxels()
    }

    fn cell<L: Response>(&self, element: ElementId, lame: Lame) -> Voxel<L> {
        let points = voxel_points(&self.corners(element));
        Voxel { corners: self.voxels()[element.index()], points, lame, law: PhantomData }
    }

    fn share_volume(&self, element: ElementId, mut give: impl FnMut(VertexId, f64)) {
        let corners = self.corners(element);
        let mut shares = [0.0; 8];
        for xi in gauss_points() {
            let volume = trilinear::jacobian(&corners, &xi).determinant() / 8.0;
            for (share, weight) in shares.iter_mut().zip(trilinear::weights(&xi)) {
                *share += weight * volume;
            }
        }
        for (vertex, share) in self.voxels()[element.index()].into_iter().zip(shares) {
            give(vertex, share);
        }
    }
}

impl<L: Response> Voxel<L> {
    /// Calls `visit` at every Gauss point with H there, the gradients g_a and the volume w.
    #[inline]
    fn at_points(&self, u: &[f64], mut visit: impl FnMut(&Matrix3<f64>, &[Vec3; 8], f64)) {
        let differences = differences(&self.corners, u);
        for (point, unit) in self.points.iter().zip(&*UNIT_GRADIENTS) {
            let gradients = point.gradients(unit);
            let [_, others @ ..] = &gradients;
            // Never −0, see `Place::gradient`.
            let H = gradient(&differences, others) + Matrix3::zeros();
            visit(&H, &gradients, point.volume);
        }
    }

    /// The same with the law there.
    #[inline]
    fn integrate(&self, u: &[f64], mut visit: impl FnMut(L, &[Vec3; 8], f64)) {
        self.at_points(u, |H, gradients, volume| visit(L::at(H, self.lame), gradients, volume));
    }
}

impl<L: Response> Element for Voxel<L> {
    const CORNERS: usize = 8;
    const PLACES: usize = 8;

    fn corners(&self) -> &[VertexId] {
        &self.corners
    }

    fn strain_place(&self, place: usize, gradients: &mut [Vec3]) -> Option<StrainPlace> {
        let (point, unit) = (self.points.get(place)?, UNIT_GRADIENTS.get(place)?);
        gradients.copy_from_slice(&point.gradients(unit));
        Some(StrainPlace { law: L::LAW, lame: self.lame, volume: point.volume })
    }

    #[inline]
    fn energy(&self, u: &[f64]) -> f64 {
        let mut energy = 0.0;
        self.integrate(u, |law, _, volume| energy += volume * law.energy());
        energy
    }

    fn tension(&self, out: &mut [f64]) -> Option<()> {
        out.fill(0.0);
        for (point, unit) in self.points.iter().zip(&*UNIT_GRADIENTS) {
            add_products(self.lame.young() * point.volume, &point.gradients(unit), out);
        }
        Some(())
    }

    fn is_inverted(&self, u: &[f64]) -> bool {
        let mut inverted = false;
        self.at_points(u, |H, _, _| inverted |= (Matrix3::identity() + H).determinant() <= 0.0);
        inverted
    }

    #[inline]
    fn forces(&self, u: &[f64], out: &mut [[f64; 3]]) {
        let mut forces = [Vec3::zeros(); 8];
        self.integrate(u, |law, gradients, volume| {
            let wP = law.stress() * volume;
            for (force, g) in forces.iter_mut().zip(gradients) {
                *force += wP * g;
            }
        });
        out.copy_from_slice(&forces.map(Into::into));
    }

    #[inline]
    fn blocks(&self, u: &[f64], out: &mut [Block]) {
        out.fill(Block::default());
        self.integrate(u, |law, gradients, volume| {
            let block = law.blocks(gradients);
            let pairs = (0..8).flat_map(|a| (0..=a).map(move |b| (a, b)));
            for (sum, (a, b)) in out.iter_mut().zip(pairs) {
                let K = block(a, b);
                for r in 0..3 {
                    for c in 0..3 {
                        sum[r][c] += volume * K[(r, c)];
                    }
                }
            }
        });
    }
}
