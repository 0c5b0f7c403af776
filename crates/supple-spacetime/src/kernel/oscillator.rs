//! One damped oscillator driven by a force: how its state moves in time t, and how noise spreads it.
//!
//! > z̈ + 2δ ż + λ z = f, state s = (z, ż), ṡ = A s + B f, A = [[0, 1], [−λ, −2δ]], B = (0, 1)ᵀ
//!
//! | symbol | name | shape | |
//! |---|---|---|---|
//! | Φ(t) = exp(A t) | [`Oscillator::transition`] | 2×2 | the state after t without force |
//! | Q(t) = ∫₀ᵗ Φ(x)BBᵀΦ(x)ᵀ dx | [`Oscillator::noise`] | 2×2 | the covariance after t from rest under white noise |
//! | c(t) = ∫₀ᵗ Φ(x)B dx | [`Oscillator::response`] | 2 | the state after t from rest under a unit force |
//!
//! With c and s the solutions of the homogeneous equation, Φ = [[c + δs, s], [−λs, c − δs]]:
//!
//! - below critical damping, ω² = λ − δ²: c = e^{−δt} cos ωt, s = e^{−δt} sin(ωt)/ω;
//! - above, κ² = δ² − λ, the decay rates are b = δ + κ and a = λ/b (δ − κ without its cancellation). Written
//!   with E = e^{−2κt} no entry overflows or cancels, however stiff: Φ₀₀ = e^{−at}(b − aE)/2κ, and so on;
//! - close to critical both become polynomials: sin(x)/x and sinh(x)/x at small x.
//!
//! Q(t) starts from a step h so short that eight Gauss points integrate ΦBBᵀΦᵀ to round-off, and doubles:
//! Q(2h) = Φ(h)Q(h)Φ(h)ᵀ + Q(h). Sums of positive semidefinite matrices cannot lose it, and nothing grows
//! like e^{+2δt}, as it does in the usual 4×4 exponential (Van Loan 1978). c(t) is found in the same way, c(2h) =
//! Φ(h)c(h) + c(h): its first entry, (1 − Φ₀₀)/λ, would be a difference of nearly equal numbers for soft modes.

use nalgebra::{Matrix2, Vector2};

/// Gauss–Legendre points and weights on [0, 1], four of eight; the others mirror them.
pub(crate) const GAUSS: [(f64, f64); 4] = [
    (0.019_855_071_751_231_884, 0.050_614_268_145_188_13),
    (0.101_666_761_293_186_63, 0.111_190_517_226_687_24),
    (0.237_233_795_041_835_5, 0.156_853_322_938_943_64),
    (0.408_282_678_752_175_1, 0.181_341_891_689_181),
];

/// Beyond this κt the hyperbolic functions are written by exponentials.
const NEAR_CRITICAL: f64 = 0.5;

/// A mode as an oscillator of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Oscillator {
    /// λ ≥ 0, the square of its angular frequency; exactly 0 for rigid modes.
    pub eigenvalue: f64,
    /// δ ≥ 0, half its damping (α + βλ)/2.
    pub delta: f64,
}

impl Oscillator {
    /// Φ(t), t ≥ 0.
    pub(crate) fn transition(&self, t: f64) -> Matrix2<f64> {
        let Self { eigenvalue: lambda, delta } = *self;
        let gap = lambda - delta * delta;
        let kappa = (-gap).max(0.0).sqrt();
        if kappa * t > NEAR_CRITICAL {
            let fast = delta + kappa;
            let slow = lambda / fast;
            let scale = (-slow * t).exp() / (2.0 * kappa);
            let E = (-2.0 * kappa * t).exp();
            let s = scale * (1.0 - E);
            return Matrix2::new(scale * (fast - slow * E), s, -lambda * s, scale * (fast * E - slow));
        }
        let (c, s) = if gap > 0.0 {
            let omega = gap.sqrt();
            ((omega * t).cos(), (omega * t).sin() / omega)
        } else if kappa > 0.0 {
            ((kappa * t).cosh(), (kappa * t).sinh() / kappa)
        } else {
            (1.0, t)
        };
        let decay = (-delta * t).exp();
        let (c, s) = (decay * c, decay * s);
        Matrix2::new(c + delta * s, s, -lambda * s, c - delta * s)
    }

    /// Q(t), t ≥ 0.
    pub(crate) fn noise(&self, t: f64) -> Matrix2<f64> {
        let (mut h, doublings) = self.short(t);
        let mut Q = Matrix2::zeros();
        for (v, weight) in self.impulses(h) {
            Q += v * v.transpose() * weight;
        }
        for _ in 0..doublings {
            Q = spread(&self.transition(h), &Q) + Q;
            h *= 2.0;
        }
        Q
    }

    /// c(t), t ≥ 0.
    pub(crate) fn response(&self, t: f64) -> Vector2<f64> {
        let (mut h, doublings) = self.short(t);
        let mut c: Vector2<f64> = self.impulses(h).map(|(v, weight)| v * weight).sum();
        for _ in 0..doublings {
            c += self.transition(h) * c;
            h *= 2.0;
        }
        c
    }

    /// A step h with √λ·h and 2δh of at most ½, and how often it has to be doubled to become t.
    fn short(&self, t: f64) -> (f64, usize) {
        let rate = self.eigenvalue.sqrt().max(2.0 * self.delta);
        let doublings = (2.0 * rate * t).max(1.0).log2().ceil();
        (t * (-doublings).exp2(), doublings as usize)
    }

    /// Φ(x)B at the Gauss points of a short step, with their weights.
    fn impulses(&self, h: f64) -> impl Iterator<Item = (Vector2<f64>, f64)> {
        GAUSS.into_iter().flat_map(move |(point, weight)| {
            [point, 1.0 - point].map(|x| {
                let Phi = self.transition(h * x);
                (Vector2::new(Phi[(0, 1)], Phi[(1, 1)]), h * weight)
            })
        })
    }
}

/// Φ P Φᵀ, exactly symmetric.
pub(crate) fn spread(Phi: &Matrix2<f64>, P: &Matrix2<f64>) -> Matrix2<f64> {
    let R = Phi * P * Phi.transpose();
    let off = 0.5 * (R[(0, 1)] + R[(1, 0)]);
    Matrix2::new(R[(0, 0)], off, off, R[(1, 1)])
}

/// The inverse by cofactors: entries of different units (metres, metres per second) do not mix in it, as
/// they do in an elimination with pivoting.
pub(crate) fn inverse(A: &Matrix2<f64>) -> Matrix2<f64> {
    let det = A[(0, 0)] * A[(1, 1)] - A[(0, 1)] * A[(1, 0)];
    Matrix2::new(A[(1, 1)] / det, -A[(0, 1)] / det, -A[(1, 0)] / det, A[(0, 0)] / det)
}
