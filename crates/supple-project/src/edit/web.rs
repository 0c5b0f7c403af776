//! Ways along a body: from a vertex to what holds it.
//!
//! Vertices that share an element are joined by an edge as long as they are apart at rest. From the vertices that no
//! edit moves (anchors, and with `part` all that is not of it) Dijkstra's method goes over all others once, and every
//! one of them remembers the next on its way back. Where the skin moves, its vertices that ride mostly on such ones are
//! as good as held. A way is measured where it is needed, in the input or in the edited motion.

use super::figure::Figure;
use crate::body::{Body, RestMesh};
use crate::motion::Moving;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use supple_elastic::FreeVertices;
use supple_mesh::Vec3;
use supple_model::VertexId;

/// No vertex.
const NONE: u32 = u32::MAX;

/// The edges of what moves, and the ways to what is held.
#[derive(Debug)]
pub(super) struct Web {
    /// Where the neighbours of each vertex begin, and of one more.
    first: Vec<u32>,
    neighbours: Vec<u32>,
    /// The next vertex on the way to what is held: itself if it is, [`NONE`] if nothing holds it.
    next: Vec<u32>,
    /// How long that way is at rest.
    far: Vec<f64>,
}

/// Vertices that wait to be visited, the nearest first. Distances are never negative, so that their bits are in order.
#[derive(Default)]
struct Queue(BinaryHeap<Reverse<(u64, u32)>>);

impl Queue {
    fn push(&mut self, far: f64, v: u32) {
        self.0.push(Reverse((far.to_bits(), v)));
    }

    fn pop(&mut self) -> Option<(f64, u32)> {
        self.0.pop().map(|Reverse((bits, v))| (f64::from_bits(bits), v))
    }
}

impl Web {
    /// Of what `figure` moves; `free` are the vertices of the body that may move.
    pub fn new(body: &Body, figure: &Figure, free: &FreeVertices) -> Self {
        let count = figure.positions.len();
        let (first, neighbours) = match (figure.of, &body.skin, &body.rest) {
            (Moving::Skin, Some(skin), _) => edges(count, skin.mesh.triangles()),
            (_, _, RestMesh::Tets(mesh)) => edges(count, mesh.tets()),
            (_, _, RestMesh::Voxels(mesh)) => edges(count, mesh.voxels()),
            (_, _, RestMesh::Triangles(mesh)) => edges(count, mesh.triangles()),
        };
        let (next, far) = (vec![NONE; count], vec![f64::INFINITY; count]);
        let mut web = Self { first, neighbours, next, far };
        web.spread(&figure.positions, &held(body, figure, free));
        web
    }

    /// Finds the way of every vertex to what is held.
    fn spread(&mut self, positions: &[Vec3], held: &[bool]) {
        let mut queue = Queue::default();
        for v in (0..positions.len()).filter(|v| held[*v]) {
            (self.next[v], self.far[v]) = (v as u32, 0.0);
            queue.push(0.0, v as u32);
        }
        while let Some((far, v)) = queue.pop() {
            if far > self.far[v as usize] {
                continue;
            }
            for k in self.first[v as usize]..self.first[v as usize + 1] {
                let to = self.neighbours[k as usize];
                let there = far + edge(positions, v, to);
                if there < self.far[to as usize] {
                    (self.next[to as usize], self.far[to as usize]) = (v, there);
                    queue.push(there, to);
                }
            }
        }
    }

    /// The way from a vertex to what is held, both ends included; none if nothing holds it, or it is held itself.
    pub fn way(&self, from: VertexId) -> Option<Vec<VertexId>> {
        let mut way = vec![from];
        let mut at = from.0;
        loop {
            match self.next[at as usize] {
                NONE => return None,
                next if next == at => return (way.len() > 1).then_some(way),
                next => at = next,
            }
            way.push(VertexId(at));
        }
    }

    /// The way from a vertex to the nearest of `others`, if that is nearer than what is held.
    pub fn way_to(&self, from: VertexId, others: &[VertexId], positions: &[Vec3]) -> Option<Vec<VertexId>> {
        let mut seen: BTreeMap<u32, (f64, u32)> = BTreeMap::from([(from.0, (0.0, NONE))]);
        let mut queue = Queue::default();
        queue.push(0.0, from.0);
        while let Some((far, v)) = queue.pop() {
            if far >= self.far[from.index()] {
                return None;
            }
            if far > seen[&v].0 {
                continue;
            }
            if v != from.0 && others.contains(&VertexId(v)) {
                let mut way: Vec<VertexId> =
                    std::iter::successors(Some(v), |v| Some(seen[v].1).filter(|v| *v != NONE))
                        .map(VertexId)
                        .collect();
                way.reverse();
                return Some(way);
            }
            for k in self.first[v as usize]..self.first[v as usize + 1] {
                let to = self.neighbours[k as usize];
                let there = far + edge(positions, v, to);
                if seen.get(&to).is_none_or(|(known, _)| there < *known) {
                    seen.insert(to, (there, v));
                    queue.push(there, to);
                }
            }
        }
        None
    }
}

/// The length of a way under a displacement, or at rest.
pub(super) fn length(way: &[VertexId], positions: &[Vec3], u: Option<&[f64]>) -> f64 {
    let moved = |u: &[f64], v: VertexId| Vec3::from_column_slice(&u[3 * v.index()..][..3]);
    let at = |v: VertexId| positions[v.index()] + u.map_or(Vec3::zeros(), |u| moved(u, v));
    way.windows(2).map(|two| (at(two[0]) - at(two[1])).norm()).sum()
}

/// Whether each vertex is held.
fn held(body: &Body, figure: &Figure, free: &FreeVertices) -> Vec<bool> {
    let own = |v: usize| figure.free.index(VertexId::new(v)).is_none();
    let (Moving::Skin, Some(skin)) = (figure.of, &body.skin) else {
        return (0..figure.positions.len()).map(own).collect();
    };
    let moving = |(corners, weights): (&[VertexId], &[f64])| -> f64 {
        let moving = corners.iter().zip(weights).filter(|(v, _)| free.index(**v).is_some());
        moving.map(|(_, weight)| weight).sum()
    };
    skin.embedding.rows().map(|row| moving(row) < 0.5).collect()
}

fn edge(positions: &[Vec3], a: u32, b: u32) -> f64 {
    (positions[a as usize] - positions[b as usize]).norm()
}

/// The neighbours of every vertex, those of its elements one after the other; some come more than once.
fn edges<const C: usize>(count: usize, cells: &[[VertexId; C]]) -> (Vec<u32>, Vec<u32>) {
    let mut first = vec![0_u32; count + 1];
    for v in cells.as_flattened() {
        first[v.index() + 1] += C as u32 - 1;
    }
    for v in 0..count {
        first[v + 1] += first[v];
    }
    let mut place = first.clone();
    let mut neighbours = vec![0; first[count] as usize];
    for cell in cells {
        for (a, v) in cell.iter().enumerate() {
            for (_, to) in cell.iter().enumerate().filter(|(b, _)| *b != a) {
                neighbours[place[v.index()] as usize] = to.0;
                place[v.index()] += 1;
            }
        }
    }
    (first, neighbours)
}
