//! Poses of the body from deformed skins.

use crate::body::Body;
use crate::motion::MotionError;
use crate::shot::Motion;
use crate::simulate::SimulateError;
use std::path::Path;
use supple_elastic::{FitReport, FitSettings, Fitter, FreeVertices, vertex_areas};
use supple_formats::MeshFile;
use supple_mesh::displacement;
use supple_model::{Frame, FrameSource, Progress};

/// How to weigh skin and strain.
#[derive(Clone, Copy, Debug, Default)]
pub struct FitOptions {
    /// How to fit.
    pub settings: FitSettings,
    /// Whether a skin vertex counts by the area around it.
    pub by_area: bool,
}

/// Deformed skins of a body, to fit it to.
pub struct Skins {
    /// The skins, frame by frame.
    pub frames: Box<dyn FrameSource>,
    /// What a motion file says about when they are; nothing for a single mesh.
    pub time: Option<(Frame, Option<f64>)>,
}

impl Skins {
    /// Opens a motion of the body's skin, or a single mesh of it.
    ///
    /// # Errors
    /// A body without skin, a file that cannot be read or is of another skin.
    pub fn open(body: &Body, path: &Path) -> Result<Self, MotionError> {
        let Some(skin) = &body.skin else { return Err(MotionError::NoSkin) };
        let skins = if supple_formats::is_motion_path(path) {
            let motion = supple_formats::open_motion(path)?;
            let info = motion.info();
            let time = (info.start_frame().unwrap_or(Frame(Motion::START)), info.fps);
            Self { frames: motion, time: Some(time) }
        } else {
            let positions = match supple_formats::load_mesh(path)? {
                MeshFile::Surface(surface) => surface.positions,
                MeshFile::Volume(volume) => volume.positions,
            };
            Self { frames: Box::new(vec![positions]), time: None }
        };
        let (found, expected) = (skins.frames.vertices(), skin.mesh.positions().len());
        if found == expected {
            Ok(skins)
        } else {
            Err(SimulateError::OtherBody { file: path.to_path_buf(), found, expected }.into())
        }
    }
}

/// Fits a body to every frame of its deformed skins. Anchored vertices move along like all others. Hands on
/// the positions of the body's vertices with a report on each.
///
/// # Errors
/// A frame that cannot be read, whatever `each` answers, and cancellation.
pub fn fit(
    body: &Body,
    skins: &mut dyn FrameSource,
    options: FitOptions,
    mut each: impl FnMut(&[[f64; 3]], &FitReport) -> Result<(), MotionError>,
    progress: &Progress,
) -> Result<(), MotionError> {
    let Some(skin) = &body.skin else { return Err(MotionError::NoSkin) };
    let rest = skin.mesh.positions();
    let free = FreeVertices::all(body.positions().len());
    let statics = |error| MotionError::from(SimulateError::from(error));
    let mut fitter =
        Fitter::new(body.elastic.clone(), free, &skin.embedding, options.settings).map_err(statics)?;
    if options.by_area {
        fitter = fitter.with_weights(&vertex_areas(&skin.mesh)).map_err(statics)?;
    }
    let count = skins.frames();
    let mut places = vec![[0.0; 3]; rest.len()];
    for index in 0..count {
        skins.read(index, &mut places)?;
        let part = progress.part(index as f64 / count as f64, (index + 1) as f64 / count as f64);
        let report = fitter.fit(&displacement(&places, rest), &part).map_err(statics)?;
        let positions = body.displaced(&report.pose);
        each(&positions, &report)?;
    }
    Ok(())
}
