//! Segments: each begins as the one before ends, on feet of its own.

use super::{Motion, Place, seconds};
use supple_mesh::Vec3;
use supple_model::{Progress, Status, VertexId};
use supple_project::method::{Live, Numerics, RealNumerics, Shove};
use supple_project::shot::{Anchor, At, Length, Pose, Segment, When};

/// Two steps along x: the left foot, then the right one.
fn walk() -> Place {
    let place = Place::stool(25);
    let lift = |share: f64| {
        move |x: &Vec3| {
            // One leg bends up and ahead; the beam gives a little.
            let leg = ((0.9 - x.y) / 0.6).clamp(0.0, 1.0);
            let left = ((0.8 - x.x) / 0.4).clamp(0.0, 1.0);
            x + Vec3::new(0.1, 0.03 * share, 0.0) * leg * left
        }
    };
    place.write("lifted.obj", lift(1.0));
    place.write("down.obj", lift(0.0));
    let last = |x: &Vec3| {
        let leg = ((0.9 - x.y) / 0.6).clamp(0.0, 1.0);
        x + Vec3::new(0.1, 0.0, 0.0) * leg
    };
    place.write("last.obj", last);
    let segment = |anchor: &str, poses: Vec<(At, &str)>| {
        let pose = |(at, file): (At, &str)| Pose { when: When::At(at), ..Pose::of_file(0, file) };
        Segment {
            anchors: Some(vec![Anchor::Group(anchor.into())]),
            poses: poses.into_iter().map(pose).collect(),
            ..Segment::new(Length::Frames(24.0))
        }
    };
    let place = place.with(|shot| {
        shot.motion.frames = None;
        seconds(shot, 0.02);
        shot.edit.segments = vec![
            segment("right-foot", vec![(At::Frames(12.0), "lifted.obj"), (At::End, "down.obj")]),
            segment("left-foot", vec![(At::End, "last.obj")]),
        ];
    });
    place.basis(|basis| {
        basis.modes = 6;
        basis.mode_anchors =
            Some(vec![Anchor::Group("left-foot".into()), Anchor::Group("right-foot".into())]);
    })
}

fn farthest(motion: &Motion, frames: std::ops::RangeInclusive<usize>, vertices: &[VertexId]) -> f64 {
    let begin = *frames.start();
    let off = |frame: usize| {
        let apart = |v: &VertexId| (motion.frames[frame][v.index()] - motion.frames[begin][v.index()]).norm();
        vertices.iter().map(apart).fold(0.0, f64::max)
    };
    frames.map(off).fold(0.0, f64::max)
}

#[test]
fn supporting_feet_stand_still_and_poses_are_met() {
    let place = walk();
    let motion = place.solve();
    assert_eq!(motion.report.status, Status::Settled, "{:?}", motion.report);
    assert_eq!(motion.frames.len(), 49);
    let body = place.body();
    let foot = |name: &str| body.groups.get(name).unwrap().to_vec();
    assert!(farthest(&motion, 0..=24, &foot("right-foot")) == 0.0);
    assert!(farthest(&motion, 24..=48, &foot("left-foot")) == 0.0);
    assert!(farthest(&motion, 0..=24, &foot("left-foot")) > 0.09);
    assert!(motion.each("poses", "relative_error").iter().all(|error| *error <= 0.01), "{:?}", motion.report);
    assert_eq!(place.inverted(&motion), 0);
    assert!(motion.report.number("volume", "change").unwrap().abs() <= 0.05);
    // Nothing jumps: steps from frame to frame are alike across the joint.
    let step = |frame: usize| farthest(&motion, frame..=frame + 1, &foot("top"));
    assert!(step(24) < 3.0 * step(23).max(1e-4), "{} {}", step(23), step(24));
}

/// What is changed in a later segment leaves the earlier ones as they are, to the bit, at any number of threads.
#[test]
fn the_same_bits_on_one_and_two_threads() {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let motion = walk().solve();
            (motion.frames, motion.report)
        })
    };
    assert!(on(1) == on(2));
}

/// A push near the end of one segment is brought back in the next one, whose shapes are others.
#[test]
fn a_push_goes_over_into_the_next_segment() {
    let place = walk();
    let (cache, silent) = (place.cache(), Progress::silent());
    let mut opened: Option<Box<dyn Live>> = None;
    RealNumerics::default().open(&place.shot, &cache, &silent, &mut |live| opened = Some(live)).unwrap();
    let mut live = opened.unwrap();
    live.ask(&place.shot.edit, &silent).unwrap();
    live.settle(&silent).unwrap();
    let top = place.body().groups.get("top").unwrap()[0].0;
    let shove = Shove { vertex: top, by: [0.1, 0.0, 0.0] };
    let off = |live: &mut dyn Live, frame: usize, shove: Option<&Shove>| {
        let (motion, pushed) = (live.points(frame), live.push(frame, shove).unwrap());
        let [a, b] = [motion, pushed].map(|points| Vec3::from(points.drawn[top as usize].map(f64::from)));
        (a - b).norm()
    };
    assert!(off(live.as_mut(), 21, None) < 1e-6);
    let pushed = off(live.as_mut(), 24, Some(&shove));
    assert!(pushed > 0.01, "{pushed}");
    let after = off(live.as_mut(), 25, None);
    assert!((0.2 * pushed..3.0 * pushed).contains(&after), "nothing jumps: {pushed} {after}");
    let end = off(live.as_mut(), 48, None);
    assert!(end < 0.2 * pushed, "{pushed} {end}");
}
