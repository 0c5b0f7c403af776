//! What one place of a body should look like after an edit.
//!
//! At a place with the input's deformation gradient F and rotation vector ω, an edit p whose gradient H
//! has the skew part π× (π× v = π × v) and the symmetric part ε asks for the gradient
//!
//! > exp(ω + π) (E + ε), E = exp(ω)ᵀ F,
//!
//! which is F without an edit; or exp(ω) exp(π) (E + ε), see [`Turning`]. E is the stretch of F = Q S where ω is a logarithm of Q; any other ω is as
//! good, its E then turns a little. [`change`] is what the edit adds to F, exactly zero for no edit.
//!
//! A triangle knows its gradient along the surface only, H n = 0. It is lifted by δ nᵀ with δ = −Hᵀn,
//! the turn of the normal under a small motion, so that a rotation out of the plane is one to the skew
//! part as well. What the lift says about the normal of the *target* is never asked for.

use nalgebra::Matrix3;
use supple_mesh::Vec3;
use supple_numerics::rotation;

/// The gradient of an edit, taken apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edit {
    /// π.
    turn: Vec3,
    /// ε.
    strain: Matrix3<f64>,
}

impl Edit {
    /// Of the gradient H; `normal` is that of a triangle.
    #[inline]
    pub fn of(mut H: Matrix3<f64>, normal: Option<&Vec3>) -> Self {
        if let Some(n) = normal {
            H -= H.transpose() * n * n.transpose();
        }
        let turn = Vec3::new(H[(2, 1)] - H[(1, 2)], H[(0, 2)] - H[(2, 0)], H[(1, 0)] - H[(0, 1)]) * 0.5;
        Self { turn, strain: (H + H.transpose()) * 0.5 }
    }

    /// Of π (three numbers) and ε (xx, yy, zz, yz, xz, xy).
    #[inline]
    pub fn of_strain(s: &[f64; 9]) -> Self {
        let strain = Matrix3::new(s[3], s[8], s[7], s[8], s[4], s[6], s[7], s[6], s[5]);
        Self { turn: Vec3::new(s[0], s[1], s[2]), strain }
    }

    #[inline]
    fn is_none(&self) -> bool {
        self.turn == Vec3::zeros() && self.strain == Matrix3::zeros()
    }
}

/// How an edit turns on from where the input has turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turning {
    /// exp(ω + π): rotation vectors add up (Barbič, Sin and Grinspun 2012), so that what twists by many turns can be
    /// wound on. The farther the input has turned, the more the edit's own turn is scaled and turned aside.
    Added,
    /// exp(ω) exp(π): the edit turns every place about its own axes, however far the input has turned it, and whichever
    /// of its rotation vectors ω is. It swings a place that the input tears apart no farther than a sound one, see
    /// [`lever`].
    Composed,
}

/// How far a place may be stretched, as |F| / √3, before it counts as torn.
const TORN: f64 = 1.2;

/// The part s of F that an edit turns, s F being stretched as far as [`TORN`] at most.
///
/// Where parts of a body that are close at rest are joined by an element, two legs say, and their motion takes them far
/// apart, the element is ten times as long as it was. A turn by π would swing its ends by π times that length, more the
/// farther the legs are apart: the edit would swell and shrink with every stride.
#[inline(always)]
pub(super) fn lever(F: &Matrix3<f64>, turning: Turning) -> f64 {
    let square = F.norm_squared();
    if turning == Turning::Added || square <= 3.0 * TORN * TORN {
        return 1.0;
    }
    TORN * (3.0 / square).sqrt()
}

/// The turned place Q(E + ε) − F, Q being exp(ω + π) or exp(ω) exp(π).
#[inline(always)]
pub(super) fn change(F: &Matrix3<f64>, turn: (&Vec3, Turning), edit: &Edit) -> Matrix3<f64> {
    if edit.is_none() { Matrix3::zeros() } else { Stand::new(F, turn).change(edit) }
}

/// A place as the input has it: what every edit of it starts from.
#[derive(Clone, Debug)]
pub(super) struct Stand {
    /// s F.
    F: Matrix3<f64>,
    omega: Vec3,
    /// exp ω.
    own: Matrix3<f64>,
    /// E.
    stretch: Matrix3<f64>,
    turning: Turning,
}

impl Stand {
    // Matrices stay in registers; a call costs as much as the work.
    #[inline(always)]
    pub fn new(F: &Matrix3<f64>, (omega, turning): (&Vec3, Turning)) -> Self {
        let own = rotation::exp(omega);
        let F = F * lever(F, turning);
        Self { F, omega: *omega, own, stretch: own.transpose() * F, turning }
    }

    /// How far the input itself turns and strains, as numbers s, see [`Edit::of_strain`].
    pub fn strain(&self) -> [f64; 9] {
        let both = |a: usize, b: usize| 0.5 * (self.stretch[(a, b)] + self.stretch[(b, a)]);
        let one = |a: usize| self.stretch[(a, a)] - 1.0;
        let w = &self.omega;
        [w.x, w.y, w.z, one(0), one(1), one(2), both(1, 2), both(0, 2), both(0, 1)]
    }

    /// [`change`].
    #[inline(always)]
    pub fn change(&self, edit: &Edit) -> Matrix3<f64> {
        if edit.is_none() {
            return Matrix3::zeros();
        }
        let turned = match self.turning {
            Turning::Added => rotation::exp(&(self.omega + edit.turn)),
            Turning::Composed => self.own * rotation::exp(&edit.turn),
        };
        turned * (self.stretch + edit.strain) - self.F
    }

    /// The change and what its derivatives are made of.
    #[inline(always)]
    pub fn slope(&self, edit: &Edit) -> Slope {
        let (turned, jacobian) = match self.turning {
            Turning::Added => rotation::exp_and_jacobian(&(self.omega + edit.turn)),
            Turning::Composed => {
                let (turned, jacobian) = rotation::exp_and_jacobian(&edit.turn);
                (self.own * turned, self.own * jacobian)
            }
        };
        let Y = turned * (self.stretch + edit.strain);
        let change = if edit.is_none() { Matrix3::zeros() } else { Y - self.F };
        Slope { change, Y, turned, back: jacobian.transpose() * 0.5 }
    }

    /// All there is to it as numbers: s F, ω, exp ω and E, a matrix column by column.
    pub fn numbers(&self) -> [f64; 30] {
        let parts = [self.F.as_slice(), self.omega.as_slice(), self.own.as_slice(), self.stretch.as_slice()];
        let mut numbers = [0.0; 30];
        numbers.iter_mut().zip(parts.into_iter().flatten()).for_each(|(number, x)| *number = *x);
        numbers
    }
}

/// What an edit makes of a place: Y = Q(E + ε), the change Y − F, Q and its left Jacobian J by π, of which derivatives
/// are made:
///
/// > dY = (J dπ)× Y + Q dε.
#[derive(Clone, Debug, Default)]
pub(super) struct Slope {
    /// Exactly zero for no edit.
    pub change: Matrix3<f64>,
    Y: Matrix3<f64>,
    turned: Matrix3<f64>,
    /// ½ Jᵀ.
    back: Matrix3<f64>,
}

impl Slope {
    #[inline(always)]
    pub fn new(F: &Matrix3<f64>, turn: (&Vec3, Turning), edit: &Edit) -> Self {
        Stand::new(F, turn).slope(edit)
    }

    /// The derivative of B : [`Self::change`] by the numbers s of the edit, see [`Edit::of_strain`].
    #[cfg(test)]
    pub fn by_strain(&self, B: &Matrix3<f64>) -> [f64; 9] {
        let turns = self.back * self.skew(B) * 2.0;
        let Z = self.turned.transpose() * B;
        let both = |a: usize, b: usize| Z[(a, b)] + Z[(b, a)];
        [turns.x, turns.y, turns.z, Z[(0, 0)], Z[(1, 1)], Z[(2, 2)], both(1, 2), both(0, 2), both(0, 1)]
    }

    /// The derivatives by H of the three coordinates of [`Self::change`] β: M_i = b_i× + ½(t_i βᵀ + β t_iᵀ), t_i the
    /// rows of Q.
    #[inline(always)]
    pub fn alike(&self, beta: &Vec3) -> Derivatives {
        // e_i · (a× Y β) = a · (Yβ × e_i): the turns b_i are the columns of ½ Jᵀ (Yβ)×.
        let (turns, half) = (self.back * (self.Y * beta).cross_matrix(), self.turned * 0.5);
        let mut out = Derivatives([[0.0; 9]; 3]);
        for i in 0..3 {
            let b = turns.column(i);
            let cross = [[0.0, b[2], -b[1]], [-b[2], 0.0, b[0]], [b[1], -b[0], 0.0]];
            for (d, column) in out.0.iter_mut().enumerate() {
                for c in 0..3 {
                    column[3 * i + c] = cross[d][c] + (half[(i, c)] * beta[d] + beta[c] * half[(i, d)]);
                }
            }
        }
        out
    }

    /// The derivatives by H of B_i : R [`Self::change`], for a rotation R that stands still.
    #[inline]
    pub fn each(&self, B: &[Matrix3<f64>; 3], turn: Option<&Matrix3<f64>>) -> Derivatives {
        let M = match turn {
            None => B.map(|B| self.of(&B)),
            Some(R) => B.map(|B| self.of(&(R.transpose() * B))),
        };
        Derivatives(std::array::from_fn(|d| std::array::from_fn(|k| M[k / 3][(k % 3, d)])))
    }

    /// The derivative by H of B : [`Self::change`]: B : a× Y = a · v with v the skew part of Y Bᵀ, and the symmetric
    /// part of Qᵀ B.
    #[inline]
    fn of(&self, B: &Matrix3<f64>) -> Matrix3<f64> {
        let Z = self.turned.transpose() * B;
        (self.back * self.skew(B)).cross_matrix() + (Z + Z.transpose()) * 0.5
    }

    /// v with B : a× Y = a · v.
    #[inline(always)]
    fn skew(&self, B: &Matrix3<f64>) -> Vec3 {
        let A = self.Y * B.transpose();
        Vec3::new(A[(1, 2)] - A[(2, 1)], A[(2, 0)] - A[(0, 2)], A[(0, 1)] - A[(1, 0)])
    }
}

/// The derivatives M_i of three coordinates by H: column d of all, coordinate after coordinate.
pub(super) struct Derivatives([[f64; 9]; 3]);

impl Derivatives {
    /// Takes what the gradient of a triangle with the normal n has not: M − n (M n)ᵀ is the derivative then.
    #[inline(always)]
    #[must_use]
    pub fn flattened(mut self, n: &Vec3) -> Self {
        let mut of_normal = [0.0; 9];
        self.add_times(n, &mut of_normal);
        for (d, column) in self.0.iter_mut().enumerate() {
            for (column, of_normal) in column.chunks_exact_mut(3).zip(of_normal.chunks_exact(3)) {
                for c in 0..3 {
                    column[c] -= n[c] * of_normal[d];
                }
            }
        }
        self
    }

    /// Adds M_i g, coordinate after coordinate.
    #[inline(always)]
    pub fn add_times(&self, g: &Vec3, out: &mut [f64; 9]) {
        let [x, y, z] = &self.0;
        for k in 0..9 {
            out[k] += x[k] * g.x + y[k] * g.y + z[k] * g.z;
        }
    }
}
