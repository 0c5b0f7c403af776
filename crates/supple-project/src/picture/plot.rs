//! `plot`: numbers of a shot file as curves, in one call.

use super::plot_material::{amplitudes, cubature, energy, periods};
use super::render::{FilmOptions, check_folder, film_of_character, film_of_shot, is_edited};
use super::{Drawn, Film, FilmError, PictureError, Side, Wanted, save_png, save_text, spectrum};
use crate::Cache;
use crate::body::Body;
use crate::method::EditError;
use crate::method::material::prepare;
use crate::open::{InShot, NameShot, OpenError};
use crate::prepare::{ModesFailed, modes};
use crate::shot::{Axis, Feel, Method, Shot};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use supple_mesh::Vec3;
use supple_model::{Cancelled, Progress, VertexId};
use supple_render::{Colour, Look, Plot, RenderError, Rule, Scale, Series};

/// Colours of the input and of the edited motion.
const INPUT: Colour = Colour::rgb(214, 162, 14);
const OUTPUT: Colour = Colour::rgb(200, 62, 52);
/// Powers below this part of the largest are not shown: they are noise.
const FLOOR: f64 = 1e-9;
/// Parts of the shot's modes that convergence is tried with.
const PARTS: [f64; 6] = [0.1, 0.2, 0.35, 0.5, 0.7, 0.85];
/// Handles beyond these are not marked one by one.
const RULES: usize = 8;

/// What is plotted of a shot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PlotOf {
    /// The path of a vertex of the surface, before and after the edit.
    Path,
    /// The force of the edit at every frame.
    Force,
    /// The frequencies of the path of a vertex, before and after the edit.
    Spectrum,
    /// How far edits with fewer modes are from that with all modes of the shot.
    Convergence,
    /// The frequencies of the modes.
    Modes,
    /// How much there is of the first shapes of a material, frame by frame.
    Amplitudes,
    /// What the motion cost after every step of the solver.
    Energy,
    /// Frames in which every shape swings once, before and after the material was chosen.
    Material,
    /// What the reduced warp misses, by the places it looks at.
    Cubature,
}

/// How it is plotted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlotOptions {
    /// The vertex of a path or spectrum: of the skin if there is one, otherwise of the body. Without: the one that the
    /// edit moves farthest.
    pub vertex: Option<u32>,
    /// Its coordinate. Without: the one that changes most.
    pub axis: Option<Axis>,
    /// Width and height in pixels.
    pub size: [u32; 2],
}

impl Default for PlotOptions {
    fn default() -> Self {
        Self { vertex: None, axis: None, size: [960, 480] }
    }
}

/// A plot that was written: what `supple plot --json` prints.
#[derive(Clone, Debug, Serialize)]
pub struct PlotAnswer {
    /// The shot file.
    pub shot: PathBuf,
    /// The picture.
    pub output: PathBuf,
    /// What is plotted.
    pub of: PlotOf,
    /// The line above it.
    pub title: String,
    /// What goes to the right.
    pub x: String,
    /// What goes up.
    pub y: String,
    /// The curves.
    pub series: Vec<PlotSeries>,
    /// How long it took.
    pub seconds: f64,
}

/// A curve of a plot.
#[derive(Clone, Debug, Serialize)]
pub struct PlotSeries {
    /// What it is of; empty where it is the only one.
    pub name: String,
    /// Its points.
    pub points: Vec<[f64; 2]>,
}

/// Why nothing was plotted.
#[derive(Debug, thiserror::Error)]
pub enum PlotFailed {
    /// The shot cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// Forces of an edit that has none.
    #[error("{}: a smooth edit has no forces; set `feel = \"lively\"` in [edit]", shot.display())]
    SmoothForce {
        /// The shot file.
        shot: PathBuf,
    },
    /// Something that the method of the shot does not have.
    #[error("{}: there is nothing to plot of this with the method {method:?}; it is for {owners}", shot.display())]
    NotOfMethod {
        /// The shot file.
        shot: PathBuf,
        /// Its method.
        method: &'static str,
        /// The methods that have it.
        owners: &'static str,
    },
    /// An edit of a shot that has none.
    #[error("{}: the shot has no edits; add a handle with `supple edit`", shot.display())]
    NoEdits {
        /// The shot file.
        shot: PathBuf,
    },
    /// Too few modes to leave some out.
    #[error("{}: {modes} modes are too few to plot convergence; raise `modes` in [edit]", shot.display())]
    FewModes {
        /// The shot file.
        shot: PathBuf,
        /// How many it has.
        modes: usize,
    },
    /// The modes of the body were not found.
    #[error(transparent)]
    Modes(#[from] ModesFailed),
    /// The motion of the shot, or a vertex of it, is not there.
    #[error(transparent)]
    OfShot(#[from] InShot<FilmError>),
    /// The reduced warp cannot be had.
    #[error(transparent)]
    Reduced(#[from] InShot<EditError>),
    /// An edit that changes no shape.
    #[error("{}: no edit changes the shape of the body: there is nothing to reduce", shot.display())]
    NothingMoves {
        /// The shot file.
        shot: PathBuf,
    },
    /// A frame cannot be read.
    #[error(transparent)]
    Film(Box<FilmError>),
    /// The picture cannot be drawn.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// The picture cannot be written.
    #[error(transparent)]
    Picture(#[from] PictureError),
    /// Stopped by its owner.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl From<FilmError> for PlotFailed {
    fn from(error: FilmError) -> Self {
        Self::Film(Box::new(error))
    }
}

/// Plots numbers of the shot in the file `path`, and writes the picture `output`: a `.svg`, or else a `.png`. What is
/// wrong with the cache is told to `progress`.
///
/// # Errors
/// See [`PlotFailed`].
pub fn plot(
    path: &Path,
    output: &Path,
    of: PlotOf,
    options: &PlotOptions,
    progress: &Progress,
) -> Result<PlotAnswer, PlotFailed> {
    let start = Instant::now();
    check_folder(output)?;
    progress.report("reading", 0.0)?;
    let shot = Shot::load(path).map_err(OpenError::from)?;
    let plot = match of {
        PlotOf::Modes => of_modes(path, &shot, progress)?,
        PlotOf::Convergence => of_convergence(path, &shot, progress)?,
        PlotOf::Force if shot.edit.feel == Feel::Smooth && shot.edit.method != Method::Material => {
            return Err(PlotFailed::SmoothForce { shot: path.to_path_buf() });
        }
        PlotOf::Force => of_force(&open(path, &shot, true, progress)?),
        PlotOf::Amplitudes | PlotOf::Energy | PlotOf::Material | PlotOf::Cubature => {
            of_material(path, of, &shot, progress)?
        }
        PlotOf::Path => Watched::of(path, &shot, options, progress)?.path(),
        PlotOf::Spectrum => Watched::of(path, &shot, options, progress)?.spectrum(),
    };
    progress.check()?;
    let [width, height] = options.size;
    if output.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg")) {
        save_text(&plot.svg(width, height), output)?;
    } else {
        save_png(&plot.image(width, height)?, output)?;
    }
    let series = plot.series.into_iter();
    Ok(PlotAnswer {
        shot: path.to_path_buf(),
        output: output.to_path_buf(),
        of,
        title: plot.title,
        x: plot.x.label,
        y: plot.y.label,
        series: series.map(|series| PlotSeries { name: series.name, points: series.points }).collect(),
        seconds: start.elapsed().as_secs_f64(),
    })
}

/// The motion of a shot, edited where it has handles.
fn open(path: &Path, shot: &Shot, needs_edit: bool, progress: &Progress) -> Result<Film, PlotFailed> {
    if shot.edit.method == Method::Character && (!needs_edit || is_edited(shot)) {
        return Ok(film_of_character(path, shot, true, &progress.part(0.0, 0.8))?);
    }
    let body = Body::read(shot, progress).in_shot(path).map_err(OpenError::from)?;
    if needs_edit && !is_edited(shot) {
        return Err(PlotFailed::NoEdits { shot: path.to_path_buf() });
    }
    let wanted = FilmOptions { drawn: Drawn::Skin, contacts: false, edited: true };
    Ok(film_of_shot(path, shot, body, wanted, &progress.part(0.0, 0.8))?)
}

/// Where handles hold.
fn handle_rules(film: &Film) -> Vec<Rule> {
    let handles = film.report().map(|report| report.handles.as_slice()).unwrap_or_default();
    let mut frames: Vec<i32> = handles.iter().map(|handle| handle.frame).collect();
    frames.sort_unstable();
    frames.dedup();
    if frames.len() > RULES {
        return Vec::new();
    }
    frames.into_iter().map(|frame| Rule::new(f64::from(frame), "handle")).collect()
}

/// What only some methods have.
fn of_material(path: &Path, of: PlotOf, shot: &Shot, progress: &Progress) -> Result<Plot, PlotFailed> {
    let method = shot.edit.method;
    let (owners, has) = match of {
        PlotOf::Energy => {
            let owners = "the methods \"material\" and \"control\"";
            (owners, matches!(method, Method::Material | Method::Control))
        }
        _ => ("the method \"material\"", method == Method::Material),
    };
    if !has {
        return Err(PlotFailed::NotOfMethod { shot: path.to_path_buf(), method: method.name(), owners });
    }
    if of == PlotOf::Cubature {
        let body = Arc::new(Body::read(shot, progress).in_shot(path).map_err(OpenError::from)?);
        let found = prepare(shot, body, &Cache::of_shot(path), progress).in_shot(path)?;
        let found = found.ok_or_else(|| PlotFailed::NothingMoves { shot: path.to_path_buf() })?;
        return Ok(cubature(&found, [INPUT, OUTPUT]));
    }
    let film = open(path, shot, true, progress)?;
    Ok(match of {
        PlotOf::Energy => energy(&film, OUTPUT),
        PlotOf::Amplitudes => Plot { verticals: handle_rules(&film), ..amplitudes(&film) },
        _ => periods(&film, [INPUT, OUTPUT]),
    })
}

fn of_force(film: &Film) -> Plot {
    let mut plot = Plot::new("Control force of the edit");
    (plot.x.label, plot.y.label) = ("frame".into(), "force (N/√kg)".into());
    let forces = film.report().map(|report| report.curve("force_over_time")).unwrap_or_default();
    let points =
        forces.iter().enumerate().map(|(index, force)| [f64::from(film.clock.number(index)), *force]);
    plot.series.push(Series { colour: Some(OUTPUT), ..Series::line("", points) });
    plot.verticals = handle_rules(film);
    plot
}

/// A vertex of a motion over all frames, in one coordinate.
struct Watched {
    film: Film,
    vertex: VertexId,
    axis: usize,
    /// The paths before and after the edit.
    paths: Vec<(Side, Vec<f64>)>,
}

impl Watched {
    fn of(path: &Path, shot: &Shot, options: &PlotOptions, progress: &Progress) -> Result<Self, PlotFailed> {
        let mut film = open(path, shot, false, progress)?;
        let sides = if film.method().is_some() { vec![Side::Output, Side::Input] } else { vec![Side::Input] };
        let vertex = match options.vertex {
            Some(vertex) => VertexId(vertex),
            None => film.busiest()?,
        };
        let (vertices, way) = (vec![vertex], 0..film.clock.frames);
        let wanted = Wanted { sides, vertices, way, ..Wanted::default() };
        let survey = film.survey(&wanted, &progress.part(0.8, 1.0)).in_shot(path)?;
        let paths: Vec<(Side, &[Vec3])> =
            survey.paths.iter().map(|(side, paths)| (*side, paths[0].as_slice())).collect();
        let axis = options.axis.map_or_else(|| liveliest(&paths), |axis| axis as usize);
        let along = |path: &[Vec3]| path.iter().map(|p| p[axis]).collect();
        let paths = paths.iter().map(|(side, path)| (*side, along(path))).collect();
        Ok(Self { film, vertex, axis, paths })
    }

    fn letter(&self) -> &'static str {
        ["x", "y", "z"][self.axis]
    }

    fn path(&self) -> Plot {
        let mut plot = Plot::new(format!("Vertex {}", self.vertex.0));
        (plot.x.label, plot.y.label) = ("frame".into(), format!("{} (m)", self.letter()));
        let point = |(i, x): (usize, &f64)| [f64::from(self.film.clock.number(i)), *x];
        plot.series = (self.paths.iter())
            .map(|(side, path)| line(*side, path.iter().enumerate().map(point).collect()))
            .collect();
        plot.verticals = handle_rules(&self.film);
        plot
    }

    fn spectrum(&self) -> Plot {
        let mut plot = Plot::new(format!("Spectrum of the {} of vertex {}", self.letter(), self.vertex.0));
        (plot.x.label, plot.y.label) = ("frequency (1/s of playback)".into(), "power (m²)".into());
        plot.y.scale = Scale::Log10;
        let mut largest: f64 = 0.0;
        for (side, path) in &self.paths {
            let power = spectrum(path);
            largest = power.iter().copied().fold(largest, f64::max);
            let hertz = |k: usize| k as f64 * self.film.clock.fps / path.len() as f64;
            let points = power.iter().enumerate().skip(1).map(|(k, p)| [hertz(k), *p]);
            plot.series.push(line(*side, points.collect()));
        }
        plot.y.range = Some([FLOOR * largest, 3.0 * largest]);
        plot
    }
}

fn line(side: Side, points: Vec<[f64; 2]>) -> Series {
    let (name, colour) = if side == Side::Input { ("input", INPUT) } else { ("edited", OUTPUT) };
    Series { colour: Some(colour), ..Series::line(name, points) }
}

/// The coordinate in which two ways differ most, or one way goes farthest.
fn liveliest(paths: &[(Side, &[Vec3])]) -> usize {
    let reach = |axis: usize| -> f64 {
        match paths {
            [(_, a), (_, b)] => a.iter().zip(*b).map(|(a, b)| (a[axis] - b[axis]).abs()).fold(0.0, f64::max),
            _ => {
                let values = || paths.iter().flat_map(|(_, path)| path.iter().map(|p| p[axis]));
                values().fold(f64::MIN, f64::max) - values().fold(f64::MAX, f64::min)
            }
        }
    };
    (0..3).max_by(|a, b| reach(*a).total_cmp(&reach(*b))).unwrap_or(1)
}

fn of_modes(path: &Path, shot: &Shot, progress: &Progress) -> Result<Plot, PlotFailed> {
    let body = Body::read(shot, progress).in_shot(path).map_err(OpenError::from)?;
    let modes = modes(path, &body, shot.edit.modes, progress)?.modes;
    let mut plot = Plot::new("Frequencies of the modes");
    (plot.x.label, plot.y.label) = ("mode".into(), "frequency (Hz)".into());
    let points = (0..modes.count()).map(|k| [(k + 1) as f64, modes.frequency(k)]);
    let look = if modes.count() <= 100 { Look::Points } else { Look::Line };
    plot.series.push(Series { look, ..Series::line("", points) });
    Ok(plot)
}

/// ‖u_r − u‖ / ‖u − ū‖ over all vertices and frames, u_r the edit of r modes, u of all, ū the input.
fn of_convergence(path: &Path, shot: &Shot, progress: &Progress) -> Result<Plot, PlotFailed> {
    let all = shot.edit.modes;
    let mut counts: Vec<usize> = PARTS.iter().map(|part| (part * all as f64).round() as usize).collect();
    // Fewer modes than coordinates that are asked for have no room to follow.
    let least = 3 * shot.edit.handles.len();
    counts.retain(|few| *few > least && *few < all);
    counts.dedup();
    if counts.len() < 2 {
        return Err(PlotFailed::FewModes { shot: path.to_path_buf(), modes: all });
    }
    let steps = counts.len() + 1;
    let mut edits: Vec<Vec<Vec3>> = Vec::new();
    let mut input = Vec::new();
    for (k, modes) in [all].iter().chain(&counts).enumerate() {
        let mut fewer = shot.clone();
        fewer.edit.modes = *modes;
        let mut film = open(path, &fewer, true, progress)?;
        let progress = progress.part(k as f64 / steps as f64, (k + 1) as f64 / steps as f64);
        let mut points = Vec::new();
        for index in 0..film.clock.frames {
            progress.report("comparing", index as f64 / film.clock.frames as f64)?;
            points.extend(film.places(index, Side::Output)?);
            if k == 0 {
                input.extend(film.places(index, Side::Input)?);
            }
        }
        edits.push(points);
    }
    let apart =
        |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(a, b)| (a - b).norm_squared()).sum::<f64>().sqrt();
    let whole = apart(&edits[0], &input);
    let mut plot = Plot::new(format!("Edits with fewer modes compared with {all}"));
    (plot.x.label, plot.y.label) = ("modes".into(), "relative error over all frames".into());
    (plot.x.scale, plot.y.scale) = (Scale::Log10, Scale::Log10);
    let points = counts.iter().zip(&edits[1..]).map(|(r, edit)| [*r as f64, apart(edit, &edits[0]) / whole]);
    plot.series.push(Series { look: Look::Both, ..Series::line("", points) });
    Ok(plot)
}
