//! One tetrahedron: geometry, and what a law makes of it.
//!
//! Inside a tet with corners x₀…x₃ the displacement is linear, u(X) = Σ_a N_a(X) u_a, so its gradient is
//! constant. Because Σ_a N_a = 1 only three of the four gradients g_a = ∇N_a are independent, and
//!
//! > H = Σ_{a=1..3} (u_a − u₀) g_aᵀ, R_a = V P g_a, K_ab = V ∂(P g_a)/∂x_b,
//!
//! while the forces and the block rows of corner 0 are minus the sums of the others.

use crate::law::{Lame, Law, Linear, NeoHookean, Response, StVenantKirchhoff};
use nalgebra::Matrix3;
use supple_mesh::{TetMesh, Vec3};
use supple_model::{ElementId, VertexId};

/// A 3×3 block, row by row.
pub(crate) type Block = [[f64; 3]; 3];
/// The internal forces on the four corners.
pub(crate) type ElementForces = [[f64; 3]; 4];
/// K_ab, b ≤ a: (0,0), (1,0), (1,1), (2,0), …
pub(crate) const BLOCKS: usize = 10;

/// A tet at rest.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    corners: [VertexId; 4],
    /// g₁, g₂, g₃, one over metres.
    gradients: [Vec3; 3],
    volume: f64,
    lame: Lame,
}

impl Element {
    pub fn new(mesh: &TetMesh, id: ElementId, lame: Lame) -> Self {
        let [x0, x1, x2, x3] = mesh.corners(id);
        let (a, b, c) = (x1 - x0, x2 - x0, x3 - x0);
        let six_volumes = a.dot(&b.cross(&c));
        let gradients = [b.cross(&c), c.cross(&a), a.cross(&b)].map(|g| g / six_volumes);
        Self { corners: mesh.tets()[id.index()], gradients, volume: six_volumes / 6.0, lame }
    }

    pub fn volume(&self) -> f64 {
        self.volume
    }

    /// The law at the displacement u of the whole body.
    #[inline]
    fn response<L: Response>(&self, u: &[f64]) -> L {
        let [u0, u1, u2, u3] = self.corners.map(|v| Vec3::from_column_slice(&u[3 * v.index()..][..3]));
        let [g1, g2, g3] = &self.gradients;
        let H = (u1 - u0) * g1.transpose() + (u2 - u0) * g2.transpose() + (u3 - u0) * g3.transpose();
        L::at(&H, self.lame)
    }

    #[inline]
    fn forces<L: Response>(&self, u: &[f64]) -> ElementForces {
        let VP = self.response::<L>(u).stress() * self.volume;
        let [f1, f2, f3] = self.gradients.map(|g| VP * g);
        [-(f1 + f2 + f3), f1, f2, f3].map(Into::into)
    }

    #[inline]
    fn blocks<L: Response>(&self, u: &[f64]) -> [Block; BLOCKS] {
        let [k11, k21, k22, k31, k32, k33] =
            self.response::<L>(u).blocks(&self.gradients).map(|block| block * self.volume);
        let k10 = -(k11 + k21.transpose() + k31.transpose());
        let k20 = -(k21 + k22 + k32.transpose());
        let k30 = -(k31 + k32 + k33);
        // The sum of all nine, paired so that it is symmetric to the last bit.
        let off_diagonal = k21 + k31 + k32;
        let k00 = (k11 + k22 + k33) + (off_diagonal + off_diagonal.transpose());
        [k00, k10, k11, k20, k21, k22, k30, k31, k32, k33].map(rows)
    }
}

/// nalgebra keeps columns, the assembly takes rows.
#[inline]
fn rows(block: Matrix3<f64>) -> Block {
    block.transpose().into()
}

/// The loops over a run of elements, compiled once per law, so that choosing the law costs nothing
/// inside them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kernel {
    /// The sum of the energies, in the order of the elements.
    pub energy: fn(&[Element], &[f64]) -> f64,
    pub forces: fn(&[Element], &[f64], &mut [ElementForces]),
    pub blocks: fn(&[Element], &[f64], &mut [[Block; BLOCKS]]),
}

impl Kernel {
    pub fn of(law: Law) -> Self {
        match law {
            Law::Linear => Self::compiled::<Linear>(),
            Law::StVenantKirchhoff => Self::compiled::<StVenantKirchhoff>(),
            Law::NeoHookean => Self::compiled::<NeoHookean>(),
        }
    }

    fn compiled<L: Response>() -> Self {
        Self {
            energy: |elements, u| elements.iter().map(|e| e.volume * e.response::<L>(u).energy()).sum(),
            forces: |elements, u, out| {
                for (element, forces) in elements.iter().zip(out) {
                    *forces = element.forces::<L>(u);
                }
            },
            blocks: |elements, u, out| {
                for (element, blocks) in elements.iter().zip(out) {
                    *blocks = element.blocks::<L>(u);
                }
            },
        }
    }
}
