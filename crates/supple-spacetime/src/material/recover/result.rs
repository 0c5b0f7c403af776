//! What was recovered.

use super::dense::product;
use crate::kernel::Oscillator;
use faer::Mat;
use nalgebra::Vector2;
use supple_model::Status;

/// The material of a motion, as far as the motion tells; time is counted in frames.
#[derive(Clone, Debug)]
pub struct Recovered {
    /// λ, 1/frame², ascending.
    pub eigenvalues: Vec<f64>,
    /// d, 1/frame.
    pub damping: Vec<f64>,
    /// S: R × r, SᵀS = I.
    pub shapes: Mat<f64>,
    /// x₀: coordinates where the body is when it does not move.
    pub rest: Vec<f64>,
    /// The part of the motion, a sum of squares over frames, that each mode has.
    pub shares: Vec<f64>,
    /// z of every mode at the frames that count, smoothed.
    pub paths: Vec<Path>,
    /// What was made small, before the first round and after each; of a motion whose root mean square is one.
    pub costs: Vec<f64>,
    /// The part of the last of them that is force, ½∫f².
    pub force: f64,
    /// Whether it came to an end.
    pub status: Status,
}

/// A mode over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    /// z.
    pub position: Vec<f64>,
    /// ż, per frame.
    pub velocity: Vec<f64>,
}

impl Recovered {
    /// Coordinates x₀ + S z of so many frames after the last that counts, in which nothing pushes: R × frames.
    #[must_use]
    pub fn extrapolated(&self, frames: usize) -> Mat<f64> {
        let modes = self.eigenvalues.len();
        let mut z = Mat::zeros(modes, frames);
        for k in 0..modes {
            let Path { position, velocity } = &self.paths[k];
            let (Some(z0), Some(v0)) = (position.last(), velocity.last()) else { continue };
            let oscillator = Oscillator { eigenvalue: self.eigenvalues[k], delta: 0.5 * self.damping[k] };
            let Phi = oscillator.transition(1.0);
            let mut state = Vector2::new(*z0, *v0);
            for i in 0..frames {
                state = Phi * state;
                z[(k, i)] = state[0];
            }
        }
        let moving = product(self.shapes.as_ref(), z.as_ref());
        Mat::from_fn(moving.nrows(), frames, |i, j| self.rest[i] + moving[(i, j)])
    }
}
