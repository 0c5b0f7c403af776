//! Segments are changed, and what comes of it can be saved and read again.

use super::*;
use supple_model::{Clock, Frame, VertexId};
use supple_project::Shot;
use supple_project::shot::{
    At, Body, BodyKind, End, Ends, Flight, Goal, Handle, Hold, Land, Length, Method, Move, Pose, Segment,
    Site, Sparse, SparseSolver, Together, Turn, When,
};

const CLOCK: Clock = Clock { start: Frame(101), frames: 49, fps: 24.0 };
const FLIGHT: Length = Length::Flight(Flight { land: Land::Rest });

/// A shot of the method `sparse` with a key at 113.
fn shot() -> Shot {
    let mut shot = Shot::new(std::path::Path::new("/p"), Body::new(BodyKind::Solid, "a.msh")).unwrap();
    shot.edit.method = Method::Sparse;
    (shot.motion.start, shot.motion.frames) = (Some(101), Some(49));
    shot.edit.handles = vec![handle(When::Frame(113), 1.0)];
    shot
}

fn handle(when: When, x: f64) -> Handle {
    Handle::new(when, Site::CenterOfMass, Goal::By([x, 0.0, 0.0]))
}

fn at(frames: f64) -> When {
    When::At(At::Frames(frames))
}

/// A shot of some segments.
fn chain(lengths: &[Length]) -> Shot {
    let mut shot = shot();
    shot.edit.handles.clear();
    shot.motion.frames = None;
    shot.edit.gravity = Some(EARTH);
    shot.edit.segments = lengths.iter().map(|length| Segment::new(*length)).collect();
    shot
}

/// Fails if a shot cannot be saved and read again as it is.
fn is_sound(shot: &Shot) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shot.toml");
    let mut shot = shot.moved(&path, |_| None).unwrap();
    shot.save(&path).unwrap();
    let read = Shot::load(&path).unwrap_or_else(|error| panic!("{error}\n{:#?}", shot.edit));
    assert_eq!(read.edit, shot.edit);
    assert_eq!(read.motion, shot.motion);
}

fn whens(segment: &Segment) -> Vec<When> {
    segment.handles.iter().map(|handle| handle.when.clone()).collect()
}

#[test]
fn a_motion_becomes_a_segment_and_back() {
    let mut shot = shot();
    shot.edit.handles.push(handle(When::Between(120.5), 2.0));
    shot.edit.handles.push(handle(When::Frame(149), 3.0));
    shot.edit.ends = Ends::Apart { start: None, end: Some(End::Free) };
    let before = shot.clone();
    assert_eq!(begin_segments(&mut shot, CLOCK), [""; 0]);
    let [segment] = shot.edit.segments.as_slice() else { panic!("one") };
    assert_eq!((segment.length, segment.end), (Length::Frames(48.0), Some(End::Free)));
    assert_eq!(whens(segment), [at(12.0), at(19.5), When::At(At::End)]);
    is_sound(&shot);
    assert_eq!(begin_segments(&mut shot, CLOCK), [""; 0], "there are segments already");
    assert_eq!(shot.edit.segments.len(), 1);
    delete_segment(&mut shot, 0, CLOCK).unwrap();
    assert_eq!((&shot.edit, &shot.motion), (&before.edit, &before.motion));
}

#[test]
fn what_segments_do_not_have_is_said() {
    let mut shot = shot();
    shot.edit.handles = vec![handle(When::Frames(110..=120), 1.0)];
    shot.edit.poses = vec![Pose { when: When::Frame(125), ..Pose::of_file(1, "a.obj") }];
    (shot.edit.ends, shot.edit.window) = (Ends::Loop, Some(105..=140));
    let dropped = begin_segments(&mut shot, CLOCK);
    assert_eq!(dropped, ["frame range", "loop", "frames after the first of handles and poses"]);
    assert_eq!(whens(&shot.edit.segments[0]), [at(9.0)]);
    assert_eq!(shot.edit.segments[0].poses[0].when, at(24.0));
    is_sound(&shot);
}

#[test]
fn segments_are_added_behind_one_or_all() {
    let mut shot = chain(&[Length::Frames(24.0), Length::Frames(30.0)]);
    shot.edit.gravity = None;
    assert_eq!(add_segment(&mut shot, Some(0), FLIGHT), Ok(1));
    assert_eq!(shot.edit.gravity, Some(EARTH), "nothing flies without");
    assert_eq!(add_segment(&mut shot, None, Length::Frames(12.0)), Ok(3));
    is_sound(&shot);
    let before = shot.clone();
    for after in [0, 1] {
        assert_eq!(add_segment(&mut shot, Some(after), FLIGHT), Err(SegmentError::FlightAfterFlight));
    }
    assert_eq!(shot, before);
    let mut empty = chain(&[]);
    assert_eq!(add_segment(&mut empty, None, FLIGHT), Err(SegmentError::FlightFirst));
    assert!(empty.edit.segments.is_empty());
}

#[test]
fn keys_stay_at_their_times_when_a_segment_is_split() {
    let mut shot = chain(&[Length::Frames(24.0)]);
    let segment = &mut shot.edit.segments[0];
    (segment.end, segment.modes) = (Some(End::Clamped), Some(12));
    segment.handles = [at(3.0), at(10.0), at(17.5), When::At(At::End)].map(|when| handle(when, 1.0)).into();
    segment.poses = vec![Pose { when: at(11.0), ..Pose::of_file(1, "a.obj") }];
    assert_eq!(split_segment(&mut shot, 0, 10.0), Ok(1));
    let [first, second] = shot.edit.segments.as_slice() else { panic!("two") };
    assert_eq!((first.length, second.length), (Length::Frames(10.0), Length::Frames(14.0)));
    assert_eq!((first.end, second.end), (None, Some(End::Clamped)), "the motion ends as it did");
    assert_eq!((first.modes, second.modes), (Some(12), Some(12)));
    assert_eq!(whens(first), [at(3.0), When::At(At::End)], "a key at the cut ends what is before");
    assert_eq!(whens(second), [at(7.5), When::At(At::End)]);
    assert_eq!((first.poses.len(), &second.poses[0].when), (0, &at(1.0)));
    is_sound(&shot);
}

#[test]
fn neither_flights_nor_edges_are_split() {
    let mut shot = chain(&[Length::Frames(24.0), FLIGHT, Length::Frames(30.0)]);
    let before = shot.clone();
    assert_eq!(split_segment(&mut shot, 1, 5.0), Err(SegmentError::SplitFlight));
    for frames in [0.0, 24.0, 25.0, -1.0, f64::NAN] {
        assert_eq!(split_segment(&mut shot, 0, frames), Err(SegmentError::SplitAtEdge), "{frames}");
    }
    assert_eq!(split_segment(&mut shot, 3, 5.0), Err(SegmentError::NoSegment));
    assert_eq!(shot, before);
}

#[test]
fn a_flight_keeps_its_take_off() {
    let ground = Length::Frames(24.0);
    let mut shot = chain(&[ground, FLIGHT, ground, FLIGHT, ground]);
    let before = shot.clone();
    assert_eq!(delete_segment(&mut shot, 0, CLOCK), Err(SegmentError::FlightFirst));
    assert_eq!(delete_segment(&mut shot, 2, CLOCK), Err(SegmentError::FlightAfterFlight));
    assert_eq!(delete_segment(&mut shot, 9, CLOCK), Err(SegmentError::NoSegment));
    assert_eq!(shot, before);
    assert_eq!(delete_segment(&mut shot, 1, CLOCK), Ok(()));
    assert_eq!(delete_segment(&mut shot, 3, CLOCK), Ok(()), "a flight may come last");
    is_sound(&shot);
}

#[test]
fn a_segment_is_never_shorter_than_its_keys() {
    let mut shot = chain(&[Length::Frames(24.0), FLIGHT]);
    shot.edit.add_handle(Some(0), handle(at(7.5), 1.0));
    let length = |shot: &Shot| shot.edit.segments[0].length;
    resize_segment(&mut shot, 0, 30.0);
    assert_eq!(length(&shot), Length::Frames(30.0));
    resize_segment(&mut shot, 0, 2.0);
    assert_eq!(length(&shot), Length::Frames(7.5));
    shot.edit.remove_handle(0);
    resize_segment(&mut shot, 0, -3.0);
    assert_eq!(length(&shot), Length::Frames(1.0));
    resize_segment(&mut shot, 0, f64::NAN);
    resize_segment(&mut shot, 1, 9.0);
    resize_segment(&mut shot, 7, 9.0);
    assert_eq!((length(&shot), shot.edit.segments[1].length), (Length::Frames(1.0), FLIGHT));
    is_sound(&shot);
}

#[test]
fn segments_take_off_and_come_down_again() {
    let mut shot = chain(&[Length::Frames(24.0), Length::Frames(30.0), FLIGHT]);
    (shot.edit.gravity, shot.edit.segments[1].end) = (None, Some(End::Free));
    let low = Flight { land: Land::Height(0.5) };
    assert_eq!(set_flight(&mut shot, 0, Some(low), 0.0), Err(SegmentError::FlightFirst));
    assert_eq!(set_flight(&mut shot, 1, Some(low), 0.0), Err(SegmentError::FlightAfterFlight));
    assert_eq!(shot.edit.segments[1].end, Some(End::Free), "as it was");
    shot.edit.add_handle(Some(2), handle(at(20.0), 1.0));
    set_flight(&mut shot, 2, None, 18.3).unwrap();
    assert_eq!(shot.edit.segments[2].length, Length::Frames(20.0), "its key stays in it");
    set_flight(&mut shot, 1, Some(low), 0.0).unwrap();
    assert_eq!((shot.edit.segments[1].end, shot.edit.gravity), (None, Some(EARTH)));
    is_sound(&shot);
    set_flight(&mut shot, 1, None, 18.3).unwrap();
    assert_eq!(shot.edit.segments[1].length, Length::Frames(18.0));
    is_sound(&shot);
}

#[test]
fn another_method_drops_what_it_does_not_use_in_words() {
    let mut shot = shot();
    begin_segments(&mut shot, CLOCK);
    shot.edit.gravity = Some(EARTH);
    let turn = Turn { about: [0.0; 3], axis: [0.0, 1.0, 0.0], degrees: 90.0 };
    let mut key = handle(at(20.5), 1.0);
    key.site = Site::Vertices(vec![VertexId(1), VertexId(2)]);
    key.goal = Goal::Turn { turn, then: Some(Move::By([0.0, 1.0, 0.0])) };
    shot.edit.add_handle(Some(0), key);
    let dropped = choose_method(&mut shot, Method::Drag, CLOCK);
    assert_eq!(
        dropped,
        ["gravity", "times between frames (now at the nearest frame)", "offsets of rotated handles"]
    );
    assert_eq!((shot.edit.handles.len(), shot.motion.frames), (2, Some(49)), "keys and length stay");
    is_sound(&shot);
    let mut many = chain(&[Length::Frames(24.0), Length::Frames(24.0)]);
    assert_eq!(choose_method(&mut many, Method::Drag, CLOCK), ["gravity", "segments and their handles"]);
    assert_eq!((many.edit.segments.len(), many.motion.frames), (0, Some(49)));
    is_sound(&many);
    let mut firm = shot;
    firm.edit.handles[0].points = Some(Together::Each);
    firm.edit.handles[0].hold = Some(Hold::Hard);
    assert_eq!(choose_method(&mut firm, Method::Sparse, CLOCK), ["hard hold on every vertex (now soft)"]);
    is_sound(&firm);
}

/// What another method keeps there is not read: a shot was saved that nothing could open.
#[test]
fn settings_that_cannot_be_read_go_with_the_choice() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shot.toml");
    let text = "[body]\nkind = \"solid\"\nmesh = \"a.msh\"\n\n[edit.sparse]\nfade = \"never\"\n";
    std::fs::write(&path, text).unwrap();
    let mut shot = Shot::load(&path).unwrap();
    assert_eq!(choose_method(&mut shot, Method::Sparse, CLOCK), ["solver settings, which cannot be read"]);
    is_sound(&shot);
}

#[test]
fn settings_of_the_solver_are_kept() {
    let mut shot = shot();
    let fast = Sparse { solver: SparseSolver::GaussNewton, fade: 7.5 };
    shot.edit.set_sparse_settings(fast).unwrap();
    is_sound(&shot);
    assert_eq!(shot.edit.sparse_settings().unwrap(), fast);
    shot.edit.set_sparse_settings(Sparse::default()).unwrap();
    assert_eq!(shot.edit.sparse, None, "the default needs no words");
}

#[test]
fn every_key_that_may_be_dropped_has_words() {
    for key in ["part", "warp", "exact", "pose", "segment", "frame", "hold", "turn"] {
        assert!(in_words(key) != key, "{key}");
    }
}
