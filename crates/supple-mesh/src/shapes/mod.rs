//! Shapes Supple makes itself: bodies to start from, to test with and to show.
//!
//! - [`box_mesh`]: a regular grid of tets, whose bending has closed forms;
//! - [`beam`], [`thick_beam`], [`block`], [`bridge`]: what is built;
//! - [`flower`], [`pansy`], [`dinosaur`], [`biped`], [`t_rex`], [`dragon`], [`cactus`], [`x`], [`buddha`], [`fish`],
//!   [`elephant`]: what has grown, each a list of parts; [`elephant_stride`]: how it walks;
//! - [`bird`], [`voxel_beam`]: bodies of voxels; [`curtain`], [`sheet`]: cloth;
//! - [`Flap`]: the bird's flight.
//!
//! And scenery, surfaces without a body: [`stairs`], [`ball`].
//!
//! Metres, y up, what stands stands on y = 0.

mod ball;
mod beam;
mod biped;
mod bird;
mod bird_flap;
mod block;
mod box_mesh;
mod bridge;
mod buddha;
mod cactus;
mod curtain;
mod dinosaur;
mod dragon;
mod elephant;
mod figure;
mod fish;
mod flower;
mod pansy;
mod sheet;
mod stairs;
mod t_rex;
mod x;

use crate::{TetMesh, TriMesh, Vec3, VertexGroups, VoxelMesh};
use supple_model::VertexId;

pub use ball::ball;
pub use beam::{beam, coarse_thick_beam, thick_beam, voxel_beam};
pub use biped::biped;
pub use bird::bird;
pub use bird_flap::Flap;
pub use block::block;
pub use box_mesh::box_mesh;
pub use bridge::bridge;
pub use buddha::buddha;
pub use cactus::cactus;
pub use curtain::curtain;
pub use dinosaur::{coarse_dinosaur, dinosaur};
pub use dragon::dragon;
pub use elephant::{elephant, elephant_stride};
pub use fish::fish;
pub use flower::flower;
pub use pansy::pansy;
pub use sheet::sheet;
pub use stairs::{Stairs, stairs};
pub use t_rex::t_rex;
pub use x::x;

/// A body ready to be used.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// What moves.
    pub body: BodyMesh,
    /// The fine surface that rides on it.
    pub skin: Option<TriMesh>,
    /// Named parts of the body.
    pub groups: VertexGroups,
}

/// What a body is made of.
#[derive(Clone, Debug, PartialEq)]
pub enum BodyMesh {
    /// A solid filled with tets.
    Tets(TetMesh),
    /// A solid of voxels.
    Voxels(VoxelMesh),
    /// Cloth.
    Cloth(TriMesh),
}

impl BodyMesh {
    /// Where the vertices are at rest.
    #[must_use]
    pub fn positions(&self) -> &[Vec3] {
        match self {
            Self::Tets(mesh) => mesh.positions(),
            Self::Voxels(mesh) => mesh.positions(),
            Self::Cloth(mesh) => mesh.positions(),
        }
    }
}

/// The vertices at places that pass a test.
fn where_at(positions: &[Vec3], test: impl Fn(&Vec3) -> bool) -> impl Iterator<Item = VertexId> {
    positions.iter().enumerate().filter(move |(_, p)| test(p)).map(|(v, _)| VertexId::new(v))
}

#[cfg(test)]
mod tests;
