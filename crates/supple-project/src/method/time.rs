//! Time as bodies know it, for all methods whose energy is that of forces.
//!
//! | in the shot | in the kernel |
//! |---|---|
//! | `seconds_per_frame = "auto"` | h = 2π / (24 √λ₁): the first mode that is not rigid swings once in 24 frames |
//! | no `damping` | β = 0.5 · 2h/π, α = 0: modes as fast as the frames are half critically damped |

use crate::shot::{self, SecondsPerFrame};
use std::f64::consts::{PI, TAU};
use supple_spacetime::Oscillator;

/// Frames in which the first mode swings once, if the time between frames is chosen for it.
const SWING: f64 = 24.0;
/// The default damping, as a part of that which damps modes at the frames' own rate critically.
const LIVELINESS: f64 = 0.5;

/// λ₁: the first eigenvalue that is not 0.
pub(super) fn first_stiff(eigenvalues: &[f64]) -> Option<f64> {
    eigenvalues.iter().copied().find(|lambda| *lambda > 0.0)
}

/// h, physical seconds per frame.
pub(super) fn seconds_per_frame(asked: SecondsPerFrame, eigenvalues: &[f64], fps: f64) -> f64 {
    match asked {
        SecondsPerFrame::Seconds(seconds) => seconds,
        SecondsPerFrame::Auto => {
            first_stiff(eigenvalues).map_or(1.0 / fps, |lambda| TAU / (SWING * lambda.sqrt()))
        }
    }
}

/// α and β, whether or not the shot says them.
pub(super) fn damping(edit: &shot::Edit, dt: f64) -> shot::Damping {
    edit.damping.unwrap_or(shot::Damping { mass: 0.0, stiffness: LIVELINESS * 2.0 * dt / PI })
}

/// λ and δ of every mode.
pub(super) fn oscillators(edit: &shot::Edit, eigenvalues: &[f64], dt: f64) -> Vec<Oscillator> {
    let damping = damping(edit, dt);
    let delta = |lambda: f64| 0.5 * (damping.mass + damping.stiffness * lambda);
    eigenvalues.iter().map(|&eigenvalue| Oscillator { eigenvalue, delta: delta(eigenvalue) }).collect()
}
