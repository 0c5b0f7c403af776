//! Meshes as obstacles, against solids known in closed form, full searches and walks in small steps.

use super::super::tests::{point, settled};
use super::*;
use crate::shapes::{Stairs, ball, box_mesh, stairs};
use crate::{ContactPlane, Obstacle, ObstacleShape, Surface};
use proptest::prelude::*;
use supple_model::VertexId;

fn obstacle(mesh: &TriMesh) -> Obstacle {
    Obstacle::new(ObstacleShape::Mesh(ObstacleMesh::new(mesh).unwrap()), 0.0).unwrap()
}

fn near(obstacle: &Obstacle, x: Vec3, margin: f64) -> Vec<ContactPlane> {
    let mut planes = Vec::new();
    obstacle.near(&x, margin, &mut planes);
    planes
}

fn normals(obstacle: &Obstacle, x: Vec3, margin: f64) -> Vec<Vec3> {
    near(obstacle, x, margin).iter().map(|plane| plane.normal).collect()
}

/// A box from the origin, several triangles on each side.
const BOX: Vec3 = Vec3::new(1.0, 0.6, 0.8);

fn boxes() -> (Obstacle, Obstacle) {
    let body = box_mesh(BOX, [4, 3, 2]).unwrap();
    let mesh = Surface::of(&body).to_mesh(body.positions()).unwrap();
    let cuboid = ObstacleShape::Box(Aabb { min: Vec3::zeros(), max: BOX });
    (obstacle(&mesh), Obstacle::new(cuboid, 0.0).unwrap())
}

/// Three steps of 0.3 by 0.2 down along x from y = 0.6 at x < 0.
const STAIRS: Stairs =
    Stairs { steps: 3, width: 2.0, tread: 0.3, rise: 0.2, landing: 0.5, floor: 0.8, base: 0.1 };

fn steps() -> Obstacle {
    obstacle(&stairs(&STAIRS).unwrap())
}

/// Whether a point is inside the stairs by more than `by`.
fn in_steps(p: &Vec3, by: f64) -> bool {
    let levels = [[-0.5, 0.0, 0.6], [0.0, 0.3, 0.4], [0.3, 0.6, 0.2], [0.6, 1.4, 0.0]];
    let holds = |x: f64, y: f64| {
        levels.iter().any(|[left, right, top]| (*left..=*right).contains(&x) && (-0.1..=*top).contains(&y))
    };
    p.z.abs() <= 1.0 - by
        && [(by, 0.0), (-by, 0.0), (0.0, by), (0.0, -by)].iter().all(|(dx, dy)| holds(p.x + dx, p.y + dy))
}

/// Around the steps.
fn around() -> impl Strategy<Value = Vec3> {
    (-0.8..1.7, -0.3..0.9, -1.2..1.2).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

/// A sheet one can see from both sides, but enter from one only.
fn sheet() -> Obstacle {
    let corners = [[-0.2, 0.0], [0.0, 1.0], [1.2, 1.0], [1.2, 0.0]].map(|[x, z]| Vec3::new(x, 0.3, z));
    obstacle(
        &TriMesh::new(corners.to_vec(), [[0, 1, 2], [0, 2, 3]].map(|t| t.map(VertexId)).to_vec()).unwrap(),
    )
}

proptest! {
    /// Nothing is near within the clearance, also behind what is open.
    #[test]
    fn within_the_clearance_nothing_is_near(x in around(), way in point(1.0), part in 0.0..1.0, margin in 0.0..0.1_f64) {
        let (mesh, cuboid) = boxes();
        for obstacle in [mesh, cuboid, steps(), sheet()] {
            let clear: f64 = obstacle.clearance(&x) - margin;
            let y = x + way.normalize() * (part * clear.max(0.0) * (1.0 - 1e-9));
            prop_assert!(clear <= 0.0 || near(&obstacle, y, margin * (1.0 - 1e-9)).is_empty());
            prop_assert!(obstacle.clearance(&x) >= obstacle.distance(&x) - 0.02, "and it is hardly less than could be");
        }
    }

    #[test]
    fn a_meshed_box_is_a_box(x in point(1.0), y in point(1.0), margin in 0.0..0.5) {
        let (mesh, cuboid) = boxes();
        let [x, y] = [x, y].map(|p| p + BOX / 2.0);
        prop_assert!((mesh.distance(&x) - cuboid.distance(&x)).abs() < 1e-12);
        let (found, expected) = (near(&mesh, x, margin), near(&cuboid, x, margin));
        // Inside, a second face within the margin of where it would leave is no face it is in front of.
        prop_assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(&expected) {
            prop_assert!((found.normal - expected.normal).norm() < 1e-6);
            prop_assert!((found.point - expected.point).norm() < 1e-9);
        }
        // A start just below the surface is taken as on it by the mesh, as inside by the box.
        if (-2e-3..0.0).contains(&cuboid.distance(&x)) {
            return Ok(());
        }
        let (found, expected) = (mesh.entered(&x, &y), cuboid.entered(&x, &y));
        prop_assert_eq!(found.is_some(), expected.is_some());
        if let Some((found, expected)) = found.zip(expected) {
            prop_assert!((found.point - expected.point).norm() < 1e-9);
            prop_assert!((found.normal - expected.normal).norm() < 1e-6);
        }
    }

    #[test]
    fn distances_to_the_stairs_are_those_of_a_full_search(x in around()) {
        let mesh = stairs(&STAIRS).unwrap();
        let corners = mesh.triangles().iter().map(|t| t.map(|v| mesh.positions()[v.index()]));
        let distances = corners.map(|c| {
            (x - crate::triangle::blend(&c, crate::triangle::closest_weights(&x, &c))).norm()
        });
        let nearest = distances.fold(f64::INFINITY, f64::min);
        prop_assert_eq!(steps().distance(&x), if in_steps(&x, 0.0) { -nearest } else { nearest });
    }

    /// A walk in small steps gets inside only if the way enters, and soon after it does.
    #[test]
    fn a_way_down_the_stairs_enters_where_a_walk_gets_inside(from in around(), to in around()) {
        if in_steps(&from, 0.0) {
            return Ok(());
        }
        let walk = (0..=4_000).map(|k| from.lerp(&to, f64::from(k) / 4_000.0));
        let met = walk.clone().find(|p| in_steps(p, 1e-9));
        match (steps().entered(&from, &to), met) {
            (None, met) => prop_assert_eq!(met, None),
            (Some(plane), None) => prop_assert!(!in_steps(&plane.point, 1e-3)),
            (Some(plane), Some(first)) => {
                let step = (to - from).norm() / 4_000.0;
                // Entries that end shallow are passed over for deeper ones, so it may be a later one.
                prop_assert!((plane.point - from).norm() >= (first - from).norm() - 1.01 * step);
                prop_assert!(plane.distance(&from) >= -1e-9 && plane.distance(&to) < 0.0);
            }
        }
    }

    /// What the planes are for, from outside and from where a solver left a point slightly inside.
    #[test]
    fn imposed_planes_keep_points_out_of_the_stairs(
        from in around(), way in point(2.0), margin in 0.001..0.1, sunk in prop::option::of(1e-7..1e-3)
    ) {
        let steps = steps();
        let onto = near(&steps, from, f64::INFINITY)[0];
        let from = sunk.map_or(from, |depth| onto.point - onto.normal * depth);
        if steps.distance(&from) < -2e-3 {
            return Ok(());
        }
        let end = settled(&steps, &from, &(from + way), margin);
        prop_assert!(steps.distance(&end) > -2e-3, "{} inside at {end}", -steps.distance(&end));
        if sunk.is_none() {
            prop_assert!(steps.distance(&end) > -1e-5, "{} inside at {end}", -steps.distance(&end));
        }
    }

    #[test]
    fn a_meshed_ball_is_nearly_a_ball(x in point(1.3), y in point(1.3), margin in 0.01..0.3) {
        let center = Vec3::new(0.1, 0.0, -0.1);
        let mesh = obstacle(&ball(center, 0.7, 12).unwrap());
        let sphere = Obstacle::new(ObstacleShape::Sphere { center, radius: 0.7 }, 0.0).unwrap();
        // The sagitta of the triangles.
        let flat = 0.003;
        prop_assert!((mesh.distance(&x) - sphere.distance(&x)).abs() < flat);
        for plane in near(&mesh, x, margin) {
            prop_assert!(plane.normal.dot(&(plane.point - center).normalize()) > 0.99);
            // Convex: all of it is behind any of its planes.
            prop_assert!(sphere.distance(&y) > -flat || plane.distance(&y) < 1e-9);
        }
        let end = settled(&mesh, &(center + (x - center).normalize() * 0.8), &y, margin);
        prop_assert!(mesh.distance(&end) > -1e-6);
    }

    /// Ways through the very vertices and edges of a mesh, where triangles meet.
    #[test]
    fn no_way_slips_between_triangles(k in 0..1_442_usize, l in 0..1_442_usize, s in 0.0..1.0, out in 1.001..9.0) {
        let mesh = ball(Vec3::zeros(), 1.0, 12).unwrap();
        let mesh_obstacle = obstacle(&mesh);
        let (a, b) = (mesh.positions()[k], mesh.positions()[l]);
        let [on_edge, _, _] = mesh.triangles()[k].map(|v| mesh.positions()[v.index()]);
        for target in [a, on_edge.lerp(&mesh.positions()[mesh.triangles()[k][1].index()], s)] {
            let plane = mesh_obstacle.entered(&(target * out), &-target);
            prop_assert!((plane.unwrap().point - target).norm() < 1e-9);
            if (0.3..1.9).contains(&(b - target).norm()) {
                // To the middle between two points on the sphere: inside.
                let plane = mesh_obstacle.entered(&(target + (target - b) * out), &((target + b) / 2.0));
                prop_assert!((plane.unwrap().point - target).norm() < 1e-2);
            }
        }
    }
}

#[test]
fn past_a_convex_edge_only_the_edge_counts() {
    let steps = steps();
    // The landing ends at x = 0, y = 0.6. In front of the riser, above the landing's height.
    let planes = near(&steps, Vec3::new(0.003, 0.604, 0.1), 0.02);
    assert_eq!(planes.len(), 1);
    assert!((planes[0].normal - Vec3::new(0.6, 0.8, 0.0)).norm() < 1e-9);
    assert!((planes[0].point - Vec3::new(0.0, 0.6, 0.1)).norm() < 1e-12);
    // Beside it: one face alone, which lets the point go on over the edge.
    assert_eq!(normals(&steps, Vec3::new(-0.001, 0.601, 0.1), 0.02), [Vec3::y()]);
    assert_eq!(normals(&steps, Vec3::new(0.001, 0.599, 0.1), 0.02), [Vec3::x()]);
    // Straight above and on the edge.
    assert!((normals(&steps, Vec3::new(0.0, 0.601, 0.1), 0.02)[0] - Vec3::y()).norm() < 1e-9);
    for (dx, dy) in [(0.0, 0.0), (1e-12, -1e-12), (-1e-12, 1e-12), (-1e-12, -1e-12)] {
        let on = normals(&steps, Vec3::new(dx, 0.6 + dy, 0.1), 0.02);
        assert!(on.len() == 1 && (on[0] - Vec3::new(1.0, 1.0, 0.0).normalize()).norm() < 1e-9, "{on:?}");
    }
}

#[test]
fn in_a_concave_corner_both_faces_count() {
    let steps = steps();
    // The tread at y = 0.4 meets the riser at x = 0; with and without a little too deep into either.
    for dx in [0.01, 1e-7, 0.0, -1e-7, -1e-4] {
        for dy in [0.01, 1e-7, 0.0, -1e-7, -1e-4] {
            let found = normals(&steps, Vec3::new(dx, 0.4 + dy, 0.1), 0.02);
            assert_eq!(found.len(), 2, "{dx} {dy} {found:?}");
            assert!(found.contains(&Vec3::x()) && found.contains(&Vec3::y()), "{dx} {dy} {found:?}");
        }
    }
    // Farther from the riser than the margin, only the tread.
    assert_eq!(normals(&steps, Vec3::new(0.05, 0.41, 0.1), 0.02), [Vec3::y()]);
}

/// A point that rests on a tread and lies, by the tolerance of a solver, a little below it.
#[test]
fn a_point_slightly_below_a_tread_still_runs_into_the_riser() {
    let steps = steps();
    for from_depth in [0.0, 1e-12, 1e-9, 1e-6, 1e-3] {
        for to_depth in [-1e-3, 0.0, 1e-12, 1e-9, 1e-6, 1e-3] {
            let from = Vec3::new(0.25, 0.4 - from_depth, 0.1);
            let to = Vec3::new(-0.2, 0.4 - to_depth, 0.1);
            let plane = steps.entered(&from, &to).expect("the riser");
            assert_eq!(plane.normal, Vec3::x(), "{from_depth} {to_depth}");
        }
    }
    // Without a riser ahead, sinking a little is told as it is.
    let plane = steps.entered(&Vec3::new(0.1, 0.4, 0.1), &Vec3::new(0.25, 0.3999, 0.1)).unwrap();
    assert_eq!(plane.normal, Vec3::y());
}

#[test]
fn gliding_over_edges_is_not_entering() {
    let steps = steps();
    // Level with the landing, from beyond its edge onto it, and from it over the edge.
    let (outside, on) = (Vec3::new(0.2, 0.6, 0.1), Vec3::new(-0.2, 0.6, 0.1));
    assert_eq!((steps.entered(&outside, &on), steps.entered(&on, &outside)), (None, None));
    // Down along a riser from its upper edge.
    assert_eq!(steps.entered(&Vec3::new(0.0, 0.6, 0.1), &Vec3::new(0.0, 0.45, 0.1)), None);
}

#[test]
fn however_fast_a_thin_plate_is_met() {
    let plate = box_mesh(Vec3::new(1.0, 1e-6, 1.0), [1, 1, 1]).unwrap();
    let plate = obstacle(&Surface::of(&plate).to_mesh(plate.positions()).unwrap());
    for speed in [1e-3, 1.0, 1e6] {
        let plane = plate.entered(&Vec3::new(0.3, 1e-3, 0.4), &Vec3::new(0.3, -speed, 0.4)).unwrap();
        assert!((plane.point.y - 1e-6).abs() < 1e-15 && plane.normal == Vec3::y());
    }
}

/// Corners that are shared by place only, doubled and empty triangles: as the sound mesh.
#[test]
fn loose_triangles_are_as_good_as_joined_ones() {
    let joined = stairs(&STAIRS).unwrap();
    let mut loose: Vec<Vec3> =
        joined.triangles().iter().flatten().map(|v| joined.positions()[v.index()]).collect();
    loose.extend_from_within(..9);
    loose.extend([Vec3::zeros(), Vec3::x(), Vec3::x() * 2.0]);
    let ids = (0..loose.len() / 3).map(|t| [0, 1, 2].map(|k| VertexId::new(3 * t + k))).collect();
    let loose = TriMesh::skin(loose, ids).unwrap();
    assert!(ObstacleMesh::new(&loose).unwrap().is_closed());
    let (joined, loose) = (obstacle(&joined), obstacle(&loose));
    for k in 0..500 {
        let wave = |rate: f64| (f64::from(k) * rate).sin();
        let x = Vec3::new(0.4 + 0.8 * wave(0.71), 0.3 + 0.4 * wave(1.37), 1.1 * wave(2.33));
        assert_eq!(joined.distance(&x), loose.distance(&x));
        assert_eq!(near(&joined, x, 0.1), near(&loose, x, 0.1));
        assert_eq!(joined.entered(&x, &Vec3::zeros()), loose.entered(&x, &Vec3::zeros()));
    }
}

#[test]
fn a_mesh_inside_out_is_a_room() {
    let mesh = ball(Vec3::zeros(), 1.0, 8).unwrap();
    let turned = mesh.triangles().iter().map(|[a, b, c]| [*a, *c, *b]).collect();
    let room = obstacle(&TriMesh::new(mesh.positions().to_vec(), turned).unwrap());
    assert!(room.distance(&Vec3::zeros()) > 0.9 && room.distance(&Vec3::repeat(5.0)) < -7.0);
    let plane = room.entered(&Vec3::zeros(), &Vec3::new(0.3, -9.0, 0.2)).unwrap();
    assert!(plane.normal.y > 0.9 && plane.point.y < -0.9);
    // Outside the room is inside the solid, and the way out leads in.
    assert!(near(&room, Vec3::y() * 9.0, 0.1)[0].normal.y < -0.9);
}

#[test]
fn an_open_mesh_has_a_front_a_thickness_and_a_border() {
    let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(|[x, z]| Vec3::new(x, 0.0, z));
    let ids = [[0, 2, 1], [0, 3, 2]].map(|t| t.map(VertexId));
    let sheet = ObstacleMesh::new(&TriMesh::new(corners.to_vec(), ids.to_vec()).unwrap()).unwrap();
    assert!(!sheet.is_closed());
    let sheet = sheet.with_thickness(0.05).unwrap();
    let sheet = Obstacle::new(ObstacleShape::Mesh(sheet), 0.0).unwrap();
    let at = |y: f64| Vec3::new(0.3, y, 0.4);
    assert_eq!([0.2, -0.04, -0.2].map(|y| sheet.distance(&at(y))), [0.2, -0.04, 0.2]);
    assert_eq!([0.01, -0.04].map(|y| normals(&sheet, at(y), 0.02)), [[Vec3::y()], [Vec3::y()]]);
    assert!(normals(&sheet, at(-0.06), 1.0).is_empty());
    // Not through from the front, even far, but out from the back.
    assert_eq!(sheet.entered(&at(1.0), &at(-9.0)).unwrap().normal, Vec3::y());
    assert_eq!(sheet.entered(&at(-1.0), &at(1.0)), None);
    // Beside the border and a little lower is free; a little higher is not.
    assert!(sheet.distance(&Vec3::new(-0.01, -0.01, 0.5)) > 0.0);
    assert!(near(&sheet, Vec3::new(-0.01, -0.01, 0.5), 0.1).is_empty());
    let edge = normals(&sheet, Vec3::new(-0.01, 0.01, 0.5), 0.1);
    assert!((edge[0] - Vec3::new(-1.0, 1.0, 0.0).normalize()).norm() < 1e-9);
}

#[test]
fn meshes_without_area_and_impossible_thicknesses_are_refused() {
    let line = TriMesh::skin(vec![Vec3::zeros(), Vec3::x()], vec![[0, 1, 1].map(VertexId)]).unwrap();
    assert_eq!(ObstacleMesh::new(&line).unwrap_err(), ObstacleError::NoArea);
    let mesh = ObstacleMesh::new(&stairs(&STAIRS).unwrap()).unwrap();
    let error = mesh.with_thickness(f64::NAN).unwrap_err();
    assert_eq!(error.to_string(), "the thickness of a surface must be greater than 0 and finite, got NaN");
}
