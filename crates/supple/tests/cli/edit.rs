//! `supple edit`.

use crate::cli::run::Place;
use serde_json::json;

#[test]
fn handles_are_added_listed_and_removed() {
    let place = Place::with_bar();
    let original = String::from_utf8(place.read("bar.toml")).unwrap();
    // The bar lies from x = 0 to 4; its input is itself at rest.
    let added =
        place.json(&["edit", "bar.toml", "--frame", "60", "--near", "4.2,1,0.6", "--by", "0,0.5,-0.1"]);
    let handle = &added["handles"][0];
    assert_eq!(
        (&added["done"], &handle["handle"], &handle["at"]),
        (&json!("added"), &json!(1), &json!([4.0, 1.0, 0.5]))
    );
    place.done(&[
        "edit", "bar.toml", "--frame", "10", "--until", "12", "--vertex", "7", "--to", "1,1,1", "--hold", "5",
    ]);
    let listed = place.json(&["edit", "bar.toml", "--list"]);
    let all = listed["handles"].as_array().unwrap();
    assert_eq!(all.len(), 2);
    assert_eq!(
        (&all[0]["asks"], &all[0]["to"], &all[0]["hold"]),
        (&json!("by"), &json!([0.0, 0.5, -0.1]), &json!(null))
    );
    assert_eq!(
        (&all[1]["frame"], &all[1]["last_frame"], &all[1]["hold"]),
        (&json!(10), &json!(12), &json!(5.0))
    );
    let text = place.done(&["edit", "bar.toml", "--remove", "1"]);
    assert!(text.contains("removed") && text.contains("frame 60"), "{text}");
    place.done(&["edit", "bar.toml", "--remove", "1"]);
    assert!(place.done(&["edit", "bar.toml", "--list"]).contains("none"));
    assert_eq!(String::from_utf8(place.read("bar.toml")).unwrap().trim_end(), original.trim_end());
}

#[test]
fn mistakes_are_named() {
    let place = Place::with_bar();
    let edit = |more: &[&'static str]| [&["edit", "bar.toml"][..], more].concat();
    let message = place.error(&edit(&["--remove", "1"]));
    assert!(message.contains("no handle 1") && message.contains("has 0"), "{message}");
    let message = place.error(&edit(&["--frame", "900", "--vertex", "1", "--by", "0,1,0"]));
    assert!(message.contains("there is no frame 900") && message.contains("240"), "{message}");
    let message = place.error(&edit(&["--frame", "9", "--vertex", "99", "--by", "0,1,0"]));
    assert!(message.contains("no vertex 99") && message.contains("20"), "{message}");
    let message = place.error(&edit(&["--frame", "9", "--group", "tip", "--by", "0,1,0"]));
    assert!(message.contains("tip"), "{message}");
    // It was written into the shot, and only `solve` refused it.
    let before = place.read("bar.toml");
    for site in [["--vertex", "0"], ["--near", "0,0,0"]] {
        let message = place.error(&edit(&[&["--frame", "9"][..], &site, &["--by", "0,1,0"]].concat()));
        assert!(message.contains("is anchored and cannot move; choose another vertex"), "{message}");
    }
    assert_eq!(place.read("bar.toml"), before);
    for wrong in [
        &["--frame", "9", "--by", "0,1,0"][..],
        &["--frame", "9", "--vertex", "1"],
        &[],
        &["--frame", "9", "--near", "1,2"],
    ] {
        assert_eq!(place.run(&[&["edit", "bar.toml"], wrong].concat()).code, Some(2), "{wrong:?}");
    }
}

#[test]
fn handles_on_joints_of_a_character_are_added_listed_and_removed() {
    let place = Place::new();
    let shot =
        "[body]\nkind = \"character\"\nskeleton = \"walk.bvh\" # mine\n\n[[edit.layer]]\nname = \"arms\"\n";
    place.write("walk.toml", shot);
    let toe = ["edit", "walk.toml", "--joint", "LeftToeBase", "--frame", "11", "--until", "80", "--stay"];
    let added = place.json(&toe);
    assert_eq!(added["method"], "character");
    assert_eq!(added["handles"][0]["joint"], "LeftToeBase");
    assert_eq!(added["handles"][0]["asks"], "stay");
    place.done(&[&toe[..], &["--offset", "0,-0.02,0", "--by", "0.3,0,0"]].concat());
    let hand = ["edit", "walk.toml", "--joint", "LeftHand", "--frame", "40"];
    place.done(&[&hand[..], &["--to", "0,1,0", "--layer", "arms", "--hold", "5"]].concat());
    let listed = place.done(&["edit", "walk.toml", "--list"]);
    for line in [
        "1: frames 11 to 80, joint LeftToeBase, stay",
        "2: frames 11 to 80, joint LeftToeBase + (0, -0.02, 0), stay by (0.3, 0, 0)",
        "3: frame 40, joint LeftHand, to (0, 1, 0), soft, firmness 5, layer arms",
    ] {
        assert!(listed.contains(line), "{line}\n{listed}");
    }
    for (more, expected) in [
        (&["--by", "0,1,0", "--layer", "amrs"][..], "there is no layer \"amrs\"; did you mean `arms`?"),
        (&["--stay"], "--stay needs the last frame to stay until, as in --frame 40 --until 52"),
    ] {
        let message = place.error(&[&hand[..], more].concat());
        assert!(message.contains(expected), "{message}");
    }
    let message = place.error(&["edit", "walk.toml", "--near", "0,0,0", "--frame", "4", "--by", "0,1,0"]);
    assert!(message.contains("a character has joints, not vertices; use --joint"), "{message}");
    for wrong in [&["--by", "0,1,0", "--to", "0,1,0"][..], &["--stay", "--velocity", "0,1,0"], &[]] {
        assert_eq!(place.run(&[&hand[..], wrong].concat()).code, Some(2), "{wrong:?}");
    }
    assert!(place.done(&["edit", "walk.toml", "--remove", "2"]).contains("stay by"));
    let text = String::from_utf8(place.read("walk.toml")).unwrap();
    assert!(text.starts_with(shot), "{text}");
}

#[test]
fn controls_out_of_their_range_are_named() {
    let place = Place::with_bar();
    for (control, value, way_out) in [
        ("--feel", "bouncy", "smooth, lively"),
        ("--reach", "0", "a number of frames greater than 0"),
        ("--reach", "-3", "a number of frames greater than 0"),
        ("--spread", "-0.3", "between 0.05 and 1"),
        ("--spread", "1.5", "between 0.05 and 1"),
    ] {
        let run = place.run(&["edit", "bar.toml", control, value]);
        assert_eq!(run.code, Some(2), "{run:?}");
        let names = [control, value, way_out].iter().all(|word| run.stderr.contains(word));
        assert!(names, "{control} {value}: {}", run.stderr);
    }
}
