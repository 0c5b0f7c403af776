//! The motion that forces make: the reduced body simulated under them, and under the shot's loads, which push it.

use super::chain::{Chain, Shown, beginning, clock};
use super::entry::Entry;
use super::error::{ControlError, ForcesProblem};
use super::forces;
use super::moves::Moves;
use super::piece::{Ready, ended, free_start, named};
use super::setup::Setup;
use super::stretch::stretches;
use crate::Cache;
use crate::body::Body;
use crate::method::error::EditError;
use crate::motion::MotionError;
use crate::shot::Shot;
use crate::simulate::Loads;
use std::path::Path;
use std::sync::Arc;
use supple_mesh::Vec3;
use supple_model::{Clock, Progress};
use supple_spacetime::{ControlSolution, ControlStart, TrackSettings};

/// A motion that forces make.
#[derive(Debug)]
pub struct Replayed(Shown);

impl Replayed {
    /// When its frames are.
    #[must_use]
    pub fn clock(&self) -> Clock {
        self.0.clock
    }

    /// Where the vertices of the body are in a frame, counted from 0.
    #[must_use]
    pub fn positions(&self, index: usize) -> Vec<Vec3> {
        self.0.positions(index as f64)
    }
}

/// Replays the forces in a file on the reduced body of a shot; its loads push it. With `track`, the motion of the shot is
/// held against them.
///
/// # Errors
/// Forces of another basis, a shot that cannot be opened, a simulation without a solution, and cancellation.
pub fn replay(
    shot: &Shot,
    body: &Arc<Body>,
    file: &Path,
    track: bool,
    cache: &Cache,
    progress: &Progress,
) -> Result<Replayed, EditError> {
    let (name, rows) = forces::read(file)?;
    let setup = Setup::new(shot, body, cache, &progress.part(0.0, 0.05))?;
    let all = stretches(shot, body, cache, &progress.part(0.05, 0.2))?;
    let loads = Loads::load(shot, body).map_err(MotionError::from)?;
    // The bases of later segments, a start that is free, and what is tracked are those of the motion that was solved for.
    let is_needed = all.len() > 1 || track || free_start(&setup);
    let chain = is_needed
        .then(|| Chain::solve(&setup, &all, None, &progress.part(0.2, 0.8), &mut |_| {}))
        .transpose()?;
    let (mut entry, own, timing) = beginning(&setup, &all, progress)?;
    let alone = match (&chain, own.first()) {
        (None, Some(stretch)) => {
            let begin = (&entry, stretch.lead);
            Some(Ready::new(&setup, stretch, timing, begin, &progress.part(0.2, 0.8))?)
        }
        _ => None,
    };
    let solved = chain.iter().flat_map(|chain| &chain.pieces);
    let parts: Vec<(&Ready, Option<&ControlSolution>)> = (alone.iter().map(|ready| (ready, None)))
        .chain(solved.map(|piece| (&piece.ready, Some(&piece.solution))))
        .collect();
    check(file, name, &rows, &parts)?;
    let mut shown = Shown { parts: Vec::new(), clock: clock(&setup, &own), iterate: None };
    let mut rows = rows.into_iter();
    for (index, (ready, solution)) in parts.into_iter().enumerate() {
        let forces: Vec<f64> = rows.by_ref().take(ready.stretch.frames).flatten().collect();
        let start = (index > 0).then_some(&entry);
        let moves = part(&setup, ready, (forces, solution, track), start, &loads, &progress.part(0.8, 1.0))?;
        entry = ended(&moves);
        shown.parts.push(moves);
    }
    Ok(Replayed(shown))
}

/// Whether forces are of these parts.
fn check(
    file: &Path,
    found: String,
    rows: &[Vec<f64>],
    parts: &[(&Ready, Option<&ControlSolution>)],
) -> Result<(), EditError> {
    let wrong = |problem| Err(ControlError::Forces { file: file.to_path_buf(), problem }.into());
    let expected = forces::name_of(parts.iter().map(|(ready, _)| &ready.basis));
    if found != expected {
        return wrong(ForcesProblem::OtherBasis { found, expected });
    }
    let frames: usize = parts.iter().map(|(ready, _)| ready.stretch.frames).sum();
    if rows.len() != frames {
        return wrong(ForcesProblem::Frames { found: rows.len(), expected: frames });
    }
    let counts = parts.iter().flat_map(|(ready, _)| vec![ready.basis.coordinates(); ready.stretch.frames]);
    let of_line = (1..).zip(rows.iter().zip(counts)).find(|(_, (row, count))| row.len() != *count);
    match of_line {
        Some((row, (found, count))) => wrong(ForcesProblem::Table(format!(
            "row {row} has {} forces, but the basis has {count} shapes",
            found.len()
        ))),
        None => Ok(()),
    }
}

/// Simulates a part from where the one before ended, or as the motion begins.
fn part(
    setup: &Setup,
    ready: &Ready,
    (forces, solution, track): (Vec<f64>, Option<&ControlSolution>, bool),
    entry: Option<&Entry>,
    loads: &Loads,
    progress: &Progress,
) -> Result<Moves, EditError> {
    let wrong = |error| named(&ready.stretch, error);
    let r = ready.basis.coordinates();
    let mut task = ready.problem.task().clone();
    if let Some(entry) = entry.filter(|_| !ready.stretch.floats()) {
        let first = ready.basis.coordinates_of(&entry.displacement).0;
        let speed = ready.basis.velocity_of(&entry.velocity).0;
        let before = first.iter().zip(speed).map(|(z, v)| z - v * task.time.before).collect();
        task.start = ControlStart::Frames { before, first };
    }
    // Where the body is turned, if nothing holds it, is known beforehand.
    let still = ready
        .pushed(task.clone())
        .map_err(wrong)?
        .path(&vec![0.0; r * (ready.stretch.frames + 1)])
        .map_err(wrong)?;
    let moves = ready.moves(setup, still);
    let start = f64::from(setup.clock.start.0);
    for frame in 0..ready.stretch.frames {
        let mut pushes = vec![0.0; ready.basis.start().len()];
        loads.add(start + (ready.begin + frame) as f64, &mut pushes);
        task.pushes.extend(moves.gathered(&pushes, frame as f64));
    }
    let pushed = ready.pushed(task).map_err(wrong)?;
    let from = match (&pushed.task().start, solution) {
        (ControlStart::Free, Some(solution)) => solution.path.clone(),
        _ => moves.path,
    };
    let Some(solution) = solution.filter(|_| track) else {
        let path = pushed.simulate(&from, &forces, progress).map_err(wrong)?;
        return Ok(ready.moves(setup, path));
    };
    let known = ControlSolution { forces, ..solution.clone() };
    let tracker = ready.problem.tracker(&known, &TrackSettings::default(), progress).map_err(wrong)?;
    let mut simulation = pushed.simulation(from.before(), from.frame(0)).map_err(wrong)?;
    let (mut force, mut frames) = (vec![0.0; r], from.frame(0).to_vec());
    for frame in 0..ready.stretch.frames {
        progress.check()?;
        tracker.force(frame, simulation.before(), simulation.now(), &mut force);
        simulation.advance(&force).map_err(wrong)?;
        frames.extend_from_slice(simulation.now());
    }
    Ok(ready.moves(setup, pushed.path(&frames).map_err(wrong)?))
}
