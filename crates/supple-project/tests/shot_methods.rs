//! Reading shot files: which method uses what of `[edit]`, and what poses may say.

use crate::shot_sections::{parse, refused};
use supple_project::shot::{Method, Shot};

/// A setting of another method had no effect and nobody was told.
#[test]
fn a_key_that_the_method_does_not_use_names_those_that_do() {
    refused(&[
        (
            "[edit]\nmethod = 'control'\nreach = 12",
            "6:9: `edit.reach` is for the method \"drag\", and this shot's method is \"control\"",
        ),
        (
            "[edit]\ngravity = [0, -9.81, 0]",
            "5:11: `edit.gravity` is for the methods \"sparse\" and \"control\", and this shot's method is \"drag\"",
        ),
        (
            "[[edit.pose]]\nframe = 1\nfile = 'a.obj'",
            "4:1: `edit.pose` is for the methods \"sparse\", \"material\" and \"control\", and this shot's method \
             is \"drag\"",
        ),
    ]);
}

#[test]
fn a_pose_says_what_it_lacks() {
    let pose = |lines: &str| format!("[edit]\nmethod = 'control'\n[[edit.pose]]\n{lines}");
    let cases = [
        ("frame = 1", "6:1: `edit.pose[0]` takes a `file`, or `loads` and `pins`"),
        (
            "frame = 1\nfile = 'a.obj'\npins = [{ vertex = 1 }]",
            "6:1: `edit.pose[0]` takes either a `file`, or `loads` and `pins`, found both",
        ),
        (
            "frame = 1\nfile_frame = 3\npins = [{ vertex = 1 }]",
            "8:14: `edit.pose[0].file_frame` is the frame of a `file`, and there is none",
        ),
        ("frame = 1\nevery = 3\nfile = 'a.pc2'", "8:9: `edit.pose[0].every` needs `frames`"),
        ("frames = [1, 9]\nevery = 0\nfile = 'a.pc2'", "8:9: `edit.pose[0].every` must be at least 1, got 0"),
    ];
    let cases: Vec<(String, &str)> = cases.map(|(lines, message)| (pose(lines), message)).into();
    refused(&cases.iter().map(|(text, message)| (text.as_str(), *message)).collect::<Vec<_>>());
}

/// The window's switch of methods left keys behind that the file then refused.
#[test]
fn another_method_drops_what_it_does_not_use_and_keeps_tables_of_their_own() {
    let text = "[edit]\nreach = 12\nmodes = 40\n[edit.expert]\nlimit = 2\n[edit.sparse]\nfade = 3";
    let mut shot = parse(text).unwrap();
    assert_eq!(shot.edit.choose(Method::Sparse), ["reach"]);
    assert_eq!((shot.edit.modes, shot.edit.reach), (40, None));
    let (expert, sparse) = (shot.edit.expert, shot.edit.sparse.clone());
    assert!(expert.is_some() && sparse.is_some());
    shot.edit.weight = Some(true);
    assert_eq!(shot.edit.choose(Method::Material), ["weight"]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shot.toml");
    shot.save(&path).unwrap();
    let again = Shot::load(&path).unwrap();
    assert_eq!(again.edit, shot.edit);
    assert_eq!((again.edit.expert, again.edit.sparse), (expert, sparse));
}
