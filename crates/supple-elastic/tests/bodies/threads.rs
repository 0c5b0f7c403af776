//! The same bits on any number of threads, with or without kept buffers.

use crate::bodies::samples::{all, noise};
use supple_elastic::{Evaluator, FreeVertices};
use supple_model::VertexId;

#[test]
fn results_do_not_depend_on_threads() {
    // 1,000 vertices or, of cloth, 101 and 2·100 + 1 triangles: several tasks of some kind.
    for (kind, body) in all(9) {
        let u = noise(&body, 0.1, 5);
        let free = FreeVertices::except(body.positions().len(), &[0, 17, 90].map(VertexId)).unwrap();
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| (body.energy(&u), body.force(&u), body.stiffness(&u, &free).values().to_vec()))
        };
        let one = on(1);
        assert!(one == on(2) && one == on(5), "{kind}");
    }
}

#[test]
fn an_evaluator_gives_the_same_bits_every_time() {
    for (kind, body) in all(3) {
        let vertices = body.positions().len();
        let free = FreeVertices::except(vertices, &[VertexId(5)]).unwrap();
        let mut evaluator = Evaluator::new(body.clone(), &free);
        let (mut force, mut stiffness) = (vec![f64::NAN; 3 * vertices], evaluator.zeros());
        for seed in 1..4 {
            let u = noise(&body, 0.2, seed);
            evaluator.force(&u, &mut force);
            evaluator.stiffness(&u, &mut stiffness);
            assert_eq!(force, body.force(&u), "{kind}");
            assert_eq!(stiffness.values(), body.stiffness(&u, &free).values(), "{kind}");
        }
    }
}
