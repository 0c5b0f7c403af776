//! Planes of floors, spheres and boxes, and of several obstacles.

use super::*;
use proptest::prelude::*;

pub(super) fn point(reach: f64) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-reach..reach).prop_map(Vec3::from)
}

/// The point in front of all planes that is nearest to `x`, by Dykstra's projections.
fn imposed(x: &Vec3, planes: &[ContactPlane]) -> Vec3 {
    let mut corrections = vec![Vec3::zeros(); planes.len()];
    let mut at = *x;
    for _ in 0..500 {
        for (plane, correction) in planes.iter().zip(&mut corrections) {
            let free = at + *correction;
            at = free - plane.normal * plane.distance(&free).min(0.0);
            *correction = free - at;
        }
    }
    at
}

/// Where a point that wants to go to `to` ends when planes are imposed and added until it enters
/// nothing: what a solver of contact does.
pub(super) fn settled(obstacle: &Obstacle, from: &Vec3, to: &Vec3, margin: f64) -> Vec3 {
    let mut planes = Vec::new();
    obstacle.near(from, margin, &mut planes);
    for _ in 0..100 {
        let end = imposed(to, &planes);
        match obstacle.entered(from, &end) {
            Some(plane) if plane.distance(&end) < -1e-7 => planes.push(plane),
            _ => return end,
        }
    }
    panic!("{from} to {to}: {} planes and still inside", planes.len());
}

fn solids() -> [Obstacle; 3] {
    let shapes = [
        ObstacleShape::Floor { height: 0.1, up: Vec3::new(0.3, 2.0, -0.1) },
        ObstacleShape::Sphere { center: Vec3::new(0.1, -0.2, 0.0), radius: 0.7 },
        ObstacleShape::Box(Aabb { min: Vec3::new(-0.5, -0.3, -0.7), max: Vec3::new(0.6, 0.4, 0.2) }),
    ];
    shapes.map(|shape| Obstacle::new(shape, 0.3).unwrap())
}

proptest! {
    /// The plane at hand touches the surface, faces the point, and all of a convex solid is behind it.
    #[test]
    fn near_planes_support_the_solid(x in point(1.2), y in point(1.2), margin in 0.0..0.8) {
        for solid in solids() {
            let mut planes = Vec::new();
            solid.near(&x, margin, &mut planes);
            let distance = solid.distance(&x);
            prop_assert_eq!(planes.len(), usize::from(distance <= margin));
            for plane in planes {
                prop_assert!((plane.normal.norm() - 1.0).abs() < 1e-12);
                prop_assert!(solid.distance(&plane.point).abs() < 1e-12);
                prop_assert!((plane.distance(&x) - distance).abs() < 1e-12);
                prop_assert!(solid.distance(&y) > -1e-12 || plane.distance(&y) < 1e-12);
            }
        }
    }

    /// Distances change no faster than points move, and bisection finds the surface where they say.
    #[test]
    fn distances_are_distances(x in point(1.2), y in point(1.2)) {
        for solid in solids() {
            let (one, other) = (solid.distance(&x), solid.distance(&y));
            prop_assert!((one - other).abs() <= (x - y).norm() + 1e-12);
            let mut planes = Vec::new();
            solid.near(&x, f64::INFINITY, &mut planes);
            prop_assert!(((x - planes[0].point).norm() - one.abs()).abs() < 1e-12);
        }
    }

    /// Against a walk along the way in small steps.
    #[test]
    fn a_way_enters_where_a_walk_first_gets_inside(from in point(1.5), to in point(1.5)) {
        for solid in solids() {
            let walk = (0..=2_000).map(|k| f64::from(k) / 2_000.0);
            let met = walk.clone().find(|t| solid.distance(&from.lerp(&to, *t)) < 0.0);
            let grazes = walk.clone().all(|t| solid.distance(&from.lerp(&to, t)) > -2e-6);
            match (solid.entered(&from, &to), met) {
                (None, None) => {}
                (None, Some(t)) => prop_assert_eq!(t, 0.0, "it starts inside"),
                (Some(_), None) => prop_assert!(grazes),
                (Some(plane), Some(t)) => {
                    prop_assert!((plane.point - from.lerp(&to, t)).norm() <= (to - from).norm() / 1_999.0);
                    prop_assert!(plane.distance(&from) >= -1e-12 && plane.distance(&to) <= 1e-12);
                }
            }
        }
    }

    #[test]
    fn imposed_planes_keep_points_out(from in point(1.2), to in point(3.0), margin in 0.0..0.3) {
        for solid in solids() {
            if solid.distance(&from) < -0.3 {
                continue;
            }
            let end = settled(&solid, &from, &to, margin);
            prop_assert!(solid.distance(&end) > -1e-5, "{}", solid.distance(&end));
        }
    }
}

#[test]
fn touching_and_gliding_along_are_not_entering() {
    let block = Aabb { min: Vec3::zeros(), max: Vec3::new(1.0, 1.0, 1.0) };
    let [floor, block] = [ObstacleShape::Floor { height: 1.0, up: Vec3::y() }, ObstacleShape::Box(block)]
        .map(|shape| Obstacle::new(shape, 0.0).unwrap());
    let (from, to) = (Vec3::new(-1.0, 1.0, 0.5), Vec3::new(2.0, 1.0, 0.5));
    assert_eq!((floor.entered(&from, &to), block.entered(&from, &to)), (None, None));
    assert_eq!(block.entered(&from, &from), None);
    // Past an edge, touching it.
    assert_eq!(block.entered(&Vec3::new(-1.0, 0.0, 0.5), &Vec3::new(1.0, 2.0, 0.5)), None);
    // From the surface inwards, and across an edge into the solid.
    let inwards = block.entered(&Vec3::new(0.5, 1.0, 0.5), &Vec3::new(0.5, 0.9, 0.5)).unwrap();
    assert_eq!(inwards.normal, Vec3::y());
    let across = block.entered(&Vec3::new(-1.0, 2.0, 0.5), &Vec3::new(0.5, 0.5, 0.5)).unwrap();
    assert!((across.normal - Vec3::new(-1.0, 1.0, 0.0).normalize()).norm() < 1e-15);
}

#[test]
fn on_an_edge_of_a_box_the_plane_leans_to_both_sides() {
    let block = ObstacleShape::Box(Aabb { min: Vec3::zeros(), max: Vec3::repeat(1.0) });
    let block = Obstacle::new(block, 0.0).unwrap();
    let mut planes = Vec::new();
    block.near(&Vec3::new(1.0, 1.0, 0.5), 0.1, &mut planes);
    block.near(&Vec3::new(0.9, 0.95, 0.5), 0.1, &mut planes);
    assert!((planes[0].normal - Vec3::new(1.0, 1.0, 0.0).normalize()).norm() < 1e-15);
    assert_eq!((planes[1].point, planes[1].normal), (Vec3::new(0.9, 1.0, 0.5), Vec3::y()));
}

#[test]
fn planes_know_their_obstacle_and_its_friction() {
    let floor =
        |height, friction| Obstacle::new(ObstacleShape::Floor { height, up: Vec3::y() }, friction).unwrap();
    let all = Obstacles::new(vec![floor(0.0, 0.1), floor(-5.0, 0.2), floor(0.05, 0.3)]);
    let mut planes = Vec::new();
    all.near(&(Vec3::y() * 0.1), 0.2, &mut planes);
    all.entered(&Vec3::y(), &(Vec3::y() * -9.0), &mut planes);
    let found: Vec<_> = planes.iter().map(|p| (p.obstacle, p.friction)).collect();
    assert_eq!(found, [(0, 0.1), (2, 0.3), (0, 0.1), (1, 0.2), (2, 0.3)]);
    assert_eq!(all.all()[1].friction(), 0.2);
}

#[test]
fn what_is_no_obstacle_is_refused_by_name() {
    let error = |shape| Obstacle::new(shape, 0.0).unwrap_err();
    let (x, nan) = (Vec3::x(), f64::NAN);
    assert!(matches!(
        error(ObstacleShape::Floor { height: 0.0, up: Vec3::zeros() }),
        ObstacleError::Floor { .. }
    ));
    assert!(matches!(error(ObstacleShape::Floor { height: nan, up: x }), ObstacleError::Floor { .. }));
    assert!(matches!(error(ObstacleShape::Sphere { center: x, radius: 0.0 }), ObstacleError::Sphere { .. }));
    let flat = Aabb { min: Vec3::zeros(), max: x };
    assert!(matches!(error(ObstacleShape::Box(flat)), ObstacleError::Box { .. }));
    let floor = || ObstacleShape::Floor { height: 0.0, up: x * 1e-200 };
    assert!((Obstacle::new(floor(), 0.0).unwrap().distance(&x) - 1.0).abs() < 1e-15);
    for friction in [-0.1, nan] {
        let message = Obstacle::new(floor(), friction).unwrap_err().to_string();
        assert!(message.starts_with("friction must be"), "{message}");
    }
}
