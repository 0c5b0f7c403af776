//! The force that drives an edit.

use std::sync::Arc;
use supple_spacetime::{
    Constraints, End, Ends, Energy, HandleId, Kernel, Oscillator, Path, Reach, Row, Settings, Start,
};

fn pulled(mode: Oscillator, settings: Settings, frame: usize) -> (Path, f64) {
    let kernel = Arc::new(Kernel::new(&[mode], settings).unwrap());
    let mut constraints = Constraints::new(kernel);
    constraints.add(HandleId(0), vec![Row::position(frame, vec![1.0], 1.0)]).unwrap();
    let edit = constraints.solve();
    (edit.path, edit.energy)
}

#[test]
fn a_free_mass_is_pushed_hardest_at_the_start() {
    // Without stiffness f = μ (t_a − t) with μ = 3/t_a³.
    let (path, energy) = pulled(Oscillator { eigenvalue: 0.0, delta: 0.0 }, Settings::new(30, 0.1), 20);
    let peak = path.peak_forces().unwrap()[0];
    assert!((peak.force - 3.0 / 4.0).abs() < 1e-10 && peak.frame == 0.0, "{peak:?}");
    assert!((energy - 0.5 * 3.0 / 8.0).abs() < 1e-12);
}

#[test]
fn the_peak_is_that_of_the_equations_of_motion() {
    // f = z̈ + 2δż + λz by differences of a path with very short frames.
    let mode = Oscillator { eigenvalue: 30.0, delta: 0.4 };
    let (frames, dt) = (4001, 5e-4);
    let reach = Reach { position: 100.0, velocity: 4.0 };
    let plain = Settings::new(frames, dt);
    for (settings, delta, eigenvalue) in [
        (plain, 0.4, 30.0),
        (Settings { reach, ..plain }, 0.4, 30.0),
        (Settings { ends: Ends::Open { start: Start::Rest, end: End::Rest }, ..plain }, 0.4, 30.0),
        (
            Settings { ends: Ends::Open { start: Start::Free, end: End::RestAtHalf }, reach, ..plain },
            0.4,
            30.0,
        ),
        (Settings { ends: Ends::Loop { period: 4001 }, ..plain }, 0.4, 30.0),
        (Settings { energy: Energy::WiggleFree { smoothness: 1.0 }, ..plain }, 0.0, 0.0),
    ] {
        let (path, _) = pulled(mode, settings, 1500);
        let states = path.states(0..frames);
        let mut largest: f64 = 0.0;
        for i in 1..frames - 1 {
            // At the handle's frame velocities have no derivative.
            if !(1499..=1501).contains(&i) {
                let z = states.position[(0, i)];
                let v = states.velocity[(0, i)];
                let a = (states.velocity[(0, i + 1)] - states.velocity[(0, i - 1)]) / (2.0 * dt);
                largest = largest.max((a + 2.0 * delta * v + eigenvalue * z).abs());
            }
        }
        let peak = path.peak_forces().unwrap()[0];
        assert!((peak.force.abs() - largest).abs() < 2e-3 * largest, "{settings:?}: {peak:?} {largest}");
    }
}

#[test]
fn peaks_between_frames_are_found() {
    // A mode that swings several times a frame; its force is a decaying sine before the handle's frame.
    let mode = Oscillator { eigenvalue: 400.0, delta: 0.5 };
    let coarse = pulled(mode, Settings::new(7, 0.1), 5).0.peak_forces().unwrap()[0];
    let fine = pulled(mode, Settings::new(601, 0.001), 500).0.peak_forces().unwrap()[0];
    assert!((coarse.force - fine.force).abs() < 0.02 * fine.force.abs(), "{coarse:?} {fine:?}");
    assert!((coarse.frame * 0.1 - fine.frame * 0.001).abs() < 0.02);
}

#[test]
fn the_force_on_all_modes_is_that_of_each() {
    let modes = [
        Oscillator { eigenvalue: 4.0, delta: 0.1 },
        Oscillator { eigenvalue: 90.0, delta: 1.0 },
        Oscillator { eigenvalue: 0.0, delta: 0.0 },
    ];
    let kernel = Arc::new(Kernel::new(&modes, Settings::new(40, 0.1)).unwrap());
    let mut constraints = Constraints::new(kernel);
    constraints.add(HandleId(0), vec![Row::position(25, vec![0.5, -1.0, 0.2], 1.0)]).unwrap();
    let path = constraints.solve().path;
    let forces = path.forces().unwrap();
    let norm = forces.peak.iter().map(|f| f * f).sum::<f64>().sqrt();
    let highest = forces.norms.iter().copied().fold(0.0, f64::max);
    assert!((norm - highest).abs() < 1e-12 * norm);
    assert!((forces.norms[forces.peak_frame.min(38.9) as usize] - norm).abs() < 1e-12 * norm);
    // Nothing pulls after the handle, and no mode is pushed harder than at its own peak.
    assert!(forces.norms[26..].iter().all(|norm| *norm < 1e-9 * highest));
    for (mode, peak) in forces.peak.iter().zip(path.peak_forces().unwrap()) {
        assert!(mode.abs() <= peak.force.abs() * (1.0 + 1e-12));
    }
    let largest = path.peak_forces().unwrap().iter().map(|peak| peak.force.abs()).fold(0.0, f64::max);
    assert!(highest >= largest && highest <= largest * 3f64.sqrt());
    // Seen mode by mode it is the same; a point that sees one mode alone is pushed by that mode alone.
    let unit = |k: usize| (0..3).map(|j| f64::from(u8::from(j == k))).collect::<Vec<f64>>();
    let seen = path.forces_seen(&[unit(0), unit(1), unit(2)]).unwrap();
    assert!(seen.iter().zip(&forces.norms).all(|(a, b)| (a - b).abs() <= 1e-12 * highest));
    for (k, peak) in path.peak_forces().unwrap().iter().enumerate() {
        let alone = path.forces_seen(&[unit(k).iter().map(|c| -2.0 * c).collect()]).unwrap();
        let highest = alone.iter().copied().fold(0.0, f64::max);
        assert!((highest - 2.0 * peak.force.abs()).abs() <= 1e-12 * highest && highest > 0.0);
    }
    let along: Vec<f64> = forces.peak.iter().map(|f| f / norm).collect();
    let most = path.forces_seen(&[along]).unwrap().iter().copied().fold(0.0, f64::max);
    assert!((most - norm).abs() <= 1e-12 * norm, "along the peak it is the norm");
}
