//! Velocities after contact.
//!
//! A step ends on the right side of every plane, but the velocity v′ that goes with that end throws a point
//! that arrived with v back with −v: the trapezoidal rule takes a step for the average of its ends. Bodies
//! bounce because they are elastic, not because their points are; so an obstacle stops a point, and does not
//! throw it back. In v′ contacts have done the impulses h (f n + t); what they may do instead are impulses
//!
//! > p n with n·v′ = 0 or p at one of its ends, 0 ≤ p ≤ h f, and
//! > q ⊥ n that brings v′ along the plane to rest as far as |q| ≤ min(μ p, h |t|) allows.
//!
//! A point at rest keeps all of them. Planes of one point, and points that share corners, take turns until
//! nothing changes any more; one that shares with nobody is done after its first turn.

use super::{ContactStep, Touch};
use supple_mesh::Vec3;

/// How often touches take turns at most, and the change of velocity, as a part of the fastest, that ends it.
const TURNS: usize = 64;
const SETTLED: f64 = 1e-9;

/// What a touch does to its point: the impulse p, and q along the plane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Impulse {
    pub push: f64,
    pub friction: Vec3,
}

/// Changes the velocities of all vertices, which go with the displacements `u`, to those that the `touches`
/// allow; their impulses.
pub(super) fn held_back(
    step: &ContactStep<'_>,
    touches: &[&Touch],
    u: &[f64],
    velocity: &mut [f64],
) -> Vec<Impulse> {
    let h = step.seconds;
    let whole = |touch: &&Touch| {
        let x = step.position(u, touch.point);
        Impulse { push: h * touch.push(&x), friction: touch.friction(&x) * h }
    };
    let most: Vec<Impulse> = touches.iter().map(whole).collect();
    let mut impulses = most.clone();
    let speed = |touch: &&Touch| step.points[touch.point].velocity(velocity).norm();
    let fastest = touches.iter().map(speed).fold(0.0, f64::max);
    for _ in 0..TURNS {
        let mut change = 0.0_f64;
        for ((touch, most), impulse) in touches.iter().zip(&most).zip(&mut impulses) {
            let (n, point) = (touch.plane.normal, &step.points[touch.point]);
            let (before, v) = (*impulse, point.velocity(velocity));
            impulse.push = (before.push - point.mass() * n.dot(&v)).clamp(0.0, most.push);
            let bound = (touch.plane.friction * impulse.push).min(most.friction.norm());
            let wanted = before.friction - (v - n * n.dot(&v)) * point.mass();
            let size = wanted.norm();
            impulse.friction = if size > bound { wanted * (bound / size) } else { wanted };
            let added = n * (impulse.push - before.push) + (impulse.friction - before.friction);
            point.push(&added, step, velocity);
            change = change.max(added.norm() / point.mass());
        }
        if change <= SETTLED * fastest {
            break;
        }
    }
    impulses
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::contact::Point;
    use crate::{ElasticBody, FreeVertices, Network, SpringMass, SpringMaterial, SpringStiffness, Springs};
    use supple_mesh::ContactPlane;
    use supple_model::VertexId;

    /// Two vertices of 2 kg at the origin's height, joined by a spring.
    fn pair() -> Springs {
        let corners = [VertexId(0), VertexId(1)];
        let network = Network::new(vec![Vec3::zeros(), Vec3::x()], vec![corners]).unwrap();
        let material =
            SpringMaterial { stiffness: SpringStiffness::PerSpring(1.0), mass: SpringMass::PerVertex(2.0) };
        Springs::new(network, material, &[]).unwrap()
    }

    fn point(body: &ElasticBody, weights: &[f64]) -> Point {
        let free = FreeVertices::all(2);
        let pattern = body.stiffness(&[0.0; 6], &free);
        let weights = weights.iter().enumerate().map(|(v, w)| (VertexId::new(v), *w)).collect();
        Point::new(0, weights, body, &free, pattern.pattern()).unwrap()
    }

    /// A point on a floor, pressed with 8 N at a depth of 0.08 m, with 0.5 × 8 N of friction at most.
    fn touch(point: usize, normal: Vec3) -> Touch {
        let plane = ContactPlane { point: Vec3::zeros(), normal, friction: 0.5, obstacle: 0 };
        Touch {
            point,
            plane,
            stiffness: 100.0,
            offset: 0.0,
            borne: 0.0,
            hold: Vec3::zeros(),
            give: 0.01,
            cap: 4.0,
        }
    }

    /// The velocity of the first vertex within steps of half a second, and the impulses.
    fn held(velocity: Vec3, touches: &[Touch], x: Vec3) -> (Vec3, Vec<Impulse>) {
        let body = pair();
        let points = [point(&body, &[1.0])];
        let step =
            ContactStep { rest: body.positions(), masses: body.masses(), points: &points, seconds: 0.5 };
        let mut v = [velocity.x, velocity.y, velocity.z, 0.0, 0.0, 0.0];
        let touches: Vec<&Touch> = touches.iter().collect();
        let impulses = held_back(&step, &touches, &[x.x, x.y, x.z, 0.0, 0.0, 0.0], &mut v);
        (Vec3::new(v[0], v[1], v[2]), impulses)
    }

    #[test]
    fn a_point_at_rest_stays_and_one_thrown_back_is_stopped() {
        let touches = [touch(0, Vec3::y())];
        let x = Vec3::new(0.0, -0.08, 0.0);
        let (at_rest, impulses) = held(Vec3::zeros(), &touches, x);
        assert!(at_rest.norm() < 1e-15 && (impulses[0].push - 4.0).abs() < 1e-14);
        // It came with 1.5 m/s and would leave with 0.5 m/s; the floor takes 3 N s and not 4.
        let (stopped, impulses) = held(Vec3::new(0.0, 0.5, 0.0), &touches, x);
        assert!(stopped.norm() < 1e-15 && (impulses[0].push - 3.0).abs() < 1e-14);
        // One that still comes in the end was not stopped by all the floor did.
        let (arriving, impulses) = held(Vec3::new(0.0, -0.5, 0.0), &touches, x);
        assert!((arriving.y + 0.5).abs() < 1e-15 && (impulses[0].push - 4.0).abs() < 1e-14);
    }

    #[test]
    fn friction_stops_but_does_not_reverse_and_is_bound_by_the_push() {
        let touches = [touch(0, Vec3::y())];
        // Sliding along x: friction is 4 N, 1 m/s within the step.
        let x = Vec3::new(3.0, -0.08, 0.0);
        let (reversed, impulses) = held(Vec3::new(-0.25, 0.0, 0.0), &touches, x);
        assert!(reversed.norm() < 1e-15 && (impulses[0].friction.x + 1.5).abs() < 1e-14);
        let (sliding, _) = held(Vec3::new(7.0, 0.0, 0.0), &touches, x);
        assert!((sliding.x - 7.0).abs() < 1e-14);
        // The floor pushed half as much, so friction drags half as much.
        let (half, _) = held(Vec3::new(7.0, 1.0, 0.0), &touches, x);
        assert!((half.x - 7.5).abs() < 1e-14 && half.y.abs() < 1e-15);
    }

    #[test]
    fn a_corner_stops_a_point_for_both_of_its_planes() {
        let touches = [touch(0, Vec3::y()), touch(0, Vec3::new(0.8, 0.6, 0.0))];
        let (v, _) = held(Vec3::new(0.3, 0.9, 0.0), &touches, Vec3::new(-0.05, -0.08, 0.0));
        assert!(touches.iter().all(|t| t.plane.normal.dot(&v) > -1e-3), "{v}");
        assert!(v.norm() < 0.9, "{v}");
    }

    #[test]
    fn points_that_share_corners_are_all_stopped() {
        let body = pair();
        let points = [[0.9, 0.1], [0.5, 0.5], [0.3, 0.7], [-0.1, 1.1]].map(|w| point(&body, &w));
        assert!((points[1].mass() - 4.0).abs() < 1e-14);
        let step =
            ContactStep { rest: body.positions(), masses: body.masses(), points: &points, seconds: 0.5 };
        let touches = [0, 1, 2, 3].map(|k| touch(k, Vec3::y()));
        let touches: Vec<&Touch> = touches.iter().collect();
        let u = [0.0, -0.08, 0.0, 0.0, -0.08, 0.0];
        // 16 N s in all, of which 2 × (0.5 + 0.7) N s would throw it back.
        let mut v = [0.0, 0.5, 0.0, 0.0, 0.7, 0.0];
        let impulses = held_back(&step, &touches, &u, &mut v);
        assert!(v[1].abs() < 1e-9 && v[4].abs() < 1e-9, "{v:?}");
        let sum: f64 = impulses.iter().map(|i| i.push).sum();
        assert!((sum - (16.0 - 2.4)).abs() < 1e-8, "{sum}");
    }
}
