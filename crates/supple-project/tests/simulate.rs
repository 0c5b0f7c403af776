//! Simulations of shots: what they read, what they keep, what they refuse.
#![expect(clippy::unwrap_used, reason = "a step that fails is a test that fails")]

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};
use supple_mesh::Vec3;
use supple_model::{Clock, Contact, ContactKind, Frame, Progress, ProgressSink};
use supple_project::shot::{
    Anchor, Body as BodyShot, BodyKind, Damping, Floor, Input, Law, Load, Motion, Obstacle, ObstacleShape,
    Push, Shot, Site, Substeps,
};
use supple_project::{Body, Cache, InputMotion, MotionError, MotionOutput, Moving, Sample, Simulator};

/// A bar 2 m long of the sample's tets, stiff enough to be done quickly.
fn bar(folder: &Path) -> Shot {
    let file = Sample::named("bar").unwrap().write(folder).unwrap();
    let mut shot = Shot::load(&file).unwrap();
    shot.motion.input = Input::Simulate;
    shot.motion.frames = Some(4);
    shot.simulate.gravity = [0.0; 3];
    shot
}

fn frames(shot: &Shot) -> (Vec<Vec<[f64; 3]>>, Vec<Contact>) {
    let body = Body::load(shot).unwrap();
    let (mut frames, mut contacts) = (Vec::new(), Vec::new());
    let simulator = Simulator::new(shot, &body, &Progress::silent()).unwrap();
    let each = |frame: supple_project::SimulatedFrame<'_>| {
        frames.push(frame.positions.to_vec());
        contacts.extend_from_slice(frame.contacts);
        Ok(())
    };
    let report = simulator.run(each, &Progress::silent()).unwrap();
    assert_eq!((report.frames, report.unsolved), (frames.len(), 0));
    (frames, contacts)
}

fn refused(shot: &Shot) -> String {
    let body = Body::load(shot).unwrap();
    Simulator::new(shot, &body, &Progress::silent()).unwrap_err().to_string()
}

#[test]
fn a_simulation_is_computed_once_and_read_frame_by_frame() {
    let folder = tempfile::tempdir().unwrap();
    let mut shot = bar(folder.path());
    shot.simulate.gravity = [0.0, -2.0, 0.0];
    let body = Body::load(&shot).unwrap();
    let cache = Cache::in_folders([folder.path().join("bar.cache")]);
    let open = |shot: &Shot| InputMotion::open(shot, &body, &cache, &Progress::silent()).unwrap();
    let (expected, _) = frames(&shot);
    let mut positions = vec![[0.0; 3]; body.positions().len()];
    for from_cache in [false, true] {
        let mut motion = open(&shot);
        assert_eq!((motion.from_cache, motion.clock.frames, motion.clock.start), (from_cache, 4, Frame(1)));
        assert_eq!(
            (motion.of, motion.clock.index(Frame(4)), motion.clock.index(Frame(5))),
            (Moving::Body, Some(3), None)
        );
        for index in [3, 0, 2] {
            motion.read(index, &mut positions).unwrap();
            assert_eq!(positions, expected[index]);
        }
    }
    // What the motion depends on makes another motion, a new name of a file does not.
    shot.simulate.gravity = [0.0, -3.0, 0.0];
    assert!(!open(&shot).from_cache);
    fs::write(folder.path().join("a.csv"), "frame,x\n1,0\n3,0.1\n").unwrap();
    shot.simulate.anchors_motion = Some("a.csv".into());
    assert!(!open(&shot).from_cache);
    fs::rename(folder.path().join("a.csv"), folder.path().join("b.csv")).unwrap();
    shot.simulate.anchors_motion = Some("b.csv".into());
    assert!(open(&shot).from_cache);
    fs::write(folder.path().join("b.csv"), "frame,x\n1,0\n3,0.2\n").unwrap();
    assert!(!open(&shot).from_cache);
}

/// Looks at the last frame whenever something is said.
#[derive(Default)]
struct Eye {
    motion: Mutex<Option<InputMotion>>,
    seen: Mutex<Vec<Vec<[f64; 3]>>>,
}

impl ProgressSink for Eye {
    fn update(&self, stage: &str, _: f64) {
        if let Some(motion) = self.motion.lock().unwrap().as_mut().filter(|_| stage == "simulating") {
            let mut positions = vec![[0.0; 3]; motion.vertices()];
            motion.read(motion.clock.frames - 1, &mut positions).unwrap();
            self.seen.lock().unwrap().push(positions);
        }
    }
}

#[test]
fn a_simulation_is_looked_at_while_it_grows() {
    let folder = tempfile::tempdir().unwrap();
    let mut shot = bar(folder.path());
    shot.simulate.gravity = [0.0, -2.0, 0.0];
    let body = Body::load(&shot).unwrap();
    let cache = Cache::in_folders([folder.path().join("bar.cache")]);
    let eye = Arc::new(Eye::default());
    let progress = Progress::new(eye.clone());
    let mut watch = |motion| *eye.motion.lock().unwrap() = Some(motion);
    InputMotion::open_watched(&shot, &body, &cache, &progress, &mut watch).unwrap();
    let seen = eye.seen.lock().unwrap();
    let rest: Vec<[f64; 3]> = body.positions().iter().map(|p| (*p).into()).collect();
    assert_eq!(seen[0], rest, "before there is a frame");
    let (expected, _) = frames(&shot);
    let single = |frame: &Vec<[f64; 3]>| -> Vec<[f64; 3]> {
        frame.iter().map(|p| p.map(|x| f64::from(x as f32))).collect()
    };
    for (done, seen) in seen.iter().enumerate().skip(1) {
        assert_eq!(*seen, single(&expected[done - 1]), "the last there is after {done}");
    }
    assert_eq!(seen.len(), 4);
    let mut again = false;
    InputMotion::open_watched(&shot, &body, &cache, &Progress::silent(), &mut |_| again = true).unwrap();
    assert!(!again, "what is in the cache is there at once");
}

#[test]
fn without_a_cache_memory_serves() {
    let folder = tempfile::tempdir().unwrap();
    let shot = bar(folder.path());
    let body = Body::load(&shot).unwrap();
    fs::write(folder.path().join("taken"), "a file where the folder should be").unwrap();
    let cache = Cache::in_folders([folder.path().join("taken")]);
    let mut motion = InputMotion::open(&shot, &body, &cache, &Progress::silent()).unwrap();
    assert!(!motion.warnings.is_empty());
    let mut positions = vec![[0.0; 3]; body.positions().len()];
    motion.read(3, &mut positions).unwrap();
}

#[test]
fn anchors_go_where_their_track_says() {
    let folder = tempfile::tempdir().unwrap();
    let mut shot = bar(folder.path());
    fs::write(folder.path().join("t.csv"), "frame,left.y,left.rz,z\n1,0,0,0\n3,0.2,90,1\n").unwrap();
    shot.simulate.anchors_motion = Some("t.csv".into());
    shot.simulate.substeps = Substeps::Count(2);
    let body = Body::load(&shot).unwrap();
    let (frames, _) = frames(&shot);
    for &anchor in &body.anchors {
        let rest = body.positions()[anchor.index()];
        let middle = Vec3::new(0.0, 0.125, 0.125);
        // A quarter turn about z through the middle of the end face, after frame 3 at rest.
        let arm = rest - middle;
        let turned = Vec3::new(-arm.y, arm.x, arm.z) + middle + Vec3::new(0.0, 0.2, 1.0);
        for frame in [2, 3] {
            assert!((Vec3::from(frames[frame][anchor.index()]) - turned).norm() < 1e-12);
        }
        assert!((Vec3::from(frames[0][anchor.index()]) - rest).norm() < 1e-12);
    }
}

#[test]
fn a_body_begins_settled_or_thrown() {
    let folder = tempfile::tempdir().unwrap();
    let mut shot = bar(folder.path());
    shot.simulate.gravity = [0.0, -0.5, 0.0];
    shot.simulate.initial.settle = true;
    let settled = frames(&shot).0;
    let size = |a: &[[f64; 3]], b: &[[f64; 3]]| {
        let pairs = a.iter().flatten().zip(b.iter().flatten());
        pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    let rest: Vec<[f64; 3]> = Body::load(&shot).unwrap().positions().iter().map(|p| (*p).into()).collect();
    assert!(size(&settled[0], &rest) > 1e-2, "it sags");
    assert!(size(&settled[0], &settled[3]) < 1e-6, "and stays so");

    // Free flight: the middle goes along a parabola.
    shot.body.anchors.clear();
    shot.simulate.initial.settle = false;
    shot.simulate.initial.velocity = Some([1.0, 2.0, 0.0]);
    shot.simulate.initial.spin = Some([0.0, 3.0, 0.0]);
    let body = Body::load(&shot).unwrap();
    let masses = body.elastic.masses();
    let total: f64 = masses.iter().sum();
    let middle = |frame: &[[f64; 3]]| -> Vec3 {
        frame.iter().zip(masses).map(|(p, m)| Vec3::from(*p) * (m / total)).sum()
    };
    let thrown = frames(&shot).0;
    let t = 3.0 / 24.0;
    let expected = middle(&thrown[0]) + Vec3::new(t, 2.0 * t - 0.25 * t * t, 0.0);
    assert!((middle(&thrown[3]) - expected).norm() < 1e-6, "{}", middle(&thrown[3]) - expected);
    let tip = thrown[1].len() - 1;
    assert!((Vec3::from(thrown[1][tip]) - Vec3::from(thrown[0][tip])).norm() > 0.1, "it turns");
}

#[test]
fn a_load_acts_on_its_frames_only_and_settling_under_it_lets_go_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut shot = bar(folder.path());
    let load = |frames| Load {
        site: Site::Group("right".into()),
        push: Push::Force([0.0, 20.0, 0.0]),
        frames: Some(frames),
        stage: None,
    };
    shot.loads = vec![load(5..=6)];
    let (still, _) = frames(&shot);
    assert_eq!(still[0], still[3], "not yet");
    shot.loads = vec![load(1..=1)];
    shot.simulate.initial.settle = true;
    let (released, _) = frames(&shot);
    let tip = Body::load(&shot).unwrap().groups.get("right").unwrap()[0].index();
    assert!(released[0][tip][1] > 0.02 && released[3][tip][1] < released[0][tip][1]);
}

#[test]
fn a_cage_carries_the_body_and_what_touches_is_of_the_body() {
    let folder = tempfile::tempdir().unwrap();
    let mut shot = bar(folder.path());
    shot.body.anchors.clear();
    shot.simulate.gravity = [0.0, -9.81, 0.0];
    shot.simulate.damping = Damping { mass: 0.0, stiffness: 0.02 };
    shot.simulate.floor = Some(Floor { height: -0.01, friction: 0.5 });
    shot.simulate.cage = Some(10);
    shot.simulate.substeps = Substeps::Count(2);
    shot.motion.frames = Some(24);
    let body = Body::load(&shot).unwrap();
    let (frames, contacts) = frames(&shot);
    let last = &frames[23];
    let lowest = last.iter().map(|p| p[1]).fold(f64::INFINITY, f64::min);
    assert!((lowest + 0.01).abs() < 1e-4, "the body itself, not its cage, lies on the floor: {lowest}");
    let at_the_end: Vec<&Contact> = contacts.iter().filter(|c| c.frame == Frame(24)).collect();
    assert!(at_the_end.len() >= 3);
    for contact in at_the_end {
        assert_eq!((contact.normal, contact.kind), ([0.0, 1.0, 0.0], ContactKind::Stick));
        assert!(body.positions()[contact.vertex.index()].y < 1e-9, "the bottom touches");
        assert!((last[contact.vertex.index()][1] + 0.01).abs() < 1e-4);
    }
}

#[test]
fn obstacles_stop_a_body() {
    let folder = tempfile::tempdir().unwrap();
    let mut shot = bar(folder.path());
    shot.body.anchors.clear();
    shot.simulate.initial.velocity = Some([0.0, -20.0, 0.0]);
    let block = ObstacleShape::Box { min: [-1.0, -0.4, -1.0], max: [3.0, -0.3, 1.0] };
    shot.simulate.obstacles = vec![Obstacle { shape: block, object: None, friction: None }];
    shot.body.material.as_mut().unwrap().law = Law::NeoHookean;
    let body = Body::load(&shot).unwrap();
    let (frames, contacts) = frames(&shot);
    assert!(!contacts.is_empty());
    let surface = body.surface.iter().flatten();
    let lowest =
        |frame: &Vec<[f64; 3]>| surface.clone().map(|v| frame[v.index()][1]).fold(f64::INFINITY, f64::min);
    let lowest = frames.iter().map(lowest).fold(f64::INFINITY, f64::min);
    assert!(lowest > -0.301, "20 m/s are eight times the box in a frame: {lowest}");
}

#[test]
fn what_cannot_be_simulated_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let good = bar(folder.path());
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("odd.csv", "frame,up\n1,0\n");
    write("nobody.csv", "frame,rihgt.x\n1,0\n");
    write("loose.csv", "frame,right.x\n1,0\n");
    write("flat.csv", "frame,x,y\n1,0,0\n");
    write("short.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    type Spoil<'a> = &'a dyn Fn(&mut Shot);
    let cases: [(Spoil<'_>, &str); 8] = [
        (
            &|s| s.simulate.anchors_motion = Some("odd.csv".into()),
            "odd.csv: unknown column \"up\"; use x, y, z",
        ),
        (&|s| s.simulate.anchors_motion = Some("nobody.csv".into()), "nobody.csv: "),
        (
            &|s| s.simulate.anchors_motion = Some("loose.csv".into()),
            "no vertex of the group \"right\" is anchored",
        ),
        (
            &|s| {
                s.body.anchors.clear();
                s.simulate.anchors_motion = Some("flat.csv".into());
            },
            "the body has none",
        ),
        (
            &|s| {
                let (site, push) = (Site::Group("left".into()), Push::Track("flat.csv".into()));
                s.loads = vec![Load { site, push, frames: None, stage: None }];
            },
            "\"z\" is missing",
        ),
        (
            &|s| {
                let (site, push) = (Site::Group("lfet".into()), Push::Force([1.0; 3]));
                s.loads = vec![Load { site, push, frames: None, stage: None }];
            },
            "load 1: ",
        ),
        (
            &|s| s.simulate.initial.pose = Some("short.obj".into()),
            "short.obj: it has 3 vertices, but 825 are needed",
        ),
        (
            &|s| {
                let shape = ObstacleShape::Mesh("bar.inp".into());
                s.simulate.obstacles = vec![Obstacle { shape, object: None, friction: None }];
            },
            "bar.inp: this is a volume mesh; an obstacle must be a surface",
        ),
    ];
    for (spoil, expected) in cases {
        let mut shot = good.clone();
        spoil(&mut shot);
        let message = refused(&shot);
        assert!(message.contains(expected), "{message} should say {expected}");
    }
}

#[test]
fn motion_files_have_to_fit_body_or_skin() {
    let folder = tempfile::tempdir().unwrap();
    let mut shot = bar(folder.path());
    let body = Body::load(&shot).unwrap();
    let rest: Vec<[f64; 3]> = body.positions().iter().map(|p| (*p).into()).collect();
    for (name, of) in [("body.pc2", Moving::Body), ("skin.pc2", Moving::Skin)] {
        let path = folder.path().join(name);
        let mut output =
            MotionOutput::create(&path, &body, of, Clock { start: Frame(7), frames: 2, fps: 24.0 }).unwrap();
        output.write(&rest, &[]).unwrap();
        output.write(&rest, &[]).unwrap();
        output.finish().unwrap();
        shot.motion = Motion { input: Input::File(name.into()), ..Motion::default() };
        let cache = Cache::in_folders([]);
        let motion = InputMotion::open(&shot, &body, &cache, &Progress::silent()).unwrap();
        assert_eq!((motion.of, motion.clock.start, motion.clock.frames), (of, Frame(7), 2));
        shot.motion.frames = Some(3);
        let error = InputMotion::open(&shot, &body, &cache, &Progress::silent()).unwrap_err();
        assert!(matches!(error, MotionError::TooFewFrames { found: 2, asked: 3, .. }), "{error}");
    }
    let mut other = Shot::new(folder.path(), BodyShot::new(BodyKind::Solid, "bar.inp")).unwrap();
    other.body.anchors = vec![Anchor::Group("left".into())];
    other.motion.input = Input::File("skin.pc2".into());
    let body = Body::load(&other).unwrap();
    let error = InputMotion::open(&other, &body, &Cache::in_folders([]), &Progress::silent()).unwrap_err();
    assert!(error.to_string().ends_with(": 10066 vertices, but the body has 825"), "{error}");
}
