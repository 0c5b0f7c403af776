//! Points of a fine body that ride on a coarse cage of voxels collide in the stead of its vertices.

use crate::dynamics::samples::{damped, euler, floor, free, largest, material, mean, settings, step, steps};
use std::sync::Arc;
use supple_elastic::{
    ElasticBody, FreeVertices, Law, Material, Simulation, SimulationError, SimulationSettings, Voxels,
};
use supple_mesh::{Vec3, VoxelMesh, shapes::box_mesh};
use supple_model::{ContactKind, VertexId};

type Weights = Vec<(VertexId, f64)>;

/// Voxels of 0.1 m from the origin on.
#[derive(Clone, Copy)]
struct Cage([usize; 3]);

impl Cage {
    fn corner(&self, [i, j, k]: [usize; 3]) -> VertexId {
        let Self([x, y, _]) = *self;
        VertexId::new(i + (x + 1) * (j + (y + 1) * k))
    }

    fn body(&self, material: Material) -> Arc<ElasticBody> {
        let Self([x, y, z]) = *self;
        let ring = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]];
        let voxel = |n: usize| {
            let low = [n % x, n / x % y, n / x / y];
            ring.map(|at| self.corner([low[0] + at[0], low[1] + at[1], low[2] + at[2]]))
        };
        let grid = box_mesh(Vec3::new(x as f64, y as f64, z as f64) * 0.1, [x, y, z]).unwrap();
        let mesh = VoxelMesh::new(grid.positions().to_vec(), (0..x * y * z).map(voxel).collect()).unwrap();
        Arc::new(Voxels::new(mesh, material, &[]).unwrap())
    }

    /// The corners that carry a place, with trilinear weights.
    fn weights(&self, place: &Vec3) -> Weights {
        let low = [0, 1, 2].map(|c| ((place[c] / 0.1) as usize).min(self.0[c] - 1));
        let part = [0, 1, 2].map(|c| place[c] / 0.1 - low[c] as f64);
        let corner = |n: usize| {
            let high = [n % 2, n / 2 % 2, n / 4];
            let weight = (0..3).map(|c| if high[c] == 1 { part[c] } else { 1.0 - part[c] }).product();
            (self.corner([low[0] + high[0], low[1] + high[1], low[2] + high[2]]), weight)
        };
        (0..8).map(corner).collect()
    }

    /// The surface of a box that the cage surrounds by 3 cm, `side` × `side` points on each of its faces.
    fn skin(&self, side: usize) -> Vec<Vec3> {
        let size = self.0.map(|n| 0.1 * n as f64);
        let at = |c: usize, n: usize| 0.03 + (size[c] - 0.06) * n as f64 / (side - 1) as f64;
        let place = |n: usize| [n % side, n / side % side, n / side / side];
        let places = (0..side.pow(3)).map(place).filter(|n| n.iter().any(|k| *k == 0 || *k == side - 1));
        places.map(|n| Vec3::new(at(0, n[0]), at(1, n[1]), at(2, n[2]))).collect()
    }
}

/// Where a point is.
fn place(simulation: &Simulation, weights: &Weights) -> Vec3 {
    let vertex = |v: VertexId| {
        let u = &simulation.displacement()[3 * v.index()..];
        simulation.body().positions()[v.index()] + Vec3::new(u[0], u[1], u[2])
    };
    weights.iter().map(|(v, w)| vertex(*v) * *w).sum()
}

#[test]
fn a_body_in_a_cage_rests_on_its_own_points() {
    let cage = Cage([2; 3]);
    let body = cage.body(material(Law::NeoHookean));
    let skin = cage.skin(9);
    let points: Vec<Weights> = skin.iter().map(|x| cage.weights(x)).collect();
    assert_eq!(points.len(), 9 * 9 * 9 - 7 * 7 * 7);
    for settings in [settings(1.0 / 48.0), euler(settings(1.0 / 48.0))] {
        let mut simulation = Simulation::new(body.clone(), free(&body), damped(settings, 4.0, 0.01))
            .unwrap()
            .with_obstacles(vec![floor(0.0, 0.5)], points.clone())
            .unwrap();
        steps(&mut simulation, 200);
        let settled = simulation.displacement().to_vec();
        steps(&mut simulation, 100);
        let drift: Vec<f64> = simulation.displacement().iter().zip(&settled).map(|(a, b)| a - b).collect();
        assert!(largest(&drift) < 1e-6 * 0.2, "{}", largest(&drift));
        // The points are on the floor, the cage is below it.
        let heights: Vec<f64> = points.iter().map(|p| place(&simulation, p).y).collect();
        let lowest = heights.iter().copied().fold(f64::INFINITY, f64::min);
        assert!(lowest.abs() < 1e-5, "{lowest}");
        assert!(simulation.contacts().len() > 20, "{}", simulation.contacts().len());
        for contact in simulation.contacts() {
            assert!(skin[contact.point].y == 0.03 && heights[contact.point].abs() < 1e-5);
            assert_eq!(contact.kind, ContactKind::Stick);
        }
        assert!(simulation.displacement()[1] < -0.02, "{}", simulation.displacement()[1]);
        let borne: Vec3 = simulation.contacts().iter().map(|c| Vec3::from(c.force)).sum();
        let weight = 9.81 * body.masses().iter().sum::<f64>();
        assert!((borne - Vec3::y() * weight).norm() < 1e-4 * weight, "{borne} for {weight}");
    }
}

/// A flat block in a cage on a slope, settled a little.
fn block_on_slope(slope: f64, friction: f64, settings: SimulationSettings) -> Simulation {
    let cage = Cage([4, 1, 4]);
    let body = cage.body(Material { law: Law::StVenantKirchhoff, young: 1e6, poisson: 0.2, density: 1000.0 });
    let mut settings = damped(settings, 0.0, 0.005);
    settings.gravity = [9.81 * slope.sin(), -9.81 * slope.cos(), 0.0];
    let points = cage.skin(8).iter().map(|x| cage.weights(x)).collect();
    let mut simulation = Simulation::new(body.clone(), free(&body), settings)
        .unwrap()
        .with_obstacles(vec![floor(0.03, friction)], points)
        .unwrap();
    steps(&mut simulation, 40);
    simulation
}

#[test]
fn points_obey_the_law_of_friction() {
    for settings in [settings(1.0 / 96.0), euler(settings(1.0 / 96.0))] {
        let mut sticks = block_on_slope(f64::atan(0.4), 0.5, settings);
        let body = sticks.body().clone();
        let before = mean(&body, sticks.displacement());
        steps(&mut sticks, 96);
        let way = (mean(&body, sticks.displacement()) - before).norm();
        assert!(way < 1e-6, "{:?}: {way} m in a second", settings.integrator);

        let slope = f64::atan(0.8);
        let mut slides = block_on_slope(slope, 0.5, settings);
        let before = mean(&body, slides.velocity());
        steps(&mut slides, 96);
        let gained = (mean(&body, slides.velocity()) - before).x;
        let expected = 9.81 * (slope.sin() - 0.5 * slope.cos());
        let error = (gained / expected - 1.0).abs();
        assert!(error < 0.02, "{:?}: {gained} not {expected}", settings.integrator);
    }
}

#[test]
fn a_point_may_ride_on_anchors_too() {
    let cage = Cage([2, 1, 1]);
    let body = cage.body(material(Law::NeoHookean));
    // The left end is held; the middle of the left voxel rides on four anchors and four free corners.
    let wall = [[0, 0, 0], [0, 1, 0], [0, 0, 1], [0, 1, 1]].map(|at| cage.corner(at));
    let held = FreeVertices::except(12, &wall).unwrap();
    let points = vec![vec![(wall[0], 1.0)], cage.weights(&Vec3::new(0.05, 0.0, 0.05))];
    let mut simulation = Simulation::new(body, held, damped(settings(0.01), 4.0, 0.01))
        .unwrap()
        .with_obstacles(vec![floor(0.001, 0.0)], points.clone())
        .unwrap();
    steps(&mut simulation, 200);
    let report = step(&mut simulation);
    assert!(report.status.is_solved());
    // The anchor is inside and stays there, the point is brought out.
    assert_eq!(simulation.contacts().iter().map(|c| c.point).collect::<Vec<_>>(), [1]);
    let height = place(&simulation, &points[1]).y;
    assert!((height - 0.001).abs() < 1e-5, "{height}");
}

#[test]
fn points_that_cannot_be_are_named() {
    let cage = Cage([2, 1, 1]);
    let body = cage.body(material(Law::NeoHookean));
    let error = |point: Weights| {
        let simulation = Simulation::new(body.clone(), free(&body), settings(0.01)).unwrap();
        simulation.with_obstacles(Vec::new(), vec![vec![(VertexId(0), 1.0)], point]).unwrap_err()
    };
    let [left, right] = [cage.corner([0; 3]), cage.corner([2, 0, 0])];
    assert_eq!(error(Vec::new()), SimulationError::Weights { point: 1, sum: 0.0 });
    assert_eq!(error(vec![(left, 0.5)]), SimulationError::Weights { point: 1, sum: 0.5 });
    let infinite = error(vec![(left, f64::INFINITY), (right, f64::NEG_INFINITY)]);
    assert!(infinite.to_string().contains("point 1 must add up to 1, got NaN"), "{infinite}");
    let apart = SimulationError::Apart { point: 1, corners: [left, right] };
    assert_eq!(error(vec![(right, 0.5), (left, 0.5)]), apart);
    let missing = VertexId(12);
    assert_eq!(
        error(vec![(left, 0.5), (missing, 0.5)]),
        SimulationError::NoSuchVertex { vertex: missing, vertices: 12 }
    );
}
