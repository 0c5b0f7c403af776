//! Small bodies, and ways to let them move.

use std::sync::Arc;
use supple_elastic::{
    Cloth, Damping, ElasticBody, Fabric, FreeVertices, Integrator, Law, Material, Network, Simulation,
    SimulationSettings, Solid, SpringMass, SpringMaterial, SpringStiffness, Springs, StepReport, Voxels,
};
use supple_mesh::{Obstacle, ObstacleShape, TriMesh, Vec3, VoxelMesh, shapes::box_mesh};
use supple_model::{Progress, VertexId};

pub fn material(law: Law) -> Material {
    Material { law, young: 1e5, poisson: 0.3, density: 1000.0 }
}

/// A box of tets from the origin to `size`.
pub fn solid(size: [f64; 3], cells: [usize; 3], material: Material) -> Arc<ElasticBody> {
    Arc::new(Solid::new(box_mesh(size.into(), cells).unwrap(), material, &[]).unwrap())
}

/// A beam of one metre along x, and its vertices at x = 0.
pub fn beam(law: Law) -> (Arc<ElasticBody>, Vec<VertexId>) {
    let body = solid([1.0, 0.1, 0.1], [10, 2, 2], material(law));
    let wall = vertices_where(&body, |x| x.x == 0.0);
    (body, wall)
}

/// A square sheet of one metre in the plane z = 0.
pub fn sheet(cells: usize) -> Arc<ElasticBody> {
    let side = cells + 1;
    let at = |i: usize| i as f64 / cells as f64;
    let positions = (0..side * side).map(|v| Vec3::new(at(v % side), at(v / side), 0.0)).collect();
    let triangles = (0..cells * cells).flat_map(|cell| {
        let low = cell % cells + side * (cell / cells);
        let [a, b, c, d] = [low, low + 1, low + side + 1, low + side].map(VertexId::new);
        if cell % 2 == 0 { [[a, b, d], [b, c, d]] } else { [[a, b, c], [a, c, d]] }
    });
    let fabric =
        Fabric { young: 1e5, poisson: 0.3, thickness: 0.01, density: 200.0, shear: 1.0, bending: None };
    let mesh = TriMesh::new(positions, triangles.collect()).unwrap();
    Arc::new(Cloth::new(mesh, fabric, &[]).unwrap())
}

/// A cube of 0.2 m, of every kind that a body may be made of.
pub fn cubes() -> Vec<(&'static str, Arc<ElasticBody>)> {
    let mesh = box_mesh(Vec3::repeat(0.2), [2, 2, 2]).unwrap();
    let corner = |[i, j, k]: [usize; 3]| VertexId::new(i + 3 * (j + 3 * k));
    let ring = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]];
    let voxel = |n: usize| {
        let low = [n % 2, n / 2 % 2, n / 4];
        ring.map(|at| corner([low[0] + at[0], low[1] + at[1], low[2] + at[2]]))
    };
    let voxels = VoxelMesh::new(mesh.positions().to_vec(), (0..8).map(voxel).collect()).unwrap();
    let network = Network::between_corners(mesh.positions().to_vec(), mesh.tets()).unwrap();
    let springs =
        SpringMaterial { stiffness: SpringStiffness::PerSpring(3e3), mass: SpringMass::PerVertex(0.3) };
    vec![
        ("StVK", solid([0.2; 3], [2; 3], material(Law::StVenantKirchhoff))),
        ("Neo-Hookean", solid([0.2; 3], [2; 3], material(Law::NeoHookean))),
        ("voxels", Arc::new(Voxels::new(voxels, material(Law::NeoHookean), &[]).unwrap())),
        ("springs", Arc::new(Springs::new(network, springs, &[]).unwrap())),
    ]
}

pub fn vertices_where(body: &ElasticBody, test: impl Fn(&Vec3) -> bool) -> Vec<VertexId> {
    let chosen = body.positions().iter().enumerate().filter(|(_, x)| test(x));
    chosen.map(|(v, _)| VertexId::new(v)).collect()
}

/// Every vertex, as points that collide.
pub fn all_vertices(body: &ElasticBody) -> Vec<Vec<(VertexId, f64)>> {
    vertices_where(body, |_| true).into_iter().map(|v| vec![(v, 1.0)]).collect()
}

pub fn free(body: &ElasticBody) -> FreeVertices {
    FreeVertices::all(body.positions().len())
}

pub fn settings(seconds_per_step: f64) -> SimulationSettings {
    SimulationSettings { seconds_per_step, ..SimulationSettings::default() }
}

pub fn weightless(seconds_per_step: f64) -> SimulationSettings {
    SimulationSettings { gravity: [0.0; 3], ..settings(seconds_per_step) }
}

pub fn damped(settings: SimulationSettings, mass: f64, stiffness: f64) -> SimulationSettings {
    SimulationSettings { damping: Damping { mass, stiffness }, ..settings }
}

pub fn euler(settings: SimulationSettings) -> SimulationSettings {
    SimulationSettings { integrator: Integrator::ImplicitEuler, ..settings }
}

pub fn floor(height: f64, friction: f64) -> Obstacle {
    Obstacle::new(ObstacleShape::Floor { height, up: Vec3::y() }, friction).unwrap()
}

/// Numbers of all vertices, from one vector each.
pub fn field(body: &ElasticBody, at: impl Fn(&Vec3) -> Vec3) -> Vec<f64> {
    body.positions().iter().flat_map(|x| at(x).data.0[0]).collect()
}

/// Where the vertices are.
pub fn positions(simulation: &Simulation) -> Vec<Vec3> {
    let displaced = simulation.displacement().chunks_exact(3);
    let rest = simulation.body().positions();
    rest.iter().zip(displaced).map(|(x, u)| x + Vec3::from_column_slice(u)).collect()
}

/// The mean of what vertices have, by mass.
pub fn mean(body: &ElasticBody, values: &[f64]) -> Vec3 {
    let total: f64 = body.masses().iter().sum();
    let weighted = body.masses().iter().zip(values.chunks_exact(3));
    weighted.map(|(m, x)| Vec3::from_column_slice(x) * *m).sum::<Vec3>() / total
}

/// A step with nothing but gravity, anchors where they are.
pub fn step(simulation: &mut Simulation) -> StepReport {
    let nothing = vec![0.0; simulation.displacement().len()];
    let anchors = simulation.displacement().to_vec();
    simulation.step(&nothing, &anchors, &Progress::silent()).unwrap()
}

/// Several of them.
pub fn steps(simulation: &mut Simulation, count: usize) {
    for _ in 0..count {
        step(simulation);
    }
}

pub fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |m, v| m.max(v.abs()))
}
