//! Bodies that hit something: they bounce without gaining, and never get through.

use crate::dynamics::samples::{
    all_vertices, cubes, damped, field, floor, free, positions, settings, sheet, solid, step,
};
use std::sync::Arc;
use supple_elastic::{ElasticBody, Law, Material, Simulation};
use supple_mesh::{Aabb, Obstacle, ObstacleShape, Vec3};

#[test]
fn a_bounce_does_not_gain_energy() {
    for (kind, body) in cubes() {
        let mut simulation = Simulation::new(body.clone(), free(&body), settings(0.002))
            .unwrap()
            .with_obstacles(vec![floor(0.0, 0.3)], all_vertices(&body))
            .unwrap();
        let start = field(&body, |_| Vec3::new(0.0, 0.1, 0.0));
        let thrown = field(&body, |_| Vec3::new(0.5, 0.0, 0.0));
        simulation.set_state(&start, &thrown).unwrap();
        let (mut lowest_energy, first) = (f64::INFINITY, simulation.energy().total());
        let (mut touched, mut highest) = (false, 0.0_f64);
        let mass: f64 = body.masses().iter().sum();
        for _ in 0..250 {
            step(&mut simulation);
            let energy = simulation.energy().total();
            let gain = (energy - lowest_energy) / first;
            assert!(gain < 5e-3, "{kind}: gained {gain} of the energy at {} s", simulation.time());
            lowest_energy = lowest_energy.min(energy);
            touched |= !simulation.contacts().is_empty();
            highest = highest.max(simulation.momentum().linear[1] / mass);
        }
        assert!(touched && highest > 0.3, "{kind}: it came with 1.4 m/s and left with {highest} m/s");
    }
}

#[test]
fn steps_much_longer_than_the_quickest_vibrations_do_not_gain_energy_either() {
    // Sound crosses an element in 2 ms; all of it touches at once and rubs.
    let material = Material { law: Law::NeoHookean, young: 1e6, poisson: 0.4, density: 1000.0 };
    let body = solid([1.0, 0.3, 0.3], [12, 3, 3], material);
    for settings in [settings(1.0 / 48.0), damped(settings(1.0 / 48.0), 0.0, 0.002)] {
        let mut simulation = Simulation::new(body.clone(), free(&body), settings)
            .unwrap()
            .with_obstacles(vec![floor(-0.01, 0.4)], all_vertices(&body))
            .unwrap();
        let mut lowest = f64::INFINITY;
        for _ in 0..60 {
            step(&mut simulation);
            let energy = simulation.energy().total();
            // It brings 9 J; what holds by friction gives a little of it back.
            assert!(energy < lowest + 0.1, "{energy} after {lowest} at {} s", simulation.time());
            lowest = lowest.min(energy);
        }
        assert!(lowest < -5.0, "the floor took {lowest}");
    }
}

/// Throws a body from above at what has its surface at y = 0; no vertex may be below it at any time.
fn throw(kind: &str, body: &Arc<ElasticBody>, obstacle: Obstacle, velocity: Vec3) {
    let mut simulation = Simulation::new(body.clone(), free(body), settings(1.0 / 24.0))
        .unwrap()
        .with_obstacles(vec![obstacle], all_vertices(body))
        .unwrap();
    let start = field(body, |_| Vec3::new(0.0, 1.0, 0.0));
    simulation.set_state(&start, &field(body, |_| velocity)).unwrap();
    let mut touched = false;
    for _ in 0..8 {
        step(&mut simulation);
        let lowest = positions(&simulation).iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
        assert!(lowest > -5e-4, "{kind}: {lowest} at {} s", simulation.time());
        touched |= !simulation.contacts().is_empty();
    }
    assert!(touched, "{kind}");
}

#[test]
fn nothing_is_too_fast_for_a_floor_or_a_thin_plate() {
    let plate = Aabb { min: Vec3::new(-9.0, -1e-3, -9.0), max: Vec3::new(9.0, 0.0, 9.0) };
    let mut bodies = cubes();
    bodies.push(("cloth", sheet(5)));
    for (kind, body) in bodies {
        let velocity = Vec3::new(3.0, -50.0, 1.0);
        throw(kind, &body, floor(0.0, 0.4), velocity);
        throw(kind, &body, Obstacle::new(ObstacleShape::Box(plate), 0.4).unwrap(), velocity);
    }
}
