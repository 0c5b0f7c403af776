//! `supple samples` and `supple sample`.

use crate::cli::run::{Place, keys};
use std::process::Stdio;

#[test]
fn samples_are_listed() {
    let place = Place::new();
    let text = place.done(&["samples"]);
    assert!(text.lines().any(|line| line.starts_with("bridge  ")), "{text}");
    let answer = place.json(&["samples"]);
    assert_eq!(keys(&answer), ["samples"]);
    let samples = answer["samples"].as_array().unwrap();
    assert_eq!(samples.len(), text.lines().count());
    assert!(samples.iter().all(|sample| keys(sample) == ["about", "name"]));
    assert!(place.names(".").is_empty(), "a list writes nothing");
}

#[test]
fn a_sample_is_written_and_can_be_used() {
    let place = Place::new();
    let text = place.done(&["sample", "beam"]);
    assert_eq!(place.names("beam"), ["beam-push.csv", "beam-skin.obj", "beam.inp", "beam.toml"]);
    assert!(text.contains("supple prepare beam/beam.toml"), "{text}");
    let info = place.json(&["info", "beam/beam.toml"]);
    assert_eq!((&info["problem"], &info["mesh"]), (&serde_json::Value::Null, &"beam.inp".into()));

    let answer = place.json(&["sample", "beam", "-o", "a/b"]);
    assert_eq!(keys(&answer), ["files", "full", "sample", "shot"]);
    assert_eq!(answer["shot"], "a/b/beam.toml");
    for file in answer["files"].as_array().unwrap() {
        assert!(place.path().join(file.as_str().unwrap()).is_file(), "{file}");
    }
}

/// Some samples took minutes before they moved: what is written is ready soon, `--full` writes the paper's, and `info` says which.
#[test]
fn a_sample_is_quick_unless_it_shall_be_full() {
    let place = Place::new();
    assert!(place.done(&["sample", "curtain"]).contains("use --full for the paper's size"));
    assert_eq!(place.json(&["sample", "curtain", "--full", "-o", "whole"])["full"], true);
    assert_eq!(place.json(&["sample", "beam"])["full"], true, "it is quick as it is");
    let [quick, whole] =
        ["curtain/curtain.toml", "whole/curtain.toml"].map(|shot| place.json(&["info", shot]));
    assert_eq!((&quick["body"]["vertices"], &whole["body"]["vertices"]), (&341.into(), &1281.into()));
    assert!(quick["about"].as_str().unwrap().contains("a quarter of the vertices"), "{quick}");
    assert!(whole["about"].as_str().unwrap().ends_with("at the paper's size"), "{whole}");
    assert!(place.done(&["info", "whole/curtain.toml"]).contains("at the paper's size"));
}

#[test]
fn nothing_is_overwritten() {
    let place = Place::new();
    place.write("beam.inp", "my own");
    let message = place.error(&["sample", "beam", "-o", "."]);
    assert!(message.contains("beam.inp already exists"), "{message}");
    assert_eq!(place.read("beam.inp"), b"my own");
    assert_eq!(place.names("."), ["beam.inp"]);
}

#[test]
fn an_unknown_sample_is_wrong_usage_and_the_nearest_is_suggested() {
    let place = Place::new();
    let run = place.run(&["sample", "brige"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert!(
        run.stderr.contains("possible values: bar, beam")
            && run.stderr.contains("similar value exists: 'bridge'"),
        "{run:?}"
    );
    let run = place.run(&["sample", "brige", "--json"]);
    let answer: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((run.code, keys(&answer)), (Some(2), vec!["error"]));
    assert!(answer["error"].as_str().unwrap().starts_with("invalid value 'brige'"), "{answer}");
}

#[test]
fn a_reader_that_has_had_enough_is_no_error() {
    let place = Place::new();
    let mut child =
        place.command(&["samples"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), b"".as_slice()));
}
