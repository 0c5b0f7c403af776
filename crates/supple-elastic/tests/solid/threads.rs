//! The same bits on any number of threads, with or without kept buffers.

use crate::bodies::{LAWS, irregular_solid, noise};
use std::sync::Arc;
use supple_elastic::{Evaluator, FreeVertices};
use supple_model::VertexId;

#[test]
fn results_do_not_depend_on_threads() {
    for law in LAWS {
        // 4,374 elements and 1,000 vertices: several tasks of each kind.
        let solid = irregular_solid(9, law);
        let u = noise(solid.mesh(), 0.1, 5);
        let free = FreeVertices::except(1000, &[0, 17, 400].map(VertexId)).unwrap();
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| (solid.energy(&u), solid.force(&u), solid.stiffness(&u, &free).values().to_vec()))
        };
        let one = on(1);
        assert!(one == on(2) && one == on(5), "{law:?}");
    }
}

#[test]
fn an_evaluator_gives_the_same_bits_every_time() {
    for law in LAWS {
        let solid = Arc::new(irregular_solid(3, law));
        let free = FreeVertices::except(64, &[VertexId(5)]).unwrap();
        let mut evaluator = Evaluator::new(solid.clone(), &free);
        let (mut force, mut stiffness) = (vec![f64::NAN; 192], evaluator.zeros());
        for seed in 1..4 {
            let u = noise(solid.mesh(), 0.2, seed);
            evaluator.force(&u, &mut force);
            evaluator.stiffness(&u, &mut stiffness);
            assert_eq!(force, solid.force(&u), "{law:?}");
            assert_eq!(stiffness.values(), solid.stiffness(&u, &free).values(), "{law:?}");
        }
    }
}
