//! The cache as a job sees it: hits, misses, damage, bounds, other processes, unusable folders.

#![expect(clippy::unwrap_used, reason = "the helpers of these tests may panic too")]

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use supple_project::{Cache, CacheKey, CacheWarning, Cleared, Damage, KeyHasher, Kind};

const MODES: Kind = Kind::new("modes", 2);
const FACTORS: Kind = Kind::new("factors", 1);

fn key(name: &str) -> CacheKey {
    KeyHasher::new(MODES).str("name", name).finish()
}

fn put(cache: &Cache, name: &str, values: &[f64]) {
    try_put(cache, name, values).unwrap();
}

fn try_put(cache: &Cache, name: &str, values: &[f64]) -> Result<(), CacheWarning> {
    cache.put(MODES, &key(name), |payload| {
        payload.u64(values.len() as u64)?;
        payload.f64s(values)
    })
}

fn get(cache: &Cache, name: &str) -> Option<Vec<f64>> {
    let mut payload = cache.get(MODES, &key(name)).unwrap()?;
    let count = payload.u64().unwrap() as usize;
    Some(payload.f64s(count).unwrap())
}

/// The file of an entry.
fn file(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("modes-{}.entry", key(name)))
}

/// Makes an entry last used `age` seconds ago.
fn age(folder: &Path, name: &str, age: u64) {
    let file = File::options().append(true).open(file(folder, name)).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
}

fn files(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

#[test]
fn what_was_put_is_found_and_nothing_else() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("bridge.cache");
    let cache = Cache::in_folders([folder.clone()]);
    assert_eq!(get(&cache, "a"), None);
    assert!(!folder.exists(), "a look makes no folder");

    put(&cache, "a", &[1.0, 2.0, 3.0]);
    assert_eq!(get(&cache, "a"), Some(vec![1.0, 2.0, 3.0]));
    assert_eq!(get(&cache, "b"), None);
    assert!(cache.get(FACTORS, &key("a")).unwrap().is_none());

    put(&cache, "a", &[4.0]);
    assert_eq!(get(&cache, "a"), Some(vec![4.0]));
    assert_eq!(files(&folder), 1);
}

#[test]
fn a_smaller_request_reads_the_beginning() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::in_folders([folder.path().to_path_buf()]);
    let (rows, stored, asked) = (7, 5, 3);
    let matrix: Vec<f64> = (0..rows * stored).map(f64::from).collect();
    let write = |columns: usize| {
        cache.put(MODES, &key("U"), |payload| {
            payload.u64(columns as u64)?;
            matrix.chunks(rows as usize).take(columns).try_for_each(|column| payload.f64s(column))
        })
    };
    write(2).unwrap();
    assert_eq!(
        cache.get(MODES, &key("U")).unwrap().unwrap().u64().unwrap(),
        2,
        "too few: compute and replace"
    );
    write(stored as usize).unwrap();
    let mut payload = cache.get(MODES, &key("U")).unwrap().unwrap();
    assert_eq!(payload.u64().unwrap(), 5);
    let beginning = payload.f64s((rows * asked) as usize).unwrap();
    assert_eq!(beginning, matrix[..(rows * asked) as usize]);
    assert_eq!(payload.remaining(), 8 * 14);
}

#[test]
fn damaged_entries_are_reported_once_removed_and_replaced() {
    type Harm = (&'static str, fn(Vec<u8>) -> Vec<u8>, fn(&Damage) -> bool);
    let harms: [Harm; 6] = [
        ("empty", |_| Vec::new(), |d| matches!(d, Damage::Foreign)),
        ("foreign", |_| b"PK\x03\x04 some archive".repeat(20), |d| matches!(d, Damage::Foreign)),
        (
            "older schema",
            |mut bytes| {
                bytes[12] = 1;
                bytes
            },
            |d| matches!(d, Damage::OtherVersion { found: 1, expected: 2 }),
        ),
        ("truncated", |bytes| bytes[..bytes.len() - 1].to_vec(), |d| matches!(d, Damage::WrongLength { .. })),
        ("appended", |bytes| [bytes, vec![0]].concat(), |d| matches!(d, Damage::WrongLength { .. })),
        (
            "flipped",
            |mut bytes| {
                *bytes.last_mut().unwrap() ^= 1;
                bytes
            },
            |d| matches!(d, Damage::Altered),
        ),
    ];
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::in_folders([folder.path().to_path_buf()]);
    for (name, harm, expected) in harms {
        put(&cache, "a", &[1.0, 2.0]);
        let path = file(folder.path(), "a");
        fs::write(&path, harm(fs::read(&path).unwrap())).unwrap();
        match cache.get(MODES, &key("a")) {
            Err(CacheWarning::Damaged { file, damage }) => {
                assert_eq!(file, path, "{name}");
                assert!(expected(&damage), "{name}: {damage}");
            }
            other => panic!("{name}: {other:?}"),
        }
        assert!(!path.exists(), "{name}");
        assert_eq!(get(&cache, "a"), None, "{name}");
    }
}

#[test]
fn an_entry_under_the_name_of_another_is_not_trusted() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::in_folders([folder.path().to_path_buf()]);
    put(&cache, "a", &[1.0]);
    fs::copy(file(folder.path(), "a"), file(folder.path(), "b")).unwrap();
    let warning = cache.get(MODES, &key("b")).unwrap_err();
    assert!(matches!(warning, CacheWarning::Damaged { damage: Damage::Misnamed, .. }), "{warning}");
    assert_eq!(get(&cache, "a"), Some(vec![1.0]));
}

#[test]
fn the_least_recently_used_entries_go_first() {
    let folder = tempfile::tempdir().unwrap();
    // An entry of 10 numbers takes 120 + 8 + 80 bytes: three fit.
    let cache = Cache::in_folders([folder.path().to_path_buf()]).with_limit(3 * 208);
    let values = [0.5; 10];
    for (name, seconds) in [("a", 300), ("b", 200), ("c", 100)] {
        put(&cache, name, &values);
        age(folder.path(), name, seconds);
    }
    assert_eq!(get(&cache, "a"), Some(values.to_vec()), "being read makes it the most recent");
    put(&cache, "d", &values);
    let left = |name| file(folder.path(), name).exists();
    assert_eq!(["a", "b", "c", "d"].map(left), [true, false, true, true]);
    put(&cache, "e", &values);
    assert_eq!(["a", "c", "d", "e"].map(left), [true, false, true, true]);

    // Larger than the bound: everything else goes, the new entry stays.
    put(&cache, "huge", &[0.0; 1000]);
    assert_eq!(files(folder.path()), 1);
    assert_eq!(get(&cache, "huge").unwrap().len(), 1000);
}

#[test]
fn files_of_others_are_neither_listed_nor_evicted_nor_cleared() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::in_folders([folder.path().to_path_buf()]).with_limit(1);
    let notes = folder.path().join("notes.entry");
    let unfinished = folder.path().join(".supple-unfinished-live");
    let abandoned = folder.path().join(".supple-unfinished-dead");
    for path in [&notes, &unfinished, &abandoned] {
        fs::write(path, [0; 5000]).unwrap();
    }
    let two_days = Duration::from_secs(2 * 24 * 60 * 60);
    File::options()
        .append(true)
        .open(&abandoned)
        .unwrap()
        .set_modified(SystemTime::now() - two_days)
        .unwrap();
    put(&cache, "a", &[1.0]);
    assert!(notes.exists() && unfinished.exists() && !abandoned.exists());
    assert_eq!(cache.list().unwrap().len(), 1);
    assert_eq!(cache.clear().unwrap().entries, 1);
    assert!(notes.exists() && unfinished.exists());
}

#[test]
fn listing_and_clearing() {
    let root = tempfile::tempdir().unwrap();
    let folders = ["one", "two"].map(|name| root.path().join(name));
    let cache = Cache::in_folders(folders.clone());
    assert!(cache.list().unwrap().is_empty());
    assert_eq!(cache.clear().unwrap(), Cleared::default());

    put(&cache, "a", &[1.0]);
    age(&folders[0], "a", 50);
    Cache::in_folders([folders[1].clone()]).put(FACTORS, &key("b"), |p| p.f64s(&[1.0; 4])).unwrap();
    let list = cache.list().unwrap();
    let seen: Vec<_> = list.iter().map(|entry| (entry.kind.as_str(), entry.bytes)).collect();
    assert_eq!(seen, [("factors", 120 + 32), ("modes", 120 + 16)]);
    assert_eq!(list[1].file, file(&folders[0], "a"));
    assert!(list[1].last_used < list[0].last_used);

    assert_eq!(cache.clear().unwrap(), Cleared { entries: 2, bytes: 288 });
    assert_eq!(get(&cache, "a"), None);
    assert!(folders.iter().all(|folder| !folder.exists()), "empty folders go too");
}

#[test]
fn a_folder_that_cannot_be_written_is_replaced_by_the_next() {
    let root = tempfile::tempdir().unwrap();
    // Below a regular file nothing can be made, not even by an administrator.
    fs::write(root.path().join("file"), "").unwrap();
    let locked = root.path().join("file/bridge.cache");
    let users = root.path().join("user");
    let cache = Cache::in_folders([locked.clone(), users.clone()]);
    put(&cache, "a", &[1.0]);
    assert_eq!(get(&cache, "a"), Some(vec![1.0]));
    assert!(file(&users, "a").exists());

    let alone = Cache::in_folders([locked.clone()]);
    assert_eq!(get(&alone, "a"), None);
    assert!(alone.list().unwrap().is_empty());
    match try_put(&alone, "a", &[1.0]) {
        Err(CacheWarning::NotWritten { path, .. }) => assert_eq!(path, locked),
        other => panic!("{other:?}"),
    }
    assert!(matches!(try_put(&Cache::in_folders([]), "a", &[1.0]), Err(CacheWarning::NoFolder)));
}

#[test]
fn a_write_that_fails_midway_keeps_the_older_entry() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::in_folders([folder.path().to_path_buf()]);
    put(&cache, "a", &[1.0]);
    let failed = cache.put(MODES, &key("a"), |payload| {
        payload.f64s(&[2.0; 5000])?;
        Err(io::ErrorKind::StorageFull.into())
    });
    assert!(matches!(failed, Err(CacheWarning::NotWritten { .. })), "{failed:?}");
    assert_eq!(get(&cache, "a"), Some(vec![1.0]));
    assert_eq!(files(folder.path()), 1);
}

#[test]
fn parallel_writers_and_readers_see_whole_entries_only() {
    let folder = tempfile::tempdir().unwrap();
    // Room for about two of the four entries, so that eviction takes part.
    let limit = 2 * 8 * 20_000;
    let rounds = 40;
    let (hits, absent) = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..4)
            .map(|worker| {
                let cache = Cache::in_folders([folder.path().to_path_buf()]).with_limit(limit);
                scope.spawn(move || {
                    let (mut hits, mut absent) = (0, 0);
                    for round in 0..rounds {
                        let name = ["a", "b", "c", "d"][(worker + round) % 4];
                        put(&cache, name, &vec![(worker * rounds + round) as f64; 15_000 + 1000 * worker]);
                        match get(&cache, ["a", "b", "c", "d"][round % 4]) {
                            Some(values) => {
                                assert!(values.iter().all(|value| *value == values[0]));
                                hits += 1;
                            }
                            None => absent += 1,
                        }
                    }
                    (hits, absent)
                })
            })
            .collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1))
    });
    assert_eq!(hits + absent, 160);
    assert!(hits > 0);
    let cache = Cache::in_folders([folder.path().to_path_buf()]);
    assert_eq!(cache.list().unwrap().len(), files(folder.path()), "nothing unfinished is left");
}
