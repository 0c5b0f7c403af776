//! `supple prepare`.

use crate::cli::run::{BAR, Place, keys};
use serde_json::json;
use std::fs;
use std::path::PathBuf;

#[test]
fn modes_are_computed_once_and_verified() {
    let place = Place::with_bar();
    let first = place.json(&["prepare", "bar.toml"]);
    let expected = [
        "anchors",
        "control",
        "count_below",
        "counted",
        "degrees_of_freedom",
        "element_kind",
        "elements",
        "found",
        "frequencies",
        "from_cache",
        "input",
        "material",
        "modes",
        "orthonormality",
        "rigid_modes",
        "seconds",
        "shot",
        "vertices",
        "warnings",
        "worst_residual",
    ];
    assert_eq!(keys(&first), expected);
    assert_eq!(
        (&first["modes"], &first["from_cache"], &first["rigid_modes"]),
        (&json!(10), &json!(false), &json!(0))
    );
    assert_eq!(first["counted"], first["found"]);
    assert!(first["worst_residual"].as_f64().unwrap() < 1e-9);

    let second = place.json(&["prepare", "bar.toml"]);
    assert_eq!(second["from_cache"], true);
    assert_eq!(second["frequencies"], first["frequencies"]);
    // Fewer are the beginning of more; more are computed.
    let fewer = place.json(&["prepare", "bar.toml", "--modes", "3"]);
    assert_eq!(fewer["from_cache"], true);
    assert_eq!(fewer["frequencies"].as_array().unwrap()[..], first["frequencies"].as_array().unwrap()[..3]);
    assert_eq!(place.json(&["prepare", "bar.toml", "--modes", "12"])["from_cache"], false);
}

#[test]
fn the_text_tells_frequencies_and_the_count() {
    let place = Place::with_bar();
    place.write("bar.toml", BAR.replace("anchors", "# anchors"));
    let text = place.done(&["prepare", "bar.toml"]);
    assert!(text.contains("rigid rigid rigid rigid rigid rigid "), "{text}");
    assert!(text.contains("6 rigid modes: the body is free to move"), "{text}");
    assert!(text.contains("computed") && text.contains("eigenvalues below"), "{text}");
    assert!(place.done(&["prepare", "bar.toml"]).contains("from the cache"));
}

#[test]
fn a_damaged_cache_is_noticed_and_replaced() {
    let place = Place::with_bar();
    let frequencies = place.json(&["prepare", "bar.toml"])["frequencies"].clone();
    let entry = || -> PathBuf { place.path().join("bar.cache").join(&place.names("bar.cache")[0]) };
    let whole = fs::read(entry()).unwrap();
    for damaged in [b"garbage".to_vec(), whole[..whole.len() - 9].to_vec(), Vec::new()] {
        fs::write(entry(), damaged).unwrap();
        let run = place.run(&["prepare", "bar.toml", "--json"]);
        assert_eq!(run.code, Some(0));
        assert!(run.stderr.starts_with("warning: ignored the cache entry"), "{run:?}");
        let answer: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!((&answer["from_cache"], &answer["frequencies"]), (&json!(false), &frequencies));
        assert_eq!(answer["warnings"].as_array().unwrap().len(), 1);
        assert_eq!(place.json(&["prepare", "bar.toml"])["from_cache"], true);
    }
}

#[test]
fn errors_name_the_culprit_and_the_way_out() {
    let place = Place::with_bar();
    let message = place.error(&["prepare", "bar.toml", "--modes", "49"]);
    assert!(
        message.contains("49 modes") && message.contains("48 degrees") && message.contains("--modes"),
        "{message}"
    );
    place.write("bar.toml", BAR.replace("young", "yung"));
    let message = place.error(&["prepare", "bar.toml"]);
    assert_eq!(message, "bar.toml:4:14: unknown key `yung` in [body.material]; did you mean `young`?");
    let message = place.error(&["prepare", "none.toml"]);
    assert!(message.starts_with("cannot read none.toml"), "{message}");
    assert_eq!(place.run(&["prepare", "bar.toml", "--modes", "0"]).code, Some(2));
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let place = Place::with_bar();
    let one = place.json(&["prepare", "bar.toml", "--threads", "1"]);
    place.done(&["cache", "clear", "bar.toml"]);
    let three = place.json(&["--threads", "3", "prepare", "bar.toml"]);
    assert_eq!((&three["from_cache"], &three["frequencies"]), (&json!(false), &one["frequencies"]));
}
