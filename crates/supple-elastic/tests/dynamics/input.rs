//! What cannot be simulated is refused by name, and a step that fails changes nothing.

use crate::dynamics::samples::{all_vertices, beam, field, free, settings, step, steps};
use supple_elastic::{Law, Simulation, SimulationError, SimulationSettings};
use supple_mesh::Vec3;
use supple_model::{Cancelled, Progress, VertexId};

#[test]
fn settings_out_of_range_are_named() {
    let (body, _) = beam(Law::StVenantKirchhoff);
    let error = |change: fn(&mut SimulationSettings)| {
        let mut settings = settings(0.01);
        change(&mut settings);
        Simulation::new(body.clone(), free(&body), settings).unwrap_err().to_string()
    };
    assert!(error(|s| s.seconds_per_step = 0.0).contains("time step"));
    assert!(error(|s| s.seconds_per_step = f64::NAN).contains("time step"));
    assert!(error(|s| s.tolerance = -1.0).contains("tolerance"));
    assert!(error(|s| s.damping.mass = -1.0).contains("mass damping"));
    assert!(error(|s| s.damping.stiffness = f64::INFINITY).contains("stiffness damping"));
    assert!(error(|s| s.gravity[2] = f64::NAN).contains("gravity"));
}

#[test]
fn vectors_that_do_not_fit_are_named() {
    let (body, _) = beam(Law::StVenantKirchhoff);
    let mut simulation = Simulation::new(body.clone(), free(&body), settings(0.01)).unwrap();
    let nothing = field(&body, |_| Vec3::zeros());
    let mut wrong = nothing.clone();
    wrong[3 * 7 + 1] = f64::NAN;
    let blame = |name| Err(SimulationError::NotFinite { name, vertex: VertexId(7) });
    assert_eq!(simulation.set_state(&wrong, &nothing), blame("the displacements"));
    assert_eq!(simulation.set_state(&nothing, &wrong), blame("the velocities"));
    let stepped = simulation.step(&wrong, &nothing, &Progress::silent()).map(|_| ());
    assert_eq!(stepped, blame("the forces"));
    let short = simulation.step(&nothing[1..], &nothing, &Progress::silent()).unwrap_err();
    assert!(short.to_string().contains("three per vertex"), "{short}");
    let missing = simulation.with_obstacles(Vec::new(), vec![vec![(VertexId(99_999), 1.0)]]).unwrap_err();
    assert_eq!(missing, SimulationError::NoSuchVertex { vertex: VertexId(99_999), vertices: 99 });
}

#[test]
fn a_cancelled_step_changes_nothing() {
    let (body, _) = beam(Law::StVenantKirchhoff);
    let mut simulation = Simulation::new(body.clone(), free(&body), settings(0.01)).unwrap();
    let stretched = field(&body, |x| x * 0.1);
    simulation.set_state(&stretched, &field(&body, |_| Vec3::zeros())).unwrap();
    step(&mut simulation);
    let (u, v, t) = (simulation.displacement().to_vec(), simulation.velocity().to_vec(), simulation.time());
    let nothing = field(&body, |_| Vec3::zeros());
    let progress = Progress::silent();
    progress.cancel();
    let stopped = simulation.step(&nothing, &nothing, &progress).unwrap_err();
    assert_eq!(stopped, SimulationError::Cancelled(Cancelled));
    assert_eq!((simulation.displacement(), simulation.velocity(), simulation.time()), (&u[..], &v[..], t));
    // And the simulation goes on as if it had not been asked.
    let mut other = Simulation::new(body.clone(), free(&body), settings(0.01)).unwrap();
    other.set_state(&stretched, &nothing).unwrap();
    steps(&mut other, 2);
    step(&mut simulation);
    assert_eq!(simulation.displacement(), other.displacement());
}

#[test]
fn a_load_beyond_all_numbers_is_an_error_that_says_where() {
    let (body, _) = beam(Law::StVenantKirchhoff);
    let mut simulation = Simulation::new(body.clone(), free(&body), settings(0.01)).unwrap();
    let mut forces = field(&body, |_| Vec3::zeros());
    forces[3 * 98] = 1e200;
    let anchors = forces.clone();
    let error = simulation.step(&forces, &anchors, &Progress::silent()).unwrap_err();
    assert!(matches!(error, SimulationError::Exploded { .. }), "{error}");
    assert!(error.to_string().contains("more substeps"), "{error}");
    assert!(simulation.displacement().iter().all(|u| *u == 0.0));
    assert_eq!(all_vertices(&body).len(), 99);
}
