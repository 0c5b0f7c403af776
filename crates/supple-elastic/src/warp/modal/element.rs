//! One place of a body at rest under an edit, with all derivatives that optimising through the warp needs.
//!
//! The edit's gradient is told by nine numbers s = (π, ε): the turn π (three) and the strain ε (six: xx, yy, zz, yz,
//! xz, xy). The place is asked to become
//!
//! > Y(s) = exp(π) (I + ε),
//! > dY = (J dπ)× Y + R dε, R = exp π and J its left Jacobian (Schulz et al. 2014, §6 and appendix),
//! > d²Y\[h, ·\]: the same once more, with J = a I + b π× + c ππᵀ and a, b, c functions of t = |π|²:
//! >   a′ = (c − b)/2, b′ = (a/2 − b)/t, c′ = (b − 3c)/(2t).
//!
//! Nothing bends with ε alone: d²Y\[ε, ε\] = 0.

use nalgebra::{Matrix3, SMatrix};
use supple_mesh::Vec3;
use supple_numerics::rotation;

/// π and ε of one place.
pub(super) type Strain = [f64; 9];

/// A row for each entry of Y, row after row; a column for each number of s.
pub(super) type Slope = [[f64; 9]; 9];

/// The symmetric matrices that the last six numbers of s stand for: where their ones are.
const ONES: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (1, 2), (0, 2), (0, 1)];

/// ε as a matrix.
#[inline]
fn matrix(s: &Strain) -> Matrix3<f64> {
    Matrix3::new(s[3], s[8], s[7], s[8], s[4], s[6], s[7], s[6], s[5])
}

/// π and ε of a gradient.
#[inline]
pub(super) fn strain_of(H: &Matrix3<f64>) -> Strain {
    let half = |a: f64, b: f64| 0.5 * (a + b);
    [
        half(H[(2, 1)], -H[(1, 2)]),
        half(H[(0, 2)], -H[(2, 0)]),
        half(H[(1, 0)], -H[(0, 1)]),
        H[(0, 0)],
        H[(1, 1)],
        H[(2, 2)],
        half(H[(1, 2)], H[(2, 1)]),
        half(H[(0, 2)], H[(2, 0)]),
        half(H[(0, 1)], H[(1, 0)]),
    ]
}

/// The numbers s with which the place becomes Q S, `turn` a rotation vector of Q.
pub(super) fn strain_of_polar(turn: &Vec3, S: &Matrix3<f64>) -> Strain {
    let off = |a: usize, b: usize| 0.5 * (S[(a, b)] + S[(b, a)]);
    let one = |a: usize| S[(a, a)] - 1.0;
    [turn.x, turn.y, turn.z, one(0), one(1), one(2), off(1, 2), off(0, 2), off(0, 1)]
}

/// A place under an edit.
pub(super) struct Element {
    turn: Vec3,
    R: Matrix3<f64>,
    J: Matrix3<f64>,
    Y: Matrix3<f64>,
}

impl Element {
    #[inline]
    pub fn new(s: &Strain) -> Self {
        let turn = Vec3::new(s[0], s[1], s[2]);
        let (R, J) = rotation::exp_and_jacobian(&turn);
        Self { turn, R, J, Y: R * (Matrix3::identity() + matrix(s)) }
    }

    /// Y − I.
    #[inline]
    pub fn change(&self) -> Matrix3<f64> {
        self.Y - Matrix3::identity()
    }

    /// dY along h.
    #[inline]
    pub fn along(&self, h: &Strain) -> Matrix3<f64> {
        let w = self.J * Vec3::new(h[0], h[1], h[2]);
        w.cross_matrix() * self.Y + self.R * matrix(h)
    }

    /// dY by s.
    #[inline]
    pub fn slope(&self) -> Slope {
        self.columns(&self.J, &self.Y, &self.R)
    }

    /// How [`Self::slope`] changes along h.
    #[inline]
    pub fn slope_along(&self, h: &Strain) -> Slope {
        let pi = Vec3::new(h[0], h[1], h[2]);
        let turning = (self.J * pi).cross_matrix();
        let dY = turning * self.Y + self.R * matrix(h);
        // (dJ e)× Y + (J e)× dY, and (J π)× R e.
        let mut slope = self.columns(&self.bent(&pi), &self.Y, &(turning * self.R));
        let other = self.columns(&self.J, &dY, &Matrix3::zeros());
        for (slope, other) in slope.iter_mut().zip(&other) {
            for b in 0..3 {
                slope[b] += other[b];
            }
        }
        slope
    }

    /// (W e_b)× Y for the turns, R E for the strains.
    #[inline]
    fn columns(&self, W: &Matrix3<f64>, Y: &Matrix3<f64>, R: &Matrix3<f64>) -> Slope {
        let mut slope = [[0.0; 9]; 9];
        for b in 0..3 {
            let w = W.column(b);
            for d in 0..3 {
                slope[d][b] = w[1] * Y[(2, d)] - w[2] * Y[(1, d)];
                slope[3 + d][b] = w[2] * Y[(0, d)] - w[0] * Y[(2, d)];
                slope[6 + d][b] = w[0] * Y[(1, d)] - w[1] * Y[(0, d)];
            }
        }
        for (k, (j, d)) in ONES.into_iter().enumerate() {
            for i in 0..3 {
                slope[3 * i + d][3 + k] += R[(i, j)];
                if j != d {
                    slope[3 * i + j][3 + k] += R[(i, d)];
                }
            }
        }
        slope
    }

    /// dJ along a change of π.
    #[inline]
    fn bent(&self, pi: &Vec3) -> Matrix3<f64> {
        let Bends { b, c, da, db, dc } = Bends::at(&self.turn);
        let grown = 2.0 * self.turn.dot(pi);
        let mixed = pi * self.turn.transpose();
        Matrix3::from_diagonal_element(da * grown)
            + self.turn.cross_matrix() * (db * grown)
            + pi.cross_matrix() * b
            + self.turn * self.turn.transpose() * (dc * grown)
            + (mixed + mixed.transpose()) * c
    }

    /// The second derivative of B : Y by s: by two turns (symmetric), and by a turn and a strain.
    #[inline]
    pub fn bend(&self, B: &Matrix3<f64>) -> (Matrix3<f64>, SMatrix<f64, 3, 6>) {
        let A = self.Y * B.transpose();
        let v = Vec3::new(A[(1, 2)] - A[(2, 1)], A[(2, 0)] - A[(0, 2)], A[(0, 1)] - A[(1, 0)]);
        let Bends { b: _, c, da, db, dc } = Bends::at(&self.turn);
        let pi = &self.turn;
        let along = v.dot(pi);
        // v·(dJ e_b) e_a, without what is antisymmetric in a and b.
        let first = (v * (2.0 * da) + v.cross(pi) * (2.0 * db) + pi * (2.0 * dc * along)) * pi.transpose()
            + pi * v.transpose() * c
            + Matrix3::from_diagonal_element(c * along);
        let second = self.J.transpose() * (A - Matrix3::from_diagonal_element(A.trace())) * self.J;
        let both = first + second;
        let turns = (both + both.transpose()) * 0.5;
        let mut mixed = SMatrix::<f64, 3, 6>::zeros();
        for a in 0..3 {
            let X = B.transpose() * self.J.column(a).cross_matrix() * self.R;
            for (k, (i, j)) in ONES.into_iter().enumerate() {
                mixed[(a, k)] = if i == j { X[(i, i)] } else { X[(i, j)] + X[(j, i)] };
            }
        }
        (turns, mixed)
    }
}

/// b and c of the left Jacobian, and the derivatives of a, b, c by |π|².
struct Bends {
    b: f64,
    c: f64,
    da: f64,
    db: f64,
    dc: f64,
}

impl Bends {
    /// |π|² below which quotients lose digits.
    const SMALL: f64 = 0.04;

    #[inline]
    fn at(pi: &Vec3) -> Self {
        let t = pi.norm_squared();
        let [a, b, c] = rotation::coefficients_of(t);
        let (db, dc) = if t < Self::SMALL {
            // Derivatives of Σ (−t)^k / (2k + 2)! and Σ (−t)^k / (2k + 3)!.
            (
                -1.0 / 24.0 + t * (2.0 / 720.0 - t * (3.0 / 40_320.0 - t * (4.0 / 3_628_800.0))),
                -1.0 / 120.0 + t * (2.0 / 5_040.0 - t * (3.0 / 362_880.0 - t * (4.0 / 39_916_800.0))),
            )
        } else {
            ((0.5 * a - b) / t, (b - 3.0 * c) / (2.0 * t))
        };
        Self { b, c, da: 0.5 * (c - b), db, dc }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Strains with turns from none to more than a half turn.
    fn strains() -> Vec<Strain> {
        let base = [0.3, -0.5, 0.8, 0.1, -0.2, 0.05, 0.15, -0.1, 0.2];
        let scaled = |turn: f64| std::array::from_fn(|k| if k < 3 { turn * base[k] } else { base[k] });
        [0.0, 1e-5, 0.19, 0.21, 1.0, 2.2, 4.0].into_iter().map(scaled).collect()
    }

    fn moved(s: &Strain, h: &Strain, by: f64) -> Strain {
        std::array::from_fn(|k| s[k] + by * h[k])
    }

    const H: Strain = [0.4, 0.7, -0.3, 0.2, 0.5, -0.6, 0.1, 0.3, -0.25];
    const STEP: f64 = 1e-5;

    #[test]
    fn slopes_are_those_of_differences() {
        for s in strains() {
            let slope = Element::new(&s).slope();
            let (after, before) =
                (Element::new(&moved(&s, &H, STEP)).change(), Element::new(&moved(&s, &H, -STEP)).change());
            let along = Element::new(&s).along(&H);
            for (k, row) in slope.iter().enumerate() {
                let at = (k / 3, k % 3);
                let expected = (after[at] - before[at]) / (2.0 * STEP);
                let found: f64 = row.iter().zip(&H).map(|(a, b)| a * b).sum();
                assert!((found - expected).abs() < 1e-9, "{s:?}: {found} {expected}");
                assert!((along[at] - found).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn second_derivatives_are_those_of_differences() {
        let B = Matrix3::new(0.3, -1.2, 0.5, 0.1, 0.4, -0.6, 0.7, 0.25, -0.15);
        for s in strains() {
            let along = Element::new(&s).slope_along(&H);
            let (after, before) =
                (Element::new(&moved(&s, &H, STEP)).slope(), Element::new(&moved(&s, &H, -STEP)).slope());
            let (turns, mixed) = Element::new(&s).bend(&B);
            for b in 0..9 {
                let mut weighed = 0.0;
                for k in 0..9 {
                    let expected = (after[k][b] - before[k][b]) / (2.0 * STEP);
                    assert!((along[k][b] - expected).abs() < 1e-9, "{s:?}: {} {expected}", along[k][b]);
                    weighed += B[(k / 3, k % 3)] * along[k][b];
                }
                let found: f64 = (0..9)
                    .map(|a| match (a < 3, b < 3) {
                        (true, true) => turns[(a, b)] * H[a],
                        (true, false) => mixed[(a, b - 3)] * H[a],
                        (false, true) => mixed[(b, a - 3)] * H[a],
                        (false, false) => 0.0,
                    })
                    .sum();
                assert!((found - weighed).abs() < 1e-12, "{s:?} {b}: {found} {weighed}");
            }
        }
    }

    #[test]
    fn a_gradient_is_taken_apart_as_the_warp_does() {
        let G = Matrix3::new(0.3, -0.2, 0.5, 0.1, 0.4, -0.6, 0.7, 0.25, -0.15);
        let s = strain_of(&G);
        assert!((Vec3::new(s[0], s[1], s[2]).cross_matrix() + matrix(&s) - G).norm() < 1e-15);
        let polar = rotation::polar(&(Matrix3::identity() + G));
        let s = strain_of_polar(&rotation::log(&polar.rotation), &polar.stretch);
        assert!((Element::new(&s).change() - G).norm() < 1e-14);
    }
}
