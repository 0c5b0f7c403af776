//! The body-centred cubic lattice: the corners of cubes and their centres.
//!
//! Coordinates are counted in half cells, so that corners are all even and centres all odd. Points
//! two steps apart along an axis are joined by a *long* edge (length h), a centre and the eight
//! corners of its cube by *short* ones (√3/2 h). Around each long edge between two centres lie four
//! tets; between all such edges they fill space. Every tet has two long edges, opposite each
//! other, and four short ones.

use super::{FillError, Filling};
use crate::Vec3;

/// A point's coordinates in half cells.
pub(super) type HalfCells = [i64; 3];

/// The eight steps from a centre to the corners of its cube.
const DIAGONALS: [HalfCells; 8] =
    [[-1, -1, -1], [1, -1, -1], [-1, 1, -1], [1, 1, -1], [-1, -1, 1], [1, -1, 1], [-1, 1, 1], [1, 1, 1]];

/// A regular grid of points, numbered along x first, then y, then z.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid {
    /// The first point.
    pub origin: Vec3,
    /// The distance between neighbours.
    pub step: f64,
    /// Points along each axis.
    pub counts: [usize; 3],
}

impl Grid {
    /// Where the point with these indices is.
    pub fn position(&self, [i, j, k]: [usize; 3]) -> Vec3 {
        self.origin + Vec3::new(i as f64, j as f64, k as f64) * self.step
    }
}

/// A box of cubes. Points are numbered corners first, then centres, each along x, then y, then z.
#[derive(Clone, Debug)]
pub(crate) struct Lattice {
    origin: Vec3,
    cell: f64,
    /// Cubes along each axis.
    cubes: [usize; 3],
}

impl Lattice {
    /// Cubes around the middle of the bounds, reaching at least one beyond them on every side.
    pub fn new(filling: &Filling) -> Result<Self, FillError> {
        let (cell, size) = (filling.cell, filling.bounds.size());
        let sound = cell > 0.0 && cell.is_finite() && size.iter().all(|s| *s > 0.0 && s.is_finite());
        if !sound {
            return Err(FillError::Settings { size, cell });
        }
        let counts = size.map(|s| (s / cell).ceil() + 2.0);
        let cells = counts.product();
        // Nodes are numbered with 32 bits: two points and up to fourteen cuts per cube.
        let limit = filling.max_cells.min(u32::MAX as usize / 16);
        if cells > limit as f64 {
            return Err(FillError::TooManyCells { cells, limit, cell });
        }
        let origin = filling.bounds.center() - counts * (cell / 2.0);
        Ok(Self { origin, cell, cubes: [counts.x as usize, counts.y as usize, counts.z as usize] })
    }

    /// How many layers of cubes there are along z.
    pub fn layers(&self) -> usize {
        self.cubes[2]
    }

    /// How many points there are.
    pub fn points(&self) -> usize {
        self.corners() + self.cubes.iter().product::<usize>()
    }

    fn corners(&self) -> usize {
        self.cubes.iter().map(|n| n + 1).product()
    }

    /// The corners and the centres, each a regular grid; together all points in their order.
    pub fn grids(&self) -> [Grid; 2] {
        let (origin, step) = (self.origin, self.cell);
        let corners = Grid { origin, step, counts: self.cubes.map(|n| n + 1) };
        [corners, Grid { origin: origin.add_scalar(step / 2.0), step, counts: self.cubes }]
    }

    /// The number of a point, if it is part of the lattice.
    fn number(&self, point: HalfCells) -> Option<usize> {
        let odd = point[0] & 1;
        let [i, j, k] = point.map(|c| usize::try_from(c >> 1).unwrap_or(usize::MAX));
        let [nx, ny, nz] = if odd == 1 { self.cubes } else { self.cubes.map(|n| n + 1) };
        let first = if odd == 1 { self.corners() } else { 0 };
        (i < nx && j < ny && k < nz).then(|| first + i + nx * (j + ny * k))
    }

    /// The coordinates of a point.
    pub fn coordinates(&self, point: usize) -> HalfCells {
        let corners = self.corners();
        let (index, [nx, ny, _], odd) = if point < corners {
            (point, self.cubes.map(|n| n + 1), 0)
        } else {
            (point - corners, self.cubes, 1)
        };
        [index % nx, index / nx % ny, index / (nx * ny)].map(|i| 2 * i as i64 + odd)
    }

    /// Where a point is before warping.
    pub fn position(&self, point: usize) -> Vec3 {
        let [x, y, z] = self.coordinates(point).map(|c| c as f64 * (self.cell / 2.0));
        self.origin + Vec3::new(x, y, z)
    }

    /// Whether a point belongs to the outermost layer of cubes.
    pub fn is_border(&self, point: usize) -> bool {
        let coordinates = self.coordinates(point);
        (0..3).any(|i| coordinates[i] <= 1 || coordinates[i] >= 2 * self.cubes[i] as i64 - 1)
    }

    /// Calls `visit(other, is_long)` for edges from `point`; every edge is seen from one end.
    pub fn for_each_edge(&self, point: usize, mut visit: impl FnMut(usize, bool)) {
        let from = self.coordinates(point);
        for axis in 0..3 {
            let mut to = from;
            to[axis] += 2;
            if let Some(other) = self.number(to) {
                visit(other, true);
            }
        }
        if from[0] & 1 == 1 {
            for step in DIAGONALS {
                if let Some(other) = self.number(add(from, step)) {
                    visit(other, false);
                }
            }
        }
    }

    /// Calls `visit` with the corners of every tet whose first corner lies in the given layer of
    /// cubes. Corners 0 and 1 are the ends of a long edge, corners 2 and 3 of the other; the volume
    /// is positive.
    pub fn for_each_tet(&self, layer: usize, mut visit: impl FnMut([usize; 4])) {
        for j in 0..self.cubes[1] {
            for i in 0..self.cubes[0] {
                let centre = [i, j, layer].map(|c| 2 * c as i64 + 1);
                for axis in 0..3 {
                    self.for_each_tet_around(centre, axis, &mut visit);
                }
            }
        }
    }

    /// The four tets around the long edge from `centre` to the next centre along `axis`.
    fn for_each_tet_around(&self, centre: HalfCells, axis: usize, visit: &mut impl FnMut([usize; 4])) {
        let mut next = centre;
        next[axis] += 2;
        let (Some(a), Some(b)) = (self.number(centre), self.number(next)) else { return };
        // The corners of the square between the two, counter-clockwise about the axis.
        let ring = [[1, 1], [-1, 1], [-1, -1], [1, -1]].map(|[u, v]| {
            let mut step = [0; 3];
            step[axis] = 1;
            step[(axis + 1) % 3] = u;
            step[(axis + 2) % 3] = v;
            self.number(add(centre, step))
        });
        for k in 0..4 {
            if let (Some(c), Some(d)) = (ring[k], ring[(k + 1) % 4]) {
                visit([a, b, c, d]);
            }
        }
    }
}

fn add(a: HalfCells, b: HalfCells) -> HalfCells {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Aabb, TetMesh};
    use supple_model::{ElementId, VertexId};

    fn lattice() -> Lattice {
        let bounds = Aabb { min: Vec3::zeros(), max: Vec3::new(1.0, 2.0, 0.5) };
        Lattice::new(&Filling::new(bounds, 0.5)).unwrap()
    }

    #[test]
    fn points_and_coordinates_agree() {
        let lattice = lattice();
        assert_eq!(lattice.cubes, [4, 6, 3]);
        assert_eq!(lattice.points(), 5 * 7 * 4 + 4 * 6 * 3);
        for point in 0..lattice.points() {
            assert_eq!(lattice.number(lattice.coordinates(point)), Some(point));
        }
        assert_eq!(lattice.number([-2, 0, 0]), None);
        assert_eq!(lattice.number([9, 1, 1]), None);
        assert_eq!(lattice.position(0), Vec3::new(-0.5, -0.5, -0.5));
    }

    #[test]
    fn two_grids_make_the_lattice() {
        let lattice = lattice();
        let points = lattice.grids().into_iter().flat_map(|grid| {
            let [nx, ny, nz] = grid.counts;
            (0..nx * ny * nz).map(move |n| grid.position([n % nx, n / nx % ny, n / (nx * ny)]))
        });
        let expected = (0..lattice.points()).map(|p| lattice.position(p));
        assert!(points.eq(expected));
    }

    #[test]
    fn tets_are_alike_and_leave_only_half_a_cube_at_the_border() {
        let lattice = lattice();
        let mut tets = Vec::new();
        for layer in 0..lattice.layers() {
            lattice.for_each_tet(layer, |corners| tets.push(corners.map(VertexId::new)));
        }
        // Four per pair of neighbouring centres; a cube is worth twelve.
        assert_eq!(tets.len(), 4 * (3 * 6 * 3 + 4 * 5 * 3 + 4 * 6 * 2));
        let (nodes, tets) = super::super::compact(&tets);
        let positions = nodes.iter().map(|n| lattice.position(n.index())).collect();
        let mesh = TetMesh::new(positions, tets).unwrap();
        for (t, tet) in mesh.tets().iter().enumerate() {
            let p = tet.map(|v| mesh.positions()[v.index()]);
            assert!((mesh.volume(ElementId::new(t)) - 0.125 / 12.0).abs() < 1e-15);
            assert!(((p[0] - p[1]).norm() - 0.5).abs() < 1e-15 && ((p[2] - p[3]).norm() - 0.5).abs() < 1e-15);
        }
    }
}
