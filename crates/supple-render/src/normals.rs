//! Smooth normals with sharp creases.
//!
//! The corners of the triangles around a vertex fall into smoothing groups: two corners belong
//! together when their triangles share an edge at this vertex and the angle between the
//! triangles' normals is below the crease angle. Every corner gets its group's normal
//! `n = Σ α_t n_t`, with `α_t` the triangle's angle at the vertex (Thürmer and Wüthrich,
//! "Computing Vertex Normals from Polygonal Facets"), which does not depend on how a face happens
//! to be cut into triangles. So a box keeps its edges and a dragon is round.

use std::ops::Range;

use nalgebra::Vector3;
use rayon::prelude::*;

/// Vertices per parallel task; fixed, so that the work is cut alike for any number of threads.
const CHUNK: usize = 2048;

/// One unit normal per triangle corner; zero where a triangle has no area.
///
/// `triangles` must index into `positions`.
pub(crate) fn corner_normals(
    positions: &[Vector3<f64>],
    triangles: &[[u32; 3]],
    crease_degrees: f64,
) -> Vec<[Vector3<f32>; 3]> {
    let faces: Vec<Vector3<f64>> =
        triangles.par_iter().map(|corners| face_normal(positions, corners)).collect();
    let around = CornersAround::new(positions.len(), triangles);
    let surface = Surface { positions, triangles, faces, least_cosine: crease_degrees.to_radians().cos() };
    let chunks: Vec<Vec<(Corner, Vector3<f32>)>> = (0..positions.len().div_ceil(CHUNK))
        .into_par_iter()
        .map(|chunk| {
            let first = chunk * CHUNK;
            let mut scratch = Groups::default();
            let mut out = Vec::new();
            for vertex in first..(first + CHUNK).min(positions.len()) {
                surface.smooth(around.of(vertex), &mut scratch, &mut out);
            }
            out
        })
        .collect();
    let mut normals = vec![[Vector3::zeros(); 3]; triangles.len()];
    for (corner, normal) in chunks.into_iter().flatten() {
        normals[corner.triangle as usize][usize::from(corner.place)] = normal;
    }
    normals
}

/// Unit normal; zero for a triangle without area or with a vertex that is not finite.
fn face_normal(positions: &[Vector3<f64>], corners: &[u32; 3]) -> Vector3<f64> {
    let [a, b, c] = corners.map(|v| positions[v as usize]);
    unit((b - a).cross(&(c - a)))
}

fn unit(v: Vector3<f64>) -> Vector3<f64> {
    let length = v.norm();
    if length.is_finite() && length > 0.0 { v / length } else { Vector3::zeros() }
}

#[derive(Clone, Copy)]
struct Corner {
    triangle: u32,
    /// 0, 1 or 2: which corner of the triangle.
    place: u8,
}

/// The corners at each vertex, in triangle order.
struct CornersAround {
    /// Corners of vertex `v` are `start[v]..start[v + 1]`.
    start: Vec<usize>,
    corners: Vec<Corner>,
}

impl CornersAround {
    fn new(vertices: usize, triangles: &[[u32; 3]]) -> Self {
        let mut start = vec![0; vertices + 1];
        for &v in triangles.iter().flatten() {
            start[v as usize + 1] += 1;
        }
        for v in 0..vertices {
            start[v + 1] += start[v];
        }
        let mut next = start.clone();
        let mut corners = vec![Corner { triangle: 0, place: 0 }; triangles.len() * 3];
        for (triangle, vertices) in triangles.iter().enumerate() {
            for (place, &v) in vertices.iter().enumerate() {
                corners[next[v as usize]] = Corner { triangle: triangle as u32, place: place as u8 };
                next[v as usize] += 1;
            }
        }
        Self { start, corners }
    }

    fn of(&self, vertex: usize) -> &[Corner] {
        let range: Range<usize> = self.start[vertex]..self.start[vertex + 1];
        &self.corners[range]
    }
}

/// Scratch memory for one vertex at a time.
#[derive(Default)]
struct Groups {
    /// Union-find over the corners of the vertex.
    parent: Vec<usize>,
    /// The two edges of each corner: (vertex at the other end, corner).
    edges: Vec<(u32, usize)>,
    sums: Vec<Vector3<f64>>,
}

impl Groups {
    fn root(&mut self, mut i: usize) -> usize {
        while self.parent[i] != i {
            self.parent[i] = self.parent[self.parent[i]];
            i = self.parent[i];
        }
        i
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b)] = a.min(b);
    }
}

struct Surface<'a> {
    positions: &'a [Vector3<f64>],
    triangles: &'a [[u32; 3]],
    faces: Vec<Vector3<f64>>,
    /// Cosine of the crease angle.
    least_cosine: f64,
}

impl Surface<'_> {
    /// Appends the normals of the `corners` that meet at one vertex.
    fn smooth(&self, corners: &[Corner], groups: &mut Groups, out: &mut Vec<(Corner, Vector3<f32>)>) {
        groups.parent.clear();
        groups.parent.extend(0..corners.len());
        groups.edges.clear();
        for (i, corner) in corners.iter().enumerate() {
            let vertices = self.triangles[corner.triangle as usize];
            for step in 1..3 {
                groups.edges.push((vertices[(usize::from(corner.place) + step) % 3], i));
            }
        }
        // Sorting brings the triangles on either side of an edge together without comparing all
        // pairs, which a fan of many thousand triangles would not survive.
        groups.edges.sort_unstable();
        for e in 1..groups.edges.len() {
            let ((end_a, a), (end_b, b)) = (groups.edges[e - 1], groups.edges[e]);
            if end_a == end_b && self.face(corners[a]).dot(self.face(corners[b])) >= self.least_cosine {
                groups.join(a, b);
            }
        }
        groups.sums.clear();
        groups.sums.resize(corners.len(), Vector3::zeros());
        for (i, &corner) in corners.iter().enumerate() {
            let root = groups.root(i);
            groups.sums[root] += self.face(corner) * self.angle(corner);
        }
        for (i, &corner) in corners.iter().enumerate() {
            let root = groups.root(i);
            out.push((corner, unit(groups.sums[root]).cast()));
        }
    }

    fn face(&self, corner: Corner) -> &Vector3<f64> {
        &self.faces[corner.triangle as usize]
    }

    /// The triangle's angle at the corner; 0 where it has none.
    fn angle(&self, corner: Corner) -> f64 {
        let vertices = self.triangles[corner.triangle as usize];
        let at = |step: usize| self.positions[vertices[(usize::from(corner.place) + step) % 3] as usize];
        let (a, b) = (unit(at(1) - at(0)), unit(at(2) - at(0)));
        a.dot(&b).clamp(-1.0, 1.0).acos()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A unit cube with shared vertices, each face two triangles.
    fn cube() -> (Vec<Vector3<f64>>, Vec<[u32; 3]>) {
        let positions = (0..8)
            .map(|i| Vector3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2 & 1)))
            .collect();
        let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        (positions, triangles)
    }

    #[test]
    fn a_cube_keeps_its_faces_flat() {
        let (positions, triangles) = cube();
        let normals = corner_normals(&positions, &triangles, 45.0);
        for (corners, normals) in triangles.iter().zip(&normals) {
            let face: Vector3<f32> = face_normal(&positions, corners).cast();
            assert!(normals.iter().all(|n| (n - face).norm() < 1e-6));
        }
    }

    #[test]
    fn without_creases_a_cube_corner_points_along_the_diagonal() {
        // Three right angles meet at each corner however the faces are cut into triangles, so
        // the weights must give the exact diagonal.
        let (positions, triangles) = cube();
        let normals = corner_normals(&positions, &triangles, 180.0);
        for (corners, normals) in triangles.iter().zip(&normals) {
            for (&v, normal) in corners.iter().zip(normals) {
                let diagonal = (positions[v as usize] - Vector3::repeat(0.5)).normalize().cast();
                assert!((normal - diagonal).norm() < 1e-6);
            }
        }
    }

    #[test]
    fn opposite_windings_do_not_cancel() {
        let positions = [Vector3::zeros(), Vector3::x(), Vector3::new(1.0, 1.0, 0.0), Vector3::y()];
        let normals = corner_normals(&positions, &[[0, 1, 2], [0, 3, 2]], 45.0);
        assert!(normals[0].iter().all(|n| (n - Vector3::z()).norm() < 1e-6));
        assert!(normals[1].iter().all(|n| (n + Vector3::z()).norm() < 1e-6));
    }

    #[test]
    fn degenerate_and_nan_triangles_leave_their_neighbours_alone() {
        let positions = [Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::repeat(f64::NAN)];
        let triangles = [[0, 1, 2], [0, 1, 1], [0, 1, 3]];
        let normals = corner_normals(&positions, &triangles, 45.0);
        assert!(normals[0].iter().all(|n| (n - Vector3::z()).norm() < 1e-6));
        assert!(normals[1..].iter().flatten().all(|n| *n == Vector3::zeros()));
    }
}
