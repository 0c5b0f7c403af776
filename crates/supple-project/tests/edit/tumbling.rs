//! Bodies that tumble as they fly: a push goes along a straight path, keeps the spin, and costs what it costs a body
//! that does not turn.

use super::bodies::{Kind, LENGTH, START, Scene, apart, frames, linear_in_space, pull, release, tip, z};
use std::f64::consts::TAU;
use supple_mesh::Vec3;
use supple_project::shot::{End, Ends, Expert, Goal, Handle, Site, When};
use supple_project::{EditReport, Status};

const FRAMES: usize = 60;
const INDEX: usize = 30;
const FRAME: i32 = START + INDEX as i32;

/// A box that turns once in 40 frames, or does not, about an axis that is not one of its own.
fn spinning(spins: bool) -> Scene {
    Scene::moving(Kind::Flying, FRAMES, |frame, p| {
        let angle = if spins { TAU * frame as f64 / 40.0 } else { 0.0 };
        let axis = Vec3::new(0.3, 1.0, -0.5).normalize();
        let middle = Vec3::new(0.5 * LENGTH, 0.2, 0.2);
        nalgebra::Rotation3::new(axis * angle) * (p - middle) + Vec3::new(0.02 * frame as f64, 0.0, 0.0)
    })
}

fn pushed(scene: Scene, goal: Goal) -> Scene {
    scene.with(|shot| {
        shot.edit.handles = vec![Handle::new(When::Frame(FRAME), Site::CenterOfMass, goal)];
        shot.edit.ends = Ends::Apart { start: Some(End::Clamped), end: Some(End::Free) };
    })
}

/// How far each frame is moved along x, after all of its vertices were seen to move alike and along nothing else.
fn path(input: &[Vec<Vec3>], moved: &[Vec<Vec3>]) -> Vec<f64> {
    let along = |(input, moved): (&Vec<Vec3>, &Vec<Vec3>)| {
        let first = moved[0] - input[0];
        for (input, moved) in input.iter().zip(moved) {
            let change = moved - input;
            assert!((change - first).norm() < 1e-9, "turned or bent: {change} {first}");
            assert!(change.y.abs() < 1e-9 && change.z.abs() < 1e-9, "off the straight path: {change}");
        }
        first.x
    };
    input.iter().zip(moved).map(along).collect()
}

fn solved(scene: &Scene) -> (Vec<f64>, EditReport) {
    let input = scene.input();
    let (moved, report) = scene.solved();
    assert_eq!(report.status, Status::Settled, "{report:?}");
    (path(&input, &moved), report)
}

#[test]
fn a_push_at_the_centre_goes_straight_and_keeps_the_spin() {
    for (exact, warp) in [(true, true), (false, true), (false, false)] {
        let choose = |scene: Scene| {
            scene.with(|shot| {
                shot.edit.exact = exact;
                shot.edit.warp = warp;
            })
        };
        let by = Goal::By([1.0, 0.0, 0.0]);
        let (along, report) = solved(&choose(pushed(spinning(true), by.clone())));
        assert!((along[INDEX] - 1.0).abs() < 1e-9, "{}", along[INDEX]);
        // From rest at the start, pushed until the handle, then coasting on: the cubic of the least force.
        let cubic = |i: usize| {
            let s = i as f64 / INDEX as f64;
            if s < 1.0 { 0.5 * s * s * (3.0 - s) } else { 1.5 * s - 0.5 }
        };
        for (i, along) in along.iter().enumerate() {
            assert!((along - cubic(i)).abs() < 1e-6, "{along} at {i}, not {}", cubic(i));
        }
        // What the push costs is not a matter of the spin.
        let (still, at_rest) = solved(&choose(pushed(spinning(false), by)));
        for (along, still) in along.iter().zip(&still) {
            assert!((along - still).abs() < 1e-9);
        }
        assert!(at_rest.energy > 0.0);
        let ratio = report.energy / at_rest.energy - 1.0;
        assert!(ratio.abs() < 1e-9, "{ratio:e}");
        let forces = [report, at_rest].map(|report| report.force.unwrap().largest.unwrap().0);
        assert!((forces[0] / forces[1] - 1.0).abs() < 1e-6, "{forces:?}");
    }
}

#[test]
fn a_velocity_at_the_centre_is_one_in_space() {
    for exact in [true, false] {
        let goal = Goal::Velocity([2.0, 0.0, 0.0]);
        let scene = pushed(spinning(true), goal).with(|shot| shot.edit.exact = exact);
        let (along, report) = solved(&scene);
        // The input drifts by 0.02 a frame, 0.48 a second. Exact handles have what the frames show; from a linear one
        // on no force changes the velocity any more.
        let added = match exact {
            true => (along[INDEX + 1] - along[INDEX - 1]) / 2.0 * super::bodies::FPS,
            false => (along[INDEX + 20] - along[INDEX]) / 20.0 * super::bodies::FPS,
        };
        assert!((added - (2.0 - 0.48)).abs() < 1e-6, "{added}");
        assert!(report.handles[0].error < if exact { 1e-6 } else { 0.02 }, "{report:?}");
    }
}

#[test]
fn a_push_that_comes_and_goes_stays_on_its_line() {
    let free = Some(End::Free);
    let scene = pushed(spinning(true), Goal::By([1.0, 0.0, 0.0])).with(|shot| {
        shot.edit.ends = Ends::Apart { start: free, end: free };
        shot.edit.expert = Some(Expert { fade: Some(8.0), ..Expert::default() });
    });
    let (along, _) = solved(&scene);
    assert!((along[INDEX] - 1.0).abs() < 1e-9 && along[0].abs() < 0.1, "{along:?}");
}

#[test]
fn a_vertex_of_a_spinning_body_is_where_it_is_asked_to_be() {
    let by = [-0.2, 0.45, 0.3];
    for exact in [true, false] {
        let scene = spinning(true);
        let (input, tip) = (scene.input(), tip(&scene.input()));
        let scene = scene.with(|shot| {
            shot.edit.handles = vec![pull(FRAME, tip, Goal::By(by))];
            shot.edit.exact = exact;
        });
        let mut editor = scene.open();
        assert_eq!(release(&mut editor).status, Status::Settled);
        let moved = frames(&editor);
        assert!(apart(&moved, &input) > 0.3);
        let change = if exact {
            moved[INDEX][tip.index()] - input[INDEX][tip.index()]
        } else {
            linear_in_space(&editor, INDEX)[tip.index()]
        };
        assert!((change - Vec3::from(by)).norm() < 1e-6 * LENGTH, "{change}");
    }
}

/// Where nothing is edited a body that floats was rounded on its way through the warp: such frames are the input to the bit,
/// one by one, all together, for the eye, and baked.
#[test]
fn frames_without_an_edit_are_the_input_to_the_bit() {
    for (exact, warp) in [(true, true), (false, true), (false, false)] {
        let scene = spinning(true);
        let tip = tip(&scene.input());
        let mut editor = scene
            .with(|shot| {
                (shot.edit.exact, shot.edit.warp) = (exact, warp);
                shot.edit.window = Some(START + 20..=START + 45);
                shot.edit.handles = vec![pull(FRAME, tip, Goal::By([-0.2, 0.45, 0.3]))];
            })
            .open();
        release(&mut editor);
        let place = |(x, u): (&Vec3, &[f64])| x + Vec3::from_column_slice(u);
        let input: Vec<Vec<Vec3>> = (0..FRAMES)
            .map(|i| {
                let u = editor.motion().frame(i).displacement();
                editor.rest().iter().zip(u.chunks_exact(3)).map(place).collect()
            })
            .collect();
        let is_edited = |i: usize| z(&editor, i, supple_spacetime::Order::Position).iter().any(|z| *z != 0.0);
        let untouched: Vec<usize> = (0..FRAMES).filter(|i| !is_edited(*i)).collect();
        assert!((30..FRAMES).contains(&untouched.len()), "{untouched:?}");
        let (all, playback, path) = (frames(&editor), editor.playback(), editor.path());
        assert!(apart(&all, &input) > 0.3);
        let mut alone = vec![[0.0; 3]; editor.rest().len()];
        let mut shown = vec![0.0; 3 * alone.len()];
        for i in &untouched {
            assert_eq!(all[*i], input[*i], "frame {i} of all");
            editor.frame(*i, &mut alone);
            assert!(alone.iter().zip(&input[*i]).all(|(p, x)| *p == <[f64; 3]>::from(*x)), "frame {i} alone");
            playback.frame(&path, *i, &mut shown);
            assert_eq!(shown, editor.motion().frame(*i).displacement(), "frame {i} for the eye");
        }
        editor.bake(&supple_model::Progress::silent()).unwrap();
        let baked = frames(&editor);
        assert!(untouched.iter().all(|i| baked[*i] == input[*i]));
        assert!((0..FRAMES).all(|i| baked[i] == all[i]), "and the edited ones are what they were");
    }
}
