//! Poses in the coordinates of the modes.
//!
//! A pose asks for the turn and strain of every element. With N the nine rows a place has of them, x̄ is what comes nearest
//! to the difference from the input, V the volumes of all elements,
//!
//! > x̄ = argmin Σ V |N x − (s(pose) − s(ū))|²,
//!
//! or, where the body is read at few elements, what comes nearest as far as these tell ([`PoseAsk::read_by`]),
//!
//! and since the shapes of a material are orthonormal mixtures of the modes, each is asked for its own (Sᵀx̄)_k.

use super::error::MaterialError;
use crate::Cache;
use crate::body::Body;
use crate::key_poses::{Around, KeyPose};
use crate::method::drag::Prepared;
use crate::method::error::EditError;
use crate::motion::Moving;
use crate::shot::{Hold, Shot};
use std::sync::Arc;
use supple_elastic::{Basis, ModalShape, ModalWarp, ReducedWarp, WarpedMotion};
use supple_mesh::Vec3;
use supple_model::{Frame, Progress};

/// A pose that is asked for.
#[derive(Clone, Debug)]
pub(super) struct PoseAsk {
    /// Which `[[edit.pose]]` it comes from, the first 1.
    pub number: usize,
    /// When, counted from 0.
    pub frame: usize,
    /// Where what moves shall be: the displacement from rest, three numbers per vertex.
    pub displacement: Vec<f64>,
    /// x̄ over all elements.
    pub x: Vec<f64>,
    /// The shapes of input and pose.
    shapes: [ModalShape; 2],
    /// How far it is from the input: root of the mean square, weighed as the vertices are.
    pub asked: f64,
    /// The part of that which the modes cannot hold.
    pub beyond: f64,
    pub hold: Hold,
}

impl PoseAsk {
    /// x̄ as far as the elements of a reduced warp tell (Li et al. 2014, Eq. 23); over all where there is none.
    pub fn read_by(&self, reduced: Option<&ReducedWarp>) -> Vec<f64> {
        let [there, asked] = &self.shapes;
        reduced.map_or_else(|| self.x.clone(), |reduced| reduced.fitted(there, asked))
    }
}

/// The poses of a shot.
pub(super) fn poses(
    (shot, body): (&Shot, &Arc<Body>),
    prepared: &Prepared,
    basis: &Arc<Basis>,
    cache: &Cache,
    progress: &Progress,
) -> Result<Vec<PoseAsk>, EditError> {
    if shot.edit.poses.is_empty() {
        return Ok(Vec::new());
    }
    let clock = prepared.input.clock;
    let around = Around { shot, body, clock: Some(clock), cache: Some(cache) };
    let found = around.resolve((1, &shot.edit.poses), &progress.part(0.0, 0.8))?;
    let modal = ModalWarp::new(prepared.moved.warp.clone(), basis);
    let motion = WarpedMotion::new(prepared.moved.warp.clone(), basis.clone(), prepared.frames.to_vec());
    let mut poses = Vec::with_capacity(found.len());
    for pose in &found {
        progress.check()?;
        let Some(frame) = pose.when.whole().and_then(|mut frames| frames.next()) else { continue };
        let Some(frame) = clock.index(Frame(frame)) else { continue };
        let input = &prepared.input.displacements[frame];
        check(pose, prepared, body, input)?;
        let displacement = on_figure(body, prepared.moved.figure.of, &pose.displacement);
        let [(there, from), (asked, to)] = [modal.fitted(input), modal.fitted(&displacement)];
        let x: Vec<f64> = to.iter().zip(&from).map(|(to, from)| to - from).collect();
        let shapes = [there, asked];
        let held = motion.shown(&[(frame, x.as_slice())]).pop().unwrap_or_default();
        let weights = &prepared.moved.figure.weights;
        let asked = mean(weights, &displacement, input);
        let beyond = if asked > 0.0 { mean(weights, &displacement, &held) / asked } else { 0.0 };
        poses.push(PoseAsk {
            number: pose.number,
            frame,
            displacement,
            x,
            shapes,
            asked,
            beyond,
            hold: pose.hold,
        });
    }
    Ok(poses)
}

/// What the method cannot do, and what no body can.
fn check(pose: &KeyPose, prepared: &Prepared, body: &Body, input: &[f64]) -> Result<(), MaterialError> {
    let number = pose.number;
    if pose.vertices.is_some() {
        return Err(MaterialError::Group { pose: number });
    }
    if pose.velocity.is_some() {
        return Err(MaterialError::Velocity { pose: number });
    }
    let before = match prepared.moved.figure.of {
        Moving::Body => body.elastic.inverted(input),
        Moving::Skin => 0,
    };
    let count = body.elastic.inverted(&pose.displacement).saturating_sub(before);
    if count > 0 { Err(MaterialError::Inverted { pose: number, count }) } else { Ok(()) }
}

/// How far two displacements are apart: root of the mean square, each vertex with its weight.
fn mean(weights: &[f64], a: &[f64], b: &[f64]) -> f64 {
    let square = |v: usize| (0..3).map(|c| (a[3 * v + c] - b[3 * v + c]).powi(2)).sum::<f64>();
    let sum: f64 = weights.iter().enumerate().map(|(v, weight)| weight * square(v)).sum();
    let all: f64 = weights.iter().sum();
    if all > 0.0 { (sum / all).sqrt() } else { 0.0 }
}

/// A displacement of the body as what moves in the motion has it.
fn on_figure(body: &Body, of: Moving, displacement: &[f64]) -> Vec<f64> {
    let (Moving::Skin, Some(skin)) = (of, &body.skin) else { return displacement.to_vec() };
    let mut positions = vec![Vec3::zeros(); skin.mesh.positions().len()];
    skin.follow(displacement, &mut positions);
    positions.iter().zip(skin.mesh.positions()).flat_map(|(p, x)| (p - x).data.0[0]).collect()
}
