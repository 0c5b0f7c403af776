//! The first part of a controlled motion, step by step, to be timed: basis, forces, the solver and what it is made of.

use super::basis::basis;
use super::chain::{Chain, beginning};
use super::piece::Ready;
use super::reduced;
use super::setup::Setup;
use super::stretch::stretches;
use crate::Cache;
use crate::body::Body;
use crate::method::error::EditError;
use crate::shot::{self, Shot};
use std::sync::Arc;
use std::time::Instant;
use supple_model::{Progress, Status};
use supple_spacetime::{
    ControlProblem, ControlSettings, ControlSolution, ControlSolver, Hold, TrackSettings, Tracker,
};

/// The first part of a controlled motion.
pub struct ControlPart {
    ready: Ready,
    /// Seconds that its basis took, modes and poses known.
    pub basis_seconds: f64,
    /// Seconds that its reduced forces took.
    pub coefficients_seconds: f64,
}

/// A motion of a part that was found.
pub struct Optimised {
    solution: ControlSolution,
    /// How it ended.
    pub status: Status,
    /// Iterations, or gradients of the published solver.
    pub iterations: usize,
    /// What was minimised.
    pub objective: f64,
    /// How far from a minimum.
    pub optimality: f64,
    /// What its forces cost.
    pub energy: f64,
    /// How far the worst pose is off, as a part of its way.
    pub missed: f64,
}

impl ControlPart {
    /// Makes the first part of a shot ready. What is in the cache is read.
    ///
    /// # Errors
    /// Names the part of the shot to blame.
    pub fn open(shot: &Shot, body: &Arc<Body>, cache: &Cache) -> Result<Self, EditError> {
        let silent = Progress::silent();
        let setup = Setup::new(shot, body, cache, &silent)?;
        let all = stretches(shot, body, cache, &silent)?;
        let (entry, own, timing) = beginning(&setup, &all, &silent)?;
        let first = &own[0];
        // Modes are in the cache from here on.
        let ready = Ready::new(&setup, first, timing, (&entry, first.lead), &silent)?;
        let begin = Instant::now();
        let (made, _) = basis(&setup, first, &entry, &silent)?;
        let basis_seconds = begin.elapsed().as_secs_f64();
        let begin = Instant::now();
        reduced::forces(shot, body, &made, &Cache::in_folders([]), &silent)?;
        Ok(Self { ready, basis_seconds, coefficients_seconds: begin.elapsed().as_secs_f64() })
    }

    /// r, the shapes of the basis.
    #[must_use]
    pub fn coordinates(&self) -> usize {
        self.ready.basis.coordinates()
    }

    /// Frames.
    #[must_use]
    pub fn frames(&self) -> usize {
        self.ready.stretch.frames + 1
    }

    /// Finds the motion, with soft poses if they are to be: by its own solver, or the published one until `progress` stops it.
    ///
    /// # Errors
    /// Whatever the solver says.
    pub fn optimise(
        &self,
        solver: shot::ControlSolver,
        soft: bool,
        progress: &Progress,
    ) -> Result<Optimised, EditError> {
        let iterations = ControlSettings::default().iterations;
        self.found(&self.problem(soft)?, (solver, shot::Guess::Zero, iterations), progress, &mut |_| {})
    }

    /// Finds the motion with soft poses, from a guess and in so many iterations at most; `look` is told what every motion on
    /// the way costs. Without iterations of the published solver it is the guess.
    ///
    /// # Errors
    /// Whatever the solver says.
    pub fn follow(
        &self,
        how: (shot::ControlSolver, shot::Guess, usize),
        progress: &Progress,
        look: &mut dyn FnMut(f64),
    ) -> Result<Optimised, EditError> {
        self.found(&self.problem(true)?, how, progress, look)
    }

    fn problem(&self, soft: bool) -> Result<ControlProblem, EditError> {
        let mut task = self.ready.problem.task().clone();
        if soft {
            task.keys.iter_mut().for_each(|key| key.hold = Hold::Soft(1.0));
        }
        self.ready.pushed(task).map_err(|error| super::piece::named(&self.ready.stretch, error))
    }

    fn found(
        &self,
        problem: &ControlProblem,
        (solver, guess, iterations): (shot::ControlSolver, shot::Guess, usize),
        progress: &Progress,
        look: &mut dyn FnMut(f64),
    ) -> Result<Optimised, EditError> {
        let solver = match solver {
            shot::ControlSolver::Newton => ControlSolver::Newton,
            shot::ControlSolver::Cg => ControlSolver::Cg,
        };
        let settings = ControlSettings { solver, iterations, ..ControlSettings::default() };
        let guess = self.ready.guess(guess);
        let solution = problem
            .solve(&settings, &guess, progress, &mut |iterate| look(iterate.cost.objective))
            .map_err(|error| super::piece::named(&self.ready.stretch, error))?;
        let report = &solution.report;
        let missed = report.keys.iter().map(|key| key.error / key.size.max(f64::MIN_POSITIVE));
        Ok(Optimised {
            status: report.status,
            iterations: report.feedback_iterations + report.iterations,
            objective: report.cost.objective,
            optimality: report.optimality,
            energy: report.cost.energy,
            missed: missed.fold(0.0, f64::max),
            solution,
        })
    }

    /// Simulates under the forces of a motion that was found; how far the result is from it, as a part of its size.
    ///
    /// # Errors
    /// A time step without a solution.
    pub fn forward(&self, found: &Optimised) -> Result<f64, EditError> {
        let (path, forces) = (&found.solution.path, &found.solution.forces);
        let again = self.ready.problem.simulate(path, forces, &Progress::silent());
        let again = again.map_err(|error| super::piece::named(&self.ready.stretch, error))?;
        let difference = again.values().iter().zip(path.values()).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
        let size = path.values().iter().map(|z| z * z).sum::<f64>();
        Ok((difference / size.max(f64::MIN_POSITIVE)).sqrt())
    }

    /// The gradient by the forces of a motion that was found, exact; its size.
    ///
    /// # Errors
    /// Cancellation.
    pub fn gradient(&self, found: &Optimised) -> Result<f64, EditError> {
        let (path, effort) = (&found.solution.path, found.solution.report.effort);
        let gradient = self.ready.problem.gradient_of_forces(path, effort, &Progress::silent())?;
        Ok(gradient.iter().map(|g| g * g).sum::<f64>().sqrt())
    }

    /// Goes along a motion that was found, tracked, with a push on the way that untracked moves the body by a tenth of how
    /// far the motion goes; answers the seconds of every step, and what is left of it at the end, as a part of how far the
    /// same push moves it untracked.
    ///
    /// # Errors
    /// A time step without a solution.
    pub fn track(&self, found: &Optimised) -> Result<(Vec<f64>, f64), EditError> {
        const SHARE: f64 = 0.1;
        let wrong = |error| super::piece::named(&self.ready.stretch, error);
        let settings = TrackSettings::default();
        let tracker = self.ready.problem.tracker(&found.solution, &settings, &Progress::silent());
        let tracker = tracker.map_err(wrong)?;
        // The direction of a push: what would hold the motion where it is farthest.
        let path = &found.solution.path;
        let far = |frame: &usize| path.frame(*frame).iter().map(|z| z * z).sum::<f64>();
        let farthest = (0..path.frames()).max_by(|a, b| far(a).total_cmp(&far(b))).unwrap_or_default();
        let mut push = vec![0.0; self.coordinates()];
        self.ready.dynamics.force(path.frame(farthest), &mut push);
        push.iter_mut().for_each(|w| *w *= SHARE);
        // By halves, until it is not too hard.
        loop {
            let (_, off) = self.pushed(found, None, &push)?;
            let most = off.iter().copied().fold(0.0, f64::max);
            if most <= SHARE * far(&farthest).sqrt() {
                let (seconds, held) = self.pushed(found, Some(&tracker), &push)?;
                let left = held.last().copied().unwrap_or_default();
                return Ok((seconds, left / most.max(f64::MIN_POSITIVE)));
            }
            push.iter_mut().for_each(|w| *w *= 0.5);
        }
    }

    /// Goes along a motion with a push in its second quarter; the seconds of every step, and how far off each frame is.
    fn pushed(
        &self,
        found: &Optimised,
        tracker: Option<&Tracker>,
        push: &[f64],
    ) -> Result<(Vec<f64>, Vec<f64>), EditError> {
        let (path, r) = (&found.solution.path, self.coordinates());
        let mut simulation = self.ready.problem.simulation_from(path, 0);
        let (mut force, mut seconds, mut off) = (vec![0.0; r], Vec::new(), Vec::new());
        let frames = self.ready.stretch.frames;
        for frame in 0..frames {
            let begin = Instant::now();
            match tracker {
                Some(tracker) => tracker.force(frame, simulation.before(), simulation.now(), &mut force),
                None => force.copy_from_slice(&found.solution.forces[frame * r..][..r]),
            }
            if (frames / 4..frames / 2).contains(&frame) {
                force.iter_mut().zip(push).for_each(|(w, push)| *w += push);
            }
            let step = simulation.advance(&force);
            step.map_err(|error| super::piece::named(&self.ready.stretch, error))?;
            seconds.push(begin.elapsed().as_secs_f64());
            let gap = simulation.now().iter().zip(path.frame(frame + 1)).map(|(a, b)| (a - b).powi(2));
            off.push(gap.sum::<f64>().sqrt());
        }
        Ok((seconds, off))
    }
}

/// Finds the whole motion of a shot, all of its segments; how it ended and the worst optimality.
///
/// # Errors
/// Names the part of the shot to blame.
pub fn solve_all(shot: &Shot, body: &Arc<Body>, cache: &Cache) -> Result<(Status, f64), EditError> {
    let silent = Progress::silent();
    let setup = Setup::new(shot, body, cache, &silent)?;
    let all = stretches(shot, body, cache, &silent)?;
    let chain = Chain::solve(&setup, &all, None, &silent, &mut |_| {})?;
    let reports = || chain.pieces.iter().map(|piece| &piece.solution.report);
    let unsettled = reports().map(|report| report.status).find(|status| *status != Status::Settled);
    let worst = reports().map(|report| report.optimality).fold(0.0, f64::max);
    Ok((unsettled.unwrap_or(Status::Settled), worst))
}
