//! Anchors that move.

use crate::dynamics::samples::{beam, damped, euler, field, largest, settings, weightless};
use supple_elastic::{FreeVertices, Law, Simulation};
use supple_mesh::Vec3;
use supple_model::Progress;

#[test]
fn a_body_settles_to_ride_on_its_anchors_and_damping_does_not_hold_it_back() {
    let (body, wall) = beam(Law::NeoHookean);
    let free = FreeVertices::except(body.positions().len(), &wall).unwrap();
    let speed = Vec3::new(0.3, 0.1, -0.2);
    // Much damping: it would drag the beam's tip far behind if it acted against the world.
    let settings = damped(euler(weightless(0.1)), 0.0, 2.0);
    let mut simulation = Simulation::new(body.clone(), free, settings).unwrap();
    let nothing = field(&body, |_| Vec3::zeros());
    for n in 1..=200 {
        let anchors = field(&body, |_| speed * (0.1 * f64::from(n)));
        simulation.step(&nothing, &anchors, &Progress::silent()).unwrap();
    }
    let ride = speed * simulation.time();
    let lag: Vec<f64> = simulation.displacement().iter().enumerate().map(|(i, u)| u - ride[i % 3]).collect();
    assert!(largest(&lag) < 1e-3, "{}", largest(&lag));
    let slip: Vec<f64> = simulation.velocity().iter().enumerate().map(|(i, v)| v - speed[i % 3]).collect();
    assert!(largest(&slip) < 1e-3, "{}", largest(&slip));
    for v in wall {
        assert_eq!(simulation.displacement()[3 * v.index()], speed.x * (0.1 * 200.0));
    }
}

#[test]
fn an_anchor_entry_of_a_free_vertex_is_not_read() {
    let (body, wall) = beam(Law::StVenantKirchhoff);
    let free = FreeVertices::except(body.positions().len(), &wall).unwrap();
    let run = |filler: f64| {
        let mut simulation = Simulation::new(body.clone(), free.clone(), settings(0.02)).unwrap();
        let anchors = field(&body, |x| if x.x == 0.0 { Vec3::zeros() } else { Vec3::repeat(filler) });
        simulation.step(&field(&body, |_| Vec3::zeros()), &anchors, &Progress::silent()).unwrap();
        simulation.displacement().to_vec()
    };
    assert_eq!(run(0.0), run(f64::NAN));
}
