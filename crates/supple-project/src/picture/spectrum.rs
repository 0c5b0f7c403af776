//! The frequencies of a signal.

use std::f64::consts::TAU;

/// The power of a signal at the frequencies k / N per sample, k = 0 .. N/2, by the sum itself; the signal is
/// faded in and out (Hann), so that its ends do not show as frequencies it does not have.
#[must_use]
pub fn spectrum(signal: &[f64]) -> Vec<f64> {
    let n = signal.len();
    let mean = signal.iter().sum::<f64>() / n as f64;
    let window = |i: usize| 0.5 - 0.5 * (TAU * (i as f64 + 0.5) / n as f64).cos();
    let faded: Vec<f64> = signal.iter().enumerate().map(|(i, x)| window(i) * (x - mean)).collect();
    (0..=n / 2)
        .map(|k| {
            let turn = |i: usize| TAU * ((i * k) % n) as f64 / n as f64;
            let sum = |wave: fn(f64) -> f64| -> f64 {
                faded.iter().enumerate().map(|(i, x)| x * wave(turn(i))).sum()
            };
            (sum(f64::cos).powi(2) + sum(f64::sin).powi(2)) / (n * n) as f64
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wave_is_one_line_of_the_spectrum_and_its_neighbours() {
        let wave: Vec<f64> = (0..240).map(|i| (TAU * 12.0 * f64::from(i) / 240.0).sin()).collect();
        let power = spectrum(&wave);
        let near: f64 = power[11..=13].iter().sum();
        let all: f64 = power.iter().sum();
        assert!(near > 0.999 * all && power[12] > power[11] && power[12] > power[13]);
    }
}
