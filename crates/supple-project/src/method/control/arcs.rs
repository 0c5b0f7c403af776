//! A motion to begin with: the body in balance under loads between those of its poses.
//!
//! > R(z(α)) = (1 − α) R(z̄_i) + α R(z̄_{i+1}), frame by frame by Newton's method from the frame before.

use faer::Mat;
use faer::prelude::Solve;
use supple_model::ReducedDynamics;

/// Steps of Newton's method for a frame.
const STEPS: usize = 40;
/// A step that leaves less than this part of the load is the last.
const TOLERANCE: f64 = 1e-8;
/// The shortest part of a step that is tried.
const SHORTEST: f64 = 1e-3;

/// Frames, r numbers each, from z = 0 through poses at ascending frames; after the last it stays.
pub(super) fn arcs(dynamics: &dyn ReducedDynamics, poses: &[(usize, Vec<f64>)], frames: usize) -> Vec<f64> {
    let r = dynamics.coordinates();
    let load = |z: &[f64]| {
        let mut force = vec![0.0; r];
        dynamics.force(z, &mut force);
        force
    };
    let mut all = vec![0.0; r];
    let mut from = (0, load(&all), all.clone());
    for (frame, pose) in poses {
        let to = load(pose);
        let steps = frame - from.0;
        let mut z = from.2.clone();
        for step in 1..=steps {
            let share = step as f64 / steps as f64;
            let asked: Vec<f64> = from.1.iter().zip(&to).map(|(a, b)| a + share * (b - a)).collect();
            let line: Vec<f64> = from.2.iter().zip(pose).map(|(a, b)| a + share * (b - a)).collect();
            z = balance(dynamics, &asked, &z).unwrap_or(line);
            all.extend_from_slice(&z);
        }
        from = (*frame, to, pose.clone());
    }
    for _ in from.0..frames {
        all.extend_from_slice(&from.2);
    }
    all
}

/// z with R(z) = f; none where Newton's method does not come near.
fn balance(dynamics: &dyn ReducedDynamics, asked: &[f64], from: &[f64]) -> Option<Vec<f64>> {
    let r = asked.len();
    let size = asked.iter().map(|f| f * f).sum::<f64>().sqrt().max(f64::MIN_POSITIVE);
    let (mut z, mut force, mut stiffness) = (from.to_vec(), vec![0.0; r], vec![0.0; r * r]);
    let missing = |force: &[f64]| -> f64 {
        force.iter().zip(asked).map(|(force, asked)| (force - asked).powi(2)).sum::<f64>().sqrt()
    };
    for _ in 0..STEPS {
        dynamics.stiffness(&z, &mut force, &mut stiffness);
        let left = missing(&force);
        if left <= TOLERANCE * size {
            return Some(z);
        }
        let K = Mat::from_fn(r, r, |i, j| stiffness[i + r * j]);
        let mut step = Mat::from_fn(r, 1, |i, _| asked[i] - force[i]);
        K.partial_piv_lu().solve_in_place(step.as_mut());
        let mut length = 1.0;
        loop {
            let next: Vec<f64> = z.iter().enumerate().map(|(i, z)| z + length * step[(i, 0)]).collect();
            dynamics.force(&next, &mut force);
            if missing(&force) < left {
                z = next;
                break;
            }
            length *= 0.5;
            if length < SHORTEST {
                return None;
            }
        }
    }
    None
}
