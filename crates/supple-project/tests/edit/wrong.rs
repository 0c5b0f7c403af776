//! What cannot be edited is named, and nothing changes.

use super::bodies::{FPS, FRAMES, Kind, START, Scene, frames, pull, release, tip};
use std::fs;
use supple_formats::{MotionSettings, create_motion};
use supple_model::{Frame, VertexId};
use supple_project::HandleKey;
use supple_project::shot::{
    Axes, End, Ends, Goal, Handle, Hold, Input, Method, Pose, Shot, Site, Turn, When,
};

const FRAME: i32 = START + 16;
const BY: [f64; 3] = [-0.1, 0.3, 0.2];

fn refused(scene: &Scene, spoil: impl FnOnce(&mut Shot)) -> String {
    let mut shot = scene.shot.clone();
    spoil(&mut shot);
    let body = supple_project::Body::load(&shot).unwrap().into();
    let progress = supple_model::Progress::silent();
    let opened = supple_project::method::open(&shot, body, &scene.cache(), &progress);
    opened.map(|_| ()).unwrap_err().to_string()
}

/// A handle on the tip of the solid.
fn good() -> Handle {
    let scene = Scene::at_rest(Kind::Solid);
    pull(FRAME, tip(&scene.input()), Goal::By(BY))
}

#[test]
fn what_a_shot_asks_for_in_vain_is_named() {
    let scene = Scene::new(Kind::Solid);
    let ends = |start, end| Ends::Apart { start, end };
    type Spoil<'a> = &'a dyn Fn(&mut Shot);
    let cases: [(Spoil<'_>, &str); 12] = [
        (
            &|s| s.edit.method = Method::Character,
            "this version cannot solve `method = \"character\"`; write `method = \"drag\"` in [edit]",
        ),
        (
            &|s| s.edit.poses = vec![Pose::of_file(FRAME, "pose.obj")],
            "`method = \"drag\"` does not use `[[edit.pose]]`; use handles, or another method",
        ),
        (
            &|s| s.edit.modes = 163,
            "163 modes requested, but the body has only 162 degrees of freedom; lower `modes` in [edit]",
        ),
        (
            &|s| s.edit.part = Some("left".into()),
            "nothing can move in `part = \"left\"`: all of its vertices are anchored",
        ),
        (
            &|s| s.edit.part = Some("rihgt".into()),
            "there is no group \"rihgt\"; there are left, outer, right",
        ),
        (
            &|s| s.edit.window = Some(1..=20),
            "`window = [1, 20]` goes beyond the motion, which has frames 5 to 40",
        ),
        (
            &|s| s.edit.window = Some(20..=41),
            "`window = [20, 41]` goes beyond the motion, which has frames 5 to 40",
        ),
        (
            &|s| {
                s.edit.window = Some(10..=20);
                s.edit.ends = ends(None, Some(End::Free));
            },
            "the end of the window is frame 20, inside the motion, so it cannot be free; write `end = \
             \"clamped\"`, or extend the window to frame 40",
        ),
        (
            &|s| {
                s.edit.window = Some(10..=20);
                s.edit.ends = ends(Some(End::Free), None);
            },
            "the start of the window is frame 10, inside the motion, so it cannot be free; write `start = \
             \"clamped\"`, or extend the window to frame 5",
        ),
        (
            &|s| {
                s.edit.window = Some(10..=20);
                s.edit.ends = Ends::Loop;
            },
            "a loop cannot have a window; remove `window` or `ends = \"loop\"`",
        ),
        (&|s| s.edit.window = Some(10..=11), "2 frames are too few to edit between clamped ends"),
        (
            &|s| {
                let second = pull(FRAME, VertexId(999), Goal::By(BY));
                s.edit.handles = vec![good(), second];
            },
            "handle 2: there is no vertex 999: the body has 63 vertices, counted from 0",
        ),
    ];
    for (spoil, expected) in cases {
        assert_eq!(refused(&scene, spoil), expected);
    }
}

#[test]
fn a_motion_of_something_else_is_named() {
    let scene = Scene::at_rest(Kind::Solid);
    let file = scene.folder.path().join("other.pc2");
    let mut writer = create_motion(&file, MotionSettings::new(3, Frame(1), FPS, 2), None).unwrap();
    for _ in 0..2 {
        writer.write(&[[0.0; 3]; 3]).unwrap();
    }
    writer.finish().unwrap();
    let message = refused(&scene, |shot| {
        shot.motion.input = Input::File("other.pc2".into());
        shot.motion.frames = None;
    });
    assert_eq!(message, format!("{}: 3 vertices, but the body has 63", file.display()));
    let scene = Scene::new(Kind::Solid);
    let message = refused(&scene, |shot| shot.motion.frames = Some(FRAMES + 1));
    let file = scene.folder.path().join("input.pc2");
    let expected = "the motion has 36 frames, but [motion] asks for 37; lower `frames` or remove it";
    assert_eq!(message, format!("{}: {expected}", file.display()));
}

/// A good handle within a window that ends before the motion does.
fn windowed() -> Scene {
    Scene::new(Kind::Solid).with(|shot| {
        shot.edit.window = Some(START..=START + 30);
        shot.edit.handles = vec![good()];
    })
}

/// Each of the handles is refused in these words, as a second one and in the place of the first, and nothing moves.
fn none_is_held(scene: &Scene, cases: &[(Handle, String)]) {
    let mut editor = scene.open();
    release(&mut editor);
    let before = frames(&editor);
    let first = HandleKey(1);
    for (handle, problem) in cases {
        let error = editor.add(handle.clone()).unwrap_err().to_string();
        assert_eq!(error, format!("handle 2: {problem}"));
        let error = editor.set(first, handle.clone()).unwrap_err().to_string();
        assert_eq!(error, format!("handle 1: {problem}"));
        assert_eq!(editor.handles().collect::<Vec<_>>(), [(first, &good())]);
    }
    assert_eq!(frames(&editor), before, "nothing moved");
    release(&mut editor);
    assert_eq!(frames(&editor), before, "nor will it");
}

#[test]
fn a_handle_on_what_cannot_be_held_is_named_and_leaves_the_others_alone() {
    let on = |site| Handle { site, ..good() };
    let anchored = "vertex 0 is anchored and cannot move; choose another vertex, or release it: remove it from its \
                    group, or from `anchors` in [body] (the group \"still\" contains vertices that never move in the \
                    input)";
    let no_vertex = "there is no vertex 63: the body has 63 vertices, counted from 0";
    let cases = [
        (on(Site::Vertex(VertexId(0))), anchored),
        (on(Site::Group("left".into())), anchored),
        (on(Site::Vertex(VertexId(63))), no_vertex),
        (on(Site::Group("rihgt".into())), "there is no group \"rihgt\"; there are left, outer, right"),
        (on(Site::joint("hip")), "there is no joint \"hip\": only a character has joints"),
        (Handle { relative_to: Some(Site::Vertex(VertexId(63))), ..good() }, no_vertex),
    ];
    none_is_held(&windowed(), &cases.map(|(handle, problem)| (handle, problem.to_owned())));
}

#[test]
fn a_handle_at_a_frame_that_cannot_change_is_named() {
    let at = |frame| Handle { when: When::Frame(frame), ..good() };
    let clamped = |frame: i32| {
        format!(
            "frame {frame} is clamped, so it cannot be edited; move the handle to another frame, or free that end \
             with `ends`"
        )
    };
    let cases = [
        (at(START), clamped(5)),
        (at(START + 30), clamped(35)),
        (at(START - 1), "there is no frame 4; the motion has frames 5 to 40".into()),
        (at(START + 36), "there is no frame 41; the motion has frames 5 to 40".into()),
        (at(START + 31), "frame 36 is outside `window = [5, 35]`".into()),
        (Handle { when: When::Frames(START + 29..=START + 31), ..good() }, clamped(35)),
    ];
    none_is_held(&windowed(), &cases);
}

#[test]
fn a_handle_with_a_goal_that_cannot_be_met_is_named() {
    let scene = windowed();
    let flat = scene.folder.path().join("flat.csv");
    fs::write(&flat, "frame,x,y\n1,0,0\n").unwrap();
    let to = |goal| Handle { goal, ..good() };
    let turn = Goal::from(Turn { about: [0.0; 3], axis: [0.0, 0.0, 1.0], degrees: 10.0 });
    let plane = Goal::Plane { point: [0.0; 3], normal: [0.0, 1.0, 0.0] };
    let cases = [
        (to(Goal::To([0.0, f64::NAN, 0.0])), "its target NaN is not a finite number".into()),
        (to(Goal::Velocity([f64::NEG_INFINITY, 0.0, 0.0])), "its target -inf is not a finite number".into()),
        (
            Handle { axes: Some(Axes([true; 3])), ..to(plane) },
            "`plane` cannot be combined with `axes`; remove one of them".into(),
        ),
        (
            Handle { relative_to: Some(Site::Vertex(VertexId(3))), ..to(turn) },
            "`turn` cannot be combined with `relative_to`; remove one of them".into(),
        ),
        (
            Handle { hold: Some(Hold::Soft(-1.0)), ..good() },
            "`hold` must be \"hard\" or greater than 0, got -1".into(),
        ),
        (
            Handle { hold: Some(Hold::Soft(0.0)), ..good() },
            "`hold` must be \"hard\" or greater than 0, got 0".into(),
        ),
        (
            to(Goal::Path("flat.csv".into())),
            format!("{}: a path needs the columns frame,x,y,z; \"z\" is missing", flat.display()),
        ),
    ];
    none_is_held(&scene, &cases);
}

#[test]
fn a_handle_that_is_refused_takes_no_number() {
    let scene = windowed();
    let mut editor = scene.open();
    let none = scene.folder.path().join("none.csv");
    let error = editor.add(Handle { goal: Goal::Path("none.csv".into()), ..good() }).unwrap_err().to_string();
    assert!(error.starts_with(&format!("handle 2: {}", none.display())), "{error}");
    assert_eq!(editor.set(HandleKey(7), good()).unwrap_err().to_string(), "there is no handle 7");
    assert_eq!(editor.remove(HandleKey(7)).unwrap_err().to_string(), "there is no handle 7");
    let later = Handle { when: When::Frame(FRAME + 3), ..good() };
    assert_eq!(editor.add(later).unwrap(), HandleKey(2));
}

#[test]
fn vertices_are_named_by_the_numbers_the_user_knows() {
    let scene = Scene::new(Kind::Solid).with(|shot| shot.edit.part = Some("outer".into()));
    let inner = scene.body().positions().iter().position(|p| p.x > 0.1 && p.x < 0.9).unwrap();
    let error = scene.open().add(pull(FRAME, VertexId::new(inner), Goal::By(BY))).unwrap_err().to_string();
    let expected = format!(
        "handle 1: vertex {inner} is outside `part = \"outer\"` and cannot move; choose a vertex inside, or \
         change `part`"
    );
    assert_eq!(error, expected);

    // A vertex of the skin that rides on anchors alone; on the body that moves, and on the skin that does.
    let mut scene = Scene::at_rest(Kind::Skin);
    let held = scene.body().skin.unwrap().mesh.positions().iter().rposition(|p| p.x == 0.0).unwrap();
    for _ in 0..2 {
        let error = scene.open().add(pull(FRAME, VertexId::new(held), Goal::By(BY))).unwrap_err().to_string();
        assert!(error.starts_with(&format!("handle 1: vertex {held} is anchored")), "{error}");
        scene = Scene::new(Kind::Skin);
    }
    let body_vertex = Handle { site: Site::BodyVertex(VertexId(40)), ..good() };
    let error = scene.open().add(body_vertex).unwrap_err().to_string();
    let expected = "handle 1: body_vertex 40 belongs to the body, but the input moves the skin; use \
                    vertices of the skin";
    assert_eq!(error, expected);
}
