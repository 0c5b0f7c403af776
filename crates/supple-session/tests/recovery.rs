//! A killed process loses nothing that was autosaved.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use supple_project::{Body, Sample};
use supple_session::{Document, Home, Recent};

const HOME: &str = "SUPPLE_TEST_HOME";
const SHOT: &str = "SUPPLE_TEST_SHOT";

/// The process that is killed: edits, autosaves, and waits for its end.
#[test]
#[ignore = "the other tests run this as a process of its own"]
fn victim() {
    let home = Home::in_folder(&PathBuf::from(std::env::var_os(HOME).unwrap()));
    let mut document = match std::env::var_os(SHOT) {
        Some(path) => Document::open(&PathBuf::from(path), &home).unwrap(),
        None => Document::sample(Sample::named("block").unwrap(), &home).unwrap(),
    };
    assert!(document.autosave().unwrap().is_none(), "nothing to lose yet");
    for modes in [20, 21] {
        document.change("Set modes", |shot| shot.edit.modes = modes);
        document.autosave().unwrap().unwrap().write().unwrap();
        assert!(document.autosave().unwrap().is_none(), "once is enough");
    }
    println!("\nready");
    std::io::stdout().flush().unwrap();
    std::thread::sleep(Duration::from_secs(60));
}

fn start(home: &Path, shot: Option<&Path>) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["recovery::victim", "--exact", "--ignored", "--nocapture"]).env(HOME, home);
    if let Some(shot) = shot {
        command.env(SHOT, shot);
    }
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.map_while(Result::ok).any(|line| line == "ready"), "it gets so far");
    child
}

fn kill(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn an_untitled_shot_is_recovered_with_its_files() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::in_folder(folder.path());
    let child = start(folder.path(), None);
    assert!(home.recoverable().is_empty(), "it is in use");
    kill(child);
    let mut left = home.recoverable();
    assert_eq!(left.len(), 1);
    let left = left.remove(0);
    assert_eq!((left.path.as_ref(), left.shot.edit.modes), (None, 21));
    let mut document = Document::recover(left, &home).unwrap();
    assert!(document.is_changed());
    Body::load(document.shot()).unwrap();
    assert!(home.recoverable().is_empty(), "it is in use again");
    let path = folder.path().join("saved").join("block.toml");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    document.save_as(&path).unwrap();
    assert!(!document.is_changed());
    drop(document);
    assert!(home.recoverable().is_empty(), "closed cleanly");
    let saved = Document::open(&path, &home).unwrap();
    Body::load(saved.shot()).unwrap();
    let names: Vec<String> = saved.shot().files().iter().map(|file| file.display().to_string()).collect();
    assert!(names.iter().all(|name| !name.contains('/')), "beside the shot: {names:?}");
}

#[test]
fn a_shot_with_a_file_is_recovered_on_top_of_what_was_saved() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::in_folder(folder.path());
    let path = Sample::named("block").unwrap().write(&folder.path().join("film")).unwrap();
    let on_disk = std::fs::read(&path).unwrap();
    kill(start(folder.path(), Some(&path)));
    assert_eq!(std::fs::read(&path).unwrap(), on_disk, "the file is as it was saved");
    let left = home.recoverable().remove(0);
    assert_eq!(left.path.as_deref(), Some(path.as_path()));
    let mut document = Document::recover(left, &home).unwrap();
    assert_eq!((document.shot().edit.modes, document.is_changed()), (21, true));
    assert!(document.undo());
    assert_eq!((document.shot().edit.modes, document.is_changed()), (60, false), "back to what was saved");
    assert!(document.redo());
    drop(document);
    assert!(home.recoverable().is_empty());
}

#[test]
fn what_was_left_can_be_thrown_away_and_a_panic_leaves_it() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::in_folder(folder.path());
    let theirs = home.clone();
    let ended = std::thread::spawn(move || {
        let mut document = Document::sample(Sample::named("block").unwrap(), &theirs).unwrap();
        document.change("Set modes", |shot| shot.edit.modes = 5);
        document.autosave().unwrap().unwrap().write().unwrap();
        panic!("a mistake, made on purpose");
    });
    ended.join().unwrap_err();
    let left = home.recoverable().remove(0);
    assert_eq!(left.shot.edit.modes, 5);
    left.discard().unwrap();
    assert!(home.recoverable().is_empty());
}

#[test]
fn a_slow_autosave_comes_too_late() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::in_folder(folder.path());
    let mut document = Document::sample(Sample::named("block").unwrap(), &home).unwrap();
    let file = || {
        let rooms = folder.path().join("state").join("recovery");
        let room = std::fs::read_dir(rooms).unwrap().next().unwrap().unwrap();
        std::fs::read_to_string(room.path().join("autosave.toml")).ok()
    };
    document.change("Set modes", |shot| shot.edit.modes = 41);
    let slow = document.autosave().unwrap().unwrap();
    document.change("Set modes", |shot| shot.edit.modes = 42);
    document.autosave().unwrap().unwrap().write().unwrap();
    slow.write().unwrap();
    assert!(file().unwrap().contains("modes = 42"));
    document.change("Set modes", |shot| shot.edit.modes = 43);
    let slow = document.autosave().unwrap().unwrap();
    assert!(document.undo() && document.undo() && document.undo());
    assert!(document.autosave().unwrap().is_none(), "there is nothing to lose");
    slow.write().unwrap();
    assert_eq!(file(), None);
}

#[test]
fn recent_files_are_bounded_and_survive_damage() {
    let folder = tempfile::tempdir().unwrap();
    let recent = Recent::of(&Home::in_folder(folder.path()));
    assert!(recent.paths().is_empty());
    let path = |k: usize| folder.path().join(format!("{k}.toml"));
    (0..30).for_each(|k| recent.add(&path(k)).unwrap());
    recent.add(&path(25)).unwrap();
    assert_eq!(recent.paths().len(), 20);
    assert_eq!(recent.paths()[..3], [path(25), path(29), path(28)]);
    recent.remove(&path(29)).unwrap();
    assert_eq!(recent.paths()[..2], [path(25), path(28)]);
    let file = folder.path().join("state").join("recent.txt");
    let mut bytes = b"\xff\xfe nonsense\nrelative.toml\n\0\0\0\n".to_vec();
    bytes.extend(format!("{}\n", path(1).display()).into_bytes());
    std::fs::write(&file, bytes).unwrap();
    assert_eq!(recent.paths(), [path(1)]);
    recent.add(&path(2)).unwrap();
    assert_eq!(recent.paths(), [path(2), path(1)]);
}
