//! The pose while a load is being dragged: little work per call, the same equilibrium in the end.
//!
//! Factoring K takes longer than a picture may. So a factor of some earlier K serves as a metric, and
//! quasi-Newton steps (L-BFGS, Nocedal 1980) correct it by what the last steps have shown of the true K:
//!
//! ```text
//! each update, a few times:
//!   d = −B⁻¹ g, B = Q K₀ Qᵀ, K₀ the old stiffness turned as the body has turned since,
//!     corrected by the last pairs (s, y) of steps and changes of g
//!   halve, from the full step, until Φ has fallen enough
//! when |g| falls too slowly: have K at the present pose factored on another thread,
//!   and change over a fixed number of updates later
//! ```
//!
//! Where that does not bring |g| down although the load rests (a body about to buckle), an update is one
//! iteration of Newton's method instead.
//!
//! The pairs stay right when the load moves, because a constant load drops out of y. Changing over by count,
//! not by clock, makes the poses a function of the calls alone.

use super::potential::Potential;
use super::turns::Turns;
use super::workshop::Workshop;
use super::{Poser, places};
use crate::Status;
use crate::newton::{Factored, Gauge, Limits, Objective, ROUNDING, SUFFICIENT, Value, norm};
use std::thread::JoinHandle;
use supple_mesh::Vec3;
use supple_model::{Cancelled, Progress, VertexId};
use supple_numerics::lbfgs::Pairs;

/// Steps that are remembered.
const PAIRS: usize = 8;
/// Halvings of a step before it is given up.
const HALVINGS: usize = 12;
/// A new factor is ordered when a step leaves more than this of the residual.
const SLOW: f64 = 0.3;
/// Updates in which the residual has to halve while the load rests.
const PATIENCE: usize = 4;
/// Updates between ordering a factor and using it: one, and one more for so much work of factoring, which is
/// roughly what an update takes on another core. The work is that of n columns of equal length.
const WORK_PER_UPDATE: f64 = 6e8;

/// How an update went.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoseUpdate {
    /// `Converged` (or `Rounding`): the pose is the one that [`Poser::solve`] finds nearby. `Unfinished`: call
    /// again. `Diverged`: it does not come closer.
    pub status: Status,
    /// |R(u) − f| over the free vertices, newtons, without what only moves the body, before this update ...
    pub residual_before: f64,
    /// ... and after it.
    pub residual: f64,
    /// Steps taken.
    pub steps: usize,
    /// Whether it changed over to a new factor of the stiffness.
    pub refactored: bool,
}

/// What updates keep between calls. Vectors are over the free vertices.
#[derive(Debug)]
pub(super) struct Follower {
    /// The metric: some earlier K, the shape it is of, and how the body has turned since.
    factored: Factored,
    then: Vec<Vec3>,
    turns: Turns,
    pairs: Pairs,
    /// The workshop that makes the next factor, when it is here.
    workshop: Option<Workshop>,
    ordered: Option<JoinHandle<Workshop>>,
    /// Updates until the order is due, and how many that is from the start.
    due: usize,
    latency: usize,
    /// The load of the last update, and the residuals since it has not moved.
    load: Vec<f64>,
    residuals: Vec<f64>,
    gradient: Vec<f64>,
    step: Vec<f64>,
}

impl Poser {
    /// Improves the pose under all loads by one bounded piece of work, for a load that moves between calls.
    /// When it rests, repeated calls converge to the equilibrium. The first call after vertices were pinned,
    /// let go or displaced takes as long as a factorization.
    pub fn update(&mut self) -> PoseUpdate {
        let mut follower = match self.follower.take() {
            Some(follower) => follower,
            None => Follower::new(self),
        };
        self.potential.load = self.masked(self.load());
        self.potential.longest_step = super::LONGEST_STEP * self.size();
        let tolerance = self.force_tolerance();
        let update = if follower.is_stuck(&self.potential.load) {
            follower.newton(self, tolerance)
        } else {
            follower.update(self, tolerance)
        };
        follower.note(&self.potential.load, update.residual);
        self.follower = Some(follower);
        update
    }

    /// How a point that rides on vertices gives way to a force on it, metres per newton: entry \[i\]\[j\] is how far it goes
    /// along axis i by one newton along axis j, from the pose at hand and as far as the factor tells that
    /// [updates](Self::update) use. Nothing where what is held bears all of it. The first call after vertices were pinned,
    /// let go or displaced takes as long as a factorization.
    #[must_use]
    pub fn compliance(&mut self, point: &[(VertexId, f64)]) -> [[f64; 3]; 3] {
        let mut follower = match self.follower.take() {
            Some(follower) => follower,
            None => Follower::new(self),
        };
        let compliance = follower.compliance(self, point);
        self.follower = Some(follower);
        compliance
    }
}

impl Follower {
    /// A factor at the present pose.
    fn new(poser: &Poser) -> Self {
        let symbolic = poser.newton.symbolic();
        let free = poser.newton.free();
        let mut workshop = Workshop::new(poser);
        workshop.make(&poser.pose);
        let factored = std::mem::replace(&mut workshop.factored, Factored::new(symbolic.clone()));
        let room = vec![0.0; 3 * free.vertices().len()];
        let work = (symbolic.factor_len() as f64).powi(2) / room.len() as f64;
        Self {
            factored,
            then: workshop.shape.clone(),
            turns: Turns::none(&poser.pattern, free),
            pairs: Pairs::new(PAIRS),
            workshop: Some(workshop),
            ordered: None,
            due: 0,
            latency: 1 + (work / WORK_PER_UPDATE) as usize,
            load: Vec::new(),
            residuals: Vec::new(),
            gradient: room.clone(),
            step: room,
        }
    }

    fn update(&mut self, poser: &mut Poser, tolerance: f64) -> PoseUpdate {
        let refactored = self.change_over();
        let mut residual = self.evaluate(poser);
        let mut value = poser.potential.value(&poser.pose);
        let mut update = PoseUpdate {
            status: Status::Unfinished,
            residual_before: residual,
            residual,
            steps: 0,
            refactored,
        };
        let mut slow = false;
        for _ in 0..poser.settings.update_steps {
            if !residual.is_finite() || residual <= tolerance {
                break;
            }
            let before = residual;
            let Some((next, after)) = self.advance(poser, value, residual) else {
                // Nothing the old factor suggests leads down.
                slow = true;
                self.pairs.clear();
                break;
            };
            update.steps += 1;
            slow |= after > SLOW * before;
            (value, residual) = (next, after);
        }
        if slow {
            self.order(&poser.pose);
        }
        update.residual = residual;
        update.status = match residual {
            r if !r.is_finite() => Status::Diverged,
            r if r <= tolerance => Status::Converged,
            _ => Status::Unfinished,
        };
        update
    }

    /// Whether the load rests and the last updates have brought little.
    fn is_stuck(&self, load: &[f64]) -> bool {
        let ago = self.residuals.len().checked_sub(1 + PATIENCE);
        let slow = ago.is_some_and(|k| self.residuals[k + PATIENCE] > 0.5 * self.residuals[k]);
        slow && self.load == load
    }

    /// Keeps what [`Self::is_stuck`] needs.
    fn note(&mut self, load: &[f64], residual: f64) {
        if self.load != load {
            self.load = load.to_vec();
            self.residuals.clear();
        }
        self.residuals.push(residual);
    }

    /// An iteration of Newton's method.
    fn newton(&mut self, poser: &mut Poser, tolerance: f64) -> PoseUpdate {
        let residual_before = self.evaluate(poser);
        self.pairs.clear();
        poser.potential.reach = f64::INFINITY;
        let limits = Limits { gradient: tolerance, iterations: 1 };
        let newton = &mut poser.newton;
        let outcome = newton.minimise(&mut poser.potential, &mut poser.pose, limits, &Progress::silent());
        let (status, residual, steps) = match outcome {
            Ok(outcome) => (outcome.status, outcome.residual, outcome.iterations),
            Err(Cancelled) => (Status::Unfinished, residual_before, 0),
        };
        PoseUpdate { status, residual_before, residual, steps, refactored: true }
    }

    /// See [`Poser::compliance`].
    fn compliance(&mut self, poser: &Poser, point: &[(VertexId, f64)]) -> [[f64; 3]; 3] {
        self.turns.measure(&self.then, &places(&poser.body, &poser.pose));
        let (free, gauge) = (poser.newton.free(), poser.gauge.as_deref());
        let riding: Vec<(usize, f64)> =
            point.iter().filter_map(|(v, weight)| Some((free.index(*v)?, *weight))).collect();
        let mut compliance = [[0.0; 3]; 3];
        for axis in 0..3 {
            let mut x = vec![0.0; self.step.len()];
            riding.iter().for_each(|(k, weight)| x[3 * k + axis] += weight);
            if let Some(gauge) = gauge {
                gauge.project(&mut x);
            }
            self.turns.back(&mut x);
            if !self.factored.solve(gauge, &mut x) {
                continue;
            }
            self.turns.forth(&mut x);
            if let Some(gauge) = gauge {
                gauge.steady(&mut x);
            }
            for (row, sum) in compliance.iter_mut().enumerate() {
                sum[axis] = riding.iter().map(|(k, weight)| weight * x[3 * k + row]).sum();
            }
        }
        compliance
    }

    /// g at the pose, without what only moves the body; its norm.
    fn evaluate(&mut self, poser: &mut Poser) -> f64 {
        poser.potential.gradient(&poser.pose, &mut self.gradient);
        if let Some(gauge) = &poser.gauge {
            gauge.project(&mut self.gradient);
        }
        norm(&self.gradient)
    }

    /// One step: Φ and |g| after it, `None` when there was none worth taking.
    fn advance(&mut self, poser: &mut Poser, value: Value, residual: f64) -> Option<(Value, f64)> {
        self.turns.measure(&self.then, &places(&poser.body, &poser.pose));
        let slope = self.direction(poser.gauge.as_deref())?;
        let start = poser.pose.clone();
        let gradient = self.gradient.clone();
        let Some((next, s)) = search(&mut poser.potential, &mut poser.pose, &self.step, value, slope) else {
            poser.pose = start;
            return None;
        };
        let after = self.evaluate(poser);
        if value.sum - next.sum <= ROUNDING * next.size && after >= residual {
            poser.pose = start;
            self.gradient = gradient;
            return None;
        }
        let s: Vec<f64> = self.step.iter().map(|d| s * d).collect();
        let y: Vec<f64> = self.gradient.iter().zip(&gradient).map(|(a, b)| a - b).collect();
        self.pairs.push(s, y);
        Some((next, after))
    }

    /// d = −B⁻¹ g; gᵀd, or `None` when d does not lead down.
    fn direction(&mut self, gauge: Option<&Gauge>) -> Option<f64> {
        self.step.copy_from_slice(&self.gradient);
        let (turns, factored) = (&self.turns, &self.factored);
        let metric = |x: &mut [f64]| {
            turns.back(x);
            let solved = factored.solve(gauge, x);
            turns.forth(x);
            if let Some(gauge) = gauge {
                gauge.steady(x);
            }
            solved
        };
        if !self.pairs.correct(&mut self.step, metric) {
            return None;
        }
        for d in &mut self.step {
            *d = -*d;
        }
        let slope = self.step.iter().zip(&self.gradient).map(|(d, g)| d * g).sum::<f64>();
        (slope < 0.0).then_some(slope)
    }

    /// Has K at `pose` factored on another thread, unless one is under way.
    fn order(&mut self, pose: &[f64]) {
        if let Some(mut workshop) = self.workshop.take() {
            let pose = pose.to_vec();
            self.due = self.latency;
            self.ordered = Some(std::thread::spawn(move || {
                workshop.make(&pose);
                workshop
            }));
        }
    }

    /// Takes the ordered factor when it is due; whether there is a new one.
    fn change_over(&mut self) -> bool {
        self.due = self.due.saturating_sub(1);
        if self.due > 0 {
            return false;
        }
        let Some(order) = self.ordered.take() else {
            return false;
        };
        // A panic over there is a bug, as it would be here.
        let mut workshop = order.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        let good = workshop.good;
        if good {
            std::mem::swap(&mut self.factored, &mut workshop.factored);
            std::mem::swap(&mut self.then, &mut workshop.shape);
            self.turns.reset();
            self.pairs.clear();
        }
        self.workshop = Some(workshop);
        good
    }
}

/// Moves `u` along the step until Φ has fallen enough: Φ there and the length, `None` when it never does.
fn search(
    potential: &mut Potential,
    u: &mut [f64],
    step: &[f64],
    value: Value,
    slope: f64,
) -> Option<(Value, f64)> {
    let free = potential.free.clone();
    let mut start = vec![0.0; step.len()];
    free.gather(u, &mut start);
    let longest = step.iter().fold(0.0_f64, |m, d| m.max(d.abs()));
    let mut s = (potential.longest_step() / longest).min(1.0);
    let mut trial = start.clone();
    for _ in 0..HALVINGS {
        for (t, (x, d)) in trial.iter_mut().zip(start.iter().zip(step)) {
            *t = x + s * d;
        }
        free.scatter(&trial, u);
        let next = potential.value(u);
        // Written so that a value that is no number is refused.
        if next.sum <= value.sum + SUFFICIENT * s * slope + ROUNDING * value.size.max(next.size) {
            return Some((next, s));
        }
        s *= 0.5;
    }
    None
}
