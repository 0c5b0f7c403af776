//! The handles, `[[edit.handle]]`.

use super::{full, parse};
use supple_model::VertexId;
use supple_project::shot::{Axes, Goal, Handle, Hold, Site, Together, Turn, When};

#[test]
fn handles_are_read() {
    let handles = [
        (When::Frame(60), Site::Vertex(VertexId(1234)), Goal::To([1.2, 3.4, 0.0]), Some(Hold::Hard)),
        (
            When::Frames(60..=72),
            Site::BodyVertex(VertexId(4)),
            Goal::By([0.0, 1.0, 0.0]),
            Some(Hold::Soft(100.0)),
        ),
        (
            When::Frame(-3),
            Site::Vertices(vec![VertexId(1), VertexId(2)]),
            Goal::Velocity([0.0, 0.0, 1.0]),
            None,
        ),
        (
            When::Frame(1),
            Site::Group("mast".into()),
            Goal::Plane { point: [0.0, 1.0, 0.0], normal: [0.0, 2.0, 0.0] },
            None,
        ),
        (When::Frames(7..=7), Site::Near([0.5, 0.0, 1e-9]), Goal::Path("curves/tip.csv".into()), None),
        (When::Frame(8), Site::CenterOfMass, Goal::By([0.0; 3]), None),
        (When::Frame(9), Site::joint("LeftHand"), Goal::To([0.0; 3]), None),
    ];
    let mut handles =
        handles.map(|(when, site, goal, hold)| Handle { hold, ..Handle::new(when, site, goal) }).to_vec();
    let turn = Goal::from(Turn { about: [0.0, 1.0, 0.0], axis: [0.0, 0.0, 2.0], degrees: -45.0 });
    handles.push(Handle {
        points: Some(Together::Each),
        axes: Some(Axes([true, false, true])),
        relative_to: Some(Site::Vertices(vec![VertexId(3), VertexId(4)])),
        muted: Some(true),
        ..Handle::new(When::Frame(10), Site::Group("mast".into()), turn)
    });
    assert_eq!(full().edit.handles, handles);
    assert_eq!(handles[0].when.range(), 60..=60);
    assert_eq!(handles[1].when.range(), 60..=72);
}

const SITES: &str = "vertex, body_vertex, vertices, group, near, joint or center_of_mass";

const GOALS: &str = "to, by, velocity, path, turn, plane, along, stay, distance, same_as, orientation, inside or \
                     outside";

/// A handle of these lines, from line 5 on, and one more; what is said of it.
fn refused_after(lines: &str, cases: &[(&str, &str)]) {
    for (line, expected) in cases {
        let error = parse(&format!("[[edit.handle]]\n{lines}{line}")).unwrap_err().to_string();
        assert_eq!(error, format!("bridge.toml:{expected}"), "{line}");
    }
}

#[test]
fn mistakes_in_the_site_of_a_handle_are_named() {
    let none = format!("4:1: `edit.handle[0]` takes one of {SITES}, found none");
    let three = format!("4:1: `edit.handle[0]` takes one of {SITES}, found vertex, group and near");
    refused_after(
        "frame = 1\nto = [0, 0, 0]\n",
        &[
            ("", &none),
            ("vertex = 1\ngroup = 'a'\nnear = [0, 0, 0]", &three),
            ("vertx = 1", "7:1: unknown key `vertx` in [edit.handle[0]]; did you mean `vertex`?"),
            ("vertex = 1.0", "7:10: `edit.handle[0].vertex` takes a whole number, found a number"),
            (
                "body_vertex = -1",
                "7:15: `edit.handle[0].body_vertex` must be between 0 and 4294967295, got -1",
            ),
            ("vertices = []", "7:12: `edit.handle[0].vertices` is empty"),
            (
                "vertices = 3",
                "7:12: `edit.handle[0].vertices` takes a list of vertex numbers, found a whole number",
            ),
            ("center_of_mass = false", "7:18: `edit.handle[0].center_of_mass` must be true, or left out"),
            ("center_of_mass = 1", "7:18: `edit.handle[0].center_of_mass` takes true, found a whole number"),
            ("joint = ''", "7:9: `edit.handle[0].joint` is empty"),
        ],
    );
}

#[test]
fn mistakes_in_the_goal_of_a_handle_are_named() {
    refused_after(
        "frame = 1\nvertex = 1\n",
        &[
            ("", &format!("4:1: `edit.handle[0]` takes one of {GOALS}, found none")),
            (
                "to = [0, 0, 0]\nby = [0, 0, 0]",
                &format!("4:1: `edit.handle[0]` takes one of {GOALS}, found to and by"),
            ),
            ("by = [0, nan, 0]", "7:10: `edit.handle[0].by[1]` must be a finite number, got nan"),
            ("path = ''", "7:8: `edit.handle[0].path` is empty"),
            ("plane = { point = [0, 0, 0] }", "7:9: [edit.handle[0].plane] needs the key `normal`"),
            (
                "plane = { point = [0, 0, 0], normal = [0, -0.0, 0] }",
                "7:9: `edit.handle[0].plane` has no direction: its normal is 0",
            ),
            (
                "turn = { about = [0, 0, 0], axis = [0, 0, 0], degrees = 9 }",
                "7:8: `edit.handle[0].turn` has no direction: its axis is 0",
            ),
        ],
    );
}

#[test]
fn mistakes_in_when_and_how_a_handle_holds_are_named() {
    refused_after(
        "vertex = 1\nto = [0, 0, 0]\n",
        &[
            ("", "4:1: `edit.handle[0]` takes one of frame or frames, found none"),
            (
                "frame = 1\nframes = [1, 2]",
                "4:1: `edit.handle[0]` takes one of frame or frames, found frame and frames",
            ),
            ("frames = [2, 1]", "7:10: `edit.handle[0].frames` ends at 1, before it begins at 2"),
            (
                "frame = 1\naxes = 'xx'",
                "8:8: `edit.handle[0].axes` cannot be \"xx\"; write axes as \"x\" or \"xz\"",
            ),
            ("frame = 1\nhold = 0", "8:8: `edit.handle[0].hold` must be greater than 0, got 0"),
            ("frame = 1\nhold = 'hrd'", "8:8: `edit.handle[0].hold` cannot be \"hrd\"; did you mean `hard`?"),
            (
                "frame = 1\nhold = true",
                "8:8: `edit.handle[0].hold` takes \"hard\" or a number, found true or false",
            ),
        ],
    );
}
