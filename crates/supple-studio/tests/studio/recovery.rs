//! A studio that is killed loses nothing that was autosaved.

use crate::studio::stage::{press_id, sample, shot, studio, until};
use egui_kittest::kittest::Queryable;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;
use supple_project::Sample;
use supple_project::method::RealNumerics;
use supple_session::{Document, Home};

const HOME: &str = "SUPPLE_TEST_HOME";

/// The process that is killed: edits, and waits until that was autosaved.
#[test]
#[ignore = "the other test runs this as a process of its own"]
fn victim() {
    let home = PathBuf::from(std::env::var_os(HOME).unwrap());
    let mut stage = sample("block", &home, false);
    until(&mut stage, "open", |studio| studio.answer().stage.is_some());
    press_id(&mut stage, "add-centre-of-mass");
    assert_eq!(shot(&stage).edit.handles.len(), 1);
    until(&mut stage, "autosaved", |studio| studio.session().wants_update_in().is_none());
    until(&mut stage, "written", |studio| studio.session().jobs.running().is_empty());
    println!("\nready");
    std::io::stdout().flush().unwrap();
    std::thread::sleep(Duration::from_secs(60));
}

#[test]
fn a_killed_studio_is_offered_to_be_recovered() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["studio::recovery::victim", "--exact", "--ignored", "--nocapture"])
        .env(HOME, folder.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.map_while(Result::ok).any(|line| line == "ready"), "it gets so far");
    child.kill().unwrap();
    child.wait().unwrap();
    let home = Home::in_folder(folder.path());
    let document = Document::sample(Sample::named("bar").unwrap(), &home).unwrap();
    let mut stage = studio(document, &home, Arc::<RealNumerics>::default(), false);
    stage.step();
    assert!(stage.query_by_label_contains("closed unexpectedly").is_some());
    press_id(&mut stage, "recover-0");
    assert_eq!(shot(&stage).edit.handles.len(), 1, "what was autosaved is there");
    assert!(stage.state().session().document.is_changed());
    assert!(stage.query_by_label_contains("closed unexpectedly").is_none());
    until(&mut stage, "its body", |studio| {
        studio.answer().stage.as_ref().is_some_and(|stage| stage.can_edit())
    });
}
