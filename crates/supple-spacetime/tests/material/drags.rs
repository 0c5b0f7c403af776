//! Handles in the hand: motion, stiffness and damping follow each event, shapes when nothing moves.

use super::{circling, released, silent};
use supple_spacetime::{HandleId, Optimise};

#[test]
fn a_dragged_handle_is_followed_and_let_go_of_without_a_trace() {
    let (mut edit, body) = circling(60, 4, Optimise::All, 8);
    let id = HandleId(2);
    let target = edit.handles().find(|(of, _)| *of == id).unwrap().1.target;
    let moved = |share: f64| target.map(|x| x.map(|x| x * (1.0 - 0.5 * share)));
    for event in 0..=12 {
        edit.set_target(id, moved(event as f64 / 12.0)).unwrap();
        let report = edit.step(&body, &silent()).unwrap();
        let error =
            report.errors.iter().flat_map(|handle| handle.error).fold(0.0, |m: f64, e| m.max(e.abs()));
        assert!(event < 3 || error < 3e-3, "event {event}: {error}");
    }
    let dragged = edit.step(&body, &silent()).unwrap();
    let improved = edit.improve(&body, &silent()).unwrap();
    assert!(improved.energy + improved.penalty < 1.001 * (dragged.energy + dragged.penalty));
    let after = released(&mut edit, &body);
    // What results knows nothing of the way.
    let (mut other, _) = circling(60, 4, Optimise::All, 8);
    other.set_target(id, moved(1.0)).unwrap();
    assert_eq!(released(&mut other, &body), after);
    assert_eq!(other.material(), edit.material());
    // Held again on the same body nothing is left to do.
    let held = edit.hold(&body, &silent()).unwrap();
    assert!((held.energy - after.energy).abs() < 1e-6 * after.energy);
}
