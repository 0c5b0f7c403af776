//! A handle in the hand: what is shown while it is dragged is the motion one gets.

#![expect(clippy::unwrap_used, reason = "the helpers of these tests may panic too")]

use std::path::Path;
use std::sync::Arc;
use supple_model::Progress;
use supple_project::shot::{Goal, Handle, Input, Shot, Site, When};
use supple_project::{Body, Cache, DragMethod, Sample};

fn editor(folder: &Path, sample: &str, change: impl FnOnce(&mut Shot)) -> DragMethod {
    let path = Sample::named(sample).unwrap().write(folder).unwrap();
    let mut shot = Shot::load(&path).unwrap();
    shot.motion.input = Input::Rest;
    shot.motion.frames = Some(60);
    shot.edit.modes = 40;
    change(&mut shot);
    let body = Arc::new(Body::load(&shot).unwrap());
    DragMethod::open(&shot, body, &Cache::of_shot(&path), &Progress::silent()).unwrap()
}

fn pull(frame: i32, near: [f64; 3], by: [f64; 3]) -> Handle {
    Handle::new(When::Frame(frame), Site::Near(near), Goal::By(by))
}

/// The largest difference of what is shown and what the editor says the frame is, as a part of the size.
fn difference(editor: &DragMethod, frame: usize, shown: &[f64]) -> f64 {
    let mut positions = vec![[0.0; 3]; shown.len() / 3];
    editor.frame(frame, &mut positions);
    let off = positions.iter().zip(editor.rest()).zip(shown.chunks_exact(3));
    let off = off.map(|((p, x), u)| (0..3).map(|c| (p[c] - x[c] - u[c]).powi(2)).sum::<f64>().sqrt());
    off.fold(0.0, f64::max) / editor.size()
}

#[test]
fn what_is_shown_is_what_one_gets() {
    for (exact, warp, tolerance) in [(true, true, 1e-2), (false, true, 1e-9), (false, false, 1e-9)] {
        let folder = tempfile::tempdir().unwrap();
        let mut editor =
            editor(folder.path(), "bar", |shot| (shot.edit.exact, shot.edit.warp) = (exact, warp));
        let tip = editor.rest().iter().max_by(|a, b| a.x.total_cmp(&b.x)).copied().unwrap();
        let size = editor.size();
        let key = editor.add(pull(40, tip.into(), [0.0, 0.1 * size, 0.0])).unwrap();
        editor.add(pull(20, (tip * 0.5).into(), [0.0, 0.0, 0.02 * size])).unwrap();
        let silent = Progress::silent();
        editor.settle(&silent).unwrap();
        for shown in [39, 30, 19] {
            editor.grab(key, shown, &silent).unwrap();
            let mut u = vec![0.0; 3 * editor.rest().len()];
            for event in 1..=20 {
                let turn = 0.3 * f64::from(event);
                let shift = [0.0, 0.05 * size * turn.sin(), 0.05 * size * (1.0 - turn.cos())];
                let step = editor.drag(shift, &silent).unwrap();
                assert!(step.error < 1e-4, "{step:?}");
                editor.shown(&mut u).unwrap();
                if exact {
                    let off = difference(&editor, shown, &u);
                    assert!(off < 1e-9, "frame {shown}, event {event}: {off:e}");
                }
            }
            editor.put_down().unwrap();
            editor.settle(&silent).unwrap();
            let off = difference(&editor, shown, &u);
            assert!(off < tolerance, "exact {exact}, warp {warp}, frame {shown}: {off:e}");
        }
    }
}
