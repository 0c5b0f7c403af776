//! Bodies turned inside out or pressed flat find their shape again.

use crate::dynamics::samples::{damped, euler, field, free, material, solid, step, steps, weightless};
use nalgebra::Matrix3;
use supple_elastic::{Law, Simulation};
use supple_mesh::Vec3;

#[test]
fn a_neo_hookean_body_recovers_from_being_inverted_or_collapsed() {
    let body = solid([0.2; 3], [2; 3], material(Law::NeoHookean));
    let scales = [("inside out", [1.0, 1.0, -1.0]), ("flat", [1.0, 1.0, 0.0]), ("a point", [0.0; 3])];
    for (name, scale) in scales {
        for settings in [damped(euler(weightless(0.02)), 0.0, 0.01), damped(weightless(0.02), 2.0, 0.01)] {
            let mut simulation = Simulation::new(body.clone(), free(&body), settings).unwrap();
            let map = Matrix3::from_diagonal(&scale.into());
            // A grain of disorder, for a point has no direction to grow in.
            let grain = |x: &Vec3| Vec3::new((91.0 * x.y).sin(), (83.0 * x.z).sin(), (97.0 * x.x).sin());
            let disorder = if scale[0] == 0.0 { 1e-3 } else { 0.0 };
            let start = field(&body, |x| map * x - x + grain(x) * disorder);
            simulation.set_state(&start, &field(&body, |_| Vec3::zeros())).unwrap();
            let before = simulation.energy().strain;
            // The tangent of an inverted body is indefinite, and would drive it.
            let first = step(&mut simulation);
            assert!(first.undamped > 0 || scale[2] == 0.0, "{first:?}");
            steps(&mut simulation, 199);
            let after = simulation.energy().strain;
            assert!(after < 1e-3 * before, "{name}: {after} J of {before} J are left");
        }
    }
}
