//! One vertex against one plane: the energy of penetration and of friction.
//!
//! With the gap g = n·(x − p) and the slip t = (I − n nᵀ)(x − x₀) since the step began at x₀, the vertex has
//! the energy k/2 min(0, g)², a stiff spring that pushes out, and by Coulomb's law with the bound F = μ ×
//! normal force
//!
//! > k/2 |t|² while it *sticks*, and F d·t while it *slides* along d.
//!
//! This is the potential of Huber, k/2 |t|² up to k |t| = F and F (|t| − F/2k) beyond, whose minimum is sought
//! by an active set: F, d and who sticks are kept while Φ is minimised, which is then smooth along the
//! plane, and follow from the minimum found. Who sticks with more than F begins to slide the way it was
//! pulled; who slides against d sticks. (Newton's method on the potential itself steps across the kink, no
//! wider than F/k, back and forth.)

use nalgebra::Matrix3;
use supple_mesh::{ContactPlane, Vec3};
use supple_model::VertexId;

/// What holds a vertex's own mass back, in units of k: 2 m/h², k being 10⁵ m/h².
const FREE: f64 = 2e-5;

/// A vertex and a plane it has to stay in front of.
#[derive(Clone, Debug)]
pub(in crate::dynamics) struct Touch {
    pub vertex: VertexId,
    /// Its place among the free vertices.
    pub place: usize,
    pub plane: ContactPlane,
    /// x₀.
    pub start: Vec3,
    /// k, newtons per metre.
    pub stiffness: f64,
    /// F, newtons.
    pub cap: f64,
    pub hold: Hold,
}

/// What friction does to a vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::dynamics) enum Hold {
    /// A spring holds it where it was.
    Stick,
    /// A force F drags it, against this unit vector along the plane; zero when it is not known.
    Slide(Vec3),
}

impl Touch {
    /// V.
    pub fn energy(&self, x: &Vec3) -> f64 {
        let depth = self.plane.distance(x).min(0.0);
        let slip = self.slip(x);
        let friction = match self.hold {
            Hold::Stick => 0.5 * self.stiffness * slip.norm_squared(),
            Hold::Slide(direction) => self.cap * direction.dot(&slip),
        };
        0.5 * self.stiffness * depth * depth + friction
    }

    /// ∂V/∂x.
    pub fn gradient(&self, x: &Vec3) -> Vec3 {
        -self.push(x) * self.plane.normal - self.friction(x)
    }

    /// ∂²V/∂x², of either side where it jumps.
    pub fn hessian(&self, x: &Vec3) -> Matrix3<f64> {
        let across = self.plane.normal * self.plane.normal.transpose();
        let mut hessian = Matrix3::zeros();
        if self.plane.distance(x) < 0.0 {
            hessian += across * self.stiffness;
        }
        if self.hold == Hold::Stick {
            hessian += (Matrix3::identity() - across) * self.stiffness;
        }
        hessian
    }

    /// The normal force, newtons, never negative.
    pub fn push(&self, x: &Vec3) -> f64 {
        self.stiffness * (-self.plane.distance(x)).max(0.0)
    }

    /// The force of friction.
    pub fn friction(&self, x: &Vec3) -> Vec3 {
        match self.hold {
            Hold::Stick => -self.slip(x) * self.stiffness,
            Hold::Slide(direction) => -direction * self.cap,
        }
    }

    /// What friction is like at `x` by Coulomb's law with the normal force there: F and who holds whom.
    pub fn coulomb(&self, x: &Vec3) -> (f64, Hold) {
        let cap = self.plane.friction * self.push(x);
        if cap == 0.0 {
            return (cap, Hold::Slide(Vec3::zeros()));
        }
        let slip = self.slip(x);
        let length = slip.norm();
        let sliding = Hold::Slide(if length > 0.0 { slip / length } else { Vec3::zeros() });
        let sticks = match self.hold {
            Hold::Stick => self.stiffness * length <= cap,
            // So far nothing held it: whether F stops its mass alone within the step.
            Hold::Slide(direction) if direction == Vec3::zeros() => FREE * self.stiffness * length <= cap,
            Hold::Slide(direction) => direction.dot(&slip) <= 0.0,
        };
        (cap, if sticks { Hold::Stick } else { sliding })
    }

    /// How much the force of friction at `x` changes, and how large it may be, when Coulomb's law takes over
    /// the normal force there.
    pub fn change(&self, x: &Vec3) -> [f64; 2] {
        let (cap, hold) = self.coulomb(x);
        let then = match hold {
            Hold::Stick if self.hold == Hold::Stick => self.friction(x),
            // It is not known before, only bound.
            Hold::Stick => return [cap, cap],
            Hold::Slide(direction) => -direction * cap,
        };
        [(then - self.friction(x)).norm(), cap.max(self.cap)]
    }

    fn slip(&self, x: &Vec3) -> Vec3 {
        let way = x - self.start;
        way - self.plane.normal * self.plane.normal.dot(&way)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: f64 = 1e-6;

    fn touch(hold: Hold) -> Touch {
        let normal = Vec3::new(0.48, 0.6, 0.64);
        let plane = ContactPlane { point: Vec3::new(1.0, 2.0, 3.0), normal, friction: 0.4, obstacle: 0 };
        let (vertex, start) = (VertexId(0), Vec3::new(1.1, 1.9, 3.2));
        Touch { vertex, place: 0, plane, start, stiffness: 50.0, cap: 7.0, hold }
    }

    /// So deep behind the plane, slipped so far.
    fn place(depth: f64, slip: f64) -> Vec3 {
        let touch = touch(Hold::Stick);
        let start = touch.start - touch.plane.normal * touch.plane.distance(&touch.start);
        start - touch.plane.normal * depth + along() * slip
    }

    fn along() -> Vec3 {
        touch(Hold::Stick).plane.normal.cross(&Vec3::x()).normalize()
    }

    #[test]
    fn derivatives_agree_with_differences() {
        for hold in [Hold::Stick, Hold::Slide(along())] {
            let touch = touch(hold);
            for x in [place(0.1, 0.05), place(0.1, 0.5), place(-0.1, 0.05), place(-0.1, 0.5)] {
                let (gradient, hessian) = (touch.gradient(&x), touch.hessian(&x));
                for c in 0..3 {
                    let at = |sign: f64| x + Vec3::ith(c, sign * STEP);
                    let slope = (touch.energy(&at(1.0)) - touch.energy(&at(-1.0))) / (2.0 * STEP);
                    assert!((slope - gradient[c]).abs() < 1e-6 * gradient.norm(), "gradient, {hold:?}");
                    let row = (touch.gradient(&at(1.0)) - touch.gradient(&at(-1.0))) / (2.0 * STEP);
                    assert!((row - hessian.column(c)).norm() < 1e-6 * 50.0, "hessian, {hold:?}");
                }
            }
        }
    }

    #[test]
    fn who_is_pulled_too_much_slides_and_who_slides_backwards_sticks() {
        // Pressed by 0.1 × 50 = 5 N, friction bears 2 N, or 0.04 of slip.
        let close = |(cap, hold): (f64, Hold), expected: Hold| {
            let same = match (hold, expected) {
                (Hold::Slide(a), Hold::Slide(b)) => (a - b).norm() < 1e-12,
                _ => hold == expected,
            };
            assert!((cap - 2.0).abs() < 1e-12 && same, "{cap} {hold:?}");
        };
        close(touch(Hold::Stick).coulomb(&place(0.1, 0.03)), Hold::Stick);
        close(touch(Hold::Stick).coulomb(&place(0.1, 0.05)), Hold::Slide(along()));
        close(touch(Hold::Slide(along())).coulomb(&place(0.1, 0.001)), Hold::Slide(along()));
        close(touch(Hold::Slide(along())).coulomb(&place(0.1, -0.001)), Hold::Stick);
        assert!((touch(Hold::Slide(along())).friction(&place(0.1, 0.5)) + along() * 7.0).norm() < 1e-12);
        // In front of the plane there is no friction.
        assert_eq!(touch(Hold::Stick).coulomb(&place(-0.1, 0.0)), (0.0, Hold::Slide(Vec3::zeros())));
        let [change, bound] = touch(Hold::Slide(along())).change(&place(0.1, 0.5));
        assert!((change - 5.0).abs() < 1e-12 && bound == 7.0);
        assert!(touch(Hold::Stick).change(&place(0.1, 0.03))[0] == 0.0);
    }
}
