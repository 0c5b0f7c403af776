//! `render`: pictures of a shot, a motion or a mesh.

use crate::words::{chosen, json};
use crate::work::run;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::path::PathBuf;
use supple_project::picture::{
    self, CameraOptions, Colouring, Drawn, FloorOptions, GivenCamera, MotionOptions, RenderOptions,
    TimeOptions,
};
use supple_render::{UpAxis, View};

/// Where the picture is taken from.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Camera {
    view: String,
    up: Option<String>,
    eye: Option<[f64; 3]>,
    target: Option<[f64; 3]>,
    angle: f64,
    turntable: bool,
}

/// Which frames, and how they come together.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Time {
    frame: Option<i32>,
    frames: Option<[i32; 2]>,
    every: Option<u32>,
    fps: Option<f64>,
    sheet: Option<u32>,
    strobe: Option<u32>,
}

/// What is drawn of a motion.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Motion {
    input: bool,
    ghost: bool,
    spline: bool,
    streamers: Vec<String>,
    handles: bool,
    contacts: bool,
    keys: bool,
    topology: Option<PathBuf>,
    object: Option<String>,
}

/// What is drawn, and how.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Look {
    size: Option<[u32; 2]>,
    mode: Option<u32>,
    amplitude: f64,
    colour: Option<String>,
    drawn: Option<String>,
    anchors: bool,
    wireframe: bool,
    /// `shot`, `lowest`, `none` or a height.
    floor: String,
    caption: bool,
}

impl Camera {
    fn options(self) -> PyResult<CameraOptions> {
        let given = match (self.eye, self.target) {
            (Some(eye), Some(target)) => Some(GivenCamera { eye, target, degrees: self.angle }),
            (None, None) => None,
            _ => return Err(PyValueError::new_err("eye and target belong together")),
        };
        let view: View = self.view.parse().map_err(|error| PyValueError::new_err(format!("{error}")))?;
        let up = self.up.map(|up| chosen("up", &up, &[("y", UpAxis::Y), ("z", UpAxis::Z)])).transpose()?;
        Ok(CameraOptions { view, up, given, turntable: self.turntable })
    }
}

impl Look {
    fn options(
        self,
        camera: CameraOptions,
        time: TimeOptions,
        motion: MotionOptions,
    ) -> PyResult<RenderOptions> {
        let colours = [
            ("displacement", Colouring::Displacement),
            ("strain", Colouring::Strain),
            ("edit", Colouring::Edit),
        ];
        let drawn = [("skin", Drawn::Skin), ("body", Drawn::Body), ("bones", Drawn::Bones)];
        let floor = match self.floor.as_str() {
            "shot" => FloorOptions::OfShot,
            "lowest" => FloorOptions::Lowest,
            "none" => FloorOptions::Without,
            height => FloorOptions::At(height.parse().map_err(|_| {
                PyValueError::new_err(format!("floor cannot be {height:?}; give a height, True or False"))
            })?),
        };
        Ok(RenderOptions {
            size: self.size,
            camera,
            time,
            motion,
            mode: self.mode,
            amplitude: self.amplitude,
            colour: self.colour.map(|word| chosen("colour", &word, &colours)).transpose()?,
            drawn: self.drawn.map(|word| chosen("drawn", &word, &drawn)).transpose()?,
            anchors: self.anchors,
            wireframe: self.wireframe,
            floor,
            no_caption: !self.caption,
        })
    }
}

#[pyfunction]
#[pyo3(signature = (file, output, options, progress=None))]
pub fn render(
    py: Python<'_>,
    file: PathBuf,
    output: PathBuf,
    options: &Bound<'_, PyAny>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let time: Time = options.extract()?;
    let Time { frame, frames, every, fps, sheet, strobe } = time;
    let time = TimeOptions { frame, frames, every, fps, sheet, strobe };
    let motion: Motion = options.extract()?;
    // A text that is no number is a joint; no text is none of them.
    let streamers = motion.streamers.iter().filter_map(|text| text.parse().ok()).collect();
    let motion = MotionOptions {
        input: motion.input,
        ghost: motion.ghost,
        spline: motion.spline,
        streamers,
        handles: motion.handles,
        contacts: motion.contacts,
        keys: motion.keys,
        topology: motion.topology,
        object: motion.object,
    };
    let camera: Camera = options.extract()?;
    let look: Look = options.extract()?;
    let options = look.options(camera.options()?, time, motion)?;
    run(py, progress, |progress| json(&picture::render(&file, &output, &options, progress)?))
}
