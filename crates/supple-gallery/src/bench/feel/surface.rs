//! What a moving surface is, seen from its file: edges, pieces, what stands still, what coincides, what touches.
//!
//! - **size**: the longest side of the box around the first frame;
//! - **still**: vertices that never move, while others do;
//! - **twins**: vertices at the very same place in every frame, as texture seams and hard edges make them;
//! - **pieces**: what edges and twins connect;
//! - **touching**: a vertex of one piece nearer than [`TOUCH`] of the size to a point of another, which it stays near
//!   in every frame; and pieces that touch as wholes, see [`Pieces`].

use super::pieces::Pieces;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use supple_mesh::{Aabb, TriangleTree, Vec3};
use supple_model::VertexId;

/// A vertex that moves less than this part of the size never moves.
const STILL: f64 = 1e-7;
/// So near, as a part of the size, pieces touch.
pub const TOUCH: f64 = 0.003;

/// The points of a surface, frame by frame.
pub type Film = Vec<Vec<Vec3>>;

/// A vertex and the point of another piece it touches: three corners and their weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    pub vertex: usize,
    pub corners: [usize; 3],
    pub weights: [f64; 3],
}

impl Touch {
    /// How far apart the two are in a frame.
    pub fn distance(&self, points: &[Vec3]) -> f64 {
        let on: Vec3 = self.corners.iter().zip(self.weights).map(|(c, w)| points[*c] * w).sum();
        (points[self.vertex] - on).norm()
    }
}

/// A surface and its motion before the edit.
#[derive(Debug)]
pub struct Surface {
    pub film: Film,
    pub triangles: Vec<[usize; 3]>,
    pub edges: Vec<[usize; 2]>,
    pub size: f64,
    pub still: Vec<usize>,
    /// The first of the vertices that each one coincides with.
    pub twins: Vec<usize>,
    pub touching: Vec<Touch>,
    pub pieces: Pieces,
}

impl Surface {
    /// Looks at a surface; `film` has at least one frame.
    pub fn new(film: Film, triangles: Vec<[usize; 3]>) -> Self {
        let sides = Aabb::around(&film[0]).size();
        let size = sides.max();
        let edges = edges(&triangles);
        let twins = twins(&film);
        let still = still(&film, size);
        let names = piece_names(&triangles, &twins);
        let touching = touching(&film, &triangles, &names, TOUCH * size);
        let pieces = Pieces::new(&film, &triangles, &edges, &names, TOUCH * size);
        Self { film, triangles, edges, size, still, twins, touching, pieces }
    }

    /// Whether a vertex is, or coincides with, the other.
    pub fn same(&self, a: usize, b: usize) -> bool {
        self.twins[a] == self.twins[b]
    }

    /// The shortest way along edges from what stands still to every vertex, in the first frame; infinite where there is none.
    pub fn distance_to_still(&self) -> Vec<f64> {
        along_edges(&self.film[0], &self.edges, &self.twins, &self.still)
    }

    /// The share of the area that each vertex has in a frame.
    pub fn shares(&self, frame: usize) -> Vec<f64> {
        let at = &self.film[frame];
        let mut shares = vec![0.0; at.len()];
        for t in &self.triangles {
            let [a, b, c] = t.map(|v| at[v]);
            let area = (b - a).cross(&(c - a)).norm();
            t.iter().for_each(|v| shares[*v] += area);
        }
        let all: f64 = shares.iter().sum();
        shares.iter_mut().for_each(|share| *share /= all);
        shares
    }
}

fn edges(triangles: &[[usize; 3]]) -> Vec<[usize; 2]> {
    let sides = triangles.iter().flat_map(|[a, b, c]| [[a, b], [b, c], [c, a]]);
    let sorted: BTreeSet<[usize; 2]> = sides.map(|[a, b]| [*a.min(b), *a.max(b)]).collect();
    sorted.into_iter().collect()
}

fn still(film: &Film, size: f64) -> Vec<usize> {
    let moves = |v: usize| film.iter().any(|at| (at[v] - film[0][v]).amax() > STILL * size);
    let still: Vec<usize> = (0..film[0].len()).filter(|v| !moves(*v)).collect();
    if still.len() == film[0].len() { Vec::new() } else { still }
}

fn twins(film: &Film) -> Vec<usize> {
    let mut places: BTreeMap<[u64; 3], Vec<usize>> = BTreeMap::new();
    let mut twins: Vec<usize> = (0..film[0].len()).collect();
    for v in 0..film[0].len() {
        // 0 and −0 are one place.
        let place = <[f64; 3]>::from(film[0][v]).map(|x| (x + 0.0).to_bits());
        let here = places.entry(place).or_default();
        let together = |first: &&usize| film.iter().all(|at| at[**first] == at[v]);
        match here.iter().find(together) {
            Some(first) => twins[v] = *first,
            None => here.push(v),
        }
    }
    twins
}

/// The piece each vertex belongs to, named by one of its vertices.
fn piece_names(triangles: &[[usize; 3]], twins: &[usize]) -> Vec<usize> {
    let mut of: Vec<usize> = (0..twins.len()).collect();
    fn root(of: &mut [usize], mut v: usize) -> usize {
        while of[v] != v {
            of[v] = of[of[v]];
            v = of[v];
        }
        v
    }
    let links = triangles.iter().flat_map(|[a, b, c]| [[*a, *b], [*b, *c]]);
    for [a, b] in links.chain(twins.iter().enumerate().map(|(v, first)| [v, *first])) {
        let (a, b) = (root(&mut of, a), root(&mut of, b));
        of[a.max(b)] = a.min(b);
    }
    (0..twins.len()).map(|v| root(&mut of, v)).collect()
}

fn touching(film: &Film, triangles: &[[usize; 3]], piece: &[usize], near: f64) -> Vec<Touch> {
    let ids: Vec<[VertexId; 3]> = triangles.iter().map(|t| t.map(VertexId::new)).collect();
    let tree = TriangleTree::new(&film[0], &ids);
    let mut found = Vec::new();
    for (vertex, place) in film[0].iter().enumerate() {
        let mut closest: Option<(f64, Touch)> = None;
        tree.within(place, near, |point| {
            let corners = triangles[point.triangle.index()];
            let nearer = closest.is_none_or(|(distance, _)| point.distance < distance);
            if piece[corners[0]] != piece[vertex] && nearer {
                closest = Some((point.distance, Touch { vertex, corners, weights: point.weights }));
            }
        });
        found.extend(closest.map(|(_, touch)| touch));
    }
    found.retain(|touch| film.iter().all(|at| touch.distance(at) <= near));
    found
}

/// Dijkstra's shortest ways from `sources`; twins are one vertex.
fn along_edges(at: &[Vec3], edges: &[[usize; 2]], twins: &[usize], sources: &[usize]) -> Vec<f64> {
    let mut links: Vec<Vec<(usize, f64)>> = vec![Vec::new(); at.len()];
    for [a, b] in edges {
        let length = (at[*a] - at[*b]).norm();
        links[twins[*a]].push((twins[*b], length));
        links[twins[*b]].push((twins[*a], length));
    }
    let mut far = vec![f64::INFINITY; at.len()];
    // Lengths are not negative, so that their bits are in their order; the heap gives the largest first.
    let entry = |length: f64, v: usize| (std::cmp::Reverse(length.to_bits()), v);
    let mut open: BinaryHeap<_> = sources.iter().map(|v| entry(0.0, twins[*v])).collect();
    sources.iter().for_each(|v| far[twins[*v]] = 0.0);
    while let Some((length, v)) = open.pop() {
        let length = f64::from_bits(length.0);
        if length > far[v] {
            continue;
        }
        for (next, step) in &links[v] {
            if length + step < far[*next] {
                far[*next] = length + step;
                open.push(entry(far[*next], *next));
            }
        }
    }
    twins.iter().map(|first| far[*first]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn p(x: f64, y: f64) -> Vec3 {
        Vec3::new(x, y, 0.0)
    }

    /// A strip of four triangles 0…2 along x, its last two sharing an edge with twins of it; the first side stands still.
    fn strip() -> Surface {
        let at = |lift: f64| {
            let far = |x: f64, y: f64| Vec3::new(x, y, lift * x);
            vec![
                p(0.0, 0.0),
                p(0.0, 1.0),
                far(1.0, 0.0),
                far(1.0, 1.0),
                far(1.0, 0.0),
                far(1.0, 1.0),
                far(2.0, 0.0),
                far(2.0, 1.0),
            ]
        };
        Surface::new(vec![at(0.0), at(0.5)], vec![[0, 2, 1], [2, 3, 1], [4, 6, 5], [6, 7, 5]])
    }

    #[test]
    fn seams_join_and_still_vertices_are_found() {
        let strip = strip();
        assert_eq!(strip.size, 2.0);
        assert_eq!(strip.still, [0, 1]);
        assert_eq!(strip.twins, [0, 1, 2, 3, 2, 3, 6, 7]);
        assert!(strip.same(5, 3) && !strip.same(5, 2));
        assert!(strip.touching.is_empty(), "one piece");
        let far = strip.distance_to_still();
        assert_eq!(far[..3], [0.0, 0.0, 1.0]);
        assert!((far[6] - 2.0).abs() < 1e-12 && far[4] == far[2], "{far:?}");
    }

    #[test]
    fn what_meets_only_once_is_no_twin() {
        let apart = |x: f64| vec![p(0.0, 0.0), p(1.0, 0.0), p(0.0, 1.0), p(x, 0.0), p(3.0, 0.0), p(2.0, 1.0)];
        let surface = Surface::new(vec![apart(1.0), apart(1.1)], vec![[0, 1, 2], [3, 4, 5]]);
        assert_eq!(surface.twins, [0, 1, 2, 3, 4, 5]);
        assert!(surface.touching.is_empty());
    }

    #[test]
    fn pieces_touch_where_they_stay_together() {
        let piece = |z: f64, x: f64| [Vec3::new(x, 0.0, z), Vec3::new(x + 1.0, 0.0, z), Vec3::new(x, 1.0, z)];
        let film = |z: f64| [piece(0.0, 0.0), piece(z, 0.2)].concat();
        let triangles = vec![[0, 1, 2], [3, 4, 5]];
        let surface = Surface::new(vec![film(0.001), film(0.002)], triangles.clone());
        // The corner at (0.2, 0) of the second lies over the first; its others are beside it.
        let touch = surface.touching.iter().find(|touch| touch.vertex == 3).unwrap();
        assert_eq!(touch.corners, [0, 1, 2]);
        assert!((touch.distance(&film(0.001)) - 0.001).abs() < 1e-12);
        assert!((touch.distance(&film(0.3)) - 0.3).abs() < 1e-12);
        let parted = Surface::new(vec![film(0.001), film(0.3)], triangles);
        assert!(parted.touching.is_empty());
    }

    #[test]
    fn shares_sum_to_one() {
        let shares = strip().shares(1);
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!(shares[6] < shares[4] + shares[2]);
    }
}
