//! ARCHITECTURE.md says which crate uses which; the manifests must agree.
#![expect(clippy::unwrap_used, reason = "a step that fails is a test that fails")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

#[path = "architecture/words.rs"]
mod words;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Crate → crates of this workspace it uses, from the manifests (normal dependencies).
fn manifests() -> BTreeMap<String, BTreeSet<String>> {
    let folders = fs::read_dir(root().join("crates")).unwrap();
    folders
        .map(|folder| {
            let text = fs::read_to_string(folder.unwrap().path().join("Cargo.toml")).unwrap();
            let manifest: toml_edit::DocumentMut = text.parse().unwrap();
            let name = manifest["package"]["name"].as_str().unwrap().to_owned();
            let used = manifest["dependencies"].as_table_like().unwrap().iter();
            (name, used.map(|(name, _)| name.to_owned()).filter(|name| name.starts_with("supple")).collect())
        })
        .collect()
}

/// The same from the table, in its order.
fn table() -> Vec<(String, BTreeSet<String>)> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| `supple"));
    rows.map(|line| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let used = cells[3].split(", ").filter(|word| *word != "–").map(|word| format!("supple-{word}"));
        (cells[1].trim_matches('`').to_owned(), used.collect())
    })
    .collect()
}

#[test]
fn the_table_of_crates_is_true() {
    let manifests = manifests();
    let table = table();
    for (name, used) in &table {
        assert_eq!(manifests.get(name), Some(used), "the row of {name} in ARCHITECTURE.md");
    }
    assert_eq!(table.len(), manifests.len(), "a row for every crate");
}

#[test]
fn crates_use_only_crates_above_them() {
    let mut above = BTreeSet::new();
    for (name, used) in table() {
        let below: Vec<_> = used.difference(&above).collect();
        assert!(below.is_empty(), "{name} uses {below:?}, which come later in the table");
        above.insert(name);
    }
}

#[test]
fn what_must_not_meet_does_not_meet() {
    let apart = ["supple-elastic", "supple-spacetime", "supple-character", "supple-formats"];
    for (name, used) in manifests() {
        if apart.contains(&name.as_str()) {
            let meets: Vec<_> = used.iter().filter(|other| apart.contains(&other.as_str())).collect();
            assert!(meets.is_empty(), "{name} uses {meets:?}");
        }
    }
}

#[test]
fn every_direct_dependency_is_named_in_the_notices() {
    let notices = fs::read_to_string(root().join("THIRD-PARTY.md")).unwrap();
    let text = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let manifest: toml_edit::DocumentMut = text.parse().unwrap();
    let dependencies = manifest["workspace"]["dependencies"].as_table_like().unwrap();
    // Used by tests alone, so not part of what is shipped.
    let tests_only = ["proptest", "egui_kittest", "x11rb"];
    for (name, _) in dependencies.iter().filter(|(name, _)| !name.starts_with("supple")) {
        assert!(notices.contains(name) || tests_only.contains(&name), "{name} is missing in THIRD-PARTY.md");
    }
}
