//! The same bits on any number of threads.

use crate::dynamics::samples::{all_vertices, damped, field, floor, free, material, settings, solid, steps};
use supple_elastic::{Law, Simulation};
use supple_mesh::Vec3;

#[test]
fn a_motion_does_not_depend_on_threads() {
    // 1,536 tets and 425 vertices: several tasks of each kind.
    let body = solid([0.4, 0.2, 0.2], [16, 4, 4], material(Law::NeoHookean));
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut simulation =
                Simulation::new(body.clone(), free(&body), damped(settings(0.02), 0.1, 1e-3))
                    .unwrap()
                    .with_obstacles(vec![floor(-0.01, 0.4)], all_vertices(&body))
                    .unwrap();
            let spin = field(&body, |x| Vec3::new(1.0, 0.0, 2.0).cross(x));
            simulation.set_state(&field(&body, |_| Vec3::zeros()), &spin).unwrap();
            steps(&mut simulation, 6);
            assert!(!simulation.contacts().is_empty());
            (
                simulation.displacement().to_vec(),
                simulation.velocity().to_vec(),
                simulation.contacts().to_vec(),
            )
        })
    };
    assert!(run(1) == run(2));
}
