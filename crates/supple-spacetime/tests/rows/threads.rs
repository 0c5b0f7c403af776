//! The same bits on any number of threads.

use super::{Random, simple};
use supple_model::{Instant, Progress};
use supple_spacetime::{Constraints, HandleId, Peak, Row};

fn edit_on(threads: usize) -> (faer::Mat<f64>, faer::Mat<f64>, f64, Vec<Peak>) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let kernel = simple(70, 60);
        let mut random = Random::new(41);
        // More rows than one band of the factorization, most of them redundant.
        let contacts: Vec<Row> = (0..700)
            .map(|_| {
                let mut row = random.row(&kernel);
                row.at = Instant::from(1 + row.at.frame().unwrap() / 6);
                Row { target: 0.0, ..row }
            })
            .collect();
        let mut constraints =
            Constraints::with_contacts(kernel.clone(), contacts, &Progress::silent()).unwrap();
        for id in 0..6 {
            constraints.add(HandleId(id), (0..3).map(|_| random.row(&kernel)).collect()).unwrap();
        }
        let edit = constraints.solve();
        let states = edit.path.states(0..60);
        (states.position, states.velocity, edit.energy, edit.path.peak_forces().unwrap())
    })
}

#[test]
fn threads_do_not_matter() {
    let one = edit_on(1);
    assert!(one.2 > 0.0);
    for threads in [2, 3, 5] {
        let other = edit_on(threads);
        assert_eq!(one.0, other.0, "{threads} threads");
        assert_eq!(one.1, other.1);
        assert_eq!(one.2.to_bits(), other.2.to_bits());
        assert_eq!(one.3, other.3);
    }
}
