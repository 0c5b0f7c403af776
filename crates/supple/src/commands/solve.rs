//! `supple solve`: applies the edits of a shot and writes the motion.

use crate::session::Session;
use crate::text::Rows;
use std::path::PathBuf;
use std::time::Duration;
use supple_model::text::{count, counted, number};
use supple_project::method::Finding;
use supple_project::shot::Optimise;
use supple_project::solution::{HandleAnswer, KeyAnswer, KeyAt, SolveAnswer, SolveOptions, solve};

/// A handle farther off than this part of the size is said to be missed.
const MET: f64 = 1e-6;

/// Options of `supple solve`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  supple solve bridge/bridge.toml -o edited.pc2\n  supple solve \
                        bridge/bridge.toml -o edited.pc2 --bake next.toml\n\nThe second also writes a shot \
                        with the edited motion as its input, for further edits.\n\nWith the \
                        method \"sparse\":\n  supple solve x-jump/x-jump.toml -o jump.pc2 --fps 120\n  supple \
                        solve x-jump/x-jump.toml -o jump.pc2 --write-keys keys\n\nThe first writes 120 frames per second, \
                        the second also the whole body at every key: what [[edit.pose]] takes as `file` and \
                        `velocity`.\n\nWith the method \"control\":\n  supple solve pansy/pansy.toml -o pansy.pc2 --forces \
                        pansy-forces.csv\n\nThis writes the forces that make the motion, too, for `supple simulate \
                        --forces`.\n\nWith the \
                        method \"material\":\n  supple solve flower-circle/flower-circle.toml -o circle.pc2\n  supple solve \
                        flower-circle/flower-circle.toml -o plain.pc2 --optimise none\n\nThe second leaves the material as \
                        it is, to compare.\n\nJSON: shot, output, \
                        points [body|skin], vertices, frames, start, fps, seconds_per_frame [s], modes, \
                        smoothness [cutoff [1/s²], spread, amplification; null: lively], status \
                        [settled|compromise|unfinished|stalled|stopped], iterations, stationarity, energy, penalty, \
                        starts [start: zero|linear|one_by_one|restored, energy, status, kept], handles \
                        [handle, frame, time, segment, error, rms, relative_error, asked, of_velocity, soft, redundant, reason \
                        [out_of_reach|contradicts], shortfall [%], over_distance, plant [first, last frame; \
                        null: on none]], force [frame, norm, newtons, vertex], force_over_time, volume \
                        [largest, frame], inverted [count, frame, input], contacts [all, clusters, plants, \
                        linear_drift, drift], penetration [depth, relative_depth, vertex, frame, held; \
                        null: no floor, no obstacles], segments [start, frames, flight, status, iterations, jump, \
                        lost_position, lost_velocity, lost_spin [°/s], anchors_off], keys [segment, at, time, pose, velocity], forces, effort, poses [pose, frame, segment, error, \
                        farthest, relative_error, asked, soft], basis [segment, size, keys, tangents, samples, modes, \
                        recorded, kept, cut, residual], volume [change, frame], spline_volume [change, frame], \
                        control_force, cost_by_iteration, material [shapes, modes, elements, cubature_error, rounds, search, steps \
                        [kind: motion|stiffness|shapes, energy], periods [frames], periods_before, damping [1/s], energy_before, force_before, force_after \
                        [N/√kg]], baked, seconds [prepare, solve, total], warnings")]
pub struct SolveArgs {
    /// The shot file
    shot: PathBuf,
    /// The motion to write: .usda, .glb, .gltf, .pc2, .mdd, name.####.obj or .ply; in the unit and axes of the
    /// shot's input file, if it has one
    #[arg(short, long, value_name = "MOTION")]
    output: PathBuf,
    /// Write the skin instead of the body; always on when the motion was imported on the skin
    #[arg(long)]
    skin: bool,
    /// Write a self-contained .usda instead of a layer over the original
    #[arg(long)]
    flatten: bool,
    /// Also write this shot: its input is the edited motion, and it has no handles
    #[arg(long, value_name = "SHOT")]
    bake: Option<PathBuf>,
    /// Stop after this many seconds of solving and write the best edit found so far
    #[arg(long, value_name = "N", value_parser = seconds)]
    seconds: Option<Duration>,
    /// Write this many frames per second over the same seconds, for the methods "sparse" and "control"; handles and segments still
    /// count frames of the shot [default: the shot's]
    #[arg(long, value_name = "F", allow_negative_numbers = true)]
    fps: Option<f64>,
    /// Also write the whole body at every key into this folder, as poses a shot can ask for, for the methods "sparse" and "control"; in
    /// a segment they are relative to where it stands
    #[arg(long, value_name = "FOLDER")]
    write_keys: Option<PathBuf>,
    /// Also write the forces that make the motion, for the method "control": .csv for `supple simulate --forces`, or
    /// .pc2, newtons on every vertex
    #[arg(long, value_name = "FORCES")]
    forces: Option<PathBuf>,
    /// Let this much of the material change, whatever the shot says, for the method "material"
    #[arg(long, value_enum)]
    optimise: Option<OptimiseArg>,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum OptimiseArg {
    /// Nothing
    None,
    /// Stiffness and damping of each shape
    Stiffness,
    /// The shapes, too
    All,
}

pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let wrong = || format!("{text:?} is not a number of seconds");
    text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).ok_or_else(wrong)
}

pub fn run(args: &SolveArgs, session: &Session) -> anyhow::Result<()> {
    let options = SolveOptions {
        skin: args.skin,
        flatten: args.flatten,
        bake: args.bake.clone(),
        stop_after: args.seconds,
        fps: args.fps,
        write_keys: args.write_keys.clone(),
        forces: args.forces.clone(),
        optimise: args.optimise.map(|optimise| match optimise {
            OptimiseArg::None => Optimise::None,
            OptimiseArg::Stiffness => Optimise::Stiffness,
            OptimiseArg::All => Optimise::All,
        }),
    };
    session.answer(&solve(&args.shot, &args.output, &options, session.progress())?, text)
}

/// What an edit came to, line by line.
pub fn text(answer: &SolveAnswer) -> String {
    let mut rows = Rows::default();
    let last = i64::from(answer.start) + answer.frames as i64 - 1;
    rows.add("shot", answer.shot.display())
        .add("motion", answer.output.display())
        .add("frames", format!("{}, {} to {last}, {} fps", count(answer.frames), answer.start, answer.fps))
        .add("points", format!("{} vertices of the {}", count(answer.vertices), answer.points));
    // What the edit is made of comes before the handles, what became of it after them.
    let said = answer.found.findings.iter().filter(|finding| finding.text.is_some());
    let (made_of, came_to): (Vec<&Finding>, Vec<&Finding>) =
        said.partition(|finding| finding.title == "modes");
    for finding in made_of {
        rows.add_some(finding.title, finding.text.as_ref());
    }
    for handle in &answer.handles {
        rows.add("handle", format!("{}: {}", handle.handle, of_handle(handle)));
    }
    rows.add("solution", solution(answer));
    for finding in came_to {
        rows.add_some(finding.title, finding.text.as_ref());
    }
    for key in &answer.keys {
        rows.add("key", of_key(key));
    }
    rows.add_some("forces", answer.forces.as_ref().map(|file| file.display()));
    rows.add_some("next shot", answer.baked.as_ref().map(|shot| shot.display())).add(
        "time",
        format!("{:.1} s, including {:.1} s to prepare", answer.seconds.total, answer.seconds.prepare),
    );
    rows.to_string()
}

/// A time, and the segment it is in.
fn when(segment: Option<usize>, time: f64) -> String {
    let frame = format!("frame {}", (time * 1e3).round() / 1e3);
    segment.map_or_else(|| frame.clone(), |segment| format!("segment {segment}, {frame}"))
}

fn of_key(key: &KeyAnswer) -> String {
    let when = when(key.segment, key.time);
    let at = match key.at {
        Some(KeyAt::Word(word)) => format!(" (at = {word:?})"),
        Some(KeyAt::Frames(frames)) => format!(" (at = {frames})"),
        None => String::new(),
    };
    format!("{when}{at}\n{}\nvelocity {}", key.pose.display(), key.velocity.display())
}

fn of_handle(handle: &HandleAnswer) -> String {
    let unit = if handle.of_velocity { " m/s" } else { " m" };
    let when = when(handle.segment, handle.time);
    let asked = format!("{when}, goal {}{unit} from the input", number(handle.asked));
    let far = format!("error {:.1e} of the size", handle.relative_error);
    let short = format!("{:.0} % short of its goal", handle.shortfall);
    let text = match (handle.soft, handle.reason, handle.relative_error <= MET) {
        (true, _, _) => format!("{asked}: soft, {far}"),
        (_, _, true) => format!("{asked}: met, {far}"),
        (_, Some("out_of_reach"), _) => {
            format!("{asked}: OUT OF REACH, {short}; the body follows as far as it can")
        }
        (_, None, _) if handle.shortfall < 0.5 => format!("{asked}: nearly met, {far}"),
        (_, Some(_), _) => format!("{asked}: MISSED, {short}; conflicts with other handles or contacts"),
        _ => format!("{asked}: MISSED, {far}"),
    };
    match handle.plant {
        Some([first, last]) => format!("{text}; moves a planted part, frames {first} to {last}"),
        None => text,
    }
}

fn solution(answer: &SolveAnswer) -> String {
    let status = match answer.status {
        "settled" => "converged in".to_owned(),
        other => format!("{other} after"),
    };
    let iterations = counted(answer.iterations, "iteration", "iterations");
    if answer.stationarity == 0.0 && answer.energy == 0.0 {
        // Nothing was asked, or of a skeleton, which has neither.
        return format!("{status} {iterations}");
    }
    let energy = number(answer.energy);
    format!("{status} {iterations}, optimality {:.1e}; energy {energy}", answer.stationarity)
}
