use super::*;
use crate::{components, implicit, vertex_vertices};
use proptest::prelude::*;
use std::collections::HashMap;

/// The bounds on dihedral angles, which the test of the stencils tries to its limits.
pub(super) const LOW: f64 = 10.5;
pub(super) const HIGH: f64 = 164.9;

fn cube(half: f64) -> Aabb {
    Aabb { min: Vec3::repeat(-half), max: Vec3::repeat(half) }
}

fn sphere(p: Vec3) -> f64 {
    p.norm() - 1.0
}

/// The smallest and largest dihedral angle of a tet, degrees.
pub(super) fn tet_angles(p: [Vec3; 4]) -> (f64, f64) {
    const EDGES: [[usize; 4]; 6] =
        [[0, 1, 2, 3], [0, 2, 1, 3], [0, 3, 1, 2], [1, 2, 0, 3], [1, 3, 0, 2], [2, 3, 0, 1]];
    let angles = EDGES.map(|[i, j, k, l]| {
        let edge = (p[j] - p[i]).normalize();
        let across = |q: Vec3| (q - p[i]) - edge * edge.dot(&(q - p[i]));
        across(p[k]).angle(&across(p[l])).to_degrees()
    });
    angles.iter().fold((180.0, 0.0), |(low, high), a| (f64::min(low, *a), f64::max(high, *a)))
}

/// The smallest and largest dihedral angle of a mesh, degrees.
pub(crate) fn dihedral_angles(mesh: &TetMesh) -> (f64, f64) {
    let each = mesh.tets().iter().map(|tet| tet_angles(tet.map(|v| mesh.positions()[v.index()])));
    each.fold((180.0, 0.0), |(low, high), (l, h)| (f64::min(low, l), f64::max(high, h)))
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

pub(crate) fn volume(mesh: &TetMesh) -> f64 {
    (0..mesh.tets().len()).map(|t| mesh.volume(supple_model::ElementId::new(t))).sum()
}

pub(crate) fn assert_sound(mesh: &TetMesh) {
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

/// A solid that wriggles faster than the lattice resolves meets every stencil in every way.
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
    let with = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(fill);
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
