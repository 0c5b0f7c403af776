//! `[simulate]`: how to make input motion by forward simulation.

use super::solid::{check_ball, check_block};
use super::{AT_LEAST_ONE, Damping, NOT_NEGATIVE, POSITIVE, SECONDS, SECONDS_RANGE};
use crate::shot::describe::*;
use std::path::PathBuf;

/// `[simulate]`: how to make input motion by forward simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct Simulate {
    /// How a time step is taken.
    pub integrator: Integrator,
    /// Physical time between two frames. Without: as long as a frame is shown.
    pub seconds_per_frame: Option<f64>,
    /// Time steps per frame.
    pub substeps: Substeps,
    /// The acceleration of everything.
    pub gravity: [f64; 3],
    /// How vibration dies.
    pub damping: Damping,
    /// What carries the body. Without: nothing.
    pub floor: Option<Floor>,
    /// What stands in its way.
    pub obstacles: Vec<Obstacle>,
    /// The file of how the anchors move. Without: not at all.
    pub anchors_motion: Option<PathBuf>,
    /// How the body begins.
    pub initial: Initial,
    /// Simulate a cage of this many voxels along the longest side of the body instead of the body,
    /// which rides on it. Without: the body itself.
    pub cage: Option<usize>,
}

table!([Simulate] {
    integrator: default,
    seconds_per_frame: default,
    substeps: default,
    gravity: default,
    damping: default,
    floor: default,
    obstacles: default,
    anchors_motion: default,
    initial: default,
    cage: default,
} check Simulate::check);

impl Default for Simulate {
    /// As many steps per frame as it takes, from rest, undamped, under the gravity of Earth, y upwards.
    fn default() -> Self {
        Self {
            integrator: Integrator::default(),
            seconds_per_frame: None,
            substeps: Substeps::Auto,
            gravity: [0.0, -9.81, 0.0],
            damping: Damping::default(),
            floor: None,
            obstacles: Vec::new(),
            anchors_motion: None,
            initial: Initial::default(),
            cage: None,
        }
    }
}

impl Simulate {
    fn check(&self, section: &Section<'_>) -> Result<(), ShotError> {
        section.demand("seconds_per_frame", self.seconds_per_frame.is_none_or(|s| s > 0.0), POSITIVE)?;
        let is_time = self.seconds_per_frame.is_none_or(|s| SECONDS.contains(&s));
        section.demand("seconds_per_frame", is_time, SECONDS_RANGE)?;
        section.demand("substeps", self.substeps != Substeps::Count(0), AT_LEAST_ONE)?;
        section.demand("cage", self.cage != Some(0), AT_LEAST_ONE)
    }
}

/// `substeps`: time steps per frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Substeps {
    /// `auto`: steps are halved until none errs by more than a thousandth of the energy.
    #[default]
    Auto,
    /// This many.
    Count(usize),
}

impl Substeps {
    /// How many there are at least.
    #[must_use]
    pub fn least(self) -> usize {
        match self {
            Self::Auto => 1,
            Self::Count(count) => count.max(1),
        }
    }
}

plain!(
    Substeps,
    |field| match field.text() {
        Ok(_) => field.choice(&["auto"], |word| word).map(|_| Self::Auto),
        Err(_) => usize::read(field).map(Self::Count),
    },
    |substeps| match substeps {
        Self::Auto => Value::from("auto"),
        Self::Count(count) => Value::from(i64::try_from(*count).unwrap_or(i64::MAX)),
    }
);

/// `integrator`: how a time step is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Integrator {
    /// `newmark`: the trapezoidal rule; keeps energy.
    #[default]
    Newmark,
    /// `euler`: implicit Euler; loses energy, the more the larger the step.
    Euler,
}

words!(Integrator { Newmark = "newmark", Euler = "euler" });

/// `floor`: what carries the body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Floor {
    /// Where it is; 0 when left out.
    pub height: f64,
    /// Coulomb's coefficient of friction; 0 when left out.
    pub friction: f64,
}

table!(Floor { height: default, friction: default } check Floor::check);

impl Floor {
    fn check(&self, section: &Section<'_>) -> Result<(), ShotError> {
        section.demand("friction", self.friction >= 0.0, NOT_NEGATIVE)
    }
}

/// An entry of `obstacles`: what stands in the way of the body.
#[derive(Clone, Debug, PartialEq)]
pub struct Obstacle {
    /// Its shape.
    pub shape: ObstacleShape,
    /// For a mesh: the object of the motion's file that it moves as. It is drawn where that is; edits pass through it.
    pub object: Option<String>,
    /// Coulomb's coefficient of friction; 0 when left out.
    pub friction: Option<f64>,
}

table!(Obstacle { shape: part, object: optional, friction: optional } check Obstacle::check);

impl Obstacle {
    fn check(&self, section: &Section<'_>) -> Result<(), ShotError> {
        let is_mesh = matches!(self.shape, ObstacleShape::Mesh(_));
        section.demand("object", self.object.is_none() || is_mesh, "goes with `mesh` only")?;
        section.demand("friction", self.friction.is_none_or(|f| f >= 0.0), NOT_NEGATIVE)
    }
}

/// The shape of an obstacle.
#[derive(Clone, Debug, PartialEq)]
pub enum ObstacleShape {
    /// `mesh`: the surface in a file.
    Mesh(PathBuf),
    /// `sphere`: a ball.
    Sphere {
        /// Its centre.
        center: [f64; 3],
        /// Its radius.
        radius: f64,
    },
    /// `box`: a block along the axes.
    Box {
        /// The least corner.
        min: [f64; 3],
        /// The greatest corner.
        max: [f64; 3],
    },
}

one_of!(ObstacleShape {
    mesh: Mesh;
    tables:
    sphere: Sphere { center, radius },
    box: Box { min, max },
} check ObstacleShape::check);

impl ObstacleShape {
    fn check(&self, field: &Field<'_>) -> Result<(), ShotError> {
        match self {
            Self::Sphere { radius, .. } => check_ball(*radius, field),
            Self::Box { min, max } => check_block(min, max, field),
            Self::Mesh(_) => Ok(()),
        }
    }
}

/// `initial`: how the body begins.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Initial {
    /// The file of the pose it begins in. Without: at rest.
    pub pose: Option<PathBuf>,
    /// Whether it begins hanging still under gravity and the loads of the first frame; not when left
    /// out.
    pub settle: bool,
    /// The velocity of all of it, per second.
    pub velocity: Option<[f64; 3]>,
    /// How it turns about its centre of mass: the axis, as long as radians per second.
    pub spin: Option<[f64; 3]>,
}

table!(Initial { pose: optional, settle: default, velocity: optional, spin: optional });
