//! Contacts that are one (Barbič 2012, §5).
//!
//! Neighbouring vertices that touch the same thing, and a vertex that touches it for some frames, are one
//! place of contact; asking an edit for each of them costs much and lets a small basis ring. The graph has a
//! node for every (frame, vertex) and joins neighbours on the surface at the same frame, and a vertex with
//! itself a frame later. Its connected parts among the contacts, cut where they are too large
//! ([`super::split`]), are the clusters. Self-contacts are joined only with each other, and only if what they
//! touch is the same vertex or a neighbour too: both sides have to hang together.
//!
//! What stands for a cluster is one of its contacts, so that what an edit keeps is kept by the warp of that
//! frame as well: at the frame nearest to the mean of its frames, the earlier of two; there the vertex that
//! at rest is nearest to the mean of its vertices, one for each contact; with the mean normal at unit length;
//! and it sticks if most of them do.

use super::ContactPoint;
use std::ops::RangeInclusive;
use supple_mesh::{Neighbours, Vec3, vertex_vertices};
use supple_model::{ContactKind, VertexId};

/// Contacts that are held as one.
#[derive(Clone, Debug, PartialEq)]
pub struct Cluster {
    /// What stands for all of them.
    pub contact: ContactPoint,
    /// How many they are.
    pub members: usize,
    /// The frames they last, counted from 0.
    pub frames: RangeInclusive<usize>,
}

impl Cluster {
    /// A contact that is held for itself.
    pub(super) fn of_one(contact: &ContactPoint) -> Self {
        Self { contact: contact.clone(), members: 1, frames: contact.frame..=contact.frame }
    }
}

/// Contacts and who is a neighbour of whom. Parts of it are lists of contacts, ascending.
pub(super) struct Graph<'a> {
    /// Sorted by frame and vertex.
    pub contacts: &'a [ContactPoint],
    /// The vertices at rest.
    pub rest: &'a [Vec3],
    neighbours: Neighbours<VertexId>,
}

impl<'a> Graph<'a> {
    /// Of contacts sorted by frame and vertex, on a surface at rest.
    pub fn new(contacts: &'a [ContactPoint], rest: &'a [Vec3], triangles: &[[VertexId; 3]]) -> Self {
        Self { contacts, rest, neighbours: vertex_vertices(rest.len(), triangles) }
    }

    /// The clusters that last no longer than `frames` and are no larger than `size`.
    pub fn clusters(&self, frames: usize, size: f64) -> Vec<Cluster> {
        let mut clusters = Vec::new();
        let mut waiting: Vec<Vec<usize>> = vec![(0..self.contacts.len()).collect()];
        while let Some(part) = waiting.pop() {
            for part in self.connected(&part) {
                match self.split(&part, frames, size) {
                    Some([one, other]) => waiting.extend([one, other]),
                    None => clusters.push(self.cluster(&part)),
                }
            }
        }
        clusters.sort_by_key(|c| (c.contact.frame, c.contact.vertex(), *c.frames.start(), c.members));
        clusters
    }

    /// The connected parts of a part, each ascending, by their first contacts.
    pub fn connected(&self, part: &[usize]) -> Vec<Vec<usize>> {
        let mut parent: Vec<usize> = (0..part.len()).collect();
        for (a, &contact) in part.iter().enumerate() {
            let ContactPoint { frame, .. } = self.contacts[contact];
            let vertex = self.contacts[contact].vertex();
            let later = self.neighbours[vertex].iter().filter(|other| **other > vertex);
            let nodes = later.map(|other| (frame, *other)).chain([(frame, vertex), (frame + 1, vertex)]);
            for node in nodes {
                for b in self.at(part, node) {
                    if self.same_side(contact, part[b]) {
                        join(&mut parent, a, b);
                    }
                }
            }
        }
        let mut parts: Vec<Vec<usize>> = Vec::new();
        let mut number = vec![usize::MAX; part.len()];
        for (a, &contact) in part.iter().enumerate() {
            let root = find(&mut parent, a);
            if number[root] == usize::MAX {
                number[root] = parts.len();
                parts.push(Vec::new());
            }
            parts[number[root]].push(contact);
        }
        parts
    }

    /// Where in a part the contacts of a node are.
    fn at(&self, part: &[usize], node: (usize, VertexId)) -> std::ops::Range<usize> {
        let key = |contact: &usize| (self.contacts[*contact].frame, self.contacts[*contact].vertex());
        let first = part.partition_point(|contact| key(contact) < node);
        let count = part[first..].iter().take_while(|contact| key(contact) == node).count();
        first..first + count
    }

    /// Whether two contacts of neighbouring vertices touch things that hang together.
    fn same_side(&self, a: usize, b: usize) -> bool {
        if self.contacts[a].plant != self.contacts[b].plant {
            return false;
        }
        match (self.touched(a), self.touched(b)) {
            (None, None) => true,
            (Some(a), Some(b)) => a == b || self.neighbours[a].binary_search(&b).is_ok(),
            _ => false,
        }
    }

    /// The vertex a self-contact touches most.
    pub fn touched(&self, contact: usize) -> Option<VertexId> {
        let touched = self.contacts[contact].vertices.get(1..)?.iter();
        touched.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(vertex, _)| *vertex)
    }

    fn cluster(&self, part: &[usize]) -> Cluster {
        let count = part.len();
        let of = |contact: &usize| &self.contacts[*contact];
        let place = |contact: &usize| self.rest[of(contact).vertex().index()];
        let frames = of(&part[0]).frame..=of(&part[count - 1]).frame;
        let later: usize = part.iter().map(|contact| of(contact).frame - frames.start()).sum();
        // Rounded to the nearest, a half down. Connected parts have contacts at every frame between.
        let frame = frames.start() + (2 * later + count - 1) / (2 * count);
        let mean: Vec3 = part.iter().map(|contact| place(contact) / count as f64).sum();
        let distance = |contact: &usize| (place(contact) - mean).norm();
        let there = part.iter().filter(|contact| of(contact).frame == frame);
        let nearest = there.min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(&part[0]);
        let sum: Vec3 = part.iter().map(|contact| of(contact).normal).sum();
        let sticking = part.iter().filter(|contact| of(contact).kind == ContactKind::Stick).count();
        let kind = if 2 * sticking > count { ContactKind::Stick } else { ContactKind::Slide };
        let normal = sum.try_normalize(0.0).unwrap_or(of(nearest).normal);
        let contact = ContactPoint { normal, kind, ..of(nearest).clone() };
        Cluster { contact, members: count, frames }
    }
}

fn join(parent: &mut [usize], a: usize, b: usize) {
    let (a, b) = (find(parent, a), find(parent, b));
    parent[a.max(b)] = a.min(b);
}

/// The root of a tree, halving the path on the way.
fn find(parent: &mut [usize], mut node: usize) -> usize {
    while parent[node] != node {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    node
}
