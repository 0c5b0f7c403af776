//! Elastic bodies: energies, forces, stiffness, mass and modes.
//!
//! A body at rest has its vertices at x; displaced by u (3n numbers, vertex by vertex, x y z) it stores
//! the energy E(u). Supple's equations of motion are
//!
//! > M ü + D u̇ + R(u) = f, with R = ∂E/∂u the internal force and K = ∂R/∂u the stiffness,
//!
//! so R points *along* a stretch and −R pulls back.
//!
//! - [`ElasticBody`]: any of them: energy, internal force, stiffness, lumped mass, modes;
//! - [`Solid`] of tets and [`Voxels`], made of a [`Material`] under a [`Law`];
//! - [`Cloth`] of triangles, made of a [`Fabric`]; [`Springs`] of a [`Network`];
//! - [`Region`], [`FabricRegion`], [`SpringRegion`]: where a body is made of something else;
//! - [`FreeVertices`]: which vertices may move; anchored ones are left out of every system;
//! - [`Modes`]: how a body vibrates, lowest frequencies first, with proof that none is missing;
//! - [`Poser`]: the shape a body takes under loads and pins; [`Fitter`]: the one that fits a deformed skin;
//! - [`Simulation`]: how a body moves, step by step, among obstacles;
//! - [`Warp`]: what a linear edit means for a body that turns; [`WarpPoint`]: the same of one point;
//! - [`WarpedMotion`]: a motion that shows edits of its modes; [`WarpReadout`]: where points of it are;
//! - [`ReducedWarp`]: the warp by few shapes and few places; [`ReducedReadout`]: points of it in microseconds;
//! - [`Follower`]: the motion of a body from that of its skin; [`ElementRotations`]: how its elements turn;
//! - [`Basis`]: the modes of a body as a matrix over its vertices;
//! - [`KeyBasis`]: the few shapes of a motion through key poses; [`reduced_forces`]: the forces of a body in them;
//!   [`RigidMotion`], [`RigidPath`]: where a body that floats is, apart from its shape;
//! - [`Evaluator`]: the same quantities without allocating, for loops that ask again and again.
//!
//! ```
//! use supple_elastic::{FreeVertices, Law, Material, Solid};
//! use supple_mesh::{TetMesh, Vec3};
//! use supple_model::VertexId;
//!
//! let corners = vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
//! let mesh = TetMesh::new(corners, vec![[0, 1, 2, 3].map(VertexId)])?;
//! let material = Material { law: Law::StVenantKirchhoff, young: 1e6, poisson: 0.3, density: 1000.0 };
//! let solid = Solid::new(mesh, material, &[])?;
//!
//! let mut u = vec![0.0; 12];
//! u[3] = 0.1; // vertex 1 pulled along x
//! assert!(solid.energy(&u) > 0.0);
//! assert!(solid.force(&u)[3] > 0.0);
//!
//! let free = FreeVertices::except(4, &[VertexId(0), VertexId(2), VertexId(3)])?;
//! let stiffness = solid.stiffness(&u, &free);
//! assert_eq!(stiffness.dim(), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![expect(non_snake_case, reason = "matrices keep their capital letters")]

mod anchors;
mod body;
mod cloth;
mod dynamics;
mod elements;
mod error;
mod evaluator;
mod gradient;
mod law;
mod material;
mod modes;
mod newton;
mod reduction;
mod solid;
mod springs;
mod statics;
mod warp;

pub use anchors::FreeVertices;
pub use body::{ElasticBody, RestShape, TENSION};
pub use cloth::{Cloth, Fabric, FabricRegion};
pub use dynamics::{
    Damping, Energies, Integrator, Momentum, Simulation, SimulationError, SimulationSettings, StepContact,
    StepReport,
};
pub use error::{ElasticError, Part, Quantity};
pub use evaluator::Evaluator;
pub use gradient::{Strain, tet_strain, triangle_strain};
pub use law::Law;
pub use material::{Extent, Material, Region};
pub use modes::Modes;
pub use newton::Status;
pub use reduction::{
    ArcReport, Basis, CubicForces, DisplayBasis, KeyBasis, KeyBasisError, KeyBasisReport, KeyBasisSettings,
    KeyPose, Origin, OriginReport, PoseOfBasis, ProjectedForces, RigidMotion, RigidPath, RigidState,
    reduced_forces,
};
pub use solid::{Solid, Voxels};
pub use springs::{Network, SpringMass, SpringMaterial, SpringRegion, SpringStiffness, Springs};
pub use statics::{
    FitReport, FitSettings, Fitter, LoadStep, PoseReport, PoseUpdate, Poser, PoserSettings, Removed,
    Smoothness, StaticsError, fit, vertex_areas,
};
pub use supple_numerics::eigen::{Certificate, EigenError};
pub use supple_numerics::sparse::BlockMatrix;
pub use warp::{
    CLOSE as REDUCED_CLOSE, Cubature, CubatureError, ElementRotations, FollowSettings, Followed, Follower,
    InputFrame, ModalBlock, ModalRow, ModalShape, ModalSlopes, ModalWarp, ReducedBasis, ReducedError,
    ReducedReadout, ReducedSettings, ReducedWarp, Training, TrainingPair, Warp, WarpContact, WarpError,
    WarpPoint, WarpReadout, WarpSite, Warpable, WarpedMotion,
};
