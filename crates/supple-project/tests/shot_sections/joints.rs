//! What handles of a character ask, and what of that is nonsense.

use super::characters::{full, parse, refused};
use supple_project::shot::{Axis, Distance, Goal, Handle, Move, Orientation, Site, When, Zone};

/// A handle on a hand at frame 9 and these lines from line 7 on.
fn refused_handles(cases: &[(&str, &str)]) {
    for (lines, expected) in cases {
        let lines = format!("[[edit.handle]]\nframe = 9\njoint = 'Hand'\n{lines}");
        let said = parse(&lines).unwrap_err().to_string();
        assert_eq!(said, format!("walk.toml:{expected}"), "{lines}");
    }
}

#[test]
fn all_goals_of_a_character_are_read() {
    let toe = || Site::Joint { name: "LeftToeBase".into(), offset: [0.0, -0.02, 0.05] };
    let hand = || Site::joint("LeftHand");
    let stay = |at| Handle::new(When::Frames(11..=80), toe(), Goal::Stay { at });
    let on_hand = |goal| Handle::new(When::Frame(20), hand(), goal);
    let block = || Zone::Box { min: [0.0; 3], max: [1.0, 0.5, 1.0] };
    let expected = [
        stay(None),
        stay(Some(Move::To([0.1, 0.0, 0.4]))),
        stay(Some(Move::By([0.3, 0.0, 0.0]))),
        on_hand(Goal::Along("curve.csv".into())),
        Handle {
            relative_to: Some(Site::joint("RightHand")),
            prop: Some("treasure".into()),
            layer: Some("arms".into()),
            ..on_hand(Goal::Distance(Distance::Metres(0.4)))
        },
        Handle { relative_to: Some(toe()), ..on_hand(Goal::Distance(Distance::Input)) },
        on_hand(Goal::SameAs(-3)),
        on_hand(Goal::Orientation(Orientation::Input)),
        on_hand(Goal::Orientation(Orientation::Quaternion([0.0, 0.7, 0.0, 0.7]))),
        on_hand(Goal::Inside(block())),
        on_hand(Goal::Outside(Zone::Sphere { center: [0.0, 1.0, 0.0], radius: 0.5 })),
        on_hand(Goal::Outside(Zone::Below { axis: Axis::Y, at: 0.0 })),
        on_hand(Goal::Outside(Zone::Mesh("rocks/rock.obj".into()))),
        Handle::new(When::Frame(20), Site::CenterOfMass, Goal::Path("fall.csv".into())),
    ];
    assert_eq!(full().edit.handles, expected);
    let files = ["rigs/walk.bvh", "walk.bvh", "curve.csv", "rocks/rock.obj", "fall.csv"];
    assert_eq!(full().files(), files.map(std::path::PathBuf::from));
}

#[test]
fn handles_that_ask_nonsense_of_a_character_are_named() {
    let both = |key: &str, goal: &str| {
        format!(
            "8:{}: `edit.handle[0].{key}` cannot be combined with `{goal}`; remove one of them",
            key.len() + 4
        )
    };
    refused_handles(&[
        ("stay = true", "7:8: `edit.handle[0].stay` needs `frames = [first, last]` to stay for"),
        ("stay = false", "7:8: `edit.handle[0].stay` must be true, or left out"),
        (
            "distance = 0.4",
            "7:12: `edit.handle[0].distance` needs `relative_to`, as in `relative_to = { joint = \"RightHand\" }`",
        ),
        ("distance = 0", "7:12: `edit.handle[0].distance` must be greater than 0, got 0"),
        (
            "distance = 'inputs'",
            "7:12: `edit.handle[0].distance` cannot be \"inputs\"; did you mean `input`?",
        ),
        ("same_as = 9", "7:11: `edit.handle[0].same_as` is the frame of the handle itself; name another one"),
        (
            "orientation = [0, 0, 0, 0]",
            "7:15: `edit.handle[0].orientation` is no rotation: all four numbers are 0",
        ),
        (
            "orientation = [0, 0, 1]",
            "7:15: `edit.handle[0].orientation` takes \"input\" or a quaternion [x, y, z, w], found 3",
        ),
        (
            "orientation = 'inptu'",
            "7:15: `edit.handle[0].orientation` cannot be \"inptu\"; did you mean `input`?",
        ),
        (
            "offset = [1, 0, 0]\norientation = 'input'",
            "7:10: `edit.handle[0].offset` means nothing with `orientation`: all of a bone turns alike",
        ),
        (
            "inside = { boxes = {} }",
            "7:12: unknown key `boxes` in [edit.handle[0].inside]; did you mean `box`?",
        ),
        (
            "inside = { box = { min = [0, 0, 0], max = [1, 0, 1] } }",
            "7:18: `edit.handle[0].inside.box` is empty: min must be below max along every axis",
        ),
        (
            "outside = { sphere = { center = [0, 0, 0], radius = -1 } }",
            "7:22: `edit.handle[0].outside.sphere` needs a radius greater than 0",
        ),
        (
            "outside = {}",
            "7:11: `edit.handle[0].outside` takes one of mesh, box, sphere or below, found none",
        ),
        (
            "turn = { about = [0, 0, 0], axis = [0, 1, 0], degrees = 3 }",
            "7:8: `edit.handle[0].turn` is for elastic bodies; turn a joint of a character with `orientation`",
        ),
        (
            "points = 'each'\nby = [0, 1, 0]",
            "7:10: `edit.handle[0].points` is for several vertices; a joint is one point, so remove it",
        ),
        ("along = 'a.csv'\naxes = 'x'", &both("axes", "along")),
        ("outside = { mesh = 'a.obj' }\nrelative_to = { joint = 'Hips' }", &both("relative_to", "outside")),
        (
            "by = [0, 1, 0]\nrelative_to = { vertex = 3 }",
            "8:26: `edit.handle[0].relative_to.vertex` is for meshes; a character is held by a `joint`, as in `joint = \
             \"LeftHand\"`",
        ),
        (
            "to = [0, 1, 0]\nalong = 'a.csv'",
            "4:1: `edit.handle[0]` takes one of to, by, velocity, path, turn, plane, along, stay, distance, same_as, \
             orientation, inside or outside, found to and along",
        ),
    ]);
}

#[test]
fn sites_of_meshes_are_none_of_a_character() {
    for (site, key) in [("vertex = 1", "vertex"), ("near = [0, 0, 0]", "near"), ("group = 'a'", "group")] {
        let said =
            parse(&format!("[[edit.handle]]\nframe = 9\nby = [0, 1, 0]\n{site}")).unwrap_err().to_string();
        let expected = format!(
            "`edit.handle[0].{key}` is for meshes; a character is held by a `joint`, as in `joint = \"LeftHand\"`"
        );
        assert!(said.ends_with(&expected), "{said}");
    }
    refused(&[
        (
            "[[edit.handle]]\nframe = 9\ncenter_of_mass = true\noffset = [0, 1, 0]\nby = [0, 1, 0]",
            "7:10: `edit.handle[0].offset` belongs to `joint`: a point of its bone",
        ),
        (
            "[[edit.handle]]\nframe = 9\ncenter_of_mass = true\norientation = 'input'",
            "7:15: `edit.handle[0].orientation` is for a joint; the centre of mass does not turn",
        ),
        (
            "[[edit.handle]]\nframe = 9.5\njoint = 'Hand'\nby = [0, 1, 0]",
            "5:9: `edit.handle[0].frame` must be a whole frame with the method \"character\" (fractions are for the \
             methods \"sparse\" and \"control\"), got 9.5",
        ),
    ]);
}

#[test]
fn what_only_a_character_can_do_is_refused_by_other_methods() {
    for method in ["drag", "sparse"] {
        for line in [
            "along = 'a.csv'",
            "stay = true",
            "distance = 'input'",
            "same_as = 3",
            "orientation = 'input'",
            "inside = { mesh = 'a.obj' }",
            "outside = { mesh = 'a.obj' }",
            "layer = 'arms'\nby = [0, 1, 0]",
            "prop = 'treasure'\nby = [0, 1, 0]",
        ] {
            let handle = format!("[[edit.handle]]\nframe = 9\nvertex = 1\n{line}");
            let said =
                super::parse(&format!("[edit]\nmethod = '{method}'\n{handle}")).unwrap_err().to_string();
            let (key, _) = line.split_once(' ').unwrap();
            let expected = format!(
                "9:{}: `edit.handle[0].{key}` is for the method \"character\", and this shot's method is \"{method}\"",
                key.len() + 4
            );
            assert_eq!(said, format!("bridge.toml:{expected}"));
        }
    }
}

#[test]
fn goals_that_are_somewhere_can_be_moved() {
    let by = [1.0, 2.0, 3.0];
    let moved = |goal: Goal| goal.shifted(by);
    let at = |at| Goal::Stay { at };
    assert_eq!(moved(at(None)), Some(at(Some(Move::By(by)))));
    assert_eq!(moved(at(Some(Move::By(by)))), Some(at(Some(Move::By([2.0, 4.0, 6.0])))));
    assert_eq!(moved(at(Some(Move::To([1.0; 3])))), Some(at(Some(Move::To([2.0, 3.0, 4.0])))));
    let floor = |at| Goal::Outside(Zone::Below { axis: Axis::Y, at });
    assert_eq!(moved(floor(0.5)), Some(floor(2.5)));
    let ball = |center| Goal::Inside(Zone::Sphere { center, radius: 2.0 });
    assert_eq!(moved(ball([0.0; 3])), Some(ball(by)));
    let block = |min, max| Goal::Outside(Zone::Box { min, max });
    assert_eq!(moved(block([0.0; 3], [1.0; 3])), Some(block(by, [2.0, 3.0, 4.0])));
    for goal in [
        Goal::Outside(Zone::Mesh("a.obj".into())),
        Goal::Along("a.csv".into()),
        Goal::Distance(Distance::Input),
        Goal::SameAs(3),
        Goal::Orientation(Orientation::Input),
    ] {
        assert_eq!(moved(goal.clone()), None, "{goal:?}");
    }
}
