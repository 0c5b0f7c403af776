//! What a body cannot hold of its skin, kept as a detail that turns with it.
//!
//! A body that follows a skin (see [`fitted`](super::fitted)) has fewer vertices than the skin: of the file's points y
//! it holds E u, and the rest is
//!
//! > d = y − (b + E u),  out = b + E u′ + Q′ Qᵀ d
//!
//! with b = E p the points that are carried, p being the body at rest, u and u′ the body before and after an edit, and Q, Q′ the
//! rotations of the element that carries the skin vertex. b is the skin at rest wherever the body reaches it, so that parts
//! outside ride on their element as if glued to it.
//!
//! The change out − y is what is found and added. It is that of the leader for all vertices that are one, and there is none,
//! to the bit, for anchors and wherever the edit leaves all corners of the element alone.

use super::MotionError;
use crate::body::{Body, RestMesh, Skin};
use crate::shot::Shot;
use crate::source::{Inside, frames_of};
use nalgebra::Matrix3;
use rayon::prelude::*;
use supple_elastic::ElementRotations;
use supple_mesh::Vec3;
use supple_model::{FrameError, FrameSource, VertexId};

/// Skin vertices moved as one task.
const VERTICES_PER_TASK: usize = 4096;

/// The detail of a point that rides on some vertices of the skin, at one frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PointDetail {
    /// Qᵀ d of the leaders and the element that carries it; weights included.
    carried: Vec<(usize, Vec3)>,
    /// What the points are beside their leaders.
    beside: Vec3,
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

/// The detail of a shot's skin, frame by frame. What depends on the input alone is kept while the same frame is asked for.
pub struct Detail {
    /// y.
    skins: Inside,
    rotations: ElementRotations,
    /// b.
    base: Vec<Vec3>,
    /// The frame that was read last.
    frame: Option<usize>,
    /// y as the file has it, in metres with y up, and what it became.
    own: Vec<[f64; 3]>,
    input: Vec<[f64; 3]>,
    places: Vec<[f64; 3]>,
    /// out − y of leaders, nothing where the file's own point stays.
    changes: Vec<Option<Vec3>>,
    before: Before,
    /// b + E u′.
    moved: Vec<Vec3>,
}

/// A body before an edit.
#[derive(Default)]
struct Before {
    /// u.
    displacement: Vec<f64>,
    /// b + E u.
    held: Vec<Vec3>,
    /// Q.
    rotations: Vec<Matrix3<f64>>,
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
        if skins.vertices() != vertices {
            return Ok(None);
        }
        let rotations = match &body.rest {
            RestMesh::Tets(mesh) => ElementRotations::of(mesh),
            RestMesh::Voxels(mesh) => ElementRotations::of(mesh),
            RestMesh::Triangles(mesh) => ElementRotations::of(mesh),
        };
        let room = vec![Vec3::zeros(); vertices];
        let mut base = room.clone();
        skin.embedding.apply(body.positions(), &mut base);
        let own = vec![[0.0; 3]; vertices];
        Ok(Some(Self {
            skins,
            rotations,
            base,
            frame: None,
            input: own.clone(),
            places: own.clone(),
            own,
            changes: vec![None; vertices],
            before: Before::default(),
            moved: room,
        }))
    }

    /// Reads y.
    fn read(&mut self, index: usize) -> Result<(), FrameError> {
        if self.frame != Some(index) {
            self.frame = None;
            self.skins.read_outside(index, &mut self.own)?;
            let space = self.skins.space;
            self.input.iter_mut().zip(&self.own).for_each(|(place, own)| *place = space.inside(*own));
            self.frame = Some(index);
        }
        Ok(())
    }

    /// Knows the body before an edit.
    fn know(&mut self, skin: &Skin, before: &[f64]) {
        if self.before.displacement != before {
            let mut held = std::mem::take(&mut self.before.held);
            held.resize(self.base.len(), Vec3::zeros());
            carry(skin, &self.base, before, &mut held);
            let rotations = self.rotations.at(before);
            self.before = Before { displacement: before.to_vec(), held, rotations };
        }
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
        self.read(index)?;
        self.know(skin, before);
        let Before { held, rotations: from, .. } = &self.before;
        let hosts = skin.embedding.elements();
        let mut detail = PointDetail::default();
        for (v, weight) in points {
            let leader = skin.weld.leaders()[v.index()].index();
            let of = |k: usize| (Vec3::from(self.input[k]) - held[k]) * *weight;
            let (d, of_leader) = (of(v.index()), of(leader));
            let host = hosts[leader].index();
            detail.carried.push((host, from[host].tr_mul(&of_leader)));
            detail.beside += d - of_leader;
            detail.input += d;
        }
        detail.now = detail.input;
        Ok(detail)
    }

    /// Where such a detail points when the body's displacement is `after`: Q′ Qᵀ d.
    pub(crate) fn turned(&self, detail: &PointDetail, after: &[f64]) -> Vec3 {
        let to = self.rotations.at(after);
        detail.carried.iter().map(|(host, d)| to[*host] * d).sum::<Vec3>() + detail.beside
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
        self.read(index)?;
        if before == after {
            self.places.copy_from_slice(&self.input);
            self.changes.fill(None);
            return Ok(&self.places);
        }
        self.know(skin, before);
        carry(skin, &self.base, after, &mut self.moved);
        let to = self.rotations.at(after);
        let Before { held, rotations: from, .. } = &self.before;
        let (moved, input) = (&self.moved, &self.input);
        let hosts = skin.embedding.elements();
        let change = |v: usize| {
            let is_moved = |corner: &VertexId| {
                let at = 3 * corner.index()..3 * corner.index() + 3;
                before[at.clone()] != after[at]
            };
            let corners = skin.embedding.row(VertexId::new(v)).0;
            if skin.held[v] || !corners.iter().any(is_moved) {
                return None;
            }
            let host = hosts[v].index();
            let d = Vec3::from(input[v]) - held[v];
            let turned = to[host] * from[host].tr_mul(&d);
            Some((moved[v] - held[v]) + (turned - d))
        };
        self.changes.par_chunks_mut(VERTICES_PER_TASK).enumerate().for_each(|(task, changes)| {
            for (k, out) in changes.iter_mut().enumerate() {
                *out = change(task * VERTICES_PER_TASK + k);
            }
        });
        let changes = &self.changes;
        let place = |((place, input), leader): ((&mut [f64; 3], &[f64; 3]), &VertexId)| {
            *place = match changes[leader.index()] {
                Some(change) => (Vec3::from(*input) + change).into(),
                None => *input,
            };
        };
        let points = self.places.par_iter_mut().zip(input).zip(skin.weld.leaders());
        points.with_min_len(VERTICES_PER_TASK).for_each(place);
        Ok(&self.places)
    }

    /// What [`Self::skin`] answered last, as the file shall have it: its own points wherever nothing changed.
    pub(crate) fn written(&self, skin: &Skin) -> Vec<[f64; 3]> {
        let points = self.places.iter().zip(&self.own).zip(skin.weld.leaders());
        let written = points.map(|((place, own), leader)| match self.changes[leader.index()] {
            Some(_) => self.skins.space.outside(*place),
            None => *own,
        });
        written.collect()
    }
}

/// Overwrites `places` with b + E u.
fn carry(skin: &Skin, base: &[Vec3], displacement: &[f64], places: &mut [Vec3]) {
    let moved: Vec<Vec3> = displacement.chunks_exact(3).map(Vec3::from_column_slice).collect();
    skin.embedding.displace(base, &moved, places);
}

impl std::fmt::Debug for Detail {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Detail").field("vertices", &self.places.len()).finish_non_exhaustive()
    }
}
