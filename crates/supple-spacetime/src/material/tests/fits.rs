//! The energy of a path under other stiffnesses and dampings, and where it is least.

use super::Random;
use crate::material::fit::{Bounds, fit};
use crate::path::{Moments, Path};
use crate::{
    Constraints, End, Ends, Given, HandleId, Hold, Kernel, MeanPath, Order, Oscillator, Reach, Row, Settings,
    Start,
};
use std::sync::Arc;

const FRAMES: usize = 13;
const DT: f64 = 0.25;

/// Rigid, slow, fast, critically damped, and far beyond that.
fn modes() -> [Oscillator; 6] {
    let of = |(eigenvalue, delta)| Oscillator { eigenvalue, delta };
    [(0.0, 0.0), (0.3, 0.02), (90.0, 0.3), (4.0, 2.0), (500.0, 60.0), (1e5, 1e4)].map(of)
}

fn settings(start: Start, end: End) -> Settings {
    Settings { ends: Ends::Open { start, end }, ..Settings::new(FRAMES, DT) }
}

/// Rows at frames, between them, on positions and velocities.
fn constraints(kernel: &Arc<Kernel>) -> Constraints {
    let mut numbers = Random::new(11);
    let mut constraints = Constraints::new(kernel.clone());
    for (id, (at, order)) in
        [(3.0, Order::Position), (5.3, Order::Position), (6.5, Order::Velocity), (9.0, Order::Position)]
            .into_iter()
            .enumerate()
    {
        let weights = (0..kernel.modes()).map(|_| numbers.number()).collect();
        let hold = if id == 1 { Hold::Soft(3.0) } else { Hold::Hard };
        let row = Row { at: at.into(), order, weights, target: numbers.number(), hold };
        constraints.add(HandleId(id as u64), vec![row]).unwrap();
    }
    constraints
}

#[test]
fn the_energy_by_quadrature_is_that_of_the_kernel() {
    let begun = [Start::Rest, Start::RestAtHalf, Start::Arriving];
    for (start, end) in begun.into_iter().flat_map(|start| [(start, End::Free), (start, End::Rest)]) {
        let all = modes();
        // Rigid and undamped modes never arrive.
        let modes = if start == Start::Arriving { &all[1..] } else { &all[..] };
        let kernel = Arc::new(Kernel::new(modes, settings(start, end)).unwrap());
        let edit = constraints(&kernel).solve();
        let energy: f64 = edit.path.moments().unwrap().iter().map(|mode| mode.energy((0.0, 0.0))).sum();
        let error = (energy / edit.energy - 1.0).abs();
        assert!(error < 1e-11, "{start:?} {end:?}: {energy} {} ({error:e})", edit.energy);
        if start == Start::Rest {
            known_at_the_end(&edit.path);
        }
    }
}

/// ∫z̈z = z_e ż_e − ∫ż², ∫z̈ż = ½ż_e² after a start at rest.
fn known_at_the_end(path: &Path) {
    let mut ends = [[0.0; 6]; 2];
    path.at(FRAMES - 1, Order::Position, &mut ends[0]);
    path.at(FRAMES - 1, Order::Velocity, &mut ends[1]);
    for (k, m) in path.moments().unwrap().iter().enumerate() {
        let [z, v] = [ends[0][k], ends[1][k]];
        let along = m.fz - m.damping * m.zv - m.stiffness * m.zz;
        let size = m.vv + m.stiffness * m.zz + m.zz + m.damping * (m.zz * m.vv).sqrt();
        assert!((along - (z * v - m.vv)).abs() < 1e-10 * size, "mode {k}: {along}");
        let along = m.fv - m.damping * m.vv - m.stiffness * m.zv;
        let size = m.vv * (1.0 + m.damping) + m.stiffness * (m.zz * m.vv).sqrt() + v * v;
        assert!((along - 0.5 * v * v).abs() < 1e-10 * size, "mode {k}: {along}");
    }
}

#[test]
fn in_a_loop_too() {
    let all = modes();
    let settings = Settings { ends: Ends::Loop { period: FRAMES }, ..Settings::new(FRAMES, DT) };
    let kernel = Arc::new(Kernel::new(&all[1..], settings).unwrap());
    let edit = constraints(&kernel).solve();
    let moments = edit.path.moments().unwrap();
    let energy: f64 = moments.iter().map(|mode| mode.energy((0.0, 0.0))).sum();
    assert!((energy / edit.energy - 1.0).abs() < 1e-11, "{energy} {}", edit.energy);
    assert!(moments.iter().all(|mode| mode.zv.abs() < 1e-12 * (mode.zz * mode.vv).sqrt()));
}

/// z, ż and z̈ of a mode at a time between frames, z̈ by differences of ż.
fn looked_at(path: &Path, k: usize, t: f64) -> [f64; 3] {
    let mut out = vec![0.0; path.kernel().modes()];
    let mut at = |t: f64, order: Order| {
        path.at(t, order, &mut out);
        out[k]
    };
    let h = 1e-4;
    let bend = (at(t + h, Order::Velocity) - at(t - h, Order::Velocity)) / (2.0 * h * DT);
    [at(t, Order::Position), at(t, Order::Velocity), bend]
}

/// Integrals against sums over a fine grid of time, which knows nothing of oscillators.
#[test]
fn the_energy_at_another_material_is_that_of_its_own_force() {
    let reach = Reach { position: 0.5, velocity: 0.2 };
    let kernel = Kernel::new(&modes()[..4], Settings { reach, ..settings(Start::Rest, End::Free) }).unwrap();
    let kernel = Arc::new(kernel);
    let load: Vec<f64> = (0..4).map(|k| 0.3 + 0.1 * k as f64).collect();
    let mean = Arc::new(
        MeanPath::new(kernel.clone(), &Given { load: Some(load.clone()), ..Given::default() }).unwrap(),
    );
    let path = constraints(&kernel).solve().path.beside(Some(mean));
    let moments = path.moments().unwrap();
    for (k, mode) in modes()[..4].iter().enumerate() {
        let change = (0.7, 0.4);
        let (stiffness, damping) = (mode.eigenvalue + change.0, 2.0 * mode.delta + change.1);
        let mut sum = 0.0;
        // Midpoints of parts that the times of all rows divide.
        let parts = 200;
        for part in 0..parts * (FRAMES - 1) {
            let t = (part as f64 + 0.5) / parts as f64;
            let [z, v, a] = looked_at(&path, k, t);
            let force = a + damping * v + stiffness * z - load[k];
            sum += 0.5 * force * force * DT / parts as f64;
        }
        let energy = moments[k].energy(change);
        assert!((sum / energy - 1.0).abs() < 2e-4, "mode {k}: {energy}, {sum} on the grid");
    }
}

fn random_moments(numbers: &mut Random, arrives: bool) -> Moments {
    let mut moments = Moments {
        stiffness: 2.0 + numbers.number(),
        damping: 1.0 + 0.5 * numbers.number(),
        arrival: if arrives { [numbers.number().powi(2), numbers.number().powi(2)] } else { [0.0; 2] },
        ..Moments::default()
    };
    for _ in 0..5 {
        let [f, z, v] = [0; 3].map(|_| numbers.number());
        moments.ff += f * f;
        moments.fz += f * z;
        moments.fv += f * v;
        moments.zz += z * z;
        moments.zv += z * v;
        moments.vv += v * v;
    }
    moments
}

/// A dense search of the box knows of no edges and corners.
#[test]
fn no_stiffness_and_damping_in_the_box_is_better() {
    let mut numbers = Random::new(17);
    for round in 0..300 {
        let moments = random_moments(&mut numbers, round % 3 == 0);
        let floor = [0.1, 0.2 * (round % 2) as f64];
        let bounds = Bounds { stiffness: [0.5 * moments.stiffness, 3.0 * moments.stiffness], floor };
        let moments =
            Moments { damping: moments.damping.max(floor[0] + floor[1] * moments.stiffness), ..moments };
        let cost = |stiffness: f64, damping: f64| {
            moments.energy((stiffness - moments.stiffness, damping - moments.damping))
        };
        let found = fit(&moments, &bounds);
        let least = cost(found.eigenvalue, 2.0 * found.delta);
        assert!(least <= moments.energy((0.0, 0.0)));
        for i in 0..=60 {
            for j in 0..=60 {
                let [low, high] = bounds.stiffness;
                let stiffness = low + (high - low) * i as f64 / 60.0;
                let damping = floor[0] + floor[1] * stiffness + 0.1 * j as f64 * (j as f64 / 30.0);
                assert!(cost(stiffness, damping) >= least - 1e-12);
            }
        }
        let [low, high] = bounds.stiffness;
        assert!(found.eigenvalue >= low && found.eigenvalue <= high);
        assert!(2.0 * found.delta >= floor[0] + floor[1] * found.eigenvalue);
    }
}

/// What does not move has no best material: it keeps what it has.
#[test]
fn a_mode_at_rest_stays_as_it_is() {
    let bounds = Bounds { stiffness: [1.0, 16.0], floor: [0.1, 0.0] };
    let mode = Oscillator { eigenvalue: 4.0, delta: 0.3 };
    assert_eq!(fit(&Moments::at(mode), &bounds), mode);
}
