//! `[edit.control]`, and what poses say that are for the method `control` alone.

use super::{full, parse, refused};
use std::path::{Path, PathBuf};
use supple_project::shot::{
    Anchor, Components, Control, ControlBasis, ControlSolver, Edit, Effort, End, FrameTime, Guess, Length,
    Method, Pose, Recorded, Shot,
};

fn everything() -> Control {
    Control {
        solver: ControlSolver::Cg,
        guess: Guess::Arcs,
        effort: Effort::Of(1e-5),
        basis: ControlBasis {
            tangents: false,
            samples: 2,
            modes: 20,
            mode_anchors: Some(vec![Anchor::Group("base".into())]),
            recorded: Some(Recorded::File("fins.pc2".into())),
            size: Some(24),
        },
        keys_per_window: Some(4),
        time: FrameTime::PerKey,
        rigid: Some("swim.csv".into()),
    }
}

#[test]
fn settings_are_read_and_written() {
    assert_eq!(full().edit.control_settings().unwrap(), everything());
    let control = |lines: &str| parse(&format!("[edit]\nmethod = 'control'\n{lines}")).unwrap().edit;
    assert_eq!(control("").control_settings().unwrap(), Control::default());
    let recorded = control("[edit.control]\nbasis = { recorded = 'simulate' }");
    assert_eq!(recorded.control_settings().unwrap().basis.recorded, Some(Recorded::Simulate));
    let mut edit = Edit::default();
    edit.set_control_settings(&everything()).unwrap();
    assert_eq!(edit.control_settings().unwrap(), everything());
    edit.set_control_settings(&Control::default()).unwrap();
    assert_eq!(edit.control, None, "the default needs no words");
}

/// The table is kept as text, and the files in it were left behind when a shot was saved elsewhere.
#[test]
fn files_it_names_follow_a_shot_that_moves() {
    let mut shot = full();
    assert!(shot.files().contains(&PathBuf::from("swim.csv")));
    assert!(shot.files().contains(&PathBuf::from("fins.pc2")));
    shot.relocate(Path::new("swim.csv"), Path::new("../swim.csv"));
    let own = shot.edit.control_settings().unwrap();
    assert_eq!(own.rigid, Some("../swim.csv".into()));
    assert_eq!(own.basis, everything().basis);
    let word =
        parse("[edit]\nmethod = 'control'\n[edit.control]\nbasis = { recorded = 'simulate' }").unwrap();
    assert!(!word.files().contains(&PathBuf::from("simulate")), "a word is no file");
}

#[test]
fn settings_that_are_none_are_named() {
    let cases = [
        ("solver = 'newtn'", "7:10: `edit.control.solver` cannot be \"newtn\"; did you mean `newton`?"),
        ("guess = 'arc'", "7:9: `edit.control.guess` cannot be \"arc\"; did you mean `arcs`?"),
        ("effort = 0", "7:10: `edit.control.effort` must be greater than 0, got 0"),
        ("effort = nan", "7:10: `edit.control.effort` must be a finite number, got nan"),
        ("time = 'free'", "7:8: `edit.control.time` cannot be \"free\"; known: `fixed`, `per-key`"),
        ("keys_per_window = 0", "7:19: `edit.control.keys_per_window` must be at least 1, got 0"),
        ("basis = { size = 0 }", "7:18: `edit.control.basis.size` must be at least 1, got 0"),
        ("basis = { mode = 3 }", "7:11: unknown key `mode` in [edit.control.basis]; did you mean `modes`?"),
        (
            "basis = { mode_anchors = [] }",
            "7:26: `edit.control.basis.mode_anchors` is empty; leave it out for the anchors of the motion",
        ),
        ("wieght = 3", "7:1: unknown key `wieght` in [edit.control]; known: "),
    ];
    for (line, expected) in cases {
        let text = format!("[edit]\nmethod = 'control'\n[edit.control]\n{line}");
        let said = parse(&text).unwrap_err().to_string();
        assert!(said.starts_with(&format!("bridge.toml:{expected}")), "{said}");
    }
    let modes = "[edit]\nmethod = 'control'\nmodes = 3";
    refused(&[(
        modes,
        "6:9: `edit.modes` is for the methods \"drag\", \"sparse\" and \"material\", and this shot's method is \
         \"control\"",
    )]);
}

#[test]
fn poses_and_segments_that_are_none_are_named() {
    let pose = |method: &str, lines: &str| {
        format!("[edit]\nmethod = '{method}'\n[[edit.pose]]\nframe = 3\nfile = 'a.obj'\n{lines}")
    };
    let segment = |lines: &str| format!("[edit]\nmethod = 'control'\n[[edit.segment]]\n{lines}");
    let cases = [
        (pose("control", "hold = -1"), "9:8: `edit.pose[0].hold` must be greater than 0, got -1"),
        (pose("control", "hold = nan"), "9:8: `edit.pose[0].hold` must be a finite number, got nan"),
        (
            pose("control", "components = []"),
            "9:14: `edit.pose[0].components` is empty; leave it out for all",
        ),
        (pose("control", "components = [0]"), "9:15: `edit.pose[0].components[0]` must be at least 1, got 0"),
        (
            pose("control", "components = 1"),
            "9:14: `edit.pose[0].components` takes a list of numbers, the first 1, found a whole number",
        ),
        (
            pose("control", "group = 'tail'\ncomponents = [1]"),
            "10:14: `edit.pose[0].components` cannot be combined with `group`; remove one of them",
        ),
        (
            pose("sparse", "components = [1]"),
            "9:14: `edit.pose[0].components` is for the method \"control\", and this shot's method is \"sparse\"",
        ),
        (
            segment("flight = {}"),
            "7:10: `edit.segment[0].flight` is for the method \"sparse\"; the segments of this one have `frames`",
        ),
        (
            segment("frames = 3\nend = 'free'"),
            "8:7: `edit.segment[0].end` is for the method \"sparse\"; the segments of this one end as their poses \
             ask",
        ),
        (
            segment("frames = 3\n[[edit.segment.pose]]\nat = 4\nfile = 'a.obj'"),
            "9:6: `edit.segment[0].pose[0].at` must be within its segment of 3 frames, got 4",
        ),
    ];
    refused(&cases.iter().map(|(text, message)| (text.as_str(), *message)).collect::<Vec<_>>());
}

/// The window's switch of methods must not leave what the file then refuses.
#[test]
fn another_method_drops_what_control_does_not_use() {
    let text = "[edit]\nmethod = 'sparse'\nmodes = 40\ngravity = [0, -9.81, 0]\n[[edit.segment]]\nframes = 3\nend = \
                'free'\n[[edit.segment.pose]]\nat = 2\nfile = 'a.obj'\n[[edit.segment]]\nflight = {}";
    let mut shot = parse(text).unwrap();
    assert_eq!(shot.edit.choose(Method::Control), ["modes", "end", "flight"]);
    assert_eq!(shot.edit.segments[0].end, None::<End>);
    assert!(matches!(shot.edit.segments[1].length, Length::Frames(_)));
    let asked = Pose { components: Some(Components(vec![2])), ..shot.edit.segments[0].poses[0].clone() };
    shot.edit.segments[0].poses = vec![asked];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shot.toml");
    shot.save(&path).unwrap();
    let mut again = Shot::load(&path).unwrap();
    assert_eq!(again.edit, shot.edit);
    assert_eq!(again.edit.choose(Method::Sparse), ["components"]);
}
