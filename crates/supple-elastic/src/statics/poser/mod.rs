//! Static poses: R(u) = f.
//!
//! ```text
//! minimise Φ(u) = E(u) − fᵀu over the free vertices, without rigid motions:
//!   try all of f; when Newton fails, half of what is missing, from the last pose that was found
//! ```
//!
//! | symbol | name | what it is |
//! |---|---|---|
//! | u | pose | displacement of every vertex |
//! | f | load | frozen + live nodal forces |
//! | R(u) − f | reaction | on held vertices: what anchors and pins exert |
//! | N | rigid motions | those that anchors and pins leave: see [`crate::newton::rigid`] |
//!
//! A force on a body that floats would only send it off. Where N is not empty the pose is sought among those
//! that differ from the start by no rigid motion, NᵀM(u − u₀) = 0, and in place of R(u) = f holds
//! R(u) = f − M N λ: the load less the forces that would speed the body up rigidly, spread by mass. What was
//! removed is reported as a net force and torque.
//!
//! Increments start from the load that the pose at hand bears, R(u₀), which is exact whatever that pose is:
//! f(t) = R(u₀) + t (f − R(u₀)).

mod potential;
mod report;
mod solve;
mod turns;
mod update;
mod workshop;

pub use report::{LoadStep, PoseReport, PoserSettings, Removed};
pub use update::PoseUpdate;

use super::error::{StaticsError, check_positive, check_values};
use crate::newton::{Gauge, Newton, Shift, norm, rigid_gauge};
use crate::{ElasticBody, Evaluator, FreeVertices};
use potential::Potential;
use std::sync::Arc;
use supple_mesh::{Aabb, Vec3};
use supple_model::VertexId;
use supple_numerics::sparse::BlockPattern;
use update::Follower;

/// How far a vertex may go in one iteration, in sizes of the body: not from one side of it to the other, or a
/// pressed body would turn inside out without a sign.
const LONGEST_STEP: f64 = 0.5;
/// Below this part of what stiffness and size would make, a force is rounding.
const FORCE_ROUNDING: f64 = 1e-15;

/// Poses a body: loads that stack, pins, and the equilibrium under them.
///
/// # Examples
/// ```
/// use std::sync::Arc;
/// use supple_elastic::{FreeVertices, Law, Material, Poser, Solid};
/// use supple_mesh::{Vec3, shapes::box_mesh};
/// use supple_model::{Progress, VertexId};
///
/// let mesh = box_mesh(Vec3::new(1.0, 0.2, 0.2), [5, 1, 1])?;
/// let material = Material { law: Law::NeoHookean, young: 1e5, poisson: 0.3, density: 1000.0 };
/// let body = Arc::new(Solid::new(mesh, material, &[])?);
/// // The four vertices at x = 0 hold it.
/// let free = FreeVertices::except(24, &[0, 6, 12, 18].map(VertexId))?;
/// let mut poser = Poser::new(body.clone(), free)?;
///
/// let weight: Vec<f64> = body.masses().iter().flat_map(|m| [0.0, -9.81 * m, 0.0]).collect();
/// poser.set_load(&weight)?;
/// let report = poser.solve(&Progress::silent())?;
/// assert!(report.status.is_solved());
/// // The anchors bear the weight that is not their own.
/// let borne: f64 = report.reactions.iter().map(|(_, r)| r.y).sum();
/// assert!((borne - 9.81 * 40.0).abs() < 1e-4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Poser {
    body: Arc<ElasticBody>,
    anchored: Vec<VertexId>,
    /// Ascending.
    pinned: Vec<VertexId>,
    settings: PoserSettings,
    pose: Vec<f64>,
    live: Vec<f64>,
    frozen: Vec<f64>,
    /// Which vertices share elements.
    pattern: Arc<BlockPattern>,
    newton: Newton,
    potential: Potential,
    gauge: Option<Arc<Gauge>>,
    /// What [`Poser::update`] keeps.
    follower: Option<Follower>,
}

impl Poser {
    /// A poser of `body` at rest, of which the vertices of `free` may move.
    ///
    /// # Errors
    /// [`StaticsError::Factor`] when the body is too large.
    ///
    /// # Panics
    /// When `free` is of another body.
    pub fn new(body: Arc<ElasticBody>, free: FreeVertices) -> Result<Self, StaticsError> {
        let vertices = body.positions().len();
        let rest = vec![0.0; 3 * vertices];
        let pattern = body.assembly(&FreeVertices::all(vertices)).pattern().clone();
        let ids = (0..vertices).map(VertexId::new);
        let anchored = ids.filter(|&v| free.index(v).is_none()).collect();
        let Prepared { newton, potential, gauge } = prepare(&body, &pattern, free, &rest, false)?;
        Ok(Self {
            body,
            anchored,
            pinned: Vec::new(),
            settings: PoserSettings::default(),
            live: rest.clone(),
            frozen: rest.clone(),
            pose: rest,
            pattern,
            newton,
            potential,
            gauge,
            follower: None,
        })
    }

    /// The same with other settings.
    ///
    /// # Errors
    /// Names a setting that is not positive.
    pub fn with_settings(mut self, settings: PoserSettings) -> Result<Self, StaticsError> {
        check_positive("the tolerance", settings.tolerance)?;
        check_positive("the least increment", settings.least_increment)?;
        check_positive("the reach", settings.reach)?;
        let swings = settings.swing != self.settings.swing;
        self.settings = settings;
        if swings {
            self.hold(self.newton.free().clone())?;
        }
        Ok(self)
    }

    /// The body.
    #[must_use]
    pub fn body(&self) -> &Arc<ElasticBody> {
        &self.body
    }

    /// u: the displacement of every vertex.
    #[must_use]
    pub fn pose(&self) -> &[f64] {
        &self.pose
    }

    /// Starts from another pose, anchored and pinned vertices included: they are held where it puts them.
    /// A body that floats stays where it is now.
    ///
    /// # Errors
    /// Says which vertex has no finite displacement.
    pub fn set_pose(&mut self, pose: &[f64]) -> Result<(), StaticsError> {
        check_values("the displacement", pose, self.body.positions().len())?;
        self.pose.copy_from_slice(pose);
        self.hold(self.newton.free().clone())
    }

    /// The live load: a force on every vertex, newtons, in place of the one before.
    ///
    /// # Errors
    /// Says which vertex has no finite force.
    pub fn set_load(&mut self, load: &[f64]) -> Result<(), StaticsError> {
        check_values("the load", load, self.body.positions().len())?;
        self.live.copy_from_slice(load);
        Ok(())
    }

    /// All loads: frozen and live.
    #[must_use]
    pub fn load(&self) -> Vec<f64> {
        self.frozen.iter().zip(&self.live).map(|(a, b)| a + b).collect()
    }

    /// Keeps the live load for good; the next one comes on top.
    pub fn freeze(&mut self) {
        for (frozen, live) in self.frozen.iter_mut().zip(&mut self.live) {
            *frozen += *live;
            *live = 0.0;
        }
    }

    /// Drops every load, frozen and live.
    pub fn unload(&mut self) {
        self.frozen.fill(0.0);
        self.live.fill(0.0);
    }

    /// Holds these vertices where they are now.
    ///
    /// # Errors
    /// When one does not exist, or nothing is left to move; nothing changes then.
    pub fn pin(&mut self, vertices: &[VertexId]) -> Result<(), StaticsError> {
        let mut pinned = self.pinned.clone();
        pinned.extend_from_slice(vertices);
        self.repin(pinned)
    }

    /// Lets pinned vertices go; others in the list are passed over.
    ///
    /// # Errors
    /// [`StaticsError::Factor`].
    pub fn unpin(&mut self, vertices: &[VertexId]) -> Result<(), StaticsError> {
        let kept = self.pinned.iter().copied().filter(|v| !vertices.contains(v)).collect();
        self.repin(kept)
    }

    /// The pinned vertices, ascending.
    #[must_use]
    pub fn pinned(&self) -> &[VertexId] {
        &self.pinned
    }

    fn repin(&mut self, mut pinned: Vec<VertexId>) -> Result<(), StaticsError> {
        pinned.sort_unstable();
        pinned.dedup();
        let held: Vec<VertexId> = self.anchored.iter().chain(&pinned).copied().collect();
        self.hold(FreeVertices::except(self.body.positions().len(), &held)?)?;
        pinned.retain(|v| self.anchored.binary_search(v).is_err());
        self.pinned = pinned;
        Ok(())
    }

    /// Lets only these vertices move; what nothing holds stays where it is now.
    fn hold(&mut self, free: FreeVertices) -> Result<(), StaticsError> {
        let swing = self.settings.swing;
        let Prepared { newton, potential, gauge } =
            prepare(&self.body, &self.pattern, free, &self.pose, swing)?;
        (self.newton, self.potential, self.gauge) = (newton, potential, gauge);
        self.follower = None;
        Ok(())
    }

    /// The longest diagonal of the body, metres.
    fn size(&self) -> f64 {
        Aabb::around(self.body.positions()).size().norm()
    }
}

/// What depends on which vertices are free, and where a body that floats stays.
struct Prepared {
    newton: Newton,
    potential: Potential,
    gauge: Option<Arc<Gauge>>,
}

fn prepare(
    body: &Arc<ElasticBody>,
    pattern: &BlockPattern,
    free: FreeVertices,
    pose: &[f64],
    swing: bool,
) -> Result<Prepared, StaticsError> {
    let mut evaluator = Evaluator::new(body.clone(), &free);
    let mut stiffness = evaluator.zeros();
    evaluator.stiffness(&vec![0.0; pose.len()], &mut stiffness);
    let shift = Arc::new(Shift::new(&stiffness));
    let size = Aabb::around(body.positions()).size().norm();
    let rounding = FORCE_ROUNDING * norm(&stiffness.diagonal()) * size;
    let gauge = rigid_gauge(body, pattern, &free, &places(body, pose), swing).map(Arc::new);
    let mut newton = Newton::new(free.clone(), stiffness, body.positions())?;
    newton.set_gauge(gauge.clone());
    newton.set_shift(shift);
    let potential = Potential::new(evaluator, free, pose.to_vec(), rounding);
    Ok(Prepared { newton, potential, gauge })
}

/// Where the vertices of a displaced body are.
fn places(body: &ElasticBody, u: &[f64]) -> Vec<Vec3> {
    body.positions().iter().zip(u.chunks_exact(3)).map(|(x, u)| x + Vec3::from_column_slice(u)).collect()
}
