//! Filling a solid with well-shaped tets: isosurface stuffing.
//!
//! The solid is a function f, negative inside, of which only values are asked, so that anything
//! that can tell inside from outside will do. Labelle and Shewchuk, "Isosurface Stuffing: Fast
//! Tetrahedral Meshes with Good Dihedral Angles" (SIGGRAPH 2007), uniform version:
//!
//! 1. evaluate f on a body-centred cubic [`lattice`], whose tets are all alike;
//! 2. find the *cut point* on every edge whose ends differ in sign ([`cuts`]);
//! 3. warp a lattice point onto a cut point that comes too close to it: its sign becomes zero and
//!    the cuts of its edges are forgotten;
//! 4. replace every tet that has an inside corner by the [`stencils`] of its signs;
//! 5. take apart what touches without sharing a face ([`hinges`]; not in the paper).
//!
//! With the paper's thresholds every dihedral angle of the result lies between 10.7° and 164.9°.
//! Details thinner than the lattice are lost, and sharp edges are bevelled by up to a cell.

mod cuts;
mod error;
mod lattice;
mod stencils;

use crate::surface::OPPOSITE_FACE;
use crate::{Aabb, Surface, TetMesh, TriMesh, Vec3, hinges};
use cuts::Cuts;
pub use error::FillError;
use lattice::Lattice;
use rayon::prelude::*;
use supple_model::VertexId;

/// Where and how finely a solid is filled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Filling {
    /// A box that holds the whole solid.
    pub bounds: Aabb,
    /// Edge length of a lattice cube, metres; a cube inside the solid holds twelve tets.
    pub cell: f64,
    /// Lattices with more cubes are refused; each takes some 20 bytes.
    pub max_cells: usize,
}

impl Filling {
    /// The default of [`Filling::max_cells`]: memory stays below about 1 GB.
    pub const MAX_CELLS: usize = 40_000_000;

    /// Fills `bounds` with cubes of edge `cell`.
    #[must_use]
    pub fn new(bounds: Aabb, cell: f64) -> Self {
        Self { bounds, cell, max_cells: Self::MAX_CELLS }
    }

    /// Tets that fill the solid {x : f(x) < 0}.
    ///
    /// # Errors
    /// Settings that make no lattice, a function that encloses nothing, is not finite somewhere or
    /// reaches beyond the bounds: see [`FillError`].
    pub fn tets(&self, f: impl Fn(Vec3) -> f64 + Sync) -> Result<TetMesh, FillError> {
        let stuffed = Stuffed::new(self, &f)?;
        let (mut nodes, mut tets) = compact(&stuffed.tets);
        hinges::split(&mut nodes, &mut tets, &OPPOSITE_FACE);
        Ok(TetMesh::new(stuffed.positions(&nodes), tets)?)
    }

    /// The surface {x : f(x) = 0} alone, its triangles counter-clockwise seen from outside: what
    /// [`Surface::of`] gives for [`Filling::tets`], without ever making the tets inside.
    ///
    /// # Errors
    /// As [`Filling::tets`].
    pub fn surface(&self, f: impl Fn(Vec3) -> f64 + Sync) -> Result<TriMesh, FillError> {
        let stuffed = Stuffed::new(self, &f)?;
        let on_surface = |node: &VertexId| !stuffed.cuts.is_inside(*node);
        // A boundary face has three corners on the surface, so only such tets matter; a face of
        // that kind between two tets is cancelled because both are here.
        let near_surface = |t: &&[VertexId; 4]| t.iter().filter(|n| on_surface(n)).count() >= 3;
        let shell: Vec<_> = stuffed.tets.iter().filter(near_surface).copied().collect();
        let mut triangles = Surface::of_tets(&shell).triangles;
        triangles.retain(|t| t.iter().all(on_surface));
        let (nodes, triangles) = compact(&triangles);
        Ok(TriMesh::new(stuffed.positions(&nodes), triangles)?)
    }
}

/// All tets of a filled solid, between *nodes*: lattice points first, then cut points.
struct Stuffed {
    lattice: Lattice,
    cuts: Cuts,
    tets: Vec<[VertexId; 4]>,
}

impl Stuffed {
    fn new(filling: &Filling, f: &(impl Fn(Vec3) -> f64 + Sync)) -> Result<Self, FillError> {
        let lattice = Lattice::new(filling)?;
        let values: Vec<f64> =
            (0..lattice.points()).into_par_iter().map(|p| f(lattice.position(p))).collect();
        check_values(&lattice, &values)?;
        let cuts = Cuts::new(&lattice, &values, f);
        let cut = |a: usize, b: usize| cuts.node(a, b);
        // One task per layer of cubes, joined in order.
        let layers: Vec<Vec<[VertexId; 4]>> = (0..lattice.layers())
            .into_par_iter()
            .map(|layer| {
                let mut tets = Vec::new();
                lattice.for_each_tet(layer, |corners| {
                    let signs = corners.map(|p| cuts.sign(p));
                    if signs.contains(&1) {
                        stencils::clip(&lattice, corners, signs, &cut, &mut tets);
                    }
                });
                tets
            })
            .collect();
        let tets = layers.concat();
        if tets.is_empty() {
            return Err(FillError::Nothing { cell: filling.cell });
        }
        Ok(Self { lattice, cuts, tets })
    }

    fn positions(&self, nodes: &[VertexId]) -> Vec<Vec3> {
        nodes.iter().map(|n| self.cuts.position(&self.lattice, *n)).collect()
    }
}

fn check_values(lattice: &Lattice, values: &[f64]) -> Result<(), FillError> {
    if let Some(p) = values.iter().position(|v| !v.is_finite()) {
        return Err(FillError::NonFinite { at: lattice.position(p) });
    }
    match (0..values.len()).find(|&p| values[p] < 0.0 && lattice.is_border(p)) {
        Some(p) => Err(FillError::BeyondBounds { at: lattice.position(p) }),
        None => Ok(()),
    }
}

/// Renumbers the nodes in use from 0 in ascending order: the nodes, and the elements between them.
fn compact<const N: usize>(elements: &[[VertexId; N]]) -> (Vec<VertexId>, Vec<[VertexId; N]>) {
    let last = elements.iter().flatten().max().map_or(0, |n| n.index() + 1);
    let mut used = vec![false; last];
    for node in elements.iter().flatten() {
        used[node.index()] = true;
    }
    let mut nodes = Vec::new();
    let mut number = vec![VertexId(0); last];
    for node in (0..last).filter(|&n| used[n]) {
        number[node] = VertexId::new(nodes.len());
        nodes.push(VertexId::new(node));
    }
    let renumbered = elements.iter().map(|e| e.map(|n| number[n.index()])).collect();
    (nodes, renumbered)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{components, implicit, vertex_vertices};
    use proptest::prelude::*;
    use std::collections::HashMap;

    const LOW: f64 = 10.7;
    const HIGH: f64 = 164.9;

    fn cube(half: f64) -> Aabb {
        Aabb { min: Vec3::repeat(-half), max: Vec3::repeat(half) }
    }

    fn sphere(p: Vec3) -> f64 {
        p.norm() - 1.0
    }

    /// The smallest and largest dihedral angle of a mesh, degrees.
    fn dihedral_angles(mesh: &TetMesh) -> (f64, f64) {
        let (mut low, mut high) = (180.0_f64, 0.0_f64);
        for tet in mesh.tets() {
            let p = tet.map(|v| mesh.positions()[v.index()]);
            for [i, j, k, l] in
                [[0, 1, 2, 3], [0, 2, 1, 3], [0, 3, 1, 2], [1, 2, 0, 3], [1, 3, 0, 2], [2, 3, 0, 1]]
            {
                let edge = (p[j] - p[i]).normalize();
                let across = |q: Vec3| (q - p[i]) - edge * edge.dot(&(q - p[i]));
                let angle = across(p[k]).angle(&across(p[l])).to_degrees();
                (low, high) = (low.min(angle), high.max(angle));
            }
        }
        (low, high)
    }

    /// How often each edge of a surface is used, in either direction.
    fn edges_used_oddly(triangles: &[[VertexId; 3]]) -> usize {
        let mut uses: HashMap<(VertexId, VertexId), [usize; 2]> = HashMap::new();
        for [a, b, c] in triangles {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                uses.entry((*from.min(to), *from.max(to))).or_default()[usize::from(from > to)] += 1;
            }
        }
        uses.values().filter(|directions| **directions != [1, 1]).count()
    }

    fn volume(mesh: &TetMesh) -> f64 {
        (0..mesh.tets().len()).map(|t| mesh.volume(supple_model::ElementId::new(t))).sum()
    }

    fn assert_sound(mesh: &TetMesh) {
        let (low, high) = dihedral_angles(mesh);
        assert!(low > LOW && high < HIGH, "dihedral angles from {low} to {high}");
        assert_eq!(edges_used_oddly(&Surface::of(mesh).triangles), 0, "the surface is not a manifold");
    }

    #[test]
    fn sphere_torus_and_box_are_filled_with_good_angles() {
        let torus = |p: Vec3| (p.x.hypot(p.z) - 0.7).hypot(p.y) - 0.25;
        let block = |p: Vec3| p.abs().max() - 0.9;
        let tilted = |p: Vec3| (p.x + 0.3 * p.y).abs().max((p.y - 0.2 * p.z).abs()).max(p.z.abs()) - 0.6;
        for cell in [0.17, 0.2, 0.23] {
            let filling = Filling::new(cube(1.0), cell);
            assert_sound(&filling.tets(sphere).unwrap());
            assert_sound(&filling.tets(torus).unwrap());
            assert_sound(&filling.tets(block).unwrap());
            assert_sound(&filling.tets(tilted).unwrap());
        }
        // Edges and faces exactly on lattice points.
        let exact = Filling::new(cube(1.0), 0.2).tets(|p| p.abs().max() - 1.0).unwrap();
        assert_sound(&exact);
        assert!((volume(&exact) - 8.0).abs() < 0.25, "{}", volume(&exact));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]
        #[test]
        fn random_smooth_unions_are_filled_with_good_angles(
            balls in prop::collection::vec((prop::array::uniform3(-0.6..0.6), 0.2..0.4), 1..6),
            cell in 0.08..0.13
        ) {
            let solid = |p: Vec3| {
                let ball = |(center, radius): &([f64; 3], f64)| (p - Vec3::from(*center)).norm() - radius;
                balls.iter().map(ball).fold(9.0, |f, g| implicit::union(f, g, 0.3))
            };
            let mesh = Filling::new(cube(1.2), cell).tets(solid).unwrap();
            let (low, high) = dihedral_angles(&mesh);
            prop_assert!(low > LOW && high < HIGH, "dihedral angles from {} to {}", low, high);
        }
    }

    /// A solid that wriggles faster than the lattice resolves meets every stencil in every way. The
    /// bounds are the paper's; a short threshold of 0.33 or 0.45 breaks them here.
    #[test]
    fn angles_hold_even_where_the_lattice_is_too_coarse() {
        let (mut low, mut high) = (180.0_f64, 0.0_f64);
        for waves in [20.0, 24.0, 29.0] {
            let rough = |p: Vec3| {
                let [x, y, z] = (p * waves).into();
                let wave = (x + 0.3 * y).sin() + (y - 0.4 * z).sin() + (z + 0.2 * x + 1.0).sin();
                wave.max(sphere(p))
            };
            let (least, most) = dihedral_angles(&Filling::new(cube(1.0), 0.1).tets(rough).unwrap());
            (low, high) = (low.min(least), high.max(most));
        }
        assert!(low > LOW && high < HIGH, "dihedral angles from {low} to {high}");
    }

    #[test]
    fn the_volume_of_a_sphere_converges_with_the_square_of_the_cell() {
        let exact = 4.0 / 3.0 * std::f64::consts::PI;
        let error = |cell: f64| exact - volume(&Filling::new(cube(1.0), cell).tets(sphere).unwrap());
        let (coarse, fine) = (error(0.2), error(0.1));
        assert!(coarse > 0.0 && coarse < 0.03 * exact, "{coarse}");
        assert!((coarse / fine - 4.0).abs() < 0.8, "{coarse} {fine}");
    }

    #[test]
    fn vertices_are_in_use_and_on_the_surface_where_they_should_be() {
        let mesh = Filling::new(cube(1.0), 0.15).tets(sphere).unwrap();
        let surface = Surface::of(&mesh);
        for vertex in surface.vertices() {
            assert!(sphere(mesh.positions()[vertex.index()]).abs() < 1e-7);
        }
        let around = vertex_vertices(mesh.positions().len(), mesh.tets());
        assert!((0..mesh.positions().len()).all(|v| around[VertexId::new(v)].len() >= 3));
        assert_eq!(components(mesh.positions().len(), mesh.tets()).count, 1);
    }

    #[test]
    fn the_surface_alone_is_the_surface_of_the_tets() {
        let filling = Filling::new(cube(1.0), 0.15);
        let mesh = filling.tets(sphere).unwrap();
        let of_tets = Surface::of(&mesh).to_mesh(mesh.positions()).unwrap();
        let alone = filling.surface(sphere).unwrap();
        assert_eq!(alone.positions(), of_tets.positions());
        assert_eq!(alone.triangles(), of_tets.triangles());
    }

    #[test]
    fn the_mesh_is_the_same_at_any_thread_count() {
        let fill = || Filling::new(cube(1.0), 0.15).tets(sphere).unwrap();
        let with =
            |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(fill);
        assert_eq!(with(1), with(3));
    }

    #[test]
    fn what_cannot_be_filled_says_why() {
        let filling = Filling::new(cube(1.0), 0.25);
        assert_eq!(filling.tets(|_| 1.0), Err(FillError::Nothing { cell: 0.25 }));
        assert!(matches!(filling.tets(|p| p.norm() - 9.0), Err(FillError::BeyondBounds { .. })));
        assert!(matches!(filling.tets(|_| f64::NAN), Err(FillError::NonFinite { .. })));
        let fine = Filling::new(cube(1.0), 1e-6).tets(sphere).unwrap_err();
        assert!(matches!(fine, FillError::TooManyCells { limit: Filling::MAX_CELLS, .. }), "{fine}");
        for cell in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(matches!(Filling::new(cube(1.0), cell).tets(sphere), Err(FillError::Settings { .. })));
        }
        assert!(matches!(Filling::new(Aabb::EMPTY, 0.1).tets(sphere), Err(FillError::Settings { .. })));
    }
}
