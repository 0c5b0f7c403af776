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
