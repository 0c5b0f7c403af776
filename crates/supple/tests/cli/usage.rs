//! Help, versions and wrong arguments.

use crate::cli::run::Place;

#[test]
fn every_command_helps_with_an_example() {
    let place = Place::new();
    for command in [
        &[][..],
        &["samples"],
        &["sample"],
        &["info"],
        &["prepare"],
        &["render"],
        &["cache"],
        &["cache", "list"],
        &["cache", "clear"],
    ] {
        let help = place.done(&[command, &["--help"]].concat());
        let line = format!("  supple {}", command.join(" "));
        let examples = help.matches("\n  supple ").count();
        let heading = if examples == 1 { "\nExample:\n" } else { "\nExamples:\n" };
        assert!(help.contains(heading) && help.contains(line.trim_end()), "{command:?}: {help}");
    }
    assert!(place.done(&["--version"]).starts_with("supple "));
    assert!(place.names(".").is_empty(), "help writes nothing");
}

#[test]
fn what_is_not_understood_is_wrong_usage() {
    let place = Place::new();
    for wrong in
        [&["sampels"][..], &["info"], &["samples", "--fast"], &["--threads", "0"], &["--threads", "two"]]
    {
        let run = place.run(wrong);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{wrong:?}");
        assert!(run.stderr.starts_with("error: "), "{wrong:?}");
    }
    assert!(place.run(&["sampels"]).stderr.contains("samples"), "the nearest command is suggested");
    assert!(place.names(".").is_empty());
}
