//! One tetrahedron.
//!
//! Inside a tet the gradient H of the displacement is constant, see [`crate::gradient`], and
//!
//! > R_a = V P g_a, K_ab = V ∂(P g_a)/∂x_b, a = 1…3,
//!
//! while the forces and the block rows of corner 0 are minus the sums of the others.

use super::Cells;
use crate::elements::{Block, Element, StrainPlace, rows};
use crate::gradient::{Place, add_products, differences, gradient, tet};
use crate::law::{Lame, Response};
use nalgebra::Matrix3;
use std::marker::PhantomData;
use supple_mesh::{TetMesh, Vec3};
use supple_model::{ElementId, VertexId};

/// A tet at rest, under the law `L`.
#[derive(Debug)]
pub(super) struct Tet<L> {
    corners: [VertexId; 4],
    place: Place<3>,
    lame: Lame,
    law: PhantomData<L>,
}

impl Cells for TetMesh {
    type Corners = [VertexId; 4];
    type Cell<L: Response> = Tet<L>;

    fn corners_of_cells(&self) -> &[[VertexId; 4]] {
        self.tets()
    }

    fn cell<L: Response>(&self, element: ElementId, lame: Lame) -> Tet<L> {
        let corners = self.tets()[element.index()];
        Tet { corners, place: tet(&self.corners(element)), lame, law: PhantomData }
    }

    fn share_volume(&self, element: ElementId, mut give: impl FnMut(VertexId, f64)) {
        let quarter = self.volume(element) / 4.0;
        for vertex in self.tets()[element.index()] {
            give(vertex, quarter);
        }
    }
}

impl<L: Response> Tet<L> {
    /// H.
    #[inline]
    fn gradient(&self, u: &[f64]) -> Matrix3<f64> {
        gradient(&differences(&self.corners, u), &self.place.gradients)
    }

    #[inline]
    fn response(&self, u: &[f64]) -> L {
        L::at(&self.gradient(u), self.lame)
    }
}

impl<L: Response> Element for Tet<L> {
    const CORNERS: usize = 4;
    const PLACES: usize = 1;

    fn corners(&self) -> &[VertexId] {
        &self.corners
    }

    fn strain_place(&self, place: usize, gradients: &mut [Vec3]) -> Option<StrainPlace> {
        let [g1, g2, g3] = self.place.gradients;
        gradients.copy_from_slice(&[-(g1 + g2 + g3), g1, g2, g3]);
        (place == 0).then_some(StrainPlace { law: L::LAW, lame: self.lame, volume: self.place.volume })
    }

    #[inline]
    fn energy(&self, u: &[f64]) -> f64 {
        self.place.volume * self.response(u).energy()
    }

    fn tension(&self, out: &mut [f64]) -> Option<()> {
        let [g1, g2, g3] = self.place.gradients;
        out.fill(0.0);
        add_products(self.lame.young() * self.place.volume, &[-(g1 + g2 + g3), g1, g2, g3], out);
        Some(())
    }

    fn is_inverted(&self, u: &[f64]) -> bool {
        (Matrix3::identity() + self.gradient(u)).determinant() <= 0.0
    }

    #[inline]
    fn forces(&self, u: &[f64], out: &mut [[f64; 3]]) {
        let VP = self.response(u).stress() * self.place.volume;
        let [f1, f2, f3] = self.place.gradients.map(|g| VP * g);
        out.copy_from_slice(&[-(f1 + f2 + f3), f1, f2, f3].map(Into::into));
    }

    #[inline]
    fn blocks(&self, u: &[f64], out: &mut [Block]) {
        let response = self.response(u);
        let block = response.blocks(&self.place.gradients);
        let [k11, k21, k22, k31, k32, k33] =
            [block(0, 0), block(1, 0), block(1, 1), block(2, 0), block(2, 1), block(2, 2)]
                .map(|block| block * self.place.volume);
        let k10 = -(k11 + k21.transpose() + k31.transpose());
        let k20 = -(k21 + k22 + k32.transpose());
        let k30 = -(k31 + k32 + k33);
        // The sum of all nine, paired so that it is symmetric to the last bit.
        let off_diagonal = k21 + k31 + k32;
        let k00 = (k11 + k22 + k33) + (off_diagonal + off_diagonal.transpose());
        out.copy_from_slice(&[k00, k10, k11, k20, k21, k22, k30, k31, k32, k33].map(rows));
    }
}
