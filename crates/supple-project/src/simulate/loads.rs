//! `[[load]]`: forces on the body, frame by frame.

use super::SimulateError;
use crate::body::Body;
use crate::shot::{Push, Shot};
use crate::site::Points;
use std::ops::RangeInclusive;
use supple_formats::Track;

/// The loads of a shot, on its body.
#[derive(Debug)]
pub(crate) struct Loads(Vec<Load>);

#[derive(Debug)]
struct Load {
    points: Points,
    force: Force,
    frames: Option<RangeInclusive<i32>>,
    stage: usize,
}

#[derive(Debug)]
enum Force {
    Steady([f64; 3]),
    /// A track and its columns x, y, z.
    Track(Track, [usize; 3]),
}

impl Loads {
    /// Reads the loads of a shot.
    pub fn load(shot: &Shot, body: &Body) -> Result<Self, SimulateError> {
        let loads = shot.loads.iter().enumerate().map(|(k, load)| {
            let part = format!("load {}", k + 1);
            let points = Points::of(&load.site, body)
                .map_err(|problem| SimulateError::Site { part: part.clone(), problem })?;
            let force = match &load.push {
                Push::Force(force) => Force::Steady(*force),
                Push::Track(path) => {
                    let file = shot.resolve(path);
                    let track = supple_formats::load_track(&file)?;
                    let column = |name: &str| {
                        track.column(name).ok_or_else(|| SimulateError::Column {
                            file: file.clone(),
                            problem: format!("a force needs the columns frame,x,y,z; {name:?} is missing"),
                        })
                    };
                    let columns = [column("x")?, column("y")?, column("z")?];
                    Force::Track(track, columns)
                }
            };
            Ok(Load { points, force, frames: load.frames.clone(), stage: load.stage.unwrap_or(1) })
        });
        loads.collect::<Result<_, _>>().map(Self)
    }

    /// Adds the forces that act at a moment, by its frame number, to those on the body's vertices.
    pub fn add(&self, frame: f64, forces: &mut [f64]) {
        for load in &self.0 {
            let acts = |range: &RangeInclusive<i32>| {
                f64::from(*range.start()) <= frame && frame <= f64::from(*range.end())
            };
            if load.frames.as_ref().is_none_or(acts) {
                load.points.push(load.force.at(frame), forces);
            }
        }
    }

    /// Adds the forces of one stage of a pose; those on a track as they are at its first frame.
    pub fn add_stage(&self, stage: usize, forces: &mut [f64]) {
        for load in self.0.iter().filter(|load| load.stage == stage) {
            let first = load.frames.as_ref().map_or(f64::MIN, |range| f64::from(*range.start()));
            load.points.push(load.force.at(first), forces);
        }
    }

    /// The last stage of a pose there is a load for; 0 without loads.
    pub fn stages(&self) -> usize {
        self.0.iter().map(|load| load.stage).max().unwrap_or(0)
    }
}

impl Force {
    fn at(&self, frame: f64) -> [f64; 3] {
        match self {
            Self::Steady(force) => *force,
            Self::Track(track, columns) => {
                let row = track.at(frame);
                columns.map(|c| row[c])
            }
        }
    }
}
