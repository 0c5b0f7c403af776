//! Round after round: paths, then numbers, then shapes.

use super::data::Data;
use super::delays::Start;
use super::dense::product;
use super::result::{Path, Recovered};
use super::shapes::polar;
use super::smoother::{Smoother, Sums};
use super::{RecoveryError, RecoverySettings, step};
use crate::kernel::Oscillator;
use crate::material::settings::Optimise;
use faer::Mat;
use nalgebra::Vector2;
use rayon::prelude::*;
use std::f64::consts::TAU;
use supple_model::{Progress, Status};

/// Swings that take longer than this many times the longest stretch are not told from drifting.
const SLOWEST: f64 = 2.0;

/// What the rounds change.
struct Material {
    eigenvalues: Vec<f64>,
    damping: Vec<f64>,
    /// S.
    shapes: Mat<f64>,
    /// x₀.
    rest: Vec<f64>,
}

/// The paths of all modes, and what they cost.
struct Paths {
    states: Vec<Vec<Vector2<f64>>>,
    sums: Vec<Sums>,
    /// All of what is made small.
    cost: f64,
    /// Its part that is force.
    force: f64,
}

/// Runs the rounds.
pub(super) fn run(
    data: &Data,
    start: Start,
    settings: &RecoverySettings,
    progress: &Progress,
) -> Result<Recovered, RecoveryError> {
    let Start { eigenvalues, damping, shapes, rest } = start;
    let mut material = Material { eigenvalues, damping, shapes, rest };
    let mut paths = material.paths(data, settings.weight);
    let mut costs = vec![paths.cost];
    let mut status = Status::Settled;
    if settings.optimise != Optimise::None {
        status = Status::Unfinished;
        for round in 0..settings.rounds {
            progress.report("recovering the material", round as f64 / settings.rounds as f64)?;
            if progress.is_stopped() {
                status = Status::Stopped;
                break;
            }
            material.improve(data, &paths, settings)?;
            paths = material.paths(data, settings.weight);
            let before = costs[costs.len() - 1];
            costs.push(paths.cost);
            if before - paths.cost <= settings.tolerance * before {
                status = Status::Settled;
                break;
            }
        }
    }
    Ok(finish(data, material, &paths, costs, status))
}

impl Material {
    /// The first step.
    fn paths(&self, data: &Data, weight: f64) -> Paths {
        let less = data.less(&self.rest);
        let seen = product(self.shapes.transpose(), less.as_ref());
        let modes = self.eigenvalues.len();
        let one = |k: usize| {
            let oscillator = Oscillator { eigenvalue: self.eigenvalues[k], delta: 0.5 * self.damping[k] };
            let smoother = Smoother::new(oscillator, weight);
            let seen: Vec<f64> = seen.row(k).iter().copied().collect();
            let states = smoother.states(&seen, &data.runs);
            let sums = smoother.sums(&states, &data.runs);
            let apart: f64 = states.iter().zip(&seen).map(|(s, y)| (s[0] - y).powi(2)).sum();
            let held: f64 = seen.iter().map(|y| y * y).sum();
            (states, sums, apart - held)
        };
        let found: Vec<(Vec<Vector2<f64>>, Sums, f64)> = (0..modes).into_par_iter().map(one).collect();
        let whole: f64 = less.col_iter().map(|column| column.iter().map(|x| x * x).sum::<f64>()).sum();
        let apart = whole + found.iter().map(|(_, _, apart)| apart).sum::<f64>();
        let force: f64 = found.iter().map(|(_, sums, _)| sums.energy).sum();
        let mut paths =
            Paths { states: Vec::new(), sums: Vec::new(), cost: force + 0.5 * weight * apart, force };
        for (states, sums, _) in found {
            paths.states.push(states);
            paths.sums.push(sums);
        }
        paths
    }

    /// The second and the third step.
    fn improve(
        &mut self,
        data: &Data,
        paths: &Paths,
        settings: &RecoverySettings,
    ) -> Result<(), RecoveryError> {
        let slowest = (TAU / (SLOWEST * data.longest() as f64)).powi(2);
        let mut z: Vec<Vec<f64>> =
            paths.states.iter().map(|states| states.iter().map(|s| s[0]).collect()).collect();
        let mut moved = vec![0.0; z.len()];
        for (k, sums) in paths.sums.iter().enumerate() {
            let Some(best) = step::best(sums, slowest) else { continue };
            (self.eigenvalues[k], self.damping[k]) = (best.eigenvalue, best.damping);
            z[k].iter_mut().for_each(|z| *z -= best.offset);
            moved[k] = best.offset;
        }
        for (i, rest) in self.rest.iter_mut().enumerate() {
            *rest += moved.iter().enumerate().map(|(k, offset)| self.shapes[(i, k)] * offset).sum::<f64>();
        }
        let z = Mat::from_fn(z.len(), data.frames(), |k, i| z[k][i]);
        if settings.optimise == Optimise::All {
            self.shapes = polar(product(data.less(&self.rest).as_ref(), z.transpose()).as_ref())?;
        }
        // What is left on the average is no motion.
        let left = data.less(&self.rest) - product(self.shapes.as_ref(), z.as_ref());
        for (rest, row) in self.rest.iter_mut().zip(left.row_iter()) {
            *rest += row.iter().sum::<f64>() / data.frames() as f64;
        }
        Ok(())
    }
}

/// What was found, in the units of the motion, the slowest mode first.
fn finish(data: &Data, material: Material, paths: &Paths, costs: Vec<f64>, status: Status) -> Recovered {
    let Material { eigenvalues, damping, shapes, rest } = material;
    let mut order: Vec<usize> = (0..eigenvalues.len()).collect();
    order.sort_by(|&a, &b| eigenvalues[a].total_cmp(&eigenvalues[b]).then(a.cmp(&b)));
    // The largest number of a shape is positive.
    let sign = |k: usize| {
        let largest =
            shapes.col(k).iter().fold(0.0_f64, |most, x| if x.abs() > most.abs() { *x } else { most });
        if largest < 0.0 { -1.0 } else { 1.0 }
    };
    let less = data.less(&rest);
    let whole: f64 = less.col_iter().map(|column| column.iter().map(|x| x * x).sum::<f64>()).sum();
    let share = |k: usize| paths.states[k].iter().map(|s| s[0] * s[0]).sum::<f64>() / whole;
    let path = |k: usize| {
        let scale = sign(k) * data.scale;
        let states = &paths.states[k];
        Path {
            position: states.iter().map(|s| scale * s[0]).collect(),
            velocity: states.iter().map(|s| scale * s[1]).collect(),
        }
    };
    Recovered {
        eigenvalues: order.iter().map(|&k| eigenvalues[k]).collect(),
        damping: order.iter().map(|&k| damping[k]).collect(),
        shapes: Mat::from_fn(shapes.nrows(), order.len(), |i, k| sign(order[k]) * shapes[(i, order[k])]),
        rest: rest.iter().map(|x| x * data.scale).collect(),
        shares: order.iter().map(|&k| share(k)).collect(),
        paths: order.iter().map(|&k| path(k)).collect(),
        costs,
        force: paths.force,
        status,
    }
}
