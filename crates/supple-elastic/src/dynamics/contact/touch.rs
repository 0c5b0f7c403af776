//! One point against one plane: the energy of penetration and of friction.
//!
//! With the gap g = n·(x − p) and the slip t = (I − n nᵀ)(x − x₀) from where the point took hold at x₀,
//!
//! > V = k/2 max(0, e − g)² + F H(|t|), H(s) = s²/2ε up to s = ε, and s − ε/2 beyond.
//!
//! −∂V/∂x is a spring that pushes out from e = 0, or a little earlier while it is soft (`settle.rs`), and one that holds back the more the point has slipped, until
//! its force is F, which then drags on. F = μ × normal force is Coulomb's law; with the normal force known
//! from before, V is convex and its second derivative symmetric, as a minimisation needs. A point within ε
//! of its hold *sticks*, all others *slide*. The hold lasts from step to step, so that what sticks does not
//! creep, and follows ε behind what slides.

use nalgebra::Matrix3;
use supple_mesh::{ContactPlane, Vec3};

/// A point and a plane it has to stay in front of.
#[derive(Clone, Debug)]
pub(in crate::dynamics) struct Touch {
    /// Its place among the points that may collide.
    pub point: usize,
    pub plane: ContactPlane,
    /// k, newtons per metre.
    pub stiffness: f64,
    /// e, metres.
    pub offset: f64,
    /// The normal force it is expected to bear, newtons.
    pub borne: f64,
    /// x₀.
    pub hold: Vec3,
    /// ε, metres.
    pub give: f64,
    /// F, newtons.
    pub cap: f64,
}

impl Touch {
    /// V.
    pub fn energy(&self, x: &Vec3) -> f64 {
        let depth = self.depth(x);
        let slip = self.slip(x).norm();
        let way = if slip <= self.give { 0.5 * slip * slip / self.give } else { slip - 0.5 * self.give };
        0.5 * self.stiffness * depth * depth + self.cap * way
    }

    /// ∂V/∂x.
    pub fn gradient(&self, x: &Vec3) -> Vec3 {
        -self.push(x) * self.plane.normal - self.friction(x)
    }

    /// ∂²V/∂x², of either side where it jumps.
    pub fn hessian(&self, x: &Vec3) -> Matrix3<f64> {
        let n = self.plane.normal;
        let across = n * n.transpose();
        let mut along = Matrix3::identity() - across;
        let slip = self.slip(x);
        let length = slip.norm();
        if length > self.give {
            let direction = slip / length;
            along -= direction * direction.transpose();
        }
        let push = if self.depth(x) > 0.0 { self.stiffness } else { 0.0 };
        across * push + along * (self.cap / length.max(self.give))
    }

    /// The normal force, newtons, never negative.
    pub fn push(&self, x: &Vec3) -> f64 {
        self.stiffness * self.depth(x)
    }

    /// How far the spring is pressed.
    fn depth(&self, x: &Vec3) -> f64 {
        (self.offset - self.plane.distance(x)).max(0.0)
    }

    /// The force of friction.
    pub fn friction(&self, x: &Vec3) -> Vec3 {
        let slip = self.slip(x);
        -slip * (self.cap / slip.norm().max(self.give))
    }

    /// Whether friction holds the point.
    pub fn sticks(&self, x: &Vec3) -> bool {
        self.cap > 0.0 && self.slip(x).norm() <= self.give
    }

    /// Where a point at `x` has its hold from now on: no farther behind than ε.
    pub fn trailing_hold(&self, x: &Vec3) -> Vec3 {
        let slip = self.slip(x);
        let length = slip.norm();
        if length > self.give { x - slip * (self.give / length) } else { x - slip }
    }

    /// How large the force of friction at `x` is, and would be by Coulomb's law with the normal force there.
    pub fn friction_sizes(&self, x: &Vec3) -> [f64; 2] {
        let part = (self.slip(x).norm() / self.give).min(1.0);
        [self.cap * part, self.plane.friction * self.push(x) * part]
    }

    /// Takes Coulomb's law with the normal force at `x`.
    pub fn update_cap(&mut self, x: &Vec3) {
        self.cap = self.plane.friction * self.push(x);
    }

    /// t.
    pub fn slip(&self, x: &Vec3) -> Vec3 {
        let way = x - self.hold;
        way - self.plane.normal * self.plane.normal.dot(&way)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: f64 = 1e-6;

    fn touch() -> Touch {
        let normal = Vec3::new(0.48, 0.6, 0.64);
        let plane = ContactPlane { point: Vec3::new(1.0, 2.0, 3.0), normal, friction: 0.4, obstacle: 0 };
        let hold = Vec3::new(1.1, 1.9, 3.2);
        Touch { point: 0, plane, stiffness: 50.0, offset: 0.0, borne: 0.0, hold, give: 0.14, cap: 7.0 }
    }

    /// So deep behind the plane, slipped so far.
    fn place(depth: f64, slip: f64) -> Vec3 {
        let touch = touch();
        let hold = touch.hold - touch.plane.normal * touch.plane.distance(&touch.hold);
        hold - touch.plane.normal * depth + touch.plane.normal.cross(&Vec3::x()).normalize() * slip
    }

    #[test]
    fn derivatives_agree_with_differences() {
        let touch = touch();
        for x in [place(0.1, 0.05), place(0.1, 0.5), place(-0.1, 0.05), place(-0.1, 0.5)] {
            let (gradient, hessian) = (touch.gradient(&x), touch.hessian(&x));
            for c in 0..3 {
                let at = |sign: f64| x + Vec3::ith(c, sign * STEP);
                let slope = (touch.energy(&at(1.0)) - touch.energy(&at(-1.0))) / (2.0 * STEP);
                assert!((slope - gradient[c]).abs() < 1e-6 * gradient.norm());
                let row = (touch.gradient(&at(1.0)) - touch.gradient(&at(-1.0))) / (2.0 * STEP);
                assert!((row - hessian.column(c)).norm() < 1e-6 * hessian.norm());
            }
        }
    }

    #[test]
    fn friction_holds_up_to_its_bound_and_its_hold_follows_what_slides() {
        let mut touch = touch();
        let (sticks, slides) = (place(0.1, 0.07), place(0.1, 0.5));
        assert!(touch.sticks(&sticks) && !touch.sticks(&slides));
        assert!((touch.friction(&sticks).norm() - 3.5).abs() < 1e-12);
        assert!((touch.friction(&slides).norm() - 7.0).abs() < 1e-12);
        assert!(touch.friction(&slides).dot(&(slides - touch.hold)) < 0.0);
        assert!(((sticks - touch.trailing_hold(&sticks)).norm() - 0.07).abs() < 1e-12);
        assert!(((slides - touch.trailing_hold(&slides)).norm() - 0.14).abs() < 1e-12);
        // Pressed by 0.1 × 50 = 5 newtons, friction 0.4 bears 2 of the 7.
        let [now, then] = touch.friction_sizes(&slides);
        assert!((now - 7.0).abs() < 1e-12 && (then - 2.0).abs() < 1e-12);
        touch.update_cap(&slides);
        assert!((touch.friction(&slides).norm() - 2.0).abs() < 1e-12);
    }
}
