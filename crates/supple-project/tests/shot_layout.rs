//! Saving over a file someone wrote: only what changed changes.

#![expect(clippy::unwrap_used, reason = "the helpers of these tests may panic too")]

use std::fs;
use std::path::Path;
use supple_project::shot::{
    Anchor, Axis, Clustering, ContactKind, Contacts, Detect, Ends, Fill, FillMethod, Floor, Goal, Input,
    Load, Obstacle, ObstacleShape, Push, Shape, Shot, Site, Skin, When,
};

const FULL: &str = include_str!("shot_full.toml");

fn full() -> Shot {
    Shot::parse(Path::new("full.toml"), FULL).unwrap()
}

const BY_HAND: &str = r#"# My bridge.

[edit]   # first, for once
modes = 40 # enough

[body]
mesh  = 'bridge.msh'      # from the scanner
kind = "solid"
# as measured
[body.material]
density = 1_000           # wet
young = 2.0e6

[[body.regions]]          # the mast
group = "mast"
young = 2e7

[[edit.handle]]           # the tip
frame = 60                # as it lands
vertex = 3
to = [1, 2, 3]            # on the table

# pushed
[[edit.handle]]
group = "mast"            # all of it
frame = 80
by = [0, 1, 0]

[simulate]
obstacles = [
    { mesh = 'a.obj' }, # left
    { mesh = 'b.obj' }, # right
]
"#;

#[test]
fn saving_without_a_change_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bridge.toml");
    fs::write(&file, BY_HAND).unwrap();
    let mut shot = Shot::load(&file).unwrap();
    shot.save(&file).unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), BY_HAND);
}

#[test]
fn a_change_leaves_comments_and_layout_of_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bridge.toml");
    fs::write(&file, BY_HAND).unwrap();
    let mut shot = Shot::load(&file).unwrap();
    shot.edit.modes = 80;
    shot.body.shape = Shape::Mesh("bridge-v2.msh".into());
    shot.body.anchors = vec![Anchor::Group("base".into())];
    shot.save(&file).unwrap();
    let expected = BY_HAND
        .replace("40 # enough", "80 # enough")
        .replace("'bridge.msh' ", "\"bridge-v2.msh\" ")
        .replace("kind = \"solid\"\n", "kind = \"solid\"\nanchors = { group = \"base\" }\n");
    assert_eq!(fs::read_to_string(&file).unwrap(), expected);

    shot.body.material.as_mut().unwrap().young = 3e6;
    shot.edit.handles[0].goal = Goal::To([1.0, 2.5, 3.0]);
    shot.edit.handles[1].when = When::Frames(80..=90);
    shot.edit.handles.push(full().edit.handles.remove(5));
    shot.simulate.obstacles.push(Obstacle {
        shape: ObstacleShape::Mesh("c.obj".into()),
        object: None,
        friction: None,
    });
    shot.body.regions.clear();
    shot.save(&file).unwrap();
    let expected = expected
        .replace("2.0e6", "3e6")
        .replace("[1, 2, 3] ", "[1.0, 2.5, 3.0] ")
        .replace("frame = 80\nby = [0, 1, 0]\n", "by = [0, 1, 0]\nframes = [80, 90]\n")
        .replace("\n[[body.regions]]          # the mast\ngroup = \"mast\"\nyoung = 2e7\n", "")
        .replace(
            "\n[simulate]",
            "\n[[edit.handle]]\nframe = 8\ncenter_of_mass = true\nby = [0.0, 0.0, 0.0]\n\n[simulate]",
        )
        .replace("{ mesh = 'b.obj' }, #", "{ mesh = 'b.obj' },\n    { mesh = \"c.obj\" }, #");
    assert_eq!(fs::read_to_string(&file).unwrap(), expected);
}

#[test]
fn handles_that_stay_keep_their_comments_when_others_go_and_come() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bridge.toml");
    fs::write(&file, BY_HAND).unwrap();
    let mut shot = Shot::load(&file).unwrap();
    let tip = shot.edit.handles.remove(0);
    shot.simulate.obstacles.remove(0);
    shot.save(&file).unwrap();
    let text = fs::read_to_string(&file).unwrap();
    assert!(!text.contains("the tip") && text.contains("# pushed") && text.contains("# all of it"), "{text}");
    assert!(!text.contains("a.obj") && text.contains("{ mesh = 'b.obj' }, # right"), "{text}");

    shot.edit.handles.insert(0, tip);
    shot.save(&file).unwrap();
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("# pushed") && text.find("vertex = 3") < text.find("# pushed"), "{text}");
    assert_eq!(Shot::load(&file).unwrap(), shot);
}

#[test]
fn any_layout_can_be_saved_over() {
    let layouts = [
        BY_HAND,
        FULL,
        "body = { kind = 'solid', mesh = 'a.msh' }\nedit = { handle = [{ frame = 1, vertex = 1, by = [0, 0, 0] }, { frame = 2, vertex = 1, by = [0, 0, 0] }] }",
        "body = { kind = 'solid', mesh = 'a.msh', anchors = { group = 'a' } } # all in one",
        "body.kind = 'solid' # dotted\nbody.mesh = 'a.msh'\nbody.material.young = 5\nedit.modes = 3",
        "body.kind = 'solid'\nbody.mesh = 'a.msh' # kept\n[body.anchors.below]\naxis = 'x'\nat = 1\n[edit]",
        "[body.material] # before its parent\nyoung = 5\n[edit]\n[body]\nkind = 'solid'\nmesh = 'a.msh'",
        "[body]\nkind = 'solid'\nmesh = 'a.msh'\n[[body.anchors]]\ngroup = 'a'\n[[body.anchors]] # b\nfile = 'b.bou'",
        "# no line end, and windows lines\r\n[body]\r\nkind = 'solid'\r\nmesh = 'a.msh'",
    ];
    let changes: [fn(&mut Shot); 18] = [
        |shot| shot.edit.modes += 1,
        |shot| shot.body.shape = Shape::Mesh("new.msh".into()),
        |shot| {
            let fill = Some(Fill { method: FillMethod::Tets, cells: 9 });
            shot.body.shape = Shape::Surface { surface: "new.obj".into(), fill };
        },
        |shot| shot.body.skin = Some(Skin { mesh: "new.obj".into(), embedding: None }),
        |shot| shot.body.material.get_or_insert_default().young = 7.0,
        |shot| shot.body.material = None,
        |shot| shot.body.anchors.clear(),
        |shot| shot.body.anchors.push(Anchor::Above { axis: Axis::Z, at: 0.0 }),
        |shot| shot.body.regions.clear(),
        |shot| shot.motion.input = Input::Simulate,
        |shot| shot.edit.ends = Ends::Loop,
        |shot| shot.edit.handles = full().edit.handles,
        |shot| shot.edit.handles.reverse(),
        |shot| shot.simulate.floor = Some(Floor::default()),
        |shot| {
            shot.loads.push(Load {
                site: Site::Group("a".into()),
                push: Push::Force([1.0; 3]),
                frames: None,
                stage: None,
            });
        },
        |shot| {
            let detect = Detect { floor: Some(0.0), ..Detect::default() };
            let contacts = Contacts::detected(detect);
            shot.contacts = Some(Contacts { kind: Some(ContactKind::Stick), ..contacts });
        },
        |shot| {
            let contacts = Contacts::recorded();
            shot.contacts = Some(Contacts { cluster: Clustering::Apart, ..contacts });
        },
        |shot| *shot = Shot::parse(&shot.folder().join("full.toml"), FULL).unwrap(),
    ];
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bridge.toml");
    for layout in layouts {
        for (i, change) in changes.into_iter().enumerate() {
            fs::write(&file, layout).unwrap();
            let mut shot = Shot::load(&file).unwrap();
            change(&mut shot);
            shot.save(&file).unwrap();
            let text = fs::read_to_string(&file).unwrap();
            assert_eq!(Shot::load(&file).unwrap(), shot, "change {i} of\n{layout}\ngave\n{text}");
        }
    }
}
