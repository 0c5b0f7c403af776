//! What cannot be made of keys is named, with a way out.

use super::chain::{END, jump};
use super::{Place, each};
use supple_model::Progress;
use supple_project::shot::{
    Anchor, At, Flight, Goal, Handle, Land, Length, Load, Pose, Push, Segment, Site, When,
};
use supple_project::{Cache, Shot, method};

/// What is said of the block that jumps, or of one with a key on its top, after a change.
fn said(place: Place, change: impl FnOnce(&mut Shot)) -> String {
    let mut place = place;
    change(&mut place.shot);
    place.try_solve().map(|_| ()).unwrap_err()
}

fn keyed() -> Place {
    let mut place = Place::new("block");
    place.shot.edit.handles = vec![each(When::Frame(25), "top", Goal::By([0.0, 0.1, 0.0]))];
    place
}

#[test]
fn groups_that_do_not_exist_are_named() {
    let wrong = said(jump(), |shot| {
        shot.edit.segments[2].anchors = Some(vec![Anchor::Group("bse".into())]);
    });
    assert!(wrong.starts_with("segment 3: the anchors: ") && wrong.contains("\"bse\""), "{wrong}");
    assert!(wrong.contains("base"), "{wrong}");
    let wrong = said(jump(), |shot| {
        shot.edit.segments[0].handles[1].site = Site::Group("tpo".into());
    });
    assert!(wrong.starts_with("handle 2: ") && wrong.contains("\"tpo\"") && wrong.contains("top"), "{wrong}");
}

#[test]
fn flights_that_never_land_say_how_high_they_get() {
    let land = |height| {
        said(jump(), |shot| {
            shot.edit.segments[1].length = Length::Flight(Flight { land: Land::Height(height) });
        })
    };
    let high = land(9.0);
    let expected = "segment 2: the flight never comes down to `land` = 9.0000: it starts with 3.0000 per second \
                    upwards and gets no higher than ";
    assert!(high.starts_with(expected), "{high}");
    let apex: f64 = high[expected.len()..].split(';').next().unwrap().parse().unwrap();
    assert!((1.0..2.0).contains(&apex), "{high}");
    assert!(high.ends_with("lower `land`, or ask for a faster take-off"), "{high}");
    let long = said(jump(), |shot| shot.edit.gravity = Some([0.0, -1e-9, 0.0]));
    assert!(
        long.starts_with("segment 2: the flight would take ") && long.contains("raise `gravity`"),
        "{long}"
    );
}

#[test]
fn times_outside_of_a_segment_are_named() {
    let late = said(jump(), |shot| shot.edit.segments[1].handles[0].when = When::At(At::Frames(60.0)));
    assert!(late.starts_with("handle 3: it is at 60 frames in, but the segment is 1"), "{late}");
    let given = said(jump(), |shot| shot.edit.segments[1].handles[0].when = When::At(At::Frames(0.0)));
    assert_eq!(
        given,
        "handle 3: it is at 0 frames in, where the motion is given; move it to another time, or free that end"
    );
    let between = said(keyed(), |shot| shot.edit.handles[0].when = When::Between(49.5));
    assert_eq!(between, "handle 1: it is at frame 49.5, but the motion has frames 1 to 49");
}

#[test]
fn a_pose_where_the_segment_before_ends_would_be_a_jump() {
    let place = jump();
    let file = place.folder.path().join("key.obj");
    let text: String =
        place.body().positions().iter().map(|p| format!("v {} {} {}\n", p.x, p.y, p.z)).collect();
    std::fs::write(&file, text + "f 1 2 3\n").unwrap();
    let asked = |at: At| Pose { when: When::At(at), ..Pose::of_file(0, &file) };
    let given = said(place, |shot| shot.edit.segments[2].poses = vec![asked(At::Frames(0.0))]);
    assert!(given.starts_with("pose 1: it is at 0 frames in, where the motion is given"), "{given}");
    let late = said(jump(), |shot| shot.edit.segments[1].poses = vec![asked(At::Frames(1e3))]);
    assert!(late.starts_with("pose 1: "), "{late}");
}

#[test]
fn a_pose_of_another_size_is_named() {
    let place = keyed();
    let file = place.folder.path().join("few.obj");
    std::fs::write(&file, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    let count = place.body().positions().len();
    let of = |asked: Pose| {
        said(keyed(), |shot| {
            shot.edit.handles.clear();
            shot.edit.poses = vec![asked];
        })
    };
    let small = of(Pose::of_file(25, &file));
    assert!(
        small.starts_with(&format!("pose 1: {}: 3 vertices, but the body has {count}", file.display())),
        "{small}"
    );
    let gone = of(Pose::of_file(25, "gone.obj"));
    assert!(gone.starts_with("pose 1: ") && gone.contains("gone.obj"), "{gone}");
}

#[test]
fn more_than_the_modes_can_hold_is_named() {
    let wrong = said(keyed(), |shot| {
        shot.edit.modes = 4;
        let top = |by| Handle::new(When::Frame(25), Site::Group("top".into()), Goal::By(by));
        let center = Handle::new(When::Frame(25), Site::CenterOfMass, Goal::By([0.0; 3]));
        shot.edit.handles = vec![top([0.0, 0.1, 0.0]), center];
    });
    assert_eq!(
        wrong,
        "handle 2: 6 numbers are to hold exactly at frame 25, but there are 4 modes; raise `modes`, or give \
         handles there a number as `hold`"
    );
    let wrong = said(keyed(), |shot| shot.edit.modes = 1_000_000);
    assert!(wrong.contains("modes") && wrong.contains("lower `modes`"), "{wrong}");
}

#[test]
fn loads_that_change_in_time_are_named() {
    let load = |push, frames| Load { site: Site::Group("top".into()), push, frames, stage: None };
    let track = said(keyed(), |shot| shot.loads = vec![load(Push::Track("wind.csv".into()), None)]);
    assert_eq!(track, "load 1: the method \"sparse\" takes constant forces; remove its `track`");
    let some = said(keyed(), |shot| shot.loads = vec![load(Push::Force([0.0, 1.0, 0.0]), Some(3..=4))]);
    assert_eq!(some, "load 1: the method \"sparse\" takes constant forces; remove its `frames`");
    let mut site = load(Push::Force([0.0, 1.0, 0.0]), None);
    site.site = Site::Group("tpo".into());
    let site = said(keyed(), |shot| shot.loads = vec![site]);
    assert!(site.starts_with("load 1: ") && site.contains("\"tpo\""), "{site}");
}

#[test]
fn a_segment_that_holds_everything_is_named() {
    let wrong = said(jump(), |shot| {
        let all = Anchor::Box { min: [-9.0; 3], max: [9.0; 3] };
        shot.edit.segments.push(Segment { anchors: Some(vec![all]), ..Segment::new(Length::Frames(9.0)) });
    });
    assert_eq!(wrong, "segment 4: its anchors hold the whole body; leave some of it free");
}

#[test]
fn nothing_holds_the_centre_of_mass_in_flight() {
    let wrong = said(jump(), |shot| {
        shot.edit.segments[1].handles = vec![Handle::new(END, Site::CenterOfMass, Goal::Velocity([0.0; 3]))];
    });
    assert!(wrong.starts_with("handle 3: the centre of mass falls freely in a flight"), "{wrong}");
}

#[test]
fn motions_without_end_are_named() {
    let long = said(keyed(), |shot| shot.motion.frames = Some(1_000_000_000_000));
    assert_eq!(
        long,
        "the motion is 1000000000000 frames long, but the method \"sparse\" makes at most 100001; lower `frames` \
         in [motion]"
    );
    let long = said(jump(), |shot| shot.edit.segments[2].length = Length::Frames(1e300));
    assert!(long.starts_with("segment 3 is 1000000") && long.ends_with("lower `frames`"), "{long}");
    let mut place = jump();
    place.shot.edit.segments[2].length = Length::Frames(1e300);
    let file = place.folder.path().join("long.toml");
    place.shot.save(&file).unwrap();
    let told = supple_project::info::info(&file, &Progress::silent()).unwrap();
    assert!(
        matches!(told.info, supple_project::info::FileInfo::Shot(shot) if shot.frames == Some(usize::MAX))
    );
}

/// A part between two given ends used to need two whole frames.
#[test]
fn short_motions_are_motions() {
    for frames in [1, 2, 3] {
        let mut place = keyed();
        place.shot.motion.frames = Some(frames);
        place.shot.edit.handles.clear();
        assert_eq!(place.solve().frames.len(), frames);
    }
    let mut place = keyed();
    place.shot.motion.frames = Some(2);
    place.shot.edit.handles[0].when = When::Between(1.5);
    let report = place.solve().report;
    assert!(report.handles[0].rms < 0.1 * report.handles[0].asked, "{report:?}");
    let mut place = jump();
    place.shot.edit.segments = vec![Segment::new(Length::Frames(0.3)), Segment::new(Length::Frames(0.001))];
    assert_eq!(place.solve().frames.len(), 2);
}

#[test]
fn what_has_no_effect_is_noted_and_what_is_given_is_named() {
    let mut place = keyed();
    place.shot.edit.weight = Some(true);
    let cache = Cache::in_folders([place.folder.path().join("cache")]);
    let notes = |place: &Place| {
        let opened = method::open(&place.shot, place.body(), &cache, &Progress::silent()).unwrap();
        opened.about().notes.to_vec()
    };
    assert_eq!(notes(&place), ["`weight` has no effect without `gravity` in [edit]"]);
    place.shot.edit.gravity = Some([0.0, -9.81, 0.0]);
    assert!(notes(&place).is_empty());
    let outside = said(keyed(), |shot| shot.edit.window = Some(30..=40));
    assert_eq!(outside, "handle 1: frame 25 is outside `window = [30, 40]`");
}
