//! Chains: crouch, flight, landing.

use super::{Place, each};
use supple_mesh::Vec3;
use supple_model::{Progress, Status};
use supple_project::method::{Findings, Live, Numerics, RealNumerics, Value};
use supple_project::shot::{
    Anchor, At, Flight, Goal, Handle, Land, Length, SecondsPerFrame, Segment, Site, When,
};
use supple_project::{Cache, Report};

pub const END: When = When::At(At::End);

/// A block that jumps.
pub fn jump() -> Place {
    let mut place = Place::new("block");
    place.shot.motion.frames = None;
    place.shot.motion.seconds_per_frame = SecondsPerFrame::Seconds(0.005);
    place.shot.edit.gravity = Some([0.0, -9.81, 0.0]);
    let ground = |frames: f64| Segment {
        anchors: Some(vec![Anchor::Group("base".into())]),
        ..Segment::new(Length::Frames(frames))
    };
    let mut crouch = ground(24.0);
    crouch.handles = vec![
        Handle::new(END, Site::CenterOfMass, Goal::Velocity([1.5, 3.0, 0.0])),
        Handle::new(END, Site::CenterOfMass, Goal::By([0.15, 0.1, 0.0])),
    ];
    let mut flight = Segment::new(Length::Flight(Flight { land: Land::Rest }));
    let key = each(END, "base", Goal::By([0.1, 0.0, 0.0]));
    flight.handles = vec![Handle { relative_to: Some(Site::CenterOfMass), ..key }];
    place.shot.edit.segments = vec![crouch, flight, ground(30.0)];
    place
}

/// A number of every segment.
pub fn of_segments(report: &Report, name: &str) -> Vec<f64> {
    let found = report.findings.iter().find(|finding| finding.key == "segments").unwrap();
    let Findings::Several(segments) = &found.found else { panic!("several") };
    let number = |quantity: &supple_project::method::Quantity| match quantity.value {
        Value::Number(number) => number,
        Value::Count(count) => count as f64,
        _ => panic!("a number"),
    };
    segments.iter().map(|one| number(one.iter().find(|q| q.name == name).unwrap())).collect()
}

#[test]
fn a_block_jumps() {
    let place = jump();
    let motion = place.solve();
    let report = &motion.report;
    assert_eq!(report.status, Status::Settled, "{report:?}");
    assert!(of_segments(report, "jump").iter().all(|jump| *jump <= 1e-6), "{report:?}");
    let (starts, frames) = (of_segments(report, "start"), of_segments(report, "frames"));
    assert_eq!((starts[0], frames[0], starts[1]), (1.0, 24.0, 25.0));
    // The last one was stretched to a whole frame.
    let end = starts[2] + frames[2];
    assert!((end - end.round()).abs() < 1e-9 && (30.0..31.0).contains(&frames[2]), "{frames:?}");
    assert_eq!(motion.frames.len(), end.round() as usize);
    let centers: Vec<Vec3> = motion.frames.iter().map(|frame| place.center(frame)).collect();
    // In flight the centre of mass falls.
    for k in 25..=starts[2].floor() as usize - 2 {
        let second = (centers[k + 1] - centers[k] * 2.0 + centers[k - 1]) * (24.0 * 24.0);
        assert!((second - Vec3::new(0.0, -9.81, 0.0)).norm() < 1e-6, "{k}: {second}");
    }
    // It dips before it takes off and after it lands.
    let height = centers[0].y;
    let low = |from: usize, to: usize| centers[from..to].iter().map(|c| c.y).fold(f64::INFINITY, f64::min);
    assert!(low(0, 24) < 0.97 * height && low(41, centers.len()) < 0.97 * height);
    // What is planted stays, and it ends at rest.
    let base = place.body().groups.get("base").unwrap().to_vec();
    let landed = starts[2].ceil() as usize - 1;
    for v in &base {
        let stays = |from: usize, to: usize| {
            let first = motion.frames[from][v.index()];
            motion.frames[from..to].iter().map(move |frame| (frame[v.index()] - first).norm())
        };
        assert!(stays(0, 25).chain(stays(landed, motion.frames.len())).all(|off| off <= 1e-9));
    }
    let [.., before, last] = motion.frames.as_slice() else { panic!("frames") };
    let still = before.iter().zip(last).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
    assert!(still <= 0.02 * motion.size, "{still}");
}

/// Without a fade the shape that the next segment cannot hold goes at once, and the report says by how much.
#[test]
fn what_a_segment_cannot_hold_fades() {
    let place = jump();
    let lost = of_segments(&place.solve().report, "lost_position");
    assert!(lost[1] > 1e-3, "{lost:?}");
    let spin = of_segments(&place.solve().report, "lost_spin");
    assert!(spin[0] == 0.0 && spin[1] > 0.0, "{spin:?}");
}

/// The window showed where a body stands at rest, and it jumped out of the picture.
#[test]
fn a_view_can_frame_all_of_a_jump() {
    let place = jump();
    let cache = Cache::in_folders([place.folder.path().join("cache")]);
    let mut opened: Option<Box<dyn Live>> = None;
    let silent = Progress::silent();
    RealNumerics::default().open(&place.shot, &cache, &silent, &mut |live| opened = Some(live)).unwrap();
    let mut live = opened.unwrap();
    live.ask(&place.shot.edit, &silent).unwrap();
    live.settle(&silent).unwrap();
    let far = |points: &[[f32; 3]]| points.iter().map(|p| p[0]).fold(f32::NEG_INFINITY, f32::max);
    let stage = live.stage().clone();
    assert!(
        far(&stage.way.outline) > far(&stage.rest) + 0.5,
        "{} {}",
        far(&stage.way.outline),
        far(&stage.rest)
    );
    assert_eq!(stage.clock.frames, place.solve().frames.len());
}
