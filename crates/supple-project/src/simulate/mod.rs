//! Forward simulation of a shot: its body, its loads, its moving anchors, what stands in its way.
//!
//! The first frame is how the body begins; between two frames lie `substeps` time steps, or as many as the energy
//! wants.
//!
//! ```text
//! u, v ← rest, or a pose; settled under gravity and the first loads if asked for; velocity and spin
//! for every frame but the first:
//!   for every substep: loads and anchors at its end; one implicit step
//!   hand on the positions of the body's vertices, and what they touch
//! ```

mod anchors;
mod carrier;
mod error;
mod initial;
mod loads;
mod obstacles;

pub(crate) use anchors::Anchors;
pub(crate) use carrier::Carrier;
pub use error::SimulateError;
pub(crate) use initial::{add_weight, initial_state};
pub(crate) use loads::Loads;
pub use obstacles::scenery;
pub(crate) use obstacles::{floor, load as load_obstacles, up, zone_mesh};

use crate::body::{Body, Matter, thickness};
use crate::shot::{self, Shot, Substeps};
use supple_elastic::{Damping, Integrator, Simulation, SimulationError, SimulationSettings, StepReport};
use supple_model::{Clock, Contact, Frame, Progress, VertexId};

/// The part of the energy by which a step may err where nobody says how many there are.
const ACCURACY: f64 = 1e-3;

/// A frame of a simulation.
#[derive(Clone, Copy, Debug)]
pub struct SimulatedFrame<'a> {
    /// The scene's number of it.
    pub frame: Frame,
    /// Where the vertices of the body are.
    pub positions: &'a [[f64; 3]],
    /// What of the body touches something.
    pub contacts: &'a [Contact],
}

/// What a simulation took.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SimulateReport {
    /// Frames, the first one included.
    pub frames: usize,
    /// Vertices of what was simulated: the body, or its cage.
    pub simulated_vertices: usize,
    /// Whether a cage was.
    pub cage: bool,
    /// Time steps.
    pub steps: usize,
    /// Newton iterations of all of them.
    pub iterations: usize,
    /// Factorizations; more than iterations where a body wanted to buckle.
    pub factorizations: usize,
    /// Steps that had to be cut in halves, each time counted.
    pub cuts: usize,
    /// The most pieces in which a step was taken to keep the energy.
    pub pieces: usize,
    /// Steps that were damped, by implicit Euler, so that no vibration is fed.
    pub damped: usize,
    /// Steps that did not converge to the tolerance, and were taken as they are.
    pub unsolved: usize,
    /// Contacts, summed over frames.
    pub contacts: usize,
}

/// A shot's body, about to move.
///
/// # Examples
/// ```
/// use supple_model::Progress;
/// use supple_project::{Body, Sample, Shot, Simulator};
///
/// # let folder = tempfile::tempdir()?;
/// let mut shot = Shot::load(&Sample::named("beam")?.write(folder.path())?)?;
/// shot.motion.frames = Some(3);
/// let (body, progress) = (Body::load(&shot)?, Progress::silent());
/// let mut frames = Vec::new();
/// let each = |frame: supple_project::SimulatedFrame<'_>| {
///     frames.push(frame.positions.to_vec());
///     Ok(())
/// };
/// let report = Simulator::new(&shot, &body, &progress)?.run(each, &progress)?;
/// assert_eq!((frames.len(), report.frames, report.unsolved), (3, 3, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Simulator<'a> {
    body: &'a Body,
    carrier: Carrier,
    anchors: Anchors,
    loads: Loads,
    simulation: Simulation,
    /// The body's vertex of every point that collides.
    colliding: Vec<VertexId>,
    clock: Clock,
    substeps: usize,
}

impl<'a> Simulator<'a> {
    /// Reads everything a simulation needs, and finds how the body begins.
    ///
    /// # Errors
    /// Names the file or the part of the shot to blame: see [`SimulateError`].
    pub fn new(shot: &Shot, body: &'a Body, progress: &Progress) -> Result<Self, SimulateError> {
        let anchors = Anchors::load(shot, body)?;
        let loads = Loads::load(shot, body)?;
        let gap = match body.matter {
            Matter::Cloth(_) => thickness(&shot.body.material.unwrap_or_default(), body.positions()),
            _ => 0.0,
        };
        let obstacles = obstacles::load(shot, gap)?;
        let carrier = Carrier::of(shot, body, &anchors, progress)?;
        let simulation = Simulation::new(carrier.elastic.clone(), carrier.free.clone(), settings(shot));
        let mut simulation = simulation.map_err(SimulateError::Setup)?;
        let (mut colliding, rows) = carrier.colliding(body);
        if obstacles.is_empty() {
            colliding.clear();
        } else {
            simulation = simulation.with_obstacles(obstacles, rows).map_err(SimulateError::Setup)?;
        }
        let clock = shot.motion.clock();
        let state = initial::State::of(shot, body, &carrier, &anchors, &loads, clock.start, progress)?;
        simulation.set_state(&state.u, &state.v).map_err(SimulateError::Setup)?;
        let substeps = shot.simulate.substeps.least();
        Ok(Self { body, carrier, anchors, loads, simulation, colliding, clock, substeps })
    }

    /// How many frames there will be.
    #[must_use]
    pub fn frames(&self) -> usize {
        self.clock.frames
    }

    /// Simulates all frames, and hands each on as it is done.
    ///
    /// # Errors
    /// A step without a solution, whatever `each` answers, and cancellation. Every frame before was
    /// handed on.
    pub fn run(
        mut self,
        mut each: impl FnMut(SimulatedFrame<'_>) -> Result<(), SimulateError>,
        progress: &Progress,
    ) -> Result<SimulateReport, SimulateError> {
        let mut report = SimulateReport {
            simulated_vertices: self.carrier.elastic.positions().len(),
            cage: self.carrier.is_cage(),
            ..SimulateReport::default()
        };
        let mut positions = vec![[0.0; 3]; self.body.positions().len()];
        for index in 0..self.clock.frames {
            progress.report("simulating", index as f64 / self.clock.frames as f64)?;
            let frame = Frame(self.clock.number(index));
            if index > 0 {
                self.advance(frame, &mut report, progress)?;
            }
            let contacts = self.contacts(frame);
            report.contacts += contacts.len();
            report.frames += 1;
            self.carrier.positions(self.body, self.simulation.displacement(), &mut positions);
            each(SimulatedFrame { frame, positions: &positions, contacts: &contacts })?;
        }
        Ok(report)
    }

    /// Steps to a frame from the one before.
    fn advance(
        &mut self,
        frame: Frame,
        report: &mut SimulateReport,
        progress: &Progress,
    ) -> Result<(), SimulateError> {
        let mut of_body = vec![0.0; 3 * self.body.positions().len()];
        let mut held = self.simulation.displacement().to_vec();
        for substep in 1..=self.substeps {
            let moment = f64::from(frame.0) - 1.0 + substep as f64 / self.substeps as f64;
            of_body.fill(0.0);
            self.loads.add(moment, &mut of_body);
            self.carrier.place_anchors(&self.anchors, moment, &mut held);
            let step = self.simulation.step(&self.carrier.forces(&of_body), &held, progress);
            report.add(&step.map_err(|problem| match problem {
                SimulationError::Cancelled(cancelled) => SimulateError::Cancelled(cancelled),
                problem => SimulateError::Step { frame, problem },
            })?);
        }
        Ok(())
    }

    fn contacts(&self, frame: Frame) -> Vec<Contact> {
        let contact = |found: &supple_elastic::StepContact| Contact {
            frame,
            vertex: self.colliding[found.point],
            normal: found.normal,
            kind: found.kind,
        };
        self.simulation.contacts().iter().map(contact).collect()
    }
}

impl SimulateReport {
    fn add(&mut self, step: &StepReport) {
        self.steps += 1;
        self.iterations += step.iterations;
        self.factorizations += step.factorizations;
        self.cuts += step.cuts;
        self.pieces = self.pieces.max(1 << step.halved);
        self.damped += step.calmed;
        self.unsolved += usize::from(!step.status.is_solved());
    }
}

/// How the simulation of a shot advances.
fn settings(shot: &Shot) -> SimulationSettings {
    let simulate = &shot.simulate;
    SimulationSettings {
        seconds_per_step: simulate.seconds_per_frame.unwrap_or(1.0 / shot.motion.clock().fps)
            / simulate.substeps.least() as f64,
        accuracy: (simulate.substeps == Substeps::Auto).then_some(ACCURACY),
        integrator: match simulate.integrator {
            shot::Integrator::Newmark => Integrator::Newmark,
            shot::Integrator::Euler => Integrator::ImplicitEuler,
        },
        damping: Damping { mass: simulate.damping.mass, stiffness: simulate.damping.stiffness },
        gravity: simulate.gravity,
        ..SimulationSettings::default()
    }
}
