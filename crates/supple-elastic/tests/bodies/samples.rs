//! Small bodies and displacements to test with.

use nalgebra::{Matrix3, Rotation3};
use std::sync::Arc;
use supple_elastic::{
    Cloth, ElasticBody, Fabric, Law, Material, Network, Solid, SpringMass, SpringMaterial, SpringStiffness,
    Springs, Voxels,
};
use supple_mesh::{TetMesh, TriMesh, Vec3, VoxelMesh};
use supple_model::VertexId;

pub const LAWS: [Law; 3] = [Law::Linear, Law::StVenantKirchhoff, Law::NeoHookean];

pub fn material(law: Law) -> Material {
    Material { law, young: 3e4, poisson: 0.4, density: 700.0 }
}

pub fn fabric() -> Fabric {
    Fabric { young: 3e4, poisson: 0.3, thickness: 0.02, density: 700.0, shear: 1.0, bending: None }
}

pub fn spring_material() -> SpringMaterial {
    SpringMaterial { stiffness: SpringStiffness::ByLength(50.0), mass: SpringMass::PerLength(0.2) }
}

/// Reproducible numbers in −1…1.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / 2f64.powi(52) - 1.0
    }

    pub fn vector(&mut self) -> Vec3 {
        Vec3::from_fn(|_, _| self.next())
    }
}

/// The corners of `cells`³ cubes of edge 0.5, along x first, then y, then z, whose inner vertices are moved
/// at random, so that no two elements are alike. The first vertex is at (1, 2, 3).
fn box_positions(cells: usize) -> Vec<Vec3> {
    let side = cells + 1;
    let mut random = Random(7);
    let place = |v: usize| {
        let at = [v % side, v / side % side, v / side / side];
        let inside = at.iter().all(|&c| c > 0 && c < cells);
        let jitter = if inside { random.vector() * 0.1 } else { Vec3::zeros() };
        Vec3::new(1.0, 2.0, 3.0) + Vec3::from(at.map(|c| c as f64)) * 0.5 + jitter
    };
    (0..side.pow(3)).map(place).collect()
}

fn box_vertex(cells: usize, [i, j, k]: [usize; 3]) -> VertexId {
    VertexId::new(i + (cells + 1) * (j + (cells + 1) * k))
}

fn box_cells(cells: usize) -> impl Iterator<Item = [usize; 3]> {
    (0..cells.pow(3)).map(move |cell| [cell % cells, cell / cells % cells, cell / cells / cells])
}

/// The box of cubes, six tets each.
pub fn irregular_box(cells: usize) -> TetMesh {
    // The six orders in which a path from one corner of a cube to the opposite one takes the axes.
    let paths = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];
    let mut tets = Vec::new();
    for origin in box_cells(cells) {
        for (p, path) in paths.iter().enumerate() {
            let mut at = origin;
            let mut corners = [box_vertex(cells, at); 4];
            for (step, &axis) in path.iter().enumerate() {
                at[axis] += 1;
                corners[step + 1] = box_vertex(cells, at);
            }
            if p >= 3 {
                corners.swap(2, 3);
            }
            tets.push(corners);
        }
    }
    TetMesh::new(box_positions(cells), tets).expect("a valid mesh")
}

/// The box of cubes as it is.
pub fn irregular_voxels(cells: usize) -> VoxelMesh {
    let corners = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]];
    let voxel = |[i, j, k]: [usize; 3]| corners.map(|[x, y, z]| box_vertex(cells, [i + x, j + y, k + z]));
    VoxelMesh::new(box_positions(cells), box_cells(cells).map(voxel).collect()).expect("a valid mesh")
}

/// A sheet of `cells`² squares of edge 0.5, two triangles each, cut along changing diagonals, its inner
/// vertices moved at random; lifted to z = `height`(x, y).
pub fn irregular_sheet(cells: usize, height: impl Fn(f64, f64) -> f64) -> TriMesh {
    let side = cells + 1;
    let mut random = Random(11);
    let place = |v: usize| {
        let at = [v % side, v / side];
        let inside = at.iter().all(|&c| c > 0 && c < cells);
        let jitter = if inside { random.vector() * 0.1 } else { Vec3::zeros() };
        let (x, y) = (at[0] as f64 * 0.5 + jitter.x, at[1] as f64 * 0.5 + jitter.y);
        Vec3::new(x, y, height(x, y))
    };
    let positions = (0..side.pow(2)).map(place).collect();
    let triangles = (0..cells.pow(2)).flat_map(|cell| {
        let low = cell % cells + side * (cell / cells);
        let [a, b, c, d] = [low, low + 1, low + side + 1, low + side].map(VertexId::new);
        if cell % 3 == 0 { [[a, b, d], [b, c, d]] } else { [[a, b, c], [a, c, d]] }
    });
    TriMesh::new(positions, triangles.collect()).expect("a valid mesh")
}

pub fn irregular_solid(cells: usize, law: Law) -> Solid {
    Solid::new(irregular_box(cells), material(law), &[]).expect("a valid solid")
}

/// The box under one law, of tets and of voxels.
pub fn irregular_solids(cells: usize, law: Law) -> [Arc<ElasticBody>; 2] {
    let voxels = Voxels::new(irregular_voxels(cells), material(law), &[]).expect("a valid solid");
    [Arc::new(irregular_solid(cells, law)), Arc::new(voxels)]
}

/// A cloth that is curved at rest, with a fin sewn on along an inner edge and a triangle turned over.
pub fn irregular_cloth(cells: usize) -> Cloth {
    let sheet = irregular_sheet(cells, |x, y| 0.3 * (2.0 * x).sin() + 0.2 * x * y);
    let (mut positions, mut triangles) = (sheet.positions().to_vec(), sheet.triangles().to_vec());
    let seam = [cells + 2, 2 * cells + 3].map(VertexId::new);
    assert!(triangles.iter().filter(|t| seam.iter().all(|v| t.contains(v))).count() == 2, "an inner edge");
    let [a, b] = seam.map(|v| positions[v.index()]);
    triangles.push([seam[0], seam[1], VertexId::new(positions.len())]);
    triangles[5].swap(0, 1);
    positions.push((a + b) / 2.0 + Vec3::new(0.1, 0.05, 0.4));
    let mesh = TriMesh::new(positions, triangles).expect("a valid mesh");
    Cloth::new(mesh, fabric(), &[]).expect("a valid cloth")
}

/// Springs along the edges of the tets of a box.
pub fn irregular_springs(cells: usize) -> Springs {
    let mesh = irregular_box(cells);
    let network = Network::between_corners(mesh.positions().to_vec(), mesh.tets()).expect("a valid network");
    Springs::new(network, spring_material(), &[]).expect("valid springs")
}

/// Every kind of body that turns without resistance, with its name.
pub fn turnable(cells: usize) -> Vec<(String, Arc<ElasticBody>)> {
    let mut bodies: Vec<(String, Arc<ElasticBody>)> = Vec::new();
    for law in [Law::StVenantKirchhoff, Law::NeoHookean] {
        let [tets, voxels] = irregular_solids(cells, law);
        bodies.extend([(format!("tets, {law:?}"), tets), (format!("voxels, {law:?}"), voxels)]);
    }
    bodies.push(("cloth".into(), Arc::new(irregular_cloth(cells))));
    bodies.push(("springs".into(), Arc::new(irregular_springs(cells))));
    bodies
}

/// Every kind of body, with its name.
pub fn all(cells: usize) -> Vec<(String, Arc<ElasticBody>)> {
    let [tets, voxels] = irregular_solids(cells, Law::Linear);
    let mut bodies = vec![("tets, linear".into(), tets), ("voxels, linear".into(), voxels)];
    bodies.extend(turnable(cells));
    bodies
}

/// The displacement that takes every x to F x + shift.
pub fn affine(body: &ElasticBody, F: &Matrix3<f64>, shift: &Vec3) -> Vec<f64> {
    body.positions().iter().flat_map(|x| (F * x + shift - x).data.0[0]).collect()
}

/// Every vertex moved at random by at most `size` along each axis.
pub fn noise(body: &ElasticBody, size: f64, seed: u64) -> Vec<f64> {
    let mut random = Random(seed);
    (0..3 * body.positions().len()).map(|_| size * random.next()).collect()
}

pub fn rest(body: &ElasticBody) -> Vec<f64> {
    vec![0.0; 3 * body.positions().len()]
}

pub fn rotation() -> Matrix3<f64> {
    Rotation3::from_euler_angles(0.7, -2.1, 1.3).into_inner()
}

pub fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |m, v| m.max(v.abs()))
}
