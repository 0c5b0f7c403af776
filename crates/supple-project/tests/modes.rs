//! Modes through the cache: found again, prefixes served, damage noticed.
#![expect(clippy::unwrap_used, reason = "a step that fails is a test that fails")]

use std::fs;
use std::path::{Path, PathBuf};
use supple_model::Progress;
use supple_project::{Body, Cache, CacheWarning, PreparedModes, Sample, Shot, prepare_modes};

fn beam(folder: &Path) -> Shot {
    Shot::load(&Sample::named("bar").unwrap().write(folder).unwrap()).unwrap()
}

fn prepare(body: &Body, count: usize, cache: &Cache) -> PreparedModes {
    prepare_modes(body, count, cache, &Progress::silent()).unwrap()
}

fn only_entry(folder: &Path) -> PathBuf {
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|f| f.unwrap().path()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    files.remove(0)
}

#[test]
fn modes_are_computed_once_and_fewer_are_the_first_of_more() {
    let folder = tempfile::tempdir().unwrap();
    let body = Body::load(&beam(folder.path())).unwrap();
    let store = folder.path().join("beam.cache");
    let cache = Cache::in_folders([store.clone()]);
    let first = prepare(&body, 12, &cache);
    assert!(!first.from_cache && first.warnings.is_empty());
    let again = prepare(&body, 12, &cache);
    assert!(again.from_cache);
    assert_eq!(again.modes.eigenvalues(), first.modes.eigenvalues());
    assert_eq!(again.modes.certificate(), first.modes.certificate());
    assert!(again.modes.shapes() == first.modes.shapes());
    let fewer = prepare(&body, 5, &cache);
    assert!(fewer.from_cache && fewer.modes.count() == 5);
    assert!(fewer.modes.shapes() == first.modes.shapes().subcols(0, 5));
    let more = prepare(&body, 20, &cache);
    assert!(!more.from_cache && more.modes.count() == 20);
    only_entry(&store);
    assert!(prepare(&body, 20, &cache).from_cache);
}

#[test]
fn another_body_has_other_modes_and_another_place_has_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let mut shot = beam(folder.path());
    let cache = Cache::in_folders([folder.path().join("c")]);
    let first = prepare(&Body::load(&shot).unwrap(), 5, &cache);
    let elsewhere = tempfile::tempdir().unwrap();
    assert!(
        prepare(&Body::load(&beam(elsewhere.path())).unwrap(), 5, &cache).from_cache,
        "paths do not count"
    );
    shot.body.material.as_mut().unwrap().young *= 4.0;
    let stiffer = prepare(&Body::load(&shot).unwrap(), 5, &cache);
    assert!(!stiffer.from_cache);
    assert!((stiffer.modes.frequency(0) / first.modes.frequency(0) - 2.0).abs() < 1e-8);
    shot.body.anchors.clear();
    let floating = prepare(&Body::load(&shot).unwrap(), 8, &cache);
    assert!(!floating.from_cache);
    assert_eq!(floating.modes.rigid(), 6);
}

#[test]
fn damaged_foreign_and_older_entries_are_noticed_and_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let body = Body::load(&beam(folder.path())).unwrap();
    let store = folder.path().join("c");
    let cache = Cache::in_folders([store.clone()]);
    let first = prepare(&body, 5, &cache);
    let entry = only_entry(&store);
    let whole = fs::read(&entry).unwrap();
    let mut older = whole.clone();
    older[8] ^= 1;
    let mut flipped = whole.clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 0x40;
    for damaged in [&whole[..whole.len() / 3], &whole[..7], b"not ours at all", &older, &flipped, b""] {
        fs::write(&entry, damaged).unwrap();
        let prepared = prepare(&body, 5, &cache);
        assert!(!prepared.from_cache);
        assert!(matches!(prepared.warnings[..], [CacheWarning::Damaged { .. }]), "{:?}", prepared.warnings);
        assert!(prepared.modes.shapes() == first.modes.shapes());
        assert_eq!(fs::read(&entry).unwrap(), whole, "replaced by a good one");
    }
}

#[test]
fn a_cache_that_cannot_be_written_is_only_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let body = Body::load(&beam(folder.path())).unwrap();
    let cache = Cache::in_folders([folder.path().join("bar.toml/not-a-folder")]);
    let prepared = prepare(&body, 5, &cache);
    assert_eq!(prepared.modes.count(), 5);
    assert_eq!(prepared.warnings.len(), 1);
}
