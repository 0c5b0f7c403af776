//! The first half of the search: Gauss and Newton's step as a policy, which the body's own simulation follows.
//!
//! ```text
//! repeat  J, w along the motion; H = εJᵀh̄J + keys, eliminated from the last frame back
//!         until the step would gain less than 1 % of E
//!         the simulation under the policy, several lengths of the step side by side; the best of them
//!         where none gains: shorter steps, then a heavier diagonal
//! ```
//!
//! A straight step changes all frames at once, and the forces pay for whatever the stiffness changed on the way. Under
//! feedback the forces are those of the step, and the simulation goes where they lead; steps of full length hold.

use super::error::ControlError;
use super::model::{Balance, Model, Point, least};
use super::normal::{Normal, Shape};
use super::policy::Policy;
use super::report::ControlStage;
use super::rollout::rolled_out;
use super::watch::{Ended, Tally, Watch};
use rayon::prelude::*;
use supple_model::Progress;

/// A step that would gain less than this part of the objective is left to the second half.
const ENOUGH: f64 = 0.01;
/// Lengths of a step that are tried side by side, group after group.
const LENGTHS: [&[f64]; 3] = [
    &[1.0, 0.5],
    &[0.25, 0.125, 0.0625, 0.03125],
    &[0.015_625, 0.003_906_25, 0.000_976_562_5, 0.000_244_140_625],
];
/// By what the diagonal grows first, and at most.
const DAMPING: (f64, f64) = (1e-4, 1e4);
/// Iterations at most.
const ITERATIONS: usize = 80;

/// Goes on from a motion as long as it pays.
pub(super) fn follow(
    model: &Model,
    mut z: Vec<f64>,
    balance: Balance,
    most: usize,
    watch: &mut Watch<'_>,
    tally: &mut Tally,
) -> Result<(Vec<f64>, Ended), ControlError> {
    let mut damping = 0.0;
    let mut cost = None;
    for iteration in 0..most.min(ITERATIONS) {
        let point = model.point(z, watch.progress)?;
        let now = *cost.get_or_insert_with(|| model.cost(&point.z, &point.w, balance));
        if watch.seen(model, (ControlStage::Feedback, iteration), now, &point.z)? {
            return Ok((point.z, Ended::Stopped));
        }
        let gradient = model.gradient(&point, balance);
        let next = loop {
            let shape = Shape { balance, curvature: None, holds: false, damping, every: 0.0 };
            if let Some(normal) = Normal::new(model, &point, &shape) {
                let (ahead, gain) = normal.forward(&gradient);
                if gain <= ENOUGH * now.objective || gain.is_nan() {
                    break None;
                }
                let policy = Policy::new(&normal, &ahead, model.size());
                let best = best_of((model, &point, balance), &policy, now.objective, watch.progress, tally)?;
                if best.is_some() {
                    break best;
                }
            }
            damping = if damping == 0.0 { DAMPING.0 } else { 10.0 * damping };
            if damping > DAMPING.1 {
                break None;
            }
        };
        let Some(better) = next else { return Ok((point.z, Ended::Found)) };
        tally.feedback += 1;
        damping = if damping > DAMPING.0 { 0.1 * damping } else { 0.0 };
        (z, cost) = (better, None);
    }
    Ok((z, Ended::OutOfSteps))
}

/// The motion that costs least of the first group of lengths with one that costs less than what there is.
fn best_of(
    (model, point, balance): (&Model, &Point, Balance),
    policy: &Policy<'_>,
    below: f64,
    progress: &Progress,
    tally: &mut Tally,
) -> Result<Option<Vec<f64>>, ControlError> {
    for lengths in LENGTHS {
        let rolled: Result<Vec<Option<Vec<f64>>>, ControlError> =
            lengths.par_iter().map(|s| rolled_out(model, point, policy, *s, progress)).collect();
        tally.rollouts += 1;
        let mut paths: Vec<Vec<f64>> = rolled?.into_iter().flatten().collect();
        let costs = model.costs(&paths, balance, progress)?;
        if let Some(best) = least(&costs, below) {
            return Ok(Some(paths.swap_remove(best)));
        }
    }
    Ok(None)
}
