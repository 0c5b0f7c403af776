//! `[simulate]` and `[[load]]`: forces that make a motion, or a pose.

use super::{AT_LEAST_ONE, NOT_NEGATIVE};
use crate::shot::describe::*;
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// `[simulate]`: how to make input motion by forward simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct Simulate {
    /// Time steps per frame.
    pub substeps: usize,
    /// The acceleration of everything.
    pub gravity: [f64; 3],
    /// What carries the body. Without: nothing.
    pub floor: Option<Floor>,
    /// What stands in its way.
    pub obstacles: Vec<Obstacle>,
    /// The file of how the anchors move. Without: not at all.
    pub anchors_motion: Option<PathBuf>,
}

table!([Simulate] {
    substeps: default,
    gravity: default,
    floor: default,
    obstacles: default,
    anchors_motion: default,
} check Simulate::check);

impl Default for Simulate {
    /// One step per frame under the gravity of Earth, y upwards.
    fn default() -> Self {
        Self {
            substeps: 1,
            gravity: [0.0, -9.81, 0.0],
            floor: None,
            obstacles: Vec::new(),
            anchors_motion: None,
        }
    }
}

impl Simulate {
    fn check(&self, section: &Section<'_>) -> Result<(), ShotError> {
        section.demand("substeps", self.substeps > 0, AT_LEAST_ONE)
    }
}

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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// The file of its surface.
    pub mesh: PathBuf,
}

table!(Obstacle { mesh: required });

/// `[[load]]`: a force on a part of the body, for simulation and static poses.
#[derive(Clone, Debug, PartialEq)]
pub struct Load {
    /// The named group of vertices that share it.
    pub group: String,
    /// The force on all of them together.
    pub force: [f64; 3],
    /// When it acts. Without: always.
    pub frames: Option<RangeInclusive<i32>>,
}

table!([Load] { group: required, force: required, frames: optional });
