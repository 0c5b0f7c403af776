//! Static poses of a shot: equilibrium under its loads and pins, stage by stage.
//!
//! ```text
//! for every stage: pin what it pins, where it is now; add its loads to those before; solve R(u) = f
//! ```

use crate::atomic;
use crate::body::Body;
use crate::motion::{MotionError, Moving, surface_at};
use crate::shot::Shot;
use crate::simulate::{Loads, SimulateError, add_weight};
use crate::site::Points;
use std::io;
use std::path::Path;
use supple_elastic::{PoseReport, Poser};
use supple_mesh::Vec3;
use supple_model::{Progress, VertexId};

/// A pose, and how it was found.
#[derive(Clone, Debug)]
pub struct PoseOutcome {
    /// Where the vertices of the body are.
    pub positions: Vec<[f64; 3]>,
    /// What every stage took. The last one is not solved when its load could not be borne; the pose is
    /// then the last one found.
    pub stages: Vec<PoseReport>,
    /// How many stages there are.
    pub asked: usize,
}

/// The pose of a shot's body under its loads and pins; with `weight`, under gravity too.
///
/// # Errors
/// A load or pin that is nowhere on the body, and cancellation. A load that cannot be borne is none: see
/// [`PoseOutcome::stages`].
pub fn pose(
    shot: &Shot,
    body: &Body,
    weight: bool,
    progress: &Progress,
) -> Result<PoseOutcome, SimulateError> {
    let loads = Loads::load(shot, body)?;
    let pins = pins(shot, body)?;
    let asked = pins.iter().map(|(stage, _)| *stage).max().unwrap_or(1).max(loads.stages());
    let mut poser = Poser::new(body.elastic.clone(), body.free.clone())?;
    let mut stages = Vec::new();
    for stage in 1..=asked {
        progress.report("posing", (stage - 1) as f64 / asked as f64)?;
        for (_, points) in pins.iter().filter(|(of, _)| *of == stage) {
            poser.pin(&points.vertices())?;
        }
        let mut live = vec![0.0; 3 * body.positions().len()];
        loads.add_stage(stage, &mut live);
        if weight && stage == 1 {
            add_weight(body.elastic.masses(), shot.simulate.gravity, &mut live);
        }
        poser.set_load(&live)?;
        let report =
            poser.solve(&progress.part((stage - 1) as f64 / asked as f64, stage as f64 / asked as f64))?;
        let solved = report.status.is_solved();
        stages.push(report);
        if !solved {
            break;
        }
        poser.freeze();
    }
    let positions = body.displaced(poser.pose());
    Ok(PoseOutcome { positions, stages, asked })
}

/// What is pinned, by stage.
fn pins(shot: &Shot, body: &Body) -> Result<Vec<(usize, Points)>, SimulateError> {
    let pins = shot.pins.iter().enumerate().map(|(k, pin)| {
        let points = Points::of(&pin.site, body)
            .map_err(|problem| SimulateError::Site { part: format!("pin {}", k + 1), problem })?;
        Ok((pin.stage.unwrap_or(1), points))
    });
    pins.collect()
}

/// How a pose is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PoseFormat {
    /// `.obj`.
    Obj,
    /// `.ply`.
    Ply,
    /// `.stl`.
    Stl,
}

impl PoseFormat {
    /// The format a path asks for, to be known before a pose is sought.
    ///
    /// # Errors
    /// An ending that is no surface's.
    pub fn of(path: &Path) -> Result<Self, MotionError> {
        match path.extension().unwrap_or_default().to_ascii_lowercase().to_str() {
            Some("obj") => Ok(Self::Obj),
            Some("ply") => Ok(Self::Ply),
            Some("stl") => Ok(Self::Stl),
            _ => Err(MotionError::Write {
                file: path.to_path_buf(),
                source: io::Error::other("a pose is written as .obj, .ply or .stl"),
            }),
        }
    }
}

/// Writes a pose of the body, or of its skin, as a mesh; how many vertices it has.
///
/// # Errors
/// An ending that is no surface's, a file that cannot be written.
pub fn save_pose(path: &Path, body: &Body, of: Moving, positions: &[[f64; 3]]) -> Result<usize, MotionError> {
    let surface = surface_at(body, of, positions);
    let mut bytes = Vec::new();
    let written = match PoseFormat::of(path)? {
        PoseFormat::Obj => supple_formats::write_obj(&surface, &mut bytes),
        PoseFormat::Ply => supple_formats::write_ply(&surface, &mut bytes),
        PoseFormat::Stl => supple_formats::write_stl(&surface, &mut bytes),
    };
    written
        .and_then(|()| atomic::replace(path, &bytes))
        .map_err(|source| MotionError::Write { file: path.to_path_buf(), source })?;
    Ok(surface.positions.len())
}

/// Writes forces on vertices of the body as a table: vertex,x,y,z.
///
/// # Errors
/// A file that cannot be written.
pub fn save_reactions(path: &Path, reactions: &[(VertexId, Vec3)]) -> Result<(), MotionError> {
    let mut text = String::from("vertex,x,y,z\n");
    for (vertex, force) in reactions {
        text += &format!("{},{:?},{:?},{:?}\n", vertex.0, force.x, force.y, force.z);
    }
    atomic::replace(path, text.as_bytes())
        .map_err(|source| MotionError::Write { file: path.to_path_buf(), source })
}
