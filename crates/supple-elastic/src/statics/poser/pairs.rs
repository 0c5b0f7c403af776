//! What the last steps have shown of a stiffness (L-BFGS, Nocedal 1980).

use crate::newton::norm;
use std::collections::VecDeque;

/// Pairs kept.
const PAIRS: usize = 8;
/// The least cosine of the angle between s and y: where the potential bends down there is none.
const LEAST_COSINE: f64 = 1e-10;

/// The last steps s and the changes y of the gradient along them.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    pairs: VecDeque<Pair>,
}

#[derive(Debug)]
struct Pair {
    s: Vec<f64>,
    y: Vec<f64>,
    sy: f64,
}

impl Pairs {
    pub fn clear(&mut self) {
        self.pairs.clear();
    }

    /// Keeps a pair, if it is one of a positive definite stiffness.
    pub fn push(&mut self, s: Vec<f64>, y: Vec<f64>) {
        let sy = dot(&s, &y);
        if sy > LEAST_COSINE * norm(&s) * norm(&y) {
            if self.pairs.len() == PAIRS {
                self.pairs.pop_front();
            }
            self.pairs.push_back(Pair { s, y, sy });
        }
    }

    /// Overwrites x with B⁻¹ x, where `metric` overwrites its argument with B₀⁻¹ of it and B is B₀ changed as
    /// little as makes B s = y; `false` when `metric` fails.
    pub fn correct(&self, x: &mut [f64], metric: impl FnOnce(&mut [f64]) -> bool) -> bool {
        let mut parts = Vec::with_capacity(self.pairs.len());
        for pair in self.pairs.iter().rev() {
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
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
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

    #[test]
    fn pairs_of_a_matrix_make_up_its_inverse() {
        // Exact line searches along conjugate directions: three pairs of a 3×3 matrix are all of it.
        let A = nalgebra::Matrix3::new(4.0, 1.0, 0.5, 1.0, 3.0, -0.2, 0.5, -0.2, 2.0);
        let mut pairs = Pairs::default();
        let mut gradient = nalgebra::Vector3::new(1.0, -2.0, 0.5);
        let metric = |x: &mut [f64]| {
            x.iter_mut().for_each(|x| *x *= 0.7);
            true
        };
        for _ in 0..3 {
            let mut d = gradient;
            assert!(pairs.correct(d.as_mut_slice(), metric));
            let s = -d * (gradient.dot(&d) / d.dot(&(A * d)));
            gradient += A * s;
            pairs.push(s.as_slice().to_vec(), (A * s).as_slice().to_vec());
        }
        assert!(gradient.norm() < 1e-12, "{gradient}");
        let mut x = A * nalgebra::Vector3::new(0.3, 0.6, -0.9);
        assert!(pairs.correct(x.as_mut_slice(), metric));
        assert!((x - nalgebra::Vector3::new(0.3, 0.6, -0.9)).norm() < 1e-12, "{x}");
        pairs.push(vec![1.0, 0.0, 0.0], vec![-1.0, 0.0, 0.0]);
        assert_eq!(pairs.pairs.len(), 3, "not of a positive definite matrix");
    }
}
