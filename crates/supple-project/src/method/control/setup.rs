//! What all parts of a motion share: the body, how it begins, what its basis is made of besides its poses, and where a body
//! goes that nothing holds.

use super::error::ControlError;
use crate::Cache;
use crate::body::Body;
use crate::method::error::EditError;
use crate::motion::{InputMotion, MotionError};
use crate::shot::{self, Control, Input, Recorded, Shot};
use crate::simulate::initial_state;
use nalgebra::Rotation3;
use std::path::Path;
use std::sync::Arc;
use supple_elastic::{RigidMotion, RigidPath};
use supple_mesh::{Aabb, Vec3, displacement};
use supple_model::{Clock, Progress};

/// What all parts of a motion share.
#[derive(Clone, Debug)]
pub(super) struct Setup {
    pub shot: Shot,
    pub body: Arc<Body>,
    pub own: Control,
    /// When the motion begins, and how fast it is played.
    pub clock: Clock,
    /// The diagonal of the box around the body at rest.
    pub size: f64,
    /// How it begins: displacements and velocities, three numbers per vertex.
    pub start: [Vec<f64>; 2],
    /// Shapes that were recorded, three numbers per vertex each.
    pub recorded: Arc<Vec<Vec<f64>>>,
    /// Where it goes, by frames counted from 0, if that is said.
    pub rigid: Option<RigidPath>,
    pub cache: Cache,
}

impl Setup {
    /// Of a shot.
    pub fn new(shot: &Shot, body: &Arc<Body>, cache: &Cache, progress: &Progress) -> Result<Self, EditError> {
        if shot.motion.input != Input::Rest {
            return Err(ControlError::Input.into());
        }
        if let Some((index, _)) =
            shot.edit.all_handles().enumerate().find(|(_, (_, h))| h.muted != Some(true))
        {
            return Err(ControlError::Handle { handle: index + 1 }.into());
        }
        let own = shot.edit.control_settings()?;
        let clock = shot.motion.clock();
        let start = initial_state(shot, body, progress).map_err(MotionError::from)?;
        let rigid = own.rigid.as_ref().map(|file| scripted(&shot.resolve(file), body, clock)).transpose()?;
        if rigid.is_some() && !body.anchors.is_empty() {
            return Err(ControlError::Anchored.into());
        }
        Ok(Self {
            size: Aabb::around(body.positions()).size().norm(),
            recorded: Arc::new(recorded(shot, body, &own, cache, progress)?),
            own,
            clock,
            start,
            rigid,
            shot: shot.clone(),
            body: body.clone(),
            cache: cache.clone(),
        })
    }

    /// Whether parts that are asked for the same come out the same in another one.
    pub fn is_same(&self, other: &Self) -> bool {
        let bare = |edit: &shot::Edit| {
            let mut edit = edit.clone();
            edit.poses.clear();
            edit.segments.clear();
            edit
        };
        Arc::ptr_eq(&self.body, &other.body)
            && self.shot.motion == other.shot.motion
            && self.start == other.start
            && self.recorded == other.recorded
            && bare(&self.shot.edit) == bare(&other.shot.edit)
    }

    /// The acceleration of free fall that acts, metres per second of the playback squared.
    pub fn gravity(&self) -> Option<Vec3> {
        let gravity = Vec3::from(self.shot.edit.gravity.filter(|_| self.shot.edit.weight == Some(true))?);
        (gravity.norm() > 0.0).then_some(gravity)
    }
}

/// The path of a table: where the body is moved, and how it is turned about its centre of mass, degrees.
fn scripted(file: &Path, body: &Body, clock: Clock) -> Result<RigidPath, EditError> {
    let wrong = |problem: String| ControlError::Rigid { file: file.to_path_buf(), problem };
    let track = supple_formats::load_track(file).map_err(MotionError::from)?;
    let column = |name: &str| track.column(name);
    if let Some(other) =
        track.columns.iter().find(|name| !["x", "y", "z", "rx", "ry", "rz"].contains(&name.as_str()))
    {
        return Err(wrong(format!("unknown column {other:?}; use frame, x, y, z, rx, ry, rz")).into());
    }
    let rest = RigidMotion::rest(&body.elastic);
    let columns = ["x", "y", "z", "rx", "ry", "rz"].map(column);
    let knots: Vec<(f64, RigidMotion)> = (track.rows.iter())
        .map(|(frame, row)| {
            let at = columns.map(|column| column.map_or(0.0, |column| row[column]));
            let turn = Rotation3::new(Vec3::new(at[3], at[4], at[5]).map(f64::to_radians));
            let centre = rest.centre + Vec3::new(at[0], at[1], at[2]);
            (frame - f64::from(clock.start.0), RigidMotion { centre, turn: turn.into_inner() })
        })
        .collect();
    let path = RigidPath::through(&knots, None);
    path.ok_or_else(|| wrong("needs rows of finite numbers with ascending frames".into()).into())
}

/// Shapes of a recorded motion.
fn recorded(
    shot: &Shot,
    body: &Body,
    own: &Control,
    cache: &Cache,
    progress: &Progress,
) -> Result<Vec<Vec<f64>>, EditError> {
    let mut shapes = Vec::new();
    let mut places = vec![[0.0; 3]; body.positions().len()];
    match &own.basis.recorded {
        None => {}
        Some(Recorded::Simulate) => {
            let mut simulated = shot.clone();
            simulated.motion.input = Input::Simulate;
            let mut motion = InputMotion::open(&simulated, body, cache, progress)?;
            for index in 0..motion.clock.frames {
                motion.read(index, &mut places)?;
                shapes.push(displacement(&places, body.positions()));
            }
        }
        Some(Recorded::File(file)) => {
            let file = shot.resolve(file);
            let mut motion = supple_formats::open_motion(&file).map_err(MotionError::from)?;
            let (found, expected) = (motion.vertices(), body.positions().len());
            if found != expected {
                return Err(ControlError::Recorded { file, found, expected }.into());
            }
            for index in 0..motion.frames() {
                progress.check()?;
                motion.read(index, &mut places)?;
                shapes.push(displacement(&places, body.positions()));
            }
        }
    }
    Ok(shapes)
}
