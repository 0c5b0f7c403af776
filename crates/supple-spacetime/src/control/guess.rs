//! Motions to begin with.

use super::error::{ControlError, ControlGiven};
use super::model::Model;
use super::rollout::pulled;
use super::settings::ControlGuess;
use supple_model::Progress;

/// A controller reaches its path in this part of the time from key to key, about.
const REACH: f64 = 0.1;

/// A motion from the start; where it is free, from its first key at rest.
pub(super) fn begun(
    model: &Model,
    guess: &ControlGuess,
    progress: &Progress,
) -> Result<Vec<f64>, ControlError> {
    let (r, frames) = (model.size(), model.frames());
    let way = waypoints(model);
    let first = way[0].1.clone();
    let still = model.started(first.repeat(frames));
    match guess {
        ControlGuess::Path(path) => {
            ControlGiven::Guess.check(path, (frames - 1) * r)?;
            Ok(model.started([&path[..r], path].concat()))
        }
        ControlGuess::Zero => pulled(model, (0.0, 0.0), &still, still.clone(), progress),
        ControlGuess::Pd => {
            let rate = 1.0 / (REACH * model.tau);
            pulled(model, (rate * rate, 2.0 * rate), &lines(model, &way), still, progress)
        }
    }
}

/// Keys that ask for poses, in the order of time: of those that ask for a part, the rest is as before. The start is one.
fn waypoints(model: &Model) -> Vec<(usize, Vec<f64>)> {
    let r = model.size();
    let mut keys: Vec<usize> =
        (0..model.targets.len()).filter(|k| model.targets[*k].parts.len() == 1).collect();
    keys.sort_by_key(|k| model.targets[*k].first);
    let mut way: Vec<(usize, Vec<f64>)> = Vec::new();
    if let Some(start) = &model.start {
        way.push((1, start[r..].to_vec()));
    }
    for target in keys.into_iter().map(|k| &model.targets[k]) {
        let mut pose = way.last().map_or_else(|| vec![0.0; r], |(_, pose)| pose.clone());
        target.meet(&mut pose);
        way.push((target.first, pose));
    }
    way
}

/// Straight lines from pose to pose, still before the first and after the last.
fn lines(model: &Model, way: &[(usize, Vec<f64>)]) -> Vec<f64> {
    let mut times = vec![0.0];
    for step in &model.rows.steps {
        times.push(times[times.len() - 1] + step);
    }
    let mut path = Vec::with_capacity(model.frames() * model.size());
    for f in 0..model.frames() {
        let next = way.partition_point(|(at, _)| *at <= f);
        let (from, to) = (&way[next.saturating_sub(1)], &way[next.min(way.len() - 1)]);
        let span = times[to.0] - times[from.0];
        let share = if span > 0.0 { ((times[f] - times[from.0]) / span).clamp(0.0, 1.0) } else { 0.0 };
        path.extend(from.1.iter().zip(&to.1).map(|(a, b)| a + share * (b - a)));
    }
    path
}
