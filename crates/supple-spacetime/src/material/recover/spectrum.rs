//! The published start: uniform material, as stiff as the spectrum of the motion says.
//!
//! Of every coordinate the energy of its spectrum is taken; the eigenvalues of uniform material are scaled so that the one with
//! most has the frequency at which its spectrum is highest. S takes the lowest modes as they are, and d = 0.

use super::data::Data;
use super::delays::{SWINGS, Start};
use super::{RecoveryError, RecoverySettings};
use faer::Mat;
use std::f64::consts::TAU;

pub(super) fn start(
    data: &Data,
    eigenvalues: &[f64],
    settings: &RecoverySettings,
) -> Result<Start, RecoveryError> {
    let shapes = settings.shapes.min(data.rows());
    let run = data.runs.iter().max_by_key(|run| run.len()).cloned().unwrap_or_default();
    let seen = |k: usize| -> Vec<f64> { run.clone().map(|i| data.x[(k, i)] - data.mean[k]).collect() };
    let energy = |k: usize| seen(k).iter().map(|x| x * x).sum::<f64>();
    let main = (0..data.rows()).max_by(|&a, &b| energy(a).total_cmp(&energy(b))).unwrap_or(0);
    let swings = highest(&seen(main));
    if (swings as f64) < SWINGS {
        return Err(RecoveryError::Short {
            period: run.len() as f64 / swings.max(1) as f64,
            frames: run.len(),
        });
    }
    let omega = TAU * swings as f64 / run.len() as f64;
    let scale = omega * omega / eigenvalues[main];
    Ok(Start {
        eigenvalues: eigenvalues[..shapes].iter().map(|lambda| lambda * scale).collect(),
        damping: vec![0.0; shapes],
        shapes: Mat::from_fn(data.rows(), shapes, |i, k| f64::from(u8::from(i == k))),
        rest: data.mean.clone(),
    })
}

/// How often the strongest oscillation of a signal swings in its length.
fn highest(signal: &[f64]) -> usize {
    let length = signal.len();
    let power = |p: usize| {
        let (mut re, mut im) = (0.0, 0.0);
        for (i, x) in signal.iter().enumerate() {
            // Whole turns are taken off before they cost digits.
            let angle = TAU * ((p * i) % length) as f64 / length as f64;
            re += x * angle.cos();
            im -= x * angle.sin();
        }
        re * re + im * im
    };
    (1..=length / 2).max_by(|&a, &b| power(a).total_cmp(&power(b))).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strongest_of_two_swings_is_found() {
        let signal: Vec<f64> = (0..90)
            .map(|i| (TAU * 4.0 * i as f64 / 90.0).sin() + 0.9 * (TAU * 11.0 * i as f64 / 90.0).cos())
            .collect();
        assert_eq!(highest(&signal), 4);
        assert_eq!(highest(&[0.0]), 0);
    }
}
