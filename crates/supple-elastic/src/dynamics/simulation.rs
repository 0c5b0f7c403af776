//! A body in motion.

use super::contact::{Contacts, Surroundings};
use super::damping::StiffnessDamping;
use super::objective::Vectors;
use super::settings::FINER;
use super::state::{State, check_vector};
use super::{Energies, Momentum, SimulationError, SimulationSettings, StepContact, StepReport};
use crate::newton::Newton;
use crate::{ElasticBody, Evaluator, FreeVertices};
use std::sync::Arc;
use supple_mesh::Obstacle;
use supple_model::{Progress, VertexId};

/// After so many steps a longer piece is tried.
const LONGER: usize = 4;

/// A body in motion, step by step.
///
/// ```
/// use std::sync::Arc;
/// use supple_elastic::{FreeVertices, Law, Material, Simulation, SimulationSettings, Solid};
/// use supple_mesh::{Obstacle, ObstacleShape, Vec3, shapes::box_mesh};
/// use supple_model::{Progress, VertexId};
///
/// let material = Material { law: Law::NeoHookean, young: 1e5, poisson: 0.3, density: 1000.0 };
/// let cube = Arc::new(Solid::new(box_mesh(Vec3::repeat(0.1), [2, 2, 2])?, material, &[])?);
/// let floor = Obstacle::new(ObstacleShape::Floor { height: -0.2, up: Vec3::y() }, 0.5)?;
///
/// let mut simulation = Simulation::new(cube, FreeVertices::all(27), SimulationSettings::default())?
///     .with_obstacles(vec![floor], (0..27).map(|v| vec![(VertexId::new(v), 1.0)]).collect())?;
/// let nothing = vec![0.0; 3 * 27];
/// while simulation.contacts().is_empty() {
///     simulation.step(&nothing, &nothing, &Progress::silent())?;
/// }
/// // It falls 20 cm in 0.2 seconds.
/// assert!((0.18..0.23).contains(&simulation.time()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Simulation {
    pub(super) free: FreeVertices,
    pub(super) settings: SimulationSettings,
    pub(super) evaluator: Evaluator,
    pub(super) newton: Newton,
    pub(super) stiffness_damping: Option<StiffnessDamping>,
    pub(super) surroundings: Option<Surroundings>,
    pub(super) vectors: Vectors,
    pub(super) state: State,
    pub(super) contacts: Contacts,
    /// Of all vertices: gravity and what the caller adds.
    pub(super) load: Vec<f64>,
    /// Whole steps since the start.
    steps: usize,
}

impl Simulation {
    /// A body at rest in its rest shape, the vertices of `free` free to move.
    ///
    /// # Errors
    /// A setting that is out of range, or a body too large for this machine.
    ///
    /// # Panics
    /// When `free` is of another body.
    pub fn new(
        body: Arc<ElasticBody>,
        free: FreeVertices,
        settings: SimulationSettings,
    ) -> Result<Self, SimulationError> {
        settings.check()?;
        let evaluator = Evaluator::new(body.clone(), &free);
        let newton = Newton::new(free.clone(), evaluator.zeros(), body.positions())?;
        let damping = settings.damping.stiffness;
        Ok(Self {
            stiffness_damping: (damping > 0.0).then(|| StiffnessDamping::new(damping, &evaluator)),
            surroundings: None,
            vectors: Vectors::new(&free, body.masses()),
            state: State::new(vec![0.0; 3 * body.positions().len()], vec![0.0; 3 * body.positions().len()]),
            contacts: Contacts::default(),
            load: vec![0.0; 3 * body.positions().len()],
            steps: 0,
            free,
            settings,
            evaluator,
            newton,
        })
    }

    /// Puts obstacles in the way of `points`, those of the body's surface as a rule. A point is a weighted
    /// mean of vertices: a vertex v itself, `vec![(v, 1.0)]`, or a place within an element, whose corners
    /// carry it with weights that add up to 1. Anchored vertices go where they are told, and points that
    /// ride on nothing else.
    ///
    /// # Errors
    /// A vertex that does not exist, weights that are not finite or do not add up to 1, and a point that
    /// rides on vertices which are not corners of one element.
    pub fn with_obstacles(
        mut self,
        obstacles: Vec<Obstacle>,
        points: Vec<Vec<(VertexId, f64)>>,
    ) -> Result<Self, SimulationError> {
        let room = self.evaluator.zeros();
        let pattern = room.pattern();
        self.surroundings = Some(Surroundings::new(obstacles, points, self.body(), &self.free, pattern)?);
        Ok(self)
    }

    /// Starts over from a displacement and a velocity, at time 0.
    ///
    /// # Errors
    /// Vectors of another length, or with numbers that are not finite.
    pub fn set_state(&mut self, displacement: &[f64], velocity: &[f64]) -> Result<(), SimulationError> {
        let vertices = self.free.body_vertices();
        check_vector("the displacements", displacement, vertices, |_| true)?;
        check_vector("the velocities", velocity, vertices, |_| true)?;
        self.state = State::new(displacement.to_vec(), velocity.to_vec());
        self.contacts = Contacts::default();
        self.steps = 0;
        Ok(())
    }

    /// Advances by one step. `forces` act besides gravity at its end, newtons, three numbers per vertex; of
    /// `anchors`, displacements at its end, only those of anchored vertices are read.
    ///
    /// # Errors
    /// Vectors of another length or with numbers that are not finite, a step that has no solution however it
    /// is cut, and cancellation. After an error the simulation is where it was before the step.
    pub fn step(
        &mut self,
        forces: &[f64],
        anchors: &[f64],
        progress: &Progress,
    ) -> Result<StepReport, SimulationError> {
        let vertices = self.free.body_vertices();
        check_vector("the forces", forces, vertices, |_| true)?;
        check_vector("the displacements of anchors", anchors, vertices, |v| self.free.index(v).is_none())?;
        for (v, m) in self.body().clone().masses().iter().enumerate() {
            for c in 0..3 {
                self.load[3 * v + c] = forces[3 * v + c] + m * self.settings.gravity[c];
            }
        }
        let before = (self.state.clone(), self.contacts.clone());
        let mut report = StepReport::new();
        match self.advance(self.settings.seconds_per_step, anchors, 0, &mut report, progress) {
            Ok(()) => {
                self.steps += 1;
                // What had to be cut will have to be again; now and then a longer step is tried.
                let halved = report.halved.min(FINER);
                self.state.cuts = halved.saturating_sub(usize::from(self.steps.is_multiple_of(LONGER)));
                // Without the rounding of a long sum.
                self.state.time = self.steps as f64 * self.settings.seconds_per_step;
                Ok(report)
            }
            Err(error) => {
                (self.state, self.contacts) = before;
                Err(error)
            }
        }
    }

    /// The body that moves.
    #[must_use]
    pub fn body(&self) -> &Arc<ElasticBody> {
        self.evaluator.body()
    }

    /// u of all vertices, metres from rest.
    #[must_use]
    pub fn displacement(&self) -> &[f64] {
        &self.state.u
    }

    /// v of all vertices, metres per second.
    #[must_use]
    pub fn velocity(&self) -> &[f64] {
        &self.state.v
    }

    /// Seconds since the start.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.state.time
    }

    /// What touched obstacles in the last step, points ascending.
    #[must_use]
    pub fn contacts(&self) -> &[StepContact] {
        &self.contacts.list
    }

    /// Where the energy is.
    #[must_use]
    pub fn energy(&self) -> Energies {
        self.state.energies(self.body(), self.settings.gravity)
    }

    /// How much motion there is.
    #[must_use]
    pub fn momentum(&self) -> Momentum {
        self.state.momentum(self.body())
    }
}
