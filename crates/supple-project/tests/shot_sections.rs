//! Reading shot files: what every section but `[body]` may say, and how mistakes are reported.

#![expect(clippy::unwrap_used, reason = "the helpers of these tests may panic too")]

use std::path::Path;
use supple_model::VertexId;
use supple_project::ShotError;
use supple_project::shot::{
    Axes, Axis, ClusterLimits, Clustering, ContactKind, Contacts, Damping, Detect, Edit, End, Ends, Expert,
    Feel, Floor, Goal, Handle, Hold, Initial, Input, Integrator, Load, Method, Motion, NewContacts, Obstacle,
    ObstacleShape, Pin, Pose, PoseVelocity, Push, Reach, Recorder, SecondsPerFrame, Shot, Simulate, Site,
    Spread, Substeps, Together, When,
};

fn full() -> Shot {
    Shot::parse(Path::new("bridge.toml"), include_str!("shot_full.toml")).unwrap()
}

/// A shot with these lines from line 4 on.
pub fn parse(lines: &str) -> Result<Shot, ShotError> {
    Shot::parse(Path::new("bridge.toml"), &format!("[body]\nkind = 'solid'\nmesh = 'a.msh'\n{lines}\n"))
}

pub fn refused(cases: &[(&str, &str)]) {
    for (lines, expected) in cases {
        assert_eq!(parse(lines).unwrap_err().to_string(), format!("bridge.toml:{expected}"), "{lines}");
    }
}

#[test]
fn the_motion_is_read() {
    let motion = Motion {
        input: Input::File("bridge-sim.pc2".into()),
        start: Some(-20),
        frames: Some(240),
        fps: Some(24.0),
        seconds_per_frame: SecondsPerFrame::Seconds(0.02),
        ..Motion::default()
    };
    assert_eq!(full().motion, motion);
    let imported = parse(
        "[motion]\ninput = 'party.usda'\nobject = '/root/cape'\ntopology = 'cape.obj'\nunit = 0.01\nup = 'z'\nfit = true",
    );
    let expected = Motion {
        input: Input::File("party.usda".into()),
        object: Some("/root/cape".into()),
        topology: Some("cape.obj".into()),
        unit: Some(0.01),
        up: Some(Axis::Z),
        fit: Some(true),
        ..Motion::default()
    };
    assert_eq!(imported.unwrap().motion, expected);
    for (text, input) in [
        ("rest", Input::Rest),
        ("simulate", Input::Simulate),
        ("./rest", Input::File("./rest".into())),
        ("rest.pc2", Input::File("rest.pc2".into())),
        ("takes/rest", Input::File("takes/rest".into())),
        ("walk", Input::File("walk".into())),
    ] {
        let motion =
            parse(&format!("[motion]\ninput = '{text}'\nseconds_per_frame = 'auto'")).unwrap().motion;
        assert_eq!(motion, Motion { input, ..Motion::default() });
    }
}

#[test]
fn mistakes_in_the_motion_are_named() {
    refused(&[
        ("[motion]\nimput = 'rest'", "5:1: unknown key `imput` in [motion]; did you mean `input`?"),
        ("[motion]\ninput = 'rest'\nup = 'z'", "6:6: `motion.up` needs a file, but `input` is not a file"),
        ("[motion]\ninput = 'a.pc2'\nunit = 0.0", "6:8: `motion.unit` must be greater than 0, got 0.0"),
        (
            "[motion]\ninput = 'simulte'",
            "5:9: `motion.input` cannot be \"simulte\"; did you mean `simulate`, or the file `./simulte`?",
        ),
        ("[motion]\ninput = 3", "5:9: `motion.input` takes a string, found a whole number"),
        ("[motion]\nframes = 0", "5:10: `motion.frames` must be at least 1, got 0"),
        ("[motion]\nframes = 2.0", "5:10: `motion.frames` takes a whole number, found a number"),
        ("[motion]\nfps = 0", "5:7: `motion.fps` must be greater than 0, got 0"),
        ("[motion]\nfps = inf", "5:7: `motion.fps` must be a finite number, got inf"),
        (
            "[motion]\nseconds_per_frame = -1",
            "5:21: `motion.seconds_per_frame` must be greater than 0, got -1",
        ),
        // 1e-300 came out as NaN, and 1e300 in 300 digits.
        (
            "[motion]\nseconds_per_frame = 1e-300",
            "5:21: `motion.seconds_per_frame` must be between 1e-9 and 1e6 seconds, got 1e-300",
        ),
        (
            "[motion]\nseconds_per_frame = 1e300",
            "5:21: `motion.seconds_per_frame` must be between 1e-9 and 1e6 seconds, got 1e300",
        ),
        (
            "[motion]\nfps = 1e-300",
            "5:7: `motion.fps` must be between 1e-6 and 1e9 frames per second, got 1e-300",
        ),
        (
            "[simulate]\nseconds_per_frame = 1e-300",
            "5:21: `simulate.seconds_per_frame` must be between 1e-9 and 1e6 seconds, got 1e-300",
        ),
        (
            "[motion]\nseconds_per_frame = 'atuo'",
            "5:21: `motion.seconds_per_frame` cannot be \"atuo\"; did you mean `auto`?",
        ),
        (
            "[motion]\nseconds_per_frame = [1]",
            "5:21: `motion.seconds_per_frame` takes a number of seconds or \"auto\", found a list",
        ),
    ]);
}

#[test]
fn the_edit_is_read() {
    let edit = full().edit;
    assert_eq!((edit.method, edit.modes), (Method::Control, 200));
    assert_eq!(edit.damping, Some(Damping { mass: 0.1, stiffness: 0.01 }));
    assert_eq!(edit.ends, Ends::Apart { start: Some(End::Free), end: Some(End::Clamped) });
    assert_eq!(edit.window, Some(-20..=180));
    assert_eq!((edit.gravity, edit.weight), (Some([0.0, -9.81, 0.0]), Some(true)));
    assert!(edit.sparse.is_some() && edit.control.is_some() && edit.material.is_none());
    let expert = Expert { fade: Some(8.0), space: Some(-0.5), wiggle_free: Some(2.0), limit: Some(1.25) };
    assert_eq!((edit.expert, edit.part.as_deref()), (Some(expert), Some("mast")));
    assert_eq!((edit.warp, edit.exact), (false, false));
    assert_eq!(edit.poses.len(), 3);
    assert_eq!(edit.poses[0], Pose::of_file(90, "crouch.obj"));
    let dance = Pose {
        when: When::Frames(100..=120),
        file_frame: Some(12),
        every: Some(5),
        velocity: Some(PoseVelocity::File("dance-velocity.obj".into())),
        group: Some("mast".into()),
        hold: Hold::Soft(3.0),
        ..Pose::of_file(0, "dance.pc2")
    };
    assert_eq!(edit.poses[1], dance);
    assert_eq!(dance.frames().collect::<Vec<_>>(), [100, 105, 110, 115, 120]);
    let pushed = &edit.poses[2];
    assert_eq!((pushed.file.as_ref(), pushed.loads.len(), pushed.pins.len()), (None, 1, 1));
    assert_eq!(pushed.velocity, Some(PoseVelocity::Of([0.0, 1.0, 0.0])));

    let edit = |line: &str| parse(&format!("[edit]\n{line}")).unwrap().edit;
    assert_eq!(edit("ends = 'loop'"), Edit { ends: Ends::Loop, ..Edit::default() });
    assert_eq!(edit("ends = {}"), Edit::default());
    assert_eq!((edit("").feel, edit("feel = 'lively'").feel), (Feel::Smooth, Feel::Lively));
    assert_eq!(edit("reach = 12\nspread = 0.5").reach, Some(Reach(12.0)));
    assert_eq!(edit("reach = 12\nspread = 0.5").spread, Some(Spread(0.5)));
    let damping = Some(Damping { mass: 0.0, stiffness: 0.5 });
    assert_eq!(edit("damping = { stiffness = 0.5 }"), Edit { damping, ..Edit::default() });
    for method in [Method::Drag, Method::Sparse, Method::Material, Method::Control, Method::Character] {
        assert_eq!(edit(&format!("method = '{}'", method.name())).method, method);
    }
}

#[test]
fn mistakes_in_the_edit_are_named() {
    refused(&[
        ("[edit]\nmode = 3", "5:1: unknown key `mode` in [edit]; did you mean `modes`?"),
        ("[edit]\nmodes = 1.5", "5:9: `edit.modes` takes a whole number, found a number"),
        ("[edit]\nmodes = 0", "5:9: `edit.modes` must be at least 1, got 0"),
        ("[edit]\nmethod = 'darg'", "5:10: `edit.method` cannot be \"darg\"; did you mean `drag`?"),
        (
            "[edit]\ndamping = { masse = 1 }",
            "5:13: unknown key `masse` in [edit.damping]; did you mean `mass`?",
        ),
        ("[edit]\ndamping = { mass = -1 }", "5:20: `edit.damping.mass` must not be negative, got -1"),
        (
            "[edit]\ndamping = { stiffness = -1 }",
            "5:25: `edit.damping.stiffness` must not be negative, got -1",
        ),
        ("[edit]\nends = 'lop'", "5:8: `edit.ends` cannot be \"lop\"; did you mean `loop`?"),
        ("[edit]\nends = 1", "5:8: `edit.ends` takes \"loop\" or a table, found a whole number"),
        (
            "[edit]\nends = { strat = 'free' }",
            "5:10: unknown key `strat` in [edit.ends]; did you mean `start`?",
        ),
        (
            "[edit]\nends = { end = 'clampd' }",
            "5:16: `edit.ends.end` cannot be \"clampd\"; did you mean `clamped`?",
        ),
        ("[edit]\nfeel = 'smoth'", "5:8: `edit.feel` cannot be \"smoth\"; did you mean `smooth`?"),
        ("[edit]\nfeel = 'calm'", "5:8: `edit.feel` cannot be \"calm\"; known: `smooth`, `lively`"),
        ("[edit]\nreach = 0", "5:9: `edit.reach` must be greater than 0, got 0"),
        ("[edit]\nspread = 0.04", "5:10: `edit.spread` must be between 0.05 and 1, got 0.04"),
        ("[edit]\nspread = 1.5", "5:10: `edit.spread` must be between 0.05 and 1, got 1.5"),
        (
            "[edit]\nreach = { frames = 8 }",
            "5:9: `edit.reach` is now a number of frames, such as `reach = 24`; its old keys `frames` and \
             `space` are now `fade` and `space` in [edit.expert]",
        ),
        (
            "[edit]\nwiggle_free = 1",
            "5:1: unknown key `wiggle_free` in [edit]; it is now a key of [edit.expert]",
        ),
        ("[edit.expert]\nfade = 0", "5:8: `edit.expert.fade` must be greater than 0, got 0"),
        ("[edit.expert]\nwiggle_free = 0", "5:15: `edit.expert.wiggle_free` must be greater than 0, got 0"),
        ("[edit.expert]\nlimit = 1", "5:9: `edit.expert.limit` must be greater than 1, got 1"),
        ("[edit]\nwindow = [5, 4]", "5:10: `edit.window` ends at 4, before it begins at 5"),
        ("[edit]\nwindow = [5]", "5:10: `edit.window` takes two frames [first, last], found 1"),
        ("[edit]\nwindow = 5", "5:10: `edit.window` takes two frames [first, last], found a whole number"),
        (
            "[edit]\nwindow = [0, 3000000000]",
            "5:14: `edit.window[1]` must be between -2147483648 and 2147483647, got 3000000000",
        ),
        ("[edit]\npose = { frame = 1 }", "5:8: `edit.pose` takes a list of tables, found a table"),
        ("[[edit.pose]]\nfile = 'a.obj'", "4:1: `edit.pose[0]` takes one of frame or frames, found none"),
    ]);
}

#[test]
fn handles_are_read() {
    let handles = [
        (When::Frame(60), Site::Vertex(VertexId(1234)), Goal::To([1.2, 3.4, 0.0]), Hold::Hard),
        (When::Frames(60..=72), Site::BodyVertex(VertexId(4)), Goal::By([0.0, 1.0, 0.0]), Hold::Soft(100.0)),
        (
            When::Frame(-3),
            Site::Vertices(vec![VertexId(1), VertexId(2)]),
            Goal::Velocity([0.0, 0.0, 1.0]),
            Hold::Hard,
        ),
        (
            When::Frame(1),
            Site::Group("mast".into()),
            Goal::Plane { point: [0.0, 1.0, 0.0], normal: [0.0, 2.0, 0.0] },
            Hold::Hard,
        ),
        (When::Frames(7..=7), Site::Near([0.5, 0.0, 1e-9]), Goal::Path("curves/tip.csv".into()), Hold::Hard),
        (When::Frame(8), Site::CenterOfMass, Goal::By([0.0; 3]), Hold::Hard),
        (When::Frame(9), Site::Joint("LeftHand".into()), Goal::To([0.0; 3]), Hold::Hard),
    ];
    let mut handles =
        handles.map(|(when, site, goal, hold)| Handle { hold, ..Handle::new(when, site, goal) }).to_vec();
    let turn = Goal::Turn { about: [0.0, 1.0, 0.0], axis: [0.0, 0.0, 2.0], degrees: -45.0 };
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

#[test]
fn mistakes_in_handles_are_named() {
    const SITES: &str = "vertex, body_vertex, vertices, group, near, joint or center_of_mass";
    let handle = |lines: &str| parse(&format!("[[edit.handle]]\n{lines}")).unwrap_err().to_string();
    for (lines, expected) in [
        ("frame = 1\nto = [0, 0, 0]", format!("4:1: `edit.handle[0]` takes one of {SITES}, found none")),
        (
            "frame = 1\nvertex = 1\ngroup = 'a'\nnear = [0, 0, 0]\nto = [0, 0, 0]",
            format!("4:1: `edit.handle[0]` takes one of {SITES}, found vertex, group and near"),
        ),
    ] {
        assert_eq!(handle(lines), format!("bridge.toml:{expected}"));
    }
    let site = "frame = 1\nto = [0, 0, 0]\n";
    let goal = "frame = 1\nvertex = 1\n";
    let rest = "vertex = 1\nto = [0, 0, 0]\n";
    for (lines, line, expected) in [
        (site, "vertx = 1", "7:1: unknown key `vertx` in [edit.handle[0]]; did you mean `vertex`?"),
        (site, "vertex = 1.0", "7:10: `edit.handle[0].vertex` takes a whole number, found a number"),
        (
            site,
            "body_vertex = -1",
            "7:15: `edit.handle[0].body_vertex` must be between 0 and 4294967295, got -1",
        ),
        (site, "vertices = []", "7:12: `edit.handle[0].vertices` is empty"),
        (
            site,
            "vertices = 3",
            "7:12: `edit.handle[0].vertices` takes a list of vertex numbers, found a whole number",
        ),
        (site, "center_of_mass = false", "7:18: `edit.handle[0].center_of_mass` must be true, or left out"),
        (
            site,
            "center_of_mass = 1",
            "7:18: `edit.handle[0].center_of_mass` takes true, found a whole number",
        ),
        (site, "joint = ''", "7:9: `edit.handle[0].joint` is empty"),
        (goal, "", "4:1: `edit.handle[0]` takes one of to, by, velocity, path, turn or plane, found none"),
        (
            goal,
            "to = [0, 0, 0]\nby = [0, 0, 0]",
            "4:1: `edit.handle[0]` takes one of to, by, velocity, path, turn or plane, found to and by",
        ),
        (goal, "by = [0, nan, 0]", "7:10: `edit.handle[0].by[1]` must be a finite number, got nan"),
        (goal, "path = ''", "7:8: `edit.handle[0].path` is empty"),
        (goal, "plane = { point = [0, 0, 0] }", "7:9: [edit.handle[0].plane] needs the key `normal`"),
        (
            goal,
            "plane = { point = [0, 0, 0], normal = [0, -0.0, 0] }",
            "7:9: `edit.handle[0].plane` has no direction: its normal is 0",
        ),
        (rest, "", "4:1: `edit.handle[0]` takes one of frame or frames, found none"),
        (
            rest,
            "frame = 1\nframes = [1, 2]",
            "4:1: `edit.handle[0]` takes one of frame or frames, found frame and frames",
        ),
        (rest, "frames = [2, 1]", "7:10: `edit.handle[0].frames` ends at 1, before it begins at 2"),
        (
            goal,
            "turn = { about = [0, 0, 0], axis = [0, 0, 0], degrees = 9 }",
            "7:8: `edit.handle[0].turn` has no direction: its axis is 0",
        ),
        (
            rest,
            "frame = 1\naxes = 'xx'",
            "8:8: `edit.handle[0].axes` cannot be \"xx\"; write axes as \"x\" or \"xz\"",
        ),
        (rest, "frame = 1\nhold = 0", "8:8: `edit.handle[0].hold` must be greater than 0, got 0"),
        (
            rest,
            "frame = 1\nhold = 'hrd'",
            "8:8: `edit.handle[0].hold` cannot be \"hrd\"; did you mean `hard`?",
        ),
        (
            rest,
            "frame = 1\nhold = true",
            "8:8: `edit.handle[0].hold` takes \"hard\" or a number, found true or false",
        ),
    ] {
        assert_eq!(handle(&format!("{lines}{line}")), format!("bridge.toml:{expected}"), "{line}");
    }
}

#[test]
fn simulation_loads_and_contacts_are_read() {
    let shot = full();
    let mesh = |file: &str| ObstacleShape::Mesh(file.into());
    let sphere = ObstacleShape::Sphere { center: [0.0, 1.0, 0.0], radius: 0.5 };
    let simulate = Simulate {
        integrator: Integrator::Euler,
        seconds_per_frame: Some(0.05),
        substeps: Substeps::Count(2),
        gravity: [0.0, 0.0, -9.81],
        damping: Damping { mass: 0.2, stiffness: 0.001 },
        floor: Some(Floor { height: -0.5, friction: 0.4 }),
        obstacles: vec![
            Obstacle { shape: mesh("stairs.obj"), friction: None },
            Obstacle { shape: mesh("wall.obj"), friction: Some(0.3) },
            Obstacle { shape: sphere, friction: None },
            Obstacle { shape: ObstacleShape::Box { min: [0.0; 3], max: [1.0; 3] }, friction: Some(1.0) },
        ],
        anchors_motion: Some("deck.csv".into()),
        initial: Initial {
            pose: Some("bent.obj".into()),
            settle: true,
            velocity: Some([0.0, 1.0, 0.0]),
            spin: Some([0.0, 0.0, 2.0]),
        },
        cage: Some(24),
    };
    assert_eq!(shot.simulate, simulate);
    let load = |group: &str, force, frames, stage| Load {
        site: Site::Group(group.into()),
        push: Push::Force(force),
        frames,
        stage,
    };
    let loads = [
        load("mast", [0.0, 0.0, 50.0], Some(1..=20), None),
        load("deck", [0.0, -1.0, 0.0], None, Some(2)),
        Load {
            site: Site::Vertex(VertexId(3)),
            push: Push::Track("wind.csv".into()),
            frames: None,
            stage: None,
        },
    ];
    assert_eq!(shot.loads, loads);
    let pins = [
        Pin { site: Site::Vertices(vec![VertexId(4), VertexId(5)]), stage: None },
        Pin { site: Site::Near([0.0, 1.0, 0.0]), stage: Some(2) },
    ];
    assert_eq!(shot.pins, pins);
    let contacts = Contacts {
        file: Some("contacts.csv".into()),
        kind: Some(ContactKind::Stick),
        off: true,
        cluster: Clustering::Together(ClusterLimits { frames: 12, size: 0.05 }),
        blend: 3,
        ..Contacts::default()
    };
    assert_eq!(shot.contacts, Some(contacts));
    contacts_are_read();
    let floor = parse("[simulate]\nfloor = {}").unwrap().simulate.floor;
    assert_eq!(floor, Some(Floor { height: 0.0, friction: 0.0 }));
}

fn contacts_are_read() {
    let contacts = |lines: &str| parse(&format!("[contacts]\n{lines}")).unwrap().contacts.unwrap();
    let floor = Detect { floor: Some(0.5), ..Detect::default() };
    assert_eq!(contacts("detect = { floor = 0.5 }"), Contacts::detected(floor));
    let all = Detect {
        floor: None,
        obstacles: true,
        mesh: Some("stairs.obj".into()),
        itself: true,
        plants: true,
        within: 0.01,
    };
    assert_eq!(
        contacts(
            "detect = { obstacles = true, mesh = 'stairs.obj', self = true, plants = true, within = 0.01 }"
        )
        .detect,
        Some(all)
    );
    // Several sources at once, and none at all.
    let both = contacts("file = 'a'\ndetect = { floor = 0.5 }\nnew = 'report'");
    assert_eq!((both.file, both.new), (Some("a".into()), Some(NewContacts::Report)));
    assert!(both.detect.is_some() && both.from.is_none());
    let held = Contacts { new: Some(NewContacts::Hold), ..Contacts::default() };
    assert_eq!(contacts("new = 'hold'"), held);
    let simulated = contacts("from = 'simulation'\ncluster = false");
    assert_eq!(simulated.from, Some(Recorder::Simulation));
    assert_eq!(simulated.cluster, Clustering::Apart);
    assert_eq!(contacts("file = 'a'\ncluster = true").cluster, Clustering::default());
    let longer = ClusterLimits { frames: 9, ..ClusterLimits::default() };
    assert_eq!(contacts("file = 'a'\ncluster = { frames = 9 }").cluster, Clustering::Together(longer));
}

#[test]
fn mistakes_in_simulation_loads_and_contacts_are_named() {
    refused(&[
        ("[simulat]", "4:2: unknown key `simulat` in the shot; did you mean `simulate`?"),
        ("[simulate]\nsubstep = 1", "5:1: unknown key `substep` in [simulate]; did you mean `substeps`?"),
        ("[simulate]\nsubsteps = 0", "5:12: `simulate.substeps` must be at least 1, got 0"),
        (
            "[simulate]\ngravity = -9.81",
            "5:11: `simulate.gravity` takes three numbers [x, y, z], found a number",
        ),
        (
            "[simulate]\nfloor = { friction = -1 }",
            "5:22: `simulate.floor.friction` must not be negative, got -1",
        ),
        (
            "[simulate]\nfloor = { heigth = 1 }",
            "5:11: unknown key `heigth` in [simulate.floor]; did you mean `height`?",
        ),
        (
            "[simulate]\nobstacles = [{}]",
            "5:14: `simulate.obstacles[0]` takes one of mesh, sphere or box, found none",
        ),
        (
            "[simulate]\nobstacles = [{ sphere = { center = [0, 0, 0], radius = 0 } }]",
            "5:25: `simulate.obstacles[0].sphere` needs a radius greater than 0",
        ),
        (
            "[simulate]\nobstacles = [{ mesh = 'a.obj', friction = -1 }]",
            "5:43: `simulate.obstacles[0].friction` must not be negative, got -1",
        ),
        (
            "[simulate]\ninitial = { settle = 1 }",
            "5:22: `simulate.initial.settle` takes true or false, found a whole number",
        ),
        (
            "[simulate]\nintegrator = 'verlet'",
            "5:14: `simulate.integrator` cannot be \"verlet\"; known: `newmark`, `euler`",
        ),
        ("[simulate]\ncage = 0", "5:8: `simulate.cage` must be at least 1, got 0"),
        ("[load]\ngroup = 'a'", "4:1: `load` takes a list of tables, found a table"),
        ("[[load]]\ngroup = 'a'", "4:1: `load[0]` takes one of force or track, found none"),
        (
            "[[load]]\nforce = [0, 0, 1]",
            "4:1: `load[0]` takes one of vertex, body_vertex, vertices, group, near, joint or center_of_mass, found none",
        ),
        ("[[pin]]\ngroup = 'a'\nstage = 0", "6:9: `pin[0].stage` must be at least 1, got 0"),
        (
            "[[load]]\ngroup = 'a'\nforce = [0, 0, 1]\nframes = [3, 1]",
            "7:10: `load[0].frames` ends at 1, before it begins at 3",
        ),
        (
            "[contacts]\ndetect = { flor = 0 }",
            "5:12: unknown key `flor` in [contacts.detect]; did you mean `floor`?",
        ),
        (
            "[contacts]\ndetect = { within = 0.1 }",
            "5:10: `contacts.detect` has nothing to detect: add floor, obstacles, mesh, self or plants",
        ),
        (
            "[contacts]\ndetect = { self = true, within = 0 }",
            "5:34: `contacts.detect.within` must be greater than 0, got 0",
        ),
        (
            "[contacts]\nfrom = 'simulator'",
            "5:8: `contacts.from` cannot be \"simulator\"; did you mean `simulation`?",
        ),
        (
            "[contacts]\nfile = 'a'\ncluster = 3",
            "6:11: `contacts.cluster` takes true, false or a table, found a whole number",
        ),
        (
            "[contacts]\nfile = 'a'\ncluster = { frames = 0 }",
            "6:22: `contacts.cluster.frames` must be at least 1, got 0",
        ),
        (
            "[contacts]\nfile = 'a'\ncluster = { size = -1 }",
            "6:20: `contacts.cluster.size` must be greater than 0, got -1",
        ),
        (
            "[contacts]\nfile = 'a'\nblend = -1",
            "6:9: `contacts.blend` must be between 0 and 4294967295, got -1",
        ),
        (
            "[contacts]\nfile = 'a'\nkind = 'slid'",
            "6:8: `contacts.kind` cannot be \"slid\"; did you mean `slide`?",
        ),
    ]);
}
