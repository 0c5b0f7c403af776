//! A motion in an array as a shot, and an edit of it as another array.

use crate::array::{Array, ArrayFrames, ArrayWriter};
use crate::errors::Failure;
use crate::words::{self, json};
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::path::Path;
use std::time::Instant;
use supple_formats::{Group, MotionWriter, SurfaceFile};
use supple_model::{Clock, Frame, FrameError, Progress};
use supple_project::method;
use supple_project::shot::Motion;
use supple_project::solution::{SolveAnswer, SolveSeconds, solve_to};
use supple_project::{Cache, Import, Imported, MotionError, MotionFile, RestShape, Shot};

/// What a motion in arrays is called in messages.
pub const NAME: &str = "points";

/// A motion in arrays, and what to make of it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Arrays<'py> {
    points: Bound<'py, PyAny>,
    /// The corners of all polygons, and how many each has.
    corners: Bound<'py, PyAny>,
    counts: Bound<'py, PyAny>,
    groups: Vec<(String, Vec<i64>)>,
    start: i32,
    fps: f64,
    unit: String,
    up: String,
    kind: String,
    cells: Option<usize>,
    rest: Option<i32>,
}

/// The same, looked at.
pub struct Given {
    import: Import,
    surface: SurfaceFile,
    frames: ArrayFrames,
    clock: Clock,
    /// Whether its numbers are doubles.
    pub is_double: bool,
}

impl Arrays<'_> {
    /// Looks for what cannot be, before anything is done.
    pub fn given(&self) -> PyResult<Given> {
        let array = Array::of(&self.points, "points")?;
        array.demand("points", &[None, None, Some(3)])?;
        let [frames, vertices] = [array.shape()[0], array.shape()[1]];
        if frames == 0 || vertices == 0 {
            let what = if frames == 0 { "frames" } else { "vertices" };
            return Err(PyValueError::new_err(format!("points has no {what}")));
        }
        if !Motion::is_start(self.start) {
            return Err(PyValueError::new_err(format!("start cannot be {}", self.start)));
        }
        if !Motion::is_fps(self.fps) {
            return Err(PyValueError::new_err(format!("fps {}, got {}", Motion::FPS_RANGE, self.fps)));
        }
        if self.cells == Some(0) {
            return Err(PyValueError::new_err("cells must be at least 1"));
        }
        let file = MotionFile {
            path: NAME.into(),
            unit: Some(words::unit(&self.unit)?),
            up: Some(words::up(&self.up)?),
            ..MotionFile::default()
        };
        let kind = words::kind(&self.kind)?;
        let rest = self.rest.map(RestShape::Frame);
        let import = Import { file, rest, kind, cells: self.cells, ..Import::default() };
        let is_double = array.is_double();
        let clock = Clock { start: Frame(self.start), frames, fps: self.fps };
        let frames = ArrayFrames::new(array, self.start);
        Ok(Given { import, surface: self.surface(vertices)?, frames, clock, is_double })
    }

    /// The faces and groups.
    fn surface(&self, vertices: usize) -> PyResult<SurfaceFile> {
        let (corners, counts) = (whole_numbers(&self.corners)?, whole_numbers(&self.counts)?);
        let mut indices = Vec::with_capacity(corners.len());
        let mut rest = corners.as_slice();
        let mut sizes = Vec::with_capacity(counts.len());
        for (face, count) in counts.iter().enumerate() {
            let size = usize::try_from(*count).ok().filter(|size| (3..=rest.len()).contains(size));
            let Some(size) = size else {
                let text = format!("faces[{face}] has {count} corners; a face has at least 3");
                return Err(PyValueError::new_err(text));
            };
            let (own, others) = rest.split_at(size);
            if let Some(wrong) = own.iter().find(|v| !(0..vertices as i64).contains(v)) {
                let text =
                    format!("faces[{face}] names vertex {wrong}, but points has {vertices}, counted from 0");
                return Err(PyValueError::new_err(text));
            }
            indices.extend(own.iter().map(|v| *v as u32));
            sizes.push(size);
            rest = others;
        }
        if sizes.is_empty() {
            return Err(PyValueError::new_err("faces is empty; a surface has at least one face"));
        }
        let mut polygons = indices.as_slice();
        let faces = sizes.iter().map(|size| {
            let (own, others) = polygons.split_at(*size);
            polygons = others;
            own
        });
        let mut surface = SurfaceFile::of_polygons(Vec::new(), faces);
        for (name, members) in &self.groups {
            if let Some(wrong) = members.iter().find(|v| !(0..vertices as i64).contains(v)) {
                let text = format!(
                    "the group {name:?} names vertex {wrong}, but points has {vertices}, counted from 0"
                );
                return Err(PyValueError::new_err(text));
            }
            let mut members: Vec<u32> = members.iter().map(|v| *v as u32).collect();
            members.sort_unstable();
            members.dedup();
            surface.vertex_groups.push(Group { name: name.clone(), members });
        }
        Ok(surface)
    }
}

impl Given {
    /// The shot of it.
    pub fn shot(self, cache: &Cache, progress: &Progress) -> Result<Imported, Failure> {
        let Self { import, surface, frames, clock, .. } = self;
        Ok(import.of_frames(surface, Box::new(frames), clock, cache, progress)?)
    }
}

fn whole_numbers(object: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
    let buffer = PyBuffer::<i64>::get(object).map_err(|_| {
        PyTypeError::new_err("faces must be an array of whole numbers, or a list of polygons")
    })?;
    buffer.to_vec(object.py())
}

/// Finds the edit of a shot; its motion as an array, and what it came to.
pub fn edited(
    shot: &Shot,
    name: &Path,
    cache: &Cache,
    is_double: bool,
    progress: &Progress,
) -> Result<(Py<PyAny>, String), Failure> {
    let begin = Instant::now();
    let mut method = method::open_shot(shot, cache, &progress.part(0.0, 0.5))?;
    let prepare = begin.elapsed().as_secs_f64();
    let mut out = None;
    let mut make = |vertices: usize, clock: Clock| -> Result<Box<dyn MotionWriter>, MotionError> {
        let (array, object) = empty(clock.frames, vertices, is_double)
            .map_err(|error| MotionError::Frame(FrameError(error.to_string().into())))?;
        out = Some(object);
        Ok(Box::new(ArrayWriter::new(array)))
    };
    let solved = solve_to(name, &mut make, shot, method.as_mut(), &progress.part(0.5, 1.0))?;
    let total = begin.elapsed().as_secs_f64();
    let seconds = SolveSeconds { prepare, solve: total - prepare, total };
    let answer = SolveAnswer::of([name, name], &method.about(), &solved, seconds);
    let mut report = serde_json::to_value(&answer)
        .map_err(|error| Failure::plain(format!("the answer is no JSON: {error}")))?;
    if let Some(fields) = report.as_object_mut() {
        // There are no such files.
        fields.retain(|key, _| !["shot", "output", "keys", "forces", "baked"].contains(&key.as_str()));
        fields.insert("size".to_owned(), method.about().size.into());
    }
    let out = out.ok_or_else(|| Failure::plain("the motion has no frames".to_owned()))?;
    Ok((out, json(&report)?))
}

/// An array of so many frames and points, to be filled.
fn empty(frames: usize, vertices: usize, is_double: bool) -> PyResult<(Array, Py<PyAny>)> {
    Python::attach(|py| {
        let kind = if is_double { "float64" } else { "float32" };
        let object = py.import("numpy")?.getattr("empty")?.call1(((frames, vertices, 3), kind))?;
        Ok((Array::to_fill(&object, "out")?, object.unbind()))
    })
}
