//! What a body cannot hold of its skin, kept as a detail that turns with it.
//!
//! A body that follows a skin (see [`fitted`](super::fitted)) has fewer vertices than the skin: of the file's points y
//! it holds E u, and the rest is
//!
//! > d = y − (x + E u),  out = x + E u′ + Q′ Qᵀ d
//!
//! with x the skin at rest, u and u′ the body before and after an edit, and Q, Q′ the rotations of the element that
//! carries the skin vertex. Without an edit u′ = u and Q′ = Q, so that `out` is y to the last digit but one.

use super::{MotionError, frames_of};
use crate::body::{Body, RestMesh, Skin};
use crate::shot::Shot;
use rayon::prelude::*;
use supple_elastic::ElementRotations;
use supple_mesh::Vec3;
use supple_model::{FrameError, FrameSource, VertexId};

/// Skin vertices moved as one task.
const VERTICES_PER_TASK: usize = 4096;

/// The detail of a point that rides on some vertices of the skin, at one frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PointDetail {
    /// Qᵀ d and the element that carries it; weights included.
    carried: Vec<(usize, Vec3)>,
    /// Σ d.
    pub input: Vec3,
    /// Σ Q′ Qᵀ d, as far as it is known.
    pub now: Vec3,
}

impl PointDetail {
    /// Whether there is none.
    pub fn is_none(&self) -> bool {
        self.carried.is_empty()
    }
}

/// The detail of a shot's skin, frame by frame.
pub struct Detail {
    /// y.
    skins: Box<dyn FrameSource>,
    rotations: ElementRotations,
    places: Vec<[f64; 3]>,
    /// x + E u and x + E u′.
    held: Vec<Vec3>,
    moved: Vec<Vec3>,
}

impl Detail {
    /// That of a shot whose body follows its skin; `None` for others.
    ///
    /// # Errors
    /// When the file of the skin's motion cannot be read.
    pub fn of(shot: &Shot, body: &Body) -> Result<Option<Self>, MotionError> {
        let (Some(skin), true) = (&body.skin, shot.motion.is_fitted()) else { return Ok(None) };
        let Some((_, skins, ..)) = frames_of(shot)? else { return Ok(None) };
        let vertices = skin.mesh.positions().len();
        let of_skin = skins.vertices() == vertices;
        let rotations = match &body.rest {
            RestMesh::Tets(mesh) => ElementRotations::of(mesh),
            RestMesh::Voxels(mesh) => ElementRotations::of(mesh),
            RestMesh::Triangles(mesh) => ElementRotations::of(mesh),
        };
        let room = vec![Vec3::zeros(); vertices];
        let places = vec![[0.0; 3]; vertices];
        Ok(of_skin.then(|| Self { skins, rotations, places, held: room.clone(), moved: room }))
    }

    /// The detail of some vertices of the skin in a frame of the input, when the body's displacement is `before`.
    ///
    /// # Errors
    /// When the frame cannot be read.
    ///
    /// # Panics
    /// As [`Self::skin`], and when there is no such vertex.
    pub(crate) fn of_points(
        &mut self,
        index: usize,
        skin: &Skin,
        before: &[f64],
        points: &[(VertexId, f64)],
    ) -> Result<PointDetail, FrameError> {
        self.skins.read(index, &mut self.places)?;
        skin.follow(before, &mut self.held);
        let from = self.rotations.at(before);
        let hosts = skin.embedding.elements();
        let mut detail = PointDetail::default();
        for (v, weight) in points {
            let d = (Vec3::from(self.places[v.index()]) - self.held[v.index()]) * *weight;
            let host = hosts[v.index()].index();
            detail.carried.push((host, from[host].tr_mul(&d)));
            detail.input += d;
        }
        detail.now = detail.input;
        Ok(detail)
    }

    /// Where such a detail points when the body's displacement is `after`: Q′ Qᵀ d.
    pub(crate) fn turned(&self, detail: &PointDetail, after: &[f64]) -> Vec3 {
        let to = self.rotations.at(after);
        detail.carried.iter().map(|(host, d)| to[*host] * d).sum()
    }

    /// The skin in a frame of the input, counted from 0, when the body's displacement is not `before` but `after`.
    ///
    /// # Errors
    /// When the frame cannot be read.
    ///
    /// # Panics
    /// When a displacement has not three numbers per vertex of the body, or there is no such frame.
    pub fn skin(
        &mut self,
        index: usize,
        skin: &Skin,
        before: &[f64],
        after: &[f64],
    ) -> Result<&[[f64; 3]], FrameError> {
        self.skins.read(index, &mut self.places)?;
        if before == after {
            return Ok(&self.places);
        }
        let (from, to) = (self.rotations.at(before), self.rotations.at(after));
        skin.follow(before, &mut self.held);
        skin.follow(after, &mut self.moved);
        let (held, moved) = (&self.held, &self.moved);
        let hosts = skin.embedding.elements();
        self.places.par_chunks_mut(VERTICES_PER_TASK).enumerate().for_each(|(task, places)| {
            for (k, place) in places.iter_mut().enumerate() {
                let v = task * VERTICES_PER_TASK + k;
                let host = hosts[v].index();
                let d = Vec3::from(*place) - held[v];
                let turned = to[host] * from[host].tr_mul(&d);
                // The change is added, so that what does not change keeps its digits.
                *place = (Vec3::from(*place) + ((moved[v] - held[v]) + (turned - d))).into();
            }
        });
        Ok(&self.places)
    }
}

impl std::fmt::Debug for Detail {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Detail").field("vertices", &self.places.len()).finish_non_exhaustive()
    }
}
