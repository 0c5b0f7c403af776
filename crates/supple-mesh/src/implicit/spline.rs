//! Smooth curves through given points, for the axes and radii of tubes.
//!
//! Catmull and Rom's cubic with chord-length parameters: between two knots a Hermite cubic whose
//! slope at a knot is that of the parabola through it and its neighbours. Chord lengths keep the
//! curve from overshooting where knots are unevenly spaced.

use nalgebra::Vector4;

/// Points on the smooth curve through `knots`, `steps` for each span between two of them, the first
/// and the last knot included. The last coordinate, a radius, does not count for chord lengths.
pub fn samples(knots: &[Vector4<f64>], steps: usize) -> Vec<Vector4<f64>> {
    let spans = knots.len().saturating_sub(1);
    let chord = |i: usize| (knots[i + 1] - knots[i]).xyz().norm().max(f64::MIN_POSITIVE);
    let rise = |i: usize| (knots[i + 1] - knots[i]) / chord(i);
    let slope = |i: usize| {
        if i == 0 {
            rise(0)
        } else if i == spans {
            rise(spans - 1)
        } else {
            (rise(i - 1) * chord(i) + rise(i) * chord(i - 1)) / (chord(i - 1) + chord(i))
        }
    };
    let mut samples = Vec::with_capacity(spans * steps + 1);
    for i in 0..spans {
        let (start, end) = (slope(i) * chord(i), slope(i + 1) * chord(i));
        for step in 0..steps {
            let t = step as f64 / steps as f64;
            let u = 1.0 - t;
            samples.push(
                knots[i] * (u * u * (1.0 + 2.0 * t))
                    + start * (u * u * t)
                    + knots[i + 1] * (t * t * (3.0 - 2.0 * t))
                    - end * (t * t * u),
            );
        }
    }
    samples.extend(knots.last());
    samples
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_meets_its_knots_and_keeps_straight_lines() {
        let line = [0.0, 1.0, 4.0].map(|x| Vector4::new(x, 2.0 * x, 0.0, 1.0 + x));
        let curve = samples(&line, 4);
        assert_eq!(curve.len(), 9);
        assert_eq!([curve[0], curve[4], curve[8]], line);
        assert!(curve.iter().all(|p| (p - Vector4::new(p.x, 2.0 * p.x, 0.0, 1.0 + p.x)).norm() < 1e-14));
        assert_eq!(samples(&line[..1], 4), line[..1]);
    }

    #[test]
    fn the_curve_turns_smoothly_at_a_knot() {
        let knots =
            [[0.0, 0.0], [1.0, 0.0], [1.0, 2.0], [4.0, 2.0]].map(|[x, y]| Vector4::new(x, y, 0.0, 1.0));
        let curve = samples(&knots, 1000);
        for knot in [1000, 2000] {
            let (before, after) = (curve[knot] - curve[knot - 1], curve[knot + 1] - curve[knot]);
            assert!(before.normalize().dot(&after.normalize()) > 1.0 - 1e-4);
        }
    }
}
