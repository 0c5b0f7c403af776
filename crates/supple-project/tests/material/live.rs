//! A handle of a material in the hand: motion and material follow, and what is let go is what a shot gives that was just opened.

use super::{FRAMES, circle, own, with};
use crate::edit::bodies::Scene;
use supple_mesh::Vec3;
use supple_model::Progress;
use supple_project::method::{Live, Numerics, Points, RealNumerics};
use supple_project::shot::{Goal, Optimise};

fn open(scene: &Scene) -> Box<dyn Live> {
    let mut opened: Option<Box<dyn Live>> = None;
    let progress = Progress::silent();
    RealNumerics::default()
        .open(&scene.shot, &scene.cache(), &progress, &mut |live| opened = Some(live))
        .map_err(|error| error.to_string())
        .unwrap();
    opened.unwrap()
}

fn place(points: &Points, vertex: usize) -> Vec3 {
    Vec3::from(points.drawn[vertex].map(f64::from))
}

/// The sixth handle of a circle goes a fifth of its radius aside, in ten moves of the hand.
#[test]
fn motion_and_material_follow_the_hand() {
    let scene = circle();
    let silent = Progress::silent();
    let (tip, handle) = (super::tip(&scene).index(), 5);
    let Some(frames) = scene.shot.edit.handles[handle].when.whole() else { panic!("a frame") };
    let shown = (frames.last().unwrap() - crate::edit::bodies::START) as usize;
    let far = [0.0, 0.2 * super::RADIUS, 0.0];
    let mut moved = scene.shot.clone();
    let Goal::By(by) = &mut moved.edit.handles[handle].goal else { panic!("a move") };
    by.iter_mut().zip(far).for_each(|(by, far)| *by += far);
    let mut found = Vec::new();
    for optimise in [Optimise::None, Optimise::All] {
        let scene = circle().with(|shot| own(shot, with(optimise)));
        let mut live = open(&scene);
        live.ask(&scene.shot.edit, &silent).map_err(|error| error.to_string()).unwrap();
        live.settle(&silent).map_err(|error| error.to_string()).unwrap();
        let before = live.points(shown);
        live.grab(handle, shown, &silent).map_err(|error| error.to_string()).unwrap();
        let mut off = f64::INFINITY;
        for event in 1..=10 {
            let share = f64::from(event) / 10.0;
            off = live.drag(far.map(|x| share * x), &silent).map_err(|error| error.to_string()).unwrap();
            if event % 5 == 0 {
                live.refresh(&silent).map_err(|error| error.to_string()).unwrap();
            }
        }
        assert!(off < 1e-3, "{optimise:?}: {off}");
        let dragged = live.points(shown);
        let gone = place(&dragged, tip) - place(&before, tip);
        assert!((gone.y - far[1]).abs() < 2e-3, "{optimise:?}: {gone}");
        // Other frames go with it.
        let after = live.points(FRAMES - 40);
        assert!(after.drawn.iter().flatten().all(|x| x.is_finite()));
        live.put_down();
        live.ask(&moved.edit, &silent).map_err(|error| error.to_string()).unwrap();
        live.settle(&silent).map_err(|error| error.to_string()).unwrap();
        let released = live.points(shown);
        // How far along the stem the tip is, nobody asks.
        let off = place(&released, tip) - place(&dragged, tip);
        assert!(off.y.hypot(off.z) < 2e-3, "{optimise:?}: {off}");
        found.push(released);
        if optimise == Optimise::All {
            // No trace of the way there.
            let mut fresh = open(&scene);
            fresh.ask(&moved.edit, &silent).map_err(|error| error.to_string()).unwrap();
            fresh.settle(&silent).map_err(|error| error.to_string()).unwrap();
            assert_eq!(fresh.points(shown).drawn, found[1].drawn);
        }
    }
}
