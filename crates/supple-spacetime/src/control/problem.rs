//! A motion to be controlled: what is asked of which body, checked.

use super::adjoint::gradient as gradient_of;
use super::error::{ControlError, ControlGiven};
use super::keys::{ControlAsked, ControlKey};
use super::model::{Balance, Model};
use super::report::{
    ControlCost, ControlIterate, ControlKeyReport, ControlPath, ControlReport, ControlSolution,
};
use super::rollout::simulate;
use super::search::{by_windows, found};
use super::settings::{ControlGuess, ControlSettings, ControlSolver, TrackSettings};
use super::simulation::ControlSimulation;
use super::small::{dot, norm};
use super::task::{ControlStart, ControlTask};
use super::track::Tracker;
use super::watch::{Ended, Found, Watch};
use crate::rows::Hold;
use std::sync::Arc;
use supple_model::{Cancelled, Progress, ReducedDynamics, Status};

/// A hard key is met when it is missed by less than this part of the motion.
const MET: f64 = 1e-8;

/// A body in few coordinates, and the motion that is asked of it.
///
/// # Examples
/// ```
/// use std::sync::Arc;
/// use supple_model::{Progress, ReducedDynamics, Status};
/// use supple_spacetime::{
///     ControlGuess, ControlKey, ControlProblem, ControlSettings, ControlTask, ControlTime,
/// };
///
/// /// A spring that hardens: R = 9 z + 4 z³.
/// #[derive(Debug)]
/// struct Spring;
///
/// impl ReducedDynamics for Spring {
///     fn coordinates(&self) -> usize {
///         1
///     }
///     fn force(&self, z: &[f64], force: &mut [f64]) {
///         force.iter_mut().zip(z).for_each(|(force, z)| *force = 9.0 * z + 4.0 * z.powi(3));
///     }
///     fn stiffness(&self, z: &[f64], force: &mut [f64], stiffness: &mut [f64]) {
///         self.force(z, force);
///         stiffness.iter_mut().zip(z).for_each(|(stiffness, z)| *stiffness = 9.0 + 12.0 * z * z);
///     }
///     fn curvature(&self, z: &[f64], lambda: &[f64], curvature: &mut [f64]) {
///         curvature.iter_mut().zip(z.iter().zip(lambda)).for_each(|(c, (z, l))| *c = 24.0 * z * l);
///     }
/// }
///
/// // From rest to 0.8 after a second, and back to -0.2 after two.
/// let keys = vec![ControlKey::hard(30, vec![0.8]), ControlKey::soft(60, vec![-0.2], 1.0)];
/// let task = ControlTask::new(ControlTime::even(61, 1.0 / 30.0), 1, keys);
/// let problem = ControlProblem::new(Arc::new(Spring), task)?;
/// let (settings, quiet) = (ControlSettings::default(), Progress::silent());
/// let solution = problem.solve(&settings, &ControlGuess::Zero, &quiet, &mut |_| {})?;
/// assert_eq!(solution.report.status, Status::Settled);
/// assert!((solution.path.frame(30)[0] - 0.8).abs() < 1e-12);
///
/// // Its forces alone make it again.
/// let again = problem.simulate(&solution.path, &solution.forces, &quiet)?;
/// assert!((again.frame(60)[0] - solution.path.frame(60)[0]).abs() < 1e-9);
/// # Ok::<(), supple_spacetime::ControlError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ControlProblem {
    model: Arc<Model>,
    task: ControlTask,
}

impl ControlProblem {
    /// What is asked of a body.
    ///
    /// # Errors
    /// When a number is not what it must be, a key stands outside or where another does, or a free start has fewer than
    /// two keys.
    pub fn new(dynamics: Arc<dyn ReducedDynamics>, task: ControlTask) -> Result<Self, ControlError> {
        task.check(dynamics.coordinates())?;
        Ok(Self { model: Arc::new(Model::new(dynamics, &task)), task })
    }

    /// r.
    #[must_use]
    pub fn coordinates(&self) -> usize {
        self.model.size()
    }

    /// What is asked for.
    #[must_use]
    pub fn task(&self) -> &ControlTask {
        &self.task
    }

    /// 1e-4·τ³, τ the mean time from key to key, the start counting as one: of what moves freely a key of weight 1 misses
    /// a few parts in ten thousand.
    #[must_use]
    pub fn auto_effort(&self) -> f64 {
        self.model.auto_effort()
    }

    /// The motion of given frames, r numbers each, from the start of the task; of a free start, from rest.
    ///
    /// # Errors
    /// When there are not r finite numbers for every frame.
    pub fn path(&self, frames: &[f64]) -> Result<ControlPath, ControlError> {
        let r = self.coordinates();
        ControlGiven::Guess.check(frames, r * self.task.time.frames())?;
        Ok(self.model.path(self.model.started([&frames[..r], frames].concat())))
    }

    /// w of a motion: the forces that it needs, r numbers for each frame but the last.
    ///
    /// # Panics
    /// When it has another size.
    #[must_use]
    pub fn forces(&self, path: &ControlPath) -> Vec<f64> {
        let z = self.sized(path);
        let mut R = vec![0.0; z.len()];
        self.model.dynamics.force(z, &mut R);
        self.model.rows.forces(z, &R)
    }

    /// What a motion costs under an effort ε; hard keys cost nothing.
    ///
    /// # Panics
    /// When it has another size.
    #[must_use]
    pub fn cost(&self, path: &ControlPath, effort: f64) -> ControlCost {
        self.model.cost(self.sized(path), &self.forces(path), Balance { effort, hard: 0.0 })
    }

    /// The derivative of the objective by every frame that is not given, r numbers each: frame 1 to the last; of a free
    /// start the frame before the first and frame 0, too.
    ///
    /// # Errors
    /// On cancellation.
    ///
    /// # Panics
    /// When the motion has another size.
    pub fn gradient(
        &self,
        path: &ControlPath,
        effort: f64,
        progress: &Progress,
    ) -> Result<Vec<f64>, Cancelled> {
        let point = self.model.point(self.sized(path).to_vec(), progress)?;
        let mut all = self.model.gradient(&point, Balance { effort, hard: 0.0 });
        Ok(all.split_off(self.model.first() * self.coordinates()))
    }

    /// The derivative of the objective by the forces that make a motion (Eq. 11 and 12), exact for its time steps.
    ///
    /// # Errors
    /// On cancellation.
    ///
    /// # Panics
    /// When the motion has another size.
    pub fn gradient_of_forces(
        &self,
        path: &ControlPath,
        effort: f64,
        progress: &Progress,
    ) -> Result<Vec<f64>, Cancelled> {
        let point = self.model.point(self.sized(path).to_vec(), progress)?;
        Ok(gradient_of(&self.model, &point, Balance { effort, hard: 0.0 }).0)
    }

    /// The motion that forces make from the first two frames of another, under the task's loads: from those of a solution
    /// and with its forces it is that solution again.
    ///
    /// # Errors
    /// When there are not r finite numbers for each frame but the last, a time step has no solution, or on
    /// cancellation.
    ///
    /// # Panics
    /// When the motion has another size.
    pub fn simulate(
        &self,
        from: &ControlPath,
        forces: &[f64],
        progress: &Progress,
    ) -> Result<ControlPath, ControlError> {
        ControlGiven::Forces.check(forces, self.model.rows.loads.len())?;
        let z = simulate(&self.model, forces, self.sized(from).to_vec(), progress)?;
        Ok(self.model.path(z))
    }

    /// The same frame by frame, from any two frames.
    ///
    /// # Errors
    /// When a frame has not r finite numbers.
    pub fn simulation(&self, before: &[f64], first: &[f64]) -> Result<ControlSimulation, ControlError> {
        ControlGiven::Before.check(before, self.coordinates())?;
        ControlGiven::First.check(first, self.coordinates())?;
        Ok(ControlSimulation::new(self.model.clone(), before, first))
    }

    /// The same from a frame of a motion on, counted from 0.
    ///
    /// # Panics
    /// When the motion has another size, or no such frame.
    #[must_use]
    pub fn simulation_from(&self, path: &ControlPath, frame: usize) -> ControlSimulation {
        self.sized(path);
        ControlSimulation::within(self.model.clone(), path, frame)
    }

    /// Forces that hold a motion against pushes: those of the solution, and feedback from where the body is.
    ///
    /// # Errors
    /// When a number of the settings cannot be used, or on cancellation.
    ///
    /// # Panics
    /// When the solution has another size.
    pub fn tracker(
        &self,
        solution: &ControlSolution,
        settings: &TrackSettings,
        progress: &Progress,
    ) -> Result<Tracker, ControlError> {
        settings.check()?;
        self.sized(&solution.path);
        Ok(Tracker::new(&self.model, solution, settings, progress)?)
    }

    /// The motion that meets its keys at the least cost near the guess. `look` sees every iterate.
    ///
    /// # Errors
    /// When a setting cannot be used, the guess has another size, the body has no force along it, or on cancellation.
    pub fn solve(
        &self,
        settings: &ControlSettings,
        guess: &ControlGuess,
        progress: &Progress,
        look: &mut dyn FnMut(&ControlIterate<'_>),
    ) -> Result<ControlSolution, ControlError> {
        settings.check()?;
        if settings.solver == ControlSolver::Cg {
            self.check_cg()?;
        }
        let effort = settings.effort.unwrap_or_else(|| self.auto_effort());
        let mut watch = Watch { progress, look, whole: None, shown: 0 };
        let found = match settings.keys_per_window {
            Some(keys) if keys < self.task.keys.len() => {
                by_windows(&self.model, &self.task, settings, (effort, keys), guess, &mut watch)?
            }
            _ => found(&self.model, settings, effort, guess, &mut watch)?,
        };
        progress.check()?;
        Ok(self.told(found, effort))
    }

    /// Whether conjugate gradients know all that is asked.
    fn check_cg(&self) -> Result<(), ControlError> {
        if self.task.start == ControlStart::Free {
            return Err(ControlError::FreeStartOfCg);
        }
        match self.task.keys.iter().find(|key| key.hold == Hold::Hard) {
            Some(key) => Err(ControlError::HardKey { frame: key.frame }),
            None => Ok(()),
        }
    }

    fn told(&self, found: Found, effort: f64) -> ControlSolution {
        let size = self.model.size();
        let longest = found.z.chunks_exact(size).map(norm).fold(0.0, f64::max);
        let path = self.model.path(found.z);
        let forces = self.forces(&path);
        let keys: Vec<ControlKeyReport> = self.task.keys.iter().map(|key| self.missed(key, &path)).collect();
        let is_missed = |key: &ControlKeyReport| {
            let scale = longest.max(key.size);
            key.is_hard && (key.error > MET * scale || key.velocity_error * self.model.tau > MET * scale)
        };
        let status = match found.ended {
            Ended::Stopped => Status::Stopped,
            Ended::OutOfSteps => Status::Unfinished,
            Ended::Stalled => Status::Stalled,
            Ended::Found if keys.iter().any(is_missed) => Status::Compromise,
            Ended::Found => Status::Settled,
        };
        let report = ControlReport {
            status,
            cost: self.cost(&path, effort),
            effort,
            feedback_iterations: found.tally.feedback,
            iterations: found.tally.frames,
            rollouts: found.tally.rollouts,
            gradients: found.tally.gradients,
            forwards: found.tally.forwards,
            optimality: found.optimality,
            keys,
        };
        ControlSolution { path, forces, report }
    }

    /// How far a motion is off a key.
    fn missed(&self, key: &ControlKey, path: &ControlPath) -> ControlKeyReport {
        let r = self.coordinates();
        let off = |z: &[f64], target: &[f64]| -> f64 {
            let gaps: Vec<f64> = match &key.asked {
                ControlAsked::Whole => z.iter().zip(target).map(|(z, b)| z - b).collect(),
                ControlAsked::Components(weights) => {
                    let counts = z.iter().zip(target).zip(weights).filter(|(_, weight)| **weight > 0.0);
                    counts.map(|((z, b), _)| z - b).collect()
                }
                ControlAsked::Rows(rows) => {
                    rows.chunks_exact(r).zip(target).map(|(row, b)| dot(row, z) - b).collect()
                }
            };
            norm(&gaps)
        };
        let velocity_error = key.velocity.as_ref().map_or(0.0, |velocity| {
            let parts = self.model.velocity(path.all(), key.frame + 1);
            off(&parts, velocity)
        });
        ControlKeyReport {
            frame: key.frame,
            is_hard: key.hold == Hold::Hard,
            error: off(path.frame(key.frame), &key.target),
            size: norm(&key.target),
            velocity_error,
        }
    }

    /// The numbers of a motion of this problem.
    fn sized<'a>(&self, path: &'a ControlPath) -> &'a [f64] {
        let fits = path.coordinates() == self.coordinates() && path.frames() + 1 == self.model.frames();
        assert!(fits, "a motion of {} coordinates in {} frames", self.coordinates(), self.task.time.frames());
        path.all()
    }
}
