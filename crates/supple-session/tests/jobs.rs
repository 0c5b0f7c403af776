//! Jobs: progress, cancel, failure, and results that know what they are of.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use supple_session::{Finished, Generation, JobError, JobKind, Jobs, Outcome, SessionError, Task};

fn wait(jobs: &mut Jobs) -> Finished {
    for _ in 0..60_000 {
        if let Some(finished) = jobs.finished().pop() {
            return finished;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    panic!("no job ended: {:?}", jobs.running());
}

#[test]
fn a_job_says_how_far_it_is_and_is_cancelled() {
    let mut jobs = Jobs::new(|| {});
    let changed = Arc::new(AtomicBool::new(false));
    let theirs = changed.clone();
    let id = jobs.start(Task::new(JobKind::Bake, Generation(3), move |progress| {
        for k in 0.. {
            progress.report("counting", f64::from(k.min(50)) / 100.0)?;
            std::thread::sleep(Duration::from_millis(1));
        }
        theirs.store(true, Ordering::Relaxed);
        Ok(Outcome::Autosaved)
    }));
    while jobs.running()[0].fraction < 0.5 {
        std::thread::yield_now();
    }
    let state = jobs.running().remove(0);
    assert_eq!((state.id, state.kind, state.what.as_deref()), (id, JobKind::Bake, Some("counting")));
    jobs.cancel(id);
    let finished = wait(&mut jobs);
    assert_eq!((finished.id, finished.generation), (id, Generation(3)));
    assert!(matches!(finished.result, Err(JobError::Cancelled)));
    assert!(!changed.load(Ordering::Relaxed) && jobs.running().is_empty());
}

#[test]
fn what_fails_says_so_and_the_others_go_on() {
    let mut jobs = Jobs::new(|| {});
    jobs.start(Task::new(JobKind::Autosave, Generation(1), |_| Err(SessionError::Untitled.into())));
    let failed = wait(&mut jobs).result;
    assert!(
        matches!(&failed, Err(JobError::Session(why)) if matches!(**why, SessionError::Untitled)),
        "{failed:?}"
    );
    jobs.start(Task::new(JobKind::Bake, Generation(1), |_| panic!("a mistake, made on purpose")));
    let words = wait(&mut jobs).result.unwrap_err().to_string();
    assert_eq!(words, "Bake stopped because of a bug in Supple; save the shot and try again");
    // Done, but cancelled before anybody looked: it counts as cancelled.
    let id = jobs.start(Task::new(JobKind::Autosave, Generation(1), |_| Ok(Outcome::Autosaved)));
    std::thread::sleep(Duration::from_millis(20));
    jobs.cancel(id);
    assert!(matches!(wait(&mut jobs).result, Err(JobError::Cancelled)));
    jobs.start(Task::new(JobKind::Autosave, Generation(2), |_| Ok(Outcome::Autosaved)));
    assert!(matches!(wait(&mut jobs).result, Ok(Outcome::Autosaved)));
}

#[test]
fn jobs_end_with_their_owner() {
    let ended = Arc::new(AtomicBool::new(false));
    let theirs = ended.clone();
    let mut jobs = Jobs::new(|| {});
    jobs.start(Task::new(JobKind::Bake, Generation(1), move |progress| {
        while progress.check().is_ok() {
            std::thread::sleep(Duration::from_millis(1));
        }
        theirs.store(true, Ordering::Relaxed);
        Err(JobError::Cancelled)
    }));
    drop(jobs);
    assert!(ended.load(Ordering::Relaxed));
}
