//! Bodies that nothing touches: falling, flying, turning.

use crate::dynamics::samples::{
    cubes, damped, euler, field, free, largest, mean, positions, settings, steps, weightless,
};
use supple_elastic::Simulation;
use supple_mesh::Vec3;

const G: [f64; 3] = [0.0, -9.81, 0.0];

#[test]
fn a_falling_body_is_where_galileo_says() {
    for (kind, body) in cubes() {
        let mut simulation = Simulation::new(body.clone(), free(&body), settings(0.05)).unwrap();
        let thrown = Vec3::new(1.0, 2.0, -0.5);
        simulation.set_state(&field(&body, |_| Vec3::zeros()), &field(&body, |_| thrown)).unwrap();
        steps(&mut simulation, 40);
        let t = simulation.time();
        assert!((t - 2.0).abs() < 1e-15);
        let place = thrown * t + Vec3::from(G) * (0.5 * t * t);
        let speed = thrown + Vec3::from(G) * t;
        let off = |values: &[f64], expected: Vec3| {
            let error = |x: &[f64]| (Vec3::from_column_slice(x) - expected).norm();
            values.chunks_exact(3).map(error).fold(0.0, f64::max)
        };
        let (place_error, speed_error) =
            (off(simulation.displacement(), place), off(simulation.velocity(), speed));
        assert!(place_error < 1e-12, "{kind}: {place_error}");
        assert!(speed_error < 1e-11, "{kind}: {speed_error}");
        let energy = simulation.energy();
        let start = 0.5 * thrown.norm_squared() * body.masses().iter().sum::<f64>();
        assert!((energy.total() / start - 1.0).abs() < 1e-11, "{kind}: {energy:?}");
    }
}

#[test]
fn momentum_stays_while_a_body_turns_and_deforms() {
    for (kind, body) in cubes() {
        let center = Vec3::repeat(0.1);
        let stretch = field(&body, |x| (x - center).component_mul(&Vec3::new(0.2, -0.1, 0.05)));
        let spin = Vec3::new(3.0, 5.0, -2.0);
        let velocity = field(&body, |x| Vec3::new(2.0, 0.0, 1.0) + spin.cross(&(x - center)));
        for settings in [weightless(0.002), euler(weightless(0.002)), damped(weightless(0.002), 0.0, 1e-3)] {
            let mut simulation = Simulation::new(body.clone(), free(&body), settings).unwrap();
            simulation.set_state(&stretch, &velocity).unwrap();
            let before = simulation.momentum();
            steps(&mut simulation, 100);
            let after = simulation.momentum();
            let error = |a: [f64; 3], b: [f64; 3]| (Vec3::from(a) - Vec3::from(b)).norm();
            let linear = error(after.linear, before.linear) / Vec3::from(before.linear).norm();
            let angular = error(after.angular, before.angular) / Vec3::from(before.angular).norm();
            assert!(linear < 1e-6, "{kind}: {linear}");
            // No rule of this family keeps it to the last digit.
            assert!(angular < 0.03, "{kind}, {:?}: {angular}", settings.integrator);
        }
    }
}

#[test]
fn damping_by_stiffness_leaves_turning_alone() {
    let (_, body) = cubes().swap_remove(1);
    let center = mean(&body, &field(&body, |x| *x));
    let spin = Vec3::new(0.0, 4.0, 0.0);
    let velocity = field(&body, |x| spin.cross(&(x - center)));
    let kinetic_after = |stiffness: f64| {
        // Ten times the period of the stiffest vibration: changes of shape die at once.
        let mut simulation =
            Simulation::new(body.clone(), free(&body), damped(weightless(0.01), 0.0, stiffness)).unwrap();
        simulation.set_state(&field(&body, |_| Vec3::zeros()), &velocity).unwrap();
        let start = simulation.energy().kinetic;
        // Two thirds of a turn.
        steps(&mut simulation, 100);
        let turned = positions(&simulation);
        let shape = (turned[26] - turned[0]).norm() / (body.positions()[26] - body.positions()[0]).norm();
        assert!((shape - 1.0).abs() < 0.02, "{shape}");
        simulation.energy().kinetic / start
    };
    let (without, with) = (kinetic_after(0.0), kinetic_after(0.1));
    assert!((without - 1.0).abs() < 0.02, "{without}");
    assert!((with - 1.0).abs() < 0.05, "{with}");
    // The same damping with the stiffness at rest would stop it in a fraction of a turn, as mass damping does.
    let mut simulation =
        Simulation::new(body.clone(), free(&body), damped(weightless(0.01), 10.0, 0.0)).unwrap();
    simulation.set_state(&field(&body, |_| Vec3::zeros()), &velocity).unwrap();
    steps(&mut simulation, 100);
    assert!(largest(simulation.velocity()) < 0.01 * largest(&velocity));
}
