//! How firmly handles hold: softly, all at once, against each other, and at least cost.

use super::bodies::{Kind, LENGTH, START, Scene, apart, frames, linear, pull, release, tip};
use supple_mesh::Vec3;
use supple_model::{Progress, VertexId};
use supple_project::shot::{Axes, Damping, Feel, Goal, Handle, Hold, Shot, Site, When};
use supple_project::{EditReport, Status};
use supple_spacetime::Order;

const FRAME: i32 = START + 16;
const INDEX: usize = 16;
const BY: [f64; 3] = [-0.1, 0.3, 0.2];

/// The edited motion of a shot with these handles.
fn solve(scene: &mut Scene, handles: Vec<Handle>) -> (Vec<Vec<Vec3>>, EditReport) {
    scene.shot.edit.handles = handles;
    scene.solved()
}

fn near(a: Vec3, b: Vec3) -> bool {
    (a - b).norm() <= 1e-6 * LENGTH
}

#[test]
fn soft_handles_miss_one_part_in_one_plus_their_firmness() {
    // One row c·z = t of firmness h, weight w = h/S with S = Σ c² P: the error is t / (1 + h), the energy ½ μ² S with
    // μ = t / (S + 1/w).
    let scene = Scene::new(Kind::Solid).with(|shot| shot.edit.warp = false);
    let (input, tip) = (scene.input(), tip(&scene.input()));
    let mut editor = scene.open();
    let only_y = Some(Axes([false, true, false]));
    let key = editor.add(Handle { axes: only_y, ..pull(FRAME, tip, Goal::By(BY)) }).unwrap();
    let mut P = vec![0.0; editor.modes()];
    editor.path().kernel().covariance((INDEX, Order::Position), (INDEX, Order::Position), &mut P);
    let c = &editor.motion().basis().row(&[(tip, 1.0)])[1];
    let S: f64 = c.iter().zip(&P).map(|(c, p)| c * c * p).sum();
    for part in [0.1, 1.0, 30.0] {
        let (w, t) = (part / S, BY[1]);
        let hold = Some(Hold::Soft(part));
        editor.set(key, Handle { axes: only_y, hold, ..pull(FRAME, tip, Goal::By(BY)) }).unwrap();
        let report = release(&mut editor);
        let moved = (frames(&editor)[INDEX][tip.index()] - input[INDEX][tip.index()]).y;
        let error = t / (1.0 + part);
        assert!((t - moved - error).abs() < 1e-12, "{} of {error}", t - moved);
        assert!((report.handles[0].error - error).abs() < 1e-12 && report.handles[0].soft);
        let mu = t / (S + 1.0 / w);
        assert!((report.energy / (0.5 * mu * mu * S) - 1.0).abs() < 1e-9, "{report:?}");
        assert!((report.penalty / (0.5 * w * error * error) - 1.0).abs() < 1e-9, "{report:?}");
    }
    // On the warped motion: the firmer, the nearer, down to where a hard one is.
    let mut scene = Scene::new(Kind::Solid);
    let mut errors = Vec::new();
    for part in [0.1, 1.0, 10.0, 1e4] {
        let hold = Some(Hold::Soft(part));
        let (moved, report) = solve(&mut scene, vec![Handle { hold, ..pull(FRAME, tip, Goal::By(BY)) }]);
        let off = (input[INDEX][tip.index()] + Vec3::from(BY) - moved[INDEX][tip.index()]).norm();
        assert!((off - report.handles[0].error).abs() < 1e-9, "{report:?}");
        errors.push(off);
    }
    assert!(
        errors.windows(2).all(|pair| pair[1] < 0.7 * pair[0]) && errors[3] < 0.01 * errors[0],
        "{errors:?}"
    );
}

#[test]
fn one_is_half_way_on_any_body() {
    // A weight of 1 was 9 % of the way on one body and all of it on another: firmness knows the body.
    let kinds = [Kind::Solid, Kind::Voxels, Kind::Cloth];
    for (kind, feel) in kinds.into_iter().flat_map(|kind| [(kind, Feel::Smooth), (kind, Feel::Lively)]) {
        let mut scene = Scene::new(kind).with(|shot| shot.edit.feel = feel);
        let (input, tip) = (scene.input(), tip(&scene.input()));
        for by in [[0.0, 0.03, 0.0], [0.0, 0.02, 0.02], [-0.005, 0.02, 0.0]] {
            for (hold, missed) in [(0.25, 0.8), (1.0, 0.5), (9.0, 0.1)] {
                let handle = Handle { hold: Some(Hold::Soft(hold)), ..pull(FRAME, tip, Goal::By(by)) };
                let (moved, _) = solve(&mut scene, vec![handle]);
                let off = (input[INDEX][tip.index()] + Vec3::from(by) - moved[INDEX][tip.index()]).norm();
                let part = off / Vec3::from(by).norm();
                assert!((part - missed).abs() < 0.025, "{kind:?} {feel:?} {by:?} {hold}: {part}");
            }
        }
        // Many frames hold as one, not each for itself.
        let range = Handle {
            hold: Some(Hold::Soft(1.0)),
            when: When::Frames(FRAME - 1..=FRAME + 1),
            ..pull(FRAME, tip, Goal::By([0.0, 0.03, 0.0]))
        };
        let (moved, _) = solve(&mut scene, vec![range]);
        let off = (input[INDEX][tip.index()].y + 0.03 - moved[INDEX][tip.index()].y) / 0.03;
        assert!((0.4..0.6).contains(&off), "{kind:?} {feel:?}: {off}");
    }
}

/// How firm a soft handle is depends on what it asks: dragged there, it holds as one that was written there.
#[test]
fn a_soft_handle_that_was_dragged_is_as_firm_as_a_new_one() {
    let soft = |tip, by| Handle { hold: Some(Hold::Soft(2.0)), ..pull(FRAME, tip, Goal::By(by)) };
    let mut scene = Scene::new(Kind::Solid);
    let tip = tip(&scene.input());
    let (expected, _) = solve(&mut scene, vec![soft(tip, [0.0, 0.125, 0.25])]);
    scene.shot.edit.handles = vec![soft(tip, [0.0, 0.125, 0.0])];
    let mut editor = scene.open();
    let (key, _) = editor.handles().next().unwrap();
    editor.grab(key, INDEX, &Progress::silent()).unwrap();
    editor.drag([0.0, 0.0, 0.25], &Progress::silent()).unwrap();
    editor.put_down().unwrap();
    release(&mut editor);
    assert_eq!(frames(&editor), expected);
}

#[test]
fn muted_handles_do_nothing_and_moving_one_keeps_the_others() {
    for exact in [true, false] {
        let mut scene = Scene::new(Kind::Voxels).with(|shot| shot.edit.warp = exact);
        let (input, body) = (scene.input(), scene.body());
        let (tip, middle) = (tip(&input), body.positions().iter().position(|p| p.x > 0.9).unwrap());
        let hold = pull(FRAME - 6, VertexId::new(middle), Goal::By([0.0, 0.1, 0.0]));
        let one = pull(FRAME, tip, Goal::By(BY));
        let (alone, _) = solve(&mut scene, vec![one.clone()]);
        let (muted, report) =
            solve(&mut scene, vec![one.clone(), Handle { muted: Some(true), ..hold.clone() }]);
        assert_eq!(muted, alone);
        assert_eq!(report.handles.len(), 1);

        scene.shot.edit.handles = vec![one, hold];
        let mut editor = scene.open();
        let key = editor.handles().next().unwrap().0;
        for up in [-0.4, 0.0, 0.5] {
            editor.set(key, pull(FRAME, tip, Goal::By([0.0, up, 0.0]))).unwrap();
            let report = release(&mut editor);
            assert_eq!(report.status, Status::Settled, "{report:?}");
            let moved = frames(&editor);
            let change = moved[INDEX][tip.index()] - input[INDEX][tip.index()];
            assert!(near(change, Vec3::new(0.0, up, 0.0)), "{change}");
            let change = moved[INDEX - 6][middle] - input[INDEX - 6][middle];
            assert!(near(change, Vec3::new(0.0, 0.1, 0.0)), "the other stays: {change}");
        }
    }
}

#[test]
fn what_a_body_resists_is_done_at_least_cost() {
    // Along its axis a bar gives little, whatever is asked for across it.
    let mut scene = Scene::at_rest(Kind::Solid);
    let (input, tip) = (scene.input(), tip(&scene.input()));
    for by in [[0.2, 0.0, 0.0], [-0.4, 0.0, 0.0], [0.4, -0.3, 0.0], [0.5, 0.5, 0.5], [-1.0, 0.3, 0.8]] {
        let (moved, report) = solve(&mut scene, vec![pull(FRAME, tip, Goal::By(by))]);
        assert_eq!(report.status, Status::Settled, "{by:?}: {report:?}");
        assert!(report.stationarity <= 1e-4, "{by:?}: {report:?}");
        let change = moved[INDEX][tip.index()] - input[INDEX][tip.index()];
        assert!(near(change, Vec3::from(by)), "{change} of {by:?}");
    }
}

#[test]
fn fewer_modes_than_coordinates_do_what_they_can() {
    for modes in [1, 2, 3, 4] {
        let mut scene = Scene::new(Kind::Solid).with(|shot| shot.edit.modes = modes);
        let tip = tip(&scene.input());
        let (moved, report) = solve(&mut scene, vec![pull(FRAME, tip, Goal::By(BY))]);
        assert!(report.status != Status::Unfinished, "{modes} modes: {report:?}");
        let largest = apart(&moved, &scene.input());
        assert!(largest < 3.0 * LENGTH, "{modes} modes move the body by {largest}");
    }
}

/// Ways to answer.
const MODES: [fn(&mut Shot); 3] = [|_| {}, |shot| shot.edit.exact = false, |shot| shot.edit.warp = false];

#[test]
fn handles_that_repeat_or_contradict_others_never_blow_up_and_are_reported() {
    for choose in MODES {
        let mut scene = Scene::new(Kind::Solid).with(choose);
        let (input, tip) = (scene.input(), tip(&scene.input()));
        let one = pull(FRAME, tip, Goal::By(BY));
        let (alone, _) = solve(&mut scene, vec![one.clone()]);
        let (twice, report) = solve(&mut scene, vec![one.clone(), one.clone()]);
        assert!(apart(&twice, &alone) <= 1e-6 * LENGTH, "{:e}", apart(&twice, &alone));
        assert_eq!(report.status, Status::Settled, "{report:?}");
        assert!(report.handles.iter().any(|handle| handle.redundant), "{report:?}");

        // Two places at once: no farther than either asks for, and the middle of them.
        let other = pull(FRAME, tip, Goal::By([-0.1, -0.1, 0.2]));
        let (torn, report) = solve(&mut scene, vec![one.clone(), other]);
        let largest = apart(&torn, &input);
        assert!(largest < 3.0 * Vec3::from(BY).norm(), "{largest}");
        assert_eq!(report.status, Status::Compromise, "{report:?}");
        assert!(report.handles.iter().any(|handle| handle.redundant), "{report:?}");
        if scene.shot.edit.exact || !scene.shot.edit.warp {
            let change = torn[INDEX][tip.index()] - input[INDEX][tip.index()];
            assert!((change - Vec3::new(-0.1, 0.1, 0.2)).norm() < 1e-3, "{change}");
        }

        // A place seen from itself never changes.
        let nothing = Handle { relative_to: Some(Site::Vertex(tip)), ..pull(FRAME, tip, Goal::By(BY)) };
        let (still, report) = solve(&mut scene, vec![nothing]);
        assert!(apart(&still, &input) <= 1e-6 * LENGTH, "{:e}", apart(&still, &input));
        assert_eq!(report.status, Status::Compromise, "{report:?}");
        assert!(report.handles[0].redundant, "{report:?}");
    }
}

#[test]
fn a_direction_no_mode_knows_is_left_out_and_reported() {
    // A flat cloth only bends in its first modes.
    for choose in &MODES[1..] {
        let scene = Scene::at_rest(Kind::Flat).with(choose);
        let tip = tip(&scene.input());
        for goal in [Goal::By([0.0, 0.2, 0.3]), Goal::By([0.0, 0.0, 0.3])] {
            let mut editor = scene.open();
            editor.add(pull(FRAME, tip, goal)).unwrap();
            let report = release(&mut editor);
            assert_eq!(report.status, Status::Compromise, "{report:?}");
            assert!(report.handles[0].redundant && report.energy < 1e6, "{report:?}");
            let largest = linear(&editor, INDEX).iter().map(Vec3::norm).fold(0.0, f64::max);
            assert!(largest < 0.5, "{largest}");
        }
    }
}

/// The answer of an oscillator to an impulse, by its closed form.
fn impulse(lambda: f64, delta: f64, t: f64) -> f64 {
    let square = lambda - delta * delta;
    let root = square.abs().sqrt();
    if square > 0.0 {
        (-delta * t).exp() * (root * t).sin() / root
    } else {
        // sinh without overflow.
        (((root - delta) * t).exp() - ((-root - delta) * t).exp()) / (2.0 * root)
    }
}

/// ∫₀^min(a,b) g(a−s) g(b−s) ds by Simpson's rule.
fn covariance(lambda: f64, delta: f64, a: f64, b: f64) -> f64 {
    const STEPS: usize = 20_000;
    let end = a.min(b);
    let h = end / STEPS as f64;
    let value = |k: usize| {
        let s = h * k as f64;
        impulse(lambda, delta, a - s) * impulse(lambda, delta, b - s)
    };
    let weight = |k: usize| match k {
        0 | STEPS => 1.0,
        k if k % 2 == 1 => 4.0,
        _ => 2.0,
    };
    (0..=STEPS).map(|k| weight(k) * value(k)).sum::<f64>() * h / 3.0
}

#[test]
fn without_a_warp_the_edit_is_the_least_costly_one_by_quadrature() {
    // From rest at the first frame to a free end: z(i) = Σ_k P_k(i,j) c_k μ, P the integral of impulse responses.
    let scene = Scene::new(Kind::Solid).with(|shot| {
        shot.edit.warp = false;
        shot.edit.modes = 6;
        shot.edit.damping = Some(Damping { mass: 0.3, stiffness: 0.002 });
    });
    let (input, tip) = (scene.input(), tip(&scene.input()));
    let mut editor = scene.open();
    editor.add(pull(FRAME, tip, Goal::By(BY))).unwrap();
    let report = release(&mut editor);
    let body = scene.body();
    let modes = body.elastic.modes(&body.free, 6, &Progress::silent()).unwrap();
    let shapes: Vec<Vec<f64>> = (0..6).map(|k| modes.displacement(k)).collect();
    let dt = editor.seconds_per_frame();
    let P = |k: usize, i: usize| {
        let lambda = modes.eigenvalues()[k];
        covariance(lambda, 0.5 * (0.3 + 0.002 * lambda), dt * i as f64, dt * INDEX as f64)
    };
    let row = |k: usize| Vec3::from_column_slice(&shapes[k][3 * tip.index()..][..3]);
    let S = (0..6).map(|k| row(k) * row(k).transpose() * P(k, INDEX)).sum::<nalgebra::Matrix3<f64>>();
    let mu = S.try_inverse().unwrap() * Vec3::from(BY);
    assert!((report.energy / (0.5 * mu.dot(&(S * mu))) - 1.0).abs() < 1e-6, "{report:?}");
    let moved = frames(&editor);
    for i in [3, INDEX, 30] {
        let z: Vec<f64> = (0..6).map(|k| P(k, i) * row(k).dot(&mu)).collect();
        for v in 0..input[i].len() {
            let u = |k: usize| Vec3::from_column_slice(&shapes[k][3 * v..][..3]);
            let expected = input[i][v] + (0..6).map(|k| u(k) * z[k]).sum::<Vec3>();
            assert!((moved[i][v] - expected).norm() < 1e-6, "vertex {v} at {i}: {}", moved[i][v] - expected);
        }
    }
}
