//! `[[load]]` and `[[pin]]`: forces that make a motion or a pose, and what a pose holds in place.

use super::{AT_LEAST_ONE, Site};
use crate::shot::describe::*;
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// `[[load]]`: a force on a part of the body, for simulation and static poses.
#[derive(Clone, Debug, PartialEq)]
pub struct Load {
    /// What it acts on. Vertices share it in proportion to their mass, points of a skin evenly.
    pub site: Site,
    /// How strong it is.
    pub push: Push,
    /// When it acts in a simulation. Without: always.
    pub frames: Option<RangeInclusive<i32>>,
    /// The stage of a pose at which it is added, 1 when left out. What came in earlier stages stays.
    pub stage: Option<usize>,
}

table!([Load] { site: part, push: part, frames: optional, stage: optional } check Load::check);

impl Load {
    fn check(&self, section: &Section<'_>) -> Result<(), ShotError> {
        section.demand("stage", self.stage != Some(0), AT_LEAST_ONE)
    }
}

/// How strong a load is.
#[derive(Clone, Debug, PartialEq)]
pub enum Push {
    /// `force`: this, on all of the site together.
    Force([f64; 3]),
    /// `track`: as a file says, frame by frame.
    Track(PathBuf),
}

one_of!(Push { force: Force, track: Track });

/// `[[pin]]`: what a static pose holds in place.
#[derive(Clone, Debug, PartialEq)]
pub struct Pin {
    /// What is held.
    pub site: Site,
    /// The stage from which on it is held, where it is when that begins; 1 when left out.
    pub stage: Option<usize>,
}

table!([Pin] { site: part, stage: optional } check Pin::check);

impl Pin {
    fn check(&self, section: &Section<'_>) -> Result<(), ShotError> {
        section.demand("stage", self.stage != Some(0), AT_LEAST_ONE)
    }
}
