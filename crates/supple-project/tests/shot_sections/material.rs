//! `[edit.material]`, and what the method `material` does not take.

use super::parse;
use std::path::PathBuf;
use supple_project::shot::{Edit, Expert, MaterialEdit, Method, Optimise};

fn material(lines: &str) -> Result<Edit, String> {
    parse(&format!("[edit]\nmethod = 'material'\n{lines}"))
        .map(|shot| shot.edit)
        .map_err(|error| error.to_string())
}

#[test]
fn settings_are_read_and_written() {
    assert_eq!(material("").unwrap().material_settings().unwrap(), MaterialEdit::default());
    let text = "[edit.material]\nshapes = 12\nperiod = 36\nrange = 2\nspace = 0.5\noptimise = 'stiffness'";
    let expected = MaterialEdit {
        shapes: Some(12),
        period: Some(36.0),
        range: 2.0,
        space: 0.5,
        optimise: Optimise::Stiffness,
        file: None,
    };
    assert_eq!(material(text).unwrap().material_settings().unwrap(), expected);
    let mut edit = Edit::default();
    edit.set_material_settings(&expected).unwrap();
    assert_eq!(edit.material_settings().unwrap(), expected);
    edit.set_material_settings(&MaterialEdit::default()).unwrap();
    assert_eq!(edit.material, None, "the default needs no words");
    assert_eq!(MaterialEdit::default().shapes(80), 30);
    assert_eq!(MaterialEdit::default().shapes(20), 20);
}

#[test]
fn the_file_it_names_is_one_of_the_shot() {
    let shot = parse("[edit]\nmethod = 'material'\n[edit.material]\nfile = 'rubber.csv'").unwrap();
    assert!(shot.files().contains(&PathBuf::from("rubber.csv")));
}

#[test]
fn settings_that_are_none_are_named() {
    let own = |line: &str| format!("[edit.material]\n{line}");
    let cases = [
        (own("shapes = 0"), "7:10: `edit.material.shapes` must be at least 1, got 0"),
        (own("period = 0"), "7:10: `edit.material.period` must be greater than 0, got 0"),
        (own("range = 0.5"), "7:9: `edit.material.range` must be at least 1, got 0.5"),
        (own("optimise = 'al'"), "7:12: `edit.material.optimise` cannot be \"al\"; did you mean `all`?"),
        (own("shape = 3"), "7:1: unknown key `shape` in [edit.material]; did you mean `shapes`?"),
        (
            own("shapes = 101"),
            "6:1: `edit.material` asks for 101 shapes, but `modes = 100` in [edit]; lower `shapes`, or raise `modes`",
        ),
        (
            own("shapes = 3\nfile = 'a.csv'"),
            "7:10: `edit.material.shapes` comes with `file`; remove one of them",
        ),
        (
            "exact = false".to_owned(),
            "6:9: `edit.exact` is for the methods \"drag\" and \"sparse\", and this shot's method is \"material\"",
        ),
        (
            "[edit.expert]\nwiggle_free = 1".to_owned(),
            "7:15: `edit.expert.wiggle_free` is for the method \"drag\", and this shot's method is \"material\", whose \
             keys stand in [edit.material]",
        ),
    ];
    for (lines, expected) in cases {
        let said = material(&lines).unwrap_err();
        assert!(said.starts_with(&format!("bridge.toml:{expected}")), "{said}");
    }
}

/// A shot that was edited by `drag` would otherwise be refused when it is read again.
#[test]
fn choosing_the_method_drops_what_it_does_not_take() {
    let mut edit = parse("[edit]\nexact = false\n[edit.expert]\nwiggle_free = 1\nlimit = 2").unwrap().edit;
    assert_eq!(edit.choose(Method::Material), ["exact", "wiggle_free"]);
    assert_eq!(edit.expert, Some(Expert { limit: Some(2.0), ..Expert::default() }));
}
