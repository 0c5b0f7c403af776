//! `Session`: live editing for Python, one call at a time.

use crate::array::Array;
use crate::editing::Editing;
use crate::errors::{Failure, raised};
use crate::shot::{Shot, Solving};
use crate::work::{pool, run_with, take};
use pyo3::prelude::*;
use rayon::ThreadPool;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, ThreadId};
use supple_model::{Clock, Progress};
use supple_project::shot::Handle;

type Callback<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// A shot that is open for editing.
#[pyclass(module = "supple._core", frozen)]
pub struct Session {
    editing: Mutex<Option<Editing>>,
    /// Its threads. In the child of a fork they are gone.
    pool: Arc<ThreadPool>,
    /// The process it was opened in.
    process: u32,
    /// Who is at work in it.
    worker: Mutex<Option<ThreadId>>,
    /// How many points a frame has.
    #[pyo3(get)]
    vertices: usize,
    clock: Clock,
}

impl Drop for Session {
    fn drop(&mut self) {
        if std::process::id() != self.process {
            // To end threads that are gone would be to wait for them.
            std::mem::forget(self.pool.clone());
        }
    }
}

impl Session {
    /// Works on what is open; what takes long tells how far it is.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        callback: Callback<'_, '_>,
        work: impl FnOnce(&mut Editing, &Progress) -> Result<T, Failure> + Send,
    ) -> PyResult<T> {
        let me = self.begin().map_err(raised)?;
        run_with(py, &self.pool, &self.editing, callback, |editing, progress| {
            self.at_work(me, || work(editing.as_mut().ok_or_else(closed)?, progress))
        })
    }

    /// The same for what is done in milliseconds: nobody is told how far it is.
    fn at_once<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Editing) -> Result<T, Failure> + Send,
    ) -> PyResult<T> {
        let me = self.begin().map_err(raised)?;
        let mut editing = take(py, &self.editing)?;
        let editing = &mut *editing;
        let done = py
            .detach(|| self.pool.install(|| self.at_work(me, || work(editing.as_mut().ok_or_else(closed)?))));
        done.map_err(raised)
    }

    /// Who is asking, unless nothing can be asked.
    fn begin(&self) -> Result<ThreadId, Failure> {
        if std::process::id() != self.process {
            let text = "the session was opened before this process was forked; open another one here";
            return Err(Failure::plain(text.to_owned()));
        }
        let me = thread::current().id();
        match *self.worker.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(worker) if worker == me => {
                Err(Failure::plain("the session is at work and cannot be called by its progress".to_owned()))
            }
            _ => Ok(me),
        }
    }

    fn at_work<T>(&self, me: ThreadId, work: impl FnOnce() -> T) -> T {
        *self.worker.lock().unwrap_or_else(PoisonError::into_inner) = Some(me);
        let done = work();
        *self.worker.lock().unwrap_or_else(PoisonError::into_inner) = None;
        done
    }
}

fn closed() -> Failure {
    Failure::plain("the session is closed".to_owned())
}

fn listed(text: &str) -> PyResult<Vec<Handle>> {
    Handle::list(text).map_err(|error| raised(Failure::of_handles(&error)))
}

#[pymethods]
impl Session {
    #[new]
    #[pyo3(signature = (shot, progress=None))]
    fn new(py: Python<'_>, shot: &Bound<'_, Shot>, progress: Callback<'_, '_>) -> PyResult<Self> {
        let held = shot.get().now();
        let pool = Arc::new(pool().map_err(raised)?);
        let nothing = Mutex::new(());
        let editing = run_with(py, &pool, &nothing, progress, |(), progress| Editing::open(held, progress))?;
        Ok(Self {
            vertices: editing.vertices(),
            clock: editing.clock(),
            editing: Mutex::new(Some(editing)),
            pool,
            process: std::process::id(),
            worker: Mutex::new(None),
        })
    }

    /// The number of the first frame, how many there are, and frames per second.
    #[getter]
    fn clock(&self) -> (i32, usize, f64) {
        (self.clock.start.0, self.clock.frames, self.clock.fps)
    }

    /// The triangles between the points, three numbers each.
    fn triangles(&self, py: Python<'_>) -> PyResult<Vec<u32>> {
        self.at_once(py, |editing| Ok(editing.triangles().into_iter().flatten().collect()))
    }

    /// What handles are called, and they as TOML.
    fn handles(&self, py: Python<'_>) -> PyResult<(Vec<u32>, String)> {
        self.at_once(py, |editing| editing.handles())
    }

    /// Adds handles, a list of TOML; answers what they are called.
    #[pyo3(signature = (handles, progress=None))]
    fn add(&self, py: Python<'_>, handles: &str, progress: Callback<'_, '_>) -> PyResult<Vec<u32>> {
        let handles = listed(handles)?;
        self.with(py, progress, |editing, progress| editing.add(&handles, progress))
    }

    /// Puts another handle in the place of one.
    #[pyo3(signature = (key, handle, progress=None))]
    fn set(&self, py: Python<'_>, key: u32, handle: &str, progress: Callback<'_, '_>) -> PyResult<()> {
        let handles = listed(handle)?;
        self.with(py, progress, |editing, progress| {
            handles.iter().try_for_each(|handle| editing.set(key, handle, progress))
        })
    }

    /// Removes a handle.
    #[pyo3(signature = (key, progress=None))]
    fn remove(&self, py: Python<'_>, key: u32, progress: Callback<'_, '_>) -> PyResult<()> {
        self.with(py, progress, |editing, progress| editing.remove(key, progress))
    }

    /// Takes a handle in the hand.
    #[pyo3(signature = (key, frame, progress=None))]
    fn grab(&self, py: Python<'_>, key: u32, frame: i32, progress: Callback<'_, '_>) -> PyResult<()> {
        self.with(py, progress, |editing, progress| editing.grab(key, frame, progress))
    }

    /// Moves it, and fills an array with the frame that is shown.
    #[pyo3(signature = (by, out=None))]
    fn drag(&self, py: Python<'_>, by: [f64; 3], out: Option<&Bound<'_, PyAny>>) -> PyResult<f64> {
        if let Some(x) = by.iter().find(|x| !x.is_finite()) {
            let text = format!("by must be finite, got {x}");
            return Err(pyo3::exceptions::PyValueError::new_err(text));
        }
        let mut out = out.map(|out| self.to_fill(out)).transpose()?;
        self.at_once(py, |editing| editing.drag(by, out.as_mut()))
    }

    /// For benches: moves it as [`Self::drag`] does, with nothing of Python; the seconds that takes.
    fn drag_alone(&self, py: Python<'_>, by: [f64; 3]) -> PyResult<f64> {
        self.at_once(py, |editing| editing.drag_alone(by))
    }

    /// Makes the next moves as good as the first ones.
    #[pyo3(signature = (progress=None))]
    fn refresh(&self, py: Python<'_>, progress: Callback<'_, '_>) -> PyResult<()> {
        self.with(py, progress, Editing::refresh)
    }

    /// Opens the hand.
    fn put_down(&self, py: Python<'_>, keep: bool) -> PyResult<()> {
        self.at_once(py, |editing| {
            editing.put_down(keep);
            Ok(())
        })
    }

    /// Finds the motion, and tells what it came to.
    #[pyo3(signature = (progress=None))]
    fn settle(&self, py: Python<'_>, progress: Callback<'_, '_>) -> PyResult<String> {
        self.with(py, progress, Editing::settle)
    }

    /// Fills an array with a frame of the edited motion.
    #[pyo3(signature = (frame, out, progress=None))]
    fn read(
        &self,
        py: Python<'_>,
        frame: i32,
        out: &Bound<'_, PyAny>,
        progress: Callback<'_, '_>,
    ) -> PyResult<()> {
        let mut out = self.to_fill(out)?;
        self.with(py, progress, |editing, progress| editing.read(frame, &mut out, progress))
    }

    /// Fills an array with a frame of the input.
    fn read_input(&self, py: Python<'_>, frame: i32, out: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut out = self.to_fill(out)?;
        self.at_once(py, |editing| editing.read_input(frame, &mut out))
    }

    /// Writes the edited motion to a file.
    #[pyo3(signature = (output, options, progress=None))]
    fn write(
        &self,
        py: Python<'_>,
        output: PathBuf,
        options: Solving,
        progress: Callback<'_, '_>,
    ) -> PyResult<String> {
        let options = options.options()?;
        self.with(py, progress, |editing, progress| editing.write(&output, &options, progress))
    }

    /// The text of the shot as it is now.
    fn text(&self, py: Python<'_>) -> PyResult<String> {
        self.at_once(py, |editing| Ok(editing.shot().text("shot.toml".as_ref())?))
    }

    /// Lets go of everything.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.begin().map_err(raised)?;
        py.detach(|| drop(self.editing.lock().unwrap_or_else(PoisonError::into_inner).take()));
        Ok(())
    }
}

impl Session {
    fn to_fill(&self, out: &Bound<'_, PyAny>) -> PyResult<Array> {
        let array = Array::to_fill(out, "out")?;
        array.demand("out", &[Some(self.vertices), Some(3)])?;
        Ok(array)
    }
}
