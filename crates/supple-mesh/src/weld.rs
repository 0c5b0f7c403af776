//! Vertices that are one point of a surface.
//!
//! Programs that write meshes split a vertex wherever its texture coordinates or normals differ from one triangle to the
//! next. Its copies lie at the same place in every frame. Of such a set the first vertex is the *leader*: what is found for
//! the leader holds for all.
//!
//! Two vertices coincide if they are no farther apart than a tolerance; sets are made around their leaders, in the order
//! of the vertices:
//!
//! ```text
//! v joins the first leader within the tolerance, or becomes one
//! ```
//!
//! so that what is equal to the bit is never parted. In a first frame leaders are found through a grid of cells much
//! larger than the tolerance; further frames only take sets apart.

use crate::{Aabb, MeshError, TriMesh, Vec3};
use std::collections::{HashMap, HashSet};
use supple_model::VertexId;

/// The side of a cell of the grid, in tolerances: large enough that few vertices are near a side, and small enough that few
/// share a cell.
const CELL: f64 = 64.0;

/// Which vertices are one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weld {
    /// The leader of every vertex; its own where it is alone.
    leaders: Vec<VertexId>,
    /// The sets of two and more, members ascending.
    sets: Vec<Vec<VertexId>>,
}

impl Weld {
    /// How far apart vertices that coincide may be, as a part of the size: what single precision leaves of a place.
    pub const TOLERANCE: f64 = 1e-6;

    /// Every vertex for itself.
    #[must_use]
    pub fn none(vertices: usize) -> Self {
        Self { leaders: (0..vertices).map(VertexId::new).collect(), sets: Vec::new() }
    }

    /// The vertices that coincide at these places.
    #[must_use]
    pub fn of(places: &[[f64; 3]]) -> Self {
        let tolerance = tolerance(places);
        let mut grid = Grid { cell: (CELL * tolerance).max(f64::MIN_POSITIVE), leaders: HashMap::new() };
        let mut members: HashMap<VertexId, Vec<VertexId>> = HashMap::new();
        for (v, place) in places.iter().enumerate() {
            let v = VertexId::new(v);
            match grid.leader(places, place, tolerance) {
                Some(leader) => members.entry(leader).or_insert_with(|| vec![leader]).push(v),
                None => grid.add(place, v),
            }
        }
        Self::none(places.len()).with(members.into_values().collect())
    }

    /// Takes apart what does not coincide at these places too.
    ///
    /// # Panics
    /// When there are places of other vertices.
    pub fn part(&mut self, places: &[[f64; 3]]) {
        assert_eq!(places.len(), self.leaders.len(), "a place for every vertex");
        if self.sets.is_empty() {
            return;
        }
        let tolerance = tolerance(places);
        let mut sets = Vec::with_capacity(self.sets.len());
        for set in std::mem::take(&mut self.sets) {
            let mut parts: Vec<Vec<VertexId>> = Vec::new();
            for v in set {
                let at = &places[v.index()];
                match parts.iter_mut().find(|part| coincide(at, &places[part[0].index()], tolerance)) {
                    Some(part) => part.push(v),
                    None => parts.push(vec![v]),
                }
            }
            sets.extend(parts.into_iter().filter(|part| part.len() > 1));
        }
        *self = Self::none(self.leaders.len()).with(sets);
    }

    fn with(mut self, mut sets: Vec<Vec<VertexId>>) -> Self {
        sets.sort_unstable();
        for set in &sets {
            set.iter().for_each(|v| self.leaders[v.index()] = set[0]);
        }
        Self { sets, ..self }
    }

    /// Whether no vertex has a copy.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.sets.is_empty()
    }

    /// The sets of two and more vertices that are one, each ascending, in the order of their leaders.
    #[must_use]
    pub fn sets(&self) -> &[Vec<VertexId>] {
        &self.sets
    }

    /// The leader of every vertex.
    #[must_use]
    pub fn leaders(&self) -> &[VertexId] {
        &self.leaders
    }

    /// Whether a vertex is one of several that are one.
    ///
    /// # Panics
    /// When there is no such vertex.
    #[must_use]
    pub fn has_copies(&self, vertex: VertexId) -> bool {
        self.sets.binary_search_by_key(&self.leaders[vertex.index()], |set| set[0]).is_ok()
    }

    /// How many vertices are copies of others.
    #[must_use]
    pub fn copies(&self) -> usize {
        self.sets.iter().map(|set| set.len() - 1).sum()
    }

    /// The triangles between leaders: those that lose a corner and those that are there already are left out.
    #[must_use]
    pub fn triangles(&self, triangles: &[[VertexId; 3]]) -> Vec<[VertexId; 3]> {
        let mut seen = HashSet::with_capacity(triangles.len());
        let joined = triangles.iter().map(|triangle| triangle.map(|v| self.leaders[v.index()]));
        let is_new = |[a, b, c]: &[VertexId; 3]| {
            let mut key = [*a, *b, *c];
            key.sort_unstable();
            a != b && b != c && c != a && seen.insert(key)
        };
        joined.filter(is_new).collect()
    }

    /// The surface with one vertex for each set and none that no triangle uses, fit to be a body; and which vertex of the
    /// surface each of its vertices is.
    ///
    /// # Errors
    /// A triangle without area: see [`MeshError`].
    pub fn body(&self, surface: &TriMesh) -> Result<(TriMesh, Vec<VertexId>), MeshError> {
        let triangles = self.triangles(surface.triangles());
        let mut sources: Vec<VertexId> = triangles.iter().flatten().copied().collect();
        sources.sort_unstable();
        sources.dedup();
        let mut number = vec![VertexId(0); self.leaders.len()];
        for (n, v) in sources.iter().enumerate() {
            number[v.index()] = VertexId::new(n);
        }
        let positions = sources.iter().map(|v| surface.positions()[v.index()]).collect();
        let triangles = triangles.iter().map(|triangle| triangle.map(|v| number[v.index()])).collect();
        Ok((TriMesh::new(positions, triangles)?, sources))
    }
}

/// How far apart vertices at these places may be to coincide.
fn tolerance(places: &[[f64; 3]]) -> f64 {
    let points: Vec<Vec3> = places.iter().map(|p| Vec3::from(*p)).collect();
    if points.is_empty() { 0.0 } else { Weld::TOLERANCE * Aabb::around(&points).size().max() }
}

fn coincide(a: &[f64; 3], b: &[f64; 3], tolerance: f64) -> bool {
    (0..3).all(|c| (a[c] - b[c]).abs() <= tolerance)
}

/// Leaders by where they are.
struct Grid {
    cell: f64,
    leaders: HashMap<[i64; 3], Vec<VertexId>>,
}

impl Grid {
    fn cell_of(&self, place: [f64; 3]) -> [i64; 3] {
        place.map(|x| (x / self.cell).floor() as i64)
    }

    fn add(&mut self, place: &[f64; 3], leader: VertexId) {
        self.leaders.entry(self.cell_of(*place)).or_default().push(leader);
    }

    /// The first leader that a place coincides with.
    fn leader(&self, places: &[[f64; 3]], place: &[f64; 3], tolerance: f64) -> Option<VertexId> {
        let low = self.cell_of(place.map(|x| x - tolerance));
        let high = self.cell_of(place.map(|x| x + tolerance));
        let mut first: Option<VertexId> = None;
        for i in low[0]..=high[0] {
            for j in low[1]..=high[1] {
                for k in low[2]..=high[2] {
                    let there = self.leaders.get(&[i, j, k]).into_iter().flatten();
                    let mut near = there.filter(|v| coincide(place, &places[v.index()], tolerance));
                    first = first.into_iter().chain(near.next().copied()).min();
                }
            }
        }
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ids(sets: &[&[u32]]) -> Vec<Vec<VertexId>> {
        sets.iter().map(|set| set.iter().copied().map(VertexId).collect()).collect()
    }

    #[test]
    fn copies_are_found_across_the_sides_of_cells_and_parted_by_a_later_frame() {
        let tiny = 0.9e-6;
        let places =
            [[0.0; 3], [1.0, 0.0, 0.0], [-tiny, tiny, 0.0], [1.0, 0.0, 0.0], [1.0, 2e-5, 0.0], [0.0; 3]];
        let mut weld = Weld::of(&places);
        assert_eq!(weld.sets(), ids(&[&[0, 2, 5], &[1, 3]]));
        assert_eq!((weld.copies(), weld.leaders()[5], weld.leaders()[4]), (3, VertexId(0), VertexId(4)));
        let mut next = places;
        (next[0], next[3]) = ([0.5; 3], [1.0, 0.0, 0.1]);
        weld.part(&next);
        assert_eq!(weld.sets(), ids(&[&[2, 5]]));
        assert_eq!([0, 2, 5].map(|v| weld.has_copies(VertexId(v))), [false, true, true]);
        assert_eq!(weld.leaders(), [0, 1, 2, 3, 4, 2].map(VertexId));
        weld.part(&places.map(|p| p.map(|x| 10.0 * x + 3.0)));
        assert_eq!(weld.copies(), 1, "the tolerance grows with the size");
    }

    #[test]
    fn a_point_and_nothing_at_all_do_no_harm() {
        assert!(Weld::of(&[]).is_none());
        assert_eq!(Weld::of(&[[2.0; 3]; 4]).sets(), ids(&[&[0, 1, 2, 3]]));
    }

    #[test]
    fn the_body_has_no_copies_no_unused_vertices_and_no_triangle_twice() {
        let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.0, 0.0], [1.0, 1.0], [7.0, 7.0]];
        let places = square.map(|[x, y]| [x, y, 0.0]);
        let triangles = [[0, 1, 2], [4, 5, 3], [0, 4, 1], [2, 3, 0]].map(|t| t.map(VertexId));
        let surface = TriMesh::skin(places.map(Vec3::from).to_vec(), triangles.to_vec()).unwrap();
        let (body, sources) = Weld::of(&places).body(&surface).unwrap();
        assert_eq!(sources, [0, 1, 2, 3].map(VertexId));
        assert_eq!(body.triangles(), [[0, 1, 2], [0, 2, 3]].map(|t| t.map(VertexId)));
    }

    proptest! {
        /// Against all pairs: leaders are apart, followers are near theirs.
        #[test]
        fn sets_are_those_of_all_pairs(cells in prop::collection::vec((0..4_i32, 0..3_i32, -1..2_i32), 1..60)) {
            let at = |(k, (x, y, n)): (usize, &(i32, i32, i32))| {
                let jitter = 4e-7 * f64::from(*n) * ((k % 3) as f64);
                [f64::from(*x) + jitter, f64::from(*y), 4.0 * f64::from(k == 0)]
            };
            let places: Vec<[f64; 3]> = cells.iter().enumerate().map(at).collect();
            let weld = Weld::of(&places);
            let tolerance = tolerance(&places);
            let mut leaders: Vec<usize> = Vec::new();
            for (v, p) in places.iter().enumerate() {
                let first = leaders.iter().copied().find(|l| coincide(p, &places[*l], tolerance));
                prop_assert_eq!(weld.leaders()[v].index(), first.unwrap_or(v));
                if first.is_none() {
                    leaders.push(v);
                }
            }
        }
    }
}
