//! `initial`: how a body begins.

use super::{Anchors, Carrier, Loads, SimulateError};
use crate::body::Body;
use crate::shot::Shot;
use std::path::Path;
use supple_elastic::Poser;
use supple_formats::MeshFile;
use supple_mesh::{Vec3, displacement};
use supple_model::{Frame, Progress};

/// Displacement and velocity of what is simulated, three numbers per vertex.
pub(super) struct State {
    pub u: Vec<f64>,
    pub v: Vec<f64>,
}

impl State {
    /// How a shot wants its simulation to begin.
    pub fn of(
        shot: &Shot,
        body: &Body,
        carrier: &Carrier,
        anchors: &Anchors,
        loads: &Loads,
        start: Frame,
        progress: &Progress,
    ) -> Result<Self, SimulateError> {
        let initial = &shot.simulate.initial;
        let first = f64::from(start.0);
        let mut u = vec![0.0; 3 * carrier.elastic.positions().len()];
        if let Some(path) = &initial.pose {
            if carrier.is_cage() {
                let problem = "a caged body cannot start from a `pose`; remove one of them".into();
                return Err(SimulateError::Cage { problem });
            }
            u = load_pose(&shot.resolve(path), body)?;
        }
        carrier.place_anchors(anchors, first, &mut u);
        if initial.settle {
            let mut of_body = vec![0.0; 3 * body.positions().len()];
            loads.add(first, &mut of_body);
            let mut forces = carrier.forces(&of_body);
            add_weight(carrier.elastic.masses(), shot.simulate.gravity, &mut forces);
            u = settled(carrier, &u, &forces, progress)?;
        }
        let v = velocities(
            carrier,
            &u,
            initial.velocity.unwrap_or_default().into(),
            initial.spin.unwrap_or_default().into(),
        );
        Ok(Self { u, v })
    }
}

/// How the body of a shot begins where nothing is simulated before: displacement and velocity, three numbers per vertex.
pub(crate) fn initial_state(
    shot: &Shot,
    body: &Body,
    progress: &Progress,
) -> Result<[Vec<f64>; 2], SimulateError> {
    let initial = &shot.simulate.initial;
    let mut own = shot.clone();
    own.simulate.cage = None;
    own.simulate.anchors_motion = None;
    let (anchors, loads) = (Anchors::default(), Loads::load(&own, body)?);
    let still = *initial == crate::shot::Initial::default();
    if still {
        return Ok([vec![0.0; 3 * body.positions().len()], vec![0.0; 3 * body.positions().len()]]);
    }
    let carrier = Carrier::of(&own, body, &anchors, progress)?;
    let state = State::of(&own, body, &carrier, &anchors, &loads, own.motion.clock().start, progress)?;
    // What is held does not move.
    let (u, mut v) = (state.u, state.v);
    for vertex in &body.anchors {
        v[3 * vertex.index()..][..3].fill(0.0);
    }
    Ok([u, v])
}

/// Adds what gravity does to every vertex.
pub(crate) fn add_weight(masses: &[f64], gravity: [f64; 3], forces: &mut [f64]) {
    for (force, mass) in forces.chunks_exact_mut(3).zip(masses) {
        for (force, gravity) in force.iter_mut().zip(gravity) {
            *force += mass * gravity;
        }
    }
}

/// The equilibrium under `forces`.
fn settled(
    carrier: &Carrier,
    u: &[f64],
    forces: &[f64],
    progress: &Progress,
) -> Result<Vec<f64>, SimulateError> {
    let mut poser = Poser::new(carrier.elastic.clone(), carrier.free.clone())?;
    poser.set_pose(u)?;
    poser.set_load(forces)?;
    let report = poser.solve(&progress.part(0.0, 0.0))?;
    if !report.status.is_solved() {
        return Err(SimulateError::Unsettled { fraction: report.fraction });
    }
    Ok(poser.pose().to_vec())
}

/// Every vertex moves along with `velocity`, and around the centre of mass with `spin`.
fn velocities(carrier: &Carrier, u: &[f64], velocity: Vec3, spin: Vec3) -> Vec<f64> {
    let masses = carrier.elastic.masses();
    let rest = carrier.elastic.positions();
    let places: Vec<Vec3> =
        rest.iter().zip(u.chunks_exact(3)).map(|(x, u)| x + Vec3::from_column_slice(u)).collect();
    let total: f64 = masses.iter().sum();
    let middle = places.iter().zip(masses).map(|(x, m)| x * *m).sum::<Vec3>() / total;
    places.iter().flat_map(|x| <[f64; 3]>::from(velocity + spin.cross(&(x - middle)))).collect()
}

/// The displacement of every vertex of the body in a file of its vertices.
fn load_pose(file: &Path, body: &Body) -> Result<Vec<f64>, SimulateError> {
    let positions = match supple_formats::load_mesh(file)? {
        MeshFile::Surface(surface) => surface.positions,
        MeshFile::Volume(volume) => volume.positions,
    };
    let rest = body.positions();
    if positions.len() != rest.len() {
        let (found, expected) = (positions.len(), rest.len());
        return Err(SimulateError::OtherBody { file: file.to_path_buf(), found, expected });
    }
    Ok(displacement(&positions, rest))
}
