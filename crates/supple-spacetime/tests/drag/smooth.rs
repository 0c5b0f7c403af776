//! Handles on a warped motion under the smooth kernel.

use super::bodies::Beam;
use super::{FRAMES, error, silent, with};
use std::sync::Arc;
use supple_model::Readout;
use supple_spacetime::{End, Ends, Energy, Grip, Kernel, Order, Settings, Start, Status};

/// One bump of `reach` frames for all modes; stiffer ones move less.
pub fn kernel(modes: usize, per: usize, frames: usize, reach: f64) -> Arc<Kernel> {
    let variances: Vec<f64> = (0..modes).map(|k| (1.0 + (k / per) as f64).powi(-4)).collect();
    of_variances(&variances, frames, reach)
}

/// The same of given variances.
pub fn of_variances(variances: &[f64], frames: usize, reach: f64) -> Arc<Kernel> {
    let ends = Ends::Open { start: Start::Free, end: End::Free };
    let settings = Settings { energy: Energy::Smooth { reach }, ends, ..Settings::new(frames, 1.0 / 24.0) };
    Arc::new(Kernel::smooth(variances, settings).unwrap())
}

#[test]
fn a_released_handle_is_met_and_the_rest_comes_home() {
    let kernel = kernel(15, 5, FRAMES, 8.0);
    let beam = Beam::new(15, [0.0, 1.0, 0.3], FRAMES, 0.2);
    for frame in [0, 20, FRAMES - 1] {
        let target = [0.4, 0.5, 0.3];
        let mut drag = with(&kernel, &[Grip::position(0, frame, target)]);
        let report = drag.release(&beam, &silent()).unwrap();
        assert_eq!(report.status, Status::Settled, "{report:?}");
        assert!(error(&report) < 1e-7, "{report:?}");
        let path = drag.path();
        let mut z = [0.0; 15];
        path.at(frame, Order::Position, &mut z);
        let there = beam.value(0, frame.into(), &z);
        assert!((0..3).all(|axis| (there[axis] - target[axis]).abs() < 1e-7), "{there:?}");
        // The energy is ½ Σ z²/g at the handle's frame: all else follows from it.
        let energy: f64 = (0..15).map(|k| 0.5 * z[k] * z[k] * (1.0 + (k / 5) as f64).powi(4)).sum();
        assert!((report.energy - energy).abs() < 1e-6 * energy, "{} {energy}", report.energy);
        let (mut far, most) = ([0.0; 15], z.iter().fold(0.0f64, |most, z| most.max(z.abs())));
        for other in (0..FRAMES).filter(|other| other.abs_diff(frame) >= 12) {
            path.at(other, Order::Position, &mut far);
            assert!(far.iter().all(|z| z.abs() < 0.05 * most), "{other} after {frame}");
        }
    }
}
