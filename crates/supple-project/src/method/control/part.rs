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
    ControlProblem, ControlSettings, ControlSolution, ControlSolver, Hold, TrackSettings,
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

    /// Goes along a motion that was found, tracked, from a start that is off; answers the seconds of every step, and how
    /// far off it ends as a part of how far off it began.
    ///
    /// # Errors
    /// A time step without a solution.
    pub fn track(&self, found: &Optimised) -> Result<(Vec<f64>, f64), EditError> {
        let wrong = |error| super::piece::named(&self.ready.stretch, error);
        let (problem, path) = (&self.ready.problem, &found.solution.path);
        let silent = Progress::silent();
        let tracker = problem.tracker(&found.solution, &TrackSettings::default(), &silent).map_err(wrong)?;
        let longest = path.values().iter().fold(0.0_f64, |most, z| most.max(z.abs()));
        let off = |z: &[f64]| z.iter().map(|z| z + 0.01 * longest).collect::<Vec<f64>>();
        let mut simulation = problem.simulation(&off(path.before()), &off(path.frame(0))).map_err(wrong)?;
        let mut force = vec![0.0; self.coordinates()];
        let mut seconds = Vec::new();
        for frame in 0..self.ready.stretch.frames {
            let begin = Instant::now();
            tracker.force(frame, simulation.before(), simulation.now(), &mut force);
            simulation.advance(&force).map_err(wrong)?;
            seconds.push(begin.elapsed().as_secs_f64());
        }
        let last = path.frame(self.ready.stretch.frames);
        let gap = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
        let began = gap(&off(path.frame(0)), path.frame(0)).max(f64::MIN_POSITIVE);
        Ok((seconds, gap(simulation.now(), last) / began))
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
