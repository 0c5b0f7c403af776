//! What all parts of a motion share: the body, its time, and the forces that act on it throughout.

use super::error::SparseError;
use super::ground::{Ground, center_at_rest};
use super::placement::Placement;
use crate::body::Body;
use crate::method::error::EditError;
use crate::method::time::seconds_per_frame;
use crate::shot::{Push, Shot, SparseSolver};
use crate::site::Points;
use faer::Mat;
use std::sync::Arc;
use supple_mesh::{Aabb, Vec3};
use supple_model::Clock;
use supple_spacetime::{Solver, SparseSettings};

/// What all parts of a motion share.
#[derive(Clone, Debug)]
pub(super) struct Setup {
    pub shot: Shot,
    pub body: Arc<Body>,
    /// When the motion begins, and how fast it is played.
    pub clock: Clock,
    /// h, seconds of the body's own time per frame.
    pub dt: f64,
    /// The diagonal of the box around the body at rest.
    pub size: f64,
    /// Its centre of mass at rest.
    pub center: Vec3,
    pub settings: SparseSettings,
    /// Frames over which what is left of a shape fades.
    pub fade: f64,
    /// Constant forces on the vertices, three numbers each; none if there are none.
    forces: Option<Vec<f64>>,
}

impl Setup {
    /// Of a shot, with the modes of its first part.
    pub fn new(shot: &Shot, body: Arc<Body>, eigenvalues: &[f64]) -> Result<Self, EditError> {
        let clock = shot.motion.clock();
        let own = shot.edit.sparse_settings()?;
        let solver = match own.solver {
            SparseSolver::Newton => Solver::Newton,
            SparseSolver::GaussNewton => Solver::GaussNewton,
            SparseSolver::Bfgs => Solver::Bfgs,
        };
        Ok(Self {
            dt: seconds_per_frame(shot.motion.seconds_per_frame, eigenvalues, clock.fps),
            size: Aabb::around(body.positions()).size().norm(),
            center: center_at_rest(&body),
            settings: SparseSettings { solver, ..SparseSettings::default() },
            fade: own.fade,
            forces: forces(shot, &body)?,
            clock,
            shot: shot.clone(),
            body,
        })
    }

    /// Whether parts that are asked for the same come out the same in another one.
    pub fn is_same(&self, other: &Self) -> bool {
        let bare = |edit: &crate::shot::Edit| {
            let mut edit = edit.clone();
            edit.handles.clear();
            edit.poses.clear();
            edit.segments.clear();
            edit
        };
        Arc::ptr_eq(&self.body, &other.body)
            && (self.clock, self.dt, self.fade) == (other.clock, other.dt, other.fade)
            && self.forces == other.forces
            && bare(&self.shot.edit) == bare(&other.shot.edit)
    }

    /// Seconds of the body's own time in a second of the playback.
    pub fn pace(&self) -> f64 {
        self.clock.fps * self.dt
    }

    /// The acceleration of free fall in the body's own time.
    pub fn gravity(&self) -> Option<Vec3> {
        let gravity = Vec3::from(self.shot.edit.gravity?) / self.pace().powi(2);
        (gravity.norm() > 0.0).then_some(gravity)
    }

    /// F: what acts on every mode of a body that stands somewhere.
    pub fn load(&self, ground: &Ground, placement: &Placement) -> Result<Option<Vec<f64>>, EditError> {
        let n = self.body.positions().len();
        let mut forces = self.forces.clone();
        if let Some(gravity) = self.gravity().filter(|_| self.shot.edit.weight == Some(true) && !ground.flies)
        {
            let forces = forces.get_or_insert_with(|| vec![0.0; 3 * n]);
            for (force, mass) in forces.chunks_exact_mut(3).zip(self.body.elastic.masses()) {
                force.iter_mut().zip(gravity.iter()).for_each(|(force, g)| *force += mass * g);
            }
        }
        let Some(forces) = forces else { return Ok(None) };
        let local = |f: &[f64]| placement.local_direction(&Vec3::from_column_slice(f)).data.0[0];
        let local: Vec<f64> = forces.chunks_exact(3).flat_map(local).collect();
        let projected = ground.basis.project(Mat::from_fn(3 * n, 1, |k, _| local[k]).as_ref());
        Ok(Some((0..ground.basis.modes()).map(|k| projected[(k, 0)]).collect()))
    }

    /// Where what acts on every mode leaves it at rest.
    pub fn balance(&self, ground: &Ground, load: Option<&[f64]>) -> Vec<f64> {
        let Some(load) = load else { return vec![0.0; ground.eigenvalues.len()] };
        let still = |(f, lambda): (&f64, &f64)| if *lambda > 0.0 { f / lambda } else { 0.0 };
        load.iter().zip(&ground.eigenvalues).map(still).collect()
    }
}

/// The constant forces of a shot.
fn forces(shot: &Shot, body: &Body) -> Result<Option<Vec<f64>>, EditError> {
    let mut forces = vec![0.0; 3 * body.positions().len()];
    for (index, load) in shot.loads.iter().enumerate() {
        let changes = |key| SparseError::ChangingLoad { load: index + 1, key };
        let Push::Force(force) = load.push else { return Err(changes("track").into()) };
        if load.frames.is_some() {
            return Err(changes("frames").into());
        }
        let points = Points::of(&load.site, body).map_err(|problem| EditError::Handle {
            handle: format!("load {}", index + 1),
            problem: Box::new(problem.into()),
        })?;
        points.push(force, &mut forces);
    }
    Ok((!shot.loads.is_empty()).then_some(forces))
}
