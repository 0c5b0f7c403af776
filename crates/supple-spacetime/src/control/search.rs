//! The whole search from a motion, and from window to window.
//!
//! ```text
//! newton: with feedback, hard keys softly; then all frames at once, hard keys fixed
//! windows of k keys: solve keys i … i + k − 1 from where the motion stands; keep it up to the middle one of them,
//!         and go on from there with the forces found beyond it
//! ```

use super::cg::minimise;
use super::error::{ControlError, ControlGiven};
use super::feedback::follow;
use super::guess::begun;
use super::model::{Balance, Model};
use super::newton::Finish;
use super::rollout::simulate;
use super::settings::{ControlGuess, ControlSettings, ControlSolver};
use super::task::{ControlStart, ControlTask};
use super::watch::{Ended, Found, Tally, Watch};

/// The minimum near a guess.
pub(super) fn found(
    model: &Model,
    settings: &ControlSettings,
    effort: f64,
    guess: &ControlGuess,
    watch: &mut Watch<'_>,
) -> Result<Found, ControlError> {
    let z = begun(model, guess, watch.progress)?;
    searched(model, z, settings, effort, watch)
}

fn searched(
    model: &Model,
    z: Vec<f64>,
    settings: &ControlSettings,
    effort: f64,
    watch: &mut Watch<'_>,
) -> Result<Found, ControlError> {
    let r = model.size();
    if let Some(at) = model.elastic(&z, watch.progress)?.iter().position(|force| !force.is_finite()) {
        return Err(ControlError::NoForce { frame: (at / r).saturating_sub(1) });
    }
    let (tolerance, most) = (settings.tolerance, settings.iterations);
    if settings.solver == ControlSolver::Cg {
        return minimise(model, z, Balance { effort, hard: 0.0 }, (tolerance, most), watch);
    }
    let mut tally = Tally::default();
    let softly = Balance { effort, hard: model.soft_hard(effort) };
    let (z, ended) = follow(model, z, softly, most, watch, &mut tally)?;
    if ended == Ended::Stopped {
        return Ok(Found { z, ended, optimality: f64::INFINITY, tally });
    }
    let finish = Finish { model, balance: Balance { effort, hard: 0.0 }, tolerance, most };
    let (z, ended, optimality) = finish.run(z, watch, &mut tally)?;
    Ok(Found { z, ended, optimality, tally })
}

/// The same in windows of so many keys.
pub(super) fn by_windows(
    model: &Model,
    task: &ControlTask,
    settings: &ControlSettings,
    (effort, keys): (f64, usize),
    guess: &ControlGuess,
    watch: &mut Watch<'_>,
) -> Result<Found, ControlError> {
    let (r, last) = (model.size(), task.time.steps.len());
    let mut task = task.clone();
    task.keys.sort_by_key(|key| key.frame);
    if let ControlGuess::Path(path) = guess {
        ControlGiven::Guess.check(path, (last + 1) * r)?;
    }
    let still = begun(model, &ControlGuess::Path(vec![0.0; (last + 1) * r]), watch.progress)?;
    let mut whole = Found { z: still, ended: Ended::Found, optimality: 0.0, tally: Tally::default() };
    let (mut first_key, mut first, mut known) = (0, 0, 0);
    loop {
        let is_last = first_key + keys >= task.keys.len();
        let end = if is_last { last } else { task.keys[first_key + keys - 1].frame };
        let part =
            window(&task, &whole.z, (first, end, r), first_key..(first_key + keys).min(task.keys.len()));
        let window = Model::of_part(model.dynamics.clone(), &part, model.tau);
        let z = continued(&window, &whole.z, (first, known), guess, watch)?;
        watch.whole = Some((whole.z.clone(), first));
        let found = searched(&window, z, settings, effort, watch)?;
        whole.z[first * r..first * r + found.z.len()].copy_from_slice(&found.z);
        whole.tally.add(&found.tally);
        whole.optimality = whole.optimality.max(found.optimality);
        if found.ended != Ended::Found && whole.ended == Ended::Found {
            whole.ended = found.ended;
        }
        if is_last || found.ended == Ended::Stopped {
            let held = whole.z[(end + 1) * r..(end + 2) * r].to_vec();
            whole.z[(end + 2) * r..].chunks_exact_mut(r).for_each(|frame| frame.copy_from_slice(&held));
            return Ok(whole);
        }
        first_key += keys / 2;
        let middle = &task.keys[first_key - 1];
        // A velocity is of the frame after it, too.
        (first, known) = (middle.frame + usize::from(middle.velocity.is_some()), end);
        first_key += task.keys[first_key..].iter().filter(|key| key.frame <= first).count();
    }
}

/// The task of frames `first` … `end` with some of the keys, from where the motion stands.
fn window(
    task: &ControlTask,
    z: &[f64],
    (first, end, r): (usize, usize, usize),
    keys: std::ops::Range<usize>,
) -> ControlTask {
    let mut part = task.clone();
    part.time = task.time.part(first, end);
    if first > 0 {
        let frame = |f: usize| z[f * r..(f + 1) * r].to_vec();
        part.start = ControlStart::Frames { before: frame(first), first: frame(first + 1) };
    }
    if !task.pushes.is_empty() {
        part.pushes = task.pushes[first * r..end * r].to_vec();
    }
    part.keys = task.keys[keys].to_vec();
    part.keys.iter_mut().for_each(|key| key.frame -= first);
    part
}

/// A guess of a window: what is known up to frame `known`, with its forces, and the guess or no force beyond.
fn continued(
    window: &Model,
    z: &[f64],
    (first, known): (usize, usize),
    guess: &ControlGuess,
    watch: &Watch<'_>,
) -> Result<Vec<f64>, ControlError> {
    let r = window.size();
    let length = window.frames() * r;
    if known <= first {
        return match guess {
            ControlGuess::Path(path) => {
                begun(window, &ControlGuess::Path(path[first * r..][..length - r].to_vec()), watch.progress)
            }
            other => begun(window, other, watch.progress),
        };
    }
    let mut start = z[first * r..][..length].to_vec();
    let rows = known - first;
    if let ControlGuess::Path(path) = guess {
        start[(rows + 2) * r..].copy_from_slice(&path[(known + 1) * r..][..length - (rows + 2) * r]);
        return Ok(start);
    }
    let mut forces = window.rows.forces(&start, &window.elastic(&start, watch.progress)?);
    forces[rows * r..].fill(0.0);
    match simulate(window, &forces, start.clone(), watch.progress) {
        Ok(z) => Ok(z),
        Err(ControlError::Simulation { .. }) => {
            let held = start[(rows + 1) * r..(rows + 2) * r].to_vec();
            start[(rows + 2) * r..].chunks_exact_mut(r).for_each(|frame| frame.copy_from_slice(&held));
            Ok(start)
        }
        Err(other) => Err(other),
    }
}
