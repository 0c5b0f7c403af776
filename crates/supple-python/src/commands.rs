//! The commands of the command line, which answer what their `--json` prints.

use crate::errors::Failure;
use crate::words::{self, json};
use crate::work::run;
use pyo3::prelude::*;
use std::path::PathBuf;
use supple_project::feet::{self, CleanOptions};
use supple_project::import::{Conversion, convert as convert_file};
use supple_project::prepare::{self, PrepareOptions};
use supple_project::recover::{self, RecoverOptions};
use supple_project::samples::{self, SampleOptions};
use supple_project::solution::{self, PoseOptions, SimulateOptions};
use supple_project::{MotionFile, info as info_of};

/// Adds them to the module.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(list_samples, module)?)?;
    module.add_function(wrap_pyfunction!(sample, module)?)?;
    module.add_function(wrap_pyfunction!(info, module)?)?;
    module.add_function(wrap_pyfunction!(convert, module)?)?;
    module.add_function(wrap_pyfunction!(prepare_shot, module)?)?;
    module.add_function(wrap_pyfunction!(simulate, module)?)?;
    module.add_function(wrap_pyfunction!(pose, module)?)?;
    module.add_function(wrap_pyfunction!(recover_material, module)?)?;
    module.add_function(wrap_pyfunction!(plants, module)?)?;
    module.add_function(wrap_pyfunction!(clean, module)?)
}

type Callback<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

#[pyfunction]
#[pyo3(name = "samples")]
fn list_samples() -> PyResult<String> {
    json(&samples::list()).map_err(crate::errors::raised)
}

#[pyfunction]
#[pyo3(signature = (name, folder=None, full=false, progress=None))]
fn sample(
    py: Python<'_>,
    name: &str,
    folder: Option<PathBuf>,
    full: bool,
    progress: Callback<'_, '_>,
) -> PyResult<String> {
    let options = SampleOptions { folder, full };
    run(py, progress, |progress| json(&samples::write(name, &options, progress)?))
}

#[pyfunction]
#[pyo3(signature = (file, progress=None))]
fn info(py: Python<'_>, file: PathBuf, progress: Callback<'_, '_>) -> PyResult<String> {
    run(py, progress, |progress| json(&info_of::info(&file, progress)?))
}

/// What a file does not say itself.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Said {
    topology: Option<PathBuf>,
    object: Option<String>,
    unit: Option<String>,
    up: Option<String>,
    start: Option<i32>,
    fps: Option<f64>,
}

#[pyfunction]
#[pyo3(signature = (input, output, options, progress=None))]
fn convert(
    py: Python<'_>,
    input: PathBuf,
    output: PathBuf,
    options: Said,
    progress: Callback<'_, '_>,
) -> PyResult<String> {
    let unit = options.unit.as_deref().map(words::unit).transpose()?;
    let up = options.up.as_deref().map(words::up).transpose()?;
    let file = MotionFile { path: input, topology: options.topology, object: options.object, unit, up };
    let conversion = Conversion { file, start: options.start, fps: options.fps };
    run(py, progress, |progress| json(&convert_file(&conversion, &output, progress)?))
}

#[pyfunction]
#[pyo3(name = "prepare", signature = (shot, modes=None, progress=None))]
fn prepare_shot(
    py: Python<'_>,
    shot: PathBuf,
    modes: Option<usize>,
    progress: Callback<'_, '_>,
) -> PyResult<String> {
    run(py, progress, |progress| json(&prepare::prepare(&shot, &PrepareOptions { modes }, progress)?))
}

#[pyfunction]
#[pyo3(signature = (shot, output, frames=None, skin=false, forces=None, track=false, progress=None))]
#[expect(clippy::too_many_arguments, reason = "they are the options of the command")]
fn simulate(
    py: Python<'_>,
    shot: PathBuf,
    output: PathBuf,
    frames: Option<usize>,
    skin: bool,
    forces: Option<PathBuf>,
    track: bool,
    progress: Callback<'_, '_>,
) -> PyResult<String> {
    let options = SimulateOptions { frames, skin, forces, track };
    run(py, progress, |progress| json(&solution::simulate(&shot, &output, &options, progress)?))
}

#[pyfunction]
#[pyo3(signature = (shot, output, weight=false, skin=false, progress=None))]
fn pose(
    py: Python<'_>,
    shot: PathBuf,
    output: PathBuf,
    weight: bool,
    skin: bool,
    progress: Callback<'_, '_>,
) -> PyResult<String> {
    let options = PoseOptions { weight, skin };
    run(py, progress, |progress| {
        let answer = solution::pose(&shot, &output, &options, progress)?;
        match answer.failure() {
            Some(failure) => Err(Failure::plain(failure)),
            None => json(&answer),
        }
    })
}

#[pyfunction]
#[pyo3(name = "recover", signature = (shot, output=None, frames=None, progress=None))]
fn recover_material(
    py: Python<'_>,
    shot: PathBuf,
    output: Option<PathBuf>,
    frames: Option<(i32, i32)>,
    progress: Callback<'_, '_>,
) -> PyResult<String> {
    let frames = frames.map(|(first, last)| first..=last);
    let options = RecoverOptions { frames, output, ..RecoverOptions::default() };
    run(py, progress, |progress| json(&recover::recover(&shot, &options, progress)?))
}

#[pyfunction]
#[pyo3(signature = (shot, progress=None))]
fn plants(py: Python<'_>, shot: PathBuf, progress: Callback<'_, '_>) -> PyResult<String> {
    run(py, progress, |progress| json(&feet::plants(&shot, progress)?))
}

#[pyfunction]
#[pyo3(signature = (input, output, unit=None, up=None, progress=None))]
fn clean(
    py: Python<'_>,
    input: PathBuf,
    output: PathBuf,
    unit: Option<&str>,
    up: Option<&str>,
    progress: Callback<'_, '_>,
) -> PyResult<String> {
    let options =
        CleanOptions { unit: unit.map(words::unit).transpose()?, up: up.map(words::up).transpose()? };
    run(py, progress, |progress| json(&feet::clean(&input, &output, &options, progress)?))
}
