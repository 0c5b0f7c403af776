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
    /// What it encloses, where it is closed and all triangles face the same way; negative when that is
    /// inwards.
    pub volume: Option<f64>,
    /// How many pieces hang together; unused vertices are none.
    pub parts: usize,
    /// Edges with a triangle on one side only. A surface without any, and without branching ones, is
    /// closed.
    pub open_edges: usize,
    /// Edges at which more than two triangles meet.
    pub branching_edges: usize,
    /// Edges at which an outside meets an inside.
    pub turned_edges: usize,
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
        let Edges { open, branching, turned } = Edges::of(&triangles);
        let unused_vertices = unused(positions.len(), &triangles);
        let encloses = !triangles.is_empty() && open + branching + turned == 0;
        let corners = || triangles.iter().map(|t| t.map(|v| positions[v.index()]));
        Self {
            vertices: positions.len(),
            triangles: triangles.len(),
            bounds: BoundsInfo::of(&positions),
            area: corners().map(|[a, b, c]| (b - a).cross(&(c - a)).norm() / 2.0).sum(),
            volume: encloses.then(|| enclosed(corners())),
            parts: components(positions.len(), &triangles).count - unused_vertices,
            open_edges: open,
            branching_edges: branching,
            turned_edges: turned,
            unused_vertices,
            texture_coordinates: file.uvs.len(),
            vertex_groups: GroupInfo::all(&file.vertex_groups),
            problem: TriMesh::new(positions.clone(), triangles.clone()).err().map(|error| error.to_string()),
        }
    }
}

/// How many edges are not those of a closed, oriented surface.
#[derive(Default)]
struct Edges {
    open: usize,
    branching: usize,
    turned: usize,
}

impl Edges {
    fn of(triangles: &[[VertexId; 3]]) -> Self {
        // Ends in ascending order, and whether the triangle runs along it that way.
        let sides = |[a, b, c]: &[VertexId; 3]| {
            [(a, b), (b, c), (c, a)].map(|(from, to)| (*from.min(to), *from.max(to), from < to))
        };
        let mut sides: Vec<(VertexId, VertexId, bool)> = triangles.iter().flat_map(sides).collect();
        sides.sort_unstable();
        let mut edges = Self::default();
        for same in sides.chunk_by(|x, y| (x.0, x.1) == (y.0, y.1)) {
            match same {
                [_] => edges.open += 1,
                [one, other] if one.2 == other.2 => edges.turned += 1,
                [_, _] => {}
                _ => edges.branching += 1,
            }
        }
        edges
    }
}

fn unused(vertices: usize, triangles: &[[VertexId; 3]]) -> usize {
    let mut unused = vec![true; vertices];
    for vertex in triangles.iter().flatten() {
        unused[vertex.index()] = false;
    }
    unused.iter().filter(|unused| **unused).count()
}

/// Σ a·(b×c)/6 over the triangles, seen from a corner of the first, whose own term vanishes then, so that
/// far-away surfaces lose no digits.
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

        let mut turned = tetrahedron();
        turned.triangles[0].swap(0, 1);
        let info = SurfaceInfo::of(&turned);
        assert_eq!((info.volume, info.open_edges, info.turned_edges), (None, 0, 3));

        let mut fin = tetrahedron();
        fin.triangles.push([0, 1, 4]);
        let info = SurfaceInfo::of(&fin);
        assert_eq!((info.volume, info.open_edges, info.branching_edges), (None, 2, 1));
        assert_eq!(info.problem, None);
    }
}
