//! What is in a surface file.

use super::{BoundsInfo, GroupInfo, points};
use serde::Serialize;
use supple_formats::SurfaceFile;
use supple_mesh::{TriMesh, Vec3, components};
use supple_model::VertexId;

/// A surface.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SurfaceInfo {
    /// How many vertices.
    pub vertices: usize,
    /// How many triangles.
    pub triangles: usize,
    /// Where it is; `None` without vertices.
    pub bounds: Option<BoundsInfo>,
    /// The sum of all triangles' areas.
    pub area: f64,
    /// What it encloses, where it is closed; negative when it is inside out.
    pub volume: Option<f64>,
    /// How many pieces hang together; unused vertices are none.
    pub parts: usize,
    /// Edges with a triangle on one side only. A surface without any, and without branching ones, is
    /// closed.
    pub open_edges: usize,
    /// Edges at which more than two triangles meet.
    pub branching_edges: usize,
    /// Vertices no triangle uses.
    pub unused_vertices: usize,
    /// How many texture coordinates.
    pub texture_coordinates: usize,
    /// Named groups of vertices.
    pub vertex_groups: Vec<GroupInfo>,
    /// Why it can be drawn and ride on a body at best, but not be one.
    pub problem: Option<String>,
}

impl SurfaceInfo {
    pub(super) fn of(file: &SurfaceFile) -> Self {
        let positions = points(&file.positions);
        let triangles: Vec<[VertexId; 3]> = file.triangles.iter().map(|t| t.map(VertexId)).collect();
        let (open_edges, branching_edges) = edges(&triangles);
        let unused_vertices = unused(positions.len(), &triangles);
        let closed = !triangles.is_empty() && open_edges + branching_edges == 0;
        let corners = || triangles.iter().map(|t| t.map(|v| positions[v.index()]));
        Self {
            vertices: positions.len(),
            triangles: triangles.len(),
            bounds: BoundsInfo::of(&positions),
            area: corners().map(|[a, b, c]| (b - a).cross(&(c - a)).norm() / 2.0).sum(),
            volume: closed.then(|| enclosed(corners())),
            parts: components(positions.len(), &triangles).count - unused_vertices,
            open_edges,
            branching_edges,
            unused_vertices,
            texture_coordinates: file.uvs.len(),
            vertex_groups: GroupInfo::all(&file.vertex_groups),
            problem: TriMesh::new(positions.clone(), triangles.clone()).err().map(|error| error.to_string()),
        }
    }
}

/// How many edges have one triangle, and how many more than two.
fn edges(triangles: &[[VertexId; 3]]) -> (usize, usize) {
    let sides = |[a, b, c]: &[VertexId; 3]| [(a, b), (b, c), (c, a)].map(|(x, y)| (*x.min(y), *x.max(y)));
    let mut edges: Vec<(VertexId, VertexId)> = triangles.iter().flat_map(sides).collect();
    edges.sort_unstable();
    edges.chunk_by(|x, y| x == y).fold((0, 0), |(open, branching), same| match same.len() {
        1 => (open + 1, branching),
        2 => (open, branching),
        _ => (open, branching + 1),
    })
}

fn unused(vertices: usize, triangles: &[[VertexId; 3]]) -> usize {
    let mut unused = vec![true; vertices];
    for vertex in triangles.iter().flatten() {
        unused[vertex.index()] = false;
    }
    unused.iter().filter(|unused| **unused).count()
}

/// Σ a·(b×c)/6 over the triangles, seen from one of their corners so that far-away surfaces lose
/// no digits.
fn enclosed(mut triangles: impl Iterator<Item = [Vec3; 3]>) -> f64 {
    let Some([origin, ..]) = triangles.next() else { return 0.0 };
    triangles.map(|triangle| triangle.map(|p| p - origin)).map(|[a, b, c]| a.dot(&b.cross(&c)) / 6.0).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A corner of a cube, far from the origin, with a vertex that nothing uses.
    fn tetrahedron() -> SurfaceFile {
        let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [9.0, 9.0, 9.0]];
        SurfaceFile {
            positions: corners.map(|p| p.map(|x| x + 100.0)).into(),
            triangles: vec![[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]],
            ..SurfaceFile::default()
        }
    }

    #[test]
    fn a_closed_surface_encloses_a_volume() {
        let info = SurfaceInfo::of(&tetrahedron());
        assert!((info.volume.unwrap() - 1.0 / 6.0).abs() < 1e-12);
        assert!((info.area - (1.5 + 0.75_f64.sqrt())).abs() < 1e-12);
        assert_eq!((info.parts, info.open_edges, info.branching_edges, info.unused_vertices), (1, 0, 0, 1));
        assert_eq!(info.problem.as_deref(), Some("vertex 4 belongs to no element"));
    }

    #[test]
    fn an_open_or_branching_surface_encloses_none() {
        let mut open = tetrahedron();
        open.triangles.pop();
        let info = SurfaceInfo::of(&open);
        assert_eq!((info.volume, info.open_edges), (None, 3));

        let mut fin = tetrahedron();
        fin.triangles.push([0, 1, 4]);
        let info = SurfaceInfo::of(&fin);
        assert_eq!((info.volume, info.open_edges, info.branching_edges), (None, 2, 1));
        assert_eq!(info.problem, None);
    }
}
