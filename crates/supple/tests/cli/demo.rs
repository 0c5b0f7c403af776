//! Plain `supple`.

use crate::run::{Place, keys};

#[test]
fn the_main_job_needs_nothing_and_can_be_done_again() {
    let place = Place::new();
    let answer = place.json(&[]);
    assert_eq!(keys(&answer), ["folder", "pictures", "prepared", "report", "shot"]);
    assert_eq!(answer["prepared"]["from_cache"], false);
    let expected = [
        "bridge-mode.png",
        "bridge-shake.csv",
        "bridge-skin.obj",
        "bridge.cache",
        "bridge.inp",
        "bridge.png",
        "bridge.toml",
        "report.md",
    ];
    assert_eq!(place.names("supple-demo"), expected);
    assert_eq!(place.names("."), ["supple-demo"]);
    let report = String::from_utf8(place.read("supple-demo/report.md")).unwrap();
    assert!(report.contains("](bridge.png)") && report.contains("](bridge-mode.png)"), "{report}");
    assert!(report.contains("eigenvalues lie below"), "{report}");

    let picture = place.read("supple-demo/bridge-mode.png");
    place.write("supple-demo/bridge-mode.png", "");
    let text = place.done(&[]);
    assert!(text.contains("from the cache") && text.contains("supple-demo/bridge-mode.png"), "{text}");
    assert!(place.read("supple-demo/bridge-mode.png") == picture);

    place.write("supple-demo/bridge.inp", "*NODE\n");
    let message = place.error(&[]);
    assert!(
        message.contains("bridge.inp") && message.ends_with("remove the folder supple-demo to begin anew")
    );
}
