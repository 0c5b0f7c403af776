//! `supple gallery`, with the cheapest of its examples.

use crate::cli::run::{Place, keys};

#[test]
fn an_example_is_a_page_with_pictures_and_numbers() {
    let place = Place::new();
    let answer = place.json(&["gallery", "-o", "made/here", "limits"]);
    assert_eq!(keys(&answer), ["examples", "numbers", "page", "seconds"]);
    assert_eq!(
        place.names("made/here"),
        ["index.md", "limits-contacts.png", "limits-folded.png", "numbers.json"]
    );
    assert_eq!(place.names("."), ["made"], "the work goes with the run");

    let example = &answer["examples"][0];
    let value = |name: &str| {
        let mut numbers = example["numbers"].as_array().unwrap().iter();
        let found = numbers.find(|number| number["name"] == name);
        found.and_then(|number| number["value"].as_f64()).unwrap_or_else(|| panic!("{name}: {example}"))
    };
    // Per cent of the length: what was published loses the vertex, what holds on the warped motion does not.
    assert!(value("error of the handle, warped afterwards") > 20.0);
    assert!(value("error of the handle, held on the warped motion") < 1e-4);
    assert_eq!(value("elements turned inside out, held on the warped motion"), 0.0);
    assert!(value("the underside comes off the ground by, contacts kept").abs() < 0.1);
    assert!(value("the underside comes off the ground by, contacts left out") > 5.0);

    let page = String::from_utf8(place.read("made/here/index.md")).unwrap();
    for picture in ["limits-folded.png", "limits-contacts.png"] {
        assert!(page.contains(&format!("]({picture})")), "{page}");
        let bytes = place.read(&format!("made/here/{picture}"));
        assert!(bytes.starts_with(b"\x89PNG") && bytes.len() > 10_000, "{picture}");
    }
    assert!(page.contains("Figure 10") && page.contains("| measured | here |"), "{page}");
    let numbers: serde_json::Value = serde_json::from_slice(&place.read("made/here/numbers.json")).unwrap();
    assert_eq!(numbers[0]["numbers"], example["numbers"]);
}

#[test]
fn an_example_there_is_not_is_wrong_usage() {
    let place = Place::new();
    let run = place.run(&["gallery", "-o", "made", "mona-lisa"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("mona-lisa") && run.stderr.contains("convergence"), "{}", run.stderr);
    assert!(place.names(".").is_empty());
}
