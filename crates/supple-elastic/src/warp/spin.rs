//! Which floating components of a motion turn far.
//!
//! A body that turns little knows turns as it sees them itself. One that turns by more than 30° while an edit comes
//! and goes would wind the edit's axis round with it; its edits turn it about axes that stand still in space, see
//! [`super::floating`]. That is decided once for a component and a motion, so that it never changes between frames.

use super::input::InputFrame;
use nalgebra::Matrix3;
use std::sync::Arc;

/// 30°.
const FAR: f64 = std::f64::consts::PI / 6.0;

/// Whether each component of a motion turns far within `reach` frames.
pub(super) fn spins(frames: &[InputFrame], reach: usize) -> Arc<[bool]> {
    let components = frames.first().map_or(0, |frame| frame.rotations.len());
    let spins = |component: usize| {
        let rotations: Vec<&Matrix3<f64>> = frames.iter().map(|frame| &frame.rotations[component]).collect();
        turns_far(&rotations, reach)
    };
    (0..components).map(spins).collect()
}

/// Whether two rotations at most `reach` apart differ by more than [`FAR`]. As no step is larger than the largest, many
/// pairs need no look.
fn turns_far(rotations: &[&Matrix3<f64>], reach: usize) -> bool {
    let step = rotations.windows(2).map(|pair| angle(pair[0], pair[1])).fold(0.0, f64::max);
    if step * reach.min(rotations.len()) as f64 <= FAR {
        return false;
    }
    (0..rotations.len()).any(|first| {
        let last = rotations.len().min(first.saturating_add(reach).saturating_add(1));
        let mut next = first + 1;
        while next < last {
            let turned = angle(rotations[first], rotations[next]);
            if turned > FAR {
                return true;
            }
            next += (((FAR - turned) / step) as usize).max(1);
        }
        false
    })
}

/// The angle between two rotations.
fn angle(a: &Matrix3<f64>, b: &Matrix3<f64>) -> f64 {
    (0.5 * (a.dot(b) - 1.0)).clamp(-1.0, 1.0).acos()
}

#[cfg(test)]
mod tests {
    use super::*;
    use supple_mesh::Vec3;
    use supple_numerics::rotation::exp;

    fn far(vectors: &[Vec3], reach: usize) -> bool {
        let rotations: Vec<Matrix3<f64>> = vectors.iter().map(exp).collect();
        turns_far(&rotations.iter().collect::<Vec<_>>(), reach)
    }

    #[test]
    fn what_counts_is_the_turn_within_reach() {
        // A steady turn of 2° a frame: 30° are passed after 16 frames.
        let steady: Vec<Vec3> = (0..60).map(|i| Vec3::z() * (2.0 * f64::from(i)).to_radians()).collect();
        assert!(!far(&steady, 14) && far(&steady, 16) && far(&steady, usize::MAX));
        assert!(!far(&steady[..12], 24) && !far(&[], 24) && !far(&steady[..1], 24));
        // To and fro by 20° about a far turned pose is little; one jump of 31° in the midst of rest is not.
        let to_and_fro: Vec<Vec3> =
            (0..60).map(|i| Vec3::x() * (100.0 + 10.0 * f64::from(i).sin()).to_radians()).collect();
        assert!(!far(&to_and_fro, 60));
        let mut jump = vec![Vec3::zeros(); 40];
        jump[29] = Vec3::y() * 31_f64.to_radians();
        assert!(far(&jump, 1) && !far(&jump, 0));
    }

    #[test]
    fn pairs_that_are_passed_over_do_not_matter() {
        let mut state = 5_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 * f64::powi(2.0, -52) - 1.0
        };
        let mut answers = [0; 2];
        for case in 0..200 {
            let size = 0.01 + 0.001 * f64::from(case);
            let mut now = Vec3::zeros();
            let mut walk = || {
                now += Vec3::new(random(), random(), random()) * size;
                exp(&now)
            };
            let rotations: Vec<Matrix3<f64>> = (0..30).map(|_| walk()).collect();
            let all: Vec<&Matrix3<f64>> = rotations.iter().collect();
            let pairs = (0..30).flat_map(|i| (i + 1..30.min(i + 9)).map(move |j| (i, j)));
            let expected = pairs.into_iter().any(|(i, j)| angle(all[i], all[j]) > FAR);
            assert_eq!(turns_far(&all, 8), expected, "{case}");
            answers[usize::from(expected)] += 1;
        }
        assert!(answers.iter().all(|count| *count > 20), "{answers:?}");
    }
}
