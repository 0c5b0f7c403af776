//! Coulomb's law on a slope: gravity is tilted instead of the floor.

use crate::dynamics::samples::{
    all_vertices, damped, euler, floor, free, mean, settings, solid, step, steps,
};
use supple_elastic::{Law, Material, Simulation, SimulationSettings};
use supple_model::ContactKind;

const G: f64 = 9.81;

/// A flat block on a slope, settled a little.
fn block_on_slope(slope: f64, friction: f64, settings: SimulationSettings) -> Simulation {
    let material = Material { law: Law::StVenantKirchhoff, young: 1e6, poisson: 0.2, density: 1000.0 };
    let body = solid([0.4, 0.1, 0.4], [4, 1, 4], material);
    let mut settings = damped(settings, 0.0, 0.005);
    settings.gravity = [G * slope.sin(), -G * slope.cos(), 0.0];
    let mut simulation = Simulation::new(body.clone(), free(&body), settings)
        .unwrap()
        .with_obstacles(vec![floor(0.0, friction)], all_vertices(&body))
        .unwrap();
    steps(&mut simulation, 40);
    simulation
}

#[test]
fn a_block_sticks_on_a_slope_that_is_not_steeper_than_its_friction() {
    for settings in [settings(1.0 / 96.0), euler(settings(1.0 / 96.0))] {
        let mut simulation = block_on_slope(f64::atan(0.4), 0.5, settings);
        let body = simulation.body().clone();
        let before = mean(&body, simulation.displacement());
        steps(&mut simulation, 96);
        let way = (mean(&body, simulation.displacement()) - before).norm();
        assert!(way < 1e-6, "{:?}: {way} m in a second", settings.integrator);
        // A corner that is hardly pressed may give way where the others hold.
        let sticking = simulation.contacts().iter().filter(|c| c.kind == ContactKind::Stick).count();
        assert!(sticking >= 23, "{sticking} of 25");
    }
}

#[test]
fn a_block_slides_down_a_steeper_slope_with_the_right_acceleration() {
    for settings in [settings(1.0 / 96.0), euler(settings(1.0 / 96.0))] {
        for (slope, friction) in [(f64::atan(0.8), 0.5), (f64::atan(0.3), 0.0), (f64::atan(0.3), 0.2)] {
            let mut simulation = block_on_slope(slope, friction, settings);
            let body = simulation.body().clone();
            let before = mean(&body, simulation.velocity());
            let mut slides = 0;
            for _ in 0..96 {
                step(&mut simulation);
                slides += simulation.contacts().iter().filter(|c| c.kind == ContactKind::Slide).count();
            }
            let gained = (mean(&body, simulation.velocity()) - before).x;
            let expected = G * (slope.sin() - friction * slope.cos());
            let error = (gained / expected - 1.0).abs();
            assert!(error < 0.02, "{:?}, {slope}, {friction}: {gained} not {expected}", settings.integrator);
            assert!(slides > 96, "{slides}");
        }
    }
}
