//! Motions whose material changes along with them, from shots.

#![expect(clippy::unwrap_used, reason = "a step that fails is a test that fails")]

mod bird;
mod file;
mod live;

use crate::control::write_points;
use crate::edit::bodies::{Kind, LENGTH, START, Scene, bend};
use std::f64::consts::TAU;
use std::sync::Arc;
use supple_mesh::Vec3;
use supple_model::{Progress, VertexId};
use supple_project::method::{self, Findings, Side, Value};
use supple_project::shot::{
    Axes, End, Ends, Feel, Goal, Handle, Hold, MaterialEdit, Method, Optimise, Pose, PoseVelocity, Shot,
    Site, When,
};
use supple_project::{Body, Report, Status};

/// A motion that was found.
struct Motion {
    frames: Vec<Vec<Vec3>>,
    report: Report,
    size: f64,
}

fn try_solve(scene: &Scene) -> Result<Motion, String> {
    let (cache, progress) = (scene.cache(), Progress::silent());
    let body = Arc::new(Body::load(&scene.shot).unwrap());
    let mut method = method::open(&scene.shot, body, &cache, &progress).map_err(|error| error.to_string())?;
    let report = method.solve(&progress, &mut |_| Ok(())).map_err(|error| error.to_string())?;
    let about = method.about();
    let mut places = vec![[0.0; 3]; about.rest.len()];
    let frame = |index: usize| {
        method.frame(Side::Output, index, &mut places);
        places.iter().map(|p| Vec3::from(*p)).collect()
    };
    let (frames, size) = ((0..about.clock.frames).map(frame).collect(), about.size);
    Ok(Motion { frames, report, size })
}

fn solve(scene: &Scene) -> Motion {
    try_solve(scene).unwrap()
}

fn own(shot: &mut Shot, settings: MaterialEdit) {
    shot.edit.set_material_settings(&settings).unwrap();
}

/// The vertex at the free end.
fn tip(scene: &Scene) -> VertexId {
    let body = scene.body();
    let far = |v: &usize| body.positions()[*v].x;
    VertexId::new((0..body.positions().len()).max_by(|a, b| far(a).total_cmp(&far(b))).unwrap())
}

/// Frames of a circle, its first handle, how many there are and how many frames from one to the next.
const FRAMES: usize = 300;
const FIRST: i32 = 30;
const COUNT: i32 = 20;
const EVERY: i32 = 5;
const TURNS: f64 = 2.0;
const RADIUS: f64 = 0.3 * LENGTH;

/// So far out that what is warped afterwards misses.
const FAR: f64 = 0.65 * LENGTH;

fn circle() -> Scene {
    round(Kind::Solid, RADIUS)
}

/// A stem whose end goes round twice, so far out, and rests at both ends.
fn round(kind: Kind, radius: f64) -> Scene {
    let scene = Scene::at_rest(kind);
    let tip = tip(&scene);
    scene.with(|shot| {
        shot.edit.choose(Method::Material);
        shot.motion.frames = Some(FRAMES);
        shot.edit.modes = 40;
        shot.edit.ends = Ends::Apart { start: Some(End::Clamped), end: Some(End::Clamped) };
        own(shot, MaterialEdit { shapes: Some(12), ..MaterialEdit::default() });
        for k in 0..COUNT {
            let angle = TURNS * TAU * f64::from(k) / f64::from(COUNT - 1);
            let by = [0.0, radius * angle.cos(), radius * angle.sin()];
            let handle = Handle::new(When::Frame(START + FIRST + EVERY * k), Site::Vertex(tip), Goal::By(by));
            shot.edit.handles.push(Handle { axes: Some(Axes([false, true, true])), ..handle });
        }
    })
}

/// How far the worst handle of a circle is off, as a part of the size.
fn missed(scene: &Scene, motion: &Motion) -> f64 {
    let (tip, body) = (tip(scene), scene.body());
    let rest = body.positions()[tip.index()];
    let off = |handle: &Handle| {
        let (When::Frame(frame), Goal::By(by)) = (&handle.when, &handle.goal) else { panic!("a move") };
        let there = motion.frames[(frame - START) as usize][tip.index()] - rest;
        (there.y - by[1]).hypot(there.z - by[2])
    };
    scene.shot.edit.handles.iter().map(off).fold(0.0, f64::max) / motion.size
}

/// How many turns the tip makes after the last handle, while it is at least a tenth as far out.
fn turns_after(scene: &Scene, motion: &Motion) -> f64 {
    let (tip, body) = (tip(scene), scene.body());
    let rest = body.positions()[tip.index()];
    let last = (FIRST + EVERY * (COUNT - 1)) as usize;
    let out = |frame: usize| {
        let there = motion.frames[frame][tip.index()] - rest;
        [there.y, there.z]
    };
    let mut turned = 0.0;
    for frame in last..FRAMES - 1 {
        let ([a, b], [c, d]) = (out(frame), out(frame + 1));
        if a.hypot(b) < 0.1 * FAR {
            break;
        }
        turned += (a * d - b * c).atan2(a * c + b * d);
    }
    turned.abs() / TAU
}

#[test]
fn a_circle_is_met_on_the_warp_with_little_force_and_goes_on() {
    let far = || round(Kind::Voxels, FAR);
    let scene = far();
    let plain = solve(&far().with(|shot| own(shot, with(Optimise::None))));
    let found = solve(&scene);
    assert_eq!(found.report.status, Status::Settled, "{:?}", found.report.status);
    assert!(missed(&scene, &found) <= 1e-6, "{:e}", missed(&scene, &found));
    let peak = |motion: &Motion| motion.report.number("material", "force_after").unwrap();
    let before = found.report.number("material", "force_before").unwrap();
    // Both on the whole warp, from other starts.
    assert!((peak(&plain) / before - 1.0).abs() < 1e-5, "{} {before}", peak(&plain));
    assert!(peak(&found) <= before / 5.0, "{} of {before}", peak(&found));
    assert!(turns_after(&scene, &found) >= 1.0, "{}", turns_after(&scene, &found));

    // What is of steps is not plotted over frames.
    for curve in &found.report.curves {
        let is_of_frames = curve.values.len().abs_diff(FRAMES) <= 1;
        assert!(curve.is_of_steps() != is_of_frames, "{}: {}", curve.key, curve.values.len());
    }
    let steps = found.report.curve("cost_by_iteration");
    assert!(steps.len() > 2 && steps.is_sorted_by(|a, b| a >= b), "{steps:?}");
    // As the published method of 2012 would, of many modes and warped afterwards.
    let late = far().with(|shot| {
        shot.edit.choose(Method::Drag);
        shot.edit.modes = 200;
        shot.edit.feel = Feel::Lively;
        shot.edit.exact = false;
    });
    let missed_late = missed(&late, &solve(&late));
    assert!(missed_late > 0.05, "{missed_late}");
}

fn with(optimise: Optimise) -> MaterialEdit {
    MaterialEdit { shapes: Some(12), optimise, ..MaterialEdit::default() }
}

#[test]
fn stiffness_alone_needs_less_force_and_the_shapes_less_again() {
    let energy = |optimise| {
        let motion = solve(&circle().with(|shot| own(shot, with(optimise))));
        motion.report.energy
    };
    let [none, stiffness, all] = [Optimise::None, Optimise::Stiffness, Optimise::All].map(energy);
    assert!(stiffness < 0.5 * none && all < stiffness, "{none} {stiffness} {all}");
}

/// Bent up, or down, along an arc.
fn bent(x: &Vec3, by: f64) -> Vec3 {
    bend(x, 0.6 * by)
}

/// A beam with the poses of a flap.
fn flap() -> Scene {
    let scene = Scene::at_rest(Kind::Solid).with(|shot| {
        shot.edit.choose(Method::Material);
        shot.motion.frames = Some(100);
        shot.edit.ends = Ends::Apart { start: Some(End::Clamped), end: Some(End::Clamped) };
        own(shot, with(Optimise::All));
    });
    let body = scene.body();
    for (name, by) in [("up.obj", 1.0), ("down.obj", -1.0)] {
        let places = body.positions().iter().map(|x| bent(x, by).into()).collect();
        write_points(&scene.folder.path().join(name), places);
    }
    scene.with(|shot| {
        shot.edit.poses = [(10, "up.obj"), (20, "down.obj"), (30, "up.obj")]
            .map(|(frame, file)| Pose::of_file(START + frame, file))
            .into();
    })
}

#[test]
fn poses_are_met_as_far_as_modes_can_hold_them_and_cost_less_after() {
    let scene = flap();
    let found = solve(&scene);
    let told = found.report.findings.iter().find(|finding| finding.key == "poses").unwrap();
    let Findings::Several(poses) = &told.found else { panic!("{told:?}") };
    assert_eq!(poses.len(), 3);
    let rest: Vec<Vec3> = scene.body().positions().to_vec();
    for ((frame, by), told) in [(10, 1.0), (20, -1.0), (30, 1.0)].into_iter().zip(poses) {
        let far = |there: &[Vec3]| {
            there.iter().zip(&rest).map(|(p, x)| (p - bent(x, by)).norm()).fold(0.0, f64::max)
        };
        let (off, way) = (far(&found.frames[frame]), far(&rest));
        assert!(off < 0.1 * way, "{frame}: {off} of {way}");
        let farthest = told.iter().find(|quantity| quantity.name == "farthest").unwrap();
        assert!(matches!(farthest.value, Value::Number(told) if (told / off - 1.0).abs() < 1e-6), "{told:?}");
    }
    let plain = solve(&flap().with(|shot| own(shot, with(Optimise::None))));
    assert!(found.report.energy < 0.2 * plain.report.energy);
    // A pose among handles.
    let tip = tip(&scene);
    let both = flap().with(|shot| {
        let handle = Handle::new(When::Frame(START + 50), Site::Vertex(tip), Goal::By([0.0, 0.2, 0.1]));
        shot.edit.handles = vec![handle];
        shot.edit.poses.iter_mut().for_each(|pose| pose.hold = Hold::Soft(50.0));
    });
    let both = solve(&both);
    assert_eq!(both.report.status, Status::Settled);
    let there = both.frames[50][tip.index()] - rest[tip.index()];
    assert!((there - Vec3::new(0.0, 0.2, 0.1)).norm() < 1e-6 * both.size);
}

#[test]
fn what_cannot_be_is_named() {
    type Spoil<'a> = &'a dyn Fn(&mut Shot);
    let scene = flap();
    let body = scene.body();
    let folder = scene.folder.path();
    let write = |name: &str, places: Vec<[f64; 3]>| write_points(&folder.join(name), places);
    write("few.obj", vec![[0.0; 3]; 4]);
    write("inside-out.obj", body.positions().iter().map(|x| [x.x, -x.y, x.z]).collect());
    let of = |file: &str| Pose::of_file(START + 10, file);
    let cases: [(Spoil<'_>, &str); 8] = [
        (&|s| s.edit.poses = vec![of("few.obj")], "pose 1: "),
        (&|s| s.edit.poses = vec![of("inside-out.obj")], "pose 1 turns "),
        (&|s| s.edit.poses = vec![of("up.obj"), of("down.obj")], "pose 2: pose 1 asks for the same vertices"),
        (&|s| s.edit.poses[1].when = When::Frame(4000), "pose 2: there is no frame 4000"),
        (&|s| s.edit.poses[1].when = When::Frame(START), "pose 2: frame 5 is clamped"),
        (
            &|s| s.edit.poses[0].velocity = Some(PoseVelocity::Of([0.0; 3])),
            "pose 1: the method \"material\" takes no `velocity`",
        ),
        (&|s| s.edit.poses[0].group = Some("right".into()), "pose 1: the method \"material\" takes poses of"),
        (
            &|s| own(s, MaterialEdit { shapes: Some(30), ..MaterialEdit::default() }),
            "30 shapes cannot be made of 24 modes",
        ),
    ];
    for (spoil, expected) in cases {
        let mut shot = scene.shot.clone();
        spoil(&mut shot);
        let body = Arc::new(Body::load(&shot).unwrap());
        let opened = method::open(&shot, body, &scene.cache(), &Progress::silent());
        let said = opened.map(|_| ()).unwrap_err().to_string();
        assert!(said.starts_with(expected), "{said}");
    }
}
