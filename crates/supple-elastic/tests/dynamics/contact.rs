//! Bodies that lie on something.

use crate::dynamics::samples::{
    all_vertices, cubes, damped, euler, field, floor, free, largest, mean, positions, settings, sheet, step,
    steps, vertices_where,
};
use supple_elastic::Simulation;
use supple_mesh::{Obstacle, ObstacleMesh, ObstacleShape, TriMesh, Vec3};
use supple_model::{ContactKind, VertexId};

#[test]
fn a_body_at_rest_on_the_floor_stays_and_the_floor_bears_its_weight() {
    for (kind, body) in cubes() {
        for settings in [settings(1.0 / 48.0), euler(settings(1.0 / 48.0))] {
            let mut simulation = Simulation::new(body.clone(), free(&body), damped(settings, 4.0, 0.01))
                .unwrap()
                .with_obstacles(vec![floor(0.0, 0.5)], all_vertices(&body))
                .unwrap();
            steps(&mut simulation, 300);
            let settled = simulation.displacement().to_vec();
            steps(&mut simulation, 200);
            let drift: Vec<f64> =
                simulation.displacement().iter().zip(&settled).map(|(a, b)| a - b).collect();
            assert!(largest(&drift) < 1e-6 * 0.2, "{kind}: {}", largest(&drift));
            assert!(largest(simulation.velocity()) < 1e-6, "{kind}: {}", largest(simulation.velocity()));
            let touching: Vec<_> = simulation.contacts().iter().map(|c| VertexId::new(c.point)).collect();
            assert_eq!(touching, vertices_where(&body, |x| x.y == 0.0), "{kind}");
            assert!(simulation.contacts().iter().all(|c| c.kind == ContactKind::Stick), "{kind}");
            let borne: Vec3 = simulation.contacts().iter().map(|c| Vec3::from(c.force)).sum();
            let weight = 9.81 * body.masses().iter().sum::<f64>();
            assert!((borne - Vec3::y() * weight).norm() < 1e-4 * weight, "{kind}: {borne} for {weight}");
            let lowest = positions(&simulation).iter().map(|x| x.y).fold(0.0, f64::min);
            assert!(lowest > -1e-5, "{kind}: {lowest}");
        }
    }
}

#[test]
fn a_sheet_draped_over_a_ball_does_not_enter_it() {
    let body = sheet(10);
    let ball = ObstacleShape::Sphere { center: Vec3::new(0.5, 0.5, -0.35), radius: 0.3 };
    let ball = Obstacle::new(ball, 0.3).unwrap();
    let mut settings = damped(settings(1.0 / 48.0), 1.0, 0.002);
    settings.gravity = [0.0, 0.0, -9.81];
    let mut simulation = Simulation::new(body.clone(), free(&body), settings)
        .unwrap()
        .with_obstacles(vec![ball.clone()], all_vertices(&body))
        .unwrap();
    let (mut most, mut iterations) = (0, 0);
    for _ in 0..60 {
        iterations += step(&mut simulation).iterations;
        let deepest = positions(&simulation).iter().map(|x| ball.distance(x)).fold(0.0, f64::min);
        assert!(deepest > -1e-4, "{deepest} at {} s", simulation.time());
        most = most.max(simulation.contacts().len());
    }
    assert!(most > 8, "it lies on the ball with {most} vertices");
    assert!(iterations < 10 * 60, "{iterations} iterations: planes have to be found softly");
    let corner = positions(&simulation)[0];
    assert!(corner.z < -0.2, "it hangs down around it: {corner}");
}

#[test]
fn a_body_pushed_into_a_corner_leans_on_both_sides() {
    let (_, body) = cubes().swap_remove(1);
    let wall = Obstacle::new(ObstacleShape::Floor { height: 0.0, up: Vec3::x() }, 0.0).unwrap();
    let mut settings = damped(settings(1.0 / 48.0), 4.0, 0.01);
    settings.gravity = [-5.0, -9.81, 0.0];
    let mut simulation = Simulation::new(body.clone(), free(&body), settings)
        .unwrap()
        .with_obstacles(vec![floor(0.0, 0.0), wall], all_vertices(&body))
        .unwrap();
    let start = field(&body, |_| Vec3::new(0.05, 0.1, 0.0));
    simulation.set_state(&start, &field(&body, |_| Vec3::zeros())).unwrap();
    steps(&mut simulation, 300);
    let mass: f64 = body.masses().iter().sum();
    let borne: Vec3 = simulation.contacts().iter().map(|c| Vec3::from(c.force)).sum();
    assert!((borne - Vec3::new(5.0, 9.81, 0.0) * mass).norm() < 1e-3 * mass, "{borne}");
    // The edge in the corner touches both.
    let twice = simulation.contacts().windows(2).filter(|pair| pair[0].point == pair[1].point).count();
    assert_eq!(twice, 3);
    assert!(simulation.contacts().iter().all(|c| c.kind == ContactKind::Slide), "without friction");
}

#[test]
fn a_body_comes_down_stairs_without_entering_them() {
    // Three steps of 0.2 m, y up; as one closed mesh, with concave corners.
    let profile =
        [[0.0, 0.0], [0.6, 0.0], [0.6, 0.2], [0.4, 0.2], [0.4, 0.4], [0.2, 0.4], [0.2, 0.6], [0.0, 0.6]];
    let corners: Vec<Vec3> =
        [-0.5, 0.7].iter().flat_map(|&z| profile.map(|[x, y]| Vec3::new(x, y, z))).collect();
    let mut triangles = Vec::new();
    for i in 0..8 {
        let j = (i + 1) % 8;
        triangles.extend([[i, j, j + 8], [i, j + 8, i + 8]]);
    }
    for [a, b, c] in [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5], [0, 5, 6], [0, 6, 7]] {
        triangles.extend([[a, c, b], [a + 8, b + 8, c + 8]]);
    }
    let triangles = triangles.into_iter().map(|t| t.map(VertexId::new)).collect();
    let mesh = ObstacleMesh::new(&TriMesh::new(corners, triangles).unwrap()).unwrap();
    let stairs = Obstacle::new(ObstacleShape::Mesh(mesh), 0.2).unwrap();
    assert!(
        stairs.distance(&Vec3::new(0.1, 0.3, 0.0)) < 0.0 && stairs.distance(&Vec3::new(0.5, 0.5, 0.0)) > 0.0
    );

    let (_, body) = cubes().swap_remove(1);
    let mut simulation = Simulation::new(body.clone(), free(&body), damped(settings(1.0 / 48.0), 0.0, 0.002))
        .unwrap()
        .with_obstacles(vec![stairs.clone(), floor(0.0, 0.2)], all_vertices(&body))
        .unwrap();
    let thrown = field(&body, |_| Vec3::new(1.5, 0.0, 0.2));
    simulation.set_state(&field(&body, |_| Vec3::new(0.02, 0.62, 0.0)), &thrown).unwrap();
    for _ in 0..96 {
        step(&mut simulation);
        let deepest = positions(&simulation).iter().map(|x| stairs.distance(x)).fold(0.0, f64::min);
        assert!(deepest > -1e-3, "{deepest} at {} s", simulation.time());
    }
    let place = mean(&body, simulation.displacement());
    assert!(place.x > 0.3 && place.y < 0.35, "it came down: {place}");
}
