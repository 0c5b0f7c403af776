//! Small bodies to pose.

use std::sync::Arc;
use supple_elastic::{
    Cloth, ElasticBody, Fabric, FreeVertices, Law, Material, Network, PoseReport, Poser, Solid, SpringMass,
    SpringMaterial, SpringStiffness, Springs, Voxels,
};
use supple_mesh::{TriMesh, Vec3, VoxelMesh, shapes::box_mesh};
use supple_model::{Progress, VertexId};

pub fn material(law: Law) -> Material {
    Material { law, young: 1e5, poisson: 0.3, density: 1000.0 }
}

pub fn voxels(size: Vec3, cells: [usize; 3], material: Material) -> Arc<ElasticBody> {
    let [nx, ny, nz] = cells;
    let edge = size.component_div(&Vec3::from(cells.map(|n| n as f64)));
    let places: Vec<_> = (0..nx * ny * nz).map(|c| [c % nx, c / nx % ny, c / nx / ny]).collect();
    Arc::new(Voxels::new(VoxelMesh::of_cells(Vec3::zeros(), edge, &places).unwrap(), material, &[]).unwrap())
}

pub fn tets(size: Vec3, cells: [usize; 3], material: Material) -> Arc<ElasticBody> {
    Arc::new(Solid::new(box_mesh(size, cells).unwrap(), material, &[]).unwrap())
}

/// A sheet in the plane y = 0, `cells` squares along x and z.
pub fn cloth(size: [f64; 2], cells: [usize; 2]) -> Arc<ElasticBody> {
    let [nx, nz] = cells;
    let place = |v: usize| {
        let (i, k) = (v % (nx + 1), v / (nx + 1));
        Vec3::new(size[0] * i as f64 / nx as f64, 0.0, size[1] * k as f64 / nz as f64)
    };
    let square = |cell: usize| {
        let low = cell % nx + (nx + 1) * (cell / nx);
        let [a, b, c, d] = [low, low + 1, low + nx + 2, low + nx + 1].map(VertexId::new);
        if cell.is_multiple_of(2) { [[a, b, d], [b, c, d]] } else { [[a, b, c], [a, c, d]] }
    };
    let positions = (0..(nx + 1) * (nz + 1)).map(place).collect();
    let mesh = TriMesh::new(positions, (0..nx * nz).flat_map(square).collect()).unwrap();
    let fabric =
        Fabric { young: 1e5, poisson: 0.3, thickness: 0.01, density: 500.0, shear: 1.0, bending: None };
    Arc::new(Cloth::new(mesh, fabric, &[]).unwrap())
}

/// The edges of a box of tets, as springs.
pub fn springs(size: Vec3, cells: [usize; 3]) -> Arc<ElasticBody> {
    let mesh = box_mesh(size, cells).unwrap();
    let network = Network::between_corners(mesh.positions().to_vec(), mesh.tets()).unwrap();
    Arc::new(Springs::new(network, SPRINGS, &[]).unwrap())
}

pub const SPRINGS: SpringMaterial =
    SpringMaterial { stiffness: SpringStiffness::ByLength(50.0), mass: SpringMass::PerLength(0.2) };

/// A beam along x of every kind, one metre long, that resists being turned into any shape.
pub fn all() -> Vec<(&'static str, Arc<ElasticBody>)> {
    let size = Vec3::new(1.0, 0.25, 0.2);
    vec![
        ("linear tets", tets(size, [6, 2, 2], material(Law::Linear))),
        ("StVK tets", tets(size, [6, 2, 2], material(Law::StVenantKirchhoff))),
        ("Neo-Hookean tets", tets(size, [6, 2, 2], material(Law::NeoHookean))),
        ("StVK voxels", voxels(size, [6, 2, 2], material(Law::StVenantKirchhoff))),
        ("Neo-Hookean voxels", voxels(size, [6, 2, 2], material(Law::NeoHookean))),
        ("cloth", cloth([1.0, 0.5], [6, 3])),
        ("springs", springs(size, [6, 2, 2])),
    ]
}

/// The vertices at places that pass a test.
pub fn at(body: &ElasticBody, test: impl Fn(&Vec3) -> bool) -> Vec<VertexId> {
    let positions = body.positions();
    (0..positions.len()).filter(|&v| test(&positions[v])).map(VertexId::new).collect()
}

/// A poser of a body held where `test` passes.
pub fn poser(body: &Arc<ElasticBody>, test: impl Fn(&Vec3) -> bool) -> Poser {
    let free = FreeVertices::except(body.positions().len(), &at(body, test)).unwrap();
    Poser::new(body.clone(), free).unwrap()
}

/// `force` shared by these vertices.
pub fn load_on(body: &ElasticBody, vertices: &[VertexId], force: Vec3) -> Vec<f64> {
    let mut load = vec![0.0; 3 * body.positions().len()];
    for v in vertices {
        for c in 0..3 {
            load[3 * v.index() + c] += force[c] / vertices.len() as f64;
        }
    }
    load
}

/// The weight of a body under this acceleration.
pub fn weight(body: &ElasticBody, acceleration: Vec3) -> Vec<f64> {
    body.masses().iter().flat_map(|m| (acceleration * *m).data.0[0]).collect()
}

pub fn solve(poser: &mut Poser, load: &[f64]) -> PoseReport {
    poser.set_load(load).unwrap();
    let report = poser.solve(&Progress::silent()).unwrap();
    for step in &report.steps {
        let size = step.potential.iter().fold(0.0_f64, |m, p| m.max(p.abs()));
        assert!(step.potential.windows(2).all(|w| w[1] <= w[0] + 1e-12 * size), "{:?}", step.potential);
    }
    report
}

/// [`solve`] for a load that must be carried.
pub fn solved(poser: &mut Poser, load: &[f64]) -> PoseReport {
    let report = solve(poser, load);
    assert!(report.status.is_solved() && report.fraction == 1.0, "{report:?}");
    report
}

pub fn displacement(u: &[f64], v: VertexId) -> Vec3 {
    Vec3::from_column_slice(&u[3 * v.index()..3 * v.index() + 3])
}

/// The mean displacement of these vertices.
pub fn mean(u: &[f64], vertices: &[VertexId]) -> Vec3 {
    vertices.iter().map(|&v| displacement(u, v)).sum::<Vec3>() / vertices.len() as f64
}

pub fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |m, v| m.max(v.abs()))
}

/// The largest difference of two poses.
pub fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |m, (a, b)| m.max((a - b).abs()))
}

/// Reproducible numbers in −1…1.
pub fn noise(count: usize, mut seed: u64) -> Vec<f64> {
    let mut next = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / 2f64.powi(52) - 1.0
    };
    (0..count).map(|_| next()).collect()
}
