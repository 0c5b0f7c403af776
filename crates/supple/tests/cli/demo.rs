//! Plain `supple`.

use crate::cli::run::{Place, keys};

#[test]
fn the_main_job_needs_nothing_and_can_be_done_again() {
    let place = Place::new();
    let answer = place.json(&[]);
    assert_eq!(keys(&answer), ["folder", "motion", "pictures", "report", "shot", "solved"]);
    assert_eq!(answer["solved"]["status"], "settled");
    let error = answer["solved"]["handles"][0]["relative_error"].as_f64().unwrap();
    assert!(error <= 1e-6, "{error}");
    let expected = [
        "bird-edit.png",
        "bird-edited.glb",
        "bird-flight.pc2",
        "bird-frames.png",
        "bird-skin.obj",
        "bird.cache",
        "bird.inp",
        "bird.toml",
        "report.md",
    ];
    assert_eq!(place.names("supple-demo"), expected);
    assert_eq!(place.names("."), ["supple-demo"]);
    let report = String::from_utf8(place.read("supple-demo/report.md")).unwrap();
    assert!(report.contains("](bird-edit.png)") && report.contains("met"), "{report}");

    let picture = place.read("supple-demo/bird-edit.png");
    place.write("supple-demo/bird-edit.png", "");
    let text = place.done(&[]);
    assert!(text.contains("supple-demo/bird-edit.png"), "{text}");
    #[cfg(feature = "studio")]
    assert!(text.contains("no display found"), "{text}");
    assert!(place.read("supple-demo/bird-edit.png") == picture);

    place.write("supple-demo/bird.inp", "*NODE\n");
    let message = place.error(&[]);
    assert!(message.contains("bird.inp") && message.ends_with("remove the folder supple-demo to start over"));
}
