//! Rigid motions through knots, against differences and closed forms.

use super::*;

fn knots() -> Vec<(f64, RigidMotion)> {
    let turns = [[0.0, 0.0, 0.0], [0.9, -0.4, 0.3], [1.2, 1.5, -0.2], [-0.3, 1.8, 0.9], [0.2, 0.1, 0.7]];
    let times = [0.0, 0.4, 0.7, 1.5, 1.9];
    let centre = |k: usize| Vec3::new((k as f64).sin(), k as f64, 0.3 * (k * k) as f64);
    let knot = |k: usize| RigidMotion { centre: centre(k), turn: rotation::exp(&turns[k].into()) };
    (0..5).map(|k| (times[k], knot(k))).collect()
}

/// ċ, ω in space and their derivatives, by differences.
fn differences(path: &RigidPath, t: f64, side: f64) -> [Vec3; 2] {
    let h = 1e-5 * side;
    let of = |of: fn(&RigidState) -> Vec3| {
        // One-sided, second order: accelerations may jump at a knot.
        let at = |k: f64| of(&path.at(t + k * h));
        (at(1.0) * 4.0 - at(2.0) - at(0.0) * 3.0) / (2.0 * h)
    };
    [of(|state| state.velocity), of(|state| state.spin)]
}

#[test]
fn the_path_meets_its_knots_and_begins_as_it_is_told() {
    let begin = (Vec3::new(0.3, -1.0, 0.2), Vec3::new(2.0, 0.5, -1.0));
    let knots = knots();
    let path = RigidPath::through(&knots, Some(begin)).unwrap();
    for (t, motion) in &knots {
        let found = path.at(*t).motion;
        assert!((found.centre - motion.centre).norm() < 1e-13 && (found.turn - motion.turn).norm() < 1e-13);
    }
    let first = path.at(0.0);
    assert!((first.velocity - begin.0).norm() < 1e-12 && (first.spin - begin.1).norm() < 1e-12);
}

#[test]
fn velocities_and_spins_are_those_of_the_motion() {
    let path = RigidPath::through(&knots(), None).unwrap();
    for t in [-0.3, 0.1, 0.55, 1.2, 1.7, 2.4] {
        let h = 1e-6;
        let [before, here, after] = [path.at(t - h), path.at(t), path.at(t + h)];
        let velocity = (after.motion.centre - before.motion.centre) / (2.0 * h);
        let spin = rotation::log(&(after.motion.turn * before.motion.turn.transpose())) / (2.0 * h);
        assert!((velocity - here.velocity).norm() < 1e-7, "{t}: {velocity} {}", here.velocity);
        assert!((spin - here.spin).norm() < 1e-7, "{t}: {spin} {}", here.spin);
    }
}

#[test]
fn accelerations_are_continuous_and_free_at_the_ends() {
    let path = RigidPath::through(&knots(), None).unwrap();
    for t in [0.4, 0.7, 1.5] {
        let (left, right) = (differences(&path, t, -1.0), differences(&path, t, 1.0));
        for (left, right) in left.iter().zip(&right) {
            assert!((left - right).norm() < 1e-4 * left.norm().max(1.0), "{t}: {left} {right}");
        }
    }
    for (t, side) in [(0.0, 1.0), (1.9, -1.0)] {
        let [acceleration, turning] = differences(&path, t, side);
        assert!(acceleration.norm() + turning.norm() < 1e-4, "{t}: {acceleration} {turning}");
    }
}

/// About one axis the angle is the natural cubic spline: of 0, 1, 0 at equal steps it is (3s − s³)/2 of the first.
#[test]
fn about_a_fixed_axis_the_angle_is_a_cubic_spline() {
    let axis = Vec3::new(0.48, 0.6, 0.64);
    let knot =
        |t: f64, angle: f64| (t, RigidMotion { centre: Vec3::zeros(), turn: rotation::exp(&(axis * angle)) });
    let path = RigidPath::through(&[knot(0.0, 0.0), knot(1.0, 1.0), knot(2.0, 0.0)], None).unwrap();
    for s in [0.2, 0.5, 0.9] {
        let angle = (3.0 * s - s * s * s) / 2.0;
        assert!((path.at(s).motion.turn - rotation::exp(&(axis * angle))).norm() < 1e-13);
    }
}

#[test]
fn one_knot_stays_and_what_makes_no_path_is_refused() {
    let one = &knots()[1..2];
    let path = RigidPath::through(one, None).unwrap();
    assert_eq!(path.at(7.0).motion.centre, one[0].1.centre);
    assert!(RigidPath::through(&[], None).is_none());
    assert!(RigidPath::through(&[one[0], one[0]], None).is_none());
    let mut bad = one[0];
    bad.1.centre.x = f64::NAN;
    assert!(RigidPath::through(&[bad], None).is_none());
    assert!(RigidPath::through(one, Some((Vec3::x() * f64::INFINITY, Vec3::zeros()))).is_none());
}
