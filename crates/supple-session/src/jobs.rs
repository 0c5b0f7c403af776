//! Work beside the window: each job on a thread of its own, with progress, cancel and a result that is fetched.

use crate::{Generation, JobError, JobKind, Outcome};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use supple_model::{Progress, ProgressSink};

/// The name of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobId(u64);

/// How far a job is.
#[derive(Clone, Debug, PartialEq)]
pub struct JobState {
    /// Which.
    pub id: JobId,
    /// What it does.
    pub kind: JobKind,
    /// What it is doing at the moment, if it said so.
    pub what: Option<String>,
    /// How much of it is done, 0 to 1.
    pub fraction: f64,
}

/// A job that ended.
#[derive(Debug)]
pub struct Finished {
    /// Which.
    pub id: JobId,
    /// What it did.
    pub kind: JobKind,
    /// The state of the document it was started for.
    pub generation: Generation,
    /// What came of it.
    pub result: Result<Outcome, JobError>,
}

/// What a job does.
type Work = Box<dyn FnOnce(&Progress) -> Result<Outcome, JobError> + Send>;

/// Something to be done beside the window.
pub struct Task {
    kind: JobKind,
    generation: Generation,
    work: Work,
}

impl Task {
    /// A task for a state of a document. What it answers when it was cancelled does not matter; it must have changed
    /// nothing then.
    #[must_use]
    pub fn new(
        kind: JobKind,
        generation: Generation,
        work: impl FnOnce(&Progress) -> Result<Outcome, JobError> + Send + 'static,
    ) -> Self {
        Self { kind, generation, work: Box::new(work) }
    }
}

impl std::fmt::Debug for Task {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Task").field("kind", &self.kind).finish_non_exhaustive()
    }
}

/// The jobs that run. Dropping this cancels them and waits until they have ended.
pub struct Jobs {
    running: BTreeMap<JobId, Running>,
    next: u64,
    results: (Sender<Finished>, Receiver<Finished>),
    wake: Arc<dyn Fn() + Send + Sync>,
}

struct Running {
    kind: JobKind,
    progress: Progress,
    said: Arc<Said>,
    thread: JoinHandle<()>,
}

/// What a job last said of itself.
struct Said {
    now: Mutex<Now>,
    wake: Arc<dyn Fn() + Send + Sync>,
}

#[derive(Clone, Default)]
struct Now {
    what: Option<String>,
    fraction: f64,
}

impl ProgressSink for Said {
    fn update(&self, stage: &str, fraction: f64) {
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        // A window need not be drawn again for what nobody can see.
        if now.what.as_deref() != Some(stage) || (now.fraction - fraction).abs() >= 0.005 {
            *now = Now { what: Some(stage.to_owned()), fraction };
            drop(now);
            (self.wake)();
        }
    }
}

impl Jobs {
    /// No jobs yet. `wake` is called, from any thread, when there is something new to see.
    #[must_use]
    pub fn new(wake: impl Fn() + Send + Sync + 'static) -> Self {
        Self { running: BTreeMap::new(), next: 0, results: channel(), wake: Arc::new(wake) }
    }

    /// Starts a job.
    pub fn start(&mut self, task: Task) -> JobId {
        self.next += 1;
        let id = JobId(self.next);
        let Task { kind, generation, work } = task;
        let said = Arc::new(Said { now: Mutex::default(), wake: self.wake.clone() });
        let progress = Progress::new(said.clone());
        let (theirs, sender, wake, of) =
            (progress.clone(), self.results.0.clone(), self.wake.clone(), kind.clone());
        let thread = std::thread::spawn(move || {
            let result = catch_unwind(AssertUnwindSafe(|| work(&theirs)));
            let result = match result {
                Ok(Ok(outcome)) => Ok(outcome),
                _ if theirs.check().is_err() => Err(JobError::Cancelled),
                Ok(Err(problem)) => Err(problem),
                Err(_) => Err(JobError::Panicked(of.clone())),
            };
            // Nobody listens any more when the program ends.
            let _ = sender.send(Finished { id, kind: of, generation, result });
            wake();
        });
        self.running.insert(id, Running { kind, progress, said, thread });
        id
    }

    /// The jobs that run, in the order they were started.
    #[must_use]
    pub fn running(&self) -> Vec<JobState> {
        let state = |(id, job): (&JobId, &Running)| {
            let Now { what, fraction } = job.said.now.lock().unwrap_or_else(PoisonError::into_inner).clone();
            JobState { id: *id, kind: job.kind.clone(), what, fraction }
        };
        self.running.iter().map(state).collect()
    }

    /// Asks a job to stop. It ends as cancelled, even if it was done already and nobody has fetched that; a file that
    /// was exported by then is there, and is said to be.
    pub fn cancel(&self, id: JobId) {
        if let Some(job) = self.running.get(&id) {
            job.progress.cancel();
        }
    }

    /// The jobs that ended since this was last asked.
    pub fn finished(&mut self) -> Vec<Finished> {
        let mut finished: Vec<Finished> = self.results.1.try_iter().collect();
        for job in &mut finished {
            if let Some(running) = self.running.remove(&job.id) {
                let is_out = matches!(job.result, Ok(Outcome::Exported(_)));
                if running.progress.check().is_err() && !is_out {
                    job.result = Err(JobError::Cancelled);
                }
                // What it had to say, it sent.
                let _ = running.thread.join();
            }
        }
        finished
    }
}

impl Drop for Jobs {
    fn drop(&mut self) {
        for job in self.running.values() {
            job.progress.cancel();
        }
        for (_, job) in std::mem::take(&mut self.running) {
            let _ = job.thread.join();
        }
    }
}

impl std::fmt::Debug for Jobs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Jobs").field("running", &self.running()).finish_non_exhaustive()
    }
}
