//! `supple plot`: numbers of a shot as curves.

use super::render::Size;
use crate::session::Session;
use clap::ValueEnum;
use std::fmt::Write;
use std::path::PathBuf;
use supple_model::text::{count, number};
use supple_project::picture::{PlotAnswer, PlotOf, PlotOptions, plot};
use supple_project::shot::Axis;

const HELP: &str = "Examples:
  supple plot bird/bird.toml --of path --vertex 500 -o path.png
  supple plot bird/bird.toml --of force -o force.svg
  supple plot bridge/bridge.toml --of modes -o modes.png

path         path of a vertex of the surface, before and after the edit
force        force of the edit at every frame
spectrum     frequencies of the path of a vertex, before and after the edit
convergence  difference between edits with fewer modes and with all modes of the shot
modes        frequencies of the modes
amplitudes   the first shapes of the motion over time, for the method \"material\"
energy       cost of the motion after each step of the solver, for the methods \"material\" and \"control\"
material     frames in which each shape swings once, before and after the material was chosen
cubature     what few elements that stand for all of them miss, by their number, for the method \"material\"

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

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Subject {
    Path,
    Force,
    Spectrum,
    Convergence,
    Modes,
    Amplitudes,
    Energy,
    Material,
    Cubature,
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

pub fn run(args: &PlotArgs, session: &Session) -> anyhow::Result<()> {
    let of = match args.of {
        Subject::Path => PlotOf::Path,
        Subject::Force => PlotOf::Force,
        Subject::Spectrum => PlotOf::Spectrum,
        Subject::Convergence => PlotOf::Convergence,
        Subject::Modes => PlotOf::Modes,
        Subject::Amplitudes => PlotOf::Amplitudes,
        Subject::Energy => PlotOf::Energy,
        Subject::Material => PlotOf::Material,
        Subject::Cubature => PlotOf::Cubature,
    };
    let axis = args.axis.map(|axis| match axis {
        AxisArg::X => Axis::X,
        AxisArg::Y => Axis::Y,
        AxisArg::Z => Axis::Z,
    });
    let options = PlotOptions { vertex: args.vertex, axis, size: args.size.0 };
    session.answer(&plot(&args.shot, &args.output, of, &options, session.progress())?, text)
}

fn text(answer: &PlotAnswer) -> String {
    let points: usize = answer.series.iter().map(|series| series.points.len()).sum();
    let mut text = format!("wrote {}, {}: {} points\n", answer.output.display(), answer.title, count(points));
    for series in answer.series.iter().filter(|series| !series.points.is_empty()) {
        let values = || series.points.iter().map(|point| point[1]);
        let (least, most) = (values().fold(f64::MAX, f64::min), values().fold(f64::MIN, f64::max));
        let name = if series.name.is_empty() { answer.y.as_str() } else { series.name.as_str() };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name}: {} to {}", number(least), number(most));
    }
    text
}
