//! Faces, edges and vertices of a mesh: their normals, and which way edges bend.
//!
//! With unit face normals nᵢ, the pseudo-normal of a face is n, of an edge Σ nᵢ over the faces at it, of
//! a vertex Σ αᵢ nᵢ with the angle αᵢ of each face there. Corners at the same place are one vertex.

use crate::Vec3;
use std::collections::HashMap;
use supple_model::ElementId;

/// An edge is flat, and not convex, up to this sine of the angle between its faces.
const FLAT: f64 = 1e-9;

/// A part of a triangle. Edge k joins its corners k and k + 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Feature {
    Face,
    Edge(usize),
    Vertex(usize),
}

impl Feature {
    /// The part a point lies on, weights up to `limit` counting as none.
    pub fn at(weights: &[f64; 3], limit: f64) -> Self {
        let none = |k: usize| weights[k] <= limit;
        for k in 0..3 {
            let [next, last] = [(k + 1) % 3, (k + 2) % 3];
            match (none(k), none(next), none(last)) {
                (false, true, true) => return Self::Vertex(k),
                (false, false, true) => return Self::Edge(k),
                _ => {}
            }
        }
        Self::Face
    }
}

/// What is known of every triangle.
#[derive(Clone, Debug)]
pub(super) struct Features {
    triangles: Vec<Triangle>,
}

#[derive(Clone, Debug, Default)]
struct Triangle {
    face: Vec3,
    edges: [Vec3; 3],
    vertices: [Vec3; 3],
    bends: [Bend; 3],
    /// Whether each vertex lies on a border.
    ends: [bool; 3],
}

/// How the surface goes on beyond an edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Bend {
    /// It falls off towards the back, or goes on in more ways than one.
    #[default]
    Away,
    /// It rises towards the front, or goes straight on.
    Hollow,
    /// This is where the mesh ends.
    Border,
}

impl Features {
    /// The features of triangles that all have an area.
    pub fn of(corners: &[[Vec3; 3]]) -> Self {
        let normal = |[a, b, c]: &[Vec3; 3]| (b - a).cross(&(c - a)).normalize();
        let mut triangles: Vec<Triangle> =
            corners.iter().map(|c| Triangle { face: normal(c), ..Triangle::default() }).collect();
        let (vertices, count) = weld(corners);
        set_edges(corners, &vertices, &mut triangles);
        set_vertices(corners, &vertices, count, &mut triangles);
        Self { triangles }
    }

    /// Whether no edge is a border.
    pub fn is_closed(&self) -> bool {
        self.triangles.iter().flat_map(|t| t.bends).all(|bend| bend != Bend::Border)
    }

    /// The unit pseudo-normal.
    pub fn normal(&self, triangle: ElementId, feature: Feature) -> Vec3 {
        let triangle = &self.triangles[triangle.index()];
        match feature {
            Feature::Face => triangle.face,
            Feature::Edge(k) => triangle.edges[k],
            Feature::Vertex(k) => triangle.vertices[k],
        }
    }

    /// Whether the mesh ends there.
    pub fn is_border(&self, triangle: ElementId, feature: Feature) -> bool {
        let triangle = &self.triangles[triangle.index()];
        match feature {
            Feature::Face => false,
            Feature::Edge(k) => triangle.bends[k] == Bend::Border,
            Feature::Vertex(k) => triangle.ends[k],
        }
    }

    /// Whether a point in front of the triangle's very border is still kept off by it: its surface
    /// must not bend away there.
    pub fn is_hollow(&self, triangle: ElementId, feature: Feature) -> bool {
        let bends = &self.triangles[triangle.index()].bends;
        match feature {
            Feature::Face => true,
            Feature::Edge(k) => bends[k] == Bend::Hollow,
            Feature::Vertex(k) => bends[k] == Bend::Hollow && bends[(k + 2) % 3] == Bend::Hollow,
        }
    }
}

/// Numbers places in the order they come; also how many there are.
fn weld(corners: &[[Vec3; 3]]) -> (Vec<[usize; 3]>, usize) {
    let mut number = HashMap::new();
    let mut vertex = |p: &Vec3| {
        let next = number.len();
        // Adding zero makes −0 the same as 0.
        *number.entry([p.x, p.y, p.z].map(|x| (x + 0.0).to_bits())).or_insert(next)
    };
    let vertices = corners.iter().map(|c| [vertex(&c[0]), vertex(&c[1]), vertex(&c[2])]).collect();
    (vertices, number.len())
}

fn set_edges(corners: &[[Vec3; 3]], vertices: &[[usize; 3]], triangles: &mut [Triangle]) {
    let mut uses: Vec<([usize; 2], usize, usize)> = Vec::with_capacity(3 * vertices.len());
    for (t, v) in vertices.iter().enumerate() {
        for k in 0..3 {
            let (one, other) = (v[k], v[(k + 1) % 3]);
            uses.push(([one.min(other), one.max(other)], t, k));
        }
    }
    uses.sort_unstable();
    for users in uses.chunk_by(|one, other| one.0 == other.0) {
        let sum: Vec3 = users.iter().map(|(_, t, _)| triangles[*t].face).sum();
        let forward = users.iter().filter(|(_, t, k)| vertices[*t][*k] == users[0].0[0]).count();
        for &(_, t, k) in users {
            let triangle = &mut triangles[t];
            triangle.edges[k] = sum.try_normalize(FLAT).unwrap_or(triangle.face);
            triangle.bends[k] = match users {
                _ if 2 * forward != users.len() => Bend::Border,
                [one, other] => {
                    let beyond = if one.1 == t { other } else { one };
                    bend(&triangle.face, &corners[t][k], &corners[beyond.1][(beyond.2 + 2) % 3])
                }
                _ => Bend::Away,
            };
        }
    }
}

/// How a face goes on to the one with the vertex `tip` beyond an edge at `on`.
fn bend(face: &Vec3, on: &Vec3, tip: &Vec3) -> Bend {
    let beyond = tip - on;
    if face.dot(&beyond) >= -FLAT * beyond.norm() { Bend::Hollow } else { Bend::Away }
}

fn set_vertices(corners: &[[Vec3; 3]], vertices: &[[usize; 3]], count: usize, triangles: &mut [Triangle]) {
    let mut sums = vec![Vec3::zeros(); count];
    let mut ends = vec![false; count];
    for ((corners, vertices), triangle) in corners.iter().zip(vertices).zip(triangles.iter()) {
        for k in 0..3 {
            let [next, last] = [(k + 1) % 3, (k + 2) % 3];
            let angle = (corners[next] - corners[k]).angle(&(corners[last] - corners[k]));
            sums[vertices[k]] += triangle.face * angle;
            if triangle.bends[k] == Bend::Border {
                ends[vertices[k]] = true;
                ends[vertices[next]] = true;
            }
        }
    }
    for (vertices, triangle) in vertices.iter().zip(triangles) {
        triangle.vertices = vertices.map(|v| sums[v].try_normalize(FLAT).unwrap_or(triangle.face));
        triangle.ends = vertices.map(|v| ends[v]);
    }
}
