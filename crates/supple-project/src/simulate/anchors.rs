//! `anchors_motion`: anchors that move, each group of them rigidly.
//!
//! The file is a track. Columns `x`, `y`, `z` move all anchors, `GROUP.x`, … those of a group; `rx`, `ry`,
//! `rz` turn them about the middle of the group at rest, by a rotation vector in degrees. Frames in between
//! are interpolated, before the first and after the last it rests.

use super::SimulateError;
use crate::body::Body;
use crate::shot::Shot;
use nalgebra::Rotation3;
use std::path::{Path, PathBuf};
use supple_formats::Track;
use supple_mesh::Vec3;
use supple_model::VertexId;

/// How anchors move.
#[derive(Debug, Default)]
pub(crate) struct Anchors {
    track: Option<Track>,
    /// Those of groups first, those of all anchors last.
    movers: Vec<Mover>,
}

/// Points that move alike.
#[derive(Debug)]
struct Mover {
    group: Option<String>,
    /// Its vertices of the body, ascending.
    vertices: Vec<VertexId>,
    middle: Vec3,
    /// Where its x y z rx ry rz are in the track.
    columns: [Option<usize>; 6],
}

const NAMES: [&str; 6] = ["x", "y", "z", "rx", "ry", "rz"];

impl Anchors {
    /// Reads how the anchors of a shot move.
    pub fn load(shot: &Shot, body: &Body) -> Result<Self, SimulateError> {
        let Some(path) = &shot.simulate.anchors_motion else { return Ok(Self::default()) };
        let file = shot.resolve(path);
        let track = supple_formats::load_track(&file)?;
        if body.anchors.is_empty() {
            return Err(SimulateError::NoAnchors { file });
        }
        let mut movers: Vec<Mover> = Vec::new();
        for (k, name) in track.columns.iter().enumerate() {
            let (group, axis) = match name.rsplit_once('.') {
                Some((group, axis)) => (Some(group), axis),
                None => (None, name.as_str()),
            };
            let axis = NAMES.iter().position(|n| *n == axis).ok_or_else(|| SimulateError::Column {
                file: file.clone(),
                problem: format!("unknown column {name:?}; use x, y, z, rx, ry, rz, or GROUP.x and so on"),
            })?;
            let place = match movers.iter().position(|mover| mover.group.as_deref() == group) {
                Some(place) => place,
                None => {
                    movers.push(Mover::new(group, body, &file)?);
                    movers.len() - 1
                }
            };
            movers[place].columns[axis] = Some(k);
        }
        movers.sort_by_key(|mover| mover.group.is_none());
        Ok(Self { track: Some(track), movers })
    }

    /// Which movers move an anchored vertex of the body.
    pub fn movers_of(&self, vertex: VertexId) -> Vec<usize> {
        let moves = |mover: &Mover| mover.vertices.binary_search(&vertex).is_ok();
        (0..self.movers.len()).filter(|&k| moves(&self.movers[k])).collect()
    }

    /// Where a point goes that is at `rest` and moved by these movers, at a moment by its frame number.
    pub fn place(&self, movers: &[usize], rest: Vec3, frame: f64) -> Vec3 {
        let mut place = rest;
        let row = self.track.as_ref().map(|track| track.at(frame)).unwrap_or_default();
        for &k in movers {
            let mover = &self.movers[k];
            let value = |axis: usize| mover.columns[axis].map_or(0.0, |column| row[column]);
            let turn = Vec3::new(value(3), value(4), value(5)) * std::f64::consts::PI / 180.0;
            let shift = Vec3::new(value(0), value(1), value(2));
            place = mover.middle + Rotation3::new(turn) * (place - mover.middle) + shift;
        }
        place
    }
}

impl Mover {
    fn new(group: Option<&str>, body: &Body, file: &Path) -> Result<Self, SimulateError> {
        let column = |problem| SimulateError::Column { file: PathBuf::from(file), problem };
        let mut vertices = match group {
            None => body.anchors.clone(),
            Some(name) => body.groups.get(name).map_err(|e| column(e.to_string()))?.to_vec(),
        };
        vertices.retain(|v| body.anchors.binary_search(v).is_ok());
        vertices.sort_unstable();
        if vertices.is_empty() {
            let name = group.unwrap_or_default();
            return Err(column(format!(
                "no vertex of the group {name:?} is anchored, so it cannot be animated; anchor it in [body]"
            )));
        }
        let sum: Vec3 = vertices.iter().map(|v| body.positions()[v.index()]).sum();
        let middle = sum / vertices.len() as f64;
        Ok(Self { group: group.map(str::to_owned), vertices, middle, columns: [None; 6] })
    }
}
