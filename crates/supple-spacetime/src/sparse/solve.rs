//! Solving for keys: stages of what is asked, multipliers of what is hard.
//!
//! What is hard, c(y) = 0, costs λ·c + ½ρ|c|² in a stage, after which λ grows by ρc (the method of multipliers): with
//! ρ as firm as a firm key, every round takes off some four digits of c.

use super::cost::Asked;
use super::goal::{Cost, Goal};
use super::newton::{Ended, Function, Search, norm};
use super::settings::{SparseReport, SparseSettings};
use super::unknowns::{Places, Slot, Unknowns, seen, slots_for};
use crate::error::SpacetimeError;
use crate::kernel::{MeanPath, Order};
use crate::path::{Load, Path};
use rayon::prelude::*;
use std::sync::Arc;
use supple_model::{Cancelled, Instant, Progress, Status};

/// Rounds of multipliers.
const ROUNDS: usize = 40;
/// A round that takes off less than this part of the gap is a bad one;
const PROGRESS: f64 = 0.7;
/// so many of them after one another, and what is hard cannot be done.
const BAD_ROUNDS: usize = 3;
/// What is asked firmly is asked this much softer first: many firm points that few modes cannot follow throw the first
/// steps far off,
const SOFTER: f64 = 1e-3;
/// and solved so well.
const ROUGHEST: f64 = 1e-1;
/// Stages before the last are solved so well.
const ROUGH: f64 = 1e-2;
const ROUGH_GAP: f64 = 1e-3;
/// Rounds of multipliers are solved so much better each.
const BETTER: f64 = 1e-3;

/// What is asked at one time.
pub struct SparseKey {
    /// When.
    pub at: Instant,
    /// What.
    pub goal: Arc<dyn Goal>,
}

/// A whole pose, or its velocity, that is given hard.
#[derive(Clone, Debug)]
pub struct Pin {
    /// When.
    pub at: Instant,
    /// Whether it is the pose or its velocity.
    pub order: Order,
    /// A number for each mode.
    pub values: Vec<f64>,
}

/// Keys, and the motion they are asked of.
pub struct SparseProblem {
    mean: Arc<MeanPath>,
    pub(super) keys: Vec<SparseKey>,
    pub(super) places: Vec<Places>,
    pub(super) unknowns: Unknowns,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct SparseSolution {
    found: Found,
    /// What it came to.
    pub report: SparseReport,
}

/// Where the unknowns are.
#[derive(Clone, Debug)]
struct Found {
    /// η.
    eta: Vec<f64>,
    /// λ of every key.
    multipliers: Vec<Vec<f64>>,
    steps: usize,
}

impl SparseSolution {
    /// Whether a problem with the same keys could go on from here.
    #[must_use]
    pub fn fits(&self, problem: &SparseProblem) -> bool {
        let alike = |(own, key): (&Vec<f64>, &SparseKey)| own.len() == key.goal.penalties().len();
        self.found.eta.len() == problem.dimension()
            && self.found.multipliers.len() == problem.keys.len()
            && self.found.multipliers.iter().zip(&problem.keys).all(alike)
    }
}

impl SparseProblem {
    /// Keys, each time once, and pins on a motion whose ends and loads are given.
    ///
    /// # Errors
    /// When a time cannot be changed, or a pin has not a number for each mode.
    pub fn new(mean: MeanPath, pins: &[Pin], keys: Vec<SparseKey>) -> Result<Self, SpacetimeError> {
        let modes = mean.kernel().modes();
        if let Some(pin) = pins.iter().find(|pin| pin.values.len() != modes) {
            return Err(SpacetimeError::PinCount { found: pin.values.len(), modes });
        }
        let reads: Vec<(Instant, bool)> =
            keys.iter().map(|key| (key.at, key.goal.reads_velocity())).collect();
        let given = pins.iter().map(|pin| Slot { at: pin.at, order: pin.order });
        let (slots, places) = slots_for(given, &reads);
        let values: Vec<Vec<f64>> = pins.iter().map(|pin| pin.values.clone()).collect();
        let unknowns = Unknowns::new(mean.kernel(), &mean, slots, &values)?;
        Ok(Self { mean: Arc::new(mean), keys, places, unknowns })
    }

    /// How many unknowns there are.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.unknowns.count()
    }

    /// The keys.
    #[must_use]
    pub fn keys(&self) -> &[SparseKey] {
        &self.keys
    }

    /// The least costly motion; from an earlier solution of the same keys, if there is one, else in stages from rest.
    ///
    /// # Errors
    /// When the caller cancels.
    pub fn solve(
        &self,
        settings: &SparseSettings,
        from: Option<&SparseSolution>,
        progress: &Progress,
    ) -> Result<SparseSolution, Cancelled> {
        let stages = if from.is_some() { 1 } else { settings.stages.max(1) };
        let mut found = from.map_or_else(|| self.rest(), |from| Found { steps: 0, ..from.found.clone() });
        let mut ended = Ended::Found;
        for stage in 1..=stages {
            let (part, before) = (stage as f64 / stages as f64, (stage - 1) as f64 / stages as f64);
            if stage > 1 {
                // What was found for a part of the way says where the next part leads.
                let farther = part / before;
                let all = found.eta.iter_mut().chain(found.multipliers.iter_mut().flatten());
                all.for_each(|x| *x *= farther);
            }
            let (tolerance, gap) =
                if stage < stages { (ROUGH, ROUGH_GAP) } else { (settings.stationarity, settings.gap) };
            let wanted = SparseSettings { stationarity: tolerance, gap, ..*settings };
            let progress = progress.part(before, part);
            if stage == 1 && from.is_none() {
                let softly = SparseSettings { stationarity: ROUGHEST, ..wanted };
                self.minimise((part, SOFTER), &mut found, &softly, &progress)?;
            }
            ended = self.settle(part, &mut found, &wanted, &progress)?;
            if ended == Ended::Stopped {
                break;
            }
        }
        Ok(self.told(found, ended, settings))
    }

    fn rest(&self) -> Found {
        Found {
            eta: vec![0.0; self.unknowns.count()],
            multipliers: self.keys.iter().map(|key| vec![0.0; key.goal.penalties().len()]).collect(),
            steps: 0,
        }
    }

    /// Solves one stage, with rounds of multipliers for what is hard: the nearer, the better each is solved.
    fn settle(
        &self,
        part: f64,
        found: &mut Found,
        wanted: &SparseSettings,
        progress: &Progress,
    ) -> Result<Ended, Cancelled> {
        let is_hard = found.multipliers.iter().any(|of| !of.is_empty());
        let mut tolerance = if is_hard { wanted.stationarity.max(ROUGH) } else { wanted.stationarity };
        let (mut last, mut bad) = (f64::INFINITY, 0);
        for _ in 0..ROUNDS {
            let round = SparseSettings { stationarity: tolerance, ..*wanted };
            let ended = self.minimise((part, 1.0), found, &round, progress)?;
            if !is_hard || !matches!(ended, Ended::Found | Ended::Stalled) {
                return Ok(ended);
            }
            let costs = self.costs(&found.eta, part, &found.multipliers);
            let gap = largest_gap(&costs);
            bad = if gap > PROGRESS * last { bad + 1 } else { 0 };
            let is_met = gap <= wanted.gap && tolerance <= wanted.stationarity;
            if is_met || bad >= BAD_ROUNDS || found.steps >= wanted.iterations {
                return Ok(ended);
            }
            last = gap.max(wanted.gap);
            tolerance = (BETTER * tolerance).max(wanted.stationarity);
            for ((key, of), cost) in self.keys.iter().zip(&mut found.multipliers).zip(&costs) {
                for ((multiplier, gap), penalty) in of.iter_mut().zip(&cost.gaps).zip(key.goal.penalties()) {
                    *multiplier += penalty * gap;
                }
            }
        }
        Ok(Ended::OutOfSteps)
    }

    /// The least cost with multipliers as they are.
    fn minimise(
        &self,
        (part, firmness): (f64, f64),
        found: &mut Found,
        wanted: &SparseSettings,
        progress: &Progress,
    ) -> Result<Ended, Cancelled> {
        let asked = Asked { problem: self, part, multipliers: &found.multipliers, firmness };
        let mut search = Search::new(found.eta.clone(), asked.around(&found.eta));
        let left = wanted.iterations.saturating_sub(found.steps);
        let ended = search.run(&asked, wanted.solver, (wanted.stationarity, left), |steps| {
            progress.report("solving", 1.0 - 1.0 / (1.0 + 0.1 * (found.steps + steps) as f64))?;
            Ok(progress.is_stopped())
        })?;
        (found.eta, found.steps) = (search.eta, found.steps + search.steps);
        Ok(ended)
    }

    /// What all keys cost.
    fn costs(&self, eta: &[f64], part: f64, multipliers: &[Vec<f64>]) -> Vec<Cost> {
        let of = |k: usize| {
            let (goal, state) = (&self.keys[k].goal, self.unknowns.state(eta, self.places[k]));
            goal.cost(&goal.read(seen(&state)), part, &multipliers[k])
        };
        (0..self.keys.len()).into_par_iter().map(of).collect()
    }

    fn told(&self, found: Found, ended: Ended, settings: &SparseSettings) -> SparseSolution {
        // Evaluated anew: what is told is what is there.
        let asked = Asked { problem: self, part: 1.0, multipliers: &found.multipliers, firmness: 1.0 };
        let local = asked.around(&found.eta);
        let gap = largest_gap(&self.costs(&found.eta, 1.0, &found.multipliers));
        let own = 0.5 * norm(&found.eta).powi(2);
        let (energy, penalty) = (own + self.unknowns.cost_of_pins(), local.cost - own);
        let stationarity = local.stationarity();
        let is_still = stationarity <= settings.stationarity.max(1e-6);
        let status = match ended {
            Ended::Stopped => Status::Stopped,
            Ended::OutOfSteps => Status::Unfinished,
            Ended::Stalled if !is_still => Status::Stalled,
            _ if gap > settings.gap => Status::Compromise,
            _ => Status::Settled,
        };
        let report = SparseReport { status, iterations: found.steps, stationarity, energy, penalty, gap };
        SparseSolution { found, report }
    }

    /// z and ż of a key, by its place; ż is empty where the key does not read it.
    ///
    /// # Panics
    /// When there is no such key.
    #[must_use]
    pub fn state(&self, solution: &SparseSolution, key: usize) -> (Vec<f64>, Vec<f64>) {
        self.unknowns.state(&solution.found.eta, self.places[key])
    }

    /// The motion that was found.
    #[must_use]
    pub fn path(&self, solution: &SparseSolution) -> Path {
        let pulls = self.unknowns.pulls(&solution.found.eta);
        let load = |(slot, pull): (&Slot, Vec<f64>)| Load { at: slot.at, order: slot.order, pull };
        let mut loads: Vec<Load> = self.unknowns.slots.iter().zip(pulls).map(load).collect();
        loads.sort_by_key(|load| (load.at, load.order));
        Path::new(self.mean.kernel().clone(), loads).beside(Some(self.mean.clone()))
    }
}

fn largest_gap(costs: &[Cost]) -> f64 {
    costs.iter().flat_map(|cost| &cost.gaps).fold(0.0_f64, |most, gap| most.max(gap.abs()))
}
