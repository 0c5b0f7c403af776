//! Velocities after contact.
//!
//! A step ends on the right side of every plane, but the velocity v′ that goes with that end throws a vertex
//! that arrived with v back with −v: the trapezoidal rule takes a step for the average of its ends. Bodies
//! bounce because they are elastic, not because their vertices are; so an obstacle stops a vertex, and does
//! not throw it back. Less what contacts did, the velocity is v* = v′ − h/m Σ (f n + t); what they may do
//! instead are impulses
//!
//! > p n with n·v′ = 0 or p at one of its ends, 0 ≤ p ≤ h f, and
//! > q ⊥ n that brings v′ along the plane to rest as far as |q| ≤ min(μ p, h |t|) allows.
//!
//! A vertex at rest has v* = −h/m Σ (f n + t) already, and is at rest with all of them. Several planes of one
//! vertex take turns.

use super::Touch;
use supple_mesh::Vec3;

/// How often the planes of a vertex take turns.
const TURNS: usize = 8;

/// What a touch does to its vertex: the impulse p, and q along the plane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Impulse {
    pub push: f64,
    pub friction: Vec3,
}

/// The velocity of a vertex of this mass that its `touches` allow at `x`, given the `velocity` before they
/// are held back; their impulses replace what is in `impulses`.
pub(super) fn held_back(
    velocity: Vec3,
    touches: &[Touch],
    x: &Vec3,
    [h, mass]: [f64; 2],
    impulses: &mut Vec<Impulse>,
) -> Vec3 {
    impulses.clear();
    impulses.resize(touches.len(), Impulse::default());
    let mut v = velocity;
    for touch in touches {
        v -= (touch.plane.normal * touch.push(x) + touch.friction(x)) * (h / mass);
    }
    for _ in 0..TURNS {
        for (touch, impulse) in touches.iter().zip(&mut *impulses) {
            let n = touch.plane.normal;
            let before = *impulse;
            impulse.push = (before.push - mass * n.dot(&v)).clamp(0.0, h * touch.push(x));
            v += n * ((impulse.push - before.push) / mass);
            let most = (touch.plane.friction * impulse.push).min(h * touch.friction(x).norm());
            let wanted = before.friction - (v - n * n.dot(&v)) * mass;
            let size = wanted.norm();
            impulse.friction = if size > most { wanted * (most / size) } else { wanted };
            v += (impulse.friction - before.friction) / mass;
        }
        if touches.len() == 1 {
            break;
        }
    }
    v
}

#[cfg(test)]
mod tests {
    use super::*;
    use supple_mesh::ContactPlane;
    use supple_model::VertexId;

    /// A vertex of 2 kg on a floor, pressed with 8 N, with 0.5 × 8 N of friction at most.
    fn touch(normal: Vec3) -> Touch {
        let plane = ContactPlane { point: Vec3::zeros(), normal, friction: 0.5, obstacle: 0 };
        let (vertex, hold) = (VertexId(0), Vec3::zeros());
        Touch { vertex, place: 0, plane, stiffness: 100.0, hold, give: 0.01, cap: 4.0 }
    }

    #[test]
    fn a_vertex_at_rest_stays_and_one_thrown_back_is_stopped() {
        let touches = [touch(Vec3::y())];
        let x = Vec3::new(0.0, -0.08, 0.0);
        let mut impulses = Vec::new();
        let at_rest = held_back(Vec3::zeros(), &touches, &x, [0.5, 2.0], &mut impulses);
        assert!(at_rest.norm() < 1e-15 && (impulses[0].push - 4.0).abs() < 1e-14);
        // It came with 1.5 m/s and would leave with 0.5 m/s; the floor takes 3 N s and not 4.
        let stopped = held_back(Vec3::new(0.0, 0.5, 0.0), &touches, &x, [0.5, 2.0], &mut impulses);
        assert!(stopped.norm() < 1e-15 && (impulses[0].push - 3.0).abs() < 1e-14);
        // One that still comes in the end was not stopped by all the floor did.
        let arriving = held_back(Vec3::new(0.0, -0.5, 0.0), &touches, &x, [0.5, 2.0], &mut impulses);
        assert!((arriving.y + 0.5).abs() < 1e-15 && (impulses[0].push - 4.0).abs() < 1e-14);
    }

    #[test]
    fn friction_stops_but_does_not_reverse_and_is_bound_by_the_push() {
        let touches = [touch(Vec3::y())];
        // Sliding along x: friction is 4 N, 1 m/s within the step.
        let x = Vec3::new(3.0, -0.08, 0.0);
        let mut impulses = Vec::new();
        let reversed = held_back(Vec3::new(-0.25, 0.0, 0.0), &touches, &x, [0.5, 2.0], &mut impulses);
        assert!(reversed.norm() < 1e-15 && (impulses[0].friction.x + 1.5).abs() < 1e-14);
        let sliding = held_back(Vec3::new(7.0, 0.0, 0.0), &touches, &x, [0.5, 2.0], &mut impulses);
        assert!((sliding.x - 7.0).abs() < 1e-14);
        // The floor pushed half as much, so friction drags half as much.
        let half = held_back(Vec3::new(7.0, 1.0, 0.0), &touches, &x, [0.5, 2.0], &mut impulses);
        assert!((half.x - 7.5).abs() < 1e-14 && half.y.abs() < 1e-15);
    }

    #[test]
    fn a_corner_stops_a_vertex_for_both_of_its_planes() {
        let touches = [touch(Vec3::y()), touch(Vec3::new(0.8, 0.6, 0.0))];
        let x = Vec3::new(-0.05, -0.08, 0.0);
        let mut impulses = Vec::new();
        let v = held_back(Vec3::new(0.3, 0.9, 0.0), &touches, &x, [0.5, 2.0], &mut impulses);
        assert!(touches.iter().all(|t| t.plane.normal.dot(&v) > -1e-3), "{v}");
        assert!(v.norm() < 0.9, "{v}");
    }
}
