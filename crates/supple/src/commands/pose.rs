//! `supple pose`: the equilibrium of a shot's body under its loads and pins, or poses of it from deformed skins.

use crate::session::Session;
use crate::text::Rows;
use anyhow::bail;
use std::path::PathBuf;
use supple_model::text::{count, counted, number, triple};
use supple_project::solution::{
    FitAnswer, FittedPose, PoseAnswer, PoseOptions, PoseStage, SkinFitOptions, fit, pose,
};

/// Options of `supple pose`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  supple pose dinosaur/dinosaur.toml -o bent.obj\n  supple pose \
                        bird/bird.toml --fit bird/bird-flight.pc2 -o bird-body.pc2\n\nThe forces of anchors \
                        and pins on the body are written to bent.obj.reactions.csv next to the pose. If the \
                        body cannot carry the load, the command fails (exit 1) and still writes the last \
                        pose found.\n\nJSON: shot, output, vertices, stages [status, fraction, iterations, \
                        factorizations, residual [N], strain_energy [J], removed_force [N], removed_torque \
                        [N m]], asked, reactions_file, reactions, seconds; with --fit: shot, output, \
                        vertices, poses [status, iterations, skin_rms, skin_max, strain_energy [J]], \
                        seconds")]
pub struct PoseArgs {
    /// The shot file
    shot: PathBuf,
    /// The pose to write: .obj, .ply or .stl
    #[arg(short, long, value_name = "MESH")]
    output: PathBuf,
    /// Add the shot's gravity
    #[arg(long)]
    weight: bool,
    /// Write the skin instead of the body
    #[arg(long)]
    skin: bool,
    /// Fit the body to this deformed skin instead of applying loads and pins; a mesh gives a mesh, a motion is fitted
    /// frame by frame
    #[arg(long, value_name = "SKIN", conflicts_with_all = ["weight", "skin"])]
    fit: Option<PathBuf>,
    /// Weight of the strain energy against the distance to the skin (no unit)
    #[arg(long, value_name = "BETA", requires = "fit", default_value_t = 1e-3)]
    smoothness: f64,
    /// Weight skin vertices by the area around them when fitting
    #[arg(long, requires = "fit")]
    by_area: bool,
}

pub fn run(args: &PoseArgs, session: &Session) -> anyhow::Result<()> {
    if let Some(skins) = &args.fit {
        let options = SkinFitOptions { smoothness: args.smoothness, by_area: args.by_area };
        let answer = fit(&args.shot, skins, &args.output, &options, session.progress())?;
        return session.answer(&answer, fit_text);
    }
    let options = PoseOptions { weight: args.weight, skin: args.skin };
    let answer = pose(&args.shot, &args.output, &options, session.progress())?;
    session.answer(&answer, text)?;
    if let Some(failure) = answer.failure() {
        bail!(failure);
    }
    Ok(())
}

fn text(answer: &PoseAnswer) -> String {
    let mut rows = Rows::default();
    rows.add("shot", answer.shot.display())
        .add("pose", format!("{}, {} vertices", answer.output.display(), count(answer.vertices)));
    for stage in &answer.stages {
        rows.add("stage", stage_text(stage));
    }
    let reactions = counted(answer.reactions, "vertex", "vertices");
    rows.add("reactions", format!("{reactions} in {}", answer.reactions_file.display()))
        .add("time", format!("{:.2} s", answer.seconds));
    rows.to_string()
}

fn stage_text(stage: &PoseStage) -> String {
    let mut text = format!(
        "{} after {}, carries {:.1} % of its load\nstrain energy {} J, forces balanced to {:.1e} N",
        stage.status,
        counted(stage.iterations, "iteration", "iterations"),
        100.0 * stage.fraction,
        number(stage.strain_energy),
        stage.residual
    );
    if stage.removed_force != [0.0; 3] || stage.removed_torque != [0.0; 3] {
        let (force, torque) = (triple(stage.removed_force, ", "), triple(stage.removed_torque, ", "));
        text +=
            &format!("\nnothing holds the body against ({force}) N and ({torque}) N m, which were ignored");
    }
    text
}

fn fit_text(answer: &FitAnswer) -> String {
    let worst = |value: fn(&FittedPose) -> f64| answer.poses.iter().map(value).fold(0.0, f64::max);
    let unsolved = answer.poses.iter().filter(|pose| !pose.is_solved).count();
    let mut rows = Rows::default();
    rows.add("shot", answer.shot.display())
        .add("body", format!("{}, {}", answer.output.display(), counted(answer.poses.len(), "pose", "poses")))
        .add(
            "skin",
            format!(
                "error {} (root mean square of the worst pose), maximum {}",
                number(worst(|pose| pose.skin_rms)),
                number(worst(|pose| pose.skin_max))
            ),
        )
        .add("strain energy", format!("maximum {} J", number(worst(|pose| pose.strain_energy))));
    if unsolved > 0 {
        rows.add("unsolved", format!("{} did not reach the tolerance", counted(unsolved, "pose", "poses")));
    }
    rows.add("time", format!("{:.2} s", answer.seconds));
    rows.to_string()
}
