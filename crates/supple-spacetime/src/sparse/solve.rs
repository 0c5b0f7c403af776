//! Solving for keys: stages of what is asked, multipliers of what is hard.
//!
//! What is hard, c(y) = 0, costs λ·c + ½ρ|c|² in a stage, after which λ grows by ρc (the method of multipliers): with
//! ρ as firm as a firm key, every round takes off some four digits of c.

use super::goal::{Expansion, Goal, Wanted};
use super::newton::{Ended, Local, Search, norm};
use super::path::SparsePath;
use super::settings::{Solver, SparseReport, SparseSettings};
use super::unknowns::{Places, Slot, Unknowns, seen, slots_for};
use crate::error::SpacetimeError;
use crate::kernel::{MeanPath, Order};
use crate::path::Load;
use faer::Mat;
use rayon::prelude::*;
use supple_model::{Cancelled, Instant, Progress, Status};

/// Rounds of multipliers.
const ROUNDS: usize = 40;
/// A round that takes off less than this part of the gap is a bad one;
const PROGRESS: f64 = 0.7;
/// so many of them after one another, and what is hard cannot be done.
const BAD_ROUNDS: usize = 3;
/// Stages before the last are solved so well.
const ROUGH: f64 = 1e-2;
const ROUGH_GAP: f64 = 1e-3;

/// What is asked at one time.
pub struct SparseKey {
    /// When.
    pub at: Instant,
    /// What.
    pub goal: Box<dyn Goal>,
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
    mean: MeanPath,
    keys: Vec<SparseKey>,
    places: Vec<Places>,
    unknowns: Unknowns,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct SparseSolution {
    /// η.
    eta: Vec<f64>,
    multipliers: Vec<Vec<f64>>,
    /// What it came to.
    pub report: SparseReport,
}

impl SparseSolution {
    /// Whether a problem with the same keys could go on from here.
    #[must_use]
    pub fn fits(&self, problem: &SparseProblem) -> bool {
        let alike = |(own, key): (&Vec<f64>, &SparseKey)| own.len() == key.goal.penalties().len();
        self.eta.len() == problem.dimension()
            && self.multipliers.len() == problem.keys.len()
            && self.multipliers.iter().zip(&problem.keys).all(alike)
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
        Ok(Self { mean, keys, places, unknowns })
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
        let mut multipliers: Vec<Vec<f64>> = match from {
            Some(from) => from.multipliers.clone(),
            None => self.keys.iter().map(|key| vec![0.0; key.goal.penalties().len()]).collect(),
        };
        let eta = from.map_or_else(|| vec![0.0; self.unknowns.count()], |from| from.eta.clone());
        let mut search: Option<Search> = None;
        let mut ended = Ended::Found;
        for stage in 1..=stages {
            let part = stage as f64 / stages as f64;
            // What was found for a part of the way says where the next part leads.
            let farther = part / (part - 1.0 / stages as f64);
            let eta = match search.take() {
                None => eta.clone(),
                Some(search) => {
                    multipliers.iter_mut().flatten().for_each(|multiplier| *multiplier *= farther);
                    search.eta.iter().map(|eta| farther * eta).collect()
                }
            };
            let tolerance = if stage < stages { ROUGH } else { settings.stationarity };
            let (found, how) = self.settle(
                (part, tolerance),
                eta,
                &mut multipliers,
                settings,
                &progress.part(part - 1.0 / stages as f64, part),
            )?;
            search = Some(found);
            ended = how;
            if matches!(ended, Ended::Stopped) {
                break;
            }
        }
        let search = search.unwrap_or_else(|| self.begin(eta, 1.0, &multipliers, settings.solver));
        Ok(self.told(search, ended, multipliers, settings))
    }

    /// Solves one stage, with rounds of multipliers for what is hard.
    fn settle(
        &self,
        (part, tolerance): (f64, f64),
        eta: Vec<f64>,
        multipliers: &mut [Vec<f64>],
        settings: &SparseSettings,
        progress: &Progress,
    ) -> Result<(Search, Ended), Cancelled> {
        let is_hard = multipliers.iter().any(|of| !of.is_empty());
        let (mut eta, mut steps, mut last, mut bad) = (eta, 0, f64::INFINITY, 0);
        let gap_wanted = if tolerance >= ROUGH { ROUGH_GAP } else { settings.gap };
        for round in 1.. {
            let mut search = self.begin(eta, part, multipliers, settings.solver);
            search.steps = steps;
            let left = settings.iterations.saturating_sub(steps);
            let known = &*multipliers;
            let ended = search.run(
                settings.solver,
                (tolerance, left),
                |eta| self.cost(eta, part, known),
                |eta, bent| {
                    self.expand(
                        eta,
                        part,
                        known,
                        if bent { wanted(settings.solver) } else { Wanted::Gradient },
                    )
                },
                |steps| {
                    progress.report("solving", 1.0 - 1.0 / (1.0 + 0.1 * steps as f64))?;
                    Ok(progress.is_stopped())
                },
            )?;
            if !is_hard || round >= ROUNDS || !matches!(ended, Ended::Found | Ended::Stalled) {
                return Ok((search, ended));
            }
            let gaps = self.gaps(&search.eta, part, multipliers);
            let gap = gaps.iter().flatten().fold(0.0_f64, |most, gap| most.max(gap.abs()));
            bad = if gap > PROGRESS * last { bad + 1 } else { 0 };
            if gap <= gap_wanted || bad >= BAD_ROUNDS || search.steps >= settings.iterations {
                return Ok((search, ended));
            }
            last = gap;
            for ((key, of), gaps) in self.keys.iter().zip(multipliers.iter_mut()).zip(&gaps) {
                for ((multiplier, gap), penalty) in of.iter_mut().zip(gaps).zip(key.goal.penalties()) {
                    *multiplier += penalty * gap;
                }
            }
            (eta, steps) = (search.eta, search.steps);
        }
        Ok((self.begin(eta, part, multipliers, settings.solver), Ended::OutOfSteps))
    }

    fn begin(&self, eta: Vec<f64>, part: f64, multipliers: &[Vec<f64>], solver: Solver) -> Search {
        // Quasi-Newton learns from the Hessian it begins with.
        let wanted = if solver == Solver::Newton { Wanted::Newton } else { Wanted::GaussNewton };
        let local = self.expand(&eta, part, multipliers, wanted);
        Search::new(eta, local)
    }

    fn expansions(&self, eta: &[f64], part: f64, multipliers: &[Vec<f64>], wanted: Wanted) -> Vec<Expansion> {
        let of = |k: usize| {
            let state = self.unknowns.state(eta, self.places[k]);
            self.keys[k].goal.expand(seen(&state), part, &multipliers[k], wanted)
        };
        (0..self.keys.len()).into_par_iter().map(of).collect()
    }

    fn cost(&self, eta: &[f64], part: f64, multipliers: &[Vec<f64>]) -> f64 {
        let keys = self.expansions(eta, part, multipliers, Wanted::Cost);
        0.5 * norm(eta).powi(2) + keys.iter().map(|key| key.cost).sum::<f64>()
    }

    fn gaps(&self, eta: &[f64], part: f64, multipliers: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let keys = self.expansions(eta, part, multipliers, Wanted::Cost);
        keys.into_iter().map(|key| key.gaps).collect()
    }

    fn expand(&self, eta: &[f64], part: f64, multipliers: &[Vec<f64>], wanted: Wanted) -> Local {
        let keys = self.expansions(eta, part, multipliers, wanted);
        let mut pulled = vec![0.0; eta.len()];
        let mut hessian = (wanted >= Wanted::GaussNewton).then(|| Mat::<f64>::identity(eta.len(), eta.len()));
        let mut cost = 0.5 * norm(eta).powi(2);
        for (key, places) in keys.iter().zip(&self.places) {
            cost += key.cost;
            self.unknowns.add_gradient(*places, &key.gradient, &mut pulled);
            if let (Some(hessian), Some(own)) = (&mut hessian, &key.hessian) {
                self.unknowns.add_hessian(*places, own, hessian);
            }
        }
        let scale = norm(eta).max(norm(&pulled));
        let gradient = eta.iter().zip(&pulled).map(|(eta, pulled)| eta + pulled).collect();
        Local { cost, gradient, scale, hessian }
    }

    fn told(
        &self,
        search: Search,
        ended: Ended,
        multipliers: Vec<Vec<f64>>,
        settings: &SparseSettings,
    ) -> SparseSolution {
        // Evaluated anew: what is told is what is there.
        let local = self.expand(&search.eta, 1.0, &multipliers, Wanted::Gradient);
        let gaps = self.gaps(&search.eta, 1.0, &multipliers);
        let gap = gaps.iter().flatten().fold(0.0_f64, |most, gap| most.max(gap.abs()));
        let own = 0.5 * norm(&search.eta).powi(2);
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
        let report = SparseReport { status, iterations: search.steps, stationarity, energy, penalty, gap };
        SparseSolution { eta: search.eta, multipliers, report }
    }

    /// z and ż of a key, by its place; ż is empty where the key does not read it.
    ///
    /// # Panics
    /// When there is no such key.
    #[must_use]
    pub fn state(&self, solution: &SparseSolution, key: usize) -> (Vec<f64>, Vec<f64>) {
        self.unknowns.state(&solution.eta, self.places[key])
    }

    /// The motion that was found.
    #[must_use]
    pub fn path(&self, solution: &SparseSolution) -> SparsePath {
        let pulls = self.unknowns.pulls(&solution.eta);
        let load = |(slot, pull): (&Slot, Vec<f64>)| Load { at: slot.at, order: slot.order, pull };
        let loads = self.unknowns.slots.iter().zip(pulls).map(load).collect();
        SparsePath::new(self.mean.clone(), loads)
    }
}

fn wanted(solver: Solver) -> Wanted {
    if solver == Solver::Newton { Wanted::Newton } else { Wanted::GaussNewton }
}
