//! What every method promises on everything it is for, seen through the seam alone. A new method adds one row to
//! [`METHODS`].

#![expect(clippy::unwrap_used, reason = "a step that fails is a test that fails")]

use crate::edit::bodies::{KINDS, Kind, START, Scene, apart, tip};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use supple_mesh::Vec3;
use supple_model::{Progress, ProgressSink, VertexId};
use supple_project::character::Character;
use supple_project::method::{self, Findings, Side};
use supple_project::shot::{
    BodyKind, Control, ControlBasis, Ends, Goal, Handle, Method, Pose, SecondsPerFrame, Shot, Site, When,
};
use supple_project::{Body, EditError, Sample, Status, WriteOptions, save_baked, solve_into};

/// A method, and what it can be opened on.
struct Row {
    method: Method,
    on: On,
    asks: Asks,
}

enum On {
    Bodies(&'static [Kind], fn(Kind) -> Scene),
    Figure,
}

/// How a method is asked for something.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asks {
    /// A point shall go somewhere.
    Handles,
    /// All of the body shall be like this.
    Poses,
}

/// Those that make a motion of the body, from rest.
const FROM_REST: On =
    On::Bodies(&[Kind::Solid, Kind::Voxels, Kind::Cloth, Kind::Springs, Kind::Flying], Scene::at_rest);

const METHODS: [Row; 5] = [
    Row { method: Method::Drag, on: On::Bodies(&KINDS, Scene::new), asks: Asks::Handles },
    Row { method: Method::Material, on: On::Bodies(&KINDS, Scene::new), asks: Asks::Handles },
    Row { method: Method::Sparse, on: FROM_REST, asks: Asks::Handles },
    Row { method: Method::Control, on: FROM_REST, asks: Asks::Poses },
    Row { method: Method::Character, on: On::Figure, asks: Asks::Handles },
];

/// When the handle asks, and for how much.
const INDEX: usize = 17;
const BY: [f64; 3] = [-0.2, 0.45, 0.3];
/// What a figure is held by.
const JOINT: &str = "LeftHand";

fn everywhere(check: impl Fn(&str, Scene)) {
    of(&[Asks::Handles, Asks::Poses], check);
}

fn of(asks: &[Asks], check: impl Fn(&str, Scene)) {
    for row in METHODS.iter().filter(|row| asks.contains(&row.asks)) {
        match &row.on {
            On::Bodies(kinds, scene) => {
                for kind in *kinds {
                    check(&format!("{} on {kind:?}", row.method.name()), ready(row, scene(*kind)));
                }
            }
            On::Figure => check(&format!("{} on a figure", row.method.name()), figure()),
        }
    }
}

/// A scene of a body for a method.
fn ready(row: &Row, scene: Scene) -> Scene {
    let scene = scene.with(|shot| {
        shot.edit.choose(row.method);
        if row.asks == Asks::Poses {
            shot.motion.seconds_per_frame = SecondsPerFrame::Seconds(0.02);
            let basis = ControlBasis { modes: 4, ..ControlBasis::default() };
            shot.edit.set_control_settings(&Control { basis, ..Control::default() }).unwrap();
        }
    });
    // Without anything that is asked, a method of poses has nothing to do.
    if row.asks == Asks::Poses { posed(scene, 0.0) } else { scene }
}

/// How far the pose of a scene has a place, which is at rest where it is not bent at all.
fn bent(x: &Vec3, by: f64) -> Vec3 {
    x + Vec3::new(0.0, 0.12 * x.x * x.x, 0.05 * x.x) * by
}

/// The shot of a scene with a pose that is bent so much.
fn posed(scene: Scene, by: f64) -> Scene {
    let body = Body::load(&scene.shot).unwrap();
    let places: Vec<[f64; 3]> = body.positions().iter().map(|x| bent(x, by).into()).collect();
    crate::control::write_points(&scene.folder.path().join("pose.obj"), places);
    scene.with(|shot| shot.edit.poses = vec![Pose::of_file(START + INDEX as i32, "pose.obj")])
}

/// A figure that walks, of which nothing is asked.
fn figure() -> Scene {
    let folder = tempfile::tempdir().unwrap();
    let mut shot = Shot::load(&Sample::named("walk-3d").unwrap().write(folder.path()).unwrap()).unwrap();
    shot.edit.handles.clear();
    shot.edit.ends = Ends::default();
    shot.motion.start = Some(START);
    shot.motion.frames = Some(crate::edit::bodies::FRAMES);
    Scene { folder, shot }
}

fn is_figure(scene: &Scene) -> bool {
    scene.shot.body.kind == BodyKind::Character
}

fn open(shot: &Shot, scene: &Scene) -> Result<Box<dyn method::Method>, EditError> {
    method::open_shot(shot, &scene.cache(), &Progress::silent())
}

/// The frames before any edit.
fn input(scene: &Scene) -> Vec<Vec<Vec3>> {
    if !is_figure(scene) {
        return scene.input();
    }
    let mut bare = scene.shot.clone();
    bare.edit.handles.clear();
    frames(open(&bare, scene).unwrap().as_ref(), Side::Input)
}

/// The vertex that is pulled.
fn pulled_vertex(scene: &Scene) -> VertexId {
    if !is_figure(scene) {
        return tip(&scene.input());
    }
    let character = Character::load(&scene.shot, &Progress::silent()).unwrap();
    let joint = character.joint(JOINT).unwrap();
    let there = character.input(0).positions[joint];
    let first = &input(scene)[0];
    let far = |v: &usize| (first[*v] - there).norm();
    VertexId::new((0..first.len()).min_by(|a, b| far(a).total_cmp(&far(b))).unwrap())
}

/// A hard handle on it.
fn pull(scene: &Scene, frame: i32, goal: Goal) -> Handle {
    let site = if is_figure(scene) { Site::joint(JOINT) } else { Site::Vertex(pulled_vertex(scene)) };
    Handle::new(When::Frame(frame), site, goal)
}

/// The shot of a scene with its tip pulled, or its pose bent.
fn pulled(scene: Scene) -> Scene {
    if scene.shot.edit.method == Method::Control {
        return posed(scene, 1.0);
    }
    let handle = pull(&scene, START + INDEX as i32, Goal::By(BY));
    scene.with(|shot| shot.edit.handles = vec![handle])
}

fn frames(method: &dyn method::Method, side: Side) -> Vec<Vec<Vec3>> {
    let about = method.about();
    let mut positions = vec![[0.0; 3]; about.rest.len()];
    let frame = |index: usize| {
        method.frame(side, index, &mut positions);
        positions.iter().map(|p| Vec3::from(*p)).collect()
    };
    (0..about.clock.frames).map(frame).collect()
}

fn solve(method: &mut dyn method::Method) -> supple_project::Report {
    method.solve(&Progress::silent(), &mut |_| Ok(())).unwrap()
}

#[test]
fn no_edit_gives_the_input_back() {
    everywhere(|name, scene| {
        let mut method = open(&scene.shot, &scene).unwrap();
        let report = solve(method.as_mut());
        assert_eq!((report.status, report.energy), (Status::Settled, 0.0), "{name}");
        let size = method.about().size;
        let output = frames(method.as_ref(), Side::Output);
        for (side, motion) in
            [("the file", input(&scene)), ("its input", frames(method.as_ref(), Side::Input))]
        {
            let off = apart(&output, &motion);
            assert!(off <= 1e-13 * size, "{name}: {off:e} from {side}");
        }
    });
}

#[test]
fn a_hard_pose_is_met_and_all_poses_are_reported() {
    of(&[Asks::Poses], |name, scene| {
        let scene = pulled(scene);
        let mut method = open(&scene.shot, &scene).unwrap();
        let report = solve(method.as_mut());
        assert_eq!(report.status, Status::Settled, "{name}: {report:?}");
        let told = report.findings.iter().find(|finding| finding.key == "poses").unwrap();
        assert!(matches!(&told.found, Findings::Several(all) if all.len() == 1), "{name}: {told:?}");
        let there = &frames(method.as_ref(), Side::Output)[INDEX];
        let body = Body::load(&scene.shot).unwrap();
        let expected: Vec<Vec3> = body.positions().iter().map(|x| bent(x, 1.0)).collect();
        let off = apart(std::slice::from_ref(there), std::slice::from_ref(&expected));
        // What floats comes to its place by a rigid motion, which is found to fewer digits.
        assert!(off <= 1e-7 * method.about().size, "{name}: {off:e}");
    });
}

#[test]
fn a_hard_handle_is_met_and_all_handles_are_reported() {
    of(&[Asks::Handles], |name, scene| {
        let (input, tip) = (input(&scene), pulled_vertex(&scene));
        let scene = pulled(scene);
        let mut shot = scene.shot.clone();
        shot.edit.handles.push(pull(&scene, START + 30, Goal::By([0.0; 3])));
        let mut method = open(&shot, &scene).unwrap();
        let report = solve(method.as_mut());
        assert_eq!(report.status, Status::Settled, "{name}: {report:?}");
        assert_eq!(report.handles.iter().map(|handle| handle.key.0).collect::<Vec<_>>(), [1, 2], "{name}");
        assert_eq!(report.handles[0].frame, START + INDEX as i32, "{name}");
        let there = frames(method.as_ref(), Side::Output)[INDEX][tip.index()];
        let off = (there - input[INDEX][tip.index()] - Vec3::from(BY)).norm();
        assert!(off <= 1e-6 * method.about().size, "{name}: {off:e}");
        assert!(report.handles.iter().all(|handle| handle.reason.is_none()), "{name}: {report:?}");
    });
}

/// A handle that asks the impossible is said to be missed, with a reason.
#[test]
fn what_cannot_be_met_is_reported() {
    of(&[Asks::Handles], |name, scene| {
        let here = |by| pull(&scene, START + INDEX as i32, Goal::By(by));
        let handles = vec![here(BY), here([0.2, -0.45, 0.0])];
        let scene = scene.with(|shot| shot.edit.handles = handles);
        let report = solve(open(&scene.shot, &scene).unwrap().as_mut());
        assert_eq!(report.status, Status::Compromise, "{name}: {report:?}");
        assert!(report.handles.iter().any(|handle| handle.reason.is_some()), "{name}: {report:?}");
    });
}

#[test]
fn cancelled_nothing_changes() {
    everywhere(|name, scene| {
        let scene = pulled(scene);
        let mut method = open(&scene.shot, &scene).unwrap();
        let before = frames(method.as_ref(), Side::Output);
        let progress = Progress::silent();
        progress.cancel();
        let cancelled = method.solve(&progress, &mut |_| Ok(()));
        assert!(matches!(cancelled, Err(EditError::Cancelled(_))), "{name}: {cancelled:?}");
        assert!(frames(method.as_ref(), Side::Output) == before, "{name}");
        // And it is solved all the same later.
        assert_eq!(solve(method.as_mut()).status, Status::Settled, "{name}");
    });
}

/// Stops the work when it has reported so often.
struct Stopper {
    left: AtomicUsize,
    progress: OnceLock<Progress>,
}

impl ProgressSink for Stopper {
    fn update(&self, stage: &str, _: f64) {
        if stage == "solving" && self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.progress.get().into_iter().for_each(Progress::stop);
        }
    }
}

/// Progress of work that is stopped in this step of its solution.
fn stopped_in(step: usize) -> Progress {
    let stopper = Arc::new(Stopper { left: AtomicUsize::new(step), progress: OnceLock::new() });
    let progress = Progress::new(stopper.clone());
    stopper.progress.set(progress.clone()).ok();
    progress
}

/// Stopped at once, nothing is worse than the input was; stopped later, it is nearer to what was asked.
#[test]
fn stopped_the_best_so_far_is_kept() {
    of(&[Asks::Handles], |name, scene| {
        let (input, tip) = (input(&scene), pulled_vertex(&scene));
        let scene = pulled(scene);
        let asked = Vec3::from(BY).norm();
        for (progress, most) in
            [(Progress::silent().stopped_after(Duration::ZERO), asked), (stopped_in(5), 0.7 * asked)]
        {
            let mut method = open(&scene.shot, &scene).unwrap();
            let mut seen = 0;
            let each = &mut |_: &method::EditedFrame<'_>| {
                seen += 1;
                Ok(())
            };
            let report = method.solve(&progress, each).unwrap();
            assert_eq!((report.status, report.handles.len()), (Status::Stopped, 1), "{name}: {report:?}");
            assert_eq!(seen, method.about().clock.frames, "{name}");
            let there = frames(method.as_ref(), Side::Output)[INDEX][tip.index()];
            let off = (there - input[INDEX][tip.index()] - Vec3::from(BY)).norm();
            assert!(off < most + 1e-9, "{name}: {off}, {most}");
        }
    });
}

/// A motion of poses that is stopped at once is still one, of all of its frames.
#[test]
fn stopped_at_once_poses_make_a_motion() {
    of(&[Asks::Poses], |name, scene| {
        let scene = pulled(scene);
        let mut method = open(&scene.shot, &scene).unwrap();
        let mut seen = 0;
        let each = &mut |_: &method::EditedFrame<'_>| {
            seen += 1;
            Ok(())
        };
        let report = method.solve(&Progress::silent().stopped_after(Duration::ZERO), each).unwrap();
        assert_eq!((report.status, seen), (Status::Stopped, method.about().clock.frames), "{name}");
        let finite = |frame: &Vec<Vec3>| frame.iter().all(|x| x.iter().all(|x| x.is_finite()));
        assert!(frames(method.as_ref(), Side::Output).iter().all(finite), "{name}");
    });
}

#[test]
fn one_and_two_threads_give_the_same_bits() {
    everywhere(|name, scene| {
        let scene = pulled(scene);
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut method = open(&scene.shot, &scene).unwrap();
                let report = solve(method.as_mut());
                (frames(method.as_ref(), Side::Output), report)
            })
        };
        assert!(on(1) == on(2), "{name}");
    });
}

#[test]
fn numbers_that_are_none_and_settings_of_others_are_errors() {
    of(&[Asks::Handles], |name, scene| {
        let scene = pulled(scene);
        let spoilt: [fn(&mut Shot); 4] = [
            |shot| shot.edit.handles[0].goal = Goal::By([f64::NAN, 0.0, 0.0]),
            |shot| shot.edit.handles[0].when = When::Frame(10_000),
            |shot| shot.edit.part = Some("nowhere".into()),
            |shot| {
                shot.edit.ends = Ends::default();
                shot.edit.window = Some(10_000..=10_001);
            },
        ];
        for (number, spoil) in spoilt.iter().enumerate() {
            let mut shot = scene.shot.clone();
            spoil(&mut shot);
            let opened = open(&shot, &scene).map(|_| ());
            let words = opened.map_err(|error| error.to_string()).unwrap_err();
            assert!(words.len() > 10, "{name}, {number}: {words}");
        }
    });
}

/// What is baked is a shot that goes on, a body with `drag`, and without handles it is the same motion.
#[test]
fn a_baked_edit_is_the_input_of_the_next() {
    everywhere(|name, scene| {
        let scene = pulled(scene);
        let mut method = open(&scene.shot, &scene).unwrap();
        let (file, with) =
            if is_figure(&scene) { ("edited.bvh", Method::Character) } else { ("edited.pc2", Method::Drag) };
        let (motion, next) = (scene.folder.path().join(file), scene.folder.path().join("next.toml"));
        let how = WriteOptions { of: Some(method.about().moving), ..WriteOptions::default() };
        solve_into(&motion, &scene.shot, method.as_mut(), &how, &Progress::silent()).unwrap();
        save_baked(&scene.shot, &method.about(), &motion, &next).unwrap();
        let expected = frames(method.as_ref(), Side::Output);
        let shot = Shot::load(&next).unwrap();
        assert_eq!(
            (shot.edit.method, shot.edit.handles.len(), shot.edit.poses.len()),
            (with, 0, 0),
            "{name}"
        );
        let mut baked = open(&shot, &scene).unwrap();
        assert_eq!(solve(baked.as_mut()).status, Status::Settled, "{name}");
        let off = apart(&frames(baked.as_ref(), Side::Output), &expected);
        // The file has single precision.
        assert!(off <= 1e-6 * method.about().size, "{name}: {off:e}");
    });
}
