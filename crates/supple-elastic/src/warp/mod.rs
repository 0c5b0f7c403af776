//! The rotation–strain warp: what a linear edit means for a body that turns and bends.
//!
//! A linear edit p = U z grows out of proportion where it should turn: each vertex moves on a straight
//! line. The warp reads from p how much every element should turn and strain, adds that to how much it has
//! turned and strained in the input ū, and looks for the displacement that does it (Barbič, Sin and
//! Grinspun, Interactive Editing of Deformable Simulations, 2012, §6; Huang et al. 2011):
//!
//! > G_q p = π_q× + ε_q                            skew and symmetric parts of the gradient,
//! > F_q = I + G_q ū = exp(ω_q) E_q                 rotation vector and stretch of the input,
//! > Δ_q = exp(ω_q + π_q)(E_q + ε_q) − F_q          the change of the gradient that is asked for,
//! > u = ū + argmin_d Σ_q V_q |G_q d − Δ_q|²        the displacement that fits it best.
//!
//! Solving for the change d and not for u makes p = 0 give ū back exactly. Each file has its part:
//! [`cells`] G and V, [`target`] Δ and its derivative, [`unwrap`] which of many ω, [`poisson`] the fit with
//! anchors and floating components, [`floating`] how these move as wholes, [`contacts`] what has to stay where it
//! touches, [`point`] one point of u and its derivative by p without a fit, [`motion`] all frames under edits of the
//! modes, [`readout`] points of it as the methods that hold them see them, [`reduced`] the same in few numbers. [`follow`] finds the input ū of a body
//! whose skin is known to move.

mod apply;
mod cells;
mod contacts;
mod error;
mod factor;
mod floating;
mod follow;
mod incidence;
mod input;
mod linear;
mod listen;
mod mesh;
mod modal;
mod motion;
mod point;
mod poisson;
mod polar;
mod posed;
mod readout;
mod reduced;
mod shown;
mod site;
mod spin;
mod target;
mod unwrap;
mod weights;

use crate::FreeVertices;
use apply::Room;
use cells::Cells;
use incidence::Incidence;
use poisson::Poisson;
use std::sync::Mutex;
use supple_mesh::Vec3;
use supple_model::VertexId;
use unwrap::Unwrapping;

pub use contacts::WarpContact;
pub use error::WarpError;
pub use follow::{ElementRotations, FollowSettings, Followed, Follower};
pub use input::InputFrame;
pub use mesh::Warpable;
pub use modal::{ModalBlock, ModalRow, ModalShape, ModalSlopes, ModalWarp};
pub use motion::WarpedMotion;
pub use point::WarpPoint;
pub use readout::{WarpReadout, WarpSite};
pub use reduced::{
    CLOSE, Cubature, CubatureError, ReducedBasis, ReducedError, ReducedReadout, ReducedSettings, ReducedWarp,
    Training, TrainingPair,
};

/// Right-hand sides that pass through the factor together.
const COLUMNS_PER_SOLVE: usize = 24;

/// The warp of a body: everything that does not depend on the motion.
///
/// Edits and displacements are slices of 3n numbers, vertex by vertex, x y z. Anchored vertices stay where
/// the input has them, which may be another place in every frame.
///
/// # Examples
/// ```
/// use supple_elastic::{FreeVertices, Warp};
/// use supple_mesh::{Vec3, shapes::box_mesh};
///
/// let mesh = box_mesh(Vec3::new(1.0, 0.2, 0.2), [10, 2, 2])?;
/// let n = mesh.positions().len();
/// let warp = Warp::new(&mesh, &vec![1.0; n], &FreeVertices::all(n))?;
/// let rest = warp.input(&vec![0.0; 3 * n]);
///
/// // A quarter turn about z, as a linear motion: it doubles the body's size.
/// let half_pi = std::f64::consts::FRAC_PI_2;
/// let edit: Vec<f64> = mesh.positions().iter().flat_map(|x| [-half_pi * x.y, half_pi * x.x, 0.0]).collect();
/// let mut u = vec![0.0; 3 * n];
/// warp.apply(&rest, &edit, &mut u);
///
/// // Warped it is one: the last vertex is as far from the first as it was.
/// let place = |v: usize| mesh.positions()[v] + Vec3::new(u[3 * v], u[3 * v + 1], u[3 * v + 2]);
/// let before = mesh.positions()[n - 1] - mesh.positions()[0];
/// let after = place(n - 1) - place(0);
/// assert!((after - Vec3::new(-before.y, before.x, before.z)).norm() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Warp {
    positions: Vec<Vec3>,
    /// Whether each vertex may move.
    free: Vec<bool>,
    cells: Box<dyn Cells>,
    incidence: Incidence,
    components: usize,
    component_of_vertex: Vec<usize>,
    component_of_cell: Vec<u32>,
    unwrapping: Unwrapping,
    poisson: Poisson,
    rooms: Mutex<Vec<Room>>,
}

impl Warp {
    /// The warp of a mesh. `masses`, one per vertex, weigh the centroids of components nothing holds.
    ///
    /// # Errors
    /// A mesh too large or with elements too thin, see [`WarpError`].
    ///
    /// # Panics
    /// When `masses` or `free` are of another body.
    pub fn new(mesh: &impl Warpable, masses: &[f64], free: &FreeVertices) -> Result<Self, WarpError> {
        let parts = mesh.parts();
        let vertices = parts.positions.len();
        assert_eq!(masses.len(), vertices, "a mass for every vertex");
        assert_eq!(free.body_vertices(), vertices, "the free vertices of this body");
        let poisson = Poisson::new(&parts, masses, free)?;
        let corners = parts.cells.corners();
        let component_of_vertex = parts.components.of_vertex;
        let anchored = |cell: &[VertexId]| cell.iter().any(|v| free.index(*v).is_none());
        let anchored = corners.chunks_exact(parts.cells.corners_per_cell()).map(anchored).collect();
        let first_corners = corners.iter().step_by(parts.cells.corners_per_cell());
        Ok(Self {
            positions: parts.positions,
            free: (0..vertices).map(|v| free.index(VertexId::new(v)).is_some()).collect(),
            incidence: Incidence::new(vertices, &corners),
            components: parts.components.count,
            component_of_cell: first_corners.map(|v| component_of_vertex[v.index()] as u32).collect(),
            component_of_vertex,
            unwrapping: Unwrapping::new(corners, &parts.neighbours, anchored),
            cells: parts.cells,
            poisson,
            rooms: Mutex::default(),
        })
    }

    /// How many vertices the body has.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.positions.len()
    }

    /// How many places have a gradient.
    fn places(&self) -> usize {
        self.cells.cells() * self.cells.places_per_cell()
    }

    fn check_length(&self, u: &[f64]) {
        assert_eq!(u.len(), 3 * self.vertices(), "three numbers per vertex");
    }

    fn check_vertices(&self, vertices: &[(VertexId, f64)]) -> Result<(), WarpError> {
        for &(vertex, weight) in vertices {
            if vertex.index() >= self.vertices() {
                return Err(WarpError::NoSuchVertex { vertex, vertices: self.vertices() });
            }
            if !weight.is_finite() {
                return Err(WarpError::Degenerate { vertex });
            }
        }
        Ok(())
    }
}
