//! Ways along a body: from a vertex to what holds it.
//!
//! Vertices that share an element are joined by an edge as long as they are apart at rest. From the vertices that no
//! edit moves (anchors, and with `part` all that is not of it) Dijkstra's method goes over all others once, and every
//! one of them remembers the next on its way back. Where the skin moves, its vertices that ride mostly on such ones are
//! as good as held. A way is measured where it is needed, in the input or in the edited motion.

use super::figure::Figure;
use crate::body::{Body, RestMesh, Skin};
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
    edges: Edges,
    /// To what is held, or as good as held.
    nearest: Tree,
    /// To what does not move at all, for vertices that are as good as held themselves.
    firm: Option<Tree>,
}

/// The neighbours of every vertex, some of them more than once.
#[derive(Debug)]
struct Edges {
    /// Where those of each vertex begin, and of one more.
    first: Vec<u32>,
    neighbours: Vec<u32>,
}

/// The way of every vertex to what is held.
#[derive(Debug)]
struct Tree {
    /// The next vertex on the way: itself if it is held, [`NONE`] if nothing holds it.
    next: Vec<u32>,
    /// How long the way is at rest.
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
        let edges = match (figure.of, &body.skin, &body.rest) {
            (Moving::Skin, Some(skin), _) => Edges::of(count, skin.mesh.triangles()),
            (_, _, RestMesh::Tets(mesh)) => Edges::of(count, mesh.tets()),
            (_, _, RestMesh::Voxels(mesh)) => Edges::of(count, mesh.voxels()),
            (_, _, RestMesh::Triangles(mesh)) => Edges::of(count, mesh.triangles()),
        };
        let fixed: Vec<bool> = (0..count).map(|v| figure.free.index(VertexId::new(v)).is_none()).collect();
        let firm = edges.spread(&figure.positions, &fixed);
        if let (Moving::Skin, Some(skin)) = (figure.of, &body.skin) {
            let nearest = edges.spread(&figure.positions, &mostly_held(skin, free));
            Self { edges, nearest, firm: Some(firm) }
        } else {
            Self { edges, nearest: firm, firm: None }
        }
    }

    /// The way from a vertex to what is held, both ends included; none if nothing holds it, or it does not move.
    pub fn way(&self, from: VertexId) -> Option<Vec<VertexId>> {
        self.nearest.way(from).or_else(|| self.firm.as_ref()?.way(from))
    }

    /// The way from a vertex to the nearest of `others`, if that is nearer than what is held.
    pub fn way_to(&self, from: VertexId, others: &[VertexId], positions: &[Vec3]) -> Option<Vec<VertexId>> {
        let mut seen: BTreeMap<u32, (f64, u32)> = BTreeMap::from([(from.0, (0.0, NONE))]);
        let mut queue = Queue::default();
        let far = |tree: &Tree| tree.far[from.index()];
        let limit = Some(far(&self.nearest)).filter(|far| *far > 0.0);
        let limit = limit.or_else(|| self.firm.as_ref().map(far)).unwrap_or(0.0);
        queue.push(0.0, from.0);
        while let Some((far, v)) = queue.pop() {
            if far >= limit {
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
            for &to in self.edges.around(v) {
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

impl Tree {
    fn way(&self, from: VertexId) -> Option<Vec<VertexId>> {
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
}

/// The length of a way under a displacement, or at rest.
pub(super) fn length(way: &[VertexId], positions: &[Vec3], u: Option<&[f64]>) -> f64 {
    let moved = |u: &[f64], v: VertexId| Vec3::from_column_slice(&u[3 * v.index()..][..3]);
    let at = |v: VertexId| positions[v.index()] + u.map_or(Vec3::zeros(), |u| moved(u, v));
    way.windows(2).map(|two| (at(two[0]) - at(two[1])).norm()).sum()
}

/// Whether vertices of a skin ride mostly on vertices of the body that do not move.
fn mostly_held(skin: &Skin, free: &FreeVertices) -> Vec<bool> {
    let moving = |(corners, weights): (&[VertexId], &[f64])| -> f64 {
        let moving = corners.iter().zip(weights).filter(|(v, _)| free.index(**v).is_some());
        moving.map(|(_, weight)| weight).sum()
    };
    skin.embedding.rows().map(|row| moving(row) < 0.5).collect()
}

fn edge(positions: &[Vec3], a: u32, b: u32) -> f64 {
    (positions[a as usize] - positions[b as usize]).norm()
}

impl Edges {
    /// Between the corners of every element.
    fn of<const C: usize>(count: usize, cells: &[[VertexId; C]]) -> Self {
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
        Self { first, neighbours }
    }

    /// Finds the way of every vertex to what is held.
    fn spread(&self, positions: &[Vec3], held: &[bool]) -> Tree {
        let count = positions.len();
        let mut tree = Tree { next: vec![NONE; count], far: vec![f64::INFINITY; count] };
        let mut queue = Queue::default();
        for v in (0..count).filter(|v| held[*v]) {
            (tree.next[v], tree.far[v]) = (v as u32, 0.0);
            queue.push(0.0, v as u32);
        }
        while let Some((far, v)) = queue.pop() {
            if far > tree.far[v as usize] {
                continue;
            }
            for &to in self.around(v) {
                let there = far + edge(positions, v, to);
                if there < tree.far[to as usize] {
                    (tree.next[to as usize], tree.far[to as usize]) = (v, there);
                    queue.push(there, to);
                }
            }
        }
        tree
    }

    fn around(&self, v: u32) -> &[u32] {
        &self.neighbours[self.first[v as usize] as usize..self.first[v as usize + 1] as usize]
    }
}
