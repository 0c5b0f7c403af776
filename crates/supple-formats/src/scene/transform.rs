//! Places in space: 4×4 matrices that act on columns, p' = M·(p, 1).

/// A matrix of 4 rows that takes points of an object to points of the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform(pub [[f64; 4]; 4]);

impl Transform {
    /// The one that leaves every point where it is.
    pub const IDENTITY: Self =
        Self([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]);

    /// Where a point goes. The last row is taken for 0, 0, 0, 1, as it is for all but projections.
    #[must_use]
    pub fn apply(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let m = &self.0;
        [0, 1, 2].map(|r| m[r][0] * x + m[r][1] * y + m[r][2] * z + m[r][3])
    }

    /// First `other`, then this.
    #[must_use]
    pub fn after(&self, other: &Self) -> Self {
        let mut out = [[0.0; 4]; 4];
        for (r, row) in out.iter_mut().enumerate() {
            for (c, x) in row.iter_mut().enumerate() {
                *x = (0..4).map(|k| self.0[r][k] * other.0[k][c]).sum();
            }
        }
        Self(out)
    }

    /// The way back, unless this flattens space: A⁻¹ from the cofactors of A, and −A⁻¹·t.
    #[must_use]
    pub fn inverse(&self) -> Option<Self> {
        let m = &self.0;
        let minor = |r: usize, c: usize| {
            let (r1, r2, c1, c2) = ((r + 1) % 3, (r + 2) % 3, (c + 1) % 3, (c + 2) % 3);
            m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1]
        };
        let determinant: f64 = (0..3).map(|c| m[0][c] * minor(0, c)).sum();
        if !(determinant.is_finite() && determinant != 0.0) {
            return None;
        }
        let mut out = Self::IDENTITY;
        for r in 0..3 {
            for c in 0..3 {
                out.0[r][c] = minor(c, r) / determinant;
            }
        }
        for r in 0..3 {
            out.0[r][3] = -(0..3).map(|c| out.0[r][c] * m[c][3]).sum::<f64>();
        }
        out.is_finite().then_some(out)
    }

    /// Takes normals to the world, their lengths staying: to A⁻ᵀ n, which is square to A d wherever n is to d. Space
    /// that is flattened has none.
    pub(crate) fn turn_normals(&self, normals: &mut [[f64; 3]]) {
        if let Some(back) = self.inverse().filter(|_| *self != Self::IDENTITY) {
            normals.iter_mut().for_each(|normal| *normal = back.normal_back(*normal));
        }
    }

    /// Takes a normal of the world back to the object, its length staying: to Aᵀ n.
    pub(crate) fn normal_back(&self, n: [f64; 3]) -> [f64; 3] {
        let m = &self.0;
        let length = |v: [f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
        let turned = [0, 1, 2].map(|c| m[0][c] * n[0] + m[1][c] * n[1] + m[2][c] * n[2]);
        let scale = length(n) / length(turned);
        if scale.is_finite() { turned.map(|x| scale * x) } else { n }
    }

    /// Whether all numbers are.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.0.iter().flatten().all(|x| x.is_finite())
    }

    pub(crate) fn translation([x, y, z]: [f64; 3]) -> Self {
        let mut out = Self::IDENTITY;
        (out.0[0][3], out.0[1][3], out.0[2][3]) = (x, y, z);
        out
    }

    pub(crate) fn scaling(scale: [f64; 3]) -> Self {
        let mut out = Self::IDENTITY;
        for (i, s) in scale.into_iter().enumerate() {
            out.0[i][i] = s;
        }
        out
    }

    /// About the axis x, y or z (0, 1, 2), by an angle in degrees.
    pub(crate) fn turn(axis: usize, degrees: f64) -> Self {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let (a, b) = ((axis + 1) % 3, (axis + 2) % 3);
        let mut out = Self::IDENTITY;
        (out.0[a][a], out.0[a][b], out.0[b][a], out.0[b][b]) = (cos, -sin, sin, cos);
        out
    }

    /// A rotation by a quaternion, of any length but 0, real part first.
    pub(crate) fn rotation([w, x, y, z]: [f64; 4]) -> Self {
        let length = w * w + x * x + y * y + z * z;
        if length == 0.0 {
            return Self::IDENTITY;
        }
        let s = 2.0 / length;
        Self([
            [1.0 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y), 0.0],
            [s * (x * y + w * z), 1.0 - s * (x * x + z * z), s * (y * z - w * x), 0.0],
            [s * (x * z - w * y), s * (y * z + w * x), 1.0 - s * (x * x + y * y), 0.0],
            [0.0, 0.0, 0.0, 1.0],
        ])
    }

    /// From 16 numbers, column after column: glTF's order, and that of USD, whose matrices act on rows.
    pub(crate) fn from_columns(numbers: &[f64; 16]) -> Self {
        let mut out = Self::IDENTITY;
        for r in 0..4 {
            for c in 0..4 {
                out.0[r][c] = numbers[4 * c + r];
            }
        }
        out
    }
}

/// Along the shorter great circle from one unit quaternion to another.
pub(crate) fn slerp(a: [f64; 4], b: [f64; 4], t: f64) -> [f64; 4] {
    let dot: f64 = a.iter().zip(&b).map(|(x, y)| x * y).sum();
    let (b, dot) = if dot < 0.0 { (b.map(|x| -x), -dot) } else { (b, dot) };
    let angle = dot.min(1.0).acos();
    let sin = angle.sin();
    // Too close for the angle to mean anything: the chord is as good.
    let (s, t) =
        if sin < 1e-9 { (1.0 - t, t) } else { (((1.0 - t) * angle).sin() / sin, (t * angle).sin() / sin) };
    [0, 1, 2, 3].map(|i| s * a[i] + t * b[i])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_back_leads_back() {
        let there = Transform::translation([1.0, -2.0, 3.0])
            .after(&Transform::rotation([0.5, 0.1, -0.7, 0.3]))
            .after(&Transform::scaling([2.0, 0.5, -3.0]))
            .after(&Transform::turn(1, 30.0));
        let point = [0.25, 4.0, -1.5];
        let back = there.inverse().unwrap().apply(there.apply(point));
        assert!(back.iter().zip(point).all(|(a, b)| (a - b).abs() < 1e-12), "{back:?}");
        assert!(Transform::scaling([1.0, 0.0, 1.0]).inverse().is_none());
        assert!(Transform::scaling([1.0, f64::NAN, 1.0]).inverse().is_none());
    }

    #[test]
    fn turns_follow_the_right_hand() {
        let near = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(near(Transform::turn(0, 90.0).apply([0.0, 1.0, 0.0]), [0.0, 0.0, 1.0]));
        assert!(near(Transform::turn(1, 90.0).apply([0.0, 0.0, 1.0]), [1.0, 0.0, 0.0]));
        assert!(near(Transform::turn(2, 90.0).apply([1.0, 0.0, 0.0]), [0.0, 1.0, 0.0]));
        let half = std::f64::consts::FRAC_1_SQRT_2;
        assert!(near(Transform::rotation([half, 0.0, 0.0, half]).apply([1.0, 0.0, 0.0]), [0.0, 1.0, 0.0]));
    }

    #[test]
    fn between_two_rotations_lies_half_the_turn() {
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let q = slerp([1.0, 0.0, 0.0, 0.0], [-half, 0.0, 0.0, -half], 0.5);
        let expected = (22.5_f64.to_radians().cos(), 22.5_f64.to_radians().sin());
        assert!((q[0] - expected.0).abs() < 1e-12 && (q[3] - expected.1).abs() < 1e-12, "{q:?}");
    }
}
