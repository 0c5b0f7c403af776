//! Characters: their body, and their method with its layers.

use std::fs;
use std::path::Path;
use supple_project::ShotError;
use supple_project::shot::{
    Axis, Body, BodyKind, Bound, Character, Curve, Input, Joint, KeySpacing, Layer, Limit, Method, Metric,
    Shape, Shot, Skeleton, Turns,
};

const FULL: &str = include_str!("../shot_character.toml");

pub fn full() -> Shot {
    Shot::parse(Path::new("walk.toml"), FULL).unwrap()
}

/// A character with these lines from line 4 on.
pub fn parse(lines: &str) -> Result<Shot, ShotError> {
    let body = "[body]\nkind = 'character'\nskeleton = 'walk.bvh'\n";
    Shot::parse(Path::new("walk.toml"), &format!("{body}{lines}\n"))
}

pub fn refused(cases: &[(&str, &str)]) {
    for (lines, expected) in cases {
        assert_eq!(parse(lines).unwrap_err().to_string(), format!("walk.toml:{expected}"), "{lines}");
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
            "5:9: `edit.modes` is for the methods \"drag\", \"sparse\" and \"material\", and this shot's \
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
