//! Segments and turned parts on their way to the solver: nothing is opened again for them, and the frames are theirs.

use crate::fake::{Fake, Stand, until, wanted};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use supple_model::VertexId;
use supple_project::Sample;
use supple_project::shot::{At, Flight, Goal, Handle, Input, Length, Method, Segment, Site, Turn, When};
use supple_session::{
    Document, HandleState, Home, Solver, Timeline, Wanted, handle_list, resize_segment, split_segment,
};

fn document(folder: &Path) -> Document {
    let home = Home::in_folder(folder);
    let mut document = Document::sample(Sample::named("block").unwrap(), &home).unwrap();
    document.change("Use segments", |shot| {
        shot.edit.choose(Method::Sparse);
        shot.edit.handles.clear();
        (shot.motion.input, shot.motion.frames) = (Input::Rest, None);
        shot.edit.gravity = Some([0.0, -9.81, 0.0]);
        let flight = Length::Flight(Flight::default());
        shot.edit.segments = [Length::Frames(4.0), flight, Length::Frames(2.0)].map(Segment::new).into();
        shot.edit.segments[2].handles = vec![part(Goal::By([0.0; 3])), part(Goal::By([900.0, 0.0, 0.0]))];
    });
    document
}

fn part(goal: Goal) -> Handle {
    Handle::new(When::At(At::End), Site::Vertices(vec![VertexId(1), VertexId(2)]), goal)
}

fn turn(degrees: f64) -> Goal {
    Turn { about: [0.0; 3], axis: [0.0, 1.0, 0.0], degrees }.into()
}

#[test]
fn segments_are_asked_for_without_opening_again_and_bring_their_frames() {
    let folder = tempfile::tempdir().unwrap();
    let (fake, mut document) = (Arc::new(Fake::default()), document(folder.path()));
    let solver = Solver::new(Arc::new(Stand(fake.clone())), || {});
    let settled = |document: &Document, frames: usize| {
        solver.want(Wanted { playing: None, ..wanted(document, None) });
        until(&solver, "the frames", |answer| {
            answer.is_current(document.generation())
                && answer.stage.as_ref().is_some_and(|stage| stage.clock.frames == frames)
        })
    };
    let answer = settled(&document, 10);
    let timeline = Timeline::of(document.shot(), answer.stage.as_ref().unwrap());
    let starts: Vec<f64> = timeline.segments.iter().map(|segment| segment.times[0]).collect();
    assert_eq!((starts, timeline.clock.frames), (vec![1.0, 5.0, 8.0], 10), "the flight as it was found");
    assert_eq!(timeline.handles[0].frames, 10..=10);
    assert_eq!((timeline.handles[0].segment, timeline.segments[1].flies), (Some(2), true));
    document.change("Resize segment", |shot| resize_segment(shot, 0, 6.0));
    settled(&document, 12);
    document.change("Split segment", |shot| {
        split_segment(shot, 0, 2.0).unwrap();
    });
    let answer = settled(&document, 12);
    assert_eq!((fake.count("open"), fake.count("segments [2, 4, 3, 2]")), (1, 1), "{:?}", fake.log);
    let rows = handle_list(document.shot(), document.generation(), &answer);
    assert_eq!(rows[0].title, "2 vertices · segment 4, the end");
    assert!(matches!(&rows[1].state, HandleState::Wrong(why) if why == "too far"), "{rows:?}");
}

#[test]
fn a_turn_in_the_hand_is_followed_where_the_method_can() {
    let folder = tempfile::tempdir().unwrap();
    let (fake, mut document) = (Arc::new(Fake::default()), document(folder.path()));
    fake.retargets.store(true, Ordering::Relaxed);
    let solver = Solver::new(Arc::new(Stand(fake.clone())), || {});
    document.change("Delete handle", |shot| {
        shot.edit.remove_handle(1);
    });
    solver.want(Wanted { playing: None, ..wanted(&document, None) });
    until(&solver, "open", |answer| answer.is_current(document.generation()));
    let steps = |document: &mut Document, degrees: f64| {
        document.update_gesture(|shot| shot.edit.handle_mut(0).unwrap().goal = turn(degrees));
        solver.want(Wanted { playing: None, ..wanted(document, Some(0)) });
        let now = document.generation();
        until(&solver, "a step", |answer| answer.step.is_some_and(|step| step.generation == now));
    };
    document.begin_gesture("Rotate");
    steps(&mut document, 10.0);
    steps(&mut document, 20.0);
    assert_eq!((fake.count("grab 0"), fake.count("turn 10"), fake.count("turn 20")), (1, 1, 1));
    document.commit_gesture();
    fake.retargets.store(false, Ordering::Relaxed);
    let settled = fake.count("settle");
    document.begin_gesture("Rotate");
    document.update_gesture(|shot| shot.edit.handle_mut(0).unwrap().goal = turn(30.0));
    solver.want(Wanted { playing: None, ..wanted(&document, Some(0)) });
    until(&solver, "the edit", |answer| answer.is_current(document.generation()));
    assert_eq!((fake.count("turn 30"), fake.count("settle")), (0, settled + 1), "elsewhere it is found anew");
}
