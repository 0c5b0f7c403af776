//! Loops against long sums over everything that happened in earlier rounds.

use super::integrals::assert_definite;
use super::{apart, block, kernel, reference};
use nalgebra::Matrix2;
use supple_spacetime::{Ends, Oscillator, Reach, Settings};

fn damped() -> Vec<Oscillator> {
    let of = |eigenvalue, delta| Oscillator { eigenvalue, delta };
    vec![of(4.0, 0.1), of(4.0, 2.0), of(4.0, 9.0), of(1e4, 0.5), of(1e6, 2e4), of(3.0, 0.02)]
}

#[test]
fn a_loop_is_the_sum_over_all_rounds_of_one_noise() {
    // The noise of a loop repeats, so the response to what happened x ago is v_N(x) = Σ_n v(x + nN), and
    // P(i,j) = ∫ over one round of v_N v_Nᵀ: here frame by frame, with everything before as a long sum.
    let (period, dt) = (20, 1.0 / 12.0);
    let modes = damped();
    let ends = Ends::Loop { period };
    let kernel = kernel(&modes, Settings { ends, ..Settings::new(period, dt) });
    for (k, mode) in modes.iter().enumerate() {
        let powers: Vec<Matrix2<f64>> = (0..period).map(|m| reference(*mode, m as f64 * dt).0).collect();
        let round = reference(*mode, period as f64 * dt).0;
        let (_, Q) = reference(*mode, dt);
        let mut rounds = Matrix2::<f64>::zeros();
        let mut power = Matrix2::identity();
        for _ in 0..20_000 {
            rounds += power;
            power *= round;
        }
        for (i, j) in [(0, 0), (7, 7), (13, 4), (4, 13), (19, 0)] {
            // Noise during frame n reaches frame i after (i − n − 1) mod N whole frames, and every round again.
            let mut P = Matrix2::zeros();
            let since = |frame: usize, n: usize| rounds * powers[(frame + 2 * period - n - 1) % period];
            for n in 0..period {
                P += since(i, n) * Q * since(j, n).transpose();
            }
            let size = block(&kernel, 0, 0, k);
            let distance = apart(&block(&kernel, i, j, k), &P, &size, &size);
            assert!(distance < 1e-9, "{mode:?} at {i}, {j}: {distance:e}");
        }
        assert_definite(&kernel, &(0..period).collect::<Vec<_>>(), k);
    }
}

#[test]
fn every_frame_of_a_loop_is_alike() {
    let (period, dt) = (16, 0.1);
    let kernel = kernel(&damped(), Settings { ends: Ends::Loop { period }, ..Settings::new(period + 1, dt) });
    for k in 0..kernel.modes() {
        for (i, j) in [(3, 1), (10, 2), (15, 0)] {
            assert_eq!(block(&kernel, i, j, k), block(&kernel, i - j, 0, k));
        }
        // The last frame repeats the first.
        assert_eq!(block(&kernel, 16, 5, k), block(&kernel, 0, 5, k));
        assert_eq!(block(&kernel, 16, 0, k), block(&kernel, 0, 0, k));
        // Going round the other way is the same.
        let size = block(&kernel, 0, 0, k);
        let mirrored = block(&kernel, 0, 11, k);
        assert!(apart(&block(&kernel, 5, 0, k), &mirrored, &size, &size) < 1e-10);
    }
}

#[test]
fn a_cost_of_positions_lets_rigid_modes_loop() {
    let rigid = Oscillator { eigenvalue: 0.0, delta: 0.0 };
    let reach = Reach { position: 1e-3, velocity: 0.0 };
    let (period, dt) = (24, 1.0 / 12.0);
    let kernel =
        kernel(&[rigid], Settings { ends: Ends::Loop { period }, reach, ..Settings::new(period, dt) });
    // Fourier series: P(m) = (1/τ) Σ_n cos(2πnm/N) / (ω⁴ + ε), τ the loop's duration.
    let duration = period as f64 * dt;
    for m in [0, 5, 12, 23] {
        let mut sum = 1.0 / 1e-3;
        for n in 1..20_000 {
            let omega = std::f64::consts::TAU * f64::from(n) / duration;
            let phase = std::f64::consts::TAU * f64::from(n) * m as f64 / period as f64;
            sum += 2.0 * phase.cos() / (omega.powi(4) + 1e-3);
        }
        let exact = sum / duration;
        let P = block(&kernel, m, 0, 0)[(0, 0)];
        assert!((P - exact).abs() < 1e-10 * exact, "{m}: {P} {exact}");
    }
}
