//! The stiffness and damping under which a path needs the least force, the path being what it is.
//!
//! > minimise E(λ, d) subject to λ in a box, d ≥ α + βλ
//!
//! of one mode, E the quadratic of [`Moments`]. With d = α + βλ + g the bounds are those of a box in (λ, g), so the least is in the
//! inside, on an edge or at a corner: all are known in closed form and the least of them is taken.
//!
//! The floor α + βλ is what the body's own damping is; below it nothing would damp: after a start at rest the best d is
//! always the least one (what forces bring in stays in the body). And λ has to stay near its start: with a floor, or with a
//! free end, λ = 0 is attractive, and shapes without stiffness drift away.

use crate::kernel::Oscillator;
use crate::path::Moments;

/// What stiffness and damping of a mode may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    /// The least and the most λ.
    pub stiffness: [f64; 2],
    /// α and β of the least damping, d ≥ α + βλ.
    pub floor: [f64; 2],
}

/// Of stiffnesses and dampings that are as good as each other the one at hand is kept; and so it is where nothing better
/// is found. The integrals' own (λ, d) must be within the bounds.
pub(crate) fn fit(moments: &Moments, bounds: &Bounds) -> Oscillator {
    let (a, b) = change(moments, bounds);
    within(bounds, moments.stiffness + a, moments.damping + b)
}

fn within(bounds: &Bounds, stiffness: f64, damping: f64) -> Oscillator {
    let [least, most] = bounds.stiffness;
    let eigenvalue = stiffness.max(least).min(most);
    let floor = bounds.floor[0] + bounds.floor[1] * eigenvalue;
    Oscillator { eigenvalue, delta: 0.5 * damping.max(floor) }
}

/// By how much λ and d change.
fn change(moments: &Moments, bounds: &Bounds) -> (f64, f64) {
    let [alpha, beta] = bounds.floor;
    let &Moments { stiffness, damping, fz, fv, zz, zv, vv, arrival: [zs, vs], .. } = moments;
    let above = (damping - alpha - beta * stiffness).max(0.0);
    // E's derivatives by λ, with d at the same height above its floor, and by that height.
    let quadratic = Quadratic {
        slope: [fz + beta * fv + (damping + beta * stiffness) * zs + beta * vs, fv + stiffness * zs + vs],
        curvature: [
            [zz + 2.0 * beta * zv + beta * beta * vv + 2.0 * beta * zs, zv + beta * vv + zs],
            [zv + beta * vv + zs, vv],
        ],
    };
    let least = [bounds.stiffness[0] - stiffness, -above];
    let most = [bounds.stiffness[1] - stiffness, f64::INFINITY];
    let [a, g] = quadratic.least_in(least, most);
    (a, g + beta * a)
}

/// s·x + ½ x·C x.
struct Quadratic {
    slope: [f64; 2],
    curvature: [[f64; 2]; 2],
}

impl Quadratic {
    fn at(&self, x: [f64; 2]) -> f64 {
        let C = &self.curvature;
        let square = C[0][0] * x[0] * x[0] + 2.0 * C[0][1] * x[0] * x[1] + C[1][1] * x[1] * x[1];
        self.slope[0] * x[0] + self.slope[1] * x[1] + 0.5 * square
    }

    /// Where it is least in a box around zero; zero where nothing is less.
    fn least_in(&self, least: [f64; 2], most: [f64; 2]) -> [f64; 2] {
        let mut best = ([0.0; 2], 0.0);
        let mut look = |x: [f64; 2]| {
            let value = self.at(x);
            if value < best.1 {
                best = (x, value);
            }
        };
        let (s, C) = (self.slope, self.curvature);
        let determinant = C[0][0] * C[1][1] - C[0][1] * C[0][1];
        if C[0][0] > 0.0 && determinant > 0.0 {
            let x = [
                (C[0][1] * s[1] - C[1][1] * s[0]) / determinant,
                (C[0][1] * s[0] - C[0][0] * s[1]) / determinant,
            ];
            if (0..2).all(|i| least[i] <= x[i] && x[i] <= most[i]) {
                look(x);
            }
        }
        for (held, free) in [(0, 1), (1, 0)] {
            for at in [least[held], most[held]].into_iter().filter(|at| at.is_finite()) {
                let mut x = [0.0; 2];
                x[held] = at;
                let (slope, curvature) = (s[free] + C[0][1] * at, C[free][free]);
                let stationary = if curvature > 0.0 { -slope / curvature } else { 0.0 };
                for end in [stationary.max(least[free]).min(most[free]), least[free], most[free]] {
                    if end.is_finite() {
                        x[free] = end;
                        look(x);
                    }
                }
            }
        }
        best.0
    }
}
