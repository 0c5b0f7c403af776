//! `supple plot`: numbers of a shot as curves.

use super::gallery::measure::spectrum;
use super::prepare::{load_body, modes};
use super::render::{Size, check_folder};
use crate::session::Session;
use crate::text::{count, number};
use anyhow::{Context, bail};
use clap::ValueEnum;
use serde::Serialize;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;
use supple_mesh::Vec3;
use supple_model::{Progress, VertexId};
use supple_project::picture::{self, Drawn, Film, Side, Wanted};
use supple_project::shot::Feel;
use supple_project::{Cache, Shot};
use supple_render::{Colour, Look, Plot, Rule, Scale, Series};

/// Colours of the input and of the edited motion.
const INPUT: Colour = Colour::rgb(214, 162, 14);
const OUTPUT: Colour = Colour::rgb(200, 62, 52);
/// Powers below this part of the largest are not shown: they are noise.
const FLOOR: f64 = 1e-9;
/// Parts of the shot's modes that convergence is tried with.
const PARTS: [f64; 6] = [0.1, 0.2, 0.35, 0.5, 0.7, 0.85];
/// Handles beyond these are not marked one by one.
const RULES: usize = 8;

const HELP: &str = "Example:
  supple plot bird/bird.toml --of path --vertex 500 -o path.png
  supple plot bird/bird.toml --of force -o force.svg
  supple plot bridge/bridge.toml --of modes -o modes.png

path         path of a vertex of the surface, before and after the edit
force        force of the edit at every frame
spectrum     frequencies of the path of a vertex, before and after the edit
convergence  difference between edits with fewer modes and with all modes of the shot
modes        frequencies of the modes

JSON: shot, output, of, title, x, y, series [name, points [x, y]], seconds";

/// Options of `supple plot`.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct PlotArgs {
    /// The shot file
    shot: PathBuf,
    /// The picture to write: .png or .svg
    #[arg(short, long, value_name = "PICTURE", value_parser = plot_path)]
    output: PathBuf,
    /// What to plot
    #[arg(long, value_enum)]
    of: Subject,
    /// Vertex of path and spectrum: of the skin if there is one, otherwise of the body [default: the vertex that the edit
    /// moves farthest]
    #[arg(long, value_name = "V")]
    vertex: Option<u32>,
    /// Coordinate of path and spectrum [default: the one that changes most]
    #[arg(long, value_enum)]
    axis: Option<AxisArg>,
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "960x480")]
    size: Size,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
enum Subject {
    Path,
    Force,
    Spectrum,
    Convergence,
    Modes,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum AxisArg {
    X,
    Y,
    Z,
}

fn plot_path(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    let ending = path.extension().and_then(std::ffi::OsStr::to_str).map(str::to_ascii_lowercase);
    if matches!(ending.as_deref(), Some("png" | "svg")) {
        Ok(path)
    } else {
        Err("must end in .png or .svg".into())
    }
}

#[derive(Serialize)]
struct Answer {
    shot: PathBuf,
    output: PathBuf,
    of: Subject,
    title: String,
    x: String,
    y: String,
    series: Vec<SeriesAnswer>,
    seconds: f64,
}

#[derive(Serialize)]
struct SeriesAnswer {
    name: String,
    points: Vec<[f64; 2]>,
}

pub fn run(args: &PlotArgs, session: &Session) -> anyhow::Result<()> {
    let start = Instant::now();
    check_folder(&args.output)?;
    session.progress().report("reading", 0.0)?;
    let shot = Shot::load(&args.shot)?;
    let plot = match args.of {
        Subject::Modes => of_modes(args, &shot, session)?,
        Subject::Convergence => of_convergence(args, &shot, session)?,
        Subject::Force if shot.edit.feel == Feel::Smooth => {
            bail!("{}: a smooth edit has no forces; set `feel = \"lively\"` in [edit]", args.shot.display())
        }
        Subject::Force => of_force(&open(args, &shot, true, session)?),
        Subject::Path | Subject::Spectrum => {
            of_vertex(args, open(args, &shot, false, session)?, session.progress())?
        }
    };
    session.progress().check()?;
    let Size { width, height } = args.size;
    if args.output.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg")) {
        picture::save_text(&plot.svg(width, height), &args.output)?;
    } else {
        picture::save_png(&plot.image(width, height)?, &args.output)?;
    }
    let series =
        plot.series.into_iter().map(|series| SeriesAnswer { name: series.name, points: series.points });
    session.answer(&Answer {
        shot: args.shot.clone(),
        output: args.output.clone(),
        of: args.of,
        title: plot.title,
        x: plot.x.label,
        y: plot.y.label,
        series: series.collect(),
        seconds: start.elapsed().as_secs_f64(),
    })
}

/// The motion of a shot, edited where it has handles.
fn open(args: &PlotArgs, shot: &Shot, needs_edit: bool, session: &Session) -> anyhow::Result<Film> {
    let named = || args.shot.display().to_string();
    let body = Arc::new(load_body(&args.shot, shot)?);
    let (cache, progress) = (Cache::of_shot(&args.shot), session.progress().part(0.0, 0.8));
    let is_edited = shot.edit.handles.iter().any(|handle| handle.muted != Some(true));
    if needs_edit && !is_edited {
        bail!("{}: the shot has no edits; add a handle with `supple edit`", named());
    }
    let film = match is_edited {
        true => Film::of_edit(shot, body, &cache, Drawn::Skin, &progress),
        false => Film::of_input(shot, body, &cache, (Drawn::Skin, false), &progress),
    };
    let film = film.with_context(named)?;
    session.warn_all(&film.warnings);
    Ok(film)
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

fn of_force(film: &Film) -> Plot {
    let mut plot = Plot::new("Control force of the edit");
    (plot.x.label, plot.y.label) = ("frame".into(), "force (N/√kg)".into());
    let forces = film.report().map(|report| report.force_over_time.as_slice()).unwrap_or_default();
    let points =
        forces.iter().enumerate().map(|(index, force)| [f64::from(film.clock.number(index)), *force]);
    plot.series.push(Series { colour: Some(OUTPUT), ..Series::line("", points) });
    plot.verticals = handle_rules(film);
    plot
}

/// The way of a vertex, or its spectrum.
fn of_vertex(args: &PlotArgs, mut film: Film, progress: &Progress) -> anyhow::Result<Plot> {
    let sides = if film.method().is_some() { vec![Side::Output, Side::Input] } else { vec![Side::Input] };
    let progress = progress.part(0.8, 1.0);
    let vertex = match args.vertex {
        Some(vertex) => VertexId(vertex),
        None => film.busiest()?,
    };
    let (vertices, way) = (vec![vertex], 0..film.clock.frames);
    let wanted = Wanted { sides, vertices, way, ..Wanted::default() };
    let survey = film.survey(&wanted, &progress).with_context(|| args.shot.display().to_string())?;
    let paths: Vec<(Side, &[Vec3])> =
        survey.paths.iter().map(|(side, paths)| (*side, paths[0].as_slice())).collect();
    let axis = args.axis.map_or_else(|| liveliest(&paths), |axis| axis as usize);
    let letter = ["x", "y", "z"][axis];
    let along = |path: &[Vec3]| path.iter().map(|p| p[axis]).collect::<Vec<f64>>();
    let line = |side: Side, points: Vec<[f64; 2]>| {
        let (name, colour) = if side == Side::Input { ("input", INPUT) } else { ("edited", OUTPUT) };
        Series { colour: Some(colour), ..Series::line(name, points) }
    };
    if args.of == Subject::Path {
        let mut plot = Plot::new(format!("Vertex {}", vertex.0));
        (plot.x.label, plot.y.label) = ("frame".into(), format!("{letter} (m)"));
        let points = |path: &[Vec3]| {
            along(path).into_iter().enumerate().map(|(i, x)| [f64::from(film.clock.number(i)), x]).collect()
        };
        plot.series = paths.iter().map(|(side, path)| line(*side, points(path))).collect();
        plot.verticals = handle_rules(&film);
        return Ok(plot);
    }
    let mut plot = Plot::new(format!("Spectrum of the {letter} of vertex {}", vertex.0));
    (plot.x.label, plot.y.label) = ("frequency (1/s of playback)".into(), "power (m²)".into());
    plot.y.scale = Scale::Log10;
    let mut largest: f64 = 0.0;
    for (side, path) in &paths {
        let power = spectrum(&along(path));
        largest = power.iter().copied().fold(largest, f64::max);
        let hertz = |k: usize| k as f64 * film.clock.fps / path.len() as f64;
        plot.series
            .push(line(*side, power.iter().enumerate().skip(1).map(|(k, p)| [hertz(k), *p]).collect()));
    }
    plot.y.range = Some([FLOOR * largest, 3.0 * largest]);
    Ok(plot)
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

fn of_modes(args: &PlotArgs, shot: &Shot, session: &Session) -> anyhow::Result<Plot> {
    let body = load_body(&args.shot, shot)?;
    let prepared = modes(&args.shot, &body, shot.edit.modes, session.progress())?;
    session.warn_all(&prepared.warnings);
    let modes = prepared.modes;
    let mut plot = Plot::new("Frequencies of the modes");
    (plot.x.label, plot.y.label) = ("mode".into(), "frequency (Hz)".into());
    let points = (0..modes.count()).map(|k| [(k + 1) as f64, modes.frequency(k)]);
    let look = if modes.count() <= 100 { Look::Points } else { Look::Line };
    plot.series.push(Series { look, ..Series::line("", points) });
    Ok(plot)
}

/// ‖u_r − u‖ / ‖u − ū‖ over all vertices and frames, u_r the edit of r modes, u of all, ū the input.
fn of_convergence(args: &PlotArgs, shot: &Shot, session: &Session) -> anyhow::Result<Plot> {
    let all = shot.edit.modes;
    let mut counts: Vec<usize> = PARTS.iter().map(|part| (part * all as f64).round() as usize).collect();
    // Fewer modes than coordinates that are asked for have no room to follow.
    let least = 3 * shot.edit.handles.len();
    counts.retain(|few| *few > least && *few < all);
    counts.dedup();
    if counts.len() < 2 {
        bail!(
            "{}: {all} modes are too few to plot convergence; raise `modes` in [edit]",
            args.shot.display()
        );
    }
    let steps = counts.len() + 1;
    let mut edits: Vec<Vec<Vec3>> = Vec::new();
    let mut input = Vec::new();
    for (k, modes) in [all].iter().chain(&counts).enumerate() {
        let mut fewer = shot.clone();
        fewer.edit.modes = *modes;
        let mut film = open(args, &fewer, true, session)?;
        let progress = session.progress().part(k as f64 / steps as f64, (k + 1) as f64 / steps as f64);
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

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let points: usize = self.series.iter().map(|series| series.points.len()).sum();
        writeln!(f, "wrote {}, {}: {} points", self.output.display(), self.title, count(points))?;
        for series in self.series.iter().filter(|series| !series.points.is_empty()) {
            let values = || series.points.iter().map(|point| point[1]);
            let (least, most) = (values().fold(f64::MAX, f64::min), values().fold(f64::MIN, f64::max));
            let name = if series.name.is_empty() { self.y.as_str() } else { series.name.as_str() };
            writeln!(f, "{name}: {} to {}", number(least), number(most))?;
        }
        Ok(())
    }
}
