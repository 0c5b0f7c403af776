//! Characters: their body, their method with its layers, and what their handles ask.

use std::fs;
use std::path::Path;
use supple_project::ShotError;
use supple_project::shot::{
    Axis, Body, BodyKind, Bound, Character, Curve, Distance, Goal, Handle, Input, Joint, KeySpacing, Layer,
    Limit, Method, Metric, Move, Orientation, Shape, Shot, Site, Skeleton, Turns, When, Zone,
};

const FULL: &str = include_str!("../shot_character.toml");

fn full() -> Shot {
    Shot::parse(Path::new("walk.toml"), FULL).unwrap()
}

/// A character with these lines from line 4 on.
fn parse(lines: &str) -> Result<Shot, ShotError> {
    let body = "[body]\nkind = 'character'\nskeleton = 'walk.bvh'\n";
    Shot::parse(Path::new("walk.toml"), &format!("{body}{lines}\n"))
}

fn refused(cases: &[(&str, &str)]) {
    for (lines, expected) in cases {
        assert_eq!(parse(lines).unwrap_err().to_string(), format!("walk.toml:{expected}"), "{lines}");
    }
}

/// A handle on a hand at frame 9 and these lines from line 7 on.
fn refused_handles(cases: &[(&str, &str)]) {
    for (lines, expected) in cases {
        let lines = format!("[[edit.handle]]\nframe = 9\njoint = 'Hand'\n{lines}");
        let said = parse(&lines).unwrap_err().to_string();
        assert_eq!(said, format!("walk.toml:{expected}"), "{lines}");
    }
}

#[test]
fn a_skeleton_is_read() {
    let shot = full();
    let joint = |name: &str| Joint { name: name.into(), ..Joint::default() };
    let limit = |joint: &str, bound| Limit { joint: joint.into(), bound };
    let skeleton = Skeleton {
        file: "rigs/walk.bvh".into(),
        clip: Some("Run".into()),
        joints: vec![
            Joint { turns: Some(Turns::Hinge), mass: Some(2.5), ..joint("LeftLeg") },
            Joint { turns: Some(Turns::Ball), ..joint("Neck") },
            Joint { turns: Some(Turns::Fixed), ..joint("LHipJoint") },
            Joint { tie: Some("RightArm".into()), ..joint("LeftArm") },
            Joint { drop: true, ..joint("LThumb") },
        ],
        limits: vec![
            limit("LeftLeg", Bound::Axis { axis: Axis::X, degrees: -5.0..=150.0 }),
            limit("Neck", Bound::Cone(60.0)),
            limit("Neck", Bound::Twist(-40.0..=40.0)),
        ],
    };
    assert_eq!(shot.body.skeleton(), Some(&skeleton));
    assert_eq!(shot.body.shape, Shape::Skeleton(skeleton));
    assert_eq!(shot.motion.input, Input::File("walk.bvh".into()));
}

#[test]
fn the_method_of_a_character_and_its_layers_are_read() {
    let shot = full();
    assert_eq!(shot.edit.method, Method::Character);
    let own = shot.edit.character_settings().unwrap();
    let said = Character { curve: Curve::Cubic, keys: Some(10), key_seconds: None, metric: Metric::Diagonal };
    assert_eq!((own, own.spacing()), (said, KeySpacing::Count(10)));
    let arms = Layer {
        window: Some(5..=90),
        key_seconds: Some(0.1),
        curve: Some(Curve::Linear),
        smoothing: Some(0.2),
        muted: Some(true),
        ..Layer::new("arms")
    };
    assert_eq!(shot.edit.layers, [arms, Layer::new("feet")]);
    assert_eq!(
        shot.edit.layers.iter().map(|layer| layer.spacing(&own)).collect::<Vec<_>>(),
        [KeySpacing::Seconds(0.1), KeySpacing::Count(10)]
    );
    assert_eq!(
        shot.edit.layers.iter().map(|layer| layer.curve(&own)).collect::<Vec<_>>(),
        [Curve::Linear, Curve::Cubic]
    );
    assert_eq!(shot.edit.layer("feet"), Some(&shot.edit.layers[1]));
}

#[test]
fn nothing_but_the_skeleton_is_required() {
    let shot = parse("").unwrap();
    assert_eq!(shot, Shot::new(Path::new(""), Body::character("walk.bvh")).unwrap());
    assert_eq!((shot.body.kind, shot.edit.method), (BodyKind::Character, Method::Character));
    assert_eq!(shot.edit.character_settings().unwrap(), Character::default());
    assert_eq!(Character::default().spacing(), KeySpacing::Seconds(0.2));
    assert_eq!(parse("[edit]\nends = 'loop'").unwrap().edit.method, Method::Character);
    let said = Shot::parse(Path::new("walk.toml"), "[body]\nkind = 'character'").unwrap_err().to_string();
    assert_eq!(said, "walk.toml:1:1: [body] needs the key `skeleton`");
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

/// What is saved is loaded, in another folder too, and what nobody touched keeps its text.
#[test]
fn characters_are_saved() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("walk.toml");
    fs::write(&file, FULL).unwrap();
    let mut shot = Shot::load(&file).unwrap();
    shot.save(&file).unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), FULL);
    let fresh = folder.path().join("v2/walk.toml");
    fs::create_dir(folder.path().join("v2")).unwrap();
    shot.save(&fresh).unwrap();
    assert_eq!(Shot::load(&fresh).unwrap(), shot);
    assert_eq!(shot.files()[2..4], ["../curve.csv", "../rocks/rock.obj"].map(std::path::PathBuf::from));
    let mut plain = Shot::new(folder.path(), Body::character("a.bvh")).unwrap();
    plain.save(&file).unwrap();
    let mut bare = folder.path().join("bare.toml");
    plain.save(&bare).unwrap();
    let text = fs::read_to_string(&bare).unwrap();
    assert_eq!(text, "[body]\nkind = \"character\"\nskeleton = \"a.bvh\"\n");
    plain.edit.set_character_settings(Character { keys: Some(7), ..Character::default() }).unwrap();
    plain.save(&bare).unwrap();
    assert_eq!(Shot::load(&bare).unwrap().edit.character_settings().unwrap().keys, Some(7));
    plain.edit.set_character_settings(Character::default()).unwrap();
    assert_eq!(plain.edit.character, None);
    bare.set_extension("other");
    plain.edit.method = Method::Drag;
    assert!(plain.save(&bare).is_err() && !bare.exists(), "a character that is dragged is not written");
}

#[test]
fn a_body_that_mixes_character_and_mesh_is_named() {
    let elastic = "is for elastic bodies, and this body is a character; remove it";
    let skeleton = "is for elastic bodies; a character has a `skeleton`, as in `skeleton = \"walk.bvh\"`";
    refused(&[
        ("mesh = 'a.msh'", &format!("4:8: `body.mesh` {skeleton}")),
        ("surface = 'a.obj'", &format!("4:11: `body.surface` {skeleton}")),
        ("fill = { method = 'tets', cells = 3 }", &format!("4:8: `body.fill` {skeleton}")),
        ("skin = 'a.obj'", &format!("4:8: `body.skin` {elastic}")),
        ("material = { young = 1 }", &format!("4:12: `body.material` {elastic}")),
        ("regions = [{ group = 'a', young = 1 }]", &format!("4:11: `body.regions` {elastic}")),
        (
            "anchors = { group = 'a' }",
            "4:11: `body.anchors` is for elastic bodies; hold a joint of a character with a handle, as in `stay = true`",
        ),
        ("[simulate]\nsubsteps = 2", &format!("4:1: `simulate` {elastic}")),
        ("[[load]]\njoint = 'Hips'\nforce = [0, 1, 0]", &format!("4:1: `load` {elastic}")),
        ("[[pin]]\njoint = 'Hips'", &format!("4:1: `pin` {elastic}")),
        (
            "[contacts]\ndetect = { plants = true }",
            "4:1: `contacts` is for elastic bodies; what a character stands on is a handle, as in `stay = true`",
        ),
        (
            "[motion]\ninput = 'simulate'",
            "5:9: `motion.input` cannot be \"simulate\" with a character; name a motion file, as in `input = \
             \"walk.bvh\"`, or write \"rest\"",
        ),
        ("[motion]\ninput = 'a.bvh'\nfit = true", &format!("6:7: `motion.fit` {elastic}")),
        ("[motion]\nseconds_per_frame = 0.1", &format!("5:21: `motion.seconds_per_frame` {elastic}")),
    ]);
    let foreign = "is for a character, and this body's kind is \"solid\"; remove it";
    super::refused(&[
        ("skeleton = 'a.bvh'", &format!("4:12: `body.skeleton` {foreign}")),
        ("clip = 'Run'", &format!("4:8: `body.clip` {foreign}")),
        ("joints = [{ name = 'a', drop = true }]", &format!("4:10: `body.joints` {foreign}")),
        ("limits = [{ joint = 'a', cone = 3 }]", &format!("4:10: `body.limits` {foreign}")),
    ]);
}

#[test]
fn joints_and_limits_that_mean_nothing_are_named() {
    refused(&[
        ("joints = [{ turns = 'hinge' }]", "4:11: [body.joints[0]] needs the key `name`"),
        ("joints = [{ name = 'a' }]", "4:11: `body.joints[0]` changes nothing: set turns, tie, drop or mass"),
        (
            "joints = [{ name = 'a', turns = 'hing' }]",
            "4:33: `body.joints[0].turns` cannot be \"hing\"; did you mean `hinge`?",
        ),
        (
            "joints = [{ name = 'a', turn = 'hinge' }]",
            "4:25: unknown key `turn` in [body.joints[0]]; did you mean `turns`?",
        ),
        (
            "joints = [{ name = 'a', drop = true, mass = 1 }]",
            "4:32: `body.joints[0].drop` takes the joint away, so nothing else can be said of it; remove the other keys",
        ),
        ("joints = [{ name = 'a', tie = 'a' }]", "4:31: `body.joints[0].tie` ties a joint to itself"),
        (
            "joints = [{ name = 'a', tie = 'b', turns = 'ball' }]",
            "4:31: `body.joints[0].tie` cannot be combined with `turns`: a tied joint turns as the other does; remove \
             one of them",
        ),
        (
            "joints = [{ name = 'a', tie = 'b' }, { name = 'b', tie = 'c' }]",
            "4:31: `body.joints[0].tie` names a joint that is tied or dropped itself; name the one that moves",
        ),
        ("joints = [{ name = 'a', mass = -1 }]", "4:32: `body.joints[0].mass` must not be negative, got -1"),
        (
            "joints = [{ name = 'a', mass = 1 }, { name = 'a', mass = 2 }]",
            "4:46: `body.joints[1].name` names this joint a second time; join the two entries",
        ),
        ("limits = [{ joint = 'a' }]", "4:11: `body.limits[0]` takes one of axis, cone or twist, found none"),
        ("limits = [{ joint = 'a', axis = 'x' }]", "4:11: [body.limits[0]] needs the key `degrees`"),
        (
            "limits = [{ joint = 'a', axis = 'x', degrees = [150, -5] }]",
            "4:48: `body.limits[0].degrees` must begin with the smaller angle, got [150, -5]",
        ),
        (
            "limits = [{ joint = 'a', axis = 'x', degrees = 5 }]",
            "4:48: `body.limits[0].degrees` takes two angles [least, greatest], found a whole number",
        ),
        (
            "limits = [{ joint = 'a', cone = 60, degrees = [0, 1] }]",
            "4:47: `body.limits[0].degrees` belongs to `axis`; `cone` and `twist` have their own angles",
        ),
        (
            "limits = [{ joint = 'a', cone = 181 }]",
            "4:33: `body.limits[0].cone` must be greater than 0 and at most 180, got 181",
        ),
        (
            "joints = [{ name = 'a', drop = true }]\nlimits = [{ joint = 'a', cone = 3 }]",
            "5:21: `body.limits[0].joint` names a joint that `joints` drops; remove one of them",
        ),
    ]);
}

#[test]
fn methods_and_bodies_that_do_not_fit_are_both_named() {
    let of = |method: &str| {
        format!(
            "5:10: `edit.method` cannot be \"{method}\" with a body of kind \"character\"; leave it out, or write \
             \"character\""
        )
    };
    refused(&[
        ("[edit]\nmethod = 'drag'", &of("drag")),
        ("[edit]\nmethod = 'sparse'", &of("sparse")),
        (
            "[edit]\nmodes = 3",
            "5:9: `edit.modes` is for the methods \"drag\", \"sparse\", \"material\" and \"control\", and this shot's \
             method is \"character\"",
        ),
        (
            "[edit.character]\ncurve = 'bspline'",
            "5:9: `edit.character.curve` cannot be \"bspline\"; did you mean `b-spline`?",
        ),
        (
            "[edit.character]\nkeys = 3\nkey_seconds = 0.2",
            "6:15: `edit.character.key_seconds` cannot be combined with `keys`; remove one of them",
        ),
        ("[edit.character]\nkeys = 0", "5:8: `edit.character.keys` must be at least 1, got 0"),
        (
            "[edit.character]\nkey_seconds = 0",
            "5:15: `edit.character.key_seconds` must be greater than 0, got 0",
        ),
        (
            "[edit.character]\nmetrics = 'blocks'",
            "5:1: unknown key `metrics` in [edit.character]; did you mean `metric`?",
        ),
    ]);
    super::refused(&[
        (
            "[edit]\nmethod = 'character'",
            "5:10: `edit.method` is for a body of kind \"character\", and this body's kind is \"solid\"; choose another \
             one",
        ),
        (
            "[[edit.layer]]\nname = 'arms'",
            "4:1: `edit.layer` is for the method \"character\", and this shot's method is \"drag\"",
        ),
    ]);
    // What another method keeps is its own affair.
    assert!(super::parse("[edit.character]\ncurve = 'bspline'").is_ok());
}

#[test]
fn layers_that_contradict_are_named() {
    let arms = "[[edit.layer]]\nname = 'arms'\n";
    let handle = "[[edit.handle]]\nframe = 9\njoint = 'Hand'\nby = [0, 1, 0]\n";
    refused(&[
        ("[[edit.layer]]\nmuted = true", "4:1: [edit.layer[0]] needs the key `name`"),
        (
            &format!("{arms}{arms}"),
            "7:8: `edit.layer[1].name` is the name of another layer, too; names must differ",
        ),
        (&format!("{arms}smoothing = -1"), "6:13: `edit.layer[0].smoothing` must not be negative, got -1"),
        (
            &format!("{arms}keys = 3\nkey_seconds = 1"),
            "7:15: `edit.layer[0].key_seconds` cannot be combined with `keys`; remove one of them",
        ),
        (
            &format!("[edit]\nwindow = [1, 9]\n{arms}window = [5, 20]"),
            "8:10: `edit.layer[0].window` goes beyond `window = [1, 9]` of [edit]; change one of them",
        ),
        (
            &format!("{arms}{handle}layer = 'amrs'"),
            "10:9: `edit.handle[0].layer` cannot be \"amrs\": there is no such layer; did you mean `arms`?",
        ),
        (
            &format!("{handle}layer = 'arms'"),
            "8:9: `edit.handle[0].layer` cannot be \"arms\": there is no such layer; write [[edit.layer]] with `name = \
             \"arms\"` first",
        ),
        (
            &format!("{arms}window = [10, 20]\n{handle}layer = 'arms'"),
            "11:9: `edit.handle[0].layer` has the window [10, 20], which does not hold frame 9",
        ),
    ]);
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
