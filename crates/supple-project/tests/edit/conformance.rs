//! What every method promises on every kind of body.

use super::bodies::{KINDS, Kind, START, Scene, apart, frames, linear_in_space, pull, release, tip, z};
use supple_mesh::Vec3;
use supple_model::Progress;
use supple_project::shot::{Goal, Shot};
use supple_project::{EditError, Status};
use supple_spacetime::Order;

/// A way to answer handles.
struct Method {
    name: &'static str,
    choose: fn(&mut Shot),
    /// Whether a handle holds on the motion as it is shown; or on the linear edit alone.
    holds_as_shown: bool,
    /// Whether the answer is one linear solve.
    is_linear: bool,
}

const METHODS: [Method; 3] = [
    Method { name: "drag, exact", choose: |_| {}, holds_as_shown: true, is_linear: false },
    Method {
        name: "drag, warped afterwards",
        choose: |shot| shot.edit.exact = false,
        holds_as_shown: false,
        is_linear: true,
    },
    Method {
        name: "drag, without a warp",
        choose: |shot| shot.edit.warp = false,
        holds_as_shown: true,
        is_linear: true,
    },
];

/// When handles are asked for, and how far.
const FRAME: i32 = START + 17;
const BY: [f64; 3] = [-0.2, 0.45, 0.3];

fn everywhere(check: impl Fn(&Method, Kind, Scene)) {
    for method in &METHODS {
        for kind in KINDS {
            check(method, kind, Scene::new(kind).with(method.choose));
        }
    }
}

#[test]
fn zero_edits_give_the_input_back() {
    everywhere(|method, kind, scene| {
        let input = scene.input();
        let mut editor = scene.open();
        let tolerance = 1e-13 * editor.size();
        release(&mut editor);
        let untouched = apart(&frames(&editor), &input);
        assert!(untouched <= tolerance, "{}, {kind:?}: {untouched:e} without handles", method.name);
        let key = editor.add(pull(FRAME, tip(&input), Goal::By([0.0; 3]))).unwrap();
        let report = release(&mut editor);
        let asked_nothing = apart(&frames(&editor), &input);
        assert!(asked_nothing <= tolerance, "{}, {kind:?}: {asked_nothing:e} by nothing", method.name);
        assert_eq!((report.status, report.energy), (Status::Settled, 0.0));
        // What was asked and taken back leaves nothing behind.
        editor.set(key, pull(FRAME, tip(&input), Goal::By(BY))).unwrap();
        release(&mut editor);
        assert!(apart(&frames(&editor), &input) > 0.1);
        editor.remove(key).unwrap();
        release(&mut editor);
        assert!(apart(&frames(&editor), &input) <= tolerance, "{}, {kind:?}", method.name);
    });
}

#[test]
fn a_hard_handle_is_met() {
    everywhere(|method, kind, scene| {
        let input = scene.input();
        let (tip, index) = (tip(&input), (FRAME - START) as usize);
        let scene = scene.with(|shot| shot.edit.handles = vec![pull(FRAME, tip, Goal::By(BY))]);
        let mut editor = scene.open();
        let report = release(&mut editor);
        let told = format!("{}, {kind:?}: {report:?}", method.name);
        assert_eq!(report.status, Status::Settled, "{told}");
        assert!(report.stationarity <= 1e-4, "{told}");
        let target = input[index][tip.index()] + Vec3::from(BY);
        let shown = frames(&editor)[index][tip.index()];
        let off = (shown - target).norm() / editor.size();
        if method.holds_as_shown {
            assert!(off <= 1e-6, "{off:e}; {told}");
        } else {
            let missing = linear_in_space(&editor, index)[tip.index()] - Vec3::from(BY);
            assert!(missing.norm() <= 1e-9 * editor.size(), "{missing:e}; {told}");
        }
        let reported = report.handles[0].error / editor.size();
        assert!((reported - off).abs() <= 1e-12, "{off:e} of the size off; {told}");
        assert!((report.handles[0].asked - Vec3::from(BY).norm()).abs() < 1e-9, "{told}");
    });
}

#[test]
fn more_modes_never_raise_the_energy_of_a_linear_solve() {
    everywhere(|method, kind, scene| {
        if !method.is_linear {
            return;
        }
        let mut scene = scene;
        let tip = tip(&scene.input());
        let mut energies = Vec::new();
        // The largest number first, so that the others come from the cache.
        for modes in [48, 30, 18, 9] {
            scene.shot.edit.modes = modes;
            scene.shot.edit.handles =
                vec![pull(FRAME, tip, Goal::By(BY)), pull(FRAME + 9, tip, Goal::By([0.0, -0.3, 0.1]))];
            let report = release(&mut scene.open());
            assert_eq!(report.status, Status::Settled);
            energies.push(report.energy);
        }
        let falls = energies.windows(2).all(|pair| pair[0] <= pair[1] * (1.0 + 1e-9));
        assert!(falls && energies[0] < 0.9999 * energies[3], "{}, {kind:?}: {energies:?}", method.name);
    });
}

#[test]
fn a_cancelled_solve_changes_nothing() {
    everywhere(|method, kind, scene| {
        let tip = tip(&scene.input());
        let scene = scene.with(|shot| shot.edit.handles = vec![pull(FRAME, tip, Goal::By(BY))]);
        let mut editor = scene.open();
        release(&mut editor);
        let before = frames(&editor);
        let key = editor.handles().next().unwrap().0;
        let moved = pull(FRAME, tip, Goal::By([0.1, -0.4, 0.0]));
        editor.set(key, moved.clone()).unwrap();
        let stopped = Progress::silent();
        stopped.cancel();
        let answer = editor.release(&stopped);
        assert!(matches!(answer, Err(EditError::Cancelled(_))), "{}, {kind:?}: {answer:?}", method.name);
        assert_eq!(frames(&editor), before, "{}, {kind:?}: stopped at once", method.name);
        // Half way through the frames.
        let stopping = Progress::silent();
        let answer = editor.solve(&stopping, |frame| {
            if frame.index == 3 {
                stopping.cancel();
            }
            Ok(())
        });
        assert!(matches!(answer, Err(EditError::Cancelled(_))), "{}, {kind:?}: {answer:?}", method.name);
        assert_eq!(frames(&editor), before, "{}, {kind:?}: stopped among the frames", method.name);
        assert!(editor.bake(&stopped).is_err());
        assert_eq!(frames(&editor), before);
        assert_eq!(editor.handles().collect::<Vec<_>>(), [(key, &moved)]);
        release(&mut editor);
        assert!(apart(&frames(&editor), &before) > 0.1, "and then it goes on");
        let none =
            supple_project::DragMethod::open(&scene.shot, scene.body().into(), &scene.cache(), &stopped);
        assert!(matches!(none, Err(ref error) if error.to_string() == "cancelled"), "{none:?}");
    });
}

#[test]
fn what_is_no_number_and_what_is_no_motion_are_errors() {
    everywhere(|method, kind, scene| {
        let tip = tip(&scene.input());
        let mut editor = scene.open();
        let key = editor.add(pull(FRAME, tip, Goal::By(BY))).unwrap();
        release(&mut editor);
        let before = frames(&editor);
        for wrong in [f64::NAN, f64::INFINITY] {
            let goal = Goal::To([0.0, wrong, 0.0]);
            let error = editor.add(pull(FRAME, tip, goal.clone())).unwrap_err().to_string();
            assert_eq!(error, format!("handle 2: its target {wrong} is not a finite number"));
            let error = editor.set(key, pull(FRAME, tip, goal)).unwrap_err().to_string();
            assert_eq!(error, format!("handle 1: its target {wrong} is not a finite number"));
        }
        release(&mut editor);
        assert_eq!(frames(&editor), before, "{}, {kind:?}", method.name);
        assert_eq!(editor.handles().count(), 1);

        let empty = scene.with(|shot| shot.motion.frames = Some(0));
        let error = empty.try_open().unwrap_err().to_string();
        assert_eq!(error, "0 frames are too few to edit between clamped ends");
        let one = empty.with(|shot| shot.motion.frames = Some(1));
        let error = one.try_open().unwrap_err().to_string();
        assert_eq!(error, "1 frames are too few to edit between clamped ends");
    });
}

#[test]
fn the_same_bits_come_from_any_number_of_threads() {
    everywhere(|method, kind, scene| {
        let tip = tip(&scene.input());
        let goals = [Goal::By(BY), Goal::Velocity([0.0, 1.0, -2.0])];
        let handles = goals.into_iter().zip([FRAME, FRAME + 7]);
        let handles = handles.map(|(goal, frame)| pull(frame, tip, goal)).collect();
        let scene = scene.with(|shot| shot.edit.handles = handles);
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut editor = scene.open();
                let report = release(&mut editor);
                (frames(&editor), z(&editor, 20, Order::Velocity), report)
            })
        };
        let (one, three) = (on(1), on(3));
        assert!(one == three, "{}, {kind:?}", method.name);
    });
}
