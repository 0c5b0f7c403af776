//! `supple cache`.

use crate::cli::run::{Place, keys};
use serde_json::json;

#[test]
fn a_shots_cache_is_listed_and_cleared() {
    let place = Place::with_bar();
    assert_eq!(place.done(&["cache", "list", "bar.toml"]), "bar.cache is empty\n");
    place.done(&["prepare", "bar.toml"]);
    let listing = place.json(&["cache", "list", "bar.toml"]);
    assert_eq!(keys(&listing), ["bytes", "entries", "folder"]);
    let entry = &listing["entries"][0];
    assert_eq!(keys(entry), ["bytes", "file", "kind", "last_used"]);
    assert_eq!((&entry["kind"], &entry["bytes"]), (&json!("modes"), &listing["bytes"]));
    let text = place.done(&["cache", "list", "bar.toml"]);
    assert!(text.contains("used just now") && text.contains("1 entry, "), "{text}");

    let removed = place.json(&["cache", "clear", "bar.toml"]);
    assert_eq!(removed, json!({ "folder": "bar.cache", "entries": 1, "bytes": listing["bytes"] }));
    assert_eq!(place.names("."), ["bar.toml", "bar.veg"]);
    assert_eq!(place.done(&["cache", "clear", "bar.toml"]), "removed 0 entries, 0 bytes from bar.cache\n");
}

#[test]
fn the_users_cache_is_another_one() {
    let place = Place::with_bar();
    // A file where the shot's own cache folder would be.
    place.write("bar.cache", "in the way");
    place.done(&["prepare", "bar.toml"]);
    assert_eq!(place.json(&["cache", "list"])["entries"][0]["kind"], "modes");
    assert_eq!(place.json(&["prepare", "bar.toml"])["from_cache"], true);
    assert_eq!(place.json(&["cache", "clear"])["entries"], 1);
    assert_eq!(place.json(&["prepare", "bar.toml"])["from_cache"], false);
}

#[test]
fn a_shot_that_is_not_there_is_named() {
    let place = Place::new();
    assert_eq!(place.error(&["cache", "clear", "none.toml"]), "none.toml: there is no such shot file");
    assert_eq!(place.run(&["cache"]).code, Some(2));
}
