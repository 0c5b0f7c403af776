//! Parts that are moved and turned as one rigid thing: what a handle has to ask for that.
//!
//! A goal of this kind takes X to about + R (X − about) + by. [`rigid_goal`] finds the one that is nearest to where some
//! points have gone (Kabsch: R of Σ (y − ȳ)(x − x̄)ᵀ); [`turned`] turns a goal on about the middle of the part.

use nalgebra::{Matrix3, Rotation3, Unit, Vector3};
use supple_project::shot::{Goal, Move, Turn};

type Vec3 = Vector3<f64>;

/// Turns by less than this, in degrees, are none.
const NO_TURN: f64 = 0.1;
/// Axes that differ by less than this are the same.
const SAME_AXIS: f64 = 1e-6;

/// What takes points of a part from where they are before to where they are after, as near as a rigid thing can.
#[must_use]
pub fn rigid_goal(before: &[[f64; 3]], after: &[[f64; 3]]) -> Goal {
    let middle = |points: &[[f64; 3]]| {
        points.iter().map(|p| Vec3::from(*p)).sum::<Vec3>() / points.len().max(1) as f64
    };
    let (from, to) = (middle(before), middle(after));
    let by = to - from;
    let pairs = before.iter().zip(after);
    let spread: Matrix3<f64> =
        pairs.map(|(x, y)| (Vec3::from(*y) - to) * (Vec3::from(*x) - from).transpose()).sum();
    match rotation(&spread).and_then(|turn| turn.axis_angle()) {
        Some((axis, angle)) if angle.to_degrees() > NO_TURN => {
            let turn =
                Turn { about: from.into(), axis: axis.into_inner().into(), degrees: angle.to_degrees() };
            Goal::Turn { turn, then: then(by) }
        }
        _ => Goal::By(by.into()),
    }
}

/// The rotation nearest to a matrix; none where points on a line leave it open.
fn rotation(spread: &Matrix3<f64>) -> Option<Rotation3<f64>> {
    let svd = spread.svd(true, true);
    let (u, v) = (svd.u?, svd.v_t?);
    if svd.singular_values[1] <= 1e-9 * svd.singular_values[0] {
        return None;
    }
    // The smallest direction, the last, is turned over where it would be a mirror image.
    let mirror = Matrix3::from_diagonal(&Vec3::new(1.0, 1.0, (u * v).determinant().signum()));
    Some(Rotation3::from_matrix_unchecked(u * mirror * v))
}

fn then(by: Vec3) -> Option<Move> {
    (by.norm() > 0.0).then(|| Move::By(by.into()))
}

/// A goal turned on by an angle about an axis through the middle of its part, which the input has at `middle`; none for goals
/// that are not places.
#[must_use]
pub fn turned(goal: &Goal, middle: [f64; 3], axis: [f64; 3], degrees: f64) -> Option<Goal> {
    let unit = Unit::try_new(Vec3::from(axis), 0.0)?;
    let more = Turn { about: middle, axis: unit.into_inner().into(), degrees };
    match goal {
        Goal::By(by) => Some(Goal::Turn { turn: more, then: then(Vec3::from(*by)) }),
        Goal::To(to) => Some(Goal::Turn { turn: more, then: Some(Move::To(*to)) }),
        Goal::Turn { turn, then: Some(Move::To(to)) } => {
            Some(Goal::Turn { turn: both(turn, unit, degrees)?, then: Some(Move::To(*to)) })
        }
        Goal::Turn { turn, then: moved } => {
            let by = match moved {
                Some(Move::By(by)) => Vec3::from(*by),
                _ => Vec3::zeros(),
            };
            let first =
                Rotation3::from_axis_angle(&Unit::try_new(turn.axis.into(), 0.0)?, turn.degrees.to_radians());
            let about = Vec3::from(turn.about);
            let now = about + first * (Vec3::from(middle) - about) + by;
            let second = Rotation3::from_axis_angle(&unit, degrees.to_radians());
            let by = now - about + second * (about + by - now);
            // What rounding leaves would be written into the shot.
            let by = if by.norm() <= 1e-12 * (now - about).norm().max(1e-9) { Vec3::zeros() } else { by };
            Some(Goal::Turn { turn: both(turn, unit, degrees)?, then: then(by) })
        }
        _ => None,
    }
}

/// A turn and another one after it, about the same point. Along the same axis angles add up, over a whole turn too.
fn both(turn: &Turn, axis: Unit<Vec3>, degrees: f64) -> Option<Turn> {
    let first = Unit::try_new(Vec3::from(turn.axis), 0.0)?;
    if first.cross(&axis).norm() < SAME_AXIS {
        let more = degrees * first.dot(&axis).signum();
        return Some(Turn { degrees: turn.degrees + more, ..*turn });
    }
    let rotation = |axis: Unit<Vec3>, degrees: f64| Rotation3::from_axis_angle(&axis, degrees.to_radians());
    let all = rotation(axis, degrees) * rotation(first, turn.degrees);
    Some(match all.axis_angle() {
        Some((axis, angle)) => Turn { axis: axis.into_inner().into(), degrees: angle.to_degrees(), ..*turn },
        None => Turn { degrees: 0.0, ..*turn },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PART: [[f64; 3]; 5] =
        [[1.0, 0.0, 0.0], [1.2, 0.3, -0.1], [0.7, 0.1, 0.4], [1.1, -0.2, 0.3], [0.9, 0.4, 0.2]];

    fn middle() -> [f64; 3] {
        let sum: Vec3 = PART.map(Vec3::from).iter().sum();
        (sum / PART.len() as f64).into()
    }

    /// Where a goal takes a point of the part.
    fn taken(goal: &Goal, x: [f64; 3]) -> Vec3 {
        let x = Vec3::from(x);
        match goal {
            Goal::By(by) => x + Vec3::from(*by),
            Goal::Turn { turn, then } => {
                let axis = Unit::new_normalize(Vec3::from(turn.axis));
                let rotation = Rotation3::from_axis_angle(&axis, turn.degrees.to_radians());
                let about = Vec3::from(turn.about);
                let place = |x: Vec3| about + rotation * (x - about);
                place(x)
                    + match then {
                        None => Vec3::zeros(),
                        Some(Move::By(by)) => Vec3::from(*by),
                        Some(Move::To(to)) => Vec3::from(*to) - place(middle().into()),
                    }
            }
            other => panic!("no place: {other:?}"),
        }
    }

    fn all(goal: &Goal) -> [[f64; 3]; 5] {
        PART.map(|x| taken(goal, x).into())
    }

    fn apart(a: &Goal, b: &Goal) -> f64 {
        let pairs = all(a).into_iter().zip(all(b));
        pairs.map(|(a, b)| (Vec3::from(a) - Vec3::from(b)).norm()).fold(0.0, f64::max)
    }

    #[test]
    fn a_part_that_was_moved_and_turned_is_held_as_it_is() {
        let turn = Turn { about: [0.3, -1.0, 2.0], axis: [1.0, 2.0, -0.5], degrees: 140.0 };
        let goal = Goal::Turn { turn, then: Some(Move::By([0.1, 0.7, -0.3])) };
        let found = rigid_goal(&PART, &all(&goal));
        assert!(matches!(found, Goal::Turn { .. }) && apart(&found, &goal) < 1e-9, "{found:?}");
        let Goal::By(by) = rigid_goal(&PART, &all(&Goal::By([0.1, 0.2, 0.3]))) else { panic!("not turned") };
        assert!((0..3).all(|c| (by[c] - [0.1, 0.2, 0.3][c]).abs() < 1e-12));
        // Points on a line do not say how they are turned about it, and two are enough for a move.
        let line = [[0.0; 3], [1.0, 0.0, 0.0]];
        assert_eq!(rigid_goal(&line, &[[0.0, 0.0, 1.0], [1.0, 0.0, 1.0]]), Goal::By([0.0, 0.0, 1.0]));
    }

    #[test]
    fn turning_on_turns_about_the_middle_of_the_part_where_it_is() {
        let begun = [
            Goal::By([0.0, 0.5, 0.0]),
            Goal::Turn {
                turn: Turn { about: [0.0, 3.0, 0.0], axis: [0.0, 1.0, 1.0], degrees: 50.0 },
                then: Some(Move::By([0.2, 0.0, 0.0])),
            },
            Goal::from(Turn { about: middle(), axis: [1.0, 0.0, 0.0], degrees: -20.0 }),
            Goal::Turn {
                turn: Turn { about: [5.0, 0.0, 0.0], axis: [1.0, 0.0, 0.0], degrees: -20.0 },
                then: Some(Move::To([0.0, 0.0, 7.0])),
            },
        ];
        for goal in begun {
            let (axis, degrees) = (Vec3::new(0.3, 0.0, 1.0).normalize(), 70.0_f64);
            let on = turned(&goal, middle(), axis.into(), degrees).unwrap();
            let middle = taken(&goal, middle());
            let rotation = Rotation3::from_axis_angle(&Unit::new_normalize(axis), degrees.to_radians());
            for x in PART {
                let wanted = middle + rotation * (taken(&goal, x) - middle);
                let away = (taken(&on, x) - wanted).norm();
                assert!(away < 1e-9, "{goal:?} becomes {on:?}, {away} off");
            }
        }
        assert_eq!(turned(&Goal::Velocity([1.0; 3]), middle(), [0.0, 1.0, 0.0], 9.0), None);
    }

    #[test]
    fn angles_about_one_axis_add_up_past_a_whole_turn() {
        let start = Goal::from(Turn { about: middle(), axis: [0.0, 2.0, 0.0], degrees: 300.0 });
        let Some(Goal::Turn { turn, then }) = turned(&start, middle(), [0.0, -1.0, 0.0], -100.0) else {
            panic!("a turn")
        };
        assert!((turn.degrees - 400.0).abs() < 1e-12 && then.is_none(), "{turn:?} {then:?}");
    }
}
