//! Loads on top of loads.

use crate::statics::samples::{all, at, distance, largest, load_on, poser, solved, weight};
use supple_mesh::Vec3;

#[test]
fn a_load_on_a_frozen_one_is_both_at_once() {
    for (kind, body) in all() {
        let tip = at(&body, |p| p.x == 1.0);
        let first = load_on(&body, &tip, Vec3::new(0.0, 0.4, 0.2));
        let second = weight(&body, Vec3::new(0.0, 0.3, 0.4));
        for anchored in [0.2, -1.0] {
            // Held at one end, or floating.
            let mut stacked = poser(&body, |p| p.x < anchored);
            solved(&mut stacked, &first);
            let alone = stacked.pose().to_vec();
            stacked.freeze();
            solved(&mut stacked, &second);
            let mut at_once = poser(&body, |p| p.x < anchored);
            let both: Vec<f64> = first.iter().zip(&second).map(|(a, b)| a + b).collect();
            assert_eq!(stacked.load(), both);
            solved(&mut at_once, &both);
            let size = largest(at_once.pose());
            assert!(distance(stacked.pose(), at_once.pose()) < 1e-7 * size, "{kind} {anchored}");
            if anchored > 0.0 {
                assert!(distance(&alone, at_once.pose()) > 0.01 * size, "{kind}: the second load acts");
            }
        }
    }
}

#[test]
fn without_loads_a_body_returns_to_rest() {
    for (kind, body) in all() {
        let tip = at(&body, |p| p.x == 1.0);
        let mut poser = poser(&body, |p| p.x < 0.2);
        solved(&mut poser, &load_on(&body, &tip, Vec3::new(0.0, 0.5, 0.0)));
        assert!(largest(poser.pose()) > 1e-3, "{kind}");
        poser.freeze();
        poser.unload();
        let still = vec![0.0; poser.pose().len()];
        solved(&mut poser, &still);
        assert!(largest(poser.pose()) < 1e-8, "{kind}: {}", largest(poser.pose()));
    }
}
