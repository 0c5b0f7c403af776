//! Whole poses: read back from what was written at keys, given in segments; and frames at any rate.

use super::chain::{END, jump, of_segments};
use super::{Motion, Place, each, turn};
use supple_formats::open_motion;
use supple_mesh::Vec3;
use supple_model::{Progress, Status};
use supple_project::Shot;
use supple_project::shot::{At, Goal, Handle, Hold, Pose, PoseVelocity, SecondsPerFrame, Site, Turn, When};
use supple_project::solution::{KeyAnswer, KeyAt, SolveAnswer, SolveFailed, SolveOptions, solve};

/// Solves a shot as the command does, to `out` in its folder.
fn written(place: &Place, out: &str, options: &SolveOptions) -> Result<SolveAnswer, SolveFailed> {
    let file = place.folder.path().join("keyed.toml");
    place.shot.clone().save(&file).unwrap();
    solve(&file, &place.folder.path().join(out), options, &Progress::silent())
}

/// The keys of a shot, written to a folder.
fn keys(place: &Place) -> Vec<KeyAnswer> {
    let folder = place.folder.path().join("new/keys");
    let options = SolveOptions { write_keys: Some(folder), ..SolveOptions::default() };
    written(place, "motion.pc2", &options).unwrap().keys
}

/// The pose that a key says.
fn pose(key: &KeyAnswer) -> Pose {
    let when = match key.at {
        None => When::at_time(key.time),
        Some(KeyAt::Word(_)) => END,
        Some(KeyAt::Frames(frames)) => When::At(At::Frames(frames)),
    };
    let velocity = Some(PoseVelocity::File(key.velocity.clone()));
    Pose { when, velocity, ..Pose::of_file(0, &key.pose) }
}

/// How far two motions are apart, as a part of the size.
fn apart(a: &Motion, b: &Motion) -> f64 {
    assert_eq!(a.frames.len(), b.frames.len());
    let off =
        |(a, b): (&Vec<Vec3>, &Vec<Vec3>)| a.iter().zip(b).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
    a.frames.iter().zip(&b.frames).map(off).fold(0.0, f64::max) / a.size
}

/// Shots of one stretch: the partial keys of each become whole poses.
#[test]
fn whole_poses_at_the_keys_give_the_same_motion_again() {
    let top = [0.0, 0.5, 0.0];
    let mut cases: Vec<(&str, Vec<Handle>)> = vec![
        ("stretch", vec![each(When::Frame(25), "top", Goal::By([0.0, 0.4, 0.0]))]),
        ("tilt", vec![each(When::Frame(25), "top", turn(top, [0.0, 0.0, 1.0], 90.0))]),
        ("twist", vec![each(When::Frame(25), "top", turn(top, [0.0, 1.0, 0.0], 180.0))]),
    ];
    cases.push((
        "two times",
        vec![
            each(When::Between(12.5), "top", turn(top, [0.0, 0.0, 1.0], 30.0)),
            Handle::new(When::Frame(30), Site::CenterOfMass, Goal::Velocity([0.0, 1.0, 0.0])),
        ],
    ));
    for (name, handles) in cases {
        let mut place = Place::new("block");
        place.shot.edit.handles = handles;
        let before = place.solve();
        let keys = keys(&place);
        let times: Vec<f64> = keys.iter().map(|key| key.time).collect();
        assert_eq!(times, if name == "two times" { vec![12.5, 30.0] } else { vec![25.0] });
        place.shot.edit.handles.clear();
        place.shot.edit.poses = keys.iter().map(pose).collect();
        let again = place.solve();
        assert_eq!(again.report.status, Status::Settled, "{name}");
        assert!(apart(&before, &again) <= 1e-8, "{name}: {:e}", apart(&before, &again));
        let [a, b] = [before.report.energy, again.report.energy];
        assert!((a - b).abs() <= 1e-6 * a, "{name}: the same motion costs the same force, {a} and {b}");
        // The velocity is what comes anyway, and the shape is no accident.
        place.shot.edit.poses[0].velocity = None;
        assert!(apart(&before, &place.solve()) <= 1e-8 || keys.len() > 1, "{name}");
        place.shot.edit.poses.pop();
        assert!(apart(&before, &place.solve()) > 1e-3, "{name}");
    }
}

/// Without the warp, and with modes that were warped afterwards.
#[test]
fn whole_poses_fit_linear_motions_too() {
    for (warp, exact) in [(false, false), (true, false)] {
        let mut place = Place::new("block");
        (place.shot.edit.warp, place.shot.edit.exact) = (warp, exact);
        place.shot.edit.handles = vec![each(When::Frame(25), "top", turn([0.0; 3], [0.0, 0.0, 1.0], 40.0))];
        let before = place.solve();
        let keys = keys(&place);
        place.shot.edit.handles.clear();
        place.shot.edit.poses = keys.iter().map(pose).collect();
        assert!(
            apart(&before, &place.solve()) <= 1e-8,
            "{warp} {exact}: {:e}",
            apart(&before, &place.solve())
        );
    }
}

/// A chain: the key where it takes off, one in flight, one after it landed, while the shape of the flight still fades.
#[test]
fn whole_poses_in_segments_give_the_same_chain_again() {
    let mut place = jump();
    let at = |frames: f64| When::At(At::Frames(frames));
    let segments = &mut place.shot.edit.segments;
    segments[1].handles[0].when = at(7.0);
    let lean = Turn { about: [0.0, 0.5, 0.0], axis: [0.0, 0.0, 1.0], degrees: 20.0 };
    segments[2].handles = vec![each(at(5.5), "top", Goal::from(lean))];
    let before = place.solve();
    assert_eq!(before.report.status, Status::Settled, "{:?}", before.report);
    let keys = keys(&place);
    let told: Vec<_> = keys.iter().map(|key| (key.segment, key.at)).collect();
    assert_eq!(
        told,
        [
            (Some(1), Some(KeyAt::Word("end"))),
            (Some(2), Some(KeyAt::Frames(7.0))),
            (Some(3), Some(KeyAt::Frames(5.5)))
        ]
    );
    assert!(keys[2].time > 40.0 && keys[2].time.fract() != 0.0, "{}", keys[2].time);
    for (segment, key) in place.shot.edit.segments.iter_mut().zip(&keys) {
        segment.handles.clear();
        segment.poses = vec![pose(key)];
    }
    let again = place.solve();
    assert!(apart(&before, &again) <= 1e-8, "{:e}", apart(&before, &again));
}

/// A shape that was sculpted on the body at rest is that of the body wherever its segment stands.
#[test]
fn a_pose_in_a_segment_is_met() {
    let mut bent = Place::new("block");
    bent.shot.edit.handles = vec![each(When::Frame(25), "top", turn([0.0; 3], [0.0, 0.0, 1.0], 30.0))];
    let keys = keys(&bent);
    let shape = bent.solve().frames[24].clone();
    let asked = |at: f64| Pose { when: When::At(At::Frames(at)), ..Pose::of_file(0, &keys[0].pose) };
    for (segment, at) in [(0, 12.0), (2, 6.0), (2, 14.0)] {
        let mut place = jump();
        // Else it lands tilted, and keeps standing so.
        place.shot.edit.segments[1].handles[0].hold = Some(Hold::Soft(1e8));
        place.shot.edit.segments[segment].poses = vec![asked(at)];
        let motion = place.solve();
        let [starts, lost] = ["start", "lost_position"].map(|name| of_segments(&motion.report, name));
        // A rate at which a frame falls on that time: the first one stays the first.
        let options =
            SolveOptions { fps: Some(24.0 / (starts[segment] - 1.0 + at)), ..SolveOptions::default() };
        written(&place, "there.####.ply", &options).unwrap();
        let mut places = vec![[0.0; 3]; shape.len()];
        open_motion(place.folder.path().join("there.####.ply")).unwrap().read(1, &mut places).unwrap();
        let there: Vec<Vec3> = places.into_iter().map(Vec3::from).collect();
        // It stands upright, somewhere, turned about gravity: heights and distances are those of the shape.
        assert_eq!((place.center(&there) - place.center(&shape)).norm() > 0.1, segment == 2);
        let off = (0..shape.len()).flat_map(|v| {
            let apart = |of: &[Vec3], other: usize| (of[v] - of[other]).norm();
            let seen = [0, 7, shape.len() - 1].map(|other| apart(&shape, other) - apart(&there, other));
            seen.into_iter().chain([shape[v].y - there[v].y])
        });
        let off = off.map(f64::abs).fold(0.0, f64::max) / motion.size;
        let most = match (segment, at) {
            (0, _) => 1e-8,
            // While the shape that was brought along fades, its modes can only do their best.
            (_, 6.0) => lost[2],
            _ => 2e-3,
        };
        assert!(off <= most, "segment {segment}, {at}: {off:e}");
    }
    let mut place = jump();
    // Softly, and a part of it.
    place.shot.edit.segments[2].poses =
        vec![Pose { hold: Hold::Soft(1e4), group: Some("top".into()), ..asked(6.0) }];
    assert_eq!(place.solve().report.status, Status::Settled);
}

/// The seconds stay, whatever the rate; frames that both have are the same.
#[test]
fn frames_are_made_at_any_rate() {
    let mut place = Place::new("block");
    place.shot.edit.handles = vec![each(When::Frame(25), "top", Goal::By([0.0, 0.4, 0.0]))];
    place.shot.motion.start = Some(5);
    place.shot.edit.handles[0].when = When::Frame(29);
    place.shot.motion.seconds_per_frame = SecondsPerFrame::Seconds(0.01);
    let own = place.solve();
    let rate = |fps: f64, out: &str| {
        let options = SolveOptions { fps: Some(fps), ..SolveOptions::default() };
        written(&place, out, &options).unwrap()
    };
    let read = |out: &str, index: usize| {
        let mut places = vec![[0.0; 3]; own.frames[0].len()];
        open_motion(place.folder.path().join(out)).unwrap().read(index, &mut places).unwrap();
        places.into_iter().map(Vec3::from).collect::<Vec<_>>()
    };
    for (fps, frames) in [(24.0, 49), (48.0, 97), (23.976, 48), (10.0, 21), (0.4, 1)] {
        let out = format!("rate{fps}.####.ply");
        let answer = rate(fps, &out);
        assert_eq!((answer.fps, answer.frames, answer.start), (fps, frames, 5));
        assert!((answer.seconds_per_frame * fps - 0.24).abs() < 1e-12);
        assert_eq!((answer.handles[0].frame, answer.handles[0].time), (29, 29.0));
        assert_eq!(read(&out, 0), own.frames[0]);
    }
    for index in [1, 24, 48] {
        assert_eq!(read("rate48.####.ply", 2 * index), own.frames[index]);
    }
    let (a, b) = (read("rate48.####.ply", 47), &own.frames);
    let between = a.iter().zip(&b[23]).zip(&b[24]).map(|((x, a), b)| (x - (a + b) / 2.0).norm());
    assert!(between.fold(0.0, f64::max) < 0.01 * own.size);
    assert!(a.iter().zip(&b[23]).any(|(x, a)| (x - a).norm() > 1e-3 * own.size));
    // The file has the rate; a smooth edit that goes on from there has the time of the playback.
    let next = place.folder.path().join("next.toml");
    let options = SolveOptions { fps: Some(48.0), bake: Some(next.clone()), ..SolveOptions::default() };
    written(&place, "baked.glb", &options).unwrap();
    let baked = Shot::load(&next).unwrap().motion;
    assert_eq!((baked.fps, baked.frames, baked.start), (Some(48.0), Some(97), Some(5)));
    assert_eq!(baked.seconds_per_frame, SecondsPerFrame::Auto);
    let info =
        supple_project::info::info(&place.folder.path().join("baked.glb"), &Progress::silent()).unwrap();
    let supple_project::info::FileInfo::Scene(scene) = info.info else { panic!("a scene") };
    assert_eq!(scene.frames, 97);
    assert!(scene.fps.is_none_or(|fps| (fps - 48.0).abs() < 1e-3), "{:?}", scene.fps);
}

#[test]
fn wrong_rates_and_folders_are_named() {
    let mut place = Place::new("block");
    place.shot.edit.handles = vec![each(When::Frame(25), "top", Goal::By([0.0, 0.1, 0.0]))];
    let said = |place: &Place, out: &str, options: SolveOptions| {
        written(place, out, &options).unwrap_err().to_string()
    };
    let rate = |fps: f64| SolveOptions { fps: Some(fps), ..SolveOptions::default() };
    for (fps, got) in [(0.0, "0"), (-24.0, "-24"), (f64::NAN, "NaN"), (f64::INFINITY, "inf"), (1e30, "1e30")]
    {
        let expected = "--fps must be between 1e-6 and 1e9 frames per second, got ";
        let said = said(&place, "motion.pc2", rate(fps));
        assert!(said.starts_with(expected) && (got == "1e30" || said.ends_with(got)), "{said}");
    }
    assert_eq!(
        said(&place, "motion.pc2", rate(1e6)),
        "--fps 1000000 makes 2000001 frames, but at most 1000000 can be written; lower it"
    );
    let here = place.folder.path().to_path_buf();
    let folder = |name: &str| SolveOptions { write_keys: Some(here.join(name)), ..SolveOptions::default() };
    let taken = said(&place, "keys/key-#-pose.ply", folder("keys"));
    assert!(taken.contains("key-1-pose.ply would be a key and a frame of the motion"), "{taken}");
    std::fs::write(here.join("file"), "").unwrap();
    assert!(said(&place, "motion.pc2", folder("file")).contains("file"));
    // A key that the shot reads.
    let keys = keys(&place);
    place.shot.edit.handles.clear();
    place.shot.edit.poses = keys.iter().map(pose).collect();
    let over = said(&place, "motion.pc2", folder("new/keys"));
    assert!(
        over.contains("key-1-pose.ply would overwrite") && over.contains("choose another name"),
        "{over}"
    );

    place.shot.edit.choose(supple_project::shot::Method::Drag);
    place.shot.edit.poses.clear();
    for (options, option) in [(rate(48.0), "--fps"), (folder("keys"), "--write-keys")] {
        let expected = format!(
            "{}: {option} is for the methods \"sparse\" and \"control\", and this shot's method is \"drag\"; leave it out",
            here.join("keyed.toml").display()
        );
        assert_eq!(said(&place, "motion.pc2", options), expected);
    }
}
