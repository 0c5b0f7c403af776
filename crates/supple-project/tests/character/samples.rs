//! The built-in shots settle: what they ask can be done, and is.

use super::Scene;
use supple_project::Status;

const SAMPLES: [&str; 7] =
    ["jump-2d", "walk-2d", "slide-2d", "walk-3d", "walk-3d-no-feet", "slide-3d", "thief"];

#[test]
fn every_sample_settles_and_misses_nothing() {
    for name in SAMPLES {
        let scene = Scene::sample(name);
        let solved = scene.solved();
        let worst = solved.report.handles.iter().map(|handle| handle.error).fold(0.0, f64::max);
        let passed = solved.report.number("limits", "passed").unwrap_or(0.0);
        let moved = solved.report.number("largest_move", "length").unwrap();
        let ratio = solved.acceleration(&solved.motion) / solved.acceleration(&solved.character.motion);
        println!(
            "{name}: {:?}, {} steps, {worst:.1e} m, limits {passed:.1e}°, moved {moved:.3} m, turn {:.0}°, accelerations {ratio:.2}",
            solved.report.status,
            solved.report.iterations,
            solved.largest_turn()
        );
        assert_eq!(solved.report.status, Status::Settled, "{name}: {:?}", solved.report);
        assert!(worst <= solved.small(), "{name}: {worst:e}");
        assert!(passed <= 0.1, "{name}: {passed}");
        assert!(moved > 0.05 && solved.largest_turn() < 90.0, "{name}: {moved}");
    }
}
