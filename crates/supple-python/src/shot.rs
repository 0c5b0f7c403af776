//! A shot by its dotted keys.

use crate::errors::{Failure, raised};
use crate::surface::{Arrays, NAME, edited};
use crate::words::{self, json};
use crate::work::run;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use supple_formats::files_of;
use supple_model::Progress;
use supple_project::edit::FeelOptions;
use supple_project::import::{import, keep};
use supple_project::method::open_shot;
use supple_project::shot::{Handle, Optimise};
use supple_project::solution::{SolveOptions, solve_shot};
use supple_project::{Cache, Import, MotionFile, RestShape, Space};

/// A shot.
#[pyclass(module = "supple._core", frozen)]
pub struct Shot(Mutex<Held>);

/// What there is of it.
#[derive(Clone)]
pub struct Held {
    pub shot: supple_project::Shot,
    /// Its file.
    pub path: Option<PathBuf>,
    /// Whether it is other than its file.
    is_changed: bool,
    /// Whether the points it was made of are doubles.
    is_double: bool,
    /// What its import came to, as JSON.
    imported: Option<String>,
}

impl Held {
    /// What it is called.
    pub fn name(&self) -> PathBuf {
        self.path.clone().unwrap_or_else(|| NAME.into())
    }

    /// Where what is computed for it is kept.
    pub fn cache(&self) -> Cache {
        self.path.as_deref().map_or_else(Cache::of_user, Cache::of_shot)
    }
}

/// What to make a shot of.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Source {
    object: Option<String>,
    topology: Option<PathBuf>,
    kind: String,
    unit: Option<String>,
    up: Option<String>,
    rest_frame: Option<i32>,
    rest_file: Option<PathBuf>,
    cells: Option<usize>,
    groups: Option<PathBuf>,
    force: bool,
}

/// How the edited motion of a shot is written.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Solving {
    skin: bool,
    flatten: bool,
    #[pyo3(default)]
    bake: Option<PathBuf>,
    #[pyo3(default)]
    seconds: Option<f64>,
    #[pyo3(default)]
    fps: Option<f64>,
    #[pyo3(default)]
    write_keys: Option<PathBuf>,
    #[pyo3(default)]
    forces: Option<PathBuf>,
    #[pyo3(default)]
    optimise: Option<String>,
}

impl Solving {
    pub fn options(self) -> PyResult<SolveOptions> {
        let Self { skin, flatten, bake, seconds, fps, write_keys, forces, optimise } = self;
        let choices = [("none", Optimise::None), ("stiffness", Optimise::Stiffness), ("all", Optimise::All)];
        let optimise = optimise.map(|word| words::chosen("optimise", &word, &choices)).transpose()?;
        let stop_after = seconds.map(Duration::try_from_secs_f64).transpose();
        let stop_after = stop_after
            .map_err(|error| pyo3::exceptions::PyValueError::new_err(format!("seconds: {error}")))?;
        Ok(SolveOptions { skin, flatten, bake, stop_after, fps, write_keys, forces, optimise })
    }
}

impl Shot {
    fn new(shot: supple_project::Shot, path: Option<PathBuf>) -> Self {
        let held = Held { shot, is_changed: path.is_none(), path, is_double: false, imported: None };
        Self(Mutex::new(held))
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// It as it is now.
    pub fn now(&self) -> Held {
        self.held().clone()
    }

    /// Changes it, whole or not at all.
    fn change(
        &self,
        change: impl FnOnce(&mut supple_project::Shot) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut held = self.held();
        change(&mut held.shot)?;
        held.is_changed = true;
        Ok(())
    }
}

#[pymethods]
impl Shot {
    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<Self> {
        Ok(Self::new(supple_project::Shot::load(&path).map_err(raised)?, Some(path)))
    }

    /// Reads the text of a shot file that is in this folder.
    #[staticmethod]
    fn parse(text: &str, folder: PathBuf) -> PyResult<Self> {
        let shot = supple_project::Shot::parse(&folder.join("shot.toml"), text).map_err(raised)?;
        Ok(Self::new(shot, None))
    }

    /// Makes a shot of a file of an animated surface or a skeleton.
    #[staticmethod]
    #[pyo3(name = "import_", signature = (file, output, options, progress=None))]
    fn import(
        py: Python<'_>,
        file: PathBuf,
        output: PathBuf,
        options: Source,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let unit = options.unit.as_deref().map(words::unit).transpose()?;
        let up = options.up.as_deref().map(words::up).transpose()?;
        let file = MotionFile { path: file, topology: options.topology, object: options.object, unit, up };
        let rest = options.rest_frame.map(RestShape::Frame).or(options.rest_file.map(RestShape::File));
        let kind = words::kind(&options.kind)?;
        let (cells, groups, force) = (options.cells, options.groups, options.force);
        let task = Import { file, rest, kind, cells, groups, force };
        let (shot, answer) = run(py, progress, |progress| {
            let answer = import(&task, &output, &FeelOptions::default(), progress)?;
            Ok((supple_project::Shot::load(&output)?, json(&answer)?))
        })?;
        let made = Self::new(shot, Some(output));
        made.held().imported = Some(answer);
        Ok(made)
    }

    /// Makes a shot of arrays, which stay where they are.
    #[staticmethod]
    #[pyo3(signature = (arrays, progress=None))]
    fn of_arrays(py: Python<'_>, arrays: Arrays<'_>, progress: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let given = arrays.given()?;
        let is_double = given.is_double;
        let imported = run(py, progress, |progress| given.shot(&Cache::of_user(), progress))?;
        let notes = json(&serde_json::json!({
            "kind": imported.shot.body.kind.name(),
            "vertices": imported.surface[0],
            "triangles": imported.surface[1],
            "rest": imported.rest,
            "body_vertices": imported.body[0],
            "body_elements": imported.body[1],
            "element_kind": imported.elements,
            "still": imported.still,
            "copies": imported.copies,
            "notes": imported.notes,
            "warnings": imported.warnings.iter().map(ToString::to_string).collect::<Vec<_>>(),
        }));
        let made = Self::new(imported.shot, None);
        made.held().is_double = is_double;
        made.held().imported = Some(notes.map_err(raised)?);
        Ok(made)
    }

    /// Another one as it is now; arrays stay where they are.
    fn copy(&self) -> Self {
        Self(Mutex::new(self.now()))
    }

    /// The value at a dotted key, as TOML.
    fn value(&self, key: &str) -> PyResult<Option<String>> {
        self.held().shot.value(key).map_err(raised)
    }

    /// Gives a dotted key a value that is TOML, or leaves it out.
    #[pyo3(signature = (key, value))]
    fn set_value(&self, key: &str, value: Option<&str>) -> PyResult<()> {
        self.change(|shot| Ok(shot.set_value(key, value)?)).map_err(raised)
    }

    /// Takes these handles, and no others, in the unit and axes of the input.
    fn take_handles(&self, handles: &str) -> PyResult<()> {
        let handles = Handle::list(handles).map_err(|error| raised(Failure::of_handles(&error)))?;
        self.change(|shot| {
            let space = Space::of_shot(shot)?;
            let inside: Vec<Handle> = handles.iter().map(|handle| space.handle_inside(handle)).collect();
            shot.set_value("edit.handle", Some(&spelled(&inside)?))
                .map_err(|error| Failure::of_handles(&error))
        })
        .map_err(raised)
    }

    /// The text of its file.
    fn text(&self) -> PyResult<String> {
        let held = self.now();
        held.shot.text(&held.name()).map_err(raised)
    }

    /// Writes it to its file, or to another one, with what it has in memory beside it.
    #[pyo3(signature = (path=None, force=false, progress=None))]
    fn save(
        &self,
        py: Python<'_>,
        path: Option<PathBuf>,
        force: bool,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<String> {
        let mut held = self.now();
        let Some(path) = path.or(held.path.clone()) else {
            return Err(raised(Failure::plain(
                "the shot has no file yet; say which: save(\"shot.toml\")".to_owned(),
            )));
        };
        let kept = run(py, progress, |progress| Ok(keep(&mut held.shot, &path, force, progress)?));
        let kept = kept?;
        let mut own = self.held();
        *own = Held { path: Some(path), is_changed: false, ..held };
        json(&kept).map_err(raised)
    }

    /// Finds its edit and writes the motion.
    #[pyo3(signature = (output, options, progress=None))]
    fn solve(
        &self,
        py: Python<'_>,
        output: PathBuf,
        options: Solving,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<String> {
        let (held, options) = (self.now(), options.options()?);
        run(py, progress, |progress| {
            let (name, cache) = (held.name(), held.cache());
            json(&solve_shot(held.shot, [&name, &output], &cache, &options, progress)?)
        })
    }

    /// Finds its edit; the motion as an array, and what it came to.
    #[pyo3(signature = (is_double=None, progress=None))]
    fn edited(
        &self,
        py: Python<'_>,
        is_double: Option<bool>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<(Py<PyAny>, String)> {
        let held = self.now();
        run(py, progress, |progress: &Progress| {
            let is_double = is_double.unwrap_or(held.is_double);
            edited(&held.shot, &held.name(), &held.cache(), is_double, progress)
        })
    }

    /// Computes all that its edits share, and keeps it in the cache.
    #[pyo3(signature = (progress=None))]
    fn prepare(&self, py: Python<'_>, progress: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let held = self.now();
        run(py, progress, |progress| {
            open_shot(&held.shot, &held.cache(), progress)?;
            Ok(())
        })
    }

    /// Every file it reads, where it is.
    fn files(&self) -> Vec<PathBuf> {
        self.held().shot.places().iter().flat_map(files_of).collect()
    }

    /// Its file.
    #[getter]
    fn path(&self) -> Option<PathBuf> {
        self.held().path.clone()
    }

    /// The folder its paths start from.
    #[getter]
    fn folder(&self) -> PathBuf {
        self.held().shot.folder().to_path_buf()
    }

    /// Whether it is other than its file.
    #[getter]
    fn is_changed(&self) -> bool {
        self.held().is_changed
    }

    /// What its import came to, as JSON.
    #[getter]
    fn imported(&self) -> Option<String> {
        self.held().imported.clone()
    }
}

/// Handles as a list of TOML.
pub fn spelled(handles: &[Handle]) -> Result<String, Failure> {
    let all: Result<Vec<String>, _> = handles.iter().map(Handle::spelled).collect();
    Ok(format!("[{}]", all?.join(", ")))
}

/// Looks whether handles are such, as a list of TOML.
#[pyfunction]
pub fn check_handles(handles: &str) -> PyResult<()> {
    Handle::list(handles).map(drop).map_err(|error| raised(Failure::of_handles(&error)))
}
