//! What posing found.

use crate::Status;
use supple_mesh::Vec3;
use supple_model::VertexId;

/// How to pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoserSettings {
    /// The force left over that counts as none, as a part of the load.
    pub tolerance: f64,
    /// Newton iterations of one increment of the load at most.
    pub iterations: usize,
    /// The least increment of the load, as a part of all of it.
    pub least_increment: f64,
    /// A pose counts as lost when instability has thrown a vertex this many sizes of the body away.
    pub reach: f64,
    /// Whether a part that hangs on too few vertices may swing about them until it hangs still, as a flag on
    /// its pole does. Otherwise it keeps its place, and what would make it swing is removed from the load.
    pub swing: bool,
    /// Steps of one [`update`](super::Poser::update).
    pub update_steps: usize,
}

impl Default for PoserSettings {
    fn default() -> Self {
        Self {
            tolerance: 1e-9,
            iterations: 80,
            least_increment: 1e-3,
            reach: 1.5,
            swing: false,
            update_steps: 3,
        }
    }
}

/// An increment of the load that was carried.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadStep {
    /// The part of the load carried after it.
    pub fraction: f64,
    /// Newton iterations.
    pub iterations: usize,
    /// The potential E(u) − fᵀu before the first iteration and after each, joules. It never rises.
    pub potential: Vec<f64>,
}

/// The part of a load that would only have moved the body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Removed {
    /// How many rigid motions nothing holds; the others were not removed.
    pub motions: usize,
    /// The net force, newtons.
    pub force: Vec3,
    /// The net torque about the centre of mass of the pose, newton metres.
    pub torque: Vec3,
}

/// How a pose was found, and what it bears.
#[derive(Clone, Debug, PartialEq)]
pub struct PoseReport {
    /// `Converged`, or how far it came.
    pub status: Status,
    /// The part of the way from the load the body bore at the start to the load asked for; 1 unless the
    /// status is `Diverged`.
    pub fraction: f64,
    /// Newton iterations, those of increments that failed included.
    pub iterations: usize,
    /// Factorizations of the stiffness.
    pub factorizations: usize,
    /// |R(u) − f| over the free vertices, newtons, without what was removed.
    pub residual: f64,
    /// E(u), joules.
    pub strain_energy: f64,
    /// What anchors and pins exert on the body, R(u) − f, newtons, by vertex.
    pub reactions: Vec<(VertexId, Vec3)>,
    /// What was taken from the load because nothing bears it.
    pub removed: Removed,
    /// The increments of the load that were carried.
    pub steps: Vec<LoadStep>,
}
