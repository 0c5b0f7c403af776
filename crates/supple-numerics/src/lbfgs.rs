//! What the last steps have shown of a Hessian (L-BFGS, Nocedal 1980), as a tool: no line search, no idea of where x lives.
//!
//! From pairs of steps s and changes y of the gradient along them, B is the metric B₀ changed as little as makes B s = y
//! for the pairs one after the other. Its inverse is applied by the two-loop recursion:
//!
//! ```text
//! for pairs, newest first:  a = sᵀx / sᵀy;  x −= a y;  keep a
//! x = B₀⁻¹ x
//! for pairs, oldest first:  b = yᵀx / sᵀy;  x += (a − b) s
//! ```
//!
//! A step of a minimisation is then d = −B⁻¹ g, after which the caller searches along d in its own way and
//! [pushes](Pairs::push) what it has seen.

use std::collections::VecDeque;

/// The least cosine of the angle between s and y: where the function bends down there is none.
const LEAST_COSINE: f64 = 1e-10;

/// The last steps s and the changes y of the gradient along them.
///
/// # Examples
/// ```
/// use supple_numerics::lbfgs::Pairs;
///
/// // f = (x₀² + 100 x₁²)/2, with exact steps along the directions.
/// let (mut x, curvature) = ([3.0, 1.0], [1.0, 100.0]);
/// let mut pairs = Pairs::new(5);
/// for _ in 0..20 {
///     let gradient = [curvature[0] * x[0], curvature[1] * x[1]];
///     let mut d = gradient;
///     let scale = pairs.scale().unwrap_or(0.01);
///     pairs.correct(&mut d, |d| {
///         d.iter_mut().for_each(|d| *d *= scale);
///         true
///     });
///     let along = |a: &[f64; 2], b: &[f64; 2]| a[0] * b[0] + a[1] * b[1];
///     let bent = [curvature[0] * d[0], curvature[1] * d[1]];
///     if along(&gradient, &gradient) < 1e-24 {
///         break;
///     }
///     let length = along(&d, &gradient) / along(&d, &bent);
///     x = [x[0] - length * d[0], x[1] - length * d[1]];
///     pairs.push(d.map(|d| -length * d).to_vec(), bent.map(|b| -length * b).to_vec());
/// }
/// assert!(x[0].abs() < 1e-12 && x[1].abs() < 1e-12);
/// ```
#[derive(Clone, Debug)]
pub struct Pairs {
    most: usize,
    pairs: VecDeque<Pair>,
}

#[derive(Clone, Debug)]
struct Pair {
    s: Vec<f64>,
    y: Vec<f64>,
    sy: f64,
}

impl Pairs {
    /// None yet; the newest `most` will be kept.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self { most, pairs: VecDeque::new() }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Forgets all: of another function, or from too far away.
    pub fn clear(&mut self) {
        self.pairs.clear();
    }

    /// Keeps a pair, the oldest making room for it; `false` where it is not one of a positive definite Hessian, and it is
    /// not kept.
    ///
    /// # Panics
    /// When s and y, or pairs, differ in length.
    pub fn push(&mut self, s: Vec<f64>, y: Vec<f64>) -> bool {
        assert_eq!(s.len(), y.len(), "a step and the change along it");
        assert!(self.pairs.back().is_none_or(|pair| pair.s.len() == s.len()), "pairs of one length");
        let sy = dot(&s, &y);
        let bends_up = sy > LEAST_COSINE * dot(&s, &s).sqrt() * dot(&y, &y).sqrt();
        if bends_up && self.most > 0 {
            if self.pairs.len() == self.most {
                self.pairs.pop_front();
            }
            self.pairs.push_back(Pair { s, y, sy });
        }
        bends_up
    }

    /// sᵀy / yᵀy of the newest pair: the multiple of I that suits it best as B₀⁻¹.
    #[must_use]
    pub fn scale(&self) -> Option<f64> {
        self.pairs.back().map(|pair| pair.sy / dot(&pair.y, &pair.y))
    }

    /// Overwrites x with B⁻¹ x, where `metric` overwrites its argument with B₀⁻¹ of it; `false` when `metric` fails, and x
    /// is then of no use.
    ///
    /// # Panics
    /// When x is not as long as the pairs.
    pub fn correct(&self, x: &mut [f64], metric: impl FnOnce(&mut [f64]) -> bool) -> bool {
        let mut parts = Vec::with_capacity(self.pairs.len());
        for pair in self.pairs.iter().rev() {
            assert_eq!(x.len(), pair.s.len(), "a number for each of the pairs'");
            let part = dot(&pair.s, x) / pair.sy;
            add(x, -part, &pair.y);
            parts.push(part);
        }
        if !metric(x) {
            return false;
        }
        for (pair, part) in self.pairs.iter().zip(parts.iter().rev()) {
            let back = dot(&pair.y, x) / pair.sy;
            add(x, part - back, &pair.s);
        }
        true
    }
}

/// aᵀb, summed in a fixed order.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// x ← x + a y.
fn add(x: &mut [f64], a: f64, y: &[f64]) {
    for (x, y) in x.iter_mut().zip(y) {
        *x += a * y;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{Matrix3, Vector3};

    fn metric(x: &mut [f64]) -> bool {
        x.iter_mut().for_each(|x| *x *= 0.7);
        true
    }

    #[test]
    fn pairs_of_a_matrix_make_up_its_inverse() {
        // Exact line searches along conjugate directions: three pairs of a 3×3 matrix are all of it.
        let A = Matrix3::new(4.0, 1.0, 0.5, 1.0, 3.0, -0.2, 0.5, -0.2, 2.0);
        let mut pairs = Pairs::new(8);
        let mut gradient = Vector3::new(1.0, -2.0, 0.5);
        for _ in 0..3 {
            let mut d = gradient;
            assert!(pairs.correct(d.as_mut_slice(), metric));
            let s = -d * (gradient.dot(&d) / d.dot(&(A * d)));
            gradient += A * s;
            assert!(pairs.push(s.as_slice().to_vec(), (A * s).as_slice().to_vec()));
        }
        assert!(gradient.norm() < 1e-12, "{gradient}");
        let mut x = A * Vector3::new(0.3, 0.6, -0.9);
        assert!(pairs.correct(x.as_mut_slice(), metric));
        assert!((x - Vector3::new(0.3, 0.6, -0.9)).norm() < 1e-12, "{x}");
        assert!(!pairs.push(vec![1.0, 0.0, 0.0], vec![-1.0, 0.0, 0.0]), "not of a positive definite matrix");
        assert_eq!(pairs.len(), 3);
    }

    /// The recursion against the inverse BFGS update as it is written down, H ← (I − s yᵀ/sᵀy) H (I − y sᵀ/sᵀy) + s sᵀ/sᵀy.
    #[test]
    fn the_recursion_is_the_update_of_the_newest_pairs() {
        let given = [
            (Vector3::new(1.0, 0.2, -0.3), Vector3::new(2.0, 0.1, 0.4)),
            (Vector3::new(-0.4, 1.0, 0.1), Vector3::new(0.3, 1.5, -0.2)),
            (Vector3::new(0.1, -0.2, 0.9), Vector3::new(-0.1, 0.3, 0.7)),
        ];
        let mut pairs = Pairs::new(2);
        assert_eq!(pairs.scale(), None);
        let mut H = Matrix3::identity() * 0.7;
        for (k, (s, y)) in given.iter().enumerate() {
            assert!(pairs.push(s.as_slice().to_vec(), y.as_slice().to_vec()));
            if k > 0 {
                let W = Matrix3::identity() - s * y.transpose() / s.dot(y);
                H = W * H * W.transpose() + s * s.transpose() / s.dot(y);
            }
        }
        let (s, y) = &given[2];
        assert!((pairs.scale().unwrap() - s.dot(y) / y.dot(y)).abs() < 1e-15);
        let x = Vector3::new(0.5, -1.0, 2.0);
        let mut found = x;
        assert!(pairs.correct(found.as_mut_slice(), metric));
        assert!((found - H * x).norm() < 1e-14, "{found}");
        assert!(!pairs.correct(found.as_mut_slice(), |_| false));
        pairs.clear();
        assert!(pairs.is_empty());
    }
}
