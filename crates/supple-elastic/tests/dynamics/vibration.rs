//! Small vibrations have closed forms: a period, an energy that stays, a rate of decay.

use crate::dynamics::samples::{
    beam, damped, euler, largest, material, settings, sheet, solid, step, steps, vertices_where, weightless,
};
use std::f64::consts::TAU;
use std::sync::Arc;
use supple_elastic::{ElasticBody, FreeVertices, Law, Material, Simulation, SimulationSettings};
use supple_model::Progress;

/// A clamped beam: λ and shape of its first mode, the shape scaled to a millimetre.
struct Vibration {
    body: Arc<ElasticBody>,
    free: FreeVertices,
    eigenvalue: f64,
    shape: Vec<f64>,
}

impl Vibration {
    fn new(law: Law) -> Self {
        let (body, wall) = beam(law);
        let free = FreeVertices::except(body.positions().len(), &wall).unwrap();
        let modes = body.modes(&free, 1, &Progress::silent()).unwrap();
        let mut shape = vec![0.0; 3 * body.positions().len()];
        free.scatter(modes.shapes().col(0).try_as_col_major().unwrap().as_slice(), &mut shape);
        let size = largest(&shape);
        shape.iter_mut().for_each(|x| *x *= 1e-3 / size);
        Self { eigenvalue: modes.eigenvalues()[0], body, free, shape }
    }

    fn period(&self) -> f64 {
        TAU / self.eigenvalue.sqrt()
    }

    /// Released from the shape.
    fn simulation(&self, settings: SimulationSettings) -> Simulation {
        let mut simulation = Simulation::new(self.body.clone(), self.free.clone(), settings).unwrap();
        simulation.set_state(&self.shape, &vec![0.0; self.shape.len()]).unwrap();
        simulation
    }

    /// How much of the shape is in a vector, by mass.
    fn amplitude(&self, values: &[f64]) -> f64 {
        let product = |a: &[f64], b: &[f64]| -> f64 {
            a.iter().zip(b).enumerate().map(|(i, (a, b))| self.body.masses()[i / 3] * a * b).sum()
        };
        product(values, &self.shape) / product(&self.shape, &self.shape)
    }
}

/// The times at which a sampled oscillation passes zero upwards.
fn upward_zeros(samples: &[(f64, f64)]) -> Vec<f64> {
    let passes = samples.windows(2).filter(|pair| pair[0].1 < 0.0 && pair[1].1 >= 0.0);
    passes.map(|pair| pair[0].0 - pair[0].1 * (pair[1].0 - pair[0].0) / (pair[1].1 - pair[0].1)).collect()
}

#[test]
fn a_clamped_beam_swings_with_the_period_of_its_first_mode() {
    for law in [Law::StVenantKirchhoff, Law::NeoHookean] {
        let vibration = Vibration::new(law);
        let h = vibration.period() / 40.0;
        let mut simulation = vibration.simulation(weightless(h));
        let samples: Vec<(f64, f64)> = (0..130)
            .map(|_| {
                step(&mut simulation);
                (simulation.time(), vibration.amplitude(simulation.displacement()))
            })
            .collect();
        let zeros = upward_zeros(&samples);
        assert_eq!(zeros.len(), 3);
        let error = ((zeros[2] - zeros[0]) / 2.0 / vibration.period() - 1.0).abs();
        assert!(error < 0.01, "{law:?}: the period is off by {error}");
        // The trapezoidal rule is late by (2π/40)²/12.
        assert!((error - 0.0021).abs() < 0.001, "{law:?}: {error}");
    }
}

#[test]
fn the_trapezoidal_rule_keeps_energy_and_implicit_euler_loses_it() {
    let vibration = Vibration::new(Law::StVenantKirchhoff);
    let h = vibration.period() / 40.0;
    let mut simulation = vibration.simulation(weightless(h));
    let start = simulation.energy().total();
    let mut drift = 0.0_f64;
    for _ in 0..1000 {
        step(&mut simulation);
        drift = drift.max((simulation.energy().total() / start - 1.0).abs());
    }
    assert!(drift < 0.01, "drift {drift}");
    let mut simulation = vibration.simulation(euler(weightless(h)));
    steps(&mut simulation, 40);
    // Every step divides the energy by 1 + λh².
    let expected = (1.0 + vibration.eigenvalue * h * h).powi(-40);
    let left = simulation.energy().total() / start;
    assert!((left / expected - 1.0).abs() < 0.02, "{left} {expected}");
}

#[test]
fn rayleigh_damping_decays_as_it_should() {
    let vibration = Vibration::new(Law::NeoHookean);
    let period = vibration.period();
    for (mass, stiffness) in [(0.3 / period, 0.0), (0.0, 0.3 / period / vibration.eigenvalue)] {
        let mut simulation = vibration.simulation(damped(weightless(period / 100.0), mass, stiffness));
        let start = simulation.energy().total();
        steps(&mut simulation, 300);
        // Energy is the square of the amplitude; after whole periods of a weakly damped swing.
        let rate = (mass + stiffness * vibration.eigenvalue) / 2.0;
        let expected = (-2.0 * rate * simulation.time()).exp();
        let left = simulation.energy().total() / start;
        assert!((left / expected - 1.0).abs() < 0.02, "{mass} {stiffness}: {left}, not {expected}");
    }
}

#[test]
fn the_first_acceleration_is_that_of_the_forces() {
    // Released from a mode, the first step is that of the oscillator: u₁ = (1 − w)/(1 + w) u₀, w = λh²/4.
    let vibration = Vibration::new(Law::StVenantKirchhoff);
    let h = vibration.period() / 10.0;
    let mut simulation = vibration.simulation(weightless(h));
    step(&mut simulation);
    let w = vibration.eigenvalue * h * h / 4.0;
    let error = vibration.amplitude(simulation.displacement()) - (1.0 - w) / (1.0 + w);
    assert!(error.abs() < 1e-4, "{error}");
}

#[test]
fn a_flag_that_long_steps_would_tear_apart_keeps_to_the_energy_it_has() {
    let body = sheet(12);
    let corners = vertices_where(&body, |x| x.x == 0.0 && (x.y == 0.0 || x.y == 1.0));
    let free = FreeVertices::except(body.positions().len(), &corners).unwrap();
    let settings = SimulationSettings { gravity: [0.0, 0.0, -9.81], ..settings(1.0 / 48.0) };
    let mut simulation = Simulation::new(body.clone(), free, settings).unwrap();
    let (mut calmed, mut most, mut fallen) = (0, 0.0_f64, 0.0_f64);
    for _ in 0..96 {
        calmed += step(&mut simulation).calmed;
        most = most.max(simulation.energy().total());
        fallen = fallen.max(-simulation.energy().gravity);
    }
    assert!(fallen > 5.0 && most < 0.02 * fallen, "{most} J from nowhere, {fallen} J from falling");
    assert!(calmed < 20, "{calmed} damped");
}

/// A free block that swings lost three quarters of its energy silently: that Newmark's method lets the energy of a body
/// that bends go up and down by one part in a hundred was taken for the beginning of an explosion, and implicit Euler
/// took most of the steps. Later, steps that gained were cut, and those that lost were taken as they were, so that it went
/// down by and by; and the one step in a hundred that was damped took a fifth of all energy.
#[test]
fn a_free_block_that_swings_keeps_its_energy() {
    let cases =
        [(0.005, 0.01, 200), (0.05, 0.005, 200), (0.05, 0.01, 400), (0.05, 0.02, 200), (0.1, 0.02, 200)];
    for (stretch, seconds, count) in cases {
        let body = solid([0.4, 0.2, 0.2], [4, 2, 2], material(Law::StVenantKirchhoff));
        let n = body.positions().len();
        let mut simulation =
            Simulation::new(body.clone(), FreeVertices::all(n), weightless(seconds)).unwrap();
        let pulled: Vec<f64> =
            body.positions().iter().flat_map(|x| [stretch * x.x, stretch * x.y * x.x, 0.0]).collect();
        simulation.set_state(&pulled, &vec![0.0; 3 * n]).unwrap();
        let start = simulation.energy().total();
        let (mut calmed, mut least, mut most) = (0, f64::INFINITY, 0.0_f64);
        for _ in 0..count {
            calmed += step(&mut simulation).calmed;
            let left = simulation.energy().total() / start;
            (least, most) = (least.min(left), most.max(left));
        }
        assert!(least > 0.95 && most < 1.05, "{stretch} {seconds}: {least} {most}, {calmed} damped");
        assert!(calmed <= count / 20, "{stretch} {seconds}: {calmed} damped");
    }
}

/// At 24 frames a second a step is far longer than what swings in it; what nobody counts is as fine as it has to be.
#[test]
fn steps_that_are_as_fine_as_needed_keep_the_energy_of_a_swing() {
    let (body, wall) = beam(Law::NeoHookean);
    let free = FreeVertices::except(body.positions().len(), &wall).unwrap();
    let run = |accuracy: Option<f64>| {
        let settings = SimulationSettings { accuracy, ..weightless(1.0 / 24.0) };
        let mut simulation = Simulation::new(body.clone(), free.clone(), settings).unwrap();
        let bent: Vec<f64> = body.positions().iter().flat_map(|x| [0.0, 0.3 * x.x * x.x, 0.0]).collect();
        simulation.set_state(&bent, &vec![0.0; bent.len()]).unwrap();
        let start = simulation.energy().total();
        let (mut least, mut most, mut halved) = (f64::INFINITY, 0.0_f64, 0);
        for _ in 0..100 {
            halved = halved.max(step(&mut simulation).halved);
            let left = simulation.energy().total() / start;
            (least, most) = (least.min(left), most.max(left));
        }
        (least, most, halved)
    };
    let (least, most, halved) = run(Some(1e-3));
    assert!(least > 0.95 && most < 1.05 && halved > 0, "{least} {most} {halved}");
}

/// A stiff block that is let go from a long stretch lost most of its energy at 24 frames a second, in the few pieces that
/// implicit Euler took where 64 of a frame were too long.
#[test]
fn steps_that_are_as_fine_as_needed_keep_the_energy_of_a_violent_swing() {
    let stiff = Material { young: 1e6, ..material(Law::StVenantKirchhoff) };
    let body = solid([0.4, 0.2, 0.2], [4, 2, 2], stiff);
    let n = body.positions().len();
    let settings = SimulationSettings { accuracy: Some(1e-3), ..weightless(1.0 / 24.0) };
    let mut simulation = Simulation::new(body.clone(), FreeVertices::all(n), settings).unwrap();
    let pulled: Vec<f64> = body.positions().iter().flat_map(|x| [0.2 * x.x, 0.2 * x.y * x.x, 0.0]).collect();
    simulation.set_state(&pulled, &vec![0.0; 3 * n]).unwrap();
    let start = simulation.energy().total();
    let mut calmed = 0;
    for _ in 0..8 {
        calmed += step(&mut simulation).calmed;
    }
    let left = simulation.energy().total() / start;
    assert!((0.95..1.05).contains(&left) && calmed == 0, "{left}, {calmed} damped");
}
