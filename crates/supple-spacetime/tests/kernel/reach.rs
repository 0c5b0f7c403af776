//! Energies that are other oscillators: the identities behind them, and reach in space.

use super::{block, kernel, regimes};
use supple_spacetime::{End, Ends, Energy, Home, Oscillator, Reach, Settings, Start};

#[test]
fn the_energy_without_oscillations_does_not_oscillate() {
    // ½∫z̈² + μλz² on a long clip: the kernel of (∂⁴ + μλ) is a decaying exponential times a phase shift of 45°,
    // P(m) = e^{−a|t|} (cos a|t| + sin a|t|) / (8a³), a⁴ = μλ/4.
    let mode = Oscillator { eigenvalue: 9.0, delta: 0.4 };
    let energy = Energy::WiggleFree { smoothness: 2.0 };
    let dt = 0.05;
    let kernel = kernel(&[mode], Settings { energy, ..Settings::new(801, dt) });
    let a = (18.0f64 / 4.0).powf(0.25);
    for m in [0, 3, 20, 60] {
        let t = f64::from(m) * dt;
        let exact = (-a * t).exp() * ((a * t).cos() + (a * t).sin()) / (8.0 * a.powi(3));
        let P = block(&kernel, 400 + m as usize, 400, 0)[(0, 0)];
        assert!((P - exact).abs() < 1e-12, "{m}: {P} {exact}");
    }
}

#[test]
fn without_stiffness_or_smoothness_it_is_a_spline() {
    let spline = kernel(&[Oscillator { eigenvalue: 0.0, delta: 0.0 }], Settings::new(20, 0.1));
    let energy = Energy::WiggleFree { smoothness: 0.0 };
    let flat =
        kernel(&[Oscillator { eigenvalue: 7.0, delta: 1.0 }], Settings { energy, ..Settings::new(20, 0.1) });
    assert_eq!(block(&spline, 15, 4, 0), block(&flat, 15, 4, 0));
}

#[test]
fn reach_goes_to_nothing_smoothly() {
    for mode in regimes() {
        for end in [End::Free, End::Rest] {
            let ends = Ends::Open { start: Start::Rest, end };
            let plain = Settings { ends, ..Settings::new(30, 0.1) };
            let barely = Reach { position: 1e-9, velocity: 1e-9 };
            let without = block(&kernel(&[mode], plain), 20, 12, 0);
            let with = block(&kernel(&[mode], Settings { reach: barely, ..plain }), 20, 12, 0);
            assert!((with - without).norm() < 1e-5 * without.norm(), "{mode:?} {end:?}");
            // A cost can only make a mode stiffer.
            let much = Reach { position: 100.0, velocity: 3.0 };
            let firm = block(&kernel(&[mode], Settings { reach: much, ..plain }), 20, 20, 0);
            let soft = block(&kernel(&[mode], plain), 20, 20, 0);
            assert!(firm[(0, 0)] <= soft[(0, 0)] * (1.0 + 1e-12), "{mode:?} {end:?}");
        }
    }
}

#[test]
fn a_free_end_needs_its_correction() {
    // Without G the last frame would hardly move: this is the part that is easily forgotten.
    let mode = Oscillator { eigenvalue: 4.0, delta: 0.1 };
    let reach = Reach { position: 30.0, velocity: 0.0 };
    let right = kernel(&[mode], Settings { reach, ..Settings::new(60, 0.1) });
    // The oscillator (λ', δ') by itself, which is the kernel with G left out.
    let stiffer = (16.0f64 + 30.0).sqrt();
    let delta = ((stiffer - 4.0 + 2.0 * 0.01) / 2.0).sqrt();
    let naive = kernel(&[Oscillator { eigenvalue: stiffer, delta }], Settings::new(60, 0.1));
    assert!(block(&right, 59, 59, 0)[(0, 0)] > 2.0 * block(&naive, 59, 59, 0)[(0, 0)]);
    // Far before the end both agree.
    let (a, b) = (block(&right, 20, 20, 0), block(&naive, 20, 20, 0));
    assert!((a - b).norm() < 1e-3 * b.norm());
}

#[test]
fn reach_in_space_scales_modes() {
    let modes = [(0.0, 0.0), (2.0, 0.1), (8.0, 0.1), (50.0, 1.0)]
        .map(|(eigenvalue, delta)| Oscillator { eigenvalue, delta });
    for end in [End::Free, End::Rest] {
        let plain = Settings { ends: Ends::Open { start: Start::Rest, end }, ..Settings::new(20, 0.1) };
        let with = kernel(&modes, Settings { spread: 0.5, ..plain });
        let without = kernel(&modes, plain);
        for (k, factor) in [1.0, 1.0, 0.5, 0.2].into_iter().enumerate() {
            let (a, b) = (block(&with, 12, 7, k), block(&without, 12, 7, k) * factor);
            assert!((a - b).norm() < 1e-14 * b.norm());
        }
    }
}

#[test]
fn slow_modes_come_home_and_fast_ones_do_not_notice() {
    let modes =
        [(0.0, 0.0), (0.2, 0.0), (50.0, 1.0)].map(|(eigenvalue, delta)| Oscillator { eigenvalue, delta });
    let plain = Settings::new(120, 0.1);
    let reach = Reach { position: 1.0, velocity: 0.0 };
    let homing = kernel(&modes, Settings { home: Some(Home { below: 1.0, reach }), ..plain });
    let reaching = kernel(&modes, Settings { reach, ..plain });
    let coasting = kernel(&modes, plain);
    for (i, j) in [(30, 30), (70, 30), (119, 30)] {
        assert_eq!(block(&homing, i, j, 0), block(&reaching, i, j, 0));
        assert_eq!(block(&homing, i, j, 1), block(&reaching, i, j, 1));
        assert_eq!(block(&homing, i, j, 2), block(&coasting, i, j, 2));
    }
    // A rigid mode pulled by one at frame 30: gone at the end, where it would have coasted on.
    let left = |kernel| block(kernel, 119, 30, 0)[(0, 0)] / block(kernel, 30, 30, 0)[(0, 0)];
    assert!(left(&homing).abs() < 0.01 && left(&coasting) > 3.0, "{} {}", left(&homing), left(&coasting));
}
