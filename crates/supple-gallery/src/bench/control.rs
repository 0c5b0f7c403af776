//! Motions through key poses: the reduced half of Table 1 of Barbič, da Silva and Popović 2009 again.
//!
//! | work | is | residual |
//! |---|---|---|
//! | basis | poses, tangents, modes from the cache, orthonormal | – |
//! | coefficients | the reduced forces, not from the cache | – |
//! | forward | a simulation under the forces that were found | how far it is from the motion |
//! | gradient | exact, by the adjoint method | – |
//! | optimise | from no forces to the least | optimality |
//! | cg | the published solver on the same, poses soft, for a minute at most | objective over ours, less one |
//! | tracking step | a frame of a motion that is held | what is left at the end of a push, of how far it goes untracked |
//! | all | every segment, from poses and modes on | worst optimality |

use super::row::Row;
use super::{BenchOptions, median};
use anyhow::{Context, ensure};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use supple_model::{Progress, Status, VertexId};
use supple_project::method::control::{ControlPart, Optimised, solve_all};
use supple_project::shot::{
    self, Anchor, Control, ControlBasis, ControlSolver, Damping, Load, Method, Pose, Push, Shot, Site,
};
use supple_project::{Body, Cache, Sample};

/// Runs of what is quick.
const REPEATS: usize = 5;
/// The longest that the published solver is given.
const PATIENCE: Duration = Duration::from_secs(60);

/// A case: its name, its sample, its mesh in `--data`, and the published seconds of basis, coefficients, forward, gradient
/// and optimising.
struct Case {
    name: &'static str,
    sample: &'static str,
    data: Option<&'static str>,
    published: [Option<f64>; 5],
}

const CASES: [Case; 5] = [
    Case {
        name: "dinosaur",
        sample: "biped-walk",
        data: Some("dinosaur.abq"),
        published: [Some(5.5), Some(90.0), Some(0.036), Some(0.066), Some(84.0)],
    },
    Case {
        name: "pansy",
        sample: "pansy",
        data: None,
        published: [Some(25.0), Some(106.0), Some(0.069), Some(0.111), Some(140.0)],
    },
    Case {
        name: "fish",
        sample: "fish",
        data: Some("fish.abq"),
        published: [Some(11.3), Some(54.0), Some(0.059), Some(0.1), Some(345.0)],
    },
    Case {
        name: "elephant",
        sample: "elephant",
        data: None,
        published: [Some(30.0), Some(245.0), Some(0.05), Some(0.067), Some(30.0)],
    },
    Case {
        name: "bridge",
        sample: "spring-bridge",
        data: None,
        published: [Some(5.0), None, Some(9.0), Some(34.0), Some(3000.0)],
    },
];

/// Five steps of the dinosaur, three minutes each.
const PUBLISHED_WALK: f64 = 900.0;

pub fn run(options: &BenchOptions, progress: &Progress) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (index, of) in CASES.iter().enumerate() {
        if options.wants(of.name) {
            progress.report(of.name, index as f64 / CASES.len() as f64)?;
            rows.extend(case(of, options).with_context(|| of.name.to_owned())?);
        }
    }
    if options.wants("walk") {
        rows.push(walk()?);
    }
    Ok(rows)
}

fn case(of: &Case, options: &BenchOptions) -> anyhow::Result<Vec<Row>> {
    let folder = tempfile::tempdir()?;
    let (name, shot) = match (&options.data, of.data) {
        (Some(data), Some(mesh)) => (format!("{} (data)", of.name), given(of.name, data, mesh)?),
        _ => (of.name.to_owned(), Shot::load(&Sample::named(of.sample)?.write_full(folder.path())?)?),
    };
    let body = Arc::new(Body::load(&shot)?);
    let cache = Cache::in_folders([folder.path().join("cache")]);
    let part = ControlPart::open(&shot, &body, &cache)?;
    let silent = Progress::silent();
    let begin = Instant::now();
    let found = part.optimise(ControlSolver::Newton, false, &silent)?;
    let optimise = begin.elapsed().as_secs_f64();
    ensure!(found.status == Status::Settled, "{}", found.status);
    let mut replayed = 0.0;
    let forward = repeated(|| {
        replayed = part.forward(&found)?;
        Ok(())
    })?;
    ensure!(replayed < 1e-6, "the motion is not made again by its forces: {replayed:e}");
    let gradient = repeated(|| Ok(part.gradient(&found).map(drop)?))?;
    let elements = Some(body.matter.elements());
    let row = |work: &str, seconds: f64, published: Option<f64>, residual: Option<f64>| Row {
        elements,
        modes: Some(part.coordinates()),
        published_seconds: published,
        residual,
        ..Row::new(&name, work, seconds)
    };
    let [basis, coefficients, simulated, adjoint, optimised] = of.published;
    let mut rows = vec![row("basis", part.basis_seconds, basis, None)];
    if coefficients.is_some() {
        rows.push(row("coefficients", part.coefficients_seconds, coefficients, None));
    }
    rows.push(row("forward", forward, simulated, Some(replayed)));
    rows.push(row("gradient", gradient, adjoint, None));
    rows.push(row(
        &format!("optimise, {} iterations", found.iterations),
        optimise,
        optimised,
        Some(found.optimality),
    ));
    if of.name == "dinosaur" {
        let (seconds, objective) = published_solver(&part)?;
        rows.push(row("cg", seconds, None, Some(objective)));
        let (steps, left) = part.track(&found)?;
        rows.push(row("tracking step", median(steps), None, Some(left)));
    }
    Ok(rows)
}

/// Conjugate gradients on soft poses, for a minute at most; the objective over ours, less one.
fn published_solver(part: &ControlPart) -> anyhow::Result<(f64, f64)> {
    let ours: Optimised = part.optimise(ControlSolver::Newton, true, &Progress::silent())?;
    let begin = Instant::now();
    let theirs = part.optimise(ControlSolver::Cg, true, &Progress::silent().stopped_after(PATIENCE))?;
    Ok((begin.elapsed().as_secs_f64(), theirs.objective / ours.objective - 1.0))
}

/// All steps of the walk.
fn walk() -> anyhow::Result<Row> {
    let folder = tempfile::tempdir()?;
    let shot = Shot::load(&Sample::named("biped-walk")?.write_full(folder.path())?)?;
    let body = Arc::new(Body::load(&shot)?);
    let cache = Cache::in_folders([folder.path().join("cache")]);
    let begin = Instant::now();
    let (status, optimality) = solve_all(&shot, &body, &cache)?;
    let seconds = begin.elapsed().as_secs_f64();
    ensure!(status == Status::Settled, "{status}");
    Ok(Row {
        elements: Some(body.matter.elements()),
        published_seconds: Some(PUBLISHED_WALK),
        residual: Some(optimality),
        ..Row::new("walk", "all", seconds)
    })
}

/// A mesh of the paper with poses that forces make.
fn given(name: &str, data: &Path, mesh: &str) -> anyhow::Result<Shot> {
    let mut body = shot::Body::new(shot::BodyKind::Solid, mesh);
    body.material = Some(shot::Material { young: 2e5, ..shot::Material::default() });
    if name == "dinosaur" {
        body.anchors = vec![Anchor::File("dinosaur.bou".into())];
    }
    let mut shot = Shot::new(data, body)?;
    let found =
        Body::load(&shot).with_context(|| format!("--data {} must contain {mesh}", data.display()))?;
    shot.edit.choose(Method::Control);
    shot.edit.damping = Some(Damping { mass: 0.5, stiffness: 0.004 });
    shot.motion.fps = Some(60.0);
    // So hard that poses are a good part of the body's size away, and so wide that it bears it.
    let (size, frames, reach, share) =
        if name == "dinosaur" { (25, 120, 0.2, 0.01) } else { (24, 210, 0.25, 0.2) };
    let basis = ControlBasis { modes: 20, size: Some(size), ..ControlBasis::default() };
    shot.edit.set_control_settings(&Control { basis, ..Control::default() })?;
    shot.motion.frames = Some(frames + 1);
    // Both ends of the body along its longest side are pulled to and fro.
    let around = supple_mesh::Aabb::around(found.positions());
    let longest = around.size().imax();
    let across = (longest + 2) % 3;
    let (low, high) = (around.min[longest], around.max[longest]);
    let weight: f64 = 9.81 * found.elastic.masses().iter().sum::<f64>();
    let end = |at: f64| {
        let all = (0..).zip(found.positions());
        let near = all.filter(|(_, x)| (x[longest] - at).abs() < reach * (high - low));
        Site::Vertices(near.map(|(v, _)| VertexId(v)).collect())
    };
    let count = if name == "dinosaur" { 2 } else { 5 };
    shot.edit.poses = (1..=count)
        .map(|k| {
            let mut force = [0.0; 3];
            force[across] = share * weight * if k % 2 == 0 { -1.0 } else { 1.0 };
            let load = |site: Site| Load { site, push: Push::Force(force), frames: None, stage: None };
            let frame = 1 + frames as i32 * k / count;
            Pose { file: None, loads: vec![load(end(low)), load(end(high))], ..Pose::of_file(frame, "") }
        })
        .collect();
    Ok(shot)
}

fn repeated(mut work: impl FnMut() -> anyhow::Result<()>) -> anyhow::Result<f64> {
    let timed = |_| {
        let begin = Instant::now();
        work()?;
        Ok(begin.elapsed().as_secs_f64())
    };
    Ok(median((0..REPEATS).map(timed).collect::<anyhow::Result<Vec<f64>>>()?))
}
