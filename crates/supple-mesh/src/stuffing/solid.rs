//! What can be filled: anything that tells inside from outside.

use super::lattice::Lattice;
use crate::Vec3;
use rayon::prelude::*;

/// A cut point is found once f there is this small beside its values at the ends of the edge.
const ROOT_TOLERANCE: f64 = 1e-7;
/// Steps of the root finder; smooth functions take four or five.
const ROOT_STEPS: usize = 60;

/// A solid, known by a function f that is negative inside.
pub(crate) trait Solid: Sync {
    /// f at every point of the lattice; only the sign matters.
    fn values(&self, lattice: &Lattice) -> Vec<f64>;

    /// Where in [0, 1] the segment between two `ends`, at which f has `values` of opposite signs,
    /// crosses the surface.
    fn crossing(&self, ends: [Vec3; 2], values: [f64; 2]) -> f64;
}

impl<F: Fn(Vec3) -> f64 + Sync> Solid for F {
    fn values(&self, lattice: &Lattice) -> Vec<f64> {
        (0..lattice.points()).into_par_iter().map(|p| self(lattice.position(p))).collect()
    }

    fn crossing(&self, [from, to]: [Vec3; 2], [g0, g1]: [f64; 2]) -> f64 {
        root(g0, g1, |t| self(from.lerp(&to, t)))
    }
}

/// Whether two values have opposite signs, neither being zero.
pub(super) fn opposite(a: f64, b: f64) -> bool {
    (a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0)
}

/// Where g, with g(0) and g(1) of opposite signs, changes sign in (0, 1).
///
/// The Illinois method: the secant through the bracket's ends, and when the same end is kept twice
/// its value is halved, so that the next step moves it. Every third step halves the bracket
/// instead, so that a jump is found to a millionth of the edge.
pub(crate) fn root(mut g0: f64, mut g1: f64, g: impl Fn(f64) -> f64) -> f64 {
    let small = ROOT_TOLERANCE * g0.abs().max(g1.abs());
    let (mut t0, mut t1) = (0.0, 1.0);
    let mut kept = 0;
    for step in 0..ROOT_STEPS {
        let part = if step % 3 == 2 { 0.5 } else { g0 / (g0 - g1) };
        let t = t0 + part * (t1 - t0);
        let value = g(t);
        if value.abs() <= small {
            return t;
        }
        if opposite(g0, value) {
            (t1, g1) = (t, value);
            g0 *= if kept == -1 { 0.5 } else { 1.0 };
            kept = -1;
        } else {
            (t0, g0) = (t, value);
            g1 *= if kept == 1 { 0.5 } else { 1.0 };
            kept = 1;
        }
    }
    (t0 + t1) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_of_smooth_steep_and_jumping_functions() {
        let find = |g: &dyn Fn(f64) -> f64| root(g(0.0), g(1.0), g);
        assert!((find(&|t| t - 0.3) - 0.3).abs() < 1e-7);
        assert!((find(&|t| 0.2_f64.powi(5) - t.powi(5)) - 0.2).abs() < 1e-4);
        assert!((find(&|t| if t < 0.77 { -0.5 } else { 0.5 }) - 0.77).abs() < 1e-6);
        assert!((find(&|t| if t < 0.01 { 0.1 } else { -10.0 }) - 0.01).abs() < 1e-6);
        assert!((find(&|t| (9.0 * t).exp() - 40.0) - 40_f64.ln() / 9.0).abs() < 1e-6);
    }
}
