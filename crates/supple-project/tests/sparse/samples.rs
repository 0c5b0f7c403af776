//! The built-in motions of keys: they settle, nothing jumps where segments meet, what is planted stays, flights fall.
//! (Those that take seconds are in the bench: the Buddha, and the
//! cactus with all of its modes.)

use super::chain::of_segments;
use super::{Motion, Place};
use supple_mesh::Vec3;
use supple_model::{Status, VertexId};
use supple_project::shot::{Anchor, Length, Segment};

fn group(place: &Place, name: &str) -> Vec<VertexId> {
    place.body().groups.get(name).unwrap().to_vec()
}

/// What a segment holds; none in flight.
fn held(place: &Place, segment: &Segment) -> Vec<VertexId> {
    match (&segment.length, segment.anchors.as_deref()) {
        (Length::Flight(_), _) => Vec::new(),
        (_, Some([Anchor::Group(name)])) => group(place, name),
        _ => panic!("one group"),
    }
}

/// Frames of each segment, first and last whole ones.
fn frames(motion: &Motion) -> Vec<(usize, usize)> {
    let (starts, lengths) = (of_segments(&motion.report, "start"), of_segments(&motion.report, "frames"));
    let of = |(start, length): (&f64, &f64)| {
        let (from, to) = (start - 1.0, start - 1.0 + length);
        ((from - 1e-9).ceil() as usize, (to + 1e-9).floor() as usize)
    };
    starts.iter().zip(&lengths).map(of).collect()
}

/// Where vertices are lowest over some frames, as a part of the size.
fn lowest(motion: &Motion, vertices: &[VertexId]) -> f64 {
    let heights = motion.frames.iter().flat_map(|frame| vertices.iter().map(|v| frame[v.index()].y));
    heights.fold(f64::INFINITY, f64::min) / motion.size
}

/// What holds of every chain, with as many modes as the sample has.
fn check(name: &str, soles: &[&str]) -> (Place, Motion) {
    check_place(name, Place::as_written(name), soles)
}

fn check_place(name: &str, place: Place, soles: &[&str]) -> (Place, Motion) {
    let motion = place.solve();
    let report = &motion.report;
    assert_eq!(report.status, Status::Settled, "{name}: {report:?}");
    let jumps = of_segments(report, "jump");
    assert!(jumps.iter().all(|jump| *jump <= 1e-6), "{name}: {jumps:?}");
    for (segment, (from, to)) in place.shot.edit.segments.iter().zip(frames(&motion)) {
        for v in held(&place, segment) {
            let stood = motion.frames[from][v.index()];
            let off = (from..=to).map(|k| (motion.frames[k][v.index()] - stood).norm()).fold(0.0, f64::max);
            assert!(off <= 1e-9, "{name}, vertex {v:?}, frames {from} to {to}: {off}");
        }
        if matches!(segment.length, Length::Flight(_)) {
            let centers: Vec<Vec3> = (from..=to).map(|k| place.center(&motion.frames[k])).collect();
            for three in centers.windows(3) {
                let second = (three[2] - three[1] * 2.0 + three[0]) * (24.0 * 24.0);
                assert!((second - Vec3::new(0.0, -9.81, 0.0)).norm() < 1e-6, "{name}: {second}");
            }
        }
    }
    for sole in soles {
        let depth = lowest(&motion, &group(&place, sole));
        assert!(depth >= -0.01, "{name}: {sole} {depth}");
    }
    (place, motion)
}

/// The centre of mass dips before it takes off and after it lands, by 3 % of the height at least.
fn check_dips(name: &str, (place, motion): &(Place, Motion)) {
    let centers: Vec<f64> = motion.frames.iter().map(|frame| place.center(frame).y).collect();
    let height = place.body().positions().iter().map(|x| x.y).fold(0.0, f64::max);
    for (segment, (from, to)) in place.shot.edit.segments.iter().zip(frames(motion)) {
        if matches!(segment.length, Length::Frames(_)) {
            let low = centers[from..=to].iter().copied().fold(f64::INFINITY, f64::min);
            assert!(low <= centers[0] - 0.03 * height, "{name}, frames {from} to {to}: {low} {}", centers[0]);
        }
    }
}

#[test]
fn the_x_walks() {
    let (place, motion) = check("x-walk", &["left-foot", "right-foot"]);
    assert_eq!(place.shot.edit.segments.len(), 5);
    let (first, last) = (place.center(&motion.frames[0]), place.center(motion.frames.last().unwrap()));
    assert!((last - first).z > 0.8, "{first} {last}");
}

#[test]
fn the_x_turns_a_handspring() {
    let (place, motion) = check("x-handspring", &["feet", "hands"]);
    // On its hands in the middle, and upright again, further on, at the end.
    let mean = |frame: &[Vec3], name: &str| {
        let members = group(&place, name);
        members.iter().map(|v| frame[v.index()]).sum::<Vec3>() / members.len() as f64
    };
    let middle = &motion.frames[60];
    assert!(mean(middle, "feet").y > 1.0 && mean(middle, "hands").y.abs() < 0.02);
    let last = motion.frames.last().unwrap();
    assert!(mean(last, "hands").y > 1.7 && mean(last, "feet").x > 2.0, "{}", mean(last, "feet"));
}

#[test]
fn the_x_jumps() {
    check_dips("x-jump", &check("x-jump", &["feet"]));
}

#[test]
fn the_cactus_jumps() {
    let mut few = Place::as_written("cactus-jump");
    few.shot.edit.modes = 30;
    let (place, motion) = check_place("cactus-jump", few, &["foot"]);
    let (first, last) = (place.center(&motion.frames[0]), place.center(motion.frames.last().unwrap()));
    assert!((first - last).xz().norm() < 0.1, "upwards: {first} {last}");
    check_dips("cactus-jump", &(place, motion));
}

#[test]
fn the_cactus_jumps_three_times() {
    // As written it is in the bench.
    let mut few = Place::as_written("cactus-triple-jump");
    few.shot.edit.modes = 30;
    let (place, motion) = check_place("cactus-triple-jump", few, &["foot"]);
    let flights = place.shot.edit.segments.iter().filter(|s| matches!(s.length, Length::Flight(_))).count();
    assert_eq!((flights, place.shot.edit.segments.len()), (3, 7));
    check_dips("cactus-triple-jump", &(place, motion));
}

#[test]
fn the_blocks_settle() {
    for (name, most) in [("block-stretch", 0.03), ("block-tilt", 0.01), ("block-twist", 0.03)] {
        let motion = Place::as_written(name).solve();
        assert_eq!(motion.report.status, Status::Settled, "{name}: {:?}", motion.report);
        let key = &motion.report.handles[0];
        assert!(key.rms <= most * key.asked, "{name}: {} of {}", key.rms, key.asked);
    }
}
