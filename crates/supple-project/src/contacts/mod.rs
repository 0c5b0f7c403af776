//! The contacts of a shot: what touches something in its input motion, for an edit to keep (Barbič, Sin and
//! Grinspun, Interactive Editing of Deformable Simulations, 2012, §5).
//!
//! A contact is a frame i, a point Σ_k w_k x_k of what moves, and the unit normal n of what it touches. An
//! edit p keeps it when n · Σ_k w_k p_k = 0 (it slides), or Σ_k w_k p_k = 0 (it sticks). The point is a
//! vertex, w = 1; where the surface touches itself it is the vertex less the place it touches, a difference
//! whose weights sum to 0.
//!
//! ```text
//! all      ← a file, the record of the simulation, the frames themselves         (`record.rs`, `detect.rs`, `plants.rs`)
//! all      ← those that can move, by frame and vertex, none twice                (`Contacts::new`)
//! clusters ← what hangs together in space and time, cut where it is too large    (`cluster.rs`, `split.rs`)
//! ```
//!
//! An edit is asked to keep one contact of every cluster, and the warp of a frame all contacts of it.

mod clear;
mod cluster;
mod detect;
mod error;
mod moved;
mod plants;
mod record;
mod split;
#[cfg(test)]
mod tests;

pub(crate) use clear::{Clear, SLACK};
pub use cluster::Cluster;
pub(crate) use detect::in_the_way;
pub use error::{ContactName, ContactsError};
pub(crate) use moved::vertices_of;
pub use plants::Plant;

use crate::body::Body;
use crate::motion::InputMotion;
use crate::shot::{Clustering, Input, Shot};
use crate::simulate::up;
use cluster::Graph;
use moved::Moved;
use supple_mesh::Vec3;
use supple_model::{ContactKind, Progress, VertexId};

/// Contacts of a vertex whose normals have a cosine above this are one.
const SAME_NORMAL: f64 = 1.0 - 1e-6;

/// A point that touches something at a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactPoint {
    /// When, counted from 0.
    pub frame: usize,
    /// Vertices of what moves in the input motion, and their weights: one of weight 1, and in a self-contact
    /// also the corners of the triangle it touches, with weights that sum to −1.
    pub vertices: Vec<(VertexId, f64)>,
    /// The unit normal of what is touched, towards the vertex.
    pub normal: Vec3,
    /// Whether it moves along.
    pub kind: ContactKind,
    /// The plant it belongs to, by its place among the plants there are.
    pub plant: Option<usize>,
}

impl ContactPoint {
    /// A vertex that touches something else than its own surface.
    fn of_vertex(frame: usize, vertex: VertexId, normal: Vec3, kind: ContactKind) -> Self {
        Self { frame, vertices: vec![(vertex, 1.0)], normal, kind, plant: None }
    }

    /// The vertex that touches.
    #[must_use]
    pub fn vertex(&self) -> VertexId {
        self.vertices[0].0
    }

    /// Whether the surface touches itself here.
    #[must_use]
    pub fn is_self(&self) -> bool {
        self.vertices.len() > 1
    }

    /// Whether two contacts ask for the same.
    fn repeats(&self, other: &Self) -> bool {
        (self.frame, &self.vertices) == (other.frame, &other.vertices)
            && self.normal.dot(&other.normal) > SAME_NORMAL
    }
}

/// What touches something in the input motion of a shot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contacts {
    /// Every contact, by frame and vertex.
    pub all: Vec<ContactPoint>,
    /// Those that are held as one, by the frame and vertex of their representatives.
    pub clusters: Vec<Cluster>,
    /// Parts of the surface that stand still for a while.
    pub plants: Vec<Plant>,
    /// How many were left out: on anchored vertices, which no edit moves, or said twice.
    pub dropped: usize,
    /// Frames over which the difference is spread when what touches changes; 0 for none.
    pub blend: usize,
    /// Frames of the motion.
    frames: usize,
}

impl Contacts {
    /// The contacts of a shot: none when they are off, what `[contacts]` says, and where that says nothing what
    /// the simulation of the input recorded.
    ///
    /// # Errors
    /// A file or obstacle that cannot be read, a contact at a frame or vertex there is not, a normal that is
    /// none, and cancellation: see [`ContactsError`].
    pub fn gather(
        shot: &Shot,
        body: &Body,
        input: &mut InputMotion,
        progress: &Progress,
    ) -> Result<Self, ContactsError> {
        let section = shot.contacts.clone().unwrap_or_default();
        let is_simulated = shot.motion.input == Input::Simulate;
        if section.off || (section.names_none() && !is_simulated) {
            return Ok(Self { frames: input.clock.frames, ..Self::default() });
        }
        if section.from.is_some() && !is_simulated {
            return Err(ContactsError::NotSimulated);
        }
        let moved = Moved::of(body, input);
        let mut found = Vec::new();
        if let Some(path) = &section.file {
            found.extend(record::of_file(shot.resolve(path), input, &moved)?);
        }
        if let Some(what) = section.detect.as_ref().filter(|what| what.touches()) {
            found.extend(detect::detect(what, shot, body, input, &moved, progress)?);
        }
        if section.from.is_some() || section.names_none() {
            found.extend(record::of_simulation(input, &moved)?);
        }
        if let Some(kind) = section.kind {
            found.iter_mut().for_each(|contact| contact.kind = kind);
        }
        let mut planted = Vec::new();
        if section.detect.as_ref().is_some_and(|what| what.plants) {
            let (plants, contacts) = plants::find(input, &moved, up(shot.simulate.gravity), progress)?;
            planted = plants;
            found.extend(contacts);
        }
        let contacts = Self::new(found, &moved, input.clock.frames);
        progress.check()?;
        Ok(Self { blend: section.blend, plants: planted, ..contacts.clustered(section.cluster, &moved) })
    }

    /// Whether a motion of something that nothing holds has parts that stand on the ground for a while.
    ///
    /// # Errors
    /// A frame that cannot be read, and cancellation.
    pub fn has_low_plants(
        shot: &Shot,
        body: &Body,
        input: &mut InputMotion,
        progress: &Progress,
    ) -> Result<bool, ContactsError> {
        let moved = Moved::of(body, input);
        if moved.held.contains(&true) {
            // What hangs on something does not stand: a flag is still at times without having feet.
            return Ok(false);
        }
        let (plants, _) = plants::find(input, &moved, up(shot.simulate.gravity), progress)?;
        Ok(plants.iter().any(|plant| plant.is_low))
    }

    /// Sorts contacts, without those that cannot move or are there already.
    fn new(mut found: Vec<ContactPoint>, moved: &Moved<'_>, frames: usize) -> Self {
        let count = found.len();
        found.retain(|contact| !contact.vertices.iter().all(|(v, _)| moved.held[v.index()]));
        found.sort_by_key(|contact| (contact.frame, contact.vertex()));
        let mut all: Vec<ContactPoint> = Vec::with_capacity(found.len());
        for contact in found {
            let same_place = |other: &&mut ContactPoint| {
                (other.frame, other.vertex()) == (contact.frame, contact.vertex())
            };
            let mut others = all.iter_mut().rev().take_while(same_place);
            match others.find(|other| other.repeats(&contact)) {
                // Of two that differ in nothing else the stricter holds both.
                Some(other) => {
                    other.kind = other.kind.max(contact.kind);
                    other.plant = other.plant.or(contact.plant);
                }
                None => all.push(contact),
            }
        }
        let dropped = count - all.len();
        Self { all, dropped, frames, ..Self::default() }
    }

    /// With clusters.
    fn clustered(self, clustering: Clustering, moved: &Moved<'_>) -> Self {
        let graph = Graph::new(&self.all, moved.rest, moved.triangles);
        let clusters = match clustering {
            Clustering::Apart => self.all.iter().map(Cluster::of_one).collect(),
            Clustering::Together(limits) => graph.clusters(limits.frames, limits.size * moved.size),
        };
        Self { clusters, ..self }
    }

    /// All contacts of a frame, counted from 0.
    #[must_use]
    pub fn at(&self, frame: usize) -> &[ContactPoint] {
        let first = self.all.partition_point(|contact| contact.frame < frame);
        let count = self.all[first..].partition_point(|contact| contact.frame == frame);
        &self.all[first..][..count]
    }

    /// The last frame, up to one of them, at which other vertices touch, or in another way, than at the frame before;
    /// `None` if that is as long ago as contacts are blended, or longer.
    #[must_use]
    pub fn changed_before(&self, frame: usize) -> Option<usize> {
        let blended = frame.saturating_sub(self.blend.saturating_sub(1)).max(1)..=frame;
        let changes = |frame: &usize| self.touching(*frame) != self.touching(frame - 1);
        if self.blend == 0 { None } else { blended.rev().find(changes) }
    }

    /// What touches at a frame, and how.
    fn touching(&self, frame: usize) -> Vec<(VertexId, bool, ContactKind)> {
        let key = |c: &ContactPoint| (c.vertex(), c.is_self(), c.kind);
        let mut touching: Vec<_> = self.at(frame).iter().map(key).collect();
        touching.sort_unstable();
        touching
    }

    /// The frames, counted from 0 and ascending, at which other vertices touch, or in another way, than at
    /// the frame before.
    #[must_use]
    pub fn changes(&self) -> Vec<usize> {
        let mut before = self.touching(0);
        let mut changes = Vec::new();
        for frame in 1..self.frames {
            let now = self.touching(frame);
            if now != before {
                changes.push(frame);
            }
            before = now;
        }
        changes
    }
}
