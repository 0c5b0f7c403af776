//! Work without the interpreter: in threads of its own, with progress for Python, ended by what that raises and by Ctrl-C.
//!
//! The thread that called waits: it looks for signals and calls back every 50 ms, while the work runs in a pool. Every piece of
//! work has its own pool, so that two of them never wait for each other, and the child of a fork, in which the threads of its
//! parent are gone, has nothing to miss.

use crate::errors::{Failure, raised};
use crate::memory::give_back;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};
use supple_model::{Progress, ProgressSink};

/// How long the waiting thread sleeps.
const LOOK: Duration = Duration::from_millis(50);
/// How long whoever waits for its turn sleeps.
const TURN: Duration = Duration::from_micros(200);
/// A stage that is shorter has not freed much.
const STAGE: Duration = Duration::from_millis(200);
/// Bytes of the stack of a thread, as the first thread of a program has them.
const STACK: usize = 8 << 20;

/// More threads for each core only hinder each other.
const MOST: usize = 4;

/// How many threads work has; 0 leaves that to the environment.
static THREADS: AtomicUsize = AtomicUsize::new(0);

/// Says how many threads the work that begins from now on has, and how many it had; 0 is as many as there are cores, or as
/// the variable RAYON_NUM_THREADS says.
#[pyfunction]
#[pyo3(signature = (count=None))]
pub fn threads(count: Option<usize>) -> usize {
    match count {
        Some(count) => THREADS.swap(count, Ordering::Relaxed),
        None => THREADS.load(Ordering::Relaxed),
    }
}

/// Threads for some work.
pub fn pool() -> Result<ThreadPool, Failure> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let count = THREADS.load(Ordering::Relaxed).min(MOST * cores);
    let pool = ThreadPoolBuilder::new().num_threads(count).stack_size(STACK);
    pool.thread_name(|k| format!("supple-{k}"))
        .build()
        .map_err(|error| Failure::plain(format!("no threads could be started: {error}")))
}

/// What the work says, for the thread that waits.
#[derive(Default)]
struct Board {
    said: Mutex<Said>,
    done: Condvar,
}

#[derive(Default)]
struct Said {
    news: Option<(String, f64)>,
    is_done: bool,
}

impl Board {
    fn said(&self) -> MutexGuard<'_, Said> {
        self.said.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn finish(&self) {
        self.said().is_done = true;
        self.done.notify_all();
    }

    /// Waits a while, or until the work is done; answers whether it is, and what is new.
    fn wait(&self) -> (bool, Option<(String, f64)>) {
        let waited = self.done.wait_timeout_while(self.said(), LOOK, |said| !said.is_done);
        let mut said = waited.unwrap_or_else(PoisonError::into_inner).0;
        (said.is_done, said.news.take())
    }
}

/// Puts what is new on a board. What a stage has freed is given back before the next one, which needs its own.
struct Pinned {
    board: Arc<Board>,
    stage: Mutex<(String, Instant)>,
}

impl Pinned {
    fn new(board: Arc<Board>) -> Self {
        Self { board, stage: Mutex::new((String::new(), Instant::now())) }
    }

    /// Whether another stage begins, a while after the last one did.
    fn begins(&self, stage: &str) -> bool {
        let mut last = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        if last.0 == stage {
            return false;
        }
        let is_long = last.1.elapsed() >= STAGE;
        if is_long {
            last.1 = Instant::now();
        }
        stage.clone_into(&mut last.0);
        is_long
    }
}

impl ProgressSink for Pinned {
    fn update(&self, stage: &str, fraction: f64) {
        if self.begins(stage) {
            give_back();
        }
        let mut said = self.board.said();
        match &mut said.news {
            Some((last, now)) if last == stage => *now = fraction,
            news => *news = Some((stage.to_owned(), fraction)),
        }
    }
}

/// Does some work in threads of its own; `callback` is told how far it is. What that raises, and Ctrl-C, ends the work.
pub fn run<T: Send>(
    py: Python<'_>,
    callback: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Progress) -> Result<T, Failure> + Send,
) -> PyResult<T> {
    run_with(py, &pool().map_err(raised)?, &Mutex::new(()), callback, |(), progress| work(progress))
}

/// [`run`] in threads that are there, on something that one works on at a time.
pub fn run_with<S: Send, T: Send>(
    py: Python<'_>,
    pool: &ThreadPool,
    state: &Mutex<S>,
    callback: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&mut S, &Progress) -> Result<T, Failure> + Send,
) -> PyResult<T> {
    if let Some(other) = callback.filter(|callback| !callback.is_callable()) {
        return Err(PyTypeError::new_err(format!("progress must be a function, got {}", other.repr()?)));
    }
    let callback = callback.map(|callback| callback.clone().unbind());
    let board = Arc::new(Board::default());
    let progress = Progress::new(Arc::new(Pinned::new(board.clone())));
    let mut state = take(py, state)?;
    let state = &mut *state;
    let (found, ended) = py.detach(|| {
        let (mut found, mut ended) = (None, None);
        pool.in_place_scope(|scope| {
            scope.spawn(|_| {
                found = Some(catch_unwind(AssertUnwindSafe(|| work(state, &progress))));
                board.finish();
            });
            loop {
                let (is_done, news) = board.wait();
                if is_done {
                    break;
                }
                // Whoever was told to end is not asked again.
                if ended.is_none()
                    && let Err(error) = Python::attach(|py| look(py, callback.as_ref(), news))
                {
                    ended = Some(error);
                    progress.cancel();
                }
            }
        });
        (found, ended)
    });
    match (found, ended) {
        (Some(Err(panic)), _) => resume_unwind(panic),
        (_, Some(error)) => Err(error),
        (Some(Ok(done)), None) => done.map_err(raised),
        (None, None) => Err(raised(Failure::plain("the work did not begin".to_owned()))),
    }
}

/// What one works on at a time, as soon as nobody else does; Ctrl-C ends the waiting. It is waited for here and not in a
/// pool: whoever waits there may do other work meanwhile.
pub fn take<'a, S>(py: Python<'_>, state: &'a Mutex<S>) -> PyResult<MutexGuard<'a, S>> {
    loop {
        match state.try_lock() {
            Ok(state) => return Ok(state),
            Err(TryLockError::Poisoned(state)) => return Ok(state.into_inner()),
            Err(TryLockError::WouldBlock) => py.detach(|| thread::sleep(TURN)),
        }
        py.check_signals()?;
    }
}

/// Looks for Ctrl-C, and tells what is new.
fn look(py: Python<'_>, callback: Option<&Py<PyAny>>, news: Option<(String, f64)>) -> PyResult<()> {
    py.check_signals()?;
    if let (Some(callback), Some((stage, fraction))) = (callback, news) {
        callback.call1(py, (stage, fraction))?;
    }
    Ok(())
}
